"""The schema of a document in words, made from the shapes and word lists by which the validator reads it.

There is no second list of keys: what is not in a shape does not exist, and a key that is added to one is told here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import NoneType, UnionType
from typing import Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from app.domain import condition_format as conditions
from app.domain.condition_tree import CUSTOM_PREFIX, PERSON_FIELDS
from app.domain.documents import Format
from app.domain.durations import UNITS
from app.domain.events import EventKind
from app.domain.journey_shapes import STEP_SHAPES, AgainShape, EndsShape, EnterShape, JourneyShape, WayShape, WhenShape
from app.domain.practice_shapes import EnrollShape, GroupShape, TemplateShape
from app.domain.record import RECORD_STATUSES
from app.domain.shape import Shape
from app.domain.states import Channel, End
from app.domain.template import CUSTOM_VARIABLES, VARIABLES
from app.domain.waits import WAIT_KEYS

_PARTS: Mapping[Format, Mapping[str, type[Shape]]] = {
    Format.JOURNEY: {
        "the journey": JourneyShape,
        "ends": EndsShape,
        "ends.converted and ends.closed, when they are not never": WhenShape,
        "enter": EnterShape,
        "enter.again, when it is not never": AgainShape,
        **{f"a step with do: {kind}": shape for kind, shape in STEP_SHAPES.items()},
        "one of a split's ways": WayShape,
    },
    Format.GROUP: {"the group": GroupShape, "enroll": EnrollShape},
    Format.TEMPLATE: {"the template": TemplateShape},
}
_LITERAL = "a value that is read further"


def schema_lines(kind: Format) -> Iterator[str]:
    """Every key of a document of this kind, what it takes, and the words that it may be."""
    for title, shape in _PARTS[kind].items():
        yield f"{title}:"
        for name, found in shape.model_fields.items():
            yield f"  {found.alias or name}: {_takes(found)}"
    if kind is Format.TEMPLATE:
        yield f"Variables in double braces: {', '.join(VARIABLES)}, and {CUSTOM_VARIABLES}NAME."
        return
    yield from _condition_lines(in_journey=kind is Format.JOURNEY)
    yield f"A length of time is a mapping of {', '.join(UNITS)}, such as {{hours: 4}}."
    if kind is Format.JOURNEY:
        yield f'A wait (for, up_to) is a mapping of one of {", ".join(WAIT_KEYS)}, such as {{days: 2, at: "09:30"}}.'


def _condition_lines(*, in_journey: bool) -> Iterator[str]:
    yield f"A condition is a mapping with one of {', '.join(conditions.LEADERS)}. all and any take lists of conditions."
    yield f"  with field, one of: {', '.join(conditions.FIELD_TESTS)}"
    yield f"  fields: {', '.join(PERSON_FIELDS)}, and {CUSTOM_PREFIX}NAME"
    yield f"  with record: {', '.join(conditions.RECORD_KEYS)}"
    for kind, statuses in RECORD_STATUSES.items():
        yield f"    record: {kind.value} has the statuses {', '.join(statuses)}"
    yield f"  with event: {', '.join(conditions.EVENT_KEYS)}"
    yield f"    events: {', '.join(EventKind)}; channels: {', '.join(Channel)}"
    yield f"  with journey: {', '.join(conditions.JOURNEY_KEYS)}"
    yield f"    ended: {', '.join(End)}"
    since = "enrollment, or a length of time" if in_journey else "a length of time"
    yield f"  since: {since}. within: a length of time, or a mapping of last and next with one each."
    yield "  count: a number, or a mapping of at_least and at_most. before, after: a date, or {ago: …} or {ahead: …}."


def _takes(found: FieldInfo) -> str:
    must = "required" if found.is_required() else f"may be left out, then {_written(found.default)}"
    words = ", ".join(_words(found.annotation))
    limits = [_limit(each) for each in found.metadata]
    return ", ".join(part for part in (words or _LITERAL, *limits, must) if part)


def _words(annotation: object) -> Iterator[str]:
    """What an annotation takes, in words; nothing for what a reader of its own reads."""
    origin = get_origin(annotation)
    if origin is Literal:
        yield " | ".join(str(each) for each in get_args(annotation))
    elif origin in (Union, UnionType):
        for part in get_args(annotation):
            yield from _words(part)
    elif annotation is not NoneType:
        name = getattr(origin or annotation, "__name__", "")
        known = {"str": "text", "int": "whole number", "bool": "true | false", "dict": "mapping", "list": "list"}
        if name in known:
            yield known[name]
        elif origin is not None:
            yield from (word for part in get_args(annotation)[:1] for word in _words(part))


_LIMITS: Mapping[str, str] = {"ge": "at least", "le": "at most", "gt": "more than", "lt": "less than"}


def _limit(limit: object) -> str:
    told = [f"{words} {getattr(limit, name)}" for name, words in _LIMITS.items() if hasattr(limit, name)]
    return ", ".join(told)


def _written(default: object) -> str:
    return "nothing" if default is None else str(default).lower() if isinstance(default, bool) else str(default)
