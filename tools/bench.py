#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the simulator's speed and writes it as JSON.

For the WRR variant of wrr_v3_randread, on both engines, with the judge on, in the profile-guided
build of `make fast` ("engines") and in the plain one ("plain_engines"):
  io_per_wall_second   completed I/O / wall time of the whole program, the best of several runs
                       (the machine's other work can only make it slower)
  instructions_per_io  what one more I/O costs, from two runs of different length under valgrind's
                       callgrind: the same on every run of the same binary
  peak_memory_bytes    largest resident set of those timed runs
Under "schedulers" the plain build's speed with bfq, kyber, mq-deadline and iocost on the model
engine, in I/O per wall second, the best of several runs, and the median of the set (goal: 200,000);
and, under "clocks", the figures of the RTL in clocks (tb/block/clock_figures.h), which are exact.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

SCENARIO = "wrr_v3_randread"
VARIANT = "wrr"
ENGINES = ("rtl", "model")
SHORT, LONG = "4ms", "12ms"
# Scenario, variant, simulated time: each about half a million I/Os.
SCHEDULERS = {
    "bfq": ("s001_randread_vs_randread", "bfq", "2s"),
    "kyber": ("s004_kyber_seq", "kcq", "2s"),
    "mq-deadline": ("s001_qd1_reader", "mq_deadline", "3s"),
    "iocost": ("s001_randread_vs_randread", "iocost", "700ms"),
}
SCHEDULER_GOAL = 200_000


def command(program, engine, runtime, result, scenario=SCENARIO, variant=VARIANT):
    return [program, "run", scenario, "--variant", variant, "--engine", engine, "--runtime",
            runtime, "--no-progress", "--json", result]


def completed(result):
    """I/O that the drive completed, the ramp's included."""
    with open(result, encoding="utf-8") as file:
        device = json.load(file)["variants"][0]["device"]
    return device["reads"] + device["writes"] + device["merges"]


def run(arguments):
    """Wall seconds and peak resident bytes of one run."""
    begin = time.monotonic()
    child = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    wall = time.monotonic() - begin
    if child.returncode not in (0, 1):  # 1: too short for the published values
        sys.exit(f"bench: exit code {child.returncode} of: {' '.join(arguments)}")
    return wall, usage.ru_maxrss * 1024


def instructions(arguments, folder):
    """Instructions of one run under callgrind."""
    out = os.path.join(folder, "callgrind.out")
    valgrind = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *arguments],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    found = re.search(r"Collected\s*:\s*(\d+)", valgrind.stderr)
    if valgrind.returncode not in (0, 1) or not found:
        sys.exit(f"bench: valgrind failed:\n{valgrind.stderr}")
    return int(found.group(1))


def measure(program, engine, runtime, repeats, folder):
    result = os.path.join(folder, "result.json")
    speeds = []
    peak = 0
    for _ in range(repeats):
        wall, memory = run(command(program, engine, runtime, result))
        speeds.append(completed(result) / wall)
        peak = max(peak, memory)
    cost = []
    for length in (SHORT, LONG):
        count = instructions(command(program, engine, length, result), folder)
        cost.append((count, completed(result)))
    (few, few_io), (many, many_io) = cost
    return {
        "io_per_wall_second": round(max(speeds)),
        "io_per_wall_second_runs": [round(speed) for speed in speeds],
        "instructions_per_io": round((many - few) / (many_io - few_io), 1),
        "peak_memory_bytes": peak,
    }


def schedulers(program, repeats, folder):
    """Speed with each scheduler, and the median; prints them."""
    result = os.path.join(folder, "result.json")
    speeds = {}
    for name, (scenario, variant, runtime) in SCHEDULERS.items():
        best = 0
        for _ in range(repeats):
            wall, _ = run(command(program, "model", runtime, result, scenario, variant))
            best = max(best, completed(result) / wall)
        speeds[name] = round(best)
    median = round(statistics.median(speeds.values()))
    print("schedulers, I/O per wall second: "
          + ", ".join(f"{name} {speed:,}" for name, speed in speeds.items())
          + f"; median {median:,}, goal {SCHEDULER_GOAL:,}", flush=True)
    return {"io_per_wall_second": speeds, "median": median, "goal": SCHEDULER_GOAL}


def clocks(program):
    """Figures in clocks; prints them."""
    child = subprocess.run([program], stdout=subprocess.PIPE, text=True, check=True)
    figures = json.loads(child.stdout)
    path = figures["idle_doorbell_to"]
    print("clocks from a doorbell write on an idle engine: "
          + ", ".join(f"{name} {count}" for name, count in path.items()))
    print("SQEs per clock by data width: " + ", ".join(
        f"{width}: {rate}" for width, rate in figures["fetch_sqes_per_clock"].items()))
    for mix, rate in figures["top_commands_per_clock"].items():
        print(f"commands per clock, {mix}: {rate}")
    print(f"doorbells per clock {figures['doorbells_per_clock']}, "
          f"completions per clock {figures['completions_per_clock']}", flush=True)
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nvmearb", default="build/bin/nvmearb")
    parser.add_argument("--fast", default="build/fast/bin/nvmearb", help="profile-guided build")
    parser.add_argument("--clock-figures", default="build/bin/clock_figures")
    parser.add_argument("--output", default="build/reports/bench.json")
    parser.add_argument("--runtime", default="1s", help="simulated time of a timed run")
    parser.add_argument("--repeats", type=int, default=3)
    args = parser.parse_args()
    report = {"scenario": SCENARIO, "variant": VARIANT, "runtime": args.runtime,
              "clocks": clocks(args.clock_figures), "engines": {}, "plain_engines": {}}
    with tempfile.TemporaryDirectory() as folder:
        for build, key, program in (("fast", "engines", args.fast),
                                    ("plain", "plain_engines", args.nvmearb)):
            for engine in ENGINES:
                values = measure(program, engine, args.runtime, args.repeats, folder)
                report[key][engine] = values
                print(f"{build:5} {engine:5}  {values['io_per_wall_second']:>9,} "
                      f"I/O per wall second  {values['instructions_per_io']:>8,.0f} "
                      "instructions per I/O  "
                      f"{values['peak_memory_bytes'] / 2**20:6.1f} MiB peak", flush=True)
        report["schedulers"] = schedulers(args.nvmearb, args.repeats, folder)
    os.makedirs(os.path.dirname(args.output) or ".", exist_ok=True)
    with open(args.output, "w", encoding="utf-8") as file:
        json.dump(report, file, indent=2)
        file.write("\n")
    print(f"written: {args.output}")


if __name__ == "__main__":
    main()
