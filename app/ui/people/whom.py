"""Whom a press is about."""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.ids import PersonId
from app.domain.lines import MessageLine, PersonLine, QueueLine


@dataclass(frozen=True, slots=True)
class Whom:
    """A person as bars and panels name them. zone: on whose clock times are told."""

    id: PersonId
    name: str
    zone: str


def whom(line: PersonLine) -> Whom:
    """The person of a row of People."""
    return Whom(line.id, line.name or nameless(line.id), line.zone)


def whom_of(line: QueueLine | MessageLine) -> Whom:
    """The person of a row of Queue or Sent."""
    return Whom(line.person_id, line.name or nameless(line.person_id), line.zone)


def nameless(person_id: PersonId) -> str:
    """Someone who came without a name, or whose details were erased."""
    return f"Person {person_id}"
