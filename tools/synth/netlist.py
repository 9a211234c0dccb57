#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the netlists of nvmearb_core after synthesis for simulation in place of its RTL.

FOLDER/core.f is a file list like rtl/nvmearb_core.f: the package, the netlist of each size for the
HX8K (the one that `make synth` measures), Yosys' models of the cells, and a module nvmearb_core
that takes the netlist of its NumSqs. tb/netlist runs the unit tests of the core on it.
"""
import argparse
import json
import sys
from pathlib import Path

import synth
import toolchain
from flow import Flow, Point

SIZES = (16, 64)  # those of tb/netlist
MODULE = "nvmearb_core"
# Generated text: names, widths and order are the generator's.
LINT_OFF = "// verilator lint_off WIDTH\n// verilator lint_off UNOPTFLAT\n" \
           "// verilator lint_off PINMISSING\n// verilator lint_off INITIALDLY\n"


def shim(ports: dict) -> str:
    """nvmearb_core over the netlist of its size."""
    declared = ",\n".join(
        f"  {port['direction']} {'wire ' if port['direction'] == 'input' else ''}logic "
        f"[{len(port['bits']) - 1}:0] {name}" for name, port in ports.items())
    sizes = " else ".join(f"if (NumSqs == {size}) begin : gen_{size}\n"
                          f"    {MODULE}_{size} u_netlist (.*);\n  end" for size in SIZES)
    return (f"module {MODULE} #(parameter int NumSqs = 16, parameter int PtrW = 16,\n"
            f"  parameter int SlotW = 10) (\n{declared});\n"
            f"  if (PtrW != 16 || SlotW != 10) begin : gen_bad\n"
            f"    nvmearb_error_no_netlist_with_these_parameters u_error ();\n  end else {sizes}"
            f" else begin : gen_bad_size\n"
            f"    nvmearb_error_no_netlist_of_this_size u_error ();\n  end\nendmodule\n")


def write_netlist(flow: Flow, size: int, folder: Path) -> dict:
    """Writes the netlist of one size; returns its ports."""
    point = Point(top=MODULE, module=MODULE, n=size, device="hx8k",
                  files=synth.source_files(MODULE),
                  params=synth.parameters(MODULE, size, "hx8k", {}), seeds=[])
    mapped = flow.map_module(point)
    name = f"{MODULE}_{size}"
    toolchain.run("yosys", ["-q", "-p", f"read_rtlil /out/netlist.il; rename {MODULE} {name}; "
                            f"opt_clean -purge; rename -hide; "
                            f"write_verilog -noattr -sv /out/{name}.sv"], flow.root, mapped)
    (folder / f"{name}.sv").write_text(LINT_OFF + (mapped / f"{name}.sv").read_text())
    return json.loads((mapped / "netlist.json").read_text())["modules"][MODULE]["ports"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cache", type=Path, default=synth.ROOT / "build/synth")
    args = parser.parse_args()
    folder = args.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    flow = Flow(synth.ROOT, args.cache.resolve())
    for size in SIZES:
        ports = write_netlist(flow, size, folder)
    # Without delays no time scale is needed, and the RTL has none.
    cells = toolchain.share("ice40/cells_sim.v").read_text().replace("`timescale 1ps / 1ps", "")
    (folder / "cells.sv").write_text(LINT_OFF + "`define NO_ICE40_DEFAULT_ASSIGNMENTS\n" + cells)
    (folder / f"{MODULE}.sv").write_text(shim(ports))
    names = [f"{MODULE}_{size}.sv" for size in SIZES]
    lists = ["rtl/nvmearb_pkg.sv", *(str(folder / name) for name in ("cells.sv", *names)),
             str(folder / f"{MODULE}.sv")]
    (folder / "core.f").write_text("\n".join(lists) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
