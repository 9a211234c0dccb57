#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Functional coverage as data: reads tb/coverage/functional.toml.

  functional.py FILE.toml OUTPUT      writes the tables of functional_coverage.cc

As a module: the counts that tests wrote, merged and compared with what the file asks for.
"""
import itertools
import sys
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from exclusions import Tally

# Values of Quantity::kEvent: arbiter::EventKind, then the doorbells of CQs.
EVENTS = ("create", "delete", "config", "doorbell", "reject", "grant", "fetch", "complete", "reset",
          "cq_doorbell", "cq_reject")
QUANTITIES = ("event", "class", "mechanism", "burst", "weight", "waiting", "room", "outstanding",
              "count", "first", "credit_left", "at_end", "size", "rivals", "ahead", "refusal")


class ModelError(Exception):
    """functional.toml or a file of counts says something that it cannot mean."""


@dataclass
class Point:
    name: str
    quantity: str
    bins: dict


@dataclass
class Cross:
    name: str
    goal: str
    events: list
    points: list
    impossible: list = field(default_factory=list)  # {"bins": {point: [bin]}, "reason": text}

    def reason(self, combination: tuple) -> str:
        """Why the combination (a bin for each point) is impossible; "" if it is not."""
        bins = dict(zip((p.name for p in self.points), combination, strict=True))
        for entry in self.impossible:
            if all(bins[point] in some for point, some in entry["bins"].items()):
                return entry["reason"]
        return ""

    def combinations(self):
        return itertools.product(*(point.bins for point in self.points))


def keys(where: str, entry: dict, needed: set, optional: set = frozenset()):
    if not needed <= entry.keys() <= needed | optional:
        raise ModelError(f"{where}: keys {sorted(entry)}, needed are {sorted(needed)}")


def parse(text: str) -> list[Cross]:
    data = tomllib.loads(text)
    keys("functional.toml", data, {"point", "cross"})
    points = {}
    for entry in data["point"]:
        keys(f"point {entry.get('name')}", entry, {"name", "quantity", "bins"})
        point = Point(**entry)
        if point.quantity not in QUANTITIES:
            raise ModelError(f"point {point.name}: quantity '{point.quantity}', allowed are "
                             f"{', '.join(QUANTITIES)}")
        if point.name in points:
            raise ModelError(f"point {point.name} occurs twice")
        if not point.bins or any(len(b) != 2 or not 0 <= b[0] <= b[1] < 2**32
                                 for b in point.bins.values()):
            raise ModelError(f"point {point.name}: a bin is [first, last]")
        points[point.name] = point
    crosses = []
    for entry in data["cross"]:
        where = f"cross {entry.get('name')}"
        keys(where, entry, {"name", "goal", "events", "points"}, {"impossible"})
        for kind, names, known in (("event", entry["events"], EVENTS),
                                   ("point", entry["points"], points)):
            for name in names:
                if name not in known:
                    raise ModelError(f"{where}: no {kind} '{name}', there are {', '.join(known)}")
        for rule in entry.get("impossible", []):
            keys(f"{where}: impossible", rule, {"bins", "reason"})
            for point, bins in rule["bins"].items():
                if point not in entry["points"] or not set(bins) <= points[point].bins.keys():
                    raise ModelError(f"{where}: impossible: no such bins: {point} {bins}")
            if not rule["reason"].strip():
                raise ModelError(f"{where}: impossible: has no reason")
        entry["points"] = [points[name] for name in entry["points"]]
        crosses.append(Cross(**entry))
    if len({c.name for c in crosses}) != len(crosses):
        raise ModelError("two crosses have the same name")
    return crosses


def load(path: Path) -> list[Cross]:
    return parse(path.read_text())


def tables(crosses: list[Cross]) -> str:
    """The C++ tables."""
    bins, points, places, cross_points, lines = [], [], {}, [], []
    counters = 0
    for cross in crosses:
        mask = sum(1 << EVENTS.index(event) for event in cross.events)
        lines.append(f'{{"{cross.name}", {mask}u, {len(cross_points)}, {len(cross.points)}, '
                     f"{counters}}}")
        count = 1
        for point in cross.points:
            if point.name not in places:
                places[point.name] = len(points)
                quantity = "".join(word.capitalize() for word in point.quantity.split("_"))
                points.append(f"{{Quantity::k{quantity}, {len(bins)}, {len(point.bins)}}}")
                bins += [f'{{"{name}", {first}u, {last}u}}'
                         for name, (first, last) in point.bins.items()]
            cross_points.append(str(places[point.name]))
            count *= len(point.bins)
        counters += count

    def array(kind, name, entries):
        return f"constexpr {kind} {name}[] = {{\n    " + ",\n    ".join(entries) + "};\n"
    return (array("Bin", "kBins", bins) + array("Point", "kPoints", points) +
            array("unsigned", "kCrossPoints", cross_points) + array("Cross", "kCrosses", lines) +
            f"constexpr unsigned kCounterCount = {counters};\n")


def read(crosses: list[Cross], folder: Path) -> Counter:
    """{(cross, bin, ...): count} over all files of a folder."""
    known = {(cross.name, *combination) for cross in crosses
             for combination in cross.combinations()}
    counts = Counter()
    for path in sorted(folder.glob("functional-*.txt")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            *combination, count = line.split(" ")
            if tuple(combination) not in known:
                raise ModelError(f"{path}:{number}: not in functional.toml: {line}")
            counts[tuple(combination)] += int(count)
    return counts


def tally(crosses: list[Cross], counts: Counter) -> tuple[Tally, list[str]]:
    """Combinations hit, and the impossible ones that occurred, in sentences."""
    result, problems = Tally("functional"), []
    for cross in crosses:
        for combination in cross.combinations():
            count = counts[(cross.name, *combination)]
            reason = cross.reason(combination)
            text = f"{cross.name}: {' '.join(combination)}"
            if not reason:
                result.add(count, "tb/coverage/functional.toml", 0, text, [])
                continue
            result.excluded += 1
            if count:
                problems.append(f"functional: {text} occurred {count} times, but: {reason}")
    return result, problems


def by_cross(crosses: list[Cross], counts: Counter) -> dict:
    """{cross: (hit, total)} of the possible combinations."""
    found = {}
    for cross in crosses:
        possible = [c for c in cross.combinations() if not cross.reason(c)]
        found[cross.name] = (sum(counts[(cross.name, *c)] > 0 for c in possible), len(possible))
    return found


def table(crosses: list[Cross], counts: Counter) -> list[dict]:
    """For the report: every combination of every cross."""
    return [{"name": cross.name, "goal": cross.goal, "points": [p.name for p in cross.points],
             "rows": [{"bins": list(c), "count": counts[(cross.name, *c)],
                       "impossible": cross.reason(c)} for c in cross.combinations()]}
            for cross in crosses]


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(tables(load(Path(sys.argv[1]))))
