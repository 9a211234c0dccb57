# SPDX-License-Identifier: Apache-2.0
"""The RTL's coverage, merged over tests and parameter sets.

Reads the .dat files that tests wrote (tb/coverage/process_counters.cc). A point belongs to a source
line of a module, or to a bit of one of its signals, whatever instance and parameters counted it.
"""
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

FIELD = re.compile(r"\x01(\w+)\x02([^\x01']*)")


class DataError(Exception):
    """A file is not what it should be: where, what."""


@dataclass
class Rtl:
    """What was counted, by (file, line), (file, line, column, kind), (file, bit), (file, cover)."""
    lines: Counter = field(default_factory=Counter)
    branches: Counter = field(default_factory=Counter)
    toggles: Counter = field(default_factory=Counter)
    covers: Counter = field(default_factory=Counter)
    where: dict = field(default_factory=dict)  # of toggles and covers: line


def line_numbers(text: str) -> list[int]:
    """The numbers of "8-10,12"."""
    numbers = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    return numbers


def add_file(rtl: Rtl, path: Path, root: Path, sources: set[str]):
    """Adds the points of one file that lie in `sources`, paths below root."""
    lines = path.read_text().splitlines()
    if not lines or not lines[0].startswith("# SystemC::Coverage"):
        raise DataError(f"{path}:1: not a coverage file of Verilator")
    for number, line in enumerate(lines[1:], 2):
        match = re.fullmatch(r"C '(.*)' (\d+)", line)
        if not match:
            raise DataError(f"{path}:{number}: not a counter: {line[:60]}")
        add_point(rtl, dict(FIELD.findall(match[1])), int(match[2]), root, sources)


def add_point(rtl: Rtl, point: dict, count: int, root: Path, sources: set[str]):
    file = point["f"]
    if Path(file).is_absolute() and Path(file).is_relative_to(root):
        file = str(Path(file).relative_to(root))
    if file not in sources:
        return
    number = int(point["l"])
    page, _, module = point["page"].partition("/")
    if page == "v_toggle":
        # Parameters are no part of a module's name.
        key = (file, f"{module.split('__')[0]}.{point['o']}")
        rtl.toggles[key] += count
        rtl.where[key] = number
    elif page == "v_user":
        key = (file, point["o"].split(".")[-1])
        rtl.covers[key] += count
        rtl.where[key] = number
    elif page in ("v_line", "v_branch"):
        if page == "v_branch":
            rtl.branches[(file, number, int(point["n"]), point["o"])] += count
        for covered in line_numbers(point["S"]) if "S" in point else []:
            rtl.lines[(file, covered)] += count
    else:
        raise DataError(f"{file}:{number}: unknown kind of point '{page}'")


def read(folder: Path, root: Path, sources: list[str]) -> Rtl:
    """All .dat files of a folder. Every source has to be in one of them."""
    rtl = Rtl()
    files = sorted(folder.glob("*.dat"))
    if not files:
        raise DataError(f"{folder}: no test wrote coverage of the RTL")
    for path in files:
        add_file(rtl, path, root, set(sources))
    seen = {key[0] for counter in (rtl.lines, rtl.toggles) for key in counter}
    for missing in sorted(set(sources) - seen - packages(root, sources)):
        raise DataError(f"{missing}: nothing of it was counted; no test has it")
    return rtl


def packages(root: Path, sources: list[str]) -> set[str]:
    """Sources without a module."""
    return {file for file in sources
            if not re.search(r"^module ", (root / file).read_text(), re.M)}


def sources_of(root: Path) -> list[str]:
    """The files of the core and the bus adapters."""
    names = []
    for file in ("rtl/nvmearb_core.f", "rtl/nvmearb_bus.f"):
        names += re.findall(r"^(rtl/\S+\.sv)$", (root / file).read_text(), re.M)
    return names


def gcovr_json(rtl: Rtl, version: str) -> dict:
    """Lines and branches in the format of gcovr's own JSON, to be merged with those of the C++."""
    files = {}
    for (file, line), count in sorted(rtl.lines.items()):
        files.setdefault(file, {})[line] = {"line_number": line, "count": count, "branches": []}
    for (file, line, column, _), count in sorted(rtl.branches.items()):
        entry = files.setdefault(file, {}).setdefault(
            line, {"line_number": line, "count": count, "branches": []})
        entry["branches"].append({"branchno": len(entry["branches"]), "count": count,
                                  "fallthrough": False, "throw": False,
                                  "source_block_id": column})
    return {"gcovr/format_version": version,
            "files": [{"file": file, "lines": [lines[n] for n in sorted(lines)], "functions": []}
                      for file, lines in sorted(files.items())]}
