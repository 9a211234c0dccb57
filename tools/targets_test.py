#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CI files, the Dockerfile and the pages name only make targets that exist; `make help` names all
that a user may want; the changelog begins with the project's version."""
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Steps of other targets.
INTERNAL = {"help", "deps-build", "deps-test", "netlist-test"}


def targets_of(makefile: str) -> set[str]:
    declared = re.search(r"^\.PHONY:((?:.*\\\n)*.*)$", makefile, re.M)
    return set(declared.group(1).replace("\\\n", " ").split())


def named_in(text: str) -> set[str]:
    """Targets of commands: in code, after `run:` and the like, in the tables of the CI files."""
    code = re.findall(r"```.*?\n(.*?)```", text, re.S) + re.findall(r"`([^`\n]+)`", text)
    commands = "\n".join(code) + "\n" + "\n".join(
        re.findall(r"^\s*(?:- (?:run: )?|RUN |ENTRYPOINT |make )(.*make .*)$", text, re.M))
    names = set(re.findall(r"(?:^|[ \"])make ([a-z][a-z-]*)", commands, re.M))
    for table in re.findall(r"(?:target|TARGET): \[([^]]*)\]", text):
        names.update(re.split(r", *", table.strip()))
    return names


class Targets(unittest.TestCase):
    makefile = (ROOT / "Makefile").read_text()
    targets = targets_of(makefile)

    def test_every_named_target_exists(self):
        files = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard", "*.md", "Dockerfile",
             ".gitlab-ci.yml", ".github"], cwd=ROOT, capture_output=True, text=True,
            check=False).stdout.split() or ["README.md"]
        for name in files:
            unknown = named_in((ROOT / name).read_text()) - self.targets
            self.assertEqual(unknown, set(), f"{name} names targets that are not in the Makefile")

    def test_a_target_that_does_not_exist_is_seen(self):
        for text in ("```\nmake nosuch   # words\n```", "see `make nosuch ARGS=x`",
                     "target: [test, nosuch]", "      - run: make nosuch", "RUN make nosuch"):
            self.assertIn("nosuch", named_in(text) - self.targets, text)

    def test_the_manual_names_every_target(self):
        manual = self.makefile.split("define MANUAL")[1].split("endef")[0]
        missing = {name for name in self.targets - INTERNAL
                   if not re.search(rf"^  make {name}\b", manual, re.M)}
        self.assertEqual(missing, set())

    def test_the_changelog_begins_with_the_version(self):
        version = re.search(r"project\(nvmearb VERSION ([\d.]+)",
                            (ROOT / "CMakeLists.txt").read_text()).group(1)
        first = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.M).group(1)
        self.assertEqual(first, version)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-q"])
