#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the conformance checks and reports them by ID.

  conformance.py run --program build/bin/conformance_sweep_test \\
                     --output build/reports/conformance.json
  conformance.py doc            writes docs/conformance.md
  conformance.py doc --check    fails when docs/conformance.md is not what `doc` would write

tb/conformance/checks.csv holds the IDs with stimulus and expected outcome. A test
Conformance.DB_10_Sentence belongs to DB-10. `run` prints ID, test and result, writes
[{"id", "test", "result"}], and exits with 1 unless every ID has a test, every test has a known ID,
and all pass.
"""

import argparse
import collections
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tb" / "conformance"
PAGE = ROOT / "docs" / "conformance.md"
SUITE = "Conformance"

INTRODUCTION = """\
Written by `tools/conformance.py doc` from `tb/conformance/checks.csv` and the tests; do not edit.
`make conformance` runs all of them and prints ID, test and result. The tests are named
`Conformance.DB_10_...`; the sources are in `tb/conformance/`. Each is driven from outside as a
host does it, through `nvme::DevicePort` and host memory, on the RTL behind the project's own
firmware and media, with the judge on; RST-11 and one of X-08 are on the pins of `nvmearb_core`.
Each is also run on a device with a fault that it names (`ConformanceCanFail.DB_10_...`) and has to
report it."""

Check = collections.namedtuple("Check", "id stimulus expected")


def load_checks(path):
    """The lines of checks.csv, in order."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    for row in rows:
        if len(row) != len(Check._fields) or not all(row):
            raise ValueError(f"{path}: {row[0]}: has to have ID, stimulus and expected outcome")
    checks = [Check(*row) for row in rows]
    twice = [i for i, n in collections.Counter(c.id for c in checks).items() if n > 1]
    if twice:
        raise ValueError(f"{path}: {', '.join(twice)} occurs twice")
    return checks


def load_results(report):
    """{test name: "passed" | "failed" | "skipped"} of a GoogleTest JSON report."""
    results = {}
    for suite in report.get("testsuites", []):
        if suite["name"] != SUITE:
            continue
        for case in suite["testsuite"]:
            if case.get("failures"):
                result = "failed"
            elif case.get("result") == "COMPLETED":
                result = "passed"
            else:
                result = "skipped"
            results[case["name"]] = result
    return results


def id_of(test):
    """"DB_10_Sentence" -> "DB-10"; None when the name is not of that form."""
    match = re.fullmatch(r"([A-Z]+)_(\d+)_\w+", test)
    return f"{match.group(1)}-{match.group(2)}" if match else None


def join(checks, results):
    """Entries for the report, in the order of the table, and what is wrong in sentences."""
    tests = collections.defaultdict(list)
    for test in sorted(results):
        tests[id_of(test)].append(test)
    entries, problems = [], []
    for check in checks:
        found = tests.pop(check.id, [])
        if not found:
            entries.append({"id": check.id, "test": None, "result": "missing"})
            problems.append(f"{check.id}: no test has this ID")
        for test in found:
            entries.append({"id": check.id, "test": f"{SUITE}.{test}", "result": results[test]})
            if results[test] != "passed":
                problems.append(f"{check.id}: {SUITE}.{test} {results[test]}")
    for unknown in (test for group in tests.values() for test in group):
        problems.append(f"{SUITE}.{unknown}: checks.csv has no such ID")
        entries.append({"id": None, "test": f"{SUITE}.{unknown}", "result": results[unknown]})
    return entries, problems


def run(args):
    """Runs the program and reports."""
    checks = load_checks(FOLDER / "checks.csv")
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        environment = dict(os.environ, GTEST_OUTPUT=f"json:{report}", NVMEARB_CONFORMANCE="full")
        done = subprocess.run([args.program, "--gtest_brief=1"], env=environment, check=False)
        if not report.exists():
            print(f"conformance: {args.program} ended with {done.returncode} and no report",
                  file=sys.stderr)
            return 1
        results = load_results(json.loads(report.read_text(encoding="utf-8")))
    entries, problems = join(checks, results)
    if done.returncode != 0 and not problems:
        problems.append(f"{args.program} ended with {done.returncode}")
    output = pathlib.Path(args.output)
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")
    for entry in entries:
        print(f"{entry['id'] or '?':8}{entry['result']:9}{entry['test'] or ''}")
    for problem in problems:
        print(f"conformance: {problem}", file=sys.stderr)
    passed = {e["id"] for e in entries} - {e["id"] for e in entries if e["result"] != "passed"}
    print(f"{len(passed)} of {len(checks)} IDs pass, {len(results)} tests; {output}")
    return 1 if problems else 0


def find_tests(folder):
    """[(test, file)] of the checks in the sources, in their order."""
    pattern = re.compile(r"^CONFORMANCE_CHECK\((\w+), (\d+), (\w+),\s+(\w+)\)", re.MULTILINE)
    found = []
    for path in sorted(folder.glob("*_checks.cc")):
        for group, number, sentence, _ in pattern.findall(path.read_text(encoding="utf-8")):
            found.append((f"{group}_{number}_{sentence}", path.name))
    return found


def page(checks, tests):
    """docs/conformance.md."""
    groups = {"REG": "Registers", "DB": "Doorbells", "Q": "Queues", "F": "Feature 01h",
              "RR": "Round robin", "W": "Weighted round robin with urgent class",
              "RST": "Reset, shutdown, errors", "X": "Fetch and completion"}
    where = collections.defaultdict(list)
    for test, file in tests:
        where[id_of(test)].append(f"`{test.split('_', 2)[2]}` in `{file}`")
    lines = [
        "# Conformance checks",
        "",
        INTRODUCTION,
    ]
    group = None
    for check in checks:
        prefix = check.id.split("-")[0]
        if prefix != group:
            group = prefix
            lines += ["", f"## {groups[group]}", "",
                      "| ID | stimulus | expected | checked by |", "|---|---|---|---|"]
        cells = [check.id, check.stimulus, check.expected, "; ".join(where[check.id])]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def doc(args):
    """Writes or checks the page."""
    text = page(load_checks(FOLDER / "checks.csv"), find_tests(FOLDER))
    if not args.check:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    print("docs/conformance.md is not up to date: tools/conformance.py doc", file=sys.stderr)
    return 1


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    run_parser = commands.add_parser("run")
    run_parser.add_argument("--program", required=True)
    run_parser.add_argument("--output", required=True)
    run_parser.set_defaults(call=run)
    doc_parser = commands.add_parser("doc")
    doc_parser.add_argument("--check", action="store_true")
    doc_parser.set_defaults(call=doc)
    args = parser.parse_args(arguments)
    return args.call(args)


if __name__ == "__main__":
    sys.exit(main())
