"""Writes the statements of a migration that makes the whole schema, as tables.py and triggers.py say it now.

For use before the migration is released; after that it is never edited, and a change is a new migration.

    .venv/bin/python tools/freeze_schema.py 0001_foundation
"""

from __future__ import annotations

import sys
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.sql.ddl import ExecutableDDLElement

from app.store.tables import METADATA
from app.store.triggers import trigger_ddl

VERSIONS = Path(__file__).parent.parent / "app" / "store" / "migrations" / "versions"
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


def main(name: str) -> None:
    """Write one file a database."""
    for dialect in DIALECTS:
        file = VERSIONS / f"{name}.{dialect}.sql"
        file.write_text("\n-- next\n".join(statements(dialect)), encoding="utf-8")
        sys.stdout.write(f"{file}\n")


if __name__ == "__main__":
    main(sys.argv[1])
