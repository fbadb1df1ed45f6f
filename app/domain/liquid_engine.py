"""Liquid as templates may use it: strict, bounded, without files or a clock, watching for values that come out empty.

Imports the liquid package (a sixth of a second), so it is itself imported late, by template.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, TextIO

from liquid import BoundTemplate, Environment, FalsyStrictUndefined, RenderContext, Undefined, is_undefined
from liquid.ast import Node
from liquid.builtin.expressions import FilteredExpression, Path
from liquid.builtin.output import Output, OutputNode
from liquid.builtin.tags.assign_tag import AssignNode
from liquid.builtin.tags.echo_tag import EchoNode, EchoTag
from liquid.exceptions import FilterArgumentError, LiquidError, LiquidTypeError
from liquid.output import LimitedStringIO
from liquid.stringify import to_liquid_string
from liquid.utils import ReadOnlyChainMap

if TYPE_CHECKING:
    from liquid.expression import Expression

OUTPUT_LIMIT = 500_000
_BLANKS = "blanks"
# what the package's filters let through when a value is not of the kind they work on
_OF_FILTERS = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
_ADDING = frozenset({"append", "prepend"})


@dataclass(frozen=True, slots=True)
class Parsed:
    """A template that is well formed. aliases: names that `assign` gives to another variable, and that variable."""

    source: str
    template: BoundTemplate
    aliases: Mapping[str, str]

    @property
    def nodes(self) -> Iterable[Node]:
        """The parts of the template in order."""
        return self.template.nodes

    @property
    def known_filters(self) -> Iterable[str]:
        """The names of all filters."""
        return self.template.env.filters


class TemplateFault(Exception):
    """A template can't be parsed or filled in. line: 1-based, when known."""

    def __init__(self, because: str, line: int | None) -> None:
        super().__init__(because)
        self.because = because
        self.line = line


@lru_cache(maxsize=512)
def parse(source: str, *, html: bool, lenient: bool = False) -> Parsed:
    """`source` parsed. html: values are escaped. lenient: what is not known is empty. Raises TemplateFault."""
    try:
        template = _environment(html, lenient).from_string(source)
    except LiquidError as fault:
        raise _fault(fault, source) from fault
    except RecursionError as fault:
        raise TemplateFault("it is nested too deep.", None) from fault
    return Parsed(source, template, dict(_aliases(template.nodes, template)))


def fill(parsed: Parsed, variables: Mapping[str, object]) -> tuple[str, tuple[str, ...]]:
    """The text, and the variables shown in it that came out empty, each once. Raises TemplateFault."""
    context = RenderContext(parsed.template, globals=variables)
    # without liquid's own `now` and `today`, which read the machine's clock
    context.scope = ReadOnlyChainMap(context.locals, context.globals, context.counters)
    blanks: list[str] = []
    context.tag_namespace[_BLANKS] = blanks
    buffer = LimitedStringIO(limit=OUTPUT_LIMIT)
    try:
        parsed.template.render_with_context(context, buffer)
    except LiquidError as fault:
        raise _fault(fault, parsed.source) from fault
    except _OF_FILTERS as fault:
        raise TemplateFault(f"a filter can't take its value: {fault}.", None) from fault
    named = (parsed.aliases.get(name, name) for name in blanks)
    return buffer.getvalue(), tuple(dict.fromkeys(named))


class _ShownNode(OutputNode):
    """{{ ... }}, noting what comes out empty."""

    __slots__ = ()

    def render_to_output(self, context: RenderContext, buffer: TextIO) -> int:
        return _show(self.expression, context, buffer)


class _EchoedNode(EchoNode):
    __slots__ = ()

    def render_to_output(self, context: RenderContext, buffer: TextIO) -> int:
        return _show(self.expression, context, buffer)


class _Output(Output):
    node_class = _ShownNode


class _Echo(EchoTag):
    node_class = _EchoedNode


class _Missing(FalsyStrictUndefined):
    """A value that is not there: false to a condition, filled by `default`, refused anywhere else."""

    force_liquid_default = True


class _Environment(Environment):
    loop_iteration_limit = 10_000
    output_stream_limit = OUTPUT_LIMIT
    local_namespace_limit = OUTPUT_LIMIT


@lru_cache(maxsize=4)
def _environment(html: bool, lenient: bool) -> Environment:
    kind: type[Undefined] = Undefined if lenient else _Missing
    env = _Environment(undefined=kind, strict_filters=True, autoescape=html)
    for tag in ("include", "render"):  # they read other files
        del env.tags[tag]
    del env.filters["safe"]  # a person's name must not bring markup along
    env.add_filter("date", _date)
    env.add_tag(_Output)
    env.add_tag(_Echo)
    return env


def _show(expression: Expression, context: RenderContext, buffer: TextIO) -> int:
    if not isinstance(expression, FilteredExpression):
        return buffer.write(to_liquid_string(expression.evaluate(context), context.autoescape))
    blanks: list[str] = context.tag_namespace[_BLANKS]
    with_default = any(used.name == "default" for used in expression.filters or [])
    left = expression.left if isinstance(expression.left, Path) else None
    needed = [] if left is None or with_default else [left]
    for used in expression.filters or []:
        if used.name in _ADDING:
            needed += [part for part in used.children() if isinstance(part, Path)]
    empty = [part for part in needed if _is_blank(part.evaluate(context))]
    blanks.extend(str(part) for part in empty)
    if any(is_undefined(part.evaluate(context)) for part in empty):
        return 0
    value = expression.evaluate(context)
    if left is not None and with_default and _is_blank(value):
        blanks.append(str(left))
        return 0
    if isinstance(value, Mapping) and not is_undefined(value):
        raise LiquidTypeError(f"{expression.left} holds several values: name one of them", token=expression.token)
    return buffer.write(to_liquid_string(value, context.autoescape))


def _is_blank(value: object) -> bool:
    return value is None or is_undefined(value) or value == [] or (isinstance(value, str) and not value.strip())


def _aliases(nodes: Iterable[Node], template: BoundTemplate) -> Iterable[tuple[str, str]]:
    """Names that `assign` gives to another variable as it is: staff know it by that one's name."""
    static = RenderContext(template)
    for node in nodes:
        if isinstance(node, AssignNode):
            expression = node.expression
            if (
                isinstance(expression, FilteredExpression)
                and not expression.filters
                and isinstance(expression.left, Path)
            ):
                yield str(node.name), str(expression.left)
        yield from _aliases(node.children(static), template)


def _date(value: object, form: object = "%Y-%m-%d") -> object:
    """Liquid's date filter for what is a date; other text is left as it is. It never asks the clock."""
    if value in ("now", "today"):
        raise FilterArgumentError("a template has no clock of its own: write {{ today }}", token=None)
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return value
    if not isinstance(value, date):
        return value
    try:
        return value.strftime(str(form))
    except ValueError as fault:
        raise FilterArgumentError(str(fault), token=None) from fault


def _fault(fault: LiquidError, source: str) -> TemplateFault:
    token = fault.token
    if token is None or token.start_index < 0:
        # it ran out: the last line that says anything
        line = source.rstrip().count("\n") + 1
    else:
        line = source.count("\n", 0, token.start_index) + 1
    return TemplateFault(f"{str(fault.message).strip().rstrip('.')}.", line)
