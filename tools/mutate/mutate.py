#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make mutate: are the tests and proofs able to fail?

 1. Chooses places in rtl/ (sites.py; the same ones for the same sources and seed).
 2. Builds the test programs once, in a copy of the sources whose RTL holds all mutants; the
    environment variable NVMEARB_MUTANT says which is active, 0 none.
 3. Runs the programs per mutant until one fails: the mutant is killed. One that does not come to
    an end is killed as well. First comes the program that has killed most mutants of that file
    per second so far.
 4. Gives what survives to the proofs of its module (--proofs).
 5. What still survives is equivalent if equivalent.toml explains it, else a survivor.
Exit code 0 only if at most one mutant in a hundred survives. What was found out is kept in
WORK/results.json, so that a run that was cut short goes on.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import sites

ROOT = Path(__file__).resolve().parents[2]
# Test programs that run the RTL, by their ctest name.
TESTS = ("leaf_ram_test", "grant_size_test", "core_doorbell_test", "core_timing_test",
         "core_golden_vectors_test", "core_dynamic_test", "core_mirror_test", "core_wait_test",
         "every_offset_test", "soak_test", "registers_test", "register_map_test", "reset_test",
         "pins_test", "outputs_test", "doorbells_test", "fetch_test", "axi_fetch_test")
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


def rtl_files() -> list[str]:
    lists = ("rtl/nvmearb_core.f", "rtl/nvmearb_bus.f")
    return [line for file in lists for line in (ROOT / file).read_text().split()
            if line.endswith(".sv")]


def choose(count: int, seed: int, match: str) -> tuple[dict, list]:
    """{file: sites.File} and the chosen sites; site N of the list is mutant N + 1."""
    files = {name: sites.File(ROOT / name, name) for name in rtl_files()}
    every = [site for file in files.values() for site in file.sites
             if re.search(match, site.file)]
    return files, random.Random(seed).sample(every, min(count, len(every)))


def instrument(work: Path, files: dict, chosen: list):
    """The source tree WORK/src, with all mutants in its RTL. Unchanged files keep their time."""
    source = work / "src"
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, text=True, check=True,
                            stdout=subprocess.PIPE).stdout.split("\n")
    texts = {}
    for name in filter(None, listed):
        texts[name] = (ROOT / name).read_bytes()
    numbers = {site: number for number, site in enumerate(chosen, 1)}
    for name, file in files.items():
        mine = {site: number for site, number in numbers.items() if site.file == name}
        if mine:
            texts[name] = (PACKAGE + file.text(mine, SWITCH)).encode()
    texts["mutant.cc"] = GETTER.encode()
    runtime = b"verilated_threads.cpp"
    harness = texts["tb/harness/CMakeLists.txt"]
    assert runtime in harness, "tb/harness/CMakeLists.txt: no sources of the Verilated runtime"
    texts["tb/harness/CMakeLists.txt"] = harness.replace(
        runtime, runtime + b" ${CMAKE_SOURCE_DIR}/mutant.cc", 1)
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
                     "-DNVMEARB_MODEL_OPT=-O1", "-DNVMEARB_UNIT_SIZES=2;3;7;16"],
                    ["cmake", "--build", "src/build", "--parallel", str(jobs), "--target", *tests]):
        done = subprocess.run(command, cwd=work, env=env, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            sys.exit(f"mutate: {' '.join(command)} failed\n{done.stdout[-4000:]}")


def programs(work: Path, tests) -> dict[str, list[str]]:
    """{test: command} as ctest knows them."""
    listed = subprocess.run(["ctest", "--show-only=json-v1"], cwd=work / "src/build", text=True,
                            check=True, stdout=subprocess.PIPE).stdout
    commands = {test["name"]: test.get("command") for test in json.loads(listed)["tests"]}
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

    def of(self, file: str) -> list[str]:
        def rate(name: str) -> float:
            kills, spent = self.spent.get((file, name), (0, 0.0))
            return (kills + 0.5) / (spent + self.seconds[name] + 0.01)
        return sorted(self.seconds, key=rate, reverse=True)

    def learn(self, file: str, name: str, killed: bool, seconds: float):
        kills, spent = self.spent.get((file, name), (0, 0.0))
        self.spent[file, name] = (kills + killed, spent + seconds)


def prove(work: Path, file: sites.File, site, python: str) -> str:
    """Name of a proof that fails with this mutant alone, or nothing."""
    tree = work / "one"
    shutil.rmtree(tree, ignore_errors=True)
    for folder in ("rtl", "tb/formal", "tools/formal"):
        shutil.copytree(ROOT / folder, tree / folder)
    (tree / site.file).write_text(file.text({site: 1}, "1'b1"))
    report = tree / "report.json"
    module = Path(site.file).stem
    subprocess.run([python, str(tree / "tools/formal/formal.py"), "--work", str(tree / "runs"),
                    "--json", str(report), "--module", module, "--no-lint", "--jobs", "2",
                    "--match", "_(contract|bounded)_"],
                   cwd=tree, check=False, stdout=subprocess.DEVNULL)
    if not report.exists():
        return ""
    bad = [row["name"] for row in json.loads(report.read_text()) if row["result"] == "FAIL"]
    return bad[0] if bad else ""


def key(file: sites.File, site) -> str:
    text = f"{file.source}\0{site.start}\0{site.end}\0{site.change}"
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def explained(site, source: str, excuses) -> str:
    """The reason of the excuse for this place; `line` tells places with equal text apart."""
    text = " ".join(source[site.start:site.end].split())
    line = source.splitlines()[site.line - 1].strip()
    return next((excuse["reason"] for excuse in excuses
                 if excuse["file"] == site.file and excuse["change"] == site.change
                 and excuse["text"] == text and excuse.get("line", line) == line), "")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--count", type=int, default=1200, help="mutants")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", default="", help="only in files that match this expression")
    parser.add_argument("--tests", nargs="+", default=TESTS, help="test programs")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=1e9, help="stop asking after so long")
    parser.add_argument("--proofs", action="store_true", help="give survivors to the proofs")
    args = parser.parse_args()
    work = args.work.resolve()
    work.mkdir(parents=True, exist_ok=True)

    files, chosen = choose(args.count, args.seed, args.files)
    instrument(work, files, chosen)
    build(work, args.tests, args.jobs)
    commands = programs(work, args.tests)
    seconds = {}
    for name, command in commands.items():
        start = time.monotonic()
        if not passes(command, 0, 600, work):
            sys.exit(f"mutate: {name} fails without a mutant")
        seconds[name] = time.monotonic() - start
    order = Order(seconds)
    print(f"{len(chosen)} mutants, seed {args.seed}; tests: " +
          ", ".join(f"{name} {seconds[name]:.1f} s" for name in sorted(seconds, key=seconds.get)),
          flush=True)

    store = work / "results.json"
    results = json.loads(store.read_text()) if store.exists() else {}
    begin = time.monotonic()

    def ask(number: int, site):
        """Killed by which test; '' by none; None where time is up."""
        for name in order.of(site.file):
            if time.monotonic() - begin > args.seconds:
                return None
            start = time.monotonic()
            killed = not passes(commands[name], number, 10 + 10 * seconds[name], work)
            order.learn(site.file, name, killed, time.monotonic() - start)
            if killed:
                return name
        return ""

    todo = [(number, site) for number, site in enumerate(chosen, 1)
            if results.get(key(files[site.file], site)) is None]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        asked = {pool.submit(ask, number, site): site for number, site in todo}
        for count, future in enumerate(concurrent.futures.as_completed(asked), 1):
            site = asked[future]
            if future.result() is not None:
                results[key(files[site.file], site)] = future.result()
            if count % 20 == 0 or count == len(asked):
                store.write_text(json.dumps(results, indent=0))

    explanations = tomllib.loads((Path(__file__).parent / "equivalent.toml").read_text())
    excuses = explanations.get("mutant", [])
    killed = equivalent = 0
    survivors, open_sites, by = [], 0, {}
    for number, site in enumerate(chosen, 1):
        file = files[site.file]
        killer = results.get(key(file, site))
        reason = explained(site, file.source, excuses)
        if killer is None:
            open_sites += 1
            continue
        if killer == "" and not reason and args.proofs:
            killer = prove(work, file, site, sys.executable)
            results[key(file, site)] = killer
            store.write_text(json.dumps(results, indent=0))
        if killer:
            killed += 1
            by[killer] = by.get(killer, 0) + 1
        elif reason:
            equivalent += 1
        else:
            survivors.append({"number": number, **site.describe(file.source)})
    decided = len(chosen) - open_sites
    report = {"mutants": decided, "killed": killed, "equivalent": equivalent, "seed": args.seed,
              "undecided": open_sites, "killed_by": by, "survivors": survivors}
    if args.json:
        args.json.parent.mkdir(parents=True, exist_ok=True)
        args.json.write_text(json.dumps(report, indent=1) + "\n")
    for row in survivors:
        print(f"survives: {row['file']}:{row['line']}:{row['column']}: {row['change']}: "
              f"{row['text']}")
    real = decided - equivalent
    print(f"{decided} mutants, {killed} killed, {equivalent} equivalent, {len(survivors)} survive, "
          f"{open_sites} not asked: {100.0 * killed / max(real, 1):.1f} %")
    return 0 if open_sites == 0 and killed >= 0.99 * real else 1


if __name__ == "__main__":
    sys.exit(main())
