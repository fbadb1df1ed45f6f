"""Groups on a stage: their rules, journeys that take from them, and what came of a look."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

import sqlalchemy as sa

from app.domain.ids import GroupId, PersonId
from app.engine.groups import GroupCount, LookAtGroups
from app.engine.groups_followed import Coming
from app.store import tables as t
from tests.builders import Published, journey_document
from tests.stage import Stage

DAY = timedelta(days=1)
LOST: Mapping[str, object] = {"field": "person.status", "is": "lost"}
MISSED = {"record": "appointment", "status": "missed", "within": {"days": 14}}
DONE = {"record": "job", "status": "complete"}


def group(stage: Stage, name: str = "lost", match: Mapping[str, object] = LOST, **enroll: object) -> GroupId:
    """A group with its rule, as applied."""
    with stage.store.open_uow() as uow:
        uow.documents.save_group(name, match, enroll or None)
        return uow.documents.groups()[name]


def journey(stage: Stage, *, of: str | None = "lost", name: str = "Win back", **enter: object) -> Published:
    """A live journey that takes from a group."""
    document = journey_document(name)
    if of is not None:
        document["enter"] = {"group": of, **enter}
    return stage.world.journey(name, document)


def look(stage: Stage, coming: Coming | None = None) -> GroupCount:
    """One look at groups, now."""
    return LookAtGroups(stage.store.open_uow).run(stage.clock.now(), coming)


def members(stage: Stage, group_id: GroupId) -> set[PersonId]:
    """Who is in now."""
    return {row["person_id"] for row in stage.world.rows(t.group_member, group_id=group_id) if row["left_at"] is None}


def change(stage: Stage, person_id: PersonId, **columns: object) -> None:
    """Something about the person changes, whoever writes it."""
    with stage.store.session.write() as connection:
        connection.execute(sa.update(t.person).where(t.person.c.id == person_id).values(**columns))


def started(stage: Stage) -> list[tuple[PersonId, str]]:
    """(person, entry key) of every follow-up."""
    return [(row["person_id"], row["entry_key"]) for row in stage.world.rows(t.enrollment)]


def kept_out(stage: Stage) -> list[tuple[PersonId, str]]:
    """(person, why) of the log's lines about who was not let in."""
    lines = stage.world.rows(t.log_entry, event="follow_up.not_started")
    return [(row["person_id"], row["facts"]["why"]) for row in lines]


def wait_until(stage: Stage, at: datetime) -> None:
    """Time passes, and the engine runs: it rests when a whole month is gone at once."""
    while stage.clock.now() < at:
        stage.clock.set(min(at, stage.clock.now() + 30 * DAY))
        look(stage)
