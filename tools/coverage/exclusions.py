# SPDX-License-Identifier: Apache-2.0
"""What need not be covered, each with its reason (tb/coverage/exclusions.toml).

An exclusion takes points that were not hit out of the goal. One that matches no such point is an
error: it is left over, or was never right.
"""
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

KINDS = ("line", "branch", "toggle", "cover", "cxx_line")
KEYS = {"kind", "file", "text", "reason"}


class ExclusionError(Exception):
    """The file of exclusions says something that it cannot mean."""


@dataclass
class Exclusion:
    """text: a regular expression for the whole source line without its indentation, for toggles
    `module.signal[bit]`, for covers the label."""
    kind: str
    file: str
    text: str
    reason: str
    hits: list = field(default_factory=list)

    def matches(self, kind: str, file: str, text: str) -> bool:
        return (self.kind == kind and re.fullmatch(self.file, file) is not None and
                re.fullmatch(self.text, text) is not None)


def load(path: Path) -> list[Exclusion]:
    found = []
    for number, entry in enumerate(tomllib.loads(path.read_text()).get("exclude", []), 1):
        where = f"{path.name}: exclusion {number}"
        if entry.keys() != KEYS:
            raise ExclusionError(f"{where}: keys {sorted(entry)}, allowed are {sorted(KEYS)}")
        if entry["kind"] not in KINDS:
            raise ExclusionError(f"{where}: kind '{entry['kind']}', allowed are {', '.join(KINDS)}")
        if not entry["reason"].strip():
            raise ExclusionError(f"{where}: has no reason")
        found.append(Exclusion(**entry))
    return found


def stale(exclusions: list[Exclusion]) -> list[str]:
    return [f"exclusion of {e.kind} {e.file} '{e.text}' matches nothing that was not covered"
            for e in exclusions if not e.hits]


@dataclass
class Tally:
    """Points of one kind: how many count, how many of them were hit, what was not."""
    kind: str
    total: int = 0
    hit: int = 0
    excluded: int = 0
    missing: list = field(default_factory=list)  # (file, line, text)

    @property
    def percent(self) -> float:
        return 100.0 * self.hit / self.total if self.total else 0.0

    def add(self, count: int, file: str, line: int, text: str, exclusions: list[Exclusion]):
        if count == 0:
            for exclusion in exclusions:
                if exclusion.matches(self.kind, file, text):
                    exclusion.hits.append(f"{file}:{line}: {text}")
                    self.excluded += 1
                    return
            self.missing.append((file, line, text))
        self.total += 1
        self.hit += count != 0
