"""PostgreSQL: engines, stops, holds, starts, imports, new hours and versions, decisions about what is overdue, channels
tried by hand and the big switch at once, for hundreds of rounds.

Nobody deadlocks, nothing goes out twice. Ten people in five journeys: everybody wants the same rows all the time.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from app.domain.answer import Absent, Answer, LookUp, Outage, Transient, Unknown
from app.domain.events import EventKind
from app.domain.reasons import Why
from app.domain.states import Channel, Purpose
from app.engine.hold import mark_handled, pause_enrollments, resume_enrollments
from app.engine.lineup_ports import Lineup
from app.engine.office_ports import EnrollmentNew
from app.engine.ports import AttemptNote
from app.service.channels import Channels
from app.service.import_people import PeopleImport, PeopleOrder
from app.service.import_records import RecordsImport, RecordsOrder
from app.service.overdue import Overdue
from app.service.publishing import Inside, Publishing
from app.store import tables as t
from app.store.session import Session
from app.store.unit_of_work import Store
from tests.builders import WEEK, Published, journey_document
from tests.stage import Stage

BOOKED = {"record": "appointment", "status": "booked", "since": "enrollment"}
ROUNDS = 10
PHASES = 4
# mostly what ends nothing: who has ended is in nobody's way
KINDS = (EventKind.REPLIED, EventKind.BOOKED, *4 * (EventKind.OTHER, EventKind.AUTO_REPLY))
MOVING = "Moving"
SHARED = "+12025550143"


class Crowd:
    """What each of them does in one round. One round of one of them is one transaction, or one pass of an engine."""

    def __init__(self, store: Store, folder: Path) -> None:
        self.stage = Stage(store, in_flight=4)
        with store.session.write() as connection:
            connection.execute(sa.update(t.practice).values(per_day=99, per_week=99, overdue_days=1))
        self.journeys = [
            self.stage.world.journey(f"J{n}", journey_document(f"J{n}", converted={"when": BOOKED}, replied=n % 2 == 0))
            for n in range(4)
        ]
        self.journeys.append(self._drawn_anew())
        numbers: list[dict[str, object]] = [{"phone": SHARED} if n < 4 else {} for n in range(10)]
        self.people = [self.stage.world.person(**columns) for columns in numbers]  # type: ignore[arg-type]
        for person in self.people:
            self.stage.world.consent(person)
            for journey in self.journeys:
                self.stage.world.enrollment(person, journey)
        self.publishing = Publishing(store.open_uow, store.open_reader, self.stage.clock)
        self.engines = [self.stage.another() for _ in range(3)]
        self.stage.provider.script = self._answer
        self.stage.provider.look_up = self._look_up
        self._answers = random.Random(7)
        self._order = PeopleOrder(self._file(folder), "Dana", consent="form")
        self._records = RecordsOrder(self._records_file(folder), "Dana")

    def engine(self, number: int) -> Callable[[random.Random], object]:
        def one_pass(_dice: random.Random) -> object:
            if number == 0:
                self.stage.clock.go_on(timedelta(seconds=1))
            return self.engines[number].run()

        return one_pass

    def event(self, dice: random.Random) -> None:
        self.stage.event(dice.choice(KINDS), dice.choice(self.people), needs_human=dice.random() < 0.1)

    def hold(self, dice: random.Random) -> None:
        now = self.stage.clock.now()
        person = dice.choice(self.people)
        with self.stage.store.open_uow() as uow:
            if dice.random() < 0.3:
                pause_enrollments(uow, person, dice.choice((None, now + timedelta(minutes=1))), "Dana", now)
            else:
                resume_enrollments(uow, person, "Dana", now)

    def handled(self, dice: random.Random) -> None:
        with self.stage.store.open_uow() as uow:
            mark_handled(uow, dice.choice(self.people), "Dana", self.stage.clock.now())

    def start(self, dice: random.Random) -> None:
        journey = dice.choice(self.journeys)
        rows = [
            EnrollmentNew(
                person_id=person,
                journey_id=journey.id,
                journey_version_id=journey.version_id,
                entry_key=f"again-{dice.random()}",
                record_id=None,
                entered_at=self.stage.clock.now(),
                entered_by="Dana",
                reason="",
                step=journey.start,
                send_budget=journey.send_budget,
            )
            for person in dice.sample(self.people, 5)
        ]
        with self.stage.store.open_uow() as uow:
            uow.office.start(rows)

    def imports(self, _dice: random.Random) -> None:
        PeopleImport(self.stage.store.open_uow, self.stage.clock).run(self._order)

    def hours(self, dice: random.Random) -> None:
        hours = {day: [[f"0{dice.randint(0, 8)}:00", "23:00"]] for day in WEEK}
        with self.stage.store.open_uow() as uow:
            uow.documents.save_location(replace(uow.documents.locations()[0], hours=hours), self.stage.clock.now())

    def switch(self, _dice: random.Random) -> None:
        for change in ("pause", "resume"):
            with self.stage.store.open_uow() as uow:
                if change == "pause":
                    uow.engine.pause(Why.SENDING_PAUSED, "Dana", self.stage.clock.now())
                else:
                    uow.engine.resume("Dana", self.stage.clock.now())

    def shared(self, dice: random.Random) -> None:
        """A stop from a number that four have, and now and then one of them comes back."""
        kind = EventKind.OPTED_OUT if dice.random() < 0.5 else EventKind.OPTED_IN
        parts = {"channel": Channel.SMS, "address": SHARED, "text": "START"}
        self.stage.event(kind, dice.choice((None, *self.people[:4])), **parts)  # type: ignore[arg-type]

    def records(self, _dice: random.Random) -> None:
        RecordsImport(self.stage.store.open_uow, self.stage.clock).run(self._records)

    def publish(self, dice: random.Random) -> None:
        with self.stage.store.open_uow() as uow:
            uow.documents.save_draft(MOVING, _document(dice.randint(1, 9)), self.stage.clock.now())
        self.publishing.publish(MOVING, Inside.MOVE_WHO_CAN, by="Dana")

    def overdue(self, dice: random.Random) -> None:
        now = self.stage.clock.now()
        with self.stage.store.open_reader() as reads:
            ids = [line.enrollment_id for line in reads.overdue(now)]
        decide = Overdue(self.stage.store.open_uow, self.stage.clock)
        match dice.randint(0, 2):
            case 0:
                decide.release(ids, by="Dana")
            case 1:
                decide.skip(ids[:2], by="Dana")
            case _:
                decide.retime(ids, now + timedelta(minutes=1), by="Dana")

    def channel(self, dice: random.Random) -> None:
        lineup = Lineup.of(self.engines[0].deliver.senders)
        channels = Channels(self.stage.store.open_uow, lambda: lineup, self.stage.clock)
        channels.try_now(dice.choice((Channel.EMAIL, Channel.SMS)), by="Dana")

    def _drawn_anew(self) -> Published:
        for name, channel in (("hello", Channel.EMAIL), ("nudge", Channel.SMS)):
            subject = "Hello" if channel is Channel.EMAIL else ""
            with self.stage.store.open_uow() as uow:
                now = self.stage.clock.now()
                uow.documents.save_template(name, channel, Purpose.CARE, subject, "Hi {{ person.first_name }}", now)
        return self.stage.world.journey(MOVING, _document(1))

    def _records_file(self, folder: Path) -> Path:
        rows = self.stage.world.rows(t.person)
        lines = [f"{row['email']},quote,sent,Q{number % 7}" for number, row in enumerate(rows)]
        path = folder / "records.csv"
        path.write_text("\n".join(("person,kind,status,external_id", *lines)), encoding="utf-8")
        return path

    def _answer(self, _note: AttemptNote) -> Answer | None:
        luck = self._answers.random()
        if luck < 0.15:
            return Outage(Why.OFFLINE)
        return Transient(Why.BUSY) if luck < 0.3 else Unknown(Why.NO_ANSWER) if luck < 0.4 else None

    def _look_up(self, note: AttemptNote) -> LookUp:
        return Absent(sure=False) if self._answers.random() < 0.4 else self.stage.provider._on_list(note)

    def _file(self, folder: Path) -> Path:
        rows = self.stage.world.rows(t.person)
        known = [f"{row['first_name']},{row['last_name']},{row['email']},{row['phone']},web" for row in rows]
        new = [f"New,Row{number},new{number}@example.com,,web" for number in range(5)]
        path = folder / "people.csv"
        path.write_text("\n".join(("First name,Last name,Email,Phone,Source", *known, *new)), encoding="utf-8")
        return path


def _document(minutes: int) -> dict[str, object]:
    steps: dict[str, dict[str, object]] = {
        "hello": {"do": "email", "template": "hello", "next": "pause"},
        "pause": {"do": "wait", "for": {"minutes": minutes}, "next": "nudge"},
        "nudge": {"do": "sms", "template": "nudge", "next": "more"},
        "more": {"do": "email", "template": "hello", "next": "done"},
        "done": {"do": "end", "as": "exhausted"},
    }
    return journey_document(MOVING, steps=steps, purpose="care", converted="never", closed="never")


@pytest.fixture
def crowd(postgres_database_url: str, tmp_path: Path) -> Iterator[Crowd]:
    session = Session(postgres_database_url)
    yield Crowd(Store(session), tmp_path)
    session.dispose()


def test_everything_at_once_deadlocks_nobody_and_sends_nothing_twice(crowd: Crowd) -> None:
    for phase in range(PHASES):
        assert at_once(crowd, phase) == []
        # leases run out and things get late between the phases: no told time leaps while a call is on its way
        crowd.stage.clock.go_on(timedelta(seconds=130) if phase != 1 else timedelta(days=2))

    crowd.stage.provider.script = lambda _note: None
    crowd.stage.provider.look_up = crowd.stage.provider._on_list
    for _ in range(3):
        crowd.stage.clock.go_on(timedelta(minutes=3))
        crowd.stage.run()
    assert not [row for row in crowd.stage.world.rows(t.message) if row["state"] in ("leased", "sending")]
    crowd.stage.balanced()


def at_once(crowd: Crowd, phase: int) -> list[str]:
    """Everybody's rounds in threads of their own; what went wrong."""
    rounds: dict[str, tuple[Callable[[random.Random], object], int]] = {
        **{f"engine {number}": (crowd.engine(number), ROUNDS) for number in range(3)},
        **{f"event {number}": (crowd.event, ROUNDS) for number in range(2)},
        "hold": (crowd.hold, 3 * ROUNDS),
        "handled": (crowd.handled, 6 * ROUNDS),
        "start": (crowd.start, 3 * ROUNDS),
        "import": (crowd.imports, ROUNDS // 4),
        "hours": (crowd.hours, ROUNDS),
        "switch": (crowd.switch, ROUNDS),
        "shared": (crowd.shared, ROUNDS // 3),
        "records": (crowd.records, ROUNDS // 2),
        "publish": (crowd.publish, ROUNDS // 2),
        "overdue": (crowd.overdue, ROUNDS),
        "channel": (crowd.channel, ROUNDS),
    }
    faults: list[str] = []
    begin = threading.Barrier(len(rounds))

    def work(name: str, one: Callable[[random.Random], object], times: int) -> None:
        dice = random.Random(f"{name} {phase}")
        begin.wait()
        for _ in range(times):
            try:
                one(dice)
            except Exception as fault:  # noqa: BLE001 -- shown by the assertion on them
                faults.append(f"{name}: {type(fault).__name__}: {fault} {fault.__cause__}")

    threads = [threading.Thread(target=work, args=(name, *what)) for name, what in rounds.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return faults
