"""Groups and old sequences, and what all documents share: their comparable form. Behind DocumentsDoor."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from app.domain.ids import GroupId, JourneyId
from app.engine.office_ports import JsonDocument, SequenceRow
from app.store import tables as t


def plain(document: object) -> Any:
    """A document as JSON gives it back, so that equal ones compare equal. Raises TypeError for what JSON can't hold."""
    return json.loads(json.dumps(document, default=_as_dict))


def save_group(connection: Connection, name: str, rule: JsonDocument, enroll: JsonDocument | None) -> bool:
    """Add the group, or change what differs. True when something did."""
    stored = connection.execute(sa.select(t.group).where(t.group.c.name == name)).one_or_none()
    values = {"match": plain(rule), "enroll": None if enroll is None else plain(enroll), "archived": False}
    at = _database_now(connection)
    if stored is None:
        connection.execute(sa.insert(t.group).values(name=name, created_at=at, updated_at=at, **values))
        return True
    if all(getattr(stored, column) == value for column, value in values.items()):
        return False
    connection.execute(sa.update(t.group).where(t.group.c.id == stored.id).values(updated_at=at, **values))
    return True


def groups(connection: Connection) -> Mapping[str, GroupId]:
    """Every group in use, by name."""
    found = sa.select(t.group.c.name, t.group.c.id).where(sa.not_(t.group.c.archived)).order_by(t.group.c.name)
    return {row.name: GroupId(row.id) for row in connection.execute(found)}


def group_match(connection: Connection, name: str) -> JsonDocument | None:
    """The rule of the group of that name in use, or None when there is no such group."""
    found = sa.select(t.group.c.match).where(t.group.c.name == name, sa.not_(t.group.c.archived))
    match: JsonDocument | None = connection.execute(found).scalar_one_or_none()
    return match


def save_sequence(connection: Connection, name: str, document: JsonDocument) -> bool:
    """Add the sequence, or change what differs. True when something did; a changed one is listed anew."""
    stored = connection.execute(sa.select(t.sequence).where(t.sequence.c.name == name)).one_or_none()
    value = plain(document)
    if stored is None:
        connection.execute(
            sa.insert(t.sequence).values(name=name, document=value, created_at=_database_now(connection))
        )
        return True
    if stored.document == value:
        return False
    changed = sa.update(t.sequence).where(t.sequence.c.id == stored.id)
    connection.execute(changed.values(document=value, state="listed", journey_id=None))
    return True


def sequences(connection: Connection) -> Sequence[SequenceRow]:
    """Every old sequence, by name."""
    found = (
        sa.select(t.sequence.c.name, t.sequence.c.document, t.sequence.c.state, t.journey.c.name.label("journey"))
        .select_from(t.sequence.outerjoin(t.journey, t.journey.c.id == t.sequence.c.journey_id))
        .order_by(t.sequence.c.name)
    )
    return [SequenceRow(row.name, row.document, row.state, row.journey) for row in connection.execute(found)]


def retire_sequence(connection: Connection, name: str, journey_id: JourneyId) -> bool:
    """Compare and set: of two who convert at once, one does."""
    listed = sa.update(t.sequence).where(t.sequence.c.name == name, t.sequence.c.state == "listed")
    done: int = connection.execute(listed.values(state="retired", journey_id=journey_id)).rowcount
    return done == 1


def _database_now(connection: Connection) -> datetime:
    """The database's own clock, for notes of when a row was written; nothing is decided by it."""
    now = connection.execute(sa.select(sa.func.current_timestamp())).scalar_one()
    return now if now.tzinfo is not None else now.replace(tzinfo=UTC)


def _as_dict(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is no part of a document")
