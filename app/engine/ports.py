"""What the engine needs of the store and of providers, as Protocols. store/ and providers/ implement them.

One `with open_uow() as uow` is one decision and one transaction: it commits at the end, rolls back on any exception,
and nothing outside the machine is called while it is open. Locks are always taken in this order:
person, enrollment, message (a deadlock on PostgreSQL otherwise).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from app.domain.events import AcceptedMessage, CancelledMessage, InboxEvent
from app.domain.ids import (
    AttemptId,
    EnrollmentId,
    InboxEventId,
    MessageId,
    PersonId,
    ProblemId,
)
from app.domain.reasons import Why
from app.domain.snapshot import Person, Snapshot
from app.domain.states import Channel, Contact
from app.domain.workers import WorkerLine
from app.engine.call_ports import CallNote, CallRow, CallRows
from app.engine.channel_ports import EngineState, Sender
from app.engine.consent_ports import Consents
from app.engine.inbound_ports import Marks, Matching
from app.engine.problem_rows import OpenProblem
from app.engine.rows import (
    AttemptNote,
    AttemptResult,
    EnrollmentMove,
    EnrollmentRow,
    InHand,
    Leased,
    LogLine,
    MessageDraft,
    MessageMove,
    Permission,
    ProblemNote,
)
from app.engine.stop_ports import AcceptedNote, Follower, Inbox, Standing, Statuses, Stops

ALL = frozenset(Channel)

__all__ = [
    "ALL",
    "AcceptedNote",
    "AttemptNote",
    "AttemptResult",
    "CallNote",
    "CallRow",
    "CallRows",
    "EngineState",
    "EnrollmentMove",
    "EnrollmentRow",
    "Enrollments",
    "Events",
    "Follower",
    "InHand",
    "Inbox",
    "Leased",
    "Log",
    "LogLine",
    "Marks",
    "Matching",
    "MessageDraft",
    "MessageMove",
    "OpenProblem",
    "OpenUow",
    "Outbox",
    "People",
    "Permission",
    "ProblemNote",
    "Sender",
    "Snapshots",
    "Standing",
    "Statuses",
    "Stops",
    "StopsSinceNote",
    "UnitOfWork",
    "Workers",
]


class Enrollments(Protocol):
    """The one door to the enrollment table for the engine."""

    def claim_due(self, now: datetime, limit: int) -> Sequence[EnrollmentId]:
        """Active with wake_at <= now, or paused with paused_until <= now; oldest first, row-locked (SKIP LOCKED)."""
        ...

    def enter_at(self, now: datetime) -> int:
        """Follow-ups that were never walked, but are to be at once, enter at `now`; how many.

        For a made-up time: they were started on the machine's clock, or where the practice stood before.
        """
        ...

    def live_of(self, person_id: PersonId) -> Sequence[EnrollmentId]:
        """The person's active and paused enrollments, locked, by id."""
        ...

    def lock(self, ids: Collection[EnrollmentId]) -> None:
        """Lock rows in id order."""
        ...

    def rows(self, ids: Collection[EnrollmentId]) -> Mapping[EnrollmentId, EnrollmentRow]:
        """The bare rows, for where a snapshot is not needed, or can't be made."""
        ...

    def move(self, moves: Sequence[EnrollmentMove]) -> frozenset[EnrollmentId]:
        """Write the moves whose version still stands; the ids that were written.

        Whoever waits for the turn of one that ends is woken. Raises ValueError for a way that ENROLLMENT_EXITS does
        not know.
        """
        ...

    def wake_stranded(self, now: datetime) -> Sequence[tuple[EnrollmentId, PersonId]]:
        """Make due at `now` whatever waits for a message that is over, or for none; which ones, and whose.

        Every result moves its follow-up on in one transaction, so there is nothing to find unless something is wrong.
        """
        ...

    def ask_waits(self, people: Sequence[PersonId], now: datetime) -> None:
        """Whatever of theirs waits is asked again at `now`: something has happened. They must be locked to write."""
        ...

    def nudge(self, person_id: PersonId, why: Collection[Why], now: datetime) -> int:
        """Wake this person's active enrollments that are held for one of `why`, at `now`; how many."""
        ...


class Outbox(Protocol):
    """The one door to messages and attempts."""

    def add(self, drafts: Sequence[MessageDraft], now: datetime) -> frozenset[EnrollmentId]:
        """Put messages in the outbox as `queued`, insert-if-absent (I4); enrollments whose message is new."""
        ...

    def lease(
        self, now: datetime, until: datetime, token: str, limit: int, channels: Collection[Channel] = ALL
    ) -> Sequence[Leased]:
        """queued, of these channels, try_at <= now -> leased, oldest first; rows locked by others are left alone."""
        ...

    def release_expired(self, now: datetime) -> int:
        """leased whose lease has run out -> queued; how many."""
        ...

    def permit(
        self, permissions: Sequence[Permission], token: str, now: datetime, lease_until: datetime
    ) -> Sequence[AttemptNote]:
        """leased by `token` with seen_version -> sending, attempts + 1, one attempt row each. Stale ones left out."""
        ...

    def in_hand(self, attempt_ids: Sequence[AttemptId]) -> Mapping[AttemptId, InHand]:
        """Messages with these open attempts, enrollments locked first, then messages."""
        ...

    def move(self, moves: Sequence[MessageMove], now: datetime) -> frozenset[MessageId]:
        """Write the moves whose version still stands. Raises ValueError for a way MESSAGE_EXITS does not know."""
        ...

    def finish_attempts(self, results: Sequence[AttemptResult]) -> None:
        """Write each result once; an attempt that has one keeps it."""
        ...

    def cancel_waiting(
        self, enrollment_ids: Collection[EnrollmentId], why: Why, event_id: InboxEventId | None, now: datetime
    ) -> Sequence[CancelledMessage]:
        """queued and leased messages of these enrollments -> cancelled; what they were."""
        ...

    def request_stop(
        self, enrollment_ids: Collection[EnrollmentId], event_id: InboxEventId | None, now: datetime
    ) -> Sequence[CancelledMessage]:
        """sending messages of these enrollments get stop_requested_at; what they are."""
        ...

    def last_accepted(self, enrollment_ids: Collection[EnrollmentId]) -> Sequence[AcceptedMessage]:
        """Messages of these enrollments that the provider had accepted, newest first, at most 20."""
        ...

    def expired_sending(self, now: datetime, limit: int, channels: Collection[Channel] = ALL) -> Sequence[AttemptNote]:
        """Open attempts of `sending` messages, of these channels, whose lease has run out, oldest first (reconcile)."""
        ...

    def look_again(self, message_id: MessageId, now: datetime, at: datetime, *, counts: bool = True) -> int:
        """Note one more look-up of this message, the next one at `at`; how many there were, this one included.

        counts: False for one that could not be made. 0 when it is not due: settled, or looked up by somebody else
        meanwhile.
        """
        ...

    def settled(self, attempt_ids: Sequence[AttemptId]) -> Mapping[AttemptId, InHand]:
        """Messages of these attempts whatever became of them since, locked as by `in_hand`."""
        ...

    def doubt(self, message_ids: Collection[MessageId]) -> None:
        """`sending` messages whose outcome is not known are held for `checking`."""
        ...

    def streak(self, channel: Channel, most: int, before: Collection[AttemptId]) -> Sequence[AttemptNote]:
        """The newest `most` tries of this channel that failed or are in doubt, but for `before`, newest first."""
        ...

    def give_back(self, message_ids: Collection[MessageId], behind: datetime) -> frozenset[MessageId]:
        """One attempt less for each of these that is not handed over for good, not again before `behind`; which ones.

        Rows locked by others are left alone.
        """
        ...

    def release(self, token: str) -> int:
        """Messages leased by `token` -> queued at once: a worker that stops in good order; how many."""
        ...

    def wake_held(self, person_id: PersonId, now: datetime) -> int:
        """queued messages of this person that are held get try_at = now; how many."""
        ...


class Events(Protocol):
    """The inbox."""

    def insert_if_absent(self, event: InboxEvent) -> InboxEventId | None:
        """The new row's id, or None when (source, key) is known already (I8)."""
        ...

    def known(self, source: str, key: str) -> InboxEventId | None:
        """The id of the event with this key."""
        ...

    def mark_applied(self, event_id: InboxEventId, now: datetime) -> None:
        """The event has had its effect."""
        ...


class People(Protocol):
    """Persons, their records, suppressions and consents, as the engine writes them."""

    def lock(self, ids: Collection[PersonId], *, to_write: bool) -> None:
        """Lock rows in id order: FOR NO KEY UPDATE to write, FOR SHARE to rely on. SQLite: nothing, BEGIN has it."""
        ...

    def read(self, person_id: PersonId) -> Person | None:
        """The live row."""
        ...

    def with_address(self, channel: Channel, address: str) -> Sequence[PersonId]:
        """Persons with this normalised address, by id."""
        ...

    def bump(self, person_id: PersonId, contact: Contact | None, now: datetime) -> None:
        """version + 1, and the contact state when one is given. Raises ValueError for a way CONTACT_EXITS lacks."""
        ...

    def set_status(self, person_id: PersonId, status: str) -> None:
        """The person's own status word, such as `lost`."""
        ...

    def suppress(
        self,
        channel: Channel,
        address: str,
        why: Why,
        event_id: InboxEventId | None,
        person_id: PersonId | None,
        now: datetime,
    ) -> bool:
        """Put (channel, address) on the do-not-contact list; False when it was there."""
        ...

    def lift_suppression(self, channel: Channel, address: str, evidence: str, now: datetime) -> bool:
        """Lift an entry with its evidence (RULES B9); False when there was none."""
        ...

    def record_goal(self, person_id: PersonId, kind: str, status: str, external_id: str, now: datetime) -> None:
        """A goal event as a live fact: the newest open record of `kind` gets `status`, or a new record is added."""
        ...


class Snapshots(Protocol):
    """Live rows in bulk, one statement a table."""

    def of_enrollments(self, ids: Collection[EnrollmentId], now: datetime) -> Mapping[EnrollmentId, Snapshot]:
        """One snapshot an enrollment, `message` None."""
        ...

    def of_messages(self, ids: Collection[MessageId], now: datetime) -> Mapping[MessageId, Snapshot]:
        """One snapshot a message; `enrollment` and `journey` None when it was written by hand."""
        ...


class Log(Protocol):
    """The append-only log and the problem list."""

    def add(self, lines: Sequence[LogLine]) -> None:
        """Append."""
        ...

    def problem(self, notes: Sequence[ProblemNote]) -> None:
        """Put on the list what is not on it yet."""
        ...

    def solve(self, problem_ids: Collection[ProblemId], now: datetime, by: str) -> int:
        """Mark as looked at; how many."""
        ...

    def open_problems(self, problem_ids: Collection[ProblemId]) -> Sequence[OpenProblem]:
        """Those of `problem_ids` that are on the list, locked."""
        ...

    def gone(self, now: datetime) -> Sequence[OpenProblem]:
        """What is on the list and whose cause is gone by the rows, locked; what others have in hand is left out."""
        ...

    def over(self, note: ProblemNote, by: str) -> bool:
        """What `note` says is over at its time: off the list; False when it was not on it."""
        ...


class Workers(Protocol):
    """Who runs an engine on this database."""

    def beat(self, line: WorkerLine) -> None:
        """This worker is at work: its row is made, or raised to the line's times."""
        ...

    def silent(self, mine: str, now: datetime) -> Sequence[str]:
        """Tokens of the others whose lease has run out at `now`."""
        ...

    def leave(self, token: str) -> None:
        """This worker has ended in good order."""
        ...

    def forget(self, before: datetime) -> int:
        """Take away the rows of those whose lease ran out before that; how many."""
        ...

    def lines(self) -> Sequence[WorkerLine]:
        """Everybody who has not ended in good order, longest at work first."""
        ...


class UnitOfWork(Protocol):
    """One transaction's doors."""

    enrollments: Enrollments
    outbox: Outbox
    events: Events
    people: People
    snapshots: Snapshots
    log: Log
    engine: EngineState
    workers: Workers
    stops: Stops
    inbox: Inbox
    statuses: Statuses
    calls: CallRows
    marks: Marks
    matching: Matching
    consents: Consents


class OpenUow(Protocol):
    """Opens a transaction that writes."""

    def __call__(self) -> AbstractContextManager[UnitOfWork]: ...


class StopsSinceNote(Protocol):
    """The last look before a call, outside any transaction that writes (I6, I10)."""

    def __call__(self, message_ids: Collection[MessageId]) -> frozenset[MessageId]:
        """Those of `message_ids` with stop_requested set, or whose address anybody suppressed meanwhile.

        All of them while all sending is paused.
        """
        ...
