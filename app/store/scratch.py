"""A throw-away practice for a rehearsal: a database of its own, with the practice's documents and one person's rows.

The practice's own database is only read, in one moment; nothing that happens in the copy gets back there.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from app.domain.errors import OperatorError
from app.domain.ids import PersonId
from app.domain.states import JourneyState
from app.store import tables as t
from app.store.migrate import MADE_BY, bring_up_to_date
from app.store.session import Session, sqlite_url
from app.store.unit_of_work import Store

# in the order in which they are written; what they point to and is not copied is left out of the rows
_DOCUMENTS: Final = (t.practice, t.location, t.template, t.template_version, t.journey, t.journey_version, t.group)
_OF_PERSON: Final = (t.person_tag, t.record, t.consent)
_LEFT_OUT: Final = frozenset({"import_id", "event_id"})

_Rows = Sequence[tuple[sa.Table, Sequence[Mapping[str, Any]]]]


@contextmanager
def scratch_store(
    source: Store, person_id: PersonId | None, at: datetime, pinned: tuple[str, int] | None
) -> Iterator[Store]:
    """Implements rehearse.OpenScratch: a copy to rehearse in, gone at the end of the `with`.

    at: UTC, when it is made. Raises StoreError when either database can't be used, OperatorError as it says there.
    """
    with source.session.read() as connection:
        rows = _read(connection, person_id)
    # what SQLite still holds open on Windows is left to the system's own clearing of temporary files
    with tempfile.TemporaryDirectory(prefix="stopwell-rehearsal-", ignore_cleanup_errors=True) as folder:
        session = Session(sqlite_url(Path(folder, "rehearsal.sqlite3")))
        try:
            bring_up_to_date(session, at)
            with session.write() as connection:
                _write(connection, rows)
                if pinned is not None:
                    _pin(connection, *pinned)
            yield Store(session, source.memory.rules)
        finally:
            session.dispose()


def _read(connection: Connection, person_id: PersonId | None) -> _Rows:
    found = [(t.setting, _all(connection, sa.select(t.setting).where(t.setting.c.key != MADE_BY)))]
    found += [(table, _all(connection, sa.select(table))) for table in _DOCUMENTS]
    if person_id is None:
        return found
    people = _all(connection, sa.select(t.person).where(t.person.c.id == person_id))
    found.append((t.person, people))
    found += [(table, _all(connection, sa.select(table).where(table.c.person_id == person_id))) for table in _OF_PERSON]
    mine = [row[key] for row in people for key in ("email", "phone", "alt_phone") if row[key]]
    plain = t.suppression.c.address_key.in_(mine)
    # an erased person's address stands there hashed, and may be this one's too
    closed = sa.select(t.suppression).where(sa.or_(plain, t.suppression.c.hashed))
    found.append((t.suppression, [row | {"person_id": None} for row in _all(connection, closed)]))
    return found


def _all(connection: Connection, query: sa.Select[Any]) -> list[dict[str, Any]]:
    return [
        dict(row) | dict.fromkeys(_LEFT_OUT & row.keys(), None) for row in connection.execute(query).mappings().all()
    ]


def _write(connection: Connection, rows: _Rows) -> None:
    connection.execute(sa.text("PRAGMA defer_foreign_keys = ON"))  # a template points to its version, and back
    connection.execute(
        sa.delete(t.setting).where(t.setting.c.key != MADE_BY)
    )  # the practice's own key of hashes counts
    for table, each in rows:
        if each:
            connection.execute(sa.insert(table), list(each))


def _pin(connection: Connection, name: str, number: int) -> None:
    """Make that version the live one, and the only one."""
    version = (
        sa.select(t.journey_version.c.id)
        .join(t.journey, t.journey.c.id == t.journey_version.c.journey_id)
        .where(t.journey.c.name == name, t.journey_version.c.number == number)
    )
    found = connection.scalar(version)
    if found is None:
        raise OperatorError(f"{name} has no version {number}.", "stopwell journeys lists journeys and their versions.")
    live = {"live_version_id": found, "draft_document": None, "state": JourneyState.LIVE.value}
    connection.execute(sa.update(t.journey).where(t.journey.c.name == name).values(**live))
