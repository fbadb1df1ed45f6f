"""The made-up practice: real documents, a real import, and three weeks of a story, told by the real engine.

Nothing is put into the database by hand: what the demo shows is what the product did on a made-up clock.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from zoneinfo import ZoneInfo

import yaml

from app.domain.events import EventKind
from app.domain.ids import PersonId
from app.domain.states import Channel
from app.domain.zones import zone_named
from app.engine.once import Once
from app.resources import resource_path
from app.service.documents import Documents
from app.service.engine_room import build_once
from app.service.enrolling import Enrolling
from app.service.events import Events, Told
from app.service.import_people import PeopleImport, PeopleOrder
from app.service.import_records import RecordsImport, RecordsOrder
from app.service.library import starter
from app.service.parts import Parts
from app.service.publishing import Publishing
from app.service.stops import Stops

ZONE = "America/Los_Angeles"  # the story's own clock, Portland's
STAFF = "Dana"
CONSENT = "Ticked the box on the web form: texts and emails about a first visit"
LIVED = ("new-lead", "job-closeout")  # of the ready journeys; its other ones are its own
FIRST_DAY = -19
STEP = timedelta(hours=1)
DAYTIME = range(7, 19)  # no place of the story is open outside it

Fact = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class DemoFiles:
    """Where the made-up practice is written down."""

    documents: tuple[Path, ...]
    people: Path
    story: Path


def demo_files() -> DemoFiles:
    """The made-up practice's own files."""
    practice = resource_path("practice")
    documents = [practice / "sample.yaml", practice / "demo.yaml"]
    documents += [file for name in LIVED for file in starter(name).files]
    return DemoFiles(tuple(documents), practice / "people.csv", practice / "story.yaml")


class Demo:
    """Tells the story into an empty practice.

    parts: open on a made-up clock; set_clock moves it. ends_at: the present instant, UTC, at which the story ends.
    """

    def __init__(self, parts: Parts, set_clock: Callable[[datetime], None], ends_at: datetime) -> None:
        self._parts = parts
        self._set_clock = set_clock
        self._ends_at = ends_at
        self._zone: ZoneInfo = zone_named(ZONE)
        self._once: Once = build_once(parts)
        self._stops = Stops(parts.open_uow, parts.clock)

    def tell(self, files: DemoFiles) -> None:
        """Set the practice up, then let every thing that happened happen at its time, the engine working in between."""
        story = self._timed(yaml.safe_load(files.story.read_text(encoding="utf-8")))
        self._set_clock(self._at(FIRST_DAY, "08:00"))
        self._set_up(files)
        now = self._at(FIRST_DAY, "08:30")
        while now < self._ends_at:
            while story and story[0][0] <= now:
                at, fact = story.pop(0)
                self._set_clock(at)
                self._happens(fact, at)
                self._once.run(made_up_clock=True)
            if now.astimezone(self._zone).hour in DAYTIME:
                self._set_clock(now)
                self._once.run(made_up_clock=True)
            now += STEP
        self._set_clock(self._ends_at)
        self._once.run(made_up_clock=True)

    def _set_up(self, files: DemoFiles) -> None:
        documents = Documents(self._parts.open_uow, self._parts.clock)
        documents.apply(files.documents, by=STAFF)
        # before anything is live: who is here already enters when staff say so, as the story tells
        order = PeopleOrder(files.people, STAFF, consent=CONSENT)
        PeopleImport(self._parts.open_uow, self._parts.clock).run(order)
        publishing = Publishing(self._parts.open_uow, self._parts.open_reader, self._parts.clock)
        for journey in ("New lead", "No-show follow-up", "Appointment care", "Ask by phone", "Job closeout"):
            publishing.publish(journey, None, by=STAFF)

    def _happens(self, fact: Fact, at: datetime) -> None:
        """One line of the story, through the service that staff or a provider would use."""
        match fact:
            case {"enroll": str(journey), "people": list(people)}:
                enrolling = self._enrolling()
                for person in people:
                    enrolling.enroll_person(journey, self._person(person), by=STAFF, reason="asked for a visit")
            case {"event": str(kind), "person": str(person)}:
                channel = Channel(str(fact["channel"])) if "channel" in fact else None
                told = Told(EventKind(kind), text=str(fact.get("text", "")), channel=channel)
                Events(self._parts.open_uow, self._parts.clock).take_in(self._person(person), told, by=STAFF)
            case {"handled": str(person)}:
                self._stops.handled(self._person(person), by=STAFF)
            case {"stop": str(person)}:
                self._stops.stop(self._person(person), by=STAFF, note=str(fact.get("note", "")))
            case {"hold": str(person)}:
                self._stops.hold(self._person(person), until=None, by=STAFF)
            case {"appointments": list(visits)}:
                self._book(visits)
            case _:
                raise ValueError(f"the story does not know {fact}")

    def _book(self, visits: Sequence[Fact]) -> None:
        """Appointments as an office brings them: from a spreadsheet."""
        with TemporaryDirectory(prefix="stopwell-demo-") as folder:
            path = Path(folder, "appointments.csv")
            with path.open("w", encoding="utf-8", newline="") as file:
                rows = csv.writer(file)
                rows.writerow(["person", "kind", "status", "external_id", "label", "starts_at"])
                for number, visit in enumerate(visits, start=1):
                    starts_at = self._at(int(str(visit["in_days"])), str(visit["at"])).astimezone(self._zone)
                    row = [visit["person"], "appointment", "booked", f"visit-{number}", "first", starts_at.isoformat()]
                    rows.writerow(row)
            RecordsImport(self._parts.open_uow, self._parts.clock).run(RecordsOrder(path, STAFF))

    def _enrolling(self) -> Enrolling:
        return Enrolling(self._parts.open_uow, self._parts.open_reader, self._parts.clock)

    def _person(self, email: str) -> PersonId:
        with self._parts.open_reader() as reads:
            found = reads.find_person(email)
        if len(found) != 1:
            raise ValueError(f"the story knows {len(found)} people with {email}")
        return found[0]

    def _timed(self, story: Sequence[Fact]) -> list[tuple[datetime, Fact]]:
        timed = [(self._at(int(str(fact["day"])), str(fact["at"])), fact) for fact in story]
        return sorted((entry for entry in timed if entry[0] < self._ends_at), key=lambda entry: entry[0])

    def _at(self, day: int, clock: str) -> datetime:
        """That time of day in Portland, `day` days from the story's end. UTC."""
        date = self._ends_at.astimezone(self._zone).date() + timedelta(days=day)
        return datetime.combine(date, time.fromisoformat(clock), tzinfo=self._zone).astimezone(UTC)
