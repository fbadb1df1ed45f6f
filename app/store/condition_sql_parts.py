"""What a condition compares, as SQL of either database: folded text, plain numbers and days, a custom field's text.

Each part says what its namesake in domain/condition.py says; a missing value is NULL.
"""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from app.store.columns import UtcDateTime

NUMBER_FUNCTION: Final = "stopwell_number"  # made known to each SQLite connection by session.py

_DAY_GLOB: Final = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]"
_DAY_REGEX: Final = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
_NUMBER_REGEX: Final = r"^-?[0-9]{1,15}(\.[0-9]{1,15})?$"


class Folded(FunctionElement[str]):
    """Text as `fold` makes it: A-Z in lower case, blanks at either end gone."""

    inherit_cache = True
    name = "folded"
    type = sa.Text()


class PlainNumber(FunctionElement[float]):
    """The number that folded text is, as a float; NULL for any other text."""

    inherit_cache = True
    name = "plain_number"
    type = sa.Double()


class PlainDay(FunctionElement[str]):
    """Folded text that has the form YYYY-MM-DD; NULL for any other."""

    inherit_cache = True
    name = "plain_day"
    type = sa.Text()


class InstantText(FunctionElement[str]):
    """An instant as folded text, UTC to the microsecond."""

    inherit_cache = True
    name = "instant_text"
    type = sa.Text()


class CustomText(FunctionElement[str]):
    """The text in a JSON mapping under a name; NULL when there is none, or when it is no text."""

    inherit_cache = True
    name = "custom_text"
    type = sa.Text()


class HasPart(FunctionElement[bool]):
    """Whether folded text holds another somewhere."""

    inherit_cache = True
    name = "has_part"
    type = sa.Boolean()


class RecordTime(FunctionElement[Any]):
    """A record's own time: when it starts, else the midnight UTC of the day it is due, else of its present status."""

    inherit_cache = True
    name = "record_time"
    type = UtcDateTime()


def _parts(element: FunctionElement[Any], compiler: SQLCompiler, **kw: Any) -> list[str]:
    return [compiler.process(part, **kw) for part in element.clauses]


@compiles(Folded, "sqlite")
def _folded_sqlite(element: Folded, compiler: SQLCompiler, **kw: Any) -> str:
    return f"lower(trim({_parts(element, compiler, **kw)[0]}, char(32, 9, 13, 10)))"


@compiles(Folded, "postgresql")
def _folded_postgresql(element: Folded, compiler: SQLCompiler, **kw: Any) -> str:
    # under the C collation lower() changes A-Z and nothing else, as SQLite's does
    return f"""lower(btrim({_parts(element, compiler, **kw)[0]}, E' \\t\\r\\n') COLLATE "C")"""


@compiles(PlainNumber, "sqlite")
def _number_sqlite(element: PlainNumber, compiler: SQLCompiler, **kw: Any) -> str:
    return f"{NUMBER_FUNCTION}({_parts(element, compiler, **kw)[0]})"


@compiles(PlainNumber, "postgresql")
def _number_postgresql(element: PlainNumber, compiler: SQLCompiler, **kw: Any) -> str:
    text = _parts(element, compiler, **kw)[0]
    return f"CASE WHEN {text} ~ '{_NUMBER_REGEX}' THEN CAST({text} AS DOUBLE PRECISION) END"


@compiles(PlainDay, "sqlite")
def _day_sqlite(element: PlainDay, compiler: SQLCompiler, **kw: Any) -> str:
    text = _parts(element, compiler, **kw)[0]
    return f"CASE WHEN {text} GLOB '{_DAY_GLOB}' THEN {text} END"


@compiles(PlainDay, "postgresql")
def _day_postgresql(element: PlainDay, compiler: SQLCompiler, **kw: Any) -> str:
    text = _parts(element, compiler, **kw)[0]
    return f"CASE WHEN {text} ~ '{_DAY_REGEX}' THEN {text} END"


@compiles(InstantText, "sqlite")
def _instant_sqlite(element: InstantText, compiler: SQLCompiler, **kw: Any) -> str:
    return f"lower(substr({_parts(element, compiler, **kw)[0]}, 1, 26))"


@compiles(InstantText, "postgresql")
def _instant_postgresql(element: InstantText, compiler: SQLCompiler, **kw: Any) -> str:
    form = """'YYYY-MM-DD"t"HH24:MI:SS.US'"""
    return f"""(to_char({_parts(element, compiler, **kw)[0]} AT TIME ZONE 'UTC', {form}) COLLATE "C")"""


@compiles(CustomText, "sqlite")
def _custom_sqlite(element: CustomText, compiler: SQLCompiler, **kw: Any) -> str:
    document, name = _parts(element, compiler, **kw)
    # not by a path: a name may hold any character
    return f"(SELECT j.value FROM json_each({document}) AS j WHERE j.key = {name} AND j.type = 'text')"  # noqa: S608 - compiled


@compiles(CustomText, "postgresql")
def _custom_postgresql(element: CustomText, compiler: SQLCompiler, **kw: Any) -> str:
    document, name = _parts(element, compiler, **kw)
    return f"CASE json_typeof({document} -> {name}) WHEN 'string' THEN {document} ->> {name} END"


@compiles(HasPart, "sqlite")
def _has_part_sqlite(element: HasPart, compiler: SQLCompiler, **kw: Any) -> str:
    text, part = _parts(element, compiler, **kw)
    return f"(instr({text}, {part}) > 0)"


@compiles(HasPart, "postgresql")
def _has_part_postgresql(element: HasPart, compiler: SQLCompiler, **kw: Any) -> str:
    text, part = _parts(element, compiler, **kw)
    return f"(strpos({text}, {part}) > 0)"


@compiles(RecordTime, "sqlite")
def _record_time_sqlite(element: RecordTime, compiler: SQLCompiler, **kw: Any) -> str:
    starts_at, due_on, changed_at = _parts(element, compiler, **kw)
    return f"coalesce({starts_at}, {due_on} || 'T00:00:00.000000Z', {changed_at})"


@compiles(RecordTime, "postgresql")
def _record_time_postgresql(element: RecordTime, compiler: SQLCompiler, **kw: Any) -> str:
    starts_at, due_on, changed_at = _parts(element, compiler, **kw)
    return f"coalesce({starts_at}, CAST({due_on} AS timestamp) AT TIME ZONE 'UTC', {changed_at})"
