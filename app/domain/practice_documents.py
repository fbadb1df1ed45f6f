"""The documents about a practice, read into frozen values: practice, location, template, group, sequence.

Each reader raises DocumentError with every problem. Phone numbers are kept as written: the service knows the country
that they are read in. Not here: providers (providers_document.py), a template's words (template_lint.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from app.domain.condition_format import parse_condition
from app.domain.documents import Format, Problems, RawDocument
from app.domain.errors import DocumentError, OperatorError
from app.domain.group import Enroll, Group
from app.domain.hours import Hours, parse_hours
from app.domain.people_phone import check_region
from app.domain.practice_shapes import (
    GroupShape,
    LocationShape,
    PracticeShape,
    SequenceShape,
    SequenceStepShape,
    TemplateShape,
)
from app.domain.shape import Shape, begin_reading, read_email_address, read_shape
from app.domain.states import Channel, Purpose
from app.domain.template import Template


@dataclass(frozen=True, slots=True)
class Caps:
    """The most messages to one person over all channels, a local day and seven days."""

    per_day: int
    per_week: int


@dataclass(frozen=True, slots=True)
class PracticeDocument:
    """The practice as its document says. country: two letters; region: a state or province, without the country."""

    name: str
    short_name: str
    country: str
    region: str
    postal_address: str
    website: str
    caps: Caps


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
V = TypeVar("V")

_HOLIDAYS = re.compile(r"[A-Z]{2}(-[A-Z0-9]{1,3})?")


def read_practice(raw: RawDocument) -> PracticeDocument:
    """The practice that the document tells. Raises DocumentError."""

    def value(shape: PracticeShape, problems: Problems) -> PracticeDocument:
        return PracticeDocument(
            name=shape.name,
            short_name=shape.short_name or shape.name,
            country=_country(shape.country, problems),
            region=_region(shape.region),
            postal_address=shape.postal_address or "",
            website=_link(shape.website, "website", problems),
            caps=_caps(shape, problems),
        )

    return _read(raw, Format.PRACTICE, PracticeShape, value)


def read_location(raw: RawDocument) -> LocationDocument:
    """The location that the document tells. Raises DocumentError, also for an unknown zone or hours that never open."""
    problems = begin_reading(raw, Format.LOCATION)
    shape = read_shape(LocationShape, raw.data, problems)
    hours = _hours(raw, problems)
    if shape is not None:
        country = _country(shape.country, problems) if shape.country else ""
        email = read_email_address(shape.email, "email", problems)
        website = _link(shape.website, "website", problems)
        booking_url = _link(shape.booking_url, "booking_url", problems)
        if shape.holidays and not _HOLIDAYS.fullmatch(shape.holidays):
            problems.add(
                f"{shape.holidays} is not a holiday calendar.",
                "holidays",
                "Write a country, or country and state: US-OR.",
            )
    problems.raise_if_any()
    assert shape is not None
    assert hours is not None
    return LocationDocument(
        name=shape.name,
        hours=hours,
        holidays=shape.holidays or "",
        country=country,
        region=_region(shape.region),
        phone=shape.phone or "",
        email=email,
        postal_address=shape.postal_address or "",
        website=website,
        booking_url=booking_url,
    )


def read_template(raw: RawDocument) -> Template:
    """The template that the document tells, not linted. Without a purpose it is marketing: the stricter one."""

    def value(shape: TemplateShape, problems: Problems) -> Template:
        subject = (shape.subject or "").strip()
        if "\n" in subject:
            problems.add("a subject is one line.", "subject")
        return Template(shape.name, Channel(shape.channel), Purpose(shape.purpose), subject, shape.body)

    return _read(raw, Format.TEMPLATE, TemplateShape, value)


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

    def value(shape: SequenceShape, problems: Problems) -> Sequence:
        steps = [_sequence_step(step, f"steps.{place}", problems) for place, step in enumerate(shape.steps)]
        return Sequence(shape.name, tuple(sorted(steps, key=lambda step: step.day)))

    return _read(raw, Format.SEQUENCE, SequenceShape, value)


# ---- parts


def _read(raw: RawDocument, wanted: Format, model: type[S], value: Callable[[S, Problems], V]) -> V:
    problems = begin_reading(raw, wanted)
    shape = read_shape(model, raw.data, problems)
    found = None if shape is None else value(shape, problems)
    problems.raise_if_any()
    assert found is not None
    return found


def _hours(raw: RawDocument, problems: Problems) -> Hours | None:
    if "zone" not in raw.data or "hours" not in raw.data:
        return None  # told as missing already
    try:
        return parse_hours(raw.data["zone"], raw.data["hours"], raw.data.get("closures"))
    except DocumentError as refused:
        problems.absorb(refused)
        return None


def _caps(shape: PracticeShape, problems: Problems) -> Caps:
    if shape.caps.per_week < shape.caps.per_day:
        problems.add("per_week is below per_day.", "caps.per_week", "A week allows at least what a day allows.")
    return Caps(shape.caps.per_day, shape.caps.per_week)


def _country(code: str, problems: Problems) -> str:
    try:
        return check_region(code.upper())
    except OperatorError as refused:
        problems.add(refused.told, "country", refused.hint)
        return code


def _region(code: str | None) -> str:
    return "" if code is None else code.upper()


def _link(text: str | None, path: str, problems: Problems) -> str:
    if text is None:
        return ""
    if not re.fullmatch(r"https?://[^\s/]+\S*", text):
        problems.add(f"{text[:80]} is not a web address.", path, "Write it whole, such as https://example.com/book.")
    return text


def _sequence_step(shape: SequenceStepShape, path: str, problems: Problems) -> SequenceStep:
    if (shape.template is None) == (shape.body is None):
        problems.add("a step has either a template or a body.", path, "Name a template, or write the words as body.")
    return SequenceStep(
        shape.day, Channel(shape.channel), shape.template or "", (shape.subject or "").strip(), shape.body or ""
    )
