"""Templates and their versions. Behind DocumentsDoor. A version never changes: journeys pin it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from app.domain.errors import OperatorError
from app.domain.ids import TemplateVersionId
from app.domain.states import Channel, Purpose
from app.engine.office_ports import TemplateRow
from app.store import tables as t


def templates(connection: Connection) -> Mapping[str, TemplateRow]:
    """Every template in use with its current version, by name."""
    return {row.name: _template(row) for row in connection.execute(_current().where(sa.not_(t.template.c.archived)))}


def save(
    connection: Connection, name: str, channel: Channel, purpose: Purpose, subject: str, body: str, at: datetime
) -> bool:
    """Add the template, or change what differs; another text or purpose is a new version. True when it did.

    Raises OperatorError when the channel of a template that a journey uses would change.
    """
    written = {"purpose": purpose.value, "subject": subject, "body": body}
    stored = connection.execute(_current().where(t.template.c.name == name)).one_or_none()
    if stored is None:
        added = sa.insert(t.template).values(name=name, channel=channel.value)
        template_id = connection.execute(added.returning(t.template.c.id)).scalar_one()
        _new_version(connection, template_id, 1, written, at)
        return True
    if stored.channel != channel.value and _is_used(connection, name):
        raise OperatorError(
            f"Template “{name}” is used by a journey as {stored.channel}; its channel can't become {channel.value}.",
            "Save it under another name.",
        )
    kept = stored.channel == channel.value and not stored.archived
    if not kept:
        changed = sa.update(t.template).where(t.template.c.id == stored.template_id)
        connection.execute(changed.values(channel=channel.value, archived=False))
    if all(getattr(stored, column) == value for column, value in written.items()):
        return not kept
    _new_version(connection, stored.template_id, stored.number + 1, written, at)
    return True


def _current() -> sa.Select[Any]:
    return (
        sa.select(
            t.template.c.id.label("template_id"),
            t.template.c.name,
            t.template.c.channel,
            t.template.c.archived,
            t.template_version.c.id.label("version_id"),
            t.template_version.c.number,
            t.template_version.c.purpose,
            t.template_version.c.subject,
            t.template_version.c.body,
        )
        .join(t.template_version, t.template_version.c.id == t.template.c.current_version_id)
        .order_by(t.template.c.name)
    )


def _template(row: sa.Row[Any]) -> TemplateRow:
    return TemplateRow(
        name=row.name,
        channel=Channel(row.channel),
        purpose=Purpose(row.purpose),
        version_id=TemplateVersionId(row.version_id),
        number=row.number,
        subject=row.subject,
        body=row.body,
    )


def _new_version(
    connection: Connection, template_id: int, number: int, written: Mapping[str, str], at: datetime
) -> None:
    values = {"template_id": template_id, "number": number, "created_at": at, **written}
    added = sa.insert(t.template_version).values(values).returning(t.template_version.c.id)
    version_id = connection.execute(added).scalar_one()
    current = sa.update(t.template).where(t.template.c.id == template_id)
    connection.execute(current.values(current_version_id=version_id))


def _is_used(connection: Connection, name: str) -> bool:
    """Whether a published version pins it, or a message was made of it."""
    message = sa.select(t.message.c.id).where(t.message.c.template == name).limit(1)
    if connection.execute(message).first() is not None:
        return True
    return any(name in pinned for pinned in connection.execute(sa.select(t.journey_version.c.templates)).scalars())
