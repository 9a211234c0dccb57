# SPDX-License-Identifier: Apache-2.0
"""Rows of the synthesis report as text and as the tables of docs/synthesis.md."""
import itertools
import re
from pathlib import Path

from flow import DEVICES

BEGIN, END = "<!-- begin: written by make synth -->", "<!-- end -->"


def line(row: dict) -> str:
    """One row for a terminal."""
    name = f"{row['top']:<14} N={row['n']:<5} {row['device']:<5}"
    if row["lut"] is None:
        return f"{name} {row['reason']}"
    memory = f"{row['bram']} BRAM" + (f" + {row['lutram']} LUT-RAM" if row["lutram"] else "")
    speed = row.get("reason") or (f"{row['mhz']:.1f} MHz "
                                  f"[{' '.join(f'{mhz:.1f}' for mhz in row['seeds'].values())}]")
    return f"{name} {row['lut']:>6} LUT {row['ff']:>6} FF  {memory}  {speed}"


def path(row: dict) -> str:
    """The critical path of a row, one net per line."""
    steps = row["critical_path"]
    total = 0.0
    lines = [f"  critical path, {len(steps)} nets, of the median seed:",
             "      ns  logic  route  net (where it is in the RTL)"]
    for _, group in itertools.groupby(steps, key=lambda step: (step["net"], step["source"])):
        run = list(group)
        logic = sum(step["logic_ns"] for step in run)
        route = sum(step["route_ns"] for step in run)
        total += logic + route
        place = f"  ({run[0]['source']})" if run[0]["source"] else ""
        times = f"  {len(run)} nets" if len(run) > 1 else ""
        lines.append(f"  {total:6.2f} {logic:6.2f} {route:6.2f}  {run[0]['net']}{place}{times}")
    return "\n".join(lines + [f"  to {row['endpoint']}"])


def table(rows: list[dict]) -> str:
    """Markdown: a line per top and N, both devices side by side."""
    devices = [name for name in DEVICES if any(row["device"] == name for row in rows)]
    head = "| top | N |" + "".join(
        f" {DEVICES[name].title} LUT / FF / BRAM | MHz (seeds) |" for name in devices)
    lines = [head, "|---" * (2 + 2 * len(devices)) + "|"]
    for top, n in dict.fromkeys((row["top"], row["n"]) for row in rows):
        cells = [f"`{top}`", str(n)]
        for name in devices:
            row = next(r for r in rows if (r["top"], r["n"], r["device"]) == (top, n, name))
            memory = f"{row['bram']}" + (f" + {row['lutram']} LUT-RAM" if row["lutram"] else "")
            cells.append(f"{row['lut']} / {row['ff']} / {memory}")
            cells.append(row.get("reason") or f"**{row['mhz']:.0f}** "
                         f"({', '.join(f'{mhz:.0f}' for mhz in row['seeds'].values())})")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def paths(rows: list[dict]) -> str:
    """Markdown: where the critical path of each point begins and ends, and what it is made of."""
    lines = ["| top | N | device | critical path from | to | nets | logic + routing, ns |",
             "|---" * 7 + "|"]
    for row in rows:
        steps = row.get("critical_path")
        if not steps:
            continue
        logic = sum(step["logic_ns"] for step in steps)
        route = sum(step["route_ns"] for step in steps)
        lines.append(f"| `{row['top']}` | {row['n']} | {row['device']} | `{steps[0]['net']}` | "
                     f"`{row['endpoint']}` | {len(steps)} | {logic:.1f} + {route:.1f} |")
    return "\n".join(lines)


def rewrite(document: Path, rows: list[dict]) -> None:
    """Replaces what stands between the two markers of a document."""
    text = document.read_text()
    block = f"{BEGIN}\n{table(rows)}\n\n{paths(rows)}\n{END}"
    document.write_text(re.sub(re.escape(BEGIN) + ".*?" + re.escape(END), lambda _: block, text,
                               flags=re.S))
