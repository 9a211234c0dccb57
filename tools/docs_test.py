#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every link between pages and into the tree leads somewhere; a bad one is found."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def gather(root: Path, to: Path) -> tuple[int, str]:
    done = subprocess.run([sys.executable, str(ROOT / "tools/docs.py"), str(to), "--root",
                           str(root)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


class Docs(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def project(self, readme: str) -> tuple[int, str]:
        root = self.folder / "project"
        (root / "docs/decisions").mkdir(parents=True, exist_ok=True)
        (root / "docs/page.md").write_text("# Page\n\n## A `part` of it\n")
        (root / "code.cc").write_text("int a;\n")
        (root / "README.md").write_text(readme)
        return gather(root, self.folder / "site")

    def test_every_link_of_the_project_leads_somewhere(self):
        self.assertEqual(gather(ROOT, self.folder / "site"), (0, ""))

    def test_links_are_those_of_the_site(self):
        self.assertEqual(self.project("[a](docs/page.md#a-part-of-it) [`b`](code.cc)\n"), (0, ""))
        self.assertEqual((self.folder / "site/index.md").read_text(),
                         "[a](page.md#a-part-of-it) [`b`](source/code.cc.txt)\n")
        self.assertEqual((self.folder / "site/source/code.cc.txt").read_text(), "int a;\n")

    def test_bad_links_are_found(self):
        for link, message in (("docs/no.md", "no such file"), ("../code.cc", "no such file"),
                              ("docs/page.md#no", "no such heading; there are a-part-of-it")):
            code, output = self.project(f"[a]({link})\n")
            self.assertEqual(code, 1, link)
            self.assertIn(message, output)

    def test_code_holds_no_links(self):
        self.assertEqual(self.project("```\n[a](nowhere)\n```\n"), (0, ""))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-q"])
