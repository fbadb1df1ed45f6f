"""The migrations make what tables.py and triggers.py say, on both databases, down to each CHECK, index and trigger."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from app.store.migrate import SHIPPED
from app.store.session import Session, sqlite_url
from app.store.tables import METADATA
from app.store.triggers import trigger_ddl
from tools.print_schema import copied_tables

SQLITE_PARTS = {"everything": "SELECT type || ' ' || name, sql FROM sqlite_master WHERE sql IS NOT NULL"}
POSTGRES_PARTS = {
    "columns": "SELECT table_name || '.' || column_name, data_type || ' ' || is_nullable || ' '"
    " || coalesce(column_default, '-') || ' ' || is_identity FROM information_schema.columns"
    " WHERE table_schema = 'public'",
    "constraints": "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint"
    " WHERE connamespace = 'public'::regnamespace",
    "indexes": "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
    "triggers": "SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal",
    "functions": "SELECT proname, pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace",
    "storage": "SELECT relname, array_to_string(reloptions, ' ') FROM pg_class WHERE reloptions IS NOT NULL"
    " AND relnamespace = 'public'::regnamespace",
}


def parts(session: Session) -> dict[str, dict[str, list[str]]]:
    """Everything that the schema is made of, as the database tells it, but for Alembic's own table."""
    with session.read() as connection:
        asked = SQLITE_PARTS if session.is_sqlite else POSTGRES_PARTS
        found = {part: connection.execute(sa.text(statement)).all() for part, statement in asked.items()}
    return {
        part: {name: lines(str(text)) for name, text in rows if "alembic_version" not in f"{name} {text}"}
        for part, rows in found.items()
    }


def lines(text: str) -> list[str]:
    """The lines of a statement, sorted: SQLAlchemy writes constraints in another order at every run."""
    return sorted(line.strip().removesuffix(",") for line in text.splitlines())


@pytest.fixture
def made_from_tables(request: pytest.FixtureRequest, database_url: str, tmp_path: Path) -> Iterator[Session]:
    """A database of the same kind, made from tables.py and triggers.py without any migration."""
    is_sqlite = database_url.startswith("sqlite")
    url = sqlite_url(tmp_path / "tables.sqlite3") if is_sqlite else request.getfixturevalue("postgres_url")
    session = Session(url)
    with session.write() as connection:
        copied_tables().create_all(connection)
        for statement in trigger_ddl(session.dialect):
            connection.exec_driver_sql(statement, execution_options={"no_parameters": True})
    yield session
    session.dispose()


def test_the_migrated_schema_is_the_one_of_the_tables(database_url: str, made_from_tables: Session) -> None:
    migrated = Session(database_url)
    found, wanted = parts(migrated), parts(made_from_tables)
    migrated.dispose()

    assert found == wanted
    assert sum(len(part) for part in found.values()) > 100


@pytest.mark.filterwarnings("ignore:Skipped unsupported reflection of expression-based index")
@pytest.mark.filterwarnings("ignore:autogenerate skipping metadata-specified expression-based index")
def test_alembic_sees_nothing_left_to_migrate(database_url: str) -> None:
    session = Session(database_url)
    with session.read() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": False})
        left = compare_metadata(context, METADATA)
    session.dispose()

    assert left == []


def test_every_migration_is_known_without_loading_alembic() -> None:
    files = sorted(SHIPPED.folder.glob("versions/*.py"))
    revisions = [re.search(r'^revision = "(\w+)"$', file.read_text(encoding="utf-8"), re.MULTILINE) for file in files]

    assert tuple(found[1] for found in revisions if found) == SHIPPED.revisions
    assert len(revisions) == len(SHIPPED.revisions)
