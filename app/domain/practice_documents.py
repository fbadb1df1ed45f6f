"""The documents about a practice, read into frozen values: practice, location, template, group, sequence.

Each reader raises DocumentError with every problem. Phone numbers are kept as written: the service knows the country
that they are read in. Not here: providers (providers_document.py), a template's words (template_lint.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from app.domain.condition_format import parse_condition
from app.domain.documents import Format, RawDocument
from app.domain.errors import DocumentError
from app.domain.group import Enroll, Group
from app.domain.hours import Hours, parse_hours
from app.domain.practice_shapes import (
    GroupShape,
    LocationShape,
    PracticeShape,
    SequenceShape,
    TemplateShape,
)
from app.domain.shape import Shape, begin_reading, read_shape
from app.domain.states import Channel, Purpose
from app.domain.template import Template


@dataclass(frozen=True, slots=True)
class Caps:
    """The most messages to one person over all channels, a local day and seven days."""

    per_day: int
    per_week: int


@dataclass(frozen=True, slots=True)
class PracticeDocument:
    """The practice as its document says. country: two letters; region: a state or province, without the country.

    overdue_days: what is later than this is held for staff. one_marketing: one marketing journey at a time.
    """

    name: str
    short_name: str
    country: str
    region: str
    postal_address: str
    website: str
    caps: Caps
    overdue_days: int = 3
    one_marketing: bool = True


@dataclass(frozen=True, slots=True)
class LocationDocument:
    """A location as its document says; what is empty is the practice's.

    phone: as written. email: lower case. holidays: the calendar to propose closures from, such as US-OR, or empty.
    """

    name: str
    hours: Hours
    holidays: str
    country: str
    region: str
    phone: str
    email: str
    postal_address: str
    website: str
    booking_url: str


@dataclass(frozen=True, slots=True)
class SequenceStep:
    """One message of an old sequence, `day` days after its start. It names a template, or holds the words as body."""

    day: int
    channel: Channel
    template: str
    subject: str
    body: str


@dataclass(frozen=True, slots=True)
class Sequence:
    """An old sequence, in the order of its days."""

    name: str
    steps: tuple[SequenceStep, ...]


S = TypeVar("S", bound=Shape)


def read_practice(raw: RawDocument) -> PracticeDocument:
    """The practice that the document tells. Raises DocumentError."""
    shape = _read(raw, Format.PRACTICE, PracticeShape)
    return PracticeDocument(
        name=shape.name,
        short_name=shape.short_name or shape.name,
        country=shape.country,
        region=shape.region or "",
        postal_address=shape.postal_address or "",
        website=shape.website or "",
        caps=Caps(shape.caps.per_day, shape.caps.per_week or max(3, shape.caps.per_day)),
        overdue_days=shape.overdue_after.days,
        one_marketing=shape.one_marketing_journey,
    )


def read_location(raw: RawDocument) -> LocationDocument:
    """The location that the document tells. Raises DocumentError, also for an unknown zone or hours that never open."""
    problems = begin_reading(raw, Format.LOCATION)
    shape = read_shape(LocationShape, raw.data, problems)
    hours = None
    if "zone" in raw.data and "hours" in raw.data:  # told as missing already
        try:
            hours = parse_hours(raw.data["zone"], raw.data["hours"], raw.data.get("closures"))
        except DocumentError as refused:
            problems.absorb(refused)
    problems.raise_if_any()
    assert shape is not None
    assert hours is not None
    return LocationDocument(
        name=shape.name,
        hours=hours,
        holidays=shape.holidays or "",
        country=shape.country or "",
        region=shape.region or "",
        phone=shape.phone or "",
        email=shape.email or "",
        postal_address=shape.postal_address or "",
        website=shape.website or "",
        booking_url=shape.booking_url or "",
    )


def read_template(raw: RawDocument) -> Template:
    """The template that the document tells, not linted. Without a purpose it is marketing: the stricter one."""
    shape = _read(raw, Format.TEMPLATE, TemplateShape)
    return Template(shape.name, Channel(shape.channel), Purpose(shape.purpose), shape.subject or "", shape.body)


def read_group(raw: RawDocument) -> Group:
    """The group that the document tells. Raises DocumentError."""
    problems = begin_reading(raw, Format.GROUP)
    shape = read_shape(GroupShape, raw.data, problems)
    match = None
    if "match" in raw.data:
        try:
            match = parse_condition(raw.data["match"], in_journey=False)
        except DocumentError as refused:
            problems.absorb(refused, "match")
    problems.raise_if_any()
    assert shape is not None
    assert match is not None
    enroll = None if shape.enroll is None else Enroll(shape.enroll.journey, shape.enroll.existing)
    return Group(shape.name, match, enroll)


def read_sequence(raw: RawDocument) -> Sequence:
    """The old sequence that the document tells, its steps by day. Raises DocumentError."""
    shape = _read(raw, Format.SEQUENCE, SequenceShape)
    steps = [
        SequenceStep(step.day, Channel(step.channel), step.template or "", step.subject or "", step.body or "")
        for step in shape.steps
    ]
    return Sequence(shape.name, tuple(sorted(steps, key=lambda step: step.day)))


def _read(raw: RawDocument, wanted: Format, model: type[S]) -> S:
    problems = begin_reading(raw, wanted)
    shape = read_shape(model, raw.data, problems)
    problems.raise_if_any()
    assert shape is not None
    return shape
