"""PostgreSQL: engines, stops, holds, starts, an import, new hours and the big switch at once, for hundreds of rounds.

Nobody deadlocks, nothing goes out twice. Ten people in four journeys: everybody wants the same rows all the time.
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
from app.engine.hold import mark_handled, pause_enrollments, resume_enrollments
from app.engine.office_ports import EnrollmentNew
from app.engine.ports import AttemptNote
from app.service.import_people import PeopleImport, PeopleOrder
from app.store import tables as t
from app.store.session import Session
from app.store.unit_of_work import Store
from tests.builders import WEEK, journey_document
from tests.stage import Stage

BOOKED = {"record": "appointment", "status": "booked", "since": "enrollment"}
ROUNDS = 10
PHASES = 4
KINDS = (EventKind.REPLIED, EventKind.BOOKED, EventKind.OTHER, EventKind.AUTO_REPLY)


class Crowd:
    """What each of them does in one round. One round of one of them is one transaction, or one pass of an engine."""

    def __init__(self, store: Store, folder: Path) -> None:
        self.stage = Stage(store, in_flight=4)
        with store.session.write() as connection:
            connection.execute(sa.update(t.practice).values(per_day=99, per_week=99))
        self.journeys = [
            self.stage.world.journey(f"J{n}", journey_document(f"J{n}", converted={"when": BOOKED}, replied=n % 2 == 0))
            for n in range(4)
        ]
        self.people = [self.stage.world.person() for _ in range(10)]
        for person in self.people:
            for journey in self.journeys:
                self.stage.world.enrollment(person, journey)
        self.engines = [self.stage.another() for _ in range(3)]
        self.stage.provider.script = self._answer
        self.stage.provider.look_up = self._look_up
        self._answers = random.Random(7)
        self._order = PeopleOrder(self._file(folder), "Dana", consent="form")

    def engine(self, number: int) -> Callable[[random.Random], object]:
        def one_pass(_dice: random.Random) -> object:
            if number == 0:
                self.stage.clock.go_on(timedelta(seconds=1))
            return self.engines[number].run()

        return one_pass

    def event(self, dice: random.Random) -> None:
        self.stage.event(dice.choice(KINDS), dice.choice(self.people), needs_human=dice.random() < 0.3)

    def hold(self, dice: random.Random) -> None:
        now = self.stage.clock.now()
        person = dice.choice(self.people)
        with self.stage.store.open_uow() as uow:
            if dice.random() < 0.5:
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


@pytest.fixture
def crowd(postgres_database_url: str, tmp_path: Path) -> Iterator[Crowd]:
    session = Session(postgres_database_url)
    yield Crowd(Store(session), tmp_path)
    session.dispose()


def test_everything_at_once_deadlocks_nobody_and_sends_nothing_twice(crowd: Crowd) -> None:
    for phase in range(PHASES):
        assert at_once(crowd, phase) == []
        # leases run out between the phases: nobody's told time leaps while a call is on its way
        crowd.stage.clock.go_on(timedelta(seconds=130))

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
        **{f"event {number}": (crowd.event, 3 * ROUNDS) for number in range(2)},
        "hold": (crowd.hold, 3 * ROUNDS),
        "handled": (crowd.handled, 3 * ROUNDS),
        "start": (crowd.start, ROUNDS),
        "import": (crowd.imports, ROUNDS // 4),
        "hours": (crowd.hours, ROUNDS),
        "switch": (crowd.switch, ROUNDS),
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
