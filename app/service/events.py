"""Events by hand: what somebody saw happen and types in, or another program reports through the command line."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from app.domain.clock import Clock, utc
from app.domain.errors import OperatorError
from app.domain.events import Applied, EventKind, InboxEvent, derived_key, payload_hash
from app.domain.ids import PersonId
from app.domain.states import Channel
from app.engine.apply_event import apply_event
from app.engine.event_consents import said_no_later
from app.engine.ports import OpenUow, UnitOfWork
from app.service.again import again

SOURCE = "cli"


@dataclass(frozen=True, slots=True)
class Told:
    """What happened, as told. id: its id where it comes from, "" for none. at: None for now. channel: None for none."""

    kind: EventKind
    id: str = ""
    at: datetime | None = None
    text: str = ""
    channel: Channel | None = None


class Events:
    """Takes events in."""

    def __init__(self, open_uow: OpenUow, clock: Clock) -> None:
        self._open_uow = open_uow
        self._clock = clock

    def take_in(self, person_id: PersonId, told: Told, *, by: str, source: str = SOURCE) -> Applied:
        """Apply what happened to a person, once: the same id, or the same words at the same stated time, is a copy.

        Raises OperatorError when there is no such person, or an opt-in has no evidence or is older than their no.
        """
        now = self._clock.now()
        happened_at = utc(told.at) if told.at is not None else now
        event = InboxEvent(
            source=source,
            key=told.id or _key(person_id, told),
            kind=told.kind,
            happened_at=happened_at,
            received_at=now,
            person_id=person_id,
            channel=told.channel,
            text=told.text,
            actor=by,
            payload_hash=payload_hash(told.text),
        )

        def take() -> Applied:
            with self._open_uow() as uow:
                _check_yes(uow, event)
                return apply_event(uow, event, now)

        return again(take)


def _check_yes(uow: UnitOfWork, event: InboxEvent) -> None:
    """A yes that somebody types in and that is older than the person's no would lift nothing: they are told."""
    person = None if event.person_id is None else uow.people.read(event.person_id)
    if person is None or event.kind is not EventKind.OPTED_IN:
        return
    later = said_no_later(uow, event, person)
    if later:
        told = f"They asked for no more after that, on {max(later.values()):%d %B %Y}."
        raise OperatorError(told, "Only a yes that came later lifts it; --at says when it came.")


def _key(person_id: PersonId, told: Told) -> str:
    """What tells a copy where the source gives no id. Without a stated time nothing does: every call is an event."""
    if told.at is None:
        return uuid4().hex
    return derived_key(str(person_id), told.kind, told.at, told.text)
