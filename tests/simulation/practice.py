"""The people of a play and what the world reports of them. What staff do: staff.py."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final, TypeVar

import sqlalchemy as sa

from app.domain.documents import RawDocument
from app.domain.events import EventKind, InboxEvent
from app.domain.ids import PersonId
from app.domain.journey_format import read_journey
from app.domain.states import Channel, JourneyState
from app.engine.apply_event import apply_event
from app.engine.office_ports import EnrollmentNew
from app.store import tables as t
from app.store.unit_of_work import Store
from tests.builders import World
from tests.fakes import ToldClock
from tests.simulation.books import Books
from tests.simulation.drawn import BACK, DRAWN, WORDS
from tests.simulation.provider import Killed

_Word = TypeVar("_Word")

_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
HOURS: Final = {day: [["06:00", "13:00"], ["14:00", "22:00"]] for day in _DAYS}
KINDS: Final[Sequence[tuple[EventKind, int]]] = (
    *((EventKind.REPLIED, 5), (EventKind.BOOKED, 3), (EventKind.STOPPED, 3), (EventKind.OPTED_OUT, 3)),
    *((EventKind.BOUNCED, 2), (EventKind.OTHER, 2), (EventKind.OPTED_IN, 2), (EventKind.CLOSED, 1)),
    *((EventKind.COMPLAINED, 1), (EventKind.DISCONNECTED, 1), (EventKind.AUTO_REPLY, 1)),
)
_BY_EMAIL = frozenset({EventKind.BOUNCED, EventKind.COMPLAINED})
_BY_EITHER = frozenset({EventKind.OPTED_OUT, EventKind.REPLIED})


def draw(dice: random.Random, table: Sequence[tuple[_Word, int]]) -> _Word:
    """One of `table`, by its weight."""
    words, weights = zip(*table, strict=True)
    found: _Word = dice.choices(words, weights)[0]
    return found


class Practice:
    """One practice with three journeys, a group that feeds one of them, and three to five people.

    What was done is told in `said`, for the story.
    """

    def __init__(self, store: Store, clock: ToldClock, dice: random.Random, books: Books) -> None:
        self.store = store
        self.clock = clock
        self.dice = dice
        self.books = books
        self.keys = 0
        self.said = ""
        self._undelivered: list[InboxEvent] = []
        self._known: list[InboxEvent] = []
        start = clock.now()
        self.world = World(store, start)
        with store.session.write() as connection:  # wide enough for much to go out, narrow enough to hold some of it
            connection.execute(sa.update(t.location).values(hours=HOURS, version=t.location.c.version + 1))
            connection.execute(sa.update(t.practice).values(per_day=dice.choice((1, 3, 9)), per_week=9))
        with store.open_uow() as uow:
            for name, (channel, purpose, body) in WORDS.items():
                subject = "Hello" if channel is Channel.EMAIL else ""
                uow.documents.save_template(name, channel, purpose, subject, body, start)
        for name, drawn in DRAWN.items():
            self.world.journey(name, drawn())
        with store.open_uow() as uow:  # whoever is with staff, or opted in, enters by themselves
            rule = {"any": [{"field": "person.contact", "is": "with_staff"}, {"event": "opted_in"}]}
            uow.documents.save_group("in touch", rule, {"journey": BACK, "existing": False})
        self.people = [self.newcomer() for _ in range(dice.randint(3, 5))]

    # what the world reports

    def something_happens(self) -> None:
        """A reply, a booking, a stop, a bounce: to anybody."""
        self._happens_to(self.dice.choice(self.people))

    def something_happens_in_hand(self) -> None:
        """The same, to the very person whose message a worker has in hand."""
        held = self.world.rows(t.message, state="sending") or self.world.rows(t.message, state="leased")
        self._happens_to(self.dice.choice([row["person_id"] for row in held] or self.people))

    def it_comes_again(self) -> None:
        """A webhook comes a second time, or one that was cut off half-way comes back."""
        events = self._undelivered or self._known
        if events:
            self._deliver(self.dice.choice(events), may_be_cut_off=True)

    def a_stranger_writes(self) -> None:
        """Something comes in from an address that nobody here has (I17)."""
        self._deliver(self._event(EventKind.REPLIED, None, Channel.SMS, address="+15035550199"), may_be_cut_off=True)

    def everything_comes_again(self) -> None:
        """Whoever reports goes on until it is taken."""
        for event in tuple(self._undelivered):
            self._deliver(event, may_be_cut_off=False)

    def _happens_to(self, person: PersonId) -> None:
        kind = draw(self.dice, KINDS)
        channel = self.dice.choice((None, Channel.SMS, Channel.EMAIL)) if kind in _BY_EITHER else None
        channel = Channel.EMAIL if kind in _BY_EMAIL else channel
        self._deliver(self._event(kind, person, channel), may_be_cut_off=True)

    def _event(self, kind: EventKind, person: PersonId | None, channel: Channel | None, **more: Any) -> InboxEvent:
        now = self.clock.now()
        self.keys += 1
        event = InboxEvent(
            source="world",
            key=f"k{self.keys}",
            kind=kind,
            happened_at=now,
            received_at=now,
            person_id=person,
            channel=channel,
            text="signed form" if kind is EventKind.OPTED_IN else "",
            needs_human=self.dice.random() < 0.2,
            **more,
        )
        self._undelivered.append(event)
        return event

    def _deliver(self, event: InboxEvent, *, may_be_cut_off: bool) -> None:
        cut_off = may_be_cut_off and self.dice.random() < 0.1
        self.said = f"{event.kind} {event.key} of {event.person_id} by {event.channel}{' is cut off' * cut_off}"
        try:
            with self.store.open_uow() as uow:
                apply_event(uow, event, self.clock.now())
                if cut_off:
                    raise Killed
        except Killed:
            return
        if event in self._undelivered:
            self._undelivered.remove(event)
            self._known.append(event)
            self.books.heard(event)

    # who is there

    def newcomer(self) -> PersonId:
        """Somebody with or without a phone, now and then with another's; in some of the journeys."""
        columns: dict[str, Any] = {}
        luck = self.dice.random()
        if luck < 0.1:
            columns["phone"] = None
        elif luck < 0.25 and getattr(self, "people", None):
            columns["phone"] = self.world.row(t.person, self.dice.choice(self.people))["phone"]
        person = self.world.person(**columns)
        if self.dice.random() < 0.7:
            self.world.consent(person)
        for name in DRAWN:
            if self.dice.random() < 0.6:
                self.enroll(person, name)
        return person

    def enroll(self, person: PersonId, name: str) -> None:
        """Start them in the live version, if there is one."""
        self.keys += 1
        now = self.clock.now()
        with self.store.open_uow() as uow:
            row = uow.documents.journey(name)
            if row is None or row.state is not JourneyState.LIVE or row.live_version_id is None:
                self.said = f"{person} in {name}, which takes in nobody"
                return
            new = EnrollmentNew(
                person_id=person,
                journey_id=row.id,
                journey_version_id=row.live_version_id,
                entry_key=self.dice.choice(("once", f"again-{self.keys}")),
                record_id=None,
                entered_at=now,
                entered_by="Dana",
                reason="",
                step=read_journey(RawDocument(row.live_document or {})).start,
                send_budget=row.live_send_budget or 0,
            )
            started = uow.office.start([new])
        self.said = f"{person} in {name} version {row.live_number}: {started[0].refused or 'started'}"

    def later(self, *lengths: timedelta | None) -> datetime | None:
        """One of `lengths` from now; None for None."""
        length = self.dice.choice(lengths)
        return None if length is None else self.clock.now() + length
