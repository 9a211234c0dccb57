#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/manual_test.py NVMEARB: the man page names every command and option of --help, and bash
completes commands, options, values, scenarios and files."""
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

NVMEARB = str(Path(sys.argv.pop()).resolve())


def output(*arguments: str) -> str:
    return subprocess.run([NVMEARB, *arguments], capture_output=True, text=True,
                          check=True).stdout


def complete(*words: str, folder: str = ".") -> set[str]:
    """What bash offers for the last word."""
    script = output("completion") + f"""
cd '{folder}'
COMP_WORDS=('{NVMEARB}' {' '.join(f"'{word}'" for word in words)})
COMP_CWORD={len(words)}
_nvmearb
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    done = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True,
                          check=True)
    return set(done.stdout.split())


class Manual(unittest.TestCase):
    def test_the_man_page_names_every_command_and_option(self):
        page = output("man").replace("\\-", "-")
        commands = re.findall(r"^  ([a-z][a-z-]*) ", output("--help"), re.M)
        self.assertGreater(len(commands), 5)
        for command in commands:
            section = page.split(f".SS {command}\n")[1].split(".SS ")[0]
            options = re.findall(r"^  (?:-\w,)?(--[a-z-]+)", output(command, "--help"), re.M)
            self.assertTrue(options, command)
            for option in options:
                self.assertIn(option, section, f"{command} {option}")

    def test_no_line_of_the_man_page_is_a_request_by_accident(self):
        for line in output("man").splitlines():
            if line.startswith((".", "'")):
                self.assertRegex(line, r"^\.(TH|SH|SS|TP|PP|B|br)\b")


class Completion(unittest.TestCase):
    def test_commands(self):
        self.assertEqual(complete("re"), {"replay", "report"})
        self.assertIn("run", complete(""))

    def test_options_of_the_command(self):
        self.assertEqual(complete("run", "--trace-"), {"--trace-window", "--trace-on-error"})
        self.assertEqual(complete("list", "--trace-"), set())

    def test_values(self):
        self.assertEqual(complete("run", "x", "--engine", "m"), {"model"})
        self.assertEqual(complete("run", "x", "--engine", "=", "m"), {"model"})

    def test_scenarios_and_files(self):
        names = {line.split()[0] for line in output("list").splitlines()}
        self.assertTrue(names)
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(complete("explain", "", folder=folder), names)
            (Path(folder) / "mine.toml").touch()
            self.assertEqual(complete("run", "mi", folder=folder), {"mine.toml"})
            self.assertEqual(complete("run", "--json", "mi", folder=folder), {"mine.toml"})


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-q"])
