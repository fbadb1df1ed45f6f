"""Prints the whole schema as one database would make it from tables.py and triggers.py: to write a migration from.

.venv/bin/python tools/print_schema.py sqlite
"""

from __future__ import annotations

import sys

import sqlalchemy as sa
from sqlalchemy.sql.ddl import ExecutableDDLElement

from app.store.tables import METADATA
from app.store.triggers import trigger_ddl

DIALECTS = {"sqlite": "sqlite://", "postgresql": "postgresql+psycopg://"}


def statements(dialect: str) -> list[str]:
    """Every CREATE of the schema, in an order that works, then the triggers."""
    made: list[str] = []

    def keep(element: ExecutableDDLElement, *_: object, **__: object) -> None:
        text = str(element.compile(dialect=engine.dialect)).replace("\t", "  ").strip()
        made.append(in_fixed_order([line.rstrip() for line in text.splitlines()]))

    engine = sa.create_mock_engine(DIALECTS[dialect], keep)
    copied_tables().create_all(engine, checkfirst=False)
    # indexes come in no fixed order: sort them, so that the file changes only where the schema does
    tables = [text for text in made if text.startswith("CREATE TABLE")]
    indexes = sorted(text for text in made if text.startswith(("CREATE INDEX", "CREATE UNIQUE INDEX")))
    others = sorted(text for text in made if text not in tables and text not in indexes)
    return [*tables, *indexes, *others, *trigger_ddl(dialect)]


def copied_tables() -> sa.MetaData:
    """The tables of tables.py, to make a schema from: doing so for one database leaves a mark for the next."""
    copy = sa.MetaData(naming_convention=METADATA.naming_convention)
    for table in METADATA.tables.values():
        table.to_metadata(copy)
    return copy


def in_fixed_order(lines: list[str]) -> str:
    """A CREATE TABLE with its constraints sorted: they come in another order at every run."""
    places = [place for place, line in enumerate(lines) if line.startswith("  CONSTRAINT ")]
    if not places:
        return "\n".join(lines)
    first, last = places[0], places[-1] + 1
    constraints = sorted(line.removesuffix(",") for line in lines[first:last])
    commas = [line + "," for line in constraints[:-1]] + constraints[-1:]
    return "\n".join([*lines[:first], *commas, *lines[last:]])


if __name__ == "__main__":
    if sys.argv[1:] not in ([dialect] for dialect in DIALECTS):
        sys.exit(f"Give one of: {', '.join(DIALECTS)}")
    sys.stdout.write("\n-- next\n".join(statements(sys.argv[1])) + "\n")
