"""Column types and column helpers that every table shares. One source for SQLite and PostgreSQL."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import types
from sqlalchemy.engine import Dialect
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql import ColumnElement
from sqlalchemy.sql.compiler import SQLCompiler

METADATA: Final = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

ID: Final = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
DOCUMENT: Final = sa.JSON(none_as_null=True)

_CENT = Decimal("0.01")


class UtcDateTime(types.TypeDecorator[datetime]):
    """An instant: aware in, aware UTC out. A naive time is refused with ValueError.

    PostgreSQL keeps `timestamptz`; SQLite keeps text of one width (`2026-03-08T10:00:00.000000Z`), which sorts by time.
    """

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> types.TypeEngine[Any]:
        """Text of 27 characters on SQLite, timestamptz elsewhere."""
        if dialect.name == "sqlite":
            return dialect.type_descriptor(sa.String(27))
        return dialect.type_descriptor(sa.DateTime(timezone=True))

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        """What the driver is given."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value.isoformat()} has no zone")
        if dialect.name == "sqlite":
            return stamp(value)
        return value.astimezone(UTC)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """What the caller gets."""
        if value is None:
            return None
        if isinstance(value, str):
            return datetime.fromisoformat(value)
        aware: datetime = value
        return aware if aware.tzinfo is UTC else aware.astimezone(UTC)


class Money(types.TypeDecorator[Decimal]):
    """An amount with two decimals: exact NUMERIC on PostgreSQL, a number on SQLite (exact to 15 digits)."""

    impl = sa.Numeric(12, 2)
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> types.TypeEngine[Any]:
        """SQLite's driver takes no Decimal, so it gets a float of the same two decimals."""
        if dialect.name == "sqlite":
            return dialect.type_descriptor(sa.Float())
        return dialect.type_descriptor(sa.Numeric(12, 2))

    def process_bind_param(self, value: Decimal | float | int | None, dialect: Dialect) -> Any:
        """What the driver is given; a comparison may carry more than two decimals."""
        if value is None:
            return None
        exact = value if isinstance(value, Decimal) else Decimal(str(value))
        return float(exact) if dialect.name == "sqlite" else exact

    def process_result_value(self, value: Any, dialect: Dialect) -> Decimal | None:
        """Always two decimals."""
        if value is None:
            return None
        return Decimal(str(value)).quantize(_CENT, ROUND_HALF_UP)


def stamp(at: datetime) -> str:
    """`at` as SQLite keeps it. at: aware."""
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def key() -> sa.Column[int]:
    """The integer primary key `id`, never given out twice."""
    return sa.Column("id", ID, sa.Identity(), primary_key=True)


def ref(name: str, target: str, *, null: bool = False, index: bool = False) -> sa.Column[int]:
    """A column that points at `target`'s id."""
    return sa.Column(name, ID, sa.ForeignKey(f"{target}.id"), nullable=null, index=index)


def instant(name: str, *, null: bool = False) -> sa.Column[datetime]:
    """An instant column."""
    return sa.Column(name, UtcDateTime(), nullable=null)


def text(name: str, *, null: bool = False, default: str | None = None) -> sa.Column[str]:
    """A text column; `default` stands in the database too."""
    given = None if default is None else sa.text(quoted([default]))
    return sa.Column(name, sa.Text(), nullable=null, server_default=given)


def whole(name: str, *, null: bool = False, default: int | None = None) -> sa.Column[int]:
    """A whole number column; `default` stands in the database too."""
    given = None if default is None else sa.text(str(default))
    return sa.Column(name, sa.Integer(), nullable=null, server_default=given)


def flag(name: str, *, default: bool = False) -> sa.Column[bool]:
    """A yes or no column."""
    return sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.true() if default else sa.false())


def document(name: str, *, null: bool = False, default: str | None = None) -> sa.Column[Any]:
    """A JSON column; keys keep their order on both databases."""
    given = None if default is None else sa.text(quoted([default]))
    return sa.Column(name, DOCUMENT, nullable=null, server_default=given)


def one_of(column: str, values: Iterable[str], *, null: bool = False) -> sa.CheckConstraint:
    """CHECK that a text column holds one of `values`, in their declared order."""
    told = f"{column} IN ({quoted(values)})"
    return sa.CheckConstraint(f"{column} IS NULL OR {told}" if null else told, name=column)


def choices(column: str, enum: type[StrEnum], *, null: bool = False) -> sa.CheckConstraint:
    """CHECK that a text column holds a member of `enum`."""
    return one_of(column, [member.value for member in enum], null=null)


def quoted(values: Iterable[str]) -> str:
    """SQL string literals, comma separated. values: our own constants."""
    return ", ".join("'" + value.replace("'", "''") + "'" for value in values)


def partial_index(name: str, *columns: str, where: str, unique: bool = False) -> sa.Index:
    """An index over the rows for which `where` holds, on both databases. where: our own literal SQL."""
    return sa.Index(name, *columns, unique=unique, sqlite_where=sa.text(where), postgresql_where=sa.text(where))


class KeyList(types.TypeDecorator[Any]):
    """A list of ids or texts as one bound value: JSON text on SQLite, an array on PostgreSQL."""

    impl = sa.Text
    cache_ok = True

    def __init__(self, *, texts: bool) -> None:
        super().__init__()
        self.texts = texts

    def load_dialect_impl(self, dialect: Dialect) -> types.TypeEngine[Any]:
        """The dialect's own list."""
        if dialect.name == "sqlite":
            return dialect.type_descriptor(sa.Text())
        return dialect.type_descriptor(sa.ARRAY(sa.Text() if self.texts else sa.BigInteger()))

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        """What the driver is given."""
        listed = list(value or ())
        return json.dumps(listed) if dialect.name == "sqlite" else listed


class Among(ColumnElement[bool]):
    """`column` is one of a bound list: one statement text whatever the list's length (ENGINE C4)."""

    inherit_cache = True
    type = sa.Boolean()
    _traverse_internals = [  # noqa: RUF012 - the shape SQLAlchemy asks for
        ("column", sa.sql.visitors.InternalTraversal.dp_clauseelement),
        ("given", sa.sql.visitors.InternalTraversal.dp_clauseelement),
    ]

    def __init__(self, column: ColumnElement[Any], given: sa.BindParameter[Any]) -> None:
        self.column = column
        self.given = given

    def self_group(self, against: Any = None) -> Any:
        """As it stands: SQLAlchemy would compare it with 1 on SQLite, and no index is used for that."""
        return self


def among(column: Any, name: str) -> ColumnElement[bool]:
    """True for rows whose `column` is in the list bound as `name`; an empty list matches nothing."""
    return Among(column, sa.bindparam(name, type_=_list_for(column)))


def among_these(column: ColumnElement[Any], values: Collection[Any]) -> ColumnElement[bool]:
    """True for rows whose `column` is one of `values`, which travel with the expression."""
    return Among(column, sa.bindparam(None, list(values), type_=_list_for(column), unique=True))


def _list_for(column: ColumnElement[Any]) -> KeyList:
    return KeyList(texts=isinstance(column.type, sa.String))


@compiles(Among, "sqlite")
def _among_sqlite(element: Among, compiler: SQLCompiler, **kw: Any) -> str:
    column = compiler.process(element.column, **kw)
    return f"{column} IN (SELECT value FROM json_each({compiler.process(element.given, **kw)}))"  # noqa: S608 - compiled


@compiles(Among, "postgresql")
def _among_postgresql(element: Among, compiler: SQLCompiler, **kw: Any) -> str:
    return f"{compiler.process(element.column, **kw)} = ANY({compiler.process(element.given, **kw)})"
