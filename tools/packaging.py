#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the descriptions of the RTL for other tools from its file lists.

Source: rtl/nvmearb_core.f, rtl/nvmearb_core_full_rate.f (the two engines), rtl/nvmearb_bus.f, and
the version in CMakeLists.txt.
Written: rtl/nvmearb.f (everything with the compact engine in one list), nvmearb.core (FuseSoC),
Bender.yml (Bender).
With --check nothing is written; exit code 1 when a file is not what would be written.
"""
import argparse
import re
import sys
from pathlib import Path

NOTE = "Written by tools/packaging.py from the other file lists of rtl/; do not edit."


def sources(root: Path, name: str) -> list[str]:
    """The files of a list, relative to the root."""
    lines = (root / name).read_text().splitlines()
    return [line for line in lines if line.strip() and not line.startswith("//")]


def file_list(core: list[str], bus: list[str]) -> str:
    return "\n".join(["// SPDX-License-Identifier: Apache-2.0", f"// {NOTE}",
                      "// The RTL with the compact engine in the order of compilation; paths are "
                      "relative to the", "// folder above rtl/.", *core, *bus]) + "\n"


def fusesoc(core: list[str], full_rate: list[str], bus: list[str], version: str) -> str:
    def fileset(name: str, files: list[str]) -> list[str]:
        return [f"  {name}:", "    files:", *(f"      - {file}" for file in files),
                "    file_type: systemVerilogSource"]

    def target(name: str, sets: str, top: str) -> list[str]:
        return [f"  {name}:", f"    filesets: [{sets}]", f"    toplevel: {top}",
                "    parameters: [NumSqs, PtrW, SlotW]"]

    def parameter(name: str, default: int, text: str) -> list[str]:
        return [f"  {name}:", "    datatype: int", f"    default: {default}",
                "    paramtype: vlogparam", f"    description: {text}"]

    return "\n".join([
        "CAPI=2:", "# SPDX-License-Identifier: Apache-2.0", f"# {NOTE}",
        f"name: nvmearb:ip:nvmearb:{version}",
        "description: NVMe submission queue arbiter with doorbells and SQE fetch",
        "filesets:", *fileset("core", core), *fileset("core_full_rate", full_rate),
        *fileset("bus", bus),
        "targets:",
        "  # The whole front end: AXI4-Lite registers, arbiter, AXI4 fetch.",
        *target("default", "core, bus", "nvmearb_top"),
        "  # The arbitration engine alone.",
        *target("engine", "core", "nvmearb_core"),
        "  # The same two with the engine of one command per clock.",
        *target("full_rate", "core_full_rate, bus", "nvmearb_top"),
        *target("engine_full_rate", "core_full_rate", "nvmearb_core"),
        "  lint:", "    filesets: [core, bus]", "    toplevel: nvmearb_top",
        "    default_tool: verilator", "    tools:", "      verilator:",
        "        mode: lint-only", "        verilator_options: [-Wall]",
        "parameters:",
        *parameter("NumSqs", 16, "submission queues, SQ 0 included (2 to 1024)"),
        *parameter("PtrW", 16, "the largest queue has 2^PtrW entries (2 to 16)"),
        *parameter("SlotW", 10, "at most 2^SlotW - 1 command slots (4 to 16)")]) + "\n"


def bender(core: list[str], full_rate: list[str], bus: list[str]) -> str:
    return "\n".join([
        "# SPDX-License-Identifier: Apache-2.0", f"# {NOTE}",
        "package:", "  name: nvmearb", "  authors: [\"The nvmearb maintainers\"]",
        "sources:",
        "  # Packages, leaf blocks and the arbitration engine.",
        "  - target: not(nvmearb_full_rate)",
        "    files:", *(f"      - {file}" for file in core),
        "  # Instead, the engine of one command per clock: bender -t nvmearb_full_rate.",
        "  - target: nvmearb_full_rate",
        "    files:", *(f"      - {file}" for file in full_rate),
        "  # Bus adapters and the top; without them: bender -t nvmearb_engine.",
        "  - target: not(nvmearb_engine)",
        "    files:", *(f"      - {file}" for file in bus)]) + "\n"


def descriptions(root: Path) -> dict[str, str]:
    """File name -> text."""
    core = sources(root, "rtl/nvmearb_core.f")
    full_rate = sources(root, "rtl/nvmearb_core_full_rate.f")
    bus = sources(root, "rtl/nvmearb_bus.f")
    (version,) = re.findall(r"project\(nvmearb VERSION ([\d.]+)",
                            (root / "CMakeLists.txt").read_text())
    return {"rtl/nvmearb.f": file_list(core, bus),
            "nvmearb.core": fusesoc(core, full_rate, bus, version),
            "Bender.yml": bender(core, full_rate, bus)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[1])
    args = parser.parse_args()
    stale = 0
    listed = [name for path in ("nvmearb_core.f", "nvmearb_core_full_rate.f", "nvmearb_bus.f")
              for name in sources(args.root, f"rtl/{path}")]
    there = sorted(str(path.relative_to(args.root)) for path in (args.root / "rtl").rglob("*.sv"))
    for name in sorted(set(listed) ^ set(there)):
        print(f"{name}: {'in no file list' if name in there else 'listed, but not there'}")
        stale = 1
    for name, text in descriptions(args.root).items():
        path = args.root / name
        if not args.check:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            print(f"{name}: not up to date; run tools/packaging.py")
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main())
