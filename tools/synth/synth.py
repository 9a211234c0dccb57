#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Area and clock frequency of the RTL on two FPGAs: docs/synthesis.md says how it is measured.

  synth.py                                    the whole matrix
  synth.py --top nvmearb_core --n 64 --device hx8k --seeds 1 --path
                                              one point, with its critical path
  synth.py --top nvmearb_rings --n 256        any module of the RTL
  synth.py --top full_rate --n 64             the engine of one command per clock
Exit code 1 when a point failed; a point that does not fit its device is a result, not a failure.
"""
import argparse
import json
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import report
import toolchain
from flow import DEVICES, Flow, Point

ROOT = Path(__file__).resolve().parents[2]
# Name in the report -> module. `select` is what chooses the next queue, without the tables of
# queue pointers and without doorbells.
# `full_rate` is the nvmearb_core of its own file list.
FULL_RATE = "full_rate"
TOPS = {"select": "nvmearb_grant_unit", "nvmearb_core": "nvmearb_core",
        FULL_RATE: "nvmearb_core", "nvmearb_top": "nvmearb_top"}
SIZES = (16, 64, 256, 1024)
FILE_LISTS = ("rtl/nvmearb_core.f", "rtl/nvmearb_bus.f")
FULL_RATE_LISTS = ("rtl/nvmearb_core_full_rate.f",)


def pointer_width(device: str, n: int) -> int:
    """Sixteen bits; at 1024 queues they do not fit the 32 block RAMs of an HX8K."""
    return 12 if device == "hx8k" and n >= 1024 else 16


def source_files(module: str, top: str = "") -> list[str]:
    """The lists up to the one that has the module: the engine does not depend on the bus side."""
    for lists in (FULL_RATE_LISTS,) if top == FULL_RATE else (FILE_LISTS, FULL_RATE_LISTS):
        files = []
        for name in lists:
            files += [line for line in (ROOT / name).read_text().splitlines()
                      if line.startswith("rtl/")]
            if any(Path(file).stem == module for file in files):
                return files
    sys.exit(f"synth: --top {module}: no such module; allowed: {', '.join(TOPS)} "
             "and any module of rtl/")


def parameters(module: str, n: int, device: str, extra: dict, top: str = "") -> dict:
    """The parameters that a module has, of those that follow from the number of queues."""
    path = next(ROOT / name for name in source_files(module, top)
                if Path(name).stem == module)
    declared = set(re.findall(r"^\s*parameter \w+(?: unsigned)? (\w+)", path.read_text(), re.M))
    known = {"NumSqs": n, "PtrW": pointer_width(device, n), "QidW": (n - 1).bit_length()}
    return {name: value for name, value in known.items() if name in declared} | extra


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--top", action="append", help=f"{', '.join(TOPS)} (default: all of "
                        "them) or a module of rtl/; may be repeated")
    parser.add_argument("--n", type=int, action="append", help="number of queues, may be repeated; "
                        f"default: {', '.join(map(str, SIZES))}")
    parser.add_argument("--device", choices=DEVICES, action="append", help="default: both")
    parser.add_argument("--seeds", type=int, default=3, help="placements per point, from seed 1 on")
    parser.add_argument("--param", action="append", default=[], metavar="NAME=VALUE",
                        help="sets a parameter of the module")
    parser.add_argument("--path", action="store_true", help="print critical paths")
    parser.add_argument("--jobs", type=int, default=2, help="points at a time")
    parser.add_argument("--cache", type=Path, default=ROOT / "build/synth")
    parser.add_argument("--json", type=Path, help="writes the report here")
    parser.add_argument("--docs", type=Path, help="rewrites the table in this Markdown file, "
                        "when the whole matrix ran")
    return parser.parse_args()


def main() -> int:
    args = arguments()
    extra = dict(text.split("=", 1) for text in args.param)
    points = []
    for top in args.top or TOPS:
        module = TOPS.get(top, top)
        files = source_files(module, top)
        points += [Point(top=top, module=module, n=n, device=device, files=files,
                         params=parameters(module, n, device, extra, top),
                         seeds=list(range(1, args.seeds + 1)))
                   for n in args.n or SIZES for device in args.device or DEVICES]
    flow = Flow(ROOT, args.cache.resolve())
    start = time.monotonic()

    def run(point: Point) -> dict:
        try:
            row = flow.run(point)
        except toolchain.ToolError as error:
            row = {"top": point.top, "n": point.n, "device": point.device, "lut": None, "ff": None,
                   "bram": None, "mhz": None, "reason": f"failed: {error}"}
        print(report.line(row), flush=True)
        if args.path and "critical_path" in row:
            print(report.path(row), flush=True)
        return row

    with ThreadPoolExecutor(args.jobs) as pool:
        rows = list(pool.map(run, points))
    failed = [row for row in rows if row.get("reason", "").startswith("failed")]
    print(f"synth: {len(rows)} points in {time.monotonic() - start:.0f} s, {len(failed)} failed")
    if args.json:
        args.json.parent.mkdir(parents=True, exist_ok=True)
        args.json.write_text(json.dumps(rows, indent=1) + "\n")
    partial = args.top or args.n or args.device or args.param or args.seeds < 3
    if args.docs and not failed and not partial:
        report.rewrite(args.docs, rows)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
