"""One trigger described once, written for SQLite and for PostgreSQL. Which ones there are: triggers.py."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import sqlalchemy as sa

from app.store.columns import quoted
from app.store.tables import METADATA


@dataclass(frozen=True, slots=True)
class Trigger:
    """Refuses `doing` on a row of `table` for which `when` holds.

    when: SQL over OLD and NEW that both databases read alike; `changed(a, b)` in it means that a column differs.
    of: the columns whose UPDATE asks it; empty for every one. locks: the row that PostgreSQL locks first, so that two
    transactions can't both pass; SQLite has one writer. timing: AFTER for an INSERT with ON CONFLICT DO NOTHING,
    for BEFORE is asked even when nothing is inserted. truncate: refuse TRUNCATE of the table as well.
    """

    name: str
    table: str
    doing: str
    message: str
    when: str = ""
    changed: tuple[str, ...] = ()
    of: tuple[str, ...] = ()
    locks: str = ""
    timing: str = "BEFORE"
    truncate: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """Notes after `doing` on a row of `table` that its person is to be looked at for groups.

    person: whose row it is, in SQL over NEW or OLD. when, changed, of: as a Trigger's; without a subquery.
    """

    name: str
    table: str
    doing: str
    person: str
    when: str = ""
    changed: tuple[str, ...] = ()
    of: tuple[str, ...] = ()


def mark_ddl(marks: Iterable[Mark], dialect: str) -> list[str]:
    """The statements that make `marks`, in order. dialect: `sqlite` or `postgresql`."""
    return [statement for mark in marks for statement in _mark(mark, dialect)]


def _mark(mark: Mark, dialect: str) -> Iterator[str]:
    of = f" OF {', '.join(mark.of)}" if mark.of else ""
    note = f"INSERT INTO group_look (person_id) VALUES ({mark.person})"  # noqa: S608 - our own constants
    if dialect == "sqlite":
        condition = _condition(mark, "IS NOT")
        when = f"\nWHEN {condition}" if condition else ""
        yield f"CREATE TRIGGER {mark.name} AFTER {mark.doing}{of} ON {mark.table}{when}\nBEGIN {note}; END"
        return
    condition = _condition(mark, "IS DISTINCT FROM")
    when = f" WHEN ({condition})" if condition else ""
    yield (f"CREATE FUNCTION {mark.name}() RETURNS trigger LANGUAGE plpgsql AS $$\nBEGIN {note}; RETURN NULL; END $$")
    yield (
        f"CREATE TRIGGER {mark.name} AFTER {mark.doing}{of} ON {mark.table}\n"
        f"FOR EACH ROW{when} EXECUTE FUNCTION {mark.name}()"
    )


def ddl(triggers: Iterable[Trigger], dialect: str) -> list[str]:
    """The statements that make `triggers`, in order. dialect: `sqlite` or `postgresql`."""
    make = _sqlite if dialect == "sqlite" else _postgresql
    return [statement for trigger in triggers for statement in make(trigger)]


def _condition(trigger: Trigger | Mark, distinct: str) -> str:
    """The whole condition. distinct: the dialect's null-safe `differs from`."""
    table = METADATA.tables[trigger.table]
    parts = []
    for column in trigger.changed:
        # PostgreSQL can't compare json as such
        as_text = "::text" if distinct != "IS NOT" and isinstance(table.c[column].type, sa.JSON) else ""
        parts.append(f"NEW.{column}{as_text} {distinct} OLD.{column}{as_text}")
    changed = " OR ".join(parts)
    if trigger.when and changed:
        return f"{trigger.when} AND ({changed})"
    return trigger.when or changed


def _sqlite(trigger: Trigger) -> Iterator[str]:
    of = f" OF {', '.join(trigger.of)}" if trigger.of else ""
    condition = _condition(trigger, "IS NOT")
    when = f"\nWHEN {condition}" if condition else ""
    yield (
        f"CREATE TRIGGER {trigger.name} {trigger.timing} {trigger.doing}{of} ON {trigger.table}{when}\n"
        f"BEGIN SELECT RAISE(ABORT, {quoted([trigger.message])}); END"
    )


def _postgresql(trigger: Trigger) -> Iterator[str]:
    of = f" OF {', '.join(trigger.of)}" if trigger.of else ""
    condition = _condition(trigger, "IS DISTINCT FROM")
    # a WHEN is cheaper than a call of the function, but can't hold a subquery
    asks_rows = "SELECT" in condition
    raises = f"RAISE EXCEPTION USING MESSAGE = {quoted([trigger.message])}, ERRCODE = 'check_violation';"
    body = f"IF {condition} THEN {raises} END IF;" if asks_rows else raises
    locks = f"PERFORM {trigger.locks.removeprefix('SELECT ')}; " if trigger.locks else ""
    returned = "OLD" if trigger.doing == "DELETE" else "NEW"
    yield (
        f"CREATE FUNCTION {trigger.name}() RETURNS trigger LANGUAGE plpgsql AS $$\n"
        f"BEGIN {locks}{body} RETURN {returned}; END $$"
    )
    when = f" WHEN ({condition})" if condition and not asks_rows else ""
    yield (
        f"CREATE TRIGGER {trigger.name} {trigger.timing} {trigger.doing}{of} ON {trigger.table}\n"
        f"FOR EACH ROW{when} EXECUTE FUNCTION {trigger.name}()"
    )
    if trigger.truncate:
        yield (
            f"CREATE TRIGGER {trigger.table}_whole BEFORE TRUNCATE ON {trigger.table}\n"
            f"FOR EACH STATEMENT EXECUTE FUNCTION {trigger.name}()"
        )
