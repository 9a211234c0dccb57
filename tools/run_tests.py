#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every test program with ctest and writes one JUnit file of all test cases.

build/reports/tests.xml holds a <testsuite> per test program with the cases that GoogleTest reports;
a program that ended without a report (crash, time-out, no GoogleTest) is a case of its own. The
last line printed is "N passed, N failed"; exit code 1 unless all passed and at least one ran.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET


def program_results(ctest_junit):
    """ctest's own JUnit: {test program: (passed, seconds, output)}."""
    results = {}
    for case in ET.parse(ctest_junit).getroot().iter("testcase"):
        passed = case.find("failure") is None and case.get("status") == "run"
        results[case.get("name")] = (
            passed, float(case.get("time") or 0.0), case.findtext("system-out") or "")
    return results


def suite_of(name, report, result):
    """The <testsuite> of one program, and whether it is all green."""
    passed, seconds, output = result
    suite = ET.Element("testsuite", name=name, time=f"{seconds:.3f}")
    if report.exists():
        for case in ET.parse(report).getroot().iter("testcase"):
            suite.append(case)
    failures = sum(1 for case in suite if case.find("failure") is not None)
    if not passed and failures == 0:
        # It failed outside of any case: say so as a case of its own, with its output.
        case = ET.SubElement(suite, "testcase", name="(program)", classname=name)
        ET.SubElement(case, "failure", message="the test program failed").text = output[-20000:]
    elif len(suite) == 0:
        ET.SubElement(suite, "testcase", name="(program)", classname=name, time=f"{seconds:.3f}")
    cases = list(suite)
    suite.set("tests", str(len(cases)))
    suite.set("failures", str(sum(1 for case in cases if case.find("failure") is not None)))
    suite.set("skipped", str(sum(1 for case in cases if is_skipped(case))))
    return suite


def is_skipped(case):
    return case.find("skipped") is not None or case.get("result") in ("skipped", "suppressed")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--jobs", default="2")
    parser.add_argument("ctest", nargs="*", help="further ctest options, after --")
    args = parser.parse_args()

    build = pathlib.Path(args.build).resolve()
    reports = build / "reports"
    cases = reports / "gtest"
    shutil.rmtree(cases, ignore_errors=True)
    cases.mkdir(parents=True)

    junit = reports / "ctest.xml"
    junit.unlink(missing_ok=True)
    # A trailing slash makes GoogleTest name the file after the program.
    environment = dict(os.environ, GTEST_OUTPUT=f"xml:{cases}/")
    subprocess.run(["ctest", "--test-dir", build, "--output-on-failure", "-j", args.jobs,
                    "--output-junit", junit, *args.ctest],
                   env=environment, check=False)
    if not junit.exists():
        print("run_tests: ctest wrote no report", file=sys.stderr)
        return 1

    root = ET.Element("testsuites", name="nvmearb")
    for name, result in sorted(program_results(junit).items()):
        root.append(suite_of(name, cases / f"{name}.xml", result))
    totals = {key: sum(int(suite.get(key)) for suite in root)
              for key in ("tests", "failures", "skipped")}
    for key, value in totals.items():
        root.set(key, str(value))
    ET.indent(root)
    ET.ElementTree(root).write(reports / "tests.xml", encoding="unicode", xml_declaration=True)

    passed = totals["tests"] - totals["failures"] - totals["skipped"]
    print(f"{passed} passed, {totals['failures']} failed, {totals['skipped']} skipped")
    return 0 if totals["failures"] == 0 and passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
