"""Which words a practice uses: names of custom fields, statuses of records. Names of things, never anybody's values."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from app.store import tables as t

# a status that few records carry may be a note about one person
_MANY = 3


def custom_fields(connection: Connection) -> Collection[str]:
    """The names of the custom fields that at least three people have."""
    if connection.dialect.name == "sqlite":
        each = sa.func.json_each(t.person.c.custom).table_valued("key")
    else:
        each = sa.func.json_object_keys(sa.cast(t.person.c.custom, sa.JSON)).table_valued("key").render_derived()
    found = sa.select(each.c.key).select_from(t.person.join(each, sa.true())).group_by(each.c.key)
    return [str(name) for name in connection.scalars(found.having(sa.func.count() >= _MANY).order_by(each.c.key))]


def statuses(connection: Connection) -> Mapping[str, Collection[str]]:
    """The statuses that at least three records of a kind have, by kind."""
    kind, status = t.record.c.kind, t.record.c.status
    many = sa.select(kind, status).group_by(kind, status).having(sa.func.count() >= _MANY).order_by(kind, status)
    found: dict[str, list[str]] = {}
    for row in connection.execute(many):
        if row.status:
            found.setdefault(row.kind, []).append(row.status)
    return found
