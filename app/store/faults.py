"""What a database says when it can't be used, in words for staff. A refused constraint is something else: a bug."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy import exc

from app.domain.errors import Collision, StoreError


class RuleBroken(Exception):
    """A constraint or trigger refused a write. Code asked for what must never be: outside the exception tree, a bug."""


_LOCKED: Final = (
    "Another program is using the database.",
    "Close what has it open, or wait until it is done. Several computers at once need PostgreSQL.",
)
_SQLITE: Final = {
    "SQLITE_BUSY": _LOCKED,
    "SQLITE_LOCKED": _LOCKED,
    "SQLITE_PROTOCOL": _LOCKED,
    "SQLITE_READONLY": (
        "The database, or the folder it is in, can't be written to.",
        "Give this account the right to write there, or move the data folder.",
    ),
    "SQLITE_CANTOPEN": (
        "The database file can't be opened.",
        "Look whether the data folder is still there, and whether this account may read and write it.",
    ),
    "SQLITE_PERM": (
        "This account may not use the database file.",
        "Give it the right to read and write the data folder.",
    ),
    "SQLITE_NOTADB": (
        "The database file is not a database.",
        "Keep a copy of it as it is, then put your last backup in its place.",
    ),
    "SQLITE_CORRUPT": (
        "The database file is damaged.",
        "Keep a copy of it as it is, then put your last backup in its place.",
    ),
    "SQLITE_FULL": ("The disk is full.", "Free some space; nothing was lost, and sending goes on by itself."),
    "SQLITE_IOERR": (
        "The disk failed while the database was being read or written.",
        "Look after the disk first, and keep a copy of the data folder.",
    ),
}
_POSTGRES: Final = {
    "28": ("PostgreSQL refuses the user or the password.", "Correct the database URL."),
    "3D": ("There is no such database on the PostgreSQL server.", "Create it, or correct the database URL."),
    "08": ("The PostgreSQL server can't be reached.", "Look whether it runs and whether the network is there."),
    "25P03": ("The PostgreSQL server ended a transaction that stood still.", "Try again; nothing of it was kept."),
    "25006": ("The PostgreSQL database is read-only.", "Connect to the primary server."),
    "42501": ("This PostgreSQL user may not use the tables.", "Give it the rights to the database."),
    "53100": ("The disk of the PostgreSQL server is full.", "Free some space there; nothing was lost."),
    "53300": ("The PostgreSQL server takes no more connections.", "Close some, or allow it more."),
    "57": ("The PostgreSQL server is shutting down or starting up.", "Try again when it is back."),
    "40": ("Two desks changed the same rows at once.", "Try again."),
    "55P03": _LOCKED,
}
_UNREACHED: Final = _POSTGRES["08"]
_UNSTATED: Final = ("OperationalError", "ProgrammingError")
_COLLIDED: Final = "40"


@contextmanager
def told(database: str, driver_error: type[BaseException]) -> Iterator[None]:
    """Turns what the driver raises into a StoreError, and a refused constraint into RuleBroken.

    database: how the database is called in a sentence, without a password. driver_error: what the driver raises when
    it is asked without SQLAlchemy in between. Everything else passes as it is.
    """
    try:
        yield
    except exc.IntegrityError as broken:
        raise RuleBroken(_first_line(broken.orig)) from broken
    except exc.TimeoutError as waited:
        raise StoreError(f"{database}: all its connections are in use.", "Try again.") from waited
    except exc.DBAPIError as fault:
        raise (store_error(fault.orig, database) or fault) from fault
    except driver_error as fault:
        raise (store_error(fault, database) or fault) from fault


def store_error(fault: BaseException | None, database: str) -> StoreError | None:
    """The StoreError for what a driver raised, or None when it is a bug of ours."""
    name = getattr(fault, "sqlite_errorname", None)
    if isinstance(name, str):
        # extended names, such as SQLITE_BUSY_SNAPSHOT, begin with the plain one
        return _from(_SQLITE, (name, "_".join(name.split("_")[:2])), database)
    state = getattr(fault, "sqlstate", None)
    if isinstance(state, str):
        return _from(_POSTGRES, (state, state[:2]), database)
    return _without_state(fault, database) if type(fault).__name__ in _UNSTATED else None


def _without_state(fault: BaseException | None, database: str) -> StoreError | None:
    """A connection to PostgreSQL that never came about carries no state, only a sentence."""
    said = _first_line(fault)
    if type(fault).__name__ == "ProgrammingError":  # libpq does not even try: its option is not one
        option = re.search(r"invalid (?:URI query parameter|connection option)[: ]*\"([^\"]*)\"", said)
        hint = "Take it out of the database URL."
        return StoreError(f"{database}: {option[1]} is no option of PostgreSQL's.", hint) if option else None
    if re.search(r"authentication failed|no password supplied", said):
        sentence, hint = _POSTGRES["28"]
    elif re.search(r'database "[^"]*" does not exist', said):
        sentence, hint = _POSTGRES["3D"]
    else:
        sentence, hint = _UNREACHED
    return StoreError(f"{database}: {sentence}", hint)


def _from(sentences: dict[str, tuple[str, str]], names: tuple[str, ...], database: str) -> StoreError | None:
    for name in names:
        if name in sentences:
            sentence, hint = sentences[name]
            kind = Collision if name == _COLLIDED else StoreError
            return kind(f"{database}: {sentence}", hint)
    return None


def _first_line(fault: BaseException | None) -> str:
    return str(fault).strip().partition("\n")[0]
