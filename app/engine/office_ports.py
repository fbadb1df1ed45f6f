"""What the services need of the store beyond the engine's doors: documents, imports, starting people, reads.

Same rules as ports.py: one `with` is one transaction; reads come from `open_reader()`, which never writes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from app.domain.connection_words import Connection
from app.domain.facts import Facts
from app.domain.going_live import Check, Trial, Waiting
from app.domain.ids import (
    EnrollmentId,
    GroupId,
    ImportId,
    JourneyId,
    JourneyVersionId,
    MessageId,
    PersonId,
    TemplateVersionId,
)
from app.domain.lines import (
    EngineLine,
    HourBar,
    JourneyLine,
    LocationLine,
    LoggedLine,
    MessageLine,
    PeopleCounts,
    PeopleQuery,
    PersonLine,
    ProblemLine,
    QueueCounts,
    QueueLine,
    QueueQuery,
    SentCounts,
    SentQuery,
    WhyLines,
)
from app.domain.person_lines import PersonPage
from app.domain.provider_settings import Providers
from app.domain.snapshot import Practice
from app.domain.source_line import SourceLine
from app.domain.states import Channel, JourneyState, Purpose
from app.engine.evidence_ports import EvidenceReads
from app.engine.group_ports import GroupReads, GroupsUow
from app.engine.moving_ports import MovingUow
from app.engine.office_rows import (
    EnrollmentNew,
    Having,
    ImportNew,
    JourneyRow,
    JsonDocument,
    LocationRow,
    PersonKnown,
    PersonNew,
    RecordNew,
    SequenceRow,
    Started,
    TemplateRow,
    VersionRow,
)
from app.engine.overdue_ports import OverdueReads, OverdueUow
from app.engine.today_ports import TodayReads
from app.engine.zone_ports import ZonesUow

__all__ = [
    "Documents",
    "EnrollmentNew",
    "Having",
    "ImportNew",
    "JourneyRow",
    "JsonDocument",
    "LocationRow",
    "Office",
    "OfficeUow",
    "OpenOfficeUow",
    "OpenReader",
    "PersonKnown",
    "PersonNew",
    "Reads",
    "RecordNew",
    "SequenceRow",
    "Started",
    "TemplateRow",
    "VersionRow",
]


class Documents(Protocol):
    """Practice, locations, templates, journeys, groups, sequences."""

    def practice(self) -> Practice | None: ...
    def practice_mode(self) -> bool: ...
    def save_practice(self, practice: Practice, at: datetime) -> bool:
        """True when it changed something. Whoever is held by its settings, such as its caps, is asked again at `at`."""
        ...

    def set_practice_mode(self, on: bool) -> None: ...
    def trials(self) -> Mapping[Connection, Trial]:
        """The last test of each connection since its settings or its key changed."""
        ...

    def save_trial(self, account: Connection, trial: Trial | None) -> None:
        """None: what was tested is no longer what there is."""
        ...

    def confirmed(self) -> frozenset[Check]:
        """What a person said is so, before going live."""
        ...

    def save_confirmed(self, confirmed: Collection[Check]) -> None:
        """In the place of what was said before."""
        ...

    def renew_lineup(self) -> None:
        """Every engine makes its line-up anew at its next pass, and asks for the keys again."""
        ...

    def practice_id(self) -> str:
        """The practice's own random id, made when it is first asked for."""
        ...

    def providers(self) -> Providers:
        """Who carries the messages, as last saved; nobody before that."""
        ...

    def save_providers(self, providers: Providers, at: datetime) -> bool:
        """True when it changed something. Whoever waits for what was missing in them is asked again at `at`."""
        ...

    def locations(self) -> Sequence[LocationRow]: ...
    def save_location(self, row: LocationRow, at: datetime) -> bool:
        """By name; `id` is ignored. Whoever is held for hours there is woken at `at`. True when changed."""

    def zone_rules(self) -> Mapping[str, str]:
        """By which rules each zone's waits were counted last: a fingerprint a zone. Empty before the first time."""
        ...

    def save_zone_rules(self, rules: Mapping[str, str], changed: Collection[str], at: datetime) -> None:
        """Keep `rules`; waits of everybody whose location is in one of the `changed` zones count their end again."""
        ...

    def archive_location(self, name: str) -> bool:
        """Take a location out of use. False when there is none of that name, or anybody belongs to it."""
        ...

    def templates(self) -> Mapping[str, TemplateRow]: ...
    def save_template(
        self, name: str, channel: Channel, purpose: Purpose, subject: str, body: str, at: datetime
    ) -> bool:
        """A changed text is a new version. Raises OperatorError when the channel of a used template would change."""
        ...

    def journey(self, name: str) -> JourneyRow | None: ...
    def journeys(self) -> Sequence[JourneyRow]: ...
    def versions(self, journey_id: JourneyId) -> Sequence[VersionRow]:
        """Every version of a journey, the oldest first."""
        ...

    def save_draft(self, name: str, document: JsonDocument, at: datetime) -> bool:
        """Keep `document` as the journey's draft. True when it differs from the draft, else from the live version."""
        ...

    def publish(
        self,
        journey_id: JourneyId,
        document: JsonDocument,
        proof: JsonDocument,
        send_budget: int,
        max_days: float,
        templates: Mapping[str, TemplateVersionId],
        by: str,
        at: datetime,
    ) -> JourneyVersionId:
        """A new immutable version that is live from now on; the draft is cleared."""
        ...

    def set_journey_state(self, journey_id: JourneyId, state: JourneyState) -> None: ...
    def save_group(self, name: str, match: JsonDocument, enroll: JsonDocument | None) -> bool: ...
    def groups(self) -> Mapping[str, GroupId]: ...
    def group_match(self, name: str) -> JsonDocument | None:
        """The rule of the group of that name in use, or None when there is no such group."""
        ...

    def save_sequence(self, name: str, document: JsonDocument) -> bool: ...
    def sequences(self) -> Sequence[SequenceRow]:
        """Every old sequence, by name, the retired ones too."""
        ...

    def custom_fields(self) -> Collection[str]:
        """The names of custom fields that several people have; never a value."""
        ...

    def statuses_in_use(self) -> Mapping[str, Collection[str]]:
        """The statuses that several records of a kind have, by kind."""
        ...

    def retire_sequence(self, name: str, journey_id: JourneyId) -> bool:
        """It became that journey. False when it is retired already, or there is none of that name."""
        ...


class Office(Protocol):
    """People as an office writes them: imports, consents, records, starting someone in a journey."""

    def known_people(self, emails: Collection[str], phones: Collection[str]) -> Sequence[PersonKnown]:
        """Everyone who is not erased and has one of these as email, phone or other phone, for finding duplicates.

        From here to the end of the transaction no other import looks: two files at once make no double people.
        """
        ...

    def who_has(self, emails: Collection[str], phones: Collection[str]) -> Mapping[str, Having]:
        """Who has each of these, in two cheap numbers; nobody: left out. Like known_people it keeps others out."""
        ...

    def suppressed(self, channel: Channel, addresses: Collection[str]) -> frozenset[str]:
        """Those of `addresses` (normalised) that must not be contacted on `channel` (I10)."""
        ...

    def add_import(self, row: ImportNew) -> ImportId: ...
    def add_people(self, people: Sequence[PersonNew], import_id: ImportId | None, at: datetime) -> Sequence[PersonId]:
        """Insert rows in order; their ids in the same order."""
        ...

    def fill_people(self, people: Sequence[PersonNew], at: datetime, import_id: ImportId | None = None) -> None:
        """Fill blanks of known rows; nothing stored is overwritten, but for the later of two visits.

        Tags and custom fields are added to; do_not_contact is kept when either has it. import_id: whose undo this is.
        """
        ...

    def put_records(self, rows: Sequence[RecordNew], import_id: ImportId | None, at: datetime) -> tuple[int, int]:
        """(added, updated); status_changed_at moves only when the status did."""
        ...

    def undo_import(self, import_id: ImportId, at: datetime, by: str) -> int:
        """Take back an import whole; how many people or records went.

        Raises OperatorError when there is no such import, it was undone, or a message to one of its people was noted.
        """
        ...

    def find_person(self, ref: str) -> Sequence[PersonId]:
        """REF of the commands: an id, an email or a phone number, as typed by staff."""
        ...

    def facts_of(self, person_ids: Collection[PersonId], now: datetime) -> Mapping[PersonId, Facts]:
        """The facts that a group's rule is asked of: outside any journey, so `since_enrollment` is None.

        In bulk, one statement a table. Ids that are gone or erased are left out.
        """
        ...

    def start(self, rows: Sequence[EnrollmentNew]) -> Sequence[Started]:
        """Insert active enrollments that wake at once; I1 and I2 refuse by the database, row by row."""
        ...


class OfficeUow(MovingUow, OverdueUow, ZonesUow, GroupsUow, Protocol):
    """A transaction with the office's doors beside the engine's."""

    documents: Documents
    office: Office


class Reads(TodayReads, EvidenceReads, OverdueReads, GroupReads, Protocol):
    """SELECTs for screens and commands, in one read transaction."""

    def engine(self, now: datetime) -> EngineLine: ...
    def locations(self, now: datetime) -> Sequence[LocationLine]: ...
    def sources(self) -> Sequence[SourceLine]: ...
    def waiting(self, now: datetime) -> Waiting:
        """What goes out when the practice goes live, and what is on its way."""
        ...

    def people_ids(self, query: PeopleQuery) -> Sequence[PersonId]:
        """Ids in the order shown; 100,000 of them are read as plain integers."""
        ...

    def people(self, ids: Sequence[PersonId]) -> Sequence[PersonLine]:
        """Lines for `ids`, in that order; ids that are gone are left out."""
        ...

    def people_counts(self, query: PeopleQuery) -> PeopleCounts: ...
    def find_person(self, ref: str) -> Sequence[PersonId]:
        """As `Office.find_person`, without opening a transaction that writes."""
        ...

    def person(self, person_id: PersonId, now: datetime) -> PersonPage | None: ...
    def queue_ids(self, query: QueueQuery, now: datetime) -> Sequence[EnrollmentId]: ...
    def queue(self, ids: Sequence[EnrollmentId], *, ended: bool = False) -> Sequence[QueueLine]:
        """Lines for `ids`, in that order. ended: also of those that have ended, which are left out otherwise."""
        ...

    def queue_before(self, query: QueueQuery, now: datetime, instants: Sequence[datetime]) -> Sequence[int]:
        """How many of the queue's rows come before each of these instants: where its sections begin."""
        ...

    def queue_counts(self, query: QueueQuery, now: datetime) -> QueueCounts: ...
    def queue_hours(self, query: QueueQuery, now: datetime, hours: int) -> Sequence[HourBar]: ...
    def sent_ids(self, query: SentQuery) -> Sequence[MessageId]: ...
    def sent(self, ids: Sequence[MessageId]) -> Sequence[MessageLine]: ...
    def sent_counts(self, query: SentQuery) -> SentCounts: ...
    def why(self, message_id: MessageId) -> WhyLines | None: ...
    def problems(self) -> Sequence[ProblemLine]: ...
    def log(self, person_id: PersonId | None, limit: int) -> Sequence[LoggedLine]: ...
    def journeys(self) -> Sequence[JourneyLine]: ...


class OpenOfficeUow(Protocol):
    """Opens a transaction that writes, with every door."""

    def __call__(self) -> AbstractContextManager[OfficeUow]: ...


class OpenReader(Protocol):
    """Opens a read-only transaction."""

    def __call__(self) -> AbstractContextManager[Reads]: ...
