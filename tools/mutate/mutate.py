#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make mutate: are the tests and proofs able to fail?

 1. Chooses places in rtl/ (sites.py; a place is chosen or not whatever the other files hold).
 2. Builds the test programs once, in a copy of the sources whose RTL holds all mutants; the
    environment variable NVMEARB_MUTANT says which is active, 0 none.
 3. Runs the programs of its part of the RTL per mutant until one fails: the mutant is killed. One
    that does not come to an end is killed as well. First comes the program that killed it in an
    earlier run, then the one that has killed most mutants of that file per second so far.
 4. Asks Yosys whether what survives differs at all (equivalence.py).
 5. Gives what does to the proofs of its module (--proofs).
 6. What still survives is equivalent if equivalent.toml explains it, else a survivor.
Exit code 0 only if all were asked and at most one mutant in a hundred survives. WORK/results.json
keeps what was found out: a run that was cut short goes on, and one with other RTL asks the same
questions again, but in a better order.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path

import equivalence
import sites

ROOT = Path(__file__).resolve().parents[2]
CORE_TESTS = ("core_doorbell", "core_timing", "core_golden_vectors", "core_room", "core_wait",
              "core_reset", "core_dynamic", "every_offset", "soak")


@dataclass(frozen=True)
class Part:
    """RTL with the test programs that look at it, by their ctest name."""
    files: str     # list of its files; one that an earlier part has is not asked again
    others: str    # of files that it instantiates beside
    tests: tuple


PARTS = (
    Part("rtl/nvmearb_core.f", "",
         ("leaf_ram_test", "grant_size_test", *(f"{name}_test" for name in CORE_TESTS))),
    Part("rtl/nvmearb_bus.f", "rtl/nvmearb_core.f",
         ("registers_test", "register_map_test", "reset_test", "pins_test", "doorbells_test",
          "fetch_test", "axi_fetch_test", "load_test", "clock_figures_test")),
    Part("rtl/nvmearb_core_full_rate.f", "",
         tuple(f"{name}_full_rate_test" for name in (*CORE_TESTS, "core_throughput"))),
)
SWITCH = "(nvmearb_mutant_pkg::active == {})"
# In front of each file that has mutants.
PACKAGE = """/* verilator lint_off WIDTH */
`ifndef NVMEARB_MUTANT_PKG
`define NVMEARB_MUTANT_PKG
package nvmearb_mutant_pkg;
  import "DPI-C" function int nvmearb_mutant();
  int active = nvmearb_mutant();
endpackage
`endif
"""
GETTER = """#include <cstdlib>
extern "C" int nvmearb_mutant() {
  const char* text = std::getenv("NVMEARB_MUTANT");
  return text == nullptr ? 0 : std::atoi(text);
}
"""
RUNTIME = b"verilated_threads.cpp"
SIZES = "2;3;7;16"          # of the core's unit tests
PROOF_SECONDS = 120


def listed(name: str) -> list[str]:
    return [line for line in (ROOT / name).read_text().split()
            if line.endswith(".sv")] if name else []


class Rtl:
    """The files that may have mutants, and their parts."""

    def __init__(self):
        self.part: dict[str, Part] = {}
        for part in PARTS:
            for name in listed(part.files):
                self.part.setdefault(name, part)
        self.files = {name: sites.File(ROOT / name, name) for name in self.part}
        self.ids = {}
        for file in self.files.values():
            alike: dict[str, int] = {}
            for site in file.sites:
                text = f"{site.file}\0{site.change}\0{file.source[site.start:site.end]}"
                alike[text] = alike.get(text, 0) + 1
                self.ids[site] = f"{text}\0{alike[text]}"

    def choose(self, count: int, seed: int, match: str) -> list:
        """Site N of the list is mutant N + 1."""
        def rank(site) -> str:
            return hashlib.sha256(f"{seed}\0{self.ids[site]}".encode()).hexdigest()
        return sorted((site for file in self.files.values() for site in file.sites
                       if re.search(match, site.file)), key=rank)[:count]

    def sources(self, name: str) -> list[Path]:
        part = self.part[name]
        return [ROOT / file for file in (*listed(part.others), *listed(part.files))
                if not file.endswith("nvmearb_top.sv")]

    def digest(self, name: str) -> str:
        """Of all that an answer about a mutant of this file depends on, but for the tests."""
        part = self.part[name]
        texts = [(ROOT / file).read_bytes() for file in (*listed(part.others), *listed(part.files))]
        return hashlib.sha256(b"\0".join(texts)).hexdigest()[:16]


def instrument(work: Path, rtl: Rtl, chosen: list):
    """The source tree WORK/src, with all mutants in its RTL. Unchanged files keep their time."""
    source = work / "src"
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, text=True, check=True,
                           stdout=subprocess.PIPE).stdout.split("\n")
    texts = {name: (ROOT / name).read_bytes() for name in filter(None, names)}
    numbers = {site: number for number, site in enumerate(chosen, 1)}
    for name, file in rtl.files.items():
        mine = {site: number for site, number in numbers.items() if site.file == name}
        if mine:
            texts[name] = (PACKAGE + file.text(mine, SWITCH)).encode()
    texts["mutant.cc"] = GETTER.encode()
    harness = texts["tb/harness/CMakeLists.txt"]
    assert RUNTIME in harness, "tb/harness/CMakeLists.txt: no sources of the Verilated runtime"
    texts["tb/harness/CMakeLists.txt"] = harness.replace(
        RUNTIME, RUNTIME + b" ${CMAKE_SOURCE_DIR}/mutant.cc", 1)
    for name, data in texts.items():
        path = source / name
        if not path.exists() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            if (ROOT / name).exists():
                shutil.copymode(ROOT / name, path)


def build(work: Path, tests, jobs: int):
    # As every build folder is: ccache knows what has no mutants.
    env = dict(os.environ, CCACHE_BASEDIR=str(work / "src"), CCACHE_NOHASHDIR="1")
    # Every model runs a thousand times: worth compiling well, and few of them.
    for command in (["cmake", "-S", "src", "-B", "src/build", "-G", "Ninja",
                     "-DNVMEARB_MODEL_OPT=-O1", f"-DNVMEARB_UNIT_SIZES={SIZES}"],
                    ["cmake", "--build", "src/build", "--parallel", str(jobs), "--target", *tests]):
        done = subprocess.run(command, cwd=work, env=env, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            sys.exit(f"mutate: {' '.join(command)} failed\n{done.stdout[-4000:]}")


def programs(work: Path, tests) -> dict[str, list[str]]:
    """{test: command} as ctest knows them."""
    listing = subprocess.run(["ctest", "--show-only=json-v1"], cwd=work / "src/build", text=True,
                             check=True, stdout=subprocess.PIPE).stdout
    commands = {test["name"]: test.get("command") for test in json.loads(listing)["tests"]}
    missing = [name for name in tests if not commands.get(name)]
    if missing:
        sys.exit(f"mutate: no test {', '.join(missing)}; there are {', '.join(sorted(commands))}")
    return {name: commands[name] for name in tests}


def passes(command, mutant: int, limit: float, work: Path) -> bool:
    env = dict(os.environ, NVMEARB_MUTANT=str(mutant), GTEST_FAIL_FAST="1", GTEST_BRIEF="1")
    try:
        return subprocess.run(command, cwd=work / "src/build", env=env, timeout=limit, check=False,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode == 0
    except subprocess.TimeoutExpired:
        return False


class Order:
    """In which order to ask the tests: by what they killed per second, file by file."""

    def __init__(self, seconds: dict[str, float]):
        self.seconds = seconds
        self.spent: dict[tuple[str, str], tuple[int, float]] = {}

    def of(self, file: str, tests, first: str) -> list[str]:
        def rate(name: str) -> float:
            kills, spent = self.spent.get((file, name), (0, 0.0))
            return (kills + 0.5) / (spent + self.seconds[name] + 0.01)
        return sorted(tests, key=lambda name: (name != first, -rate(name)))

    def learn(self, file: str, name: str, killed: bool, seconds: float):
        kills, spent = self.spent.get((file, name), (0, 0.0))
        self.spent[file, name] = (kills + killed, spent + seconds)


class Results:
    """What is known of each mutant: {"rtl": digest, "by": test or proof that killed it, "same":
    parameters at which Yosys proved it equal}. Both empty: it survived."""

    def __init__(self, path: Path, rtl: Rtl):
        self.path, self.rtl = path, rtl
        self.known = json.loads(path.read_text()) if path.exists() else {}
        self.digests = {name: rtl.digest(name) for name in rtl.files}
        self.lock = threading.Lock()

    def get(self, site) -> dict | None:
        found = self.known.get(self.rtl.ids[site])
        return found if found and found["rtl"] == self.digests[site.file] else None

    def hint(self, site) -> str:
        return self.known.get(self.rtl.ids[site], {}).get("by", "")

    def put(self, site, by: str = "", same: str = ""):
        with self.lock:
            self.known[self.rtl.ids[site]] = {"rtl": self.digests[site.file], "by": by,
                                              "same": same}
            draft = self.path.with_suffix(".new")
            draft.write_text(json.dumps(self.known, indent=0))
            draft.replace(self.path)


def prove(work: Path, file: sites.File, site, jobs: int) -> str:
    """Name of a proof that fails with this mutant alone, or nothing."""
    tree = work / "one"
    shutil.rmtree(tree, ignore_errors=True)
    for folder in ("rtl", "tb/formal", "tools/formal"):
        shutil.copytree(ROOT / folder, tree / folder)
    (tree / site.file).write_text(file.text({site: 1}, "1'b1"))
    report = tree / "report.json"
    module = Path(site.file).stem
    subprocess.run([sys.executable, str(tree / "tools/formal/formal.py"), "--work",
                    str(tree / "runs"), "--json", str(report), "--module", module, "--no-lint",
                    "--jobs", str(jobs), "--timeout", str(PROOF_SECONDS),
                    "--match", "_(contract|bounded)_"],
                   cwd=tree, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if not report.exists():
        return ""
    bad = [row["name"] for row in json.loads(report.read_text()) if row["result"] == "FAIL"]
    return bad[0] if bad else ""


def explained(site, source: str, excuses) -> str:
    """The reason of the excuse for this place; `line` tells places with equal text apart."""
    text = " ".join(source[site.start:site.end].split())
    line = source.splitlines()[site.line - 1].strip()
    return next((excuse["reason"] for excuse in excuses
                 if excuse["file"] == site.file and excuse["change"] == site.change
                 and excuse["text"] == text and excuse.get("line", line) == line), "")


class Run:
    def __init__(self, args, rtl: Rtl, chosen: list):
        self.args, self.rtl, self.chosen = args, rtl, chosen
        self.work = args.work.resolve()
        self.results = Results(self.work / "results.json", rtl)
        self.begin = time.monotonic()
        self.tests = {name: args.tests or rtl.part[name].tests for name in rtl.files}
        self.wanted = list(dict.fromkeys(
            test for name in dict.fromkeys(site.file for site in chosen)
            for test in self.tests[name]))

    def time_is_up(self) -> bool:
        return time.monotonic() - self.begin > self.args.seconds

    def todo(self) -> list:
        """What has no answer yet; with --again, those that survived so far, too."""
        again = self.survivors() if self.args.again else []
        return [(number, site) for number, site in enumerate(self.chosen, 1)
                if self.results.get(site) is None or site in again]

    def ask_tests(self):
        """Those that no test kills are survivors, for now."""
        todo = self.todo()
        if not todo:
            return
        instrument(self.work, self.rtl, self.chosen)
        build(self.work, self.wanted, self.args.jobs)
        commands = programs(self.work, self.wanted)
        seconds = {}
        for name, command in commands.items():
            start = time.monotonic()
            if not passes(command, 0, 600, self.work):
                sys.exit(f"mutate: {name} fails without a mutant")
            seconds[name] = time.monotonic() - start
        order = Order(seconds)
        times = ", ".join(f"{name} {seconds[name]:.1f} s"
                          for name in sorted(seconds, key=seconds.get))
        print(f"{len(self.chosen)} mutants, {len(todo)} to ask; tests: {times}", flush=True)

        def ask(number: int, site):
            for name in order.of(site.file, self.tests[site.file], self.results.hint(site)):
                if self.time_is_up():
                    return
                start = time.monotonic()
                killed = not passes(commands[name], number, 10 + 5 * seconds[name], self.work)
                order.learn(site.file, name, killed, time.monotonic() - start)
                if killed:
                    self.results.put(site, by=name)
                    return
            self.results.put(site)

        with concurrent.futures.ThreadPoolExecutor(self.args.jobs) as pool:
            for future in [pool.submit(ask, number, site) for number, site in todo]:
                future.result()

    def survivors(self) -> list:
        found = [(site, self.results.get(site)) for site in self.chosen]
        return [site for site, row in found if row and not row["by"] and not row["same"]]

    def ask_yosys(self):
        names = sorted({site.file for site in self.survivors()})

        def ask(name: str):
            mine = [site for site in self.survivors() if site.file == name]
            for site, same in equivalence.same(
                    sys.executable, self.work / "equivalence" / name.replace("/", "-"),
                    self.rtl.files[name], self.rtl.sources(name), mine).items():
                self.results.put(site, same=f"equal at {same}")

        with concurrent.futures.ThreadPoolExecutor(self.args.jobs) as pool:
            for future in [pool.submit(ask, name) for name in names]:
                future.result()

    def ask_proofs(self, excuses):
        for site in self.survivors():
            file = self.rtl.files[site.file]
            if explained(site, file.source, excuses) or self.time_is_up():
                continue
            by = prove(self.work, file, site, self.args.jobs)
            if by:
                self.results.put(site, by=f"proof {by}")

    def report(self, excuses) -> dict:
        killed_by: dict[str, int] = {}
        equal, survivors, open_count = [], [], 0
        for number, site in enumerate(self.chosen, 1):
            row = self.results.get(site)
            source = self.rtl.files[site.file].source
            where = {"number": number, **site.describe(source)}
            if row is None:
                open_count += 1
            elif row["by"]:
                killed_by[row["by"]] = killed_by.get(row["by"], 0) + 1
            elif reason := row["same"] or explained(site, source, excuses):
                equal.append({**where, "reason": reason})
            else:
                survivors.append(where)
        killed = sum(killed_by.values())
        return {"mutants": len(self.chosen) - open_count, "killed": killed,
                "equivalent": len(equal), "undecided": open_count, "seed": self.args.seed,
                "killed_by": dict(sorted(killed_by.items(), key=lambda item: -item[1])),
                "survivors": survivors, "equivalents": equal}


PAGE = """# Mutants of the RTL

Written by `make mutate`; how it works: [decision
0112](decisions/0112-mutants-are-asked-by-kills-per-second.md). A mutant is one wrong place: an
operator, a constant, a condition that always or never holds, an assignment that is missing.
Killed: a test or a proof failed. Equal: Yosys proved that it does the same, or
`tools/mutate/equivalent.toml` says why. A survivor is neither; some of them do the same where they
stand.

{mutants} of {chosen} asked (seed {seed}), {killed} killed, {equivalent} equal, {surviving} survive:
{percent:.1f} % of those that may differ are killed.

| file | asked | equal | survive |
|---|---|---|---|
{rows}

## Survivors

```
{survivors}
```
"""


def page(report: dict, chosen: list) -> str:
    """docs/mutation.md: per file how many, and each survivor."""
    left = sorted(report["survivors"], key=lambda row: (row["file"], row["line"], row["column"]))

    def row(name: str) -> str:
        counts = (sum(site.file == name for site in chosen),
                  sum(row["file"] == name for row in report["equivalents"]),
                  sum(row["file"] == name for row in left))
        return "| `{}` | {} | {} | {} |".format(name, *counts)

    return PAGE.format(
        **{key: report[key] for key in ("mutants", "seed", "killed", "equivalent")},
        chosen=len(chosen), surviving=len(left), percent=share_killed(report),
        rows="\n".join(row(name) for name in sorted({site.file for site in chosen})),
        survivors="\n".join(f"{row['file']}:{row['line']}:{row['column']} {row['change']}: "
                            f"{row['text'][:80]}" for row in left))


def share_killed(report: dict) -> float:
    """Percent of the mutants that are not known to be equal."""
    return 100.0 * report["killed"] / max(report["mutants"] - report["equivalent"], 1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--docs", type=Path, help="page to write")
    parser.add_argument("--count", type=int, default=1200, help="mutants")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", default="", help="only in files that match this expression")
    parser.add_argument("--tests", nargs="+", help="only these test programs")
    parser.add_argument("--again", action="store_true",
                        help="ask survivors again, when there are new tests or proofs")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=1e9, help="stop asking after so long")
    parser.add_argument("--proofs", action="store_true", help="give survivors to the proofs")
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)

    rtl = Rtl()
    chosen = rtl.choose(args.count, args.seed, args.files)
    if not chosen:
        sys.exit(f"mutate: no file matches {args.files}; there are {', '.join(rtl.files)}")
    excuses = tomllib.loads((Path(__file__).parent / "equivalent.toml").read_text())
    excuses = excuses.get("mutant", [])
    run = Run(args, rtl, chosen)
    run.ask_tests()
    run.ask_yosys()
    if args.proofs:
        run.ask_proofs(excuses)
    report = run.report(excuses)
    if args.json:
        args.json.parent.mkdir(parents=True, exist_ok=True)
        args.json.write_text(json.dumps(report, indent=1) + "\n")
    if args.docs:
        args.docs.write_text(page(report, chosen))
    for row in report["survivors"]:
        print(f"survives: {row['file']}:{row['line']}:{row['column']}: {row['change']}: "
              f"{row['text']}")
    print(f"{report['mutants']} mutants, {report['killed']} killed, {report['equivalent']} "
          f"equivalent, {len(report['survivors'])} survive, {report['undecided']} not asked: "
          f"{share_killed(report):.1f} %")
    return 0 if report["undecided"] == 0 and share_killed(report) >= 99.0 else 1


if __name__ == "__main__":
    sys.exit(main())
