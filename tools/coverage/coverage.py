#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make coverage: puts together what the tests of the coverage build covered, and judges it.

  coverage.py report --build build/cov --output build/coverage --reports build/reports
  coverage.py plan            writes docs/verification_plan.md
  coverage.py plan --check    fails when the page is not what `plan` would write

`report` reads the counters that the tests left, and writes coverage.info, cobertura.xml, index.html
and coverage.json. Exit code 1 when a goal is missed, an exclusion is stale or the verification plan
has an item without evidence.
"""
import argparse
import json
import sys
from pathlib import Path

import cxx
import exclusions as exclusions_module
import functional as functional_module
import pages
import plan as plan_module
from exclusions import Tally

import rtl as rtl_module

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tb/coverage"
PAGE = ROOT / "docs/verification_plan.md"
# Percent of the points that are not excluded. C++ branches are reported only.
GOALS = {"rtl_line": 100, "rtl_branch": 98, "rtl_toggle": 98, "rtl_cover": 100, "functional": 100,
         "cxx_line": 95, "cxx_branch": 0}


class Sources:
    """Lines of source files, as exclusions name them."""

    def __init__(self, root: Path):
        self.root, self.files = root, {}

    def line(self, file: str, number: int) -> str:
        if file not in self.files:
            self.files[file] = (self.root / file).read_text().splitlines()
        lines = self.files[file]
        return lines[number - 1].strip() if 0 < number <= len(lines) else ""


def tally_rtl(rtl, sources, exclusions) -> dict[str, Tally]:
    tallies = {f"rtl_{kind}": Tally(kind) for kind in ("line", "branch", "toggle", "cover")}
    for (file, line), count in sorted(rtl.lines.items()):
        tallies["rtl_line"].add(count, file, line, sources.line(file, line), exclusions)
    for (file, line, _, kind), count in sorted(rtl.branches.items()):
        text = f"{kind}: {sources.line(file, line)}"
        tallies["rtl_branch"].add(count, file, line, text, exclusions)
    for kind, counter in (("toggle", rtl.toggles), ("cover", rtl.covers)):
        for key, count in sorted(counter.items()):
            tallies[f"rtl_{kind}"].add(count, key[0], rtl.where[key], key[1], exclusions)
    return tallies


def tally_cxx(data, sources, exclusions) -> dict[str, Tally]:
    lines, branches = Tally("cxx_line"), Tally("cxx_branch")
    for file, line, count, branches_hit, branch_count in cxx.totals(data):
        lines.add(count, file, line, sources.line(file, line), exclusions)
        branches.total += branch_count
        branches.hit += branches_hit
    return {"cxx_line": lines, "cxx_branch": branches}


def judge(tallies: dict[str, Tally]) -> list[str]:
    """What is missed, in sentences."""
    problems = []
    for name, goal in GOALS.items():
        tally = tallies[name]
        if tally.total == 0:
            problems.append(f"{name}: nothing was measured")
        elif 100 * tally.hit < goal * tally.total:
            problems.append(f"{name}: {tally.hit} of {tally.total} ({tally.percent:.2f} %), "
                            f"the goal is {goal} %")
    return problems


def summary(tallies, exclusions, problems) -> dict:
    """coverage.json."""
    return {
        "good": not problems,
        "problems": problems,
        "measures": {name: {"total": t.total, "hit": t.hit, "excluded": t.excluded,
                            "percent": round(t.percent, 2), "goal": GOALS[name]}
                     for name, t in tallies.items()},
        "missing": {name: [f"{file}:{line}: {text}" for file, line, text in t.missing]
                    for name, t in tallies.items()},
        "exclusions": [{"kind": e.kind, "file": e.file, "text": e.text, "reason": e.reason,
                        "points": len(e.hits)} for e in exclusions],
    }


def report(args) -> int:
    output, reports = args.output.resolve(), args.reports.resolve()
    output.mkdir(parents=True, exist_ok=True)
    reports.mkdir(parents=True, exist_ok=True)
    build = args.build.resolve()
    sources = Sources(ROOT)
    exclusions = exclusions_module.load(DATA / "exclusions.toml")

    cxx_data = cxx.measure(ROOT, build, output / "cxx.json", args.jobs)
    rtl = rtl_module.read(build / "coverage", ROOT, rtl_module.sources_of(ROOT))
    (output / "rtl.json").write_text(json.dumps(
        rtl_module.gcovr_json(rtl, cxx_data["gcovr/format_version"])))
    cxx.pages(ROOT, output, [output / "cxx.json", output / "rtl.json"])

    functional = functional_module.load(DATA / "functional.toml")
    counts = functional_module.read(functional, build / "coverage")
    tallies = tally_rtl(rtl, sources, exclusions)
    tallies["functional"], impossible = functional_module.tally(functional, counts)
    tallies.update(tally_cxx(cxx_data, sources, exclusions))

    evidence = plan_module.Evidence(
        tests=plan_module.read_tests(build / "reports/tests.xml"),
        checks=plan_module.ids_of_checks(ROOT),
        proofs=plan_module.read_proofs(ROOT, reports / "formal.json"),
        covers={key[1]: count for key, count in rtl.covers.items()},
        crosses=functional_module.by_cross(functional, counts))
    plan = plan_module.load(DATA / "plan.toml")
    joined, unproved = plan_module.join(plan, evidence)

    problems = judge(tallies) + exclusions_module.stale(exclusions) + impossible + unproved
    data = summary(tallies, exclusions, problems)
    (reports / "coverage.json").write_text(json.dumps(data, indent=1) + "\n")
    (reports / "verification_plan.json").write_text(json.dumps(joined, indent=1) + "\n")
    pages.write(output, data, functional_module.table(functional, counts), joined)

    for name, measure in data["measures"].items():
        print(f"{name:11} {measure['percent']:6.2f} %  of {measure['total']:6}, goal "
              f"{measure['goal']:3} %, {measure['excluded']} excluded")
    for problem in problems[:40]:
        print(f"coverage: {problem}", file=sys.stderr)
    if len(problems) > 40:
        print(f"coverage: and {len(problems) - 40} more in {reports / 'coverage.json'}",
              file=sys.stderr)
    print(f"{output / 'index.html'}")
    return 1 if problems else 0


def plan_page(args) -> int:
    text = plan_module.page(plan_module.load(DATA / "plan.toml"),
                            functional_module.load(DATA / "functional.toml"))
    if not args.check:
        PAGE.write_text(text)
        return 0
    if PAGE.exists() and PAGE.read_text() == text:
        return 0
    print("docs/verification_plan.md is not up to date: tools/coverage/coverage.py plan",
          file=sys.stderr)
    return 1


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("report")
    command.add_argument("--build", type=Path, required=True)
    command.add_argument("--output", type=Path, required=True)
    command.add_argument("--reports", type=Path, required=True)
    command.add_argument("--jobs", type=int, default=2)
    command.set_defaults(call=report)
    command = commands.add_parser("plan")
    command.add_argument("--check", action="store_true")
    command.set_defaults(call=plan_page)
    args = parser.parse_args(arguments)
    try:
        return args.call(args)
    except (rtl_module.DataError, exclusions_module.ExclusionError,
            functional_module.ModelError, plan_module.PlanError) as error:
        print(f"coverage: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
