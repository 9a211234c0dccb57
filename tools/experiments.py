#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/experiments.md: each scenario's table, measured beside published.

  experiments.py run [NAME...]   runs the scenarios (all of them, or those named) and writes their
                                 parts of the page; the other parts stay as they are
  experiments.py check           compares what the page says is expected (published values,
                                 tolerances, deviations, rows) with the scenarios, from runs of a
                                 millisecond. Exit code 1 where they differ

Scenarios, jobs and values come from `nvmearb list --json` and `nvmearb run --json`.
"""
import argparse
import hashlib
import json
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/experiments.md"
WIDTH = 132
SHORT = ("--runtime", "1ms")  # what a scenario expects shows in any run
HEAD = """\
What each scenario of `sim_configs/` gives, beside the values that its source published. Written by
`make experiments`; `nvmearb run NAME` repeats any of it, on the RTL too. A deviation is a
comparison that is known not to hold, with its reason; it is never counted as within tolerance. What
the parameters are and where they come from: [model_of_the_drive.md](model_of_the_drive.md),
[host.md](host.md).
"""
EXPECTED = ("job", "metric", "unit", "published", "tolerance_pct", "note")
METRICS = {"iops": "IOPS", "bw": "MiB/s", "lat_mean": "mean latency", "clat_mean": "mean clat",
           "slat_mean": "mean slat", "clat_p50": "p50", "clat_p99": "p99", "clat_p99.9": "p99.9",
           "merges": "merges"}


def scenarios(program):
    """All scenarios, in the order of `nvmearb list`."""
    listed = subprocess.run([program, "list", "--json"], stdout=subprocess.PIPE, check=True)
    return json.loads(listed.stdout)


def result_of(program, name, *options):
    """The JSON of one run on the model engine."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "result.json"
        done = subprocess.run(
            [program, "run", name, "--engine", "model", "--no-progress", "--json", str(path),
             *options], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode not in (0, 1) or not path.exists():
            sys.exit(f"experiments: {name}: exit code {done.returncode}\n{done.stderr}")
        return json.loads(path.read_text(encoding="utf-8"))


def expectation(result):
    """A digest of all that does not depend on measuring: what the page has to agree with."""
    facts = [result["title"], result["source"]]
    for variant in result["variants"]:
        facts.append([variant["name"], [job["name"] for job in variant["jobs"]]])
        facts += [[entry[key] for key in EXPECTED] for entry in variant["compare"]]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:16]


def number(value, unit=""):
    """Three significant digits or a whole number, with commas."""
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    text = f"{value:,.{digits}f}"
    return f"{text} {unit}".strip()


def wrapped(text, first="", rest=""):
    """`text` in lines of at most WIDTH characters."""
    lines = [first]
    for word in text.split():
        if len(lines[-1]) + len(word) + 1 > WIDTH:
            lines.append(rest)
        lines[-1] += word if lines[-1] in (first, rest) else f" {word}"
    return "\n".join(lines)


def verdict(entry, reasons):
    """The last column: ok, outside, or the number of a deviation's reason."""
    if entry["note"]:
        if entry["note"] not in reasons:
            reasons.append(entry["note"])
        return f"deviation {reasons.index(entry['note']) + 1}"
    return "ok" if entry["pass"] else "**outside**"


def comparison_table(result, reasons):
    """Rows of all comparisons, variant by variant."""
    lines = ["| variant | job | | published | measured | error | tolerance | |",
             "|---|---|---|---|---|---|---|---|"]
    for variant in result["variants"]:
        for entry in variant["compare"]:
            unit = "" if entry["unit"] in ("io/s", "MiB/s", "") else entry["unit"]
            metric = METRICS.get(entry["metric"], entry["metric"])
            lines.append(
                f"| {variant['name']} | {entry['job']} | {metric} "
                f"| {number(entry['published'], unit)} | {number(entry['measured'], unit)} "
                f"| {entry['error_pct']:+.1f} % | {entry['tolerance_pct']:g} % "
                f"| {verdict(entry, reasons)} |")
    return lines


def job_table(result, variants):
    """Rows of what each job got, for variants without published values."""
    lines = ["| variant | job | share | IOPS | mean latency | p50 | p99 |",
             "|---|---|---|---|---|---|---|"]
    for variant in variants:
        for job in variant["jobs"]:
            lines.append(
                f"| {variant['name']} | {job['name']} | {job['share_pct']:.1f} % "
                f"| {number(job['iops'])} | {number(job['lat_mean_us'], 'us')} "
                f"| {number(job['clat_p50_us'], 'us')} "
                f"| {number(job['clat_p99_us'], 'us')} |")
    return lines


def counts(result):
    """Comparisons, those within tolerance, and deviations."""
    entries = [entry for variant in result["variants"] for entry in variant["compare"]]
    deviations = sum(1 for entry in entries if entry["note"])
    return len(entries), sum(1 for entry in entries if entry["pass"]), deviations


def part(result):
    """The part of one scenario, with its marks."""
    name = result["scenario"]
    total, good, deviations = counts(result)
    lines = [f"<!-- begin {name} {expectation(result)} {total} {good} {deviations} -->",
             f"## {name}", "",
             wrapped(f"{result['title']}. Source: {result['source']}."), ""]
    if result.get("time"):
        lines += [wrapped(f"Length: {result['time']}"), ""]
    reasons = []
    if total:
        lines += comparison_table(result, reasons) + [""]
    for index, reason in enumerate(reasons, 1):
        lines += [wrapped(f"Deviation {index}: {reason}"), ""]
    rest = [variant for variant in result["variants"] if not variant["compare"]]
    if rest:
        lines += job_table(result, rest) + [""]
    for variant in result["variants"]:
        if variant.get("note"):
            lines += [wrapped(f"{variant['name']}: {variant['note']}"), ""]
    lines.append(f"<!-- end {name} -->")
    return "\n".join(lines)


def parts_of(page):
    """The parts of a page by scenario, in its order."""
    found = re.finditer(r"<!-- begin (\S+) .*?<!-- end \1 -->", page, re.S)
    return {match.group(1): match.group(0) for match in found}


def mark_of(text):
    """Digest and counts in the first line of a part."""
    fields = text.split("\n", 1)[0].split()
    return fields[3], tuple(int(field) for field in fields[4:7])


def summary(parts):
    """One row a scenario."""
    lines = ["| scenario | values | within tolerance | deviations | outside |",
             "|---|---|---|---|---|"]
    for name, text in parts.items():
        total, good, deviations = mark_of(text)[1]
        lines.append(f"| [{name}](#{name}) | {total} | {good} | {deviations} "
                     f"| {total - good - deviations} |" if total
                     else f"| [{name}](#{name}) | | | | |")
    return "\n".join(lines)


def page_of(parts):
    """The whole page."""
    head = "# Experiments\n\n" + wrapped(HEAD) + "\n"
    return "\n".join([head, summary(parts), "", *(text + "\n" for text in parts.values())])


def run(program, names, jobs, page):
    """Runs and writes."""
    known = [entry["name"] for entry in scenarios(program)]
    for name in names:
        if name not in known:
            sys.exit(f"experiments: no scenario {name}; there are {', '.join(known)}")
    old = parts_of(page.read_text(encoding="utf-8")) if page.exists() else {}
    wanted = [name for name in known if not names or name in names]
    made = {}
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        parts = pool.map(lambda name: part(result_of(program, name)), wanted)
        for name, text in zip(wanted, parts, strict=True):
            made[name] = old[name] = text
            page.write_text(page_of({name: old[name] for name in known if name in old}),
                            encoding="utf-8")
            total, good, deviations = mark_of(text)[1]
            print(f"{name}: {good} of {total} within tolerance, {deviations} deviations",
                  flush=True)
    outside = [name for name, text in made.items()
               if (mark := mark_of(text)[1])[0] > mark[1] + mark[2]]
    return 1 if outside else 0


def differences(program, page):
    """What is not as the scenarios have it, in words."""
    old = parts_of(page.read_text(encoding="utf-8"))
    known = [entry["name"] for entry in scenarios(program)]
    wrong = [f"{name}: not in the page" for name in known if name not in old]
    wrong += [f"{name}: no such scenario" for name in old if name not in known]
    for name in known:
        if name in old and mark_of(old[name])[0] != expectation(
                result_of(program, name, *SHORT)):
            wrong.append(f"{name}: the scenario expects something else than the page says")
    return wrong


def check(program, page):
    """Prints what differs."""
    wrong = differences(program, page)
    for line in wrong:
        print(f"{page.name}: {line}")
    if wrong:
        print("repeat: make experiments ARGS=\"NAME...\"")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", choices=["run", "check"])
    parser.add_argument("names", nargs="*", help="scenarios to run; default all")
    parser.add_argument("--nvmearb", default=str(ROOT / "build/bin/nvmearb"))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--page", type=Path, default=PAGE)
    args = parser.parse_args()
    if args.command == "check":
        return check(args.nvmearb, args.page)
    return run(args.nvmearb, args.names, args.jobs, args.page)


if __name__ == "__main__":
    sys.exit(main())
