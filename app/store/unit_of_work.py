"""One `with` is one decision and one transaction: `open_uow()` to write, `open_reader()` to look."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from app.domain.ids import MessageId
from app.domain.legal_hours_rules import RulesRead
from app.engine import (
    consent_ports,
    group_ports,
    inbound_ports,
    moving_ports,
    office_ports,
    overdue_ports,
    ports,
    zone_ports,
)
from app.rules_file import shipped_rules
from app.store.calls import CallDoor
from app.store.columns import among
from app.store.consents import ConsentDoor
from app.store.documents import DocumentsDoor
from app.store.engine_state import EngineDoor
from app.store.enrollments import EnrollmentDoor
from app.store.events import EventDoor, InboxDoor
from app.store.groups import GroupDoor
from app.store.log import LogDoor
from app.store.marks import MarkDoor
from app.store.matching import MatchingDoor
from app.store.memory import Memory
from app.store.moving import MovingDoor
from app.store.office import OfficeDoor
from app.store.outbox import OutboxDoor
from app.store.overdue import OverdueDoor
from app.store.people import PeopleDoor
from app.store.person_zones import PersonZoneDoor
from app.store.reads import ReadsDoor
from app.store.session import Session
from app.store.snapshots import SnapshotDoor
from app.store.statuses import StatusDoor
from app.store.stops import StopDoor
from app.store.tables import engine_state, message, suppression
from app.store.workers import WorkerDoor

_STOPS: Final = sa.select(message.c.id).where(
    among(message.c.id, "ids"),
    sa.or_(
        message.c.stop_requested_at.is_not(None),
        sa.exists().where(engine_state.c.paused_why.is_not(None)),
        sa.exists().where(
            suppression.c.channel == message.c.channel,
            suppression.c.address_key == message.c.to_address,
            suppression.c.lifted_at.is_(None),
        ),
    ),
)
_STOPS_SQLITE: Final = (
    "SELECT id FROM message WHERE id IN (SELECT value FROM json_each(?)) AND (stop_requested_at IS NOT NULL"
    " OR EXISTS (SELECT 1 FROM suppression s WHERE s.channel = message.channel"
    " AND s.address_key = message.to_address AND s.lifted_at IS NULL)"
    " OR EXISTS (SELECT 1 FROM engine_state WHERE paused_why IS NOT NULL))"
)


class EngineUow:
    """Implements ports.UnitOfWork and office_ports.OfficeUow: every door on one transaction."""

    def __init__(self, connection: Connection, memory: Memory) -> None:
        self.connection = connection
        self.memory = memory
        self.enrollments: ports.Enrollments = EnrollmentDoor(connection, memory)
        self.outbox: ports.Outbox = OutboxDoor(connection, memory)
        self.events: ports.Events = EventDoor(connection, memory)
        self.people: ports.People = PeopleDoor(connection, memory)
        self.snapshots: ports.Snapshots = SnapshotDoor(connection, memory)
        self.engine: ports.EngineState = EngineDoor(connection, memory)
        self.workers: ports.Workers = WorkerDoor(connection, memory)
        self.stops: ports.Stops = StopDoor(connection, memory)
        self.inbox: ports.Inbox = InboxDoor(connection, memory)
        self.statuses: ports.Statuses = StatusDoor(connection, memory)
        self.calls: ports.CallRows = CallDoor(connection, memory)
        self.overdue: overdue_ports.OverdueRows = OverdueDoor(connection, memory)
        self.marks: inbound_ports.Marks = MarkDoor(connection, memory)
        self.consents: consent_ports.Consents = ConsentDoor(connection, memory)
        self.matching: inbound_ports.Matching = MatchingDoor(connection, memory)
        self._log = LogDoor(connection, memory)
        self.log: ports.Log = self._log
        self.documents: office_ports.Documents = DocumentsDoor(connection, memory)
        self.office: office_ports.Office = OfficeDoor(connection, memory, self._log)
        self.moving: moving_ports.Moving = MovingDoor(connection, memory)
        self.zones: zone_ports.ZoneRows = PersonZoneDoor(connection, memory)
        self.groups: group_ports.Groups = GroupDoor(connection, memory)

    def flush(self) -> None:
        """Write what is still kept back, right before the commit. For whoever opens the transaction."""
        self._log.flush()


class Store:
    """One database, open. Any thread may open a unit of work; it stays on that thread.

    session: where the rows are; who makes it disposes of it. rules: gives the legal hours; those that ship by default.
    """

    def __init__(self, session: Session, rules: Callable[[], RulesRead] = shipped_rules) -> None:
        self.session = session
        self.memory = Memory(rules=rules)

    @contextmanager
    def open_uow(self, rest_s: float = 0.0) -> Iterator[EngineUow]:
        """A transaction that writes: committed at the end, rolled back on any exception.

        rest_s: how long to sit still after the commit on SQLite, so that another process gets its turn.
        Raises StoreError when the database can't be used, RuleBroken when a constraint refused.
        """
        with self.session.write(rest_s) as connection:
            uow = self.doors(connection)
            yield uow
            uow.flush()

    def doors(self, connection: Connection) -> EngineUow:
        """The doors of one transaction. A store with more doors gives its own."""
        return EngineUow(connection, self.memory)

    @contextmanager
    def open_reader(self) -> Iterator[office_ports.Reads]:
        """A transaction that only reads: everything in it is of one moment. Raises StoreError."""
        with self.session.read() as connection:
            yield ReadsDoor(connection, self.memory)

    def stops_since_note(self, message_ids: Collection[MessageId]) -> frozenset[MessageId]:
        """Implements ports.StopsSinceNote: those with stop_requested set or a suppressed address, in one short read.

        While all sending is paused, all of them.

        Asked before every single call to a provider, so it goes the shortest way there is.
        """
        if self.session.is_sqlite:
            rows = self.session.glance(_STOPS_SQLITE, [json.dumps(list(message_ids))])
            return frozenset(MessageId(row[0]) for row in rows)
        with self.session.read() as connection:
            found = connection.execute(_STOPS, {"ids": message_ids}).scalars()
            return frozenset(MessageId(message_id) for message_id in found)
