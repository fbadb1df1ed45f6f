"""Records as an import writes them: added, or updated when their kind and external id are known. Behind OfficeDoor.

What an update changed is noted under its import, value by value, so that it can be taken back (office_imports.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import bindparam
from sqlalchemy.engine import Connection

from app.domain.ids import ImportId
from app.engine.office_ports import RecordNew
from app.store.columns import among
from app.store.import_notes import note
from app.store.tables import import_change
from app.store.tables import record as r

WRITTEN: Final = ("person_id", "status", "label", "starts_at", "due_on", "amount", "status_changed_at")
_KNOWN: Final = (
    sa.select(r.c.id, r.c.kind, r.c.external_id, *(r.c[name] for name in WRITTEN))
    .where(among(r.c.external_id, "names"))
    .order_by(r.c.id)
    .with_for_update(key_share=True)
)
_UPDATE: Final = (
    sa.update(r)
    .where(r.c.id == bindparam("record"))
    .values({name: bindparam(f"to_{name}", type_=r.c[name].type) for name in WRITTEN} | {"version": r.c.version + 1})
)

_Key = tuple[str, str]


def put_records(
    connection: Connection, rows: Sequence[RecordNew], import_id: ImportId | None, at: datetime
) -> tuple[int, int]:
    """(added, updated). A row that is there already counts as updated whether or not it brought anything new."""
    found = connection.execute(_KNOWN, {"names": sorted({row.external_id for row in rows})}).all()
    known = {(row.kind, row.external_id): dict(row._mapping) for row in found}
    before = {key: dict(row) for key, row in known.items()}
    new: dict[_Key, dict[str, Any]] = {}
    for row in rows:
        key = (row.kind, row.external_id)
        if key in known:
            _update(known[key], row, at)
        elif key in new:
            _update(new[key], row, at)
        else:
            new[key] = _new(row, import_id, at)
    if new:
        connection.execute(sa.insert(r), list(new.values()))
    changed = {key: row for key, row in known.items() if row != before[key]}
    write_records(connection, list(changed.values()))
    if import_id is not None and changed:
        notes = [note(import_id, "record", row["id"], before[key], row, WRITTEN) for key, row in changed.items()]
        connection.execute(sa.insert(import_change), notes)
    return len(new), len(rows) - len(new)


def write_records(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write whole pictures of records: WRITTEN, by `id`."""
    if rows:
        values = [{"record": row["id"]} | {f"to_{name}": row[name] for name in WRITTEN} for row in rows]
        connection.execute(_UPDATE, values)


def _update(row: dict[str, Any], new: RecordNew, at: datetime) -> None:
    """A blank tells nothing: what is stored stays."""
    if new.status != row["status"]:
        row["status"], row["status_changed_at"] = new.status, at
    row["person_id"] = new.person_id
    for name in ("label", "starts_at", "due_on", "amount"):
        given = getattr(new, name)
        row[name] = row[name] if given in (None, "") else given


def _new(row: RecordNew, import_id: ImportId | None, at: datetime) -> dict[str, Any]:
    return {
        "person_id": row.person_id,
        "kind": row.kind,
        "status": row.status,
        "external_id": row.external_id,
        "label": row.label,
        "starts_at": row.starts_at,
        "due_on": row.due_on,
        "amount": row.amount,
        "created_at": at,
        "status_changed_at": at,
        "import_id": import_id,
    }
