#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/install_test.py BUILD: installs BUILD into a temporary folder; the installed program runs,
and examples/ builds against the installed package and prints what it should."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = Path(sys.argv.pop()).resolve()


def run(*command, **options) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                          check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command}: exit {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        # Staged as a packager does, then moved to where it belongs.
        run("cmake", "--install", BUILD, "--prefix", "/opt/x",
            env={**os.environ, "DESTDIR": str(folder / "stage")})
        cls.prefix = folder / "there"
        (folder / "stage/opt/x").rename(cls.prefix)
        cls.build = folder / "examples"
        run("cmake", "-S", ROOT / "examples", "-B", cls.build, "-G", "Ninja",
            f"-DCMAKE_PREFIX_PATH={cls.prefix}")
        run("cmake", "--build", cls.build)

    def test_the_program_finds_its_scenarios(self):
        program = self.prefix / "bin/nvmearb"
        self.assertIn("wrr_v3_randread", run(program, "list"))
        self.assertIn("judged", run(program, "run", "wrr_v3_randread", "--variant", "rr", "--set",
                                    "run.runtime=100ms", "--engine", "model"))
        self.assertEqual(run(program, "run", "wrr_v3_randread", "--variant", "rr", "--scenarios",
                             self.prefix / "share/nvmearb/sim_configs", "--runtime", "30ms",
                             "--engine", "model", "--json", "-"),
                         run(BUILD / "bin/nvmearb", "run", "wrr_v3_randread", "--variant", "rr",
                             "--runtime", "30ms", "--engine", "model", "--json", "-"))

    def test_manual_and_completion_are_there(self):
        self.assertIn(".SH SYNOPSIS", (self.prefix / "share/man/man1/nvmearb.1").read_text())
        self.assertIn("complete -o filenames", (
            self.prefix / "share/bash-completion/completions/nvmearb").read_text())

    def test_the_rtl_is_complete(self):
        share = self.prefix / "share/nvmearb"
        for line in (share / "rtl/nvmearb.f").read_text().splitlines():
            if line.startswith("rtl/"):
                self.assertTrue((share / line).is_file(), line)

    def test_examples(self):
        self.assertEqual(run(self.build / "arbiter"), " ".join(
            ["1 1 1 2 2 3"] * 3) + " \n")
        self.assertEqual(run(self.build / "host"),
                         "8/0/0/0/0/0/0 default/read/poll/low/medium/high/urgent queues\n"
                         "read 4 KiB: status 0\n")
        self.assertEqual(run(self.build / "rtl"), "CSTS 1\nSQ 0: opcode 06, SQHD 1\n")

    def test_nothing_installed_names_the_build(self):
        for path in self.prefix.rglob("*"):
            if path.suffix in (".cmake", ".h", ".f") and path.is_file():
                self.assertNotIn(str(BUILD), path.read_text(), path)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-q"])
