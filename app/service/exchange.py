"""The exchange with an assistant: instructions out, one document in. No assistant is called from here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.domain.check import check_raw_documents
from app.domain.clock import Clock
from app.domain.condition_format import parse_condition
from app.domain.condition_words import told
from app.domain.documents import Format, RawDocument
from app.domain.errors import DocumentError
from app.domain.exchange import SetUp, instructions
from app.domain.exchange_reply import read_reply
from app.domain.group import Group
from app.domain.journey import Journey
from app.domain.journey_diff import journey_differences, text_differences
from app.domain.journey_format import read_journey
from app.domain.problem import Problem
from app.domain.template import Template
from app.engine.office_ports import OfficeUow, OpenOfficeUow
from app.engine.ports import LogLine
from app.service.document_rules import own_warnings
from app.service.document_saving import save
from app.service.groups import know_members
from app.service.known_names import known_names


@dataclass(frozen=True, slots=True)
class Accepted:
    """What was taken in. differences: to what was there, a line each; empty when it says the same."""

    format: Format
    name: str
    changed: bool
    differences: tuple[str, ...]
    warnings: tuple[Problem, ...]


class Exchange:
    """Writes the instructions, and takes an answer in."""

    def __init__(self, open_uow: OpenOfficeUow, clock: Clock) -> None:
        self._open_uow = open_uow
        self._clock = clock

    def instructions(self, kind: Format) -> str:
        """The text for a journey, a group or a template."""
        with self._open_uow() as uow:
            return instructions(kind, _setup(uow))

    def accept(self, reply: bytes, *, by: str) -> Accepted:
        """Save the one document of a reply as any save does; a journey becomes a draft, never live.

        Raises DocumentError with every problem, in words that can be pasted back; then nothing was saved.
        """
        raw = read_reply(reply)
        now = self._clock.now()
        with self._open_uow() as uow:
            result = check_raw_documents([raw], known_names(uow))
            if result.problems:
                raise DocumentError(result.problems)
            [checked] = result.documents
            differences = _differences(uow, checked.value)
            changed = save(uow, checked, now)
            if changed:
                facts = {"format": checked.format.value, "from": "assistant"}
                uow.log.add([LogLine(now, "document.applied", by, facts=dict(facts))])
        if changed and checked.format is Format.GROUP:
            know_members(self._open_uow, None, now)
        warnings = (*result.warnings, *own_warnings(result.documents))
        return Accepted(checked.format, checked.name, changed, differences, warnings)


def _setup(uow: OfficeUow) -> SetUp:
    documents = uow.documents
    journeys = {row.name: row.draft if row.draft is not None else row.live_document for row in documents.journeys()}
    return SetUp(
        templates=tuple((row.name, row.channel.value, row.purpose.value) for row in documents.templates().values()),
        groups=tuple(documents.groups()),
        locations=tuple(row.name for row in documents.locations()),
        custom_fields=documents.custom_fields(),
        statuses=documents.statuses_in_use(),
        steps={name: _steps(document) for name, document in journeys.items() if document is not None},
    )


def _steps(document: Mapping[str, object]) -> tuple[str, ...]:
    steps = document.get("steps")
    return tuple(str(step) for step in steps) if isinstance(steps, Mapping) else ()


def _differences(uow: OfficeUow, value: object) -> tuple[str, ...]:
    match value:
        case Journey():
            row = uow.documents.journey(value.name)
            stored = None if row is None else row.draft if row.draft is not None else row.live_document
            return journey_differences(None if stored is None else read_journey(RawDocument(stored)), value)
        case Template():
            before = uow.documents.templates().get(value.name)
            if before is None:
                return (f"{value.name} is new: {value.channel.value}, {value.purpose.value}.",)
            purpose = f"purpose: {before.purpose.value} -> {value.purpose.value}"
            return (
                *((purpose,) if before.purpose is not value.purpose else ()),
                *(f"subject, {line}" for line in text_differences(before.subject, value.subject)),
                *(f"body, {line}" for line in text_differences(before.body, value.body)),
            )
        case Group():
            match = uow.documents.group_match(value.name)
            if match is None:
                return (f"{value.name} is new: who matches when {told(value.match)}.",)
            old, new = told(parse_condition(match, in_journey=False)), told(value.match)
            return () if old == new else (f"who matches: when {old} -> when {new}.",)
        case _:
            raise AssertionError("read_reply takes journeys, groups and templates alone")
