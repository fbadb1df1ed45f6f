"""Random conditions and small random practices for them, from a seed: the words are few, so that they often meet."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any, TypeVar

import sqlalchemy as sa

from app.domain.condition_tree import (
    After,
    Ago,
    AllOf,
    AnyOf,
    Before,
    Condition,
    Contains,
    Empty,
    EndedJourney,
    FieldIs,
    FieldTest,
    HasEvent,
    HasRecord,
    HasTag,
    Is,
    Less,
    Moment,
    More,
    Not,
    Scalar,
    Since,
    SinceAgo,
    SinceEnrollment,
    Within,
    fold,
)
from app.domain.events import EventKind
from app.domain.facts import EventFact, Facts, JourneyFact, RecordFact
from app.domain.ids import PersonId
from app.domain.record import RecordKind
from app.domain.states import Channel, Contact, End
from app.store import tables as t
from tests.builders import Published, World

T = TypeVar("T")

NOW = datetime(2027, 3, 14, 9, 30, tzinfo=UTC)
DAY = timedelta(days=1)
TICK = timedelta(microseconds=1)
# what a person's fields, tags and labels are made of: case, blanks, letters that only Unicode folds, numbers, dates
WORDS = (
    *(
        "",
        " ",
        "a",
        "A",
        " Ab\t",
        "ab",
        "ABC",
        "b c",
        "É",
        "é",
        "İ",
        "ß",
        "Straße",
        "lost",
        "Lost ",
        "100%",
        "a_b",
        "a'b",
    ),
    *(
        "7",
        "07",
        "7.0",
        "-3",
        "2.5",
        "2.50",
        "1e3",
        "+7",
        "123456789012345",
        "1234567890123456",
        "0.1",
        "0.100000000000001",
    ),
    *(
        "2027-03-14",
        "2027-02-31",
        "2027-13-01",
        "2027-3-14",
        "2027-03-14T09:30:00Z",
        "9999-12-31",
        "0001-01-01",
        "true",
    ),
)
CUSTOM = ("size", "Size", 'a"b', "a.b", "$", "é", "a\\b")
STATUSES = ("booked", "missed", "done", "cancelled")
LABELS = ("", "first", "First ", "recall", "É")
TAGS = ("vip", "VIP ", "É", "ab")
JOURNEYS = ("New lead", "new LEAD", "Recall É")
LENGTHS = (TICK, timedelta(hours=1), DAY, 3 * DAY, 14 * DAY, 400 * DAY)
MOMENTS: tuple[timedelta, ...] = (
    *(timedelta(0), TICK, -TICK, DAY, -DAY, 3 * DAY, -3 * DAY, 3 * DAY + TICK, -3 * DAY - TICK, -14 * DAY, 14 * DAY),
    *(timedelta(hours=1), timedelta(hours=-1), -401 * DAY),
)
FIELDS = (
    *("person.status", "person.contact", "person.first_name", "person.last_name", "person.email", "person.phone"),
    *("person.location", "person.source", "person.created_at", "person.tags"),
)


class Draw:
    """Draws from one seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def one(self, among: Sequence[T]) -> T:
        """One of them."""
        return self._random.choice(among)

    def chance(self, of_one: float) -> bool:
        """True that often."""
        return self._random.random() < of_one

    def some(self, make: Callable[[], T], most: int) -> list[T]:
        """None to `most` of them."""
        return [make() for _ in range(self._random.randint(0, most))]

    def instant(self) -> datetime:
        """An instant on, or a hair beside, what the conditions' edges are."""
        return NOW + self.one(MOMENTS) + self.one(MOMENTS)

    # ---- conditions

    def condition(self, depth: int = 0) -> Condition:
        """A condition; at depth 3 a simple one."""
        kind = self._random.randint(0, 9 if depth < 3 else 6)
        match kind:
            case 0 | 1 | 2:
                return self._field()
            case 3 | 4:
                return self._record()
            case 5:
                return HasTag(fold(self.one(TAGS)))
            case 6:
                return self._happened()
            case 7:
                return AllOf(tuple(self.condition(depth + 1) for _ in range(self._random.randint(1, 3))))
            case 8:
                return AnyOf(tuple(self.condition(depth + 1) for _ in range(self._random.randint(1, 3))))
            case _:
                return Not(self.condition(depth + 1))

    def _field(self) -> Condition:
        name = f"person.custom.{self.one(CUSTOM)}" if self.chance(0.5) else self.one(FIELDS)
        if name == "person.tags":
            return FieldIs(name, Empty(self.chance(0.5)))
        return FieldIs(name, self._test())

    def _test(self) -> FieldTest:
        match self._random.randint(0, 6):
            case 0 | 1:
                return Is(tuple(self._scalar() for _ in range(self._random.randint(1, 3))), self.chance(0.4))
            case 2:
                return Contains(self.one([word for word in WORDS if fold(word)]))
            case 3:
                return Before(self._moment())
            case 4:
                return After(self._moment())
            case 5:
                limit = self.one((0, 7, 2.5, -3, 123456789012345, 10**17, 10**400, 0.1, 0.100000000000001))
                return Less(limit) if self.chance(0.5) else More(limit)
            case _:
                return Empty(self.chance(0.5))

    def _scalar(self) -> Scalar:
        words: list[Scalar] = [word for word in WORDS if fold(word)]
        return self.one(
            [*words, 7, 2.5, -3, 7.0, 0.1, 10**17, 10**400, True, False, "open", "with_staff", "p1@example.com"]
        )

    def _moment(self) -> Moment:
        match self._random.randint(0, 2):
            case 0:
                return self.instant()
            case 1:
                return self.instant().date()
            case _:
                return Ago(self.one(LENGTHS) if self.chance(0.7) else -self.one(LENGTHS))

    def _record(self) -> Condition:
        least, most = self.one(((1, None), (1, None), (2, None), (0, 0), (0, 1), (1, 1), (2, 3), (0, None)))
        return HasRecord(
            kind=self.one((RecordKind.APPOINTMENT, RecordKind.JOB)),
            statuses=tuple(self.some(lambda: self.one(STATUSES), 2)),
            label=fold(self.one(LABELS[1:])) if self.chance(0.4) else None,
            at_least=least,
            at_most=most,
            since=self._since(),
            within=self._within() if self.chance(0.5) else None,
        )

    def _within(self) -> Within:
        back = self.one(LENGTHS) if self.chance(0.7) else None
        ahead = self.one(LENGTHS) if back is None or self.chance(0.5) else None
        return Within(back, ahead)

    def _since(self) -> Since | None:
        if self.chance(0.5):
            return None
        return SinceEnrollment() if self.chance(0.2) else SinceAgo(self.one(LENGTHS))

    def _happened(self) -> Condition:
        if self.chance(0.5):
            kind = self.one((EventKind.REPLIED, EventKind.CLICKED))
            return HasEvent(kind, self.one((None, Channel.SMS, Channel.EMAIL)), self._since())
        ends = frozenset(self.some(lambda: self.one((End.REPLIED, End.EXHAUSTED, End.STOPPED)), 2))
        return EndedJourney(self.one(JOURNEYS), ends | {End.EXHAUSTED}, self._since())

    # ---- people

    def person(self, world: World, journeys: Sequence[Published]) -> PersonId:
        """A person with whatever conditions ask of: fields, tags, records, events, follow-ups that have ended."""
        columns: dict[str, Any] = {name: self.one(WORDS) for name in ("status", "first_name", "last_name", "source")}
        columns |= {name: None for name in ("email", "phone") if self.chance(0.3)}
        custom: dict[str, object] = {name: self.one(WORDS) for name in CUSTOM if self.chance(0.6)}
        if self.chance(0.2):
            custom["size"] = self.one((7, 2.5, True, None, ["a"], {"a": "b"}))
        person_id = world.person(
            **columns,
            custom=custom,
            created_at=self.instant(),
            tags=set(self.some(lambda: self.one(TAGS), 2)),
            contact=self.one((Contact.OPEN, Contact.OPEN, Contact.DO_NOT_CONTACT)),
        )
        for _ in range(self._random.randint(0, 3)):
            world.record(
                person_id,
                self.one(("appointment", "job")),
                self.one(STATUSES),
                label=self.one(LABELS),
                starts_at=self.instant() if self.chance(0.4) else None,
                due_on=self._day() if self.chance(0.4) else None,
                amount=Decimal("12.50") if self.chance(0.3) else None,
                at=self.instant(),
            )
        for _ in range(self._random.randint(0, 2)):
            kind = self.one((EventKind.REPLIED, EventKind.CLICKED))
            world.event(person_id, kind, channel=self.one((None, Channel.SMS)), happened_at=self.instant())
        for number, journey in enumerate(self.some(lambda: self.one(journeys), 2)):
            enrollment_id = world.enrollment(person_id, journey, entry_key=f"k{number}")
            state, at = self.one(("exhausted", "replied")), self.instant()
            with world.store.session.write() as connection:
                connection.execute(
                    sa.update(t.enrollment)
                    .where(t.enrollment.c.id == enrollment_id)
                    .values(state=state, version=2, wake_at=None, ended_at=at, end_detail="last_step")
                )
        return person_id

    def facts(self) -> Facts:
        """The same of nobody who is stored."""
        return Facts(
            fields={name: self.one(WORDS) for name in FIELDS[:4]}
            | {f"person.custom.{name}": self.one(WORDS) for name in CUSTOM}
            | {"person.created_at": self.instant()},
            tags=frozenset(self.some(lambda: self.one(TAGS), 2)),
            records=tuple(self.some(self._record_fact, 3)),
            events=tuple(self.some(lambda: EventFact(EventKind.REPLIED, self.instant(), Channel.SMS), 2)),
            journeys=tuple(self.some(lambda: JourneyFact("New lead", End.EXHAUSTED, self.instant()), 2)),
        )

    def _record_fact(self) -> RecordFact:
        return RecordFact(
            kind=self.one((RecordKind.APPOINTMENT, RecordKind.JOB)),
            status=self.one(STATUSES),
            status_changed_at=self.instant(),
            label=self.one(LABELS) or None,
            starts_at=self.instant() if self.chance(0.4) else None,
            due_on=self._day() if self.chance(0.4) else None,
        )

    def _day(self) -> date:
        return self.instant().date()
