# SPDX-License-Identifier: Apache-2.0
"""The verification plan as data (tb/coverage/plan.toml), joined with what was run.

A goal names tests (Suite.Name, without the instance of a parameterized test), conformance checks
(IDs of tb/conformance/checks.csv, or patterns of them), proofs (wrapper:property set of
tb/formal/proofs.toml), covers (labels in the RTL) and crosses (tb/coverage/functional.toml). Each
of them has to be evidence: a test that ran and passed, a proof that is good or, where `make formal`
has not run, exists, a cover that was hit, a cross that was hit in full.
"""
import fnmatch
import json
import re
import tomllib
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field
from pathlib import Path

LISTS = ("tests", "checks", "proofs", "covers", "crosses")
PROPERTY_SETS = ("contract", "bounded", "covers", "reached")
INTRODUCTION = """\
Written by `tools/coverage/coverage.py plan` from `tb/coverage/plan.toml` and
`tb/coverage/functional.toml`; do not edit. `make coverage` joins each item with its result, into
`build/reports/verification_plan.json` and `build/coverage/index.html`, and fails when one is
without evidence: a test or check that is not there, did not run or failed, a proof that is not
there or failed in the last `make formal`, a cover or a combination that was never hit."""


class PlanError(Exception):
    """plan.toml says something that it cannot mean."""


@dataclass
class Evidence:
    """tests, proofs: name -> "passed", "failed", ...; checks: all IDs; covers: label -> count;
    crosses: name -> (hit, total)."""
    tests: dict
    checks: set
    proofs: dict
    covers: dict
    crosses: dict


@dataclass
class Goal:
    id: str
    goal: str
    rule: str
    tests: list = field(default_factory=list)
    checks: list = field(default_factory=list)
    proofs: list = field(default_factory=list)
    covers: list = field(default_factory=list)
    crosses: list = field(default_factory=list)


def parse(text: str) -> list[Goal]:
    goals, seen = [], set()
    for entry in tomllib.loads(text).get("goal", []):
        where = f"plan.toml: goal {entry.get('id')}"
        if not {"id", "goal", "rule"} <= entry.keys() <= {"id", "goal", "rule", *LISTS}:
            raise PlanError(f"{where}: keys {sorted(entry)}, allowed are id, goal, rule and "
                            f"{', '.join(LISTS)}")
        goal = Goal(**entry)
        if goal.id in seen:
            raise PlanError(f"{where}: occurs twice")
        seen.add(goal.id)
        if not any(getattr(goal, name) for name in LISTS):
            raise PlanError(f"{where}: names no evidence")
        goals.append(goal)
    if not goals:
        raise PlanError("plan.toml: has no goals")
    return goals


def load(path: Path) -> list[Goal]:
    return parse(path.read_text())


def plain(classname: str, name: str) -> str:
    """Suite.Name of a case, without instance and parameter."""
    return f"{classname.rsplit('/', maxsplit=1)[-1]}.{name.split('/', maxsplit=1)[0]}"


def read_tests(path: Path) -> dict:
    """{Suite.Name: "passed", "failed" or "skipped"} of tests.xml: failed when an instance failed,
    skipped when all were."""
    order = ["skipped", "passed", "failed"]
    results = {}
    for case in ET.parse(path).getroot().iter("testcase"):
        if case.find("failure") is not None:
            result = "failed"
        elif case.find("skipped") is not None or case.get("result") in ("skipped", "suppressed"):
            result = "skipped"
        else:
            result = "passed"
        name = plain(case.get("classname") or "", case.get("name"))
        results[name] = max(result, results.get(name, "skipped"), key=order.index)
    return results


def read_proofs(root: Path, report: Path) -> dict:
    """{wrapper:set: "passed", "failed", "not run here"}; the report is that of make formal."""
    data = tomllib.loads((root / "tb/formal/proofs.toml").read_text())
    results = {f"{proof['top']}:{name}": "not run here" for proof in data["proof"]
               for name in PROPERTY_SETS if name in proof}
    if not report.exists():
        return results
    runs = json.loads(report.read_text())
    runs = runs["runs"] if isinstance(runs, dict) else runs
    for key in results:
        top, name = key.split(":")
        good = [run["good"] for run in runs if run["property set"] == name and
                run["name"].startswith(f"{top}_")]
        if good:
            results[key] = "passed" if all(good) else "failed"
    return results


def of_checks(pattern: str, evidence: Evidence) -> tuple[str, str]:
    """(result, what is wrong) of the conformance checks that an item stands for."""
    checks = sorted(c for c in evidence.checks if fnmatch.fnmatchcase(c, pattern))
    if not checks:
        return "missing", f"no conformance check {pattern}"
    results = []
    for check in checks:
        prefix = f"Conformance.{check.replace('-', '_')}_"
        names = [name for name in evidence.tests if name.startswith(prefix)]
        results.append(of_tests(f"of {check}", names, evidence.tests))
    wrong = "; ".join(text for _, text in results if text)
    return ("failed", wrong) if wrong else ("passed", "")


def of_tests(name: str, names: list[str], tests: dict) -> tuple[str, str]:
    """(result, what is wrong) of the tests that an item stands for."""
    if not names:
        return "missing", f"no test {name} ran"
    bad = [f"{test} {tests[test]}" for test in names if tests[test] != "passed"]
    return ("failed", "; ".join(bad)) if bad else ("passed", "")


def item(kind: str, name: str, evidence: Evidence) -> tuple[str, str]:
    """(result, what is wrong) of one item of a goal."""
    if kind == "tests":
        names = [test for test in evidence.tests if fnmatch.fnmatchcase(test, name)]
        return of_tests(name, names, evidence.tests)
    if kind == "checks":
        return of_checks(name, evidence)
    if kind == "proofs":
        result = evidence.proofs.get(name, "missing")
        return result, f"proof {name} {result}" if result in ("missing", "failed") else ""
    if kind == "covers":
        count = evidence.covers.get(name)
        if count is None:
            return "missing", f"no cover {name} in the RTL"
        return ("hit", "") if count else ("never hit", f"cover {name} was never hit")
    hit, total = evidence.crosses.get(name, (0, 0))
    if not total:
        return "missing", f"no cross {name}"
    text = f"{hit} of {total}"
    return text, "" if hit == total else f"cross {name}: {text} combinations were hit"


def join(goals: list[Goal], evidence: Evidence) -> tuple[list, list[str]]:
    """The report, and what is without evidence, in sentences."""
    joined, problems = [], []
    for goal in goals:
        entries = []
        for kind in LISTS:
            for name in getattr(goal, kind):
                result, wrong = item(kind, name, evidence)
                entries.append({"kind": kind, "name": name, "result": result, "good": not wrong})
                if wrong:
                    problems.append(f"plan: {goal.id}: {wrong}")
        joined.append({"id": goal.id, "goal": goal.goal, "rule": goal.rule, "items": entries,
                       "good": all(entry["good"] for entry in entries)})
    for kind, known in (("covers", evidence.covers), ("crosses", evidence.crosses)):
        named = {name for goal in goals for name in getattr(goal, kind)}
        problems += [f"plan: no goal names {kind[:-1] if kind == 'covers' else 'cross'} {name}"
                     for name in sorted(set(known) - named)]
    return joined, problems


def cell(text: str) -> str:
    return text.replace("|", "\\|")


def page(goals: list[Goal], crosses: list) -> str:
    """docs/verification_plan.md."""
    lines = ["# Verification plan", "", INTRODUCTION, "",
             "| goal | what has to be shown | rule | tests | conformance | proofs | covers | "
             "crosses |",
             "|---|---|---|---|---|---|---|---|"]
    for goal in goals:
        lists = [", ".join(f"`{name}`" for name in getattr(goal, kind)) for kind in LISTS]
        lines.append("| " + " | ".join(cell(text) for text in (goal.id, goal.goal, goal.rule,
                                                              *lists)) + " |")
    lines += ["", "## Functional coverage", "",
              "Collected from the observation port of the RTL. Each combination of the bins has to "
              "occur, but for those that are impossible."]
    points = {}
    for cross in crosses:
        total = len(list(cross.combinations()))
        impossible = sum(bool(cross.reason(c)) for c in cross.combinations())
        lines += ["", f"### {cross.name}", "", f"{cross.goal[0].upper()}{cross.goal[1:]}.", "",
                  f"At {', '.join(cross.events)}: {' x '.join(p.name for p in cross.points)}, "
                  f"{total - impossible} combinations."]
        lines += [f"Impossible: {describe(rule)}: {rule['reason']}." for rule in cross.impossible]
        points.update({point.name: point for point in cross.points})
    lines += ["", "### Points", "", "| point | of | bins |", "|---|---|---|"]
    for name, point in sorted(points.items()):
        bins = ", ".join(f"{bin_name} {first}" + (f"..{last}" if last != first else "")
                         for bin_name, (first, last) in point.bins.items())
        lines.append(f"| {name} | {point.quantity} | {bins} |")
    return "\n".join(lines) + "\n"


def describe(rule: dict) -> str:
    return ", ".join(f"{point} {' or '.join(bins)}" for point, bins in rule["bins"].items())


def ids_of_checks(root: Path) -> set[str]:
    text = (root / "tb/conformance/checks.csv").read_text()
    return set(re.findall(r"^([A-Z]+-\d+),", text, re.M))
