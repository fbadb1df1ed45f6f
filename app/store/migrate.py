"""Brings a database up to this version: makes it when it is empty, copies it and upgrades it when it is older.

Alembic is loaded only when there is something to do; at every other start one row is compared.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from app import __version__
from app.domain.errors import StoreError
from app.store.backup import FOLDER, backup_name, copy_database
from app.store.session import Session
from app.store.tables import practice, setting

log = logging.getLogger(__name__)

MADE_BY: Final = "made_by"  # the setting that holds the version that last changed the schema
_ONE_AT_A_TIME: Final = 0x53746F70  # PostgreSQL: two desks that start at once


@dataclass(frozen=True, slots=True)
class Plan:
    """Where migrations are, and their revisions in order: known without loading Alembic."""

    folder: Path
    revisions: tuple[str, ...]

    @property
    def newest(self) -> str:
        """The revision of this version's schema."""
        return self.revisions[-1]


SHIPPED: Final = Plan(Path(__file__).parent / "migrations", ("0001", "0002", "0003", "0004", "0005"))


class Brought(StrEnum):
    """What was done."""

    MADE = "made"
    UPGRADED = "upgraded"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Upgrade:
    """What bring_up_to_date did. copy: the backup made before an upgrade, None when none was needed."""

    done: Brought
    copy: Path | None = None


def holds_practice(session: Session, plan: Plan = SHIPPED) -> bool:
    """Whether there is a practice in the database: not when it is empty, or when its making was cut off.

    Looks and changes nothing. Raises StoreError as bring_up_to_date does.
    """
    if session.path is not None and not session.path.exists():
        return False
    with session.read() as connection:
        if _revision(connection, session.name, plan) is None:
            return False
        return connection.scalar(sa.select(sa.exists(sa.select(practice.c.id)))) is True


def bring_up_to_date(session: Session, now: datetime, plan: Plan = SHIPPED) -> Upgrade:
    """Make or upgrade the schema, in one transaction: a computer that dies half-way leaves what was there before.

    Raises StoreError: made by a newer Stopwell, not a database of Stopwell's, or not usable.
    """
    revision = _revision_of(session, plan)
    if revision == plan.newest:
        return Upgrade(Brought.NOTHING)
    copy = None
    if revision is not None and session.path is not None:
        copy = copy_database(session, session.path.parent / FOLDER / backup_name(_made_by(session), now))
    with session.write() as connection:
        if not session.is_sqlite:
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_ONE_AT_A_TIME)))
        if _revision(connection, session.name, plan) == plan.newest:
            return Upgrade(Brought.NOTHING, copy)  # another process was quicker
        _migrate(connection, plan)
        _note_version(connection)
    log.info("schema.brought_up_to_date", extra={"from": revision or "", "to": plan.newest})
    return Upgrade(Brought.MADE if revision is None else Brought.UPGRADED, copy)


def _revision_of(session: Session, plan: Plan) -> str | None:
    if session.path is not None and not session.path.exists():
        return None
    with session.read() as connection:  # a writer would bring somebody else's file into WAL mode
        return _revision(connection, session.name, plan)


def _revision(connection: Connection, name: str, plan: Plan) -> str | None:
    """The database's revision, None when it is empty. Raises StoreError for a newer or a foreign one."""
    tables = set(sa.inspect(connection).get_table_names())
    if not tables:
        return None
    if not {"alembic_version", setting.name, practice.name} <= tables:  # others use Alembic too
        raise StoreError(f"{name} is not a database of Stopwell's.", "Give another data folder or database.")
    found: str | None = connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
    if found is None or found in plan.revisions:
        return found
    made_by = connection.scalar(sa.select(setting.c.value).where(setting.c.key == MADE_BY))
    newer = made_by if isinstance(made_by, str) else "a later version"
    raise StoreError(
        f"{name} was made by a newer Stopwell ({newer}); this is {__version__}.",
        f"Install version {newer} or newer." if isinstance(made_by, str) else "Install the newest version.",
    )


def _made_by(session: Session) -> str:
    with session.read() as connection:
        found = connection.scalar(sa.select(setting.c.value).where(setting.c.key == MADE_BY))
    return found if isinstance(found, str) else "unknown"


def _migrate(connection: Connection, plan: Plan) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(plan.folder).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, plan.newest)


def _note_version(connection: Connection) -> None:
    connection.execute(sa.delete(setting).where(setting.c.key == MADE_BY))
    connection.execute(sa.insert(setting).values(key=MADE_BY, value=__version__))
