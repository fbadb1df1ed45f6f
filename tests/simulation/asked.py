"""What the books know of the rules by themselves, and not by the product's own guards: versions, hours, opt-outs."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa

from app.domain.events import EventKind, InboxEvent
from app.domain.hours import Hours
from app.domain.states import Channel
from app.engine.ports import AttemptNote
from app.store import tables as t
from app.store.unit_of_work import Store
from tests.simulation.drawn import CARE

SHUT_BEFORE: Final = {Channel.EMAIL: timedelta(0), Channel.SMS: timedelta(minutes=5)}
_MINUTES: Final = {"minutes": 1, "hours": 60, "days": 1440}


class Versions:
    """Published documents as they were drawn: what can still be said from a step on, and how long a pause is."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[int, Mapping[str, Any]] = {}

    def steps(self, version_id: int) -> Mapping[str, Mapping[str, Any]]:
        """The steps by id."""
        if version_id not in self._known:
            with self._store.session.read() as connection:
                asked = sa.select(t.journey_version.c.document).where(t.journey_version.c.id == version_id)
                self._known[version_id] = connection.execute(asked).scalar_one()["steps"]
        found: Mapping[str, Mapping[str, Any]] = self._known[version_id]
        return found

    def rest(self, version_id: int, step: str) -> int:
        """The most messages on any way from `step` on, by walking all of them."""
        drawn = self.steps(version_id)[step]
        ways = [drawn[name] for name in ("next", "yes", "no") if name in drawn]
        return (drawn["do"] in ("email", "sms")) + max((self.rest(version_id, way) for way in ways), default=0)

    def pause(self, version_id: int) -> timedelta:
        """How long the version waits before its text at the least; none where it has no such wait."""
        waits = [drawn["for"] for step, drawn in self.steps(version_id).items() if step in ("pause", "rest")]
        if not waits:
            return timedelta(0)
        length = sum(_MINUTES[unit] * number for unit, number in waits[0].items() if unit in _MINUTES)
        return timedelta(minutes=length) - (timedelta(days=1) if "at" in waits[0] else timedelta(0))

    def rests(self, version_id: int) -> timedelta:
        """How long all its waits are together at the most: one with a time of day ends up to a day later."""
        waits = [drawn["for"] for drawn in self.steps(version_id).values() if drawn["do"] == "wait"]
        minutes = sum(_MINUTES[unit] * number for wait in waits for unit, number in wait.items() if unit in _MINUTES)
        return timedelta(minutes=minutes) + timedelta(days=1) * sum("at" in wait for wait in waits)

    def retimed(self, before: int, after: int, step: str) -> bool:
        """Whether a wait has another length in the version after."""
        return bool(self.steps(before)[step].get("for") != self.steps(after)[step].get("for"))


class Asked:
    """What is asked at the moment of a call: the hours at the note, who opted out, who agreed, who is with staff."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._hours: list[tuple[int, Hours]] = []
        self._closed: set[tuple[str, str]] = set()
        self._marketing: frozenset[int] = frozenset()

    @property
    def marketing(self) -> frozenset[int]:
        """The marketing journeys."""
        if not self._marketing:
            with self._store.session.read() as connection:
                asked = sa.select(t.journey.c.id).where(t.journey.c.name != CARE)
                self._marketing = frozenset(connection.execute(asked).scalars())
        return self._marketing

    def open_at(self, hours: Hours) -> None:
        """From the next attempt on these are the hours."""
        with self._store.session.read() as connection:
            newest = connection.scalar(sa.select(sa.func.max(t.attempt.c.id))) or 0
        self._hours.append((newest, hours))

    def heard(self, event: InboxEvent) -> None:
        """An opt-out closes the address for everybody who has it; an opt-in of anybody who has it may open it."""
        if event.person_id is None or event.kind not in (EventKind.OPTED_OUT, EventKind.OPTED_IN):
            return
        with self._store.session.read() as connection:
            asked = sa.select(t.person.c.email, t.person.c.phone).where(t.person.c.id == event.person_id)
            row = connection.execute(asked).one()
        by = {Channel.EMAIL: row.email, Channel.SMS: row.phone}
        channels = tuple(by) if event.channel is None else (event.channel,)
        if event.kind is EventKind.OPTED_IN:
            self._closed -= {(channel.value, address) for channel, address in by.items() if address}
        else:
            self._closed |= {(channel.value, address) for channel in channels if (address := by[channel])}

    def wrong(self, note: AttemptNote, message: Mapping[str, Any]) -> str:
        """What speaks against this call; "" when nothing does. message: its live row."""
        if (note.channel.value, note.to) in self._closed:
            return f"I10: called although somebody with {note.channel.value} address of {note.person_id} opted out"
        hours = [hours for newest, hours in self._hours if newest < note.attempt_id][-1]
        if not hours.send_ok(note.noted_at, SHUT_BEFORE[note.channel]):
            return f"permitted at {note.noted_at:%a %H:%M} UTC, out of hours"
        with self._store.session.read() as connection:
            person = connection.execute(sa.select(t.person).where(t.person.c.id == note.person_id)).mappings().one()
            newest = connection.scalar(
                sa.select(t.consent.c.act)
                .where(t.consent.c.person_id == note.person_id, t.consent.c.channel == "sms")
                .order_by(t.consent.c.at.desc(), t.consent.c.id.desc())
                .limit(1)
            )
        since: datetime | None = person["with_staff_since"]
        if since is not None and since < note.noted_at:
            return f"permitted although {note.person_id} was with staff"
        if message["template"] == "nudge" and newest != "given":
            return f"permitted although {note.person_id} does not agree to texts"
        return self._out_of_turn(note)

    def _out_of_turn(self, note: AttemptNote) -> str:
        """Of two marketing journeys that somebody is in, the one that has spoken goes on and the other waits."""
        e, m = t.enrollment.c, t.message.c
        spoken = sa.exists().where(m.enrollment_id == e.id, m.accepted_at < note.noted_at)
        asked = sa.select(e.id, e.journey_id, spoken.label("spoken")).where(
            e.person_id == note.person_id, e.ended_at.is_(None), e.journey_id.in_(self.marketing)
        )
        with self._store.session.read() as connection:
            live = {row.id: row.spoken for row in connection.execute(asked)}
        mine = live.pop(note.enrollment_id or 0, None)
        if mine is None or mine or not any(live.values()):
            return ""
        return f"{note.enrollment_id} speaks although another marketing journey of {note.person_id} has begun"
