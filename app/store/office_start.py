"""Starts people in journeys: the database itself refuses who is in already or was in before. Behind OfficeDoor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from app.domain.ids import EnrollmentId, PersonId
from app.domain.states import Contact, EnrollmentState, WaitsFor
from app.engine.office_ports import EnrollmentNew, Started
from app.store.columns import among
from app.store.door import insert_absent
from app.store.tables import enrollment as e
from app.store.tables import person as p

ALREADY_IN: Final = "already_in"
ENTERED_BEFORE: Final = "entered_before"
DO_NOT_CONTACT: Final = "do_not_contact"
ERASED: Final = "erased"

_WHO: Final = sa.select(p.c.id, p.c.contact, p.c.erased_at).where(among(p.c.id, "ids"))
_IN_NOW: Final = sa.select(e.c.person_id, e.c.journey_id).where(
    among(e.c.person_id, "ids"), sa.literal_column("enrollment.state IN ('active', 'paused')", sa.Boolean)
)

_Entry = tuple[int, int, str]


def start(connection: Connection, rows: Sequence[EnrollmentNew]) -> Sequence[Started]:
    """One answer a row, in order. The people are locked already, so that nobody opts out meanwhile."""
    who = {row.id: row for row in connection.execute(_WHO, {"ids": [row.person_id for row in rows]})}
    may = [row for row in rows if not _barred(who.get(row.person_id))]
    made = _inserted(connection, may)
    in_now: set[tuple[int, int]] = set()
    if len(made) < len(may):
        asked = connection.execute(_IN_NOW, {"ids": [row.person_id for row in may]})
        in_now = {(row.person_id, row.journey_id) for row in asked}
    answers: list[Started] = []
    for row in rows:
        barred = _barred(who.get(row.person_id))
        # taken out, so that the same entry a second time in one go is refused as a second time
        enrollment_id = None if barred else made.pop(_entry(row), None)
        if enrollment_id is not None:
            answers.append(Started(row.person_id, enrollment_id))
        elif barred:
            answers.append(Started(row.person_id, None, barred))
        else:
            twice = (row.person_id, row.journey_id) in in_now
            answers.append(Started(row.person_id, None, ALREADY_IN if twice else ENTERED_BEFORE))
    return answers


def _barred(person: Any) -> str:
    if person is None or person.erased_at is not None:
        return ERASED
    return DO_NOT_CONTACT if person.contact == Contact.DO_NOT_CONTACT.value else ""


def _inserted(connection: Connection, rows: Sequence[EnrollmentNew]) -> dict[_Entry, EnrollmentId]:
    if not rows:
        return {}
    absent = insert_absent(e, connection.dialect.name).returning(e.c.id, e.c.journey_id, e.c.person_id, e.c.entry_key)
    found = connection.execute(absent, [_values(row) for row in rows])
    return {(row.journey_id, row.person_id, row.entry_key): EnrollmentId(row.id) for row in found}


def _entry(row: EnrollmentNew) -> _Entry:
    return row.journey_id, PersonId(row.person_id), row.entry_key


def _values(row: EnrollmentNew) -> dict[str, Any]:
    return {
        "person_id": row.person_id,
        "journey_id": row.journey_id,
        "journey_version_id": row.journey_version_id,
        "entry_key": row.entry_key,
        "record_id": row.record_id,
        "entered_at": row.entered_at,
        "entered_by": row.entered_by,
        "reason": row.reason,
        "state": EnrollmentState.ACTIVE.value,
        "step": row.step,
        "waits_for": WaitsFor.NOTHING.value,
        "step_entered_at": row.entered_at,
        "wake_at": row.entered_at,
        "send_budget": row.send_budget,
    }
