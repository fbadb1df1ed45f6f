"""What staff do in a play: hold and go on, the big switch, start, publish, retire, import, change the hours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Final

from app.domain.errors import OperatorError
from app.domain.hours import parse_hours
from app.domain.ids import EnrollmentId, ImportId, PersonId
from app.domain.reasons import Why
from app.domain.states import Channel, Purpose
from app.engine.consent_ports import ConsentNew
from app.engine.hold import mark_handled, pause_enrollments, resume_enrollments
from app.service.import_people import PeopleImport, PeopleOrder
from app.service.overdue import Overdue
from app.service.publishing import Inside, Publishing
from app.store import tables as t
from tests.simulation.drawn import BACK, CARE, DRAWN, LEAD
from tests.simulation.practice import HOURS, Practice

BY: Final = "Dana"
SHORT: Final = {day: [["10:00", "16:00"]] for day in HOURS}


class Staff:
    """The desk of one practice."""

    def __init__(self, practice: Practice, folder: Path) -> None:
        self._practice = practice
        self._store = practice.store
        self._dice = practice.dice
        self._publishing = Publishing(practice.store.open_uow, practice.store.open_reader, practice.clock)
        self._import = PeopleImport(practice.store.open_uow, practice.clock)
        self._overdue = Overdue(practice.store.open_uow, practice.clock)
        self._folder = folder
        self._imports: list[tuple[ImportId, Sequence[PersonId]]] = []

    # one person

    def hold(self) -> None:
        """Somebody is paused, until a date or for good."""
        person = self._anybody()
        until = self._practice.later(None, timedelta(minutes=1), timedelta(hours=2), timedelta(days=2))
        with self._store.open_uow() as uow:
            held = pause_enrollments(uow, person, until, BY, self._practice.clock.now())
        self._practice.books.paused.update(dict.fromkeys(held.changed, until))
        self._practice.said = f"{person} until {until}"

    def resume(self) -> None:
        """Somebody goes on."""
        self._resume(self._anybody())

    def handle(self) -> None:
        """Somebody's reply was looked at."""
        with self._store.open_uow() as uow:
            mark_handled(uow, self._anybody(), BY, self._practice.clock.now())

    def start(self) -> None:
        """Somebody is started, for the first time or once more."""
        self._practice.enroll(self._anybody(), self._dice.choice(tuple(DRAWN)))

    def agree(self) -> None:
        """Somebody agrees to marketing texts."""
        person, now = self._anybody(), self._practice.clock.now()
        phone = str(self._practice.world.row(t.person, person)["phone"] or "")
        consent = ConsentNew(person, Channel.SMS, Purpose.MARKETING, "given", phone, now, "form", "", "", BY)
        if phone:
            with self._store.open_uow() as uow:
                uow.consents.add([consent], now)

    # everybody

    def pause_all(self) -> None:
        """The big switch."""
        with self._store.open_uow() as uow:
            uow.engine.pause(Why.SENDING_PAUSED, BY, self._practice.clock.now())

    def go_on(self) -> None:
        """And back."""
        with self._store.open_uow() as uow:
            uow.engine.resume(BY, self._practice.clock.now())

    def lift_everything(self) -> None:
        """Sending goes on, replies are handled, holds are lifted, the hours are wide."""
        self.go_on()
        self._hours(HOURS, ())
        for person in self._practice.people:
            with self._store.open_uow() as uow:
                mark_handled(uow, person, BY, self._practice.clock.now())
            self._resume(person)
        self.release_everything()

    # the office

    def publish(self) -> None:
        """A journey is drawn anew, and those inside move or finish."""
        name = self._dice.choice((LEAD, LEAD, LEAD, BACK, CARE))
        inside = self._dice.choice((Inside.MOVE, Inside.MOVE, Inside.MOVE_WHO_CAN, Inside.FINISH))
        with self._store.open_uow() as uow:
            uow.documents.save_draft(name, DRAWN[name](self._dice), self._practice.clock.now())
        try:
            done = self._publishing.publish(name, inside, by=BY)
        except OperatorError as refused:
            self._practice.said = f"{name}, {inside.value}: {refused.told}"
        else:
            self._practice.said = f"{name} version {done.version}, {inside.value}: {done.moved} moved"

    def overdue(self) -> None:
        """What came too late is released, passed over or given a new time."""
        late = self._late()
        ids = self._dice.sample(late, self._dice.randint(0, len(late)))
        decide = self._dice.choice(("release", "release", "skip", "retime"))
        match decide:
            case "release":
                done = self._overdue.release(ids, by=BY)
            case "skip":
                done = self._overdue.skip(ids, by=BY)
            case _:
                at = self._practice.clock.now() + timedelta(hours=self._dice.choice((1, 20, 30)))
                done = self._overdue.retime(ids, at, by=BY)
        self._practice.said = f"{done} of {len(late)}: {decide}"

    def release_everything(self) -> None:
        """Nothing is too late any more."""
        self._overdue.release(self._late(), by=BY)

    def _late(self) -> Sequence[EnrollmentId]:
        with self._store.open_reader() as reads:
            return [line.enrollment_id for line in reads.overdue(self._practice.clock.now())]

    def retire(self) -> None:
        """A journey takes in nobody new."""
        name = self._dice.choice((LEAD, BACK))
        self._publishing.retire(name, by=BY)
        self._practice.said = name

    def imports(self) -> None:
        """A list of two, one of whom has somebody's phone; they are started."""
        self._practice.keys += 1
        number = self._practice.keys
        phone = self._practice.world.row(t.person, self._anybody())["phone"] or ""
        lines = (f"Cy,Row{number},cy{number}@example.com,{phone}", f"Di,Row{number},di{number}@example.com,")
        file = self._folder / "people.csv"
        file.write_text("\n".join(("First name,Last name,Email,Phone", *lines)), encoding="utf-8")
        done = self._import.run(PeopleOrder(file, BY, consent="form" if self._dice.random() < 0.5 else ""))
        new = [
            PersonId(row["id"])
            for each in ("cy", "di")
            for row in self._practice.world.rows(t.person, email=f"{each}{number}@example.com")
        ]
        self._practice.people += new
        if done.id is not None:
            self._imports.append((done.id, new))
        for person in new:
            self._practice.enroll(person, self._dice.choice(tuple(DRAWN)))
        self._practice.said = f"{done.added} people"

    def undo(self) -> None:
        """An import is taken back, if nothing was said to its people."""
        if not self._imports:
            return
        import_id, people = self._imports.pop()
        try:
            with self._store.open_uow() as uow:
                gone = uow.office.undo_import(import_id, self._practice.clock.now(), BY)
        except OperatorError as refused:
            self._practice.said = refused.told
        else:
            self._practice.said = f"{gone} are gone"
            self._practice.people = [person for person in self._practice.people if person not in people]

    def hours(self) -> None:
        """The location opens at other hours, or is closed for today."""
        today = self._practice.clock.now().date()
        closures = ({"date": today.isoformat()},) if self._dice.random() < 0.3 else ()
        self._hours(self._dice.choice((HOURS, SHORT)), closures)
        self._practice.said = f"closed on {today}" if closures else ""

    def _hours(self, hours: Mapping[str, object], closures: Sequence[Mapping[str, str]]) -> None:
        with self._store.open_uow() as uow:
            (row,) = uow.documents.locations()
            uow.documents.save_location(replace(row, hours=hours, closures=closures), self._practice.clock.now())
        self._practice.books.open_at(parse_hours(row.zone, hours, closures))

    def _anybody(self) -> PersonId:
        return self._dice.choice(self._practice.people)

    def _resume(self, person: PersonId) -> None:
        with self._store.open_uow() as uow:
            changed = resume_enrollments(uow, person, BY, self._practice.clock.now()).changed
        for enrollment_id in changed:
            self._practice.books.paused.pop(enrollment_id, None)
