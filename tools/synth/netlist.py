#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the netlists of nvmearb_core after synthesis for simulation in place of its RTL.

FOLDER/ENGINE_N.f is a file list like rtl/nvmearb_core.f: the package, the netlist of N SQs for the
HX8K (the one that `make synth` measures), Yosys' models of the cells, and a module nvmearb_core
that takes the netlist. ENGINE: core, full_rate. tb/netlist runs the unit tests of the core on it.
"""
import argparse
import json
import sys
from pathlib import Path

import synth
import toolchain
from flow import Flow, Point

MODULE = "nvmearb_core"
# What `make synth` calls them.
ENGINES = {"core": MODULE, "full_rate": synth.FULL_RATE}
# Generated text: names, widths and order are the generator's.
LINT_OFF = "// verilator lint_off WIDTH\n// verilator lint_off UNOPTFLAT\n" \
           "// verilator lint_off PINMISSING\n// verilator lint_off INITIALDLY\n"


def shim(ports: dict, size: int, netlist: str) -> str:
    """nvmearb_core over the netlist of its size."""
    declared = ",\n".join(
        f"  {port['direction']} {'wire ' if port['direction'] == 'input' else ''}logic "
        f"[{len(port['bits']) - 1}:0] {name}" for name, port in ports.items())
    return (f"module {MODULE} #(parameter int NumSqs = 16, parameter int PtrW = 16,\n"
            f"  parameter int SlotW = 10) (\n{declared});\n"
            f"  if (NumSqs != {size} || PtrW != 16 || SlotW != 10) begin : gen_bad\n"
            f"    nvmearb_error_no_netlist_with_these_parameters u_error ();\n"
            f"  end else begin : gen_netlist\n    {netlist} u_netlist (.*);\n  end\nendmodule\n")


def write_netlist(flow: Flow, engine: str, size: int, folder: Path):
    """Writes netlist, shim and list of one engine and size."""
    top = ENGINES[engine]
    point = Point(top=top, module=MODULE, n=size, device="hx8k",
                  files=synth.source_files(MODULE, top),
                  params=synth.parameters(MODULE, size, "hx8k", {}, top), seeds=[])
    mapped = flow.map_module(point)
    name = f"{MODULE}_{engine}_{size}"
    toolchain.run("yosys", ["-q", "-p", f"read_rtlil /out/netlist.il; rename {MODULE} {name}; "
                            f"opt_clean -purge; rename -hide; "
                            f"write_verilog -noattr -sv /out/{name}.sv"], flow.root, mapped)
    (folder / f"{name}.sv").write_text(LINT_OFF + (mapped / f"{name}.sv").read_text())
    ports = json.loads((mapped / "netlist.json").read_text())["modules"][MODULE]["ports"]
    own = folder / f"{engine}_{size}"
    own.mkdir(exist_ok=True)
    (own / f"{MODULE}.sv").write_text(shim(ports, size, name))
    files = ["rtl/nvmearb_pkg.sv", folder / "cells.sv", folder / f"{name}.sv",
             own / f"{MODULE}.sv"]
    (folder / f"{engine}_{size}.f").write_text("".join(f"{file}\n" for file in files))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cache", type=Path, default=synth.ROOT / "build/synth")
    parser.add_argument("--engine", choices=ENGINES, action="append", help="default: both")
    parser.add_argument("--n", type=int, action="append", help="number of SQs; default: 16, 64")
    args = parser.parse_args()
    folder = args.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.f"):
        old.unlink()
    # Without delays no time scale is needed, and the RTL has none.
    cells = toolchain.share("ice40/cells_sim.v").read_text().replace("`timescale 1ps / 1ps", "")
    (folder / "cells.sv").write_text(LINT_OFF + "`define NO_ICE40_DEFAULT_ASSIGNMENTS\n" + cells)
    flow = Flow(synth.ROOT, args.cache.resolve())
    for engine in args.engine or ENGINES:
        for size in args.n or (16, 64):
            write_netlist(flow, engine, size, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
