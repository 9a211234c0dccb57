#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The descriptions of the RTL are up to date, and packaging.py --check sees when one is not."""
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def check(root: Path) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, str(ROOT / "tools/packaging.py"), "--check", "--root",
                           str(root)], capture_output=True, text=True, check=False)


class Packaging(unittest.TestCase):
    def copy(self) -> Path:
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        shutil.copytree(ROOT / "rtl", folder / "rtl")
        for name in ("CMakeLists.txt", "nvmearb.core", "Bender.yml"):
            shutil.copy(ROOT / name, folder)
        return folder

    def test_descriptions_are_up_to_date(self):
        done = check(ROOT)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_an_edited_description_is_found(self):
        for name in ("rtl/nvmearb.f", "nvmearb.core", "Bender.yml"):
            root = self.copy()
            with (root / name).open("a") as file:
                file.write("# edited\n")
            done = check(root)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"{name}: not up to date", done.stdout)

    def test_a_file_in_no_list_is_found(self):
        root = self.copy()
        (root / "rtl/core/forgotten.sv").write_text("")
        done = check(root)
        self.assertEqual(done.returncode, 1)
        self.assertIn("rtl/core/forgotten.sv: in no file list", done.stdout)

    def test_a_listed_file_that_is_gone_is_found(self):
        root = self.copy()
        (root / "rtl/nvmearb_top.sv").unlink()
        done = check(root)
        self.assertEqual(done.returncode, 1)
        self.assertIn("rtl/nvmearb_top.sv: listed, but not there", done.stdout)


if __name__ == "__main__":
    unittest.main()
