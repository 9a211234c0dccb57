#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/experiments.md expects what the scenarios expect; and the check sees it when not.

The first argument is the nvmearb program.
"""
import functools
import sys
import tempfile
import unittest
from pathlib import Path

import experiments

PROGRAM = sys.argv.pop(1)
experiments.result_of = functools.lru_cache(experiments.result_of)


class Page(unittest.TestCase):
    page = experiments.PAGE.read_text(encoding="utf-8")

    def differences(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "page.md"
            path.write_text(text, encoding="utf-8")
            return experiments.differences(PROGRAM, path)

    def test_expects_what_the_scenarios_expect(self):
        # A new scenario may come before its minutes of runs; `experiments.py check` names it.
        self.assertEqual([line for line in self.differences(self.page)
                          if not line.endswith("not in the page")], [])

    def test_a_part_that_is_missing_or_old_or_of_no_scenario_is_seen(self):
        parts = experiments.parts_of(self.page)
        name, text = next(iter(parts.items()))
        self.assertIn(f"{name}: not in the page", self.differences(self.page.replace(text, "")))
        digest = experiments.mark_of(text)[0]
        self.assertIn(f"{name}: the scenario expects something else than the page says",
                      self.differences(self.page.replace(digest, "0" * 16)))
        other = self.page + text.replace(f"begin {name}", "begin x").replace(f"end {name}", "end x")
        self.assertIn("x: no such scenario", self.differences(other))

    def test_the_digest_covers_values_tolerances_and_reasons(self):
        name = next(name for name, text in experiments.parts_of(self.page).items()
                    if experiments.mark_of(text)[1][0] > 0)
        result = experiments.result_of(PROGRAM, name, *experiments.SHORT)
        before = experiments.expectation(result)
        entry = next(variant["compare"][0] for variant in result["variants"] if variant["compare"])
        for key, value in (("published", -1), ("tolerance_pct", 99), ("note", "why")):
            kept, entry[key] = entry[key], value
            self.assertNotEqual(experiments.expectation(result), before, key)
            entry[key] = kept
        entry["measured"] = -1
        self.assertEqual(experiments.expectation(result), before)

    def test_a_value_outside_is_called_so(self):
        entry = {"note": "", "pass": False}
        self.assertEqual(experiments.verdict(entry, []), "**outside**")
        reasons = ["first"]
        entry["note"] = "why"
        self.assertEqual(experiments.verdict(entry, reasons), "deviation 2")


if __name__ == "__main__":
    unittest.main()
