"""Journeys: drafts, publishing, states. Behind DocumentsDoor. A published version never changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from app.domain.errors import OperatorError
from app.domain.ids import JourneyId, JourneyVersionId, TemplateVersionId
from app.domain.states import JourneyState
from app.engine.office_ports import JourneyRow, JsonDocument, VersionRow
from app.store import tables as t
from app.store.documents_groups import plain


@dataclass(frozen=True, slots=True)
class Version:
    """A version to be published. proof: as shown; templates: the pinned version of each, by name."""

    document: JsonDocument
    proof: JsonDocument
    send_budget: int
    max_days: float
    templates: Mapping[str, TemplateVersionId]
    by: str
    at: datetime


def journey(connection: Connection, name: str) -> JourneyRow | None:
    """The journey of that name, or None."""
    row = connection.execute(_rows().where(t.journey.c.name == name)).one_or_none()
    return None if row is None else _journey(row)


def journeys(connection: Connection) -> Sequence[JourneyRow]:
    """Every journey, by name."""
    return [_journey(row) for row in connection.execute(_rows())]


def versions(connection: Connection, journey_id: JourneyId) -> Sequence[VersionRow]:
    """Every version of a journey, the oldest first."""
    v = t.journey_version.c
    found = sa.select(v.number, v.document, v.published_at, v.published_by).where(v.journey_id == journey_id)
    return [VersionRow(*row) for row in connection.execute(found.order_by(v.number))]


def save_draft(connection: Connection, name: str, document: JsonDocument, at: datetime) -> bool:
    """Keep `document` as the draft. True when it differs from the draft, else from the live version.

    A draft that equals the live version is no draft: there would be nothing to publish.
    """
    value = plain(document)
    stored = journey(connection, name)
    if stored is None:
        connection.execute(sa.insert(t.journey).values(name=name, draft_document=value, created_at=at, updated_at=at))
        return True
    if value == (stored.draft if stored.draft is not None else stored.live_document):
        return False
    draft = sa.null() if value == stored.live_document else value
    connection.execute(
        sa.update(t.journey).where(t.journey.c.id == stored.id).values(draft_document=draft, updated_at=at)
    )
    return True


def publish(connection: Connection, journey_id: JourneyId, version: Version) -> JourneyVersionId:
    """Add the version, with the next number, and make it live. Raises OperatorError for an unknown journey."""
    locked = sa.select(t.journey.c.id).where(t.journey.c.id == journey_id).with_for_update()
    if connection.execute(locked).scalar_one_or_none() is None:
        raise _unknown(journey_id)
    newest = sa.select(sa.func.max(t.journey_version.c.number)).where(t.journey_version.c.journey_id == journey_id)
    added = sa.insert(t.journey_version).values(
        journey_id=journey_id,
        number=(connection.execute(newest).scalar_one() or 0) + 1,
        document=plain(version.document),
        proof=plain(version.proof),
        send_budget=version.send_budget,
        max_days=version.max_days,
        templates=plain(version.templates),
        published_at=version.at,
        published_by=version.by,
    )
    version_id = JourneyVersionId(connection.execute(added.returning(t.journey_version.c.id)).scalar_one())
    live = {"state": JourneyState.LIVE.value, "live_version_id": version_id, "draft_document": sa.null()}
    live["priority"] = version.document.get("priority", 0)
    connection.execute(sa.update(t.journey).where(t.journey.c.id == journey_id).values(updated_at=version.at, **live))
    return version_id


def set_state(connection: Connection, journey_id: JourneyId, state: JourneyState) -> None:
    """Raises OperatorError for an unknown journey, and for one without a version, which can only be a draft."""
    found = sa.select(t.journey.c.name, t.journey.c.live_version_id).where(t.journey.c.id == journey_id)
    stored = connection.execute(found).one_or_none()
    if stored is None:
        raise _unknown(journey_id)
    if stored.live_version_id is None and state is not JourneyState.DRAFT:
        raise OperatorError(f"Journey “{stored.name}” was never published.", "Publish it first.")
    connection.execute(sa.update(t.journey).where(t.journey.c.id == journey_id).values(state=state.value))


def _rows() -> sa.Select[Any]:
    live = t.journey_version
    return (
        sa.select(
            t.journey,
            live.c.number.label("live_number"),
            live.c.document.label("live_document"),
            live.c.send_budget.label("live_send_budget"),
            live.c.templates.label("live_templates"),
        )
        .select_from(t.journey.outerjoin(live, live.c.id == t.journey.c.live_version_id))
        .order_by(t.journey.c.name)
    )


def _journey(row: sa.Row[Any]) -> JourneyRow:
    return JourneyRow(
        id=JourneyId(row.id),
        name=row.name,
        state=JourneyState(row.state),
        draft=row.draft_document,
        live_version_id=None if row.live_version_id is None else JourneyVersionId(row.live_version_id),
        live_number=row.live_number,
        live_document=row.live_document,
        live_send_budget=row.live_send_budget,
        live_templates=row.live_templates,
    )


def _unknown(journey_id: JourneyId) -> OperatorError:
    return OperatorError(f"There is no journey {journey_id}.", "`stopwell journeys` lists them.")
