"""The people and the staff of a play: who is there, what they do, and what the world reports of them."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final, TypeVar

import sqlalchemy as sa

from app.domain.events import EventKind, InboxEvent
from app.domain.ids import PersonId
from app.domain.reasons import Why
from app.domain.states import Channel, Purpose
from app.engine.apply_event import apply_event
from app.engine.hold import mark_handled, pause_enrollments, resume_enrollments
from app.engine.office_ports import ConsentNew, EnrollmentNew
from app.store import tables as t
from app.store.unit_of_work import Store
from tests.builders import NOW, Published, World, journey_document
from tests.fakes import ToldClock
from tests.simulation.books import Books
from tests.simulation.provider import Killed

Steps = Mapping[str, Mapping[str, object]]
_Word = TypeVar("_Word")

_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
HOURS: Final = {day: [["06:00", "13:00"], ["14:00", "22:00"]] for day in _DAYS}
BOOKED: Final = {"record": "appointment", "status": "booked", "since": "enrollment"}
CARE: Final[Steps] = {
    "hi": {"do": "email", "template": "hi", "on_bad_address": "skip", "next": "hours"},
    "hours": {"do": "wait", "for": {"hours": 3}, "next": "asks"},
    "asks": {"do": "branch", "if": {"field": "person.status", "is": "calm"}, "yes": "done", "no": "remind"},
    "remind": {"do": "sms", "template": "remind", "useless_after": {"days": 1}, "next": "done"},
    "done": {"do": "end", "as": "exhausted"},
}
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
    """One practice with two journeys and three to five people. What was done is told in `said`, for the story."""

    def __init__(self, store: Store, clock: ToldClock, dice: random.Random, books: Books) -> None:
        self._store = store
        self._clock = clock
        self._dice = dice
        self._books = books
        self._keys = 0
        self._undelivered: list[InboxEvent] = []
        self._known: list[InboxEvent] = []
        self.said = ""
        self.world = World(store, NOW)
        with store.session.write() as connection:  # wide enough for much to go out, narrow enough to hold some of it
            connection.execute(sa.update(t.location).values(hours=HOURS, version=t.location.c.version + 1))
            connection.execute(sa.update(t.practice).values(per_day=dice.choice((1, 3, 9)), per_week=9))
        self._journeys = [
            self.world.journey("New lead", journey_document("New lead", converted={"when": BOOKED})),
            self.world.journey("Care", journey_document("Care", steps=CARE, purpose="care", replied=False)),
        ]
        self.people = [self._person() for _ in range(dice.randint(3, 5))]

    # what the world reports

    def something_happens(self) -> None:
        """A reply, a booking, a stop, a bounce: to anybody."""
        self._happens_to(self._dice.choice(self.people))

    def something_happens_in_hand(self) -> None:
        """The same, to the very person whose message a worker has in hand."""
        held = self.world.rows(t.message, state="sending") or self.world.rows(t.message, state="leased")
        self._happens_to(self._dice.choice([row["person_id"] for row in held] or self.people))

    def it_comes_again(self) -> None:
        """A webhook comes a second time, or one that was cut off half-way comes back."""
        events = self._undelivered or self._known
        if events:
            self._deliver(self._dice.choice(events), may_be_cut_off=True)

    def everything_comes_again(self) -> None:
        """Whoever reports goes on until it is taken."""
        for event in tuple(self._undelivered):
            self._deliver(event, may_be_cut_off=False)

    def _happens_to(self, person: PersonId) -> None:
        kind = draw(self._dice, KINDS)
        channel = self._dice.choice((None, Channel.SMS, Channel.EMAIL)) if kind in _BY_EITHER else None
        now = self._clock.now()
        self._keys += 1
        event = InboxEvent(
            source="world",
            key=f"k{self._keys}",
            kind=kind,
            happened_at=now,
            received_at=now,
            person_id=person,
            channel=Channel.EMAIL if kind in _BY_EMAIL else channel,
            text="signed form" if kind is EventKind.OPTED_IN else "",
            needs_human=self._dice.random() < 0.2,
        )
        self._undelivered.append(event)
        self._deliver(event, may_be_cut_off=True)

    def _deliver(self, event: InboxEvent, *, may_be_cut_off: bool) -> None:
        cut_off = may_be_cut_off and self._dice.random() < 0.1
        self.said = f"{event.kind} {event.key} of {event.person_id} by {event.channel}{' is cut off' * cut_off}"
        try:
            with self._store.open_uow() as uow:
                apply_event(uow, event, self._clock.now())
                if cut_off:
                    raise Killed
        except Killed:
            return
        if event in self._undelivered:
            self._undelivered.remove(event)
            self._known.append(event)

    # what staff do

    def hold(self) -> None:
        """Somebody is paused, until a date or for good."""
        person, now = self._dice.choice(self.people), self._clock.now()
        until = self._dice.choice((None, now + timedelta(minutes=1), now + timedelta(hours=2), now + timedelta(days=2)))
        with self._store.open_uow() as uow:
            held = pause_enrollments(uow, person, until, "Dana", now)
        self._books.paused.update(dict.fromkeys(held.changed, until))
        self.said = f"{person} until {until}"

    def resume(self) -> None:
        """Somebody goes on."""
        self._resume(self._dice.choice(self.people))

    def handle(self) -> None:
        """Somebody's reply was looked at."""
        with self._store.open_uow() as uow:
            mark_handled(uow, self._dice.choice(self.people), "Dana", self._clock.now())

    def pause_all(self) -> None:
        """The big switch."""
        with self._store.open_uow() as uow:
            uow.engine.pause(Why.SENDING_PAUSED, "Dana", self._clock.now())

    def go_on(self) -> None:
        """And back."""
        with self._store.open_uow() as uow:
            uow.engine.resume("Dana", self._clock.now())

    def lift_everything(self) -> None:
        """Sending goes on, replies are handled, holds are lifted."""
        self.go_on()
        for person in self.people:
            with self._store.open_uow() as uow:
                mark_handled(uow, person, "Dana", self._clock.now())
            self._resume(person)

    def start(self) -> None:
        """Somebody is started, for the first time or once more."""
        self._enroll(self._dice.choice(self.people), self._dice.choice(self._journeys))

    def agree(self) -> None:
        """Somebody agrees to marketing texts."""
        person = self._dice.choice(self.people)
        phone = str(self.world.row(t.person, person)["phone"] or "")
        now = self._clock.now()
        consent = ConsentNew(person, Channel.SMS, Purpose.MARKETING, "given", phone, now, "form", "", "", "Dana")
        if phone:
            with self._store.open_uow() as uow:
                uow.office.add_consents([consent])

    def _resume(self, person: PersonId) -> None:
        with self._store.open_uow() as uow:
            changed = resume_enrollments(uow, person, "Dana", self._clock.now()).changed
        for enrollment_id in changed:
            self._books.paused.pop(enrollment_id, None)

    def _person(self) -> PersonId:
        person = self.world.person(phone=None) if self._dice.random() < 0.1 else self.world.person()
        if self._dice.random() < 0.7:
            self.world.consent(person)
        for journey in self._journeys:
            if self._dice.random() < 0.8:
                self._enroll(person, journey)
        return person

    def _enroll(self, person: PersonId, journey: Published) -> None:
        self._keys += 1
        now = self._clock.now()
        row = EnrollmentNew(
            person_id=person,
            journey_id=journey.id,
            journey_version_id=journey.version_id,
            entry_key=self._dice.choice(("once", f"again-{self._keys}")),
            record_id=None,
            entered_at=now,
            entered_by="Dana",
            reason="",
            step=journey.start,
            send_budget=journey.send_budget,
        )
        with self._store.open_uow() as uow:
            uow.office.start([row])
