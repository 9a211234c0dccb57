# SPDX-License-Identifier: Apache-2.0
"""Where a SystemVerilog source can be wrong in one place, and the source with such places switched.

A mutant is one wrong place. The instrumented source holds all chosen ones; which is active is read
from `nvmearb_mutant_pkg::active`, so that one build serves all.

Left alone: what comes after the line "// Implementation checks.", constants of elaboration
(parameters, ranges, selects, generate conditions), and signals whose name begins with unused.
"""
import re
from dataclasses import dataclass
from pathlib import Path

from pyslang import syntax

CHECKS = "// Implementation checks."
SWAPS = {
    "LogicalAndExpression": "||", "LogicalOrExpression": "&&",
    "BinaryAndExpression": "|", "BinaryOrExpression": "&",
    "EqualityExpression": "!=", "InequalityExpression": "==",
    "LessThanExpression": "<=", "LessThanEqualExpression": "<",
    "GreaterThanExpression": ">=", "GreaterThanEqualExpression": ">",
    "AddExpression": "-", "SubtractExpression": "+",
}
# Parts of the tree in which nothing is chosen.
CLOSED = {
    "BitSelect", "SimpleRangeSelect", "AscendingRangeSelect", "DescendingRangeSelect",
    "ElementSelect", "VariableDimension", "EventControlWithExpression", "ImmediateAssertStatement",
    "ImmediateAssumeStatement", "ForVariableDeclaration", "DataDeclaration",
    "ParameterDeclaration", "LocalVariableDeclaration",
}
OPEN = {"ContinuousAssign", "AlwaysCombBlock", "AlwaysFFBlock", "AlwaysBlock",
        "FunctionDeclaration"}


@dataclass(frozen=True)
class Site:
    file: str
    line: int
    column: int
    start: int      # offsets in the file
    end: int
    node: str       # kind of the syntax node: nodes may share a place
    change: str     # "op ||", "never", "always", "not", "swap", "drop", "const 1'b0"

    def describe(self, source: str) -> dict:
        text = re.sub(r"\s+", " ", source[self.start:self.end])
        return {"file": self.file, "line": self.line, "column": self.column,
                "change": self.change, "text": text[:120]}


def kind(node) -> str:
    return str(node.kind).removeprefix("SyntaxKind.")


def span(node) -> tuple[int, int]:
    area = node.sourceRange
    return area.start.offset, area.end.offset


def children(node):
    return [child for child in node if isinstance(child, syntax.SyntaxNode)]


class File:
    """One source file: its sites, and its text with some of them switched."""

    def __init__(self, path: Path, name: str):
        self.name, self.source = name, path.read_text()
        self.limit = self.source.find(CHECKS)
        if self.limit < 0:
            self.limit = len(self.source)
        self.root = syntax.SyntaxTree.fromText(self.source).root
        self.sites: list[Site] = []
        self._walk(self.root, False)

    def _add(self, node, change: str):
        start, end = span(node)
        line = self.source.count("\n", 0, start) + 1
        column = start - self.source.rfind("\n", 0, start)
        self.sites.append(Site(self.name, line, column, start, end, kind(node), change))

    def _walk(self, node, is_open: bool):
        if not isinstance(node, syntax.SyntaxNode):
            return
        name = kind(node)
        if name in CLOSED or span(node)[0] >= self.limit:
            return
        is_open = is_open or name in OPEN
        if is_open:
            if self._is_unused(node, name):
                return
            self._choose(node, name)
        if name == "ForLoopStatement":
            self._walk(node.statement, is_open)
        elif name == "CastExpression":
            self._walk(node.right, is_open)
        elif name in ("MultipleConcatenationExpression", "ReplicationExpression"):
            self._walk(node.concatenation, is_open)
        elif name in ("AssignmentExpression", "NonblockingAssignmentExpression"):
            self._walk(node.right, is_open)
        else:
            for child in children(node):
                self._walk(child, is_open)

    def _is_unused(self, node, name: str) -> bool:
        return name == "AssignmentExpression" and str(node.left).strip().startswith("unused")

    def _choose(self, node, name: str):
        if name in SWAPS:
            self._add(node, "op " + SWAPS[name])
        elif name in ("UnaryLogicalNotExpression", "UnaryBitwiseNotExpression"):
            self._add(node, "plain")
        elif name == "ConditionalExpression":
            self._add(node, "swap")
        elif name == "ConditionalStatement":
            self._add(node.predicate, "never")
            self._add(node.predicate, "always")
        elif name == "ExpressionStatement" and kind(node.expr).startswith("Nonblocking"):
            self._add(node, "drop")
        elif name == "IntegerVectorExpression" and str(node).strip() in ("1'b0", "1'b1"):
            self._add(node, "const 1'b1" if "b0" in str(node) else "const 1'b0")

    def text(self, chosen: dict[Site, int], switch: str) -> str:
        """The source with the chosen sites; switch.format(number) is true when one is active."""
        by_place: dict[tuple, list[tuple[str, str]]] = {}
        for site, number in chosen.items():
            by_place.setdefault((site.start, site.end, site.node), []).append(
                (site.change, switch.format(number)))
        return self._render(self.root, by_place, 0, len(self.source))

    def _render(self, node, by_place, start: int, end: int) -> str:
        """source[start:end], which node covers, with its own and its parts' sites switched."""
        first, last = span(node)
        own = by_place.get((first, last, kind(node)))
        if own:
            by_rest = {place: value for place, value in by_place.items()
                       if place != (first, last, kind(node))}
            text = self._switched(node, own, by_rest)
            return self.source[start:first] + text + self.source[last:end]
        return self._parts(node, by_place, start, end)

    def _parts(self, node, by_place, start: int, end: int) -> str:
        out, position = [], start
        for child in children(node):
            first, last = span(child)
            if not any(first <= a and b <= last for a, b, _ in by_place):
                continue
            out += [self.source[position:first], self._render(child, by_place, first, last)]
            position = last
        return "".join([*out, self.source[position:end]])

    def _inner(self, node, by_place) -> str:
        first, last = span(node)
        return self._render(node, by_place, first, last)

    def _switched(self, node, own, by_rest) -> str:
        first, last = span(node)
        text = self._parts(node, by_rest, first, last)
        for change, active in own:
            if change.startswith("op "):
                left = self._inner(node.left, by_rest)
                right = self._inner(node.right, by_rest)
                text = f"({active} ? ({left} {change[3:]} {right}) : ({text}))"
            elif change == "plain":
                text = f"({active} ? ({self._inner(node.operand, by_rest)}) : ({text}))"
            elif change == "swap":
                condition = self._inner(node.predicate, by_rest)
                text = (f"(({active} != (({condition}) != 0)) ? {self._inner(node.left, by_rest)}"
                        f" : {self._inner(node.right, by_rest)})")
            elif change in ("never", "always"):
                text = f"{active} ? 1'b{int(change == 'always')} : ({text})"
            elif change == "drop":
                text = f"begin if (!{active}) {text} end"
            else:
                text = f"({active} ? {change.removeprefix('const ')} : {text})"
        return text
