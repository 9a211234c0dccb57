#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of conformance.py: every way in which a run is not conformant ends with 1."""

import contextlib
import io
import json
import pathlib
import stat
import tempfile
import unittest

import conformance


def case(name, failed=False, result="COMPLETED"):
    entry = {"name": name, "result": result}
    if failed:
        entry["failures"] = [{"failure": "no"}]
    return entry


def report(*cases, suite="Conformance"):
    return {"testsuites": [{"name": suite, "testsuite": list(cases)}]}


CHECKS = [conformance.Check("DB-01", "a", "b"), conformance.Check("DB-02", "c", "d")]


class Join(unittest.TestCase):
    def join(self, *cases):
        return conformance.join(CHECKS, conformance.load_results(report(*cases)))

    def test_all_pass(self):
        entries, problems = self.join(case("DB_01_One"), case("DB_02_Two"), case("DB_02_More"))
        self.assertEqual(problems, [])
        self.assertEqual(entries[0], {"id": "DB-01", "test": "Conformance.DB_01_One",
                                      "result": "passed"})
        self.assertEqual(len(entries), 3)

    def test_missing_id(self):
        entries, problems = self.join(case("DB_01_One"))
        self.assertEqual(problems, ["DB-02: no test has this ID"])
        self.assertEqual(entries[1], {"id": "DB-02", "test": None, "result": "missing"})

    def test_unknown_id(self):
        for name in ("DB_03_Three", "NoId", "DB_1"):
            _, problems = self.join(case("DB_01_One"), case("DB_02_Two"), case(name))
            self.assertEqual(problems, [f"Conformance.{name}: checks.csv has no such ID"])

    def test_failed_test(self):
        entries, problems = self.join(case("DB_01_One"), case("DB_01_More", failed=True),
                                      case("DB_02_Two"))
        self.assertEqual(problems, ["DB-01: Conformance.DB_01_More failed"])
        self.assertEqual(entries[0]["result"], "failed")

    def test_skipped_test_does_not_count(self):
        _, problems = self.join(case("DB_01_One", result="SKIPPED"), case("DB_02_Two"))
        self.assertEqual(problems, ["DB-01: Conformance.DB_01_One skipped"])

    def test_other_suites_do_not_count(self):
        self.assertEqual(conformance.load_results(report(case("DB_01_One"), suite="Other")), {})


class Run(unittest.TestCase):
    """The command, with a script in the place of the test program."""

    def run_with(self, content, code=0):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            program = folder / "program"
            (folder / "content.json").write_text(json.dumps(content), encoding="utf-8")
            copy = f'cp "{folder}/content.json" "${{GTEST_OUTPUT#json:}}"\n' if content else ""
            program.write_text(f"#!/bin/sh\n{copy}exit {code}\n", encoding="utf-8")
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
            output = folder / "reports" / "conformance.json"
            with contextlib.redirect_stdout(io.StringIO()), \
                 contextlib.redirect_stderr(io.StringIO()):
                result = conformance.main(["run", "--program", str(program),
                                           "--output", str(output)])
            return result, json.loads(output.read_text()) if output.exists() else None

    def all_cases(self):
        checks = conformance.load_checks(conformance.FOLDER / "checks.csv")
        return [case(c.id.replace("-", "_") + "_Sentence") for c in checks]

    def test_all_114_pass(self):
        result, entries = self.run_with(report(*self.all_cases()))
        self.assertEqual(result, 0)
        self.assertEqual(len(entries), 114)

    def test_one_is_missing(self):
        self.assertEqual(self.run_with(report(*self.all_cases()[1:]))[0], 1)

    def test_one_is_unknown(self):
        cases = self.all_cases() + [case("DB_99_Unknown")]
        self.assertEqual(self.run_with(report(*cases))[0], 1)

    def test_one_fails(self):
        cases = self.all_cases()
        cases[7] = case(cases[7]["name"], failed=True)
        self.assertEqual(self.run_with(report(*cases))[0], 1)

    def test_program_fails(self):
        self.assertEqual(self.run_with(report(*self.all_cases()), code=1)[0], 1)

    def test_program_writes_no_report(self):
        self.assertEqual(self.run_with(None, code=134), (1, None))


class Table(unittest.TestCase):
    def load(self, text):
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
            file.write("id,stimulus,expected\n" + text)
            file.flush()
            return conformance.load_checks(file.name)

    def test_good(self):
        self.assertEqual(self.load('DB-01,"a, b",c\n'), [conformance.Check("DB-01", "a, b", "c")])

    def test_bad(self):
        for text in ("DB-01,a\n", "DB-01,a,b,c\n", "DB-01,,b\n", "DB-01,a,b\nDB-01,c,d\n"):
            with self.assertRaises(ValueError):
                self.load(text)


class Sources(unittest.TestCase):
    def test_every_id_has_a_check_in_the_sources(self):
        checks = conformance.load_checks(conformance.FOLDER / "checks.csv")
        results = {test: "passed" for test, _ in conformance.find_tests(conformance.FOLDER)}
        self.assertEqual(conformance.join(checks, results)[1], [])

    def test_the_page_is_up_to_date(self):
        self.assertEqual(conformance.main(["doc", "--check"]), 0)


if __name__ == "__main__":
    unittest.main()
