"""What a template shows on every path, whatever its conditions come to: walks all ways through a parsed template.

Shown means: printed where a reader sees it, so not in a comment, in HTML that is hidden, on one side of a condition
only, or in a loop that may not run. Imports liquid, so it is imported late.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from liquid import RenderContext
from liquid.ast import BlockNode, Node
from liquid.builtin.content import ContentNode
from liquid.builtin.expressions import FilteredExpression, Path
from liquid.builtin.output import OutputNode
from liquid.builtin.tags.assign_tag import AssignNode
from liquid.builtin.tags.capture_tag import CaptureNode
from liquid.builtin.tags.case_tag import CaseNode, MultiExpressionBlockNode
from liquid.builtin.tags.for_tag import ForNode
from liquid.builtin.tags.if_tag import IfNode
from liquid.builtin.tags.tablerow_tag import TablerowNode
from liquid.builtin.tags.unless_tag import UnlessNode

from app.domain.liquid_engine import Parsed

_MOST_WAYS = 1_000
# filters that leave the whole value in sight
_KEEPING = frozenset(
    {"append", "prepend", "default", "escape", "escape_once", "strip", "lstrip", "rstrip", "url_encode"}
)
_HIDES = re.compile(
    r"(?P<comment><!--)|<(?P<silent>script|style|title|head|template)\b[^>]*>"
    r"|<(?P<hidden>\w+)\b[^>]*(?:display\s*:\s*none|visibility\s*:\s*hidden|\shidden(?=[\s>=]))[^>]*>",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Way:
    """What one way through the template has come to.

    shown: variables seen so far. until: the text that ends what is hidden, or "" in plain sight. named: the template's
    own names with the variable that each holds: (name, variable).
    """

    shown: frozenset[str] = frozenset()
    until: str = ""
    named: frozenset[tuple[str, str]] = frozenset()


def always_shows(parsed: Parsed, wanted: frozenset[str]) -> bool:
    """Whether every path shows at least one of the `wanted` variables (dotted paths)."""
    ways = _Walk(parsed, wanted).through(parsed.nodes, frozenset({_Way()}))
    # more ways than can be told apart: not proven to be shown
    return len(ways) <= _MOST_WAYS and all(way.shown for way in ways)


def literal_texts(parsed: Parsed) -> Iterable[tuple[str, int]]:
    """Every stretch of plain text of the template, with where it starts in the source, in order."""
    static = RenderContext(parsed.template)

    def walk(nodes: Iterable[Node]) -> Iterable[tuple[str, int]]:
        for node in nodes:
            if isinstance(node, ContentNode):
                yield node.text, node.token.start_index
            yield from walk(node.children(static))

    return walk(parsed.nodes)


class _Walk:
    def __init__(self, parsed: Parsed, wanted: frozenset[str]) -> None:
        self._static = RenderContext(parsed.template)
        self._wanted = wanted

    def through(self, nodes: Iterable[Node], ways: frozenset[_Way]) -> frozenset[_Way]:
        for node in nodes:
            if len(ways) > _MOST_WAYS:
                return ways
            ways = self._node(node, ways)
        return ways

    def _node(self, node: Node, ways: frozenset[_Way]) -> frozenset[_Way]:
        if isinstance(node, ContentNode):
            return frozenset(replace(way, until=_after_text(node.text, way.until)) for way in ways)
        if isinstance(node, OutputNode):
            return frozenset(self._output(node, way) for way in ways)
        if isinstance(node, AssignNode):
            return frozenset(self._assign(node, way) for way in ways)
        if isinstance(node, CaptureNode):
            return frozenset(captured for way in ways for captured in self._capture(node, way))
        if isinstance(node, IfNode | UnlessNode):
            blocks: list[BlockNode] = [node.consequence, *(other.block for other in node.alternatives)]
            return self._any_of(blocks, node.default, ways)
        if isinstance(node, CaseNode):
            whens = [part.block for part in node.blocks if isinstance(part, MultiExpressionBlockNode)]
            other = next((part for part in node.blocks if isinstance(part, BlockNode)), None)
            return self._any_of(whens, other, ways)
        if isinstance(node, ForNode):
            return self._any_of([node.block], node.default, ways)
        if isinstance(node, TablerowNode):
            return self._any_of([node.block], None, ways)
        return self.through(node.children(self._static), ways)

    def _any_of(self, blocks: Iterable[BlockNode], other: BlockNode | None, ways: frozenset[_Way]) -> frozenset[_Way]:
        passed = ways if other is None else self.through(other.nodes, ways)
        return passed.union(*(self.through(block.nodes, ways) for block in blocks))

    def _output(self, node: OutputNode, way: _Way) -> _Way:
        if way.until:
            return way
        seen = self._seen(node, way)
        return replace(way, shown=way.shown | seen) if seen else way

    def _assign(self, node: AssignNode, way: _Way) -> _Way:
        return _naming(way, str(node.name), self._seen(node, way))

    def _capture(self, node: CaptureNode, way: _Way) -> Iterable[_Way]:
        inside = self.through(node.block.nodes, frozenset({_Way(named=way.named)}))
        return [_naming(way, str(node.name), caught.shown) for caught in inside]

    def _seen(self, node: OutputNode | AssignNode, way: _Way) -> frozenset[str]:
        """The wanted variables whose value the node's expression holds whole."""
        expression = node.expression
        if not isinstance(expression, FilteredExpression) or not isinstance(expression.left, Path):
            return frozenset()
        if any(used.name not in _KEEPING for used in expression.filters or []):
            return frozenset()
        name = str(expression.left)
        own = frozenset(variable for known, variable in way.named if known == name and variable)
        reassigned = any(known == name for known, _ in way.named)
        return own if reassigned else frozenset({name}) & self._wanted


def _naming(way: _Way, name: str, holds: frozenset[str]) -> _Way:
    """`name` now holds these and nothing else. Nothing is kept as "", for it hides a variable of that name."""
    kept = {(known, variable) for known, variable in way.named if known != name}
    return replace(way, named=frozenset(kept | {(name, variable) for variable in holds or {""}}))


def _after_text(text: str, until: str) -> str:
    """What ends the hidden stretch after `text`, or "" when it ends in plain sight."""
    place = 0
    while True:
        if until:
            end = text.casefold().find(until, place)
            if end < 0:
                return until
            place, until = end + len(until), ""
        found = _HIDES.search(text, place)
        if found is None:
            return ""
        place = found.end()
        tag = found["silent"] or found["hidden"]
        until = "-->" if tag is None else f"</{tag.casefold()}"
