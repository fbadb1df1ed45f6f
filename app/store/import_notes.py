"""What an import changed in rows that were there before it: noted as JSON, put back where nobody changed it since."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, Final

from app.domain.ids import ImportId

_CENT: Final = Decimal("0.01")
_INSTANTS: Final = frozenset({"starts_at", "status_changed_at"})
_DAYS: Final = frozenset({"last_visit", "due_on"})
_AMOUNTS: Final = frozenset({"amount"})


def note(
    import_id: ImportId,
    kind: str,
    row_id: int,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    columns: Collection[str],
) -> dict[str, Any]:
    """A row of import_change: the values of those of `columns` that differ. kind: `person` or `record`."""
    names = [name for name in columns if before[name] != after[name]]
    return {
        "import_id": import_id,
        "kind": kind,
        "row_id": row_id,
        "before": {name: _as_json(before[name]) for name in names},
        "after": {name: _as_json(after[name]) for name in names},
    }


def put_back(row: dict[str, Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """Give `row` its values of `before` again, but for those that are not as the import left them."""
    for name, value in before.items():
        if name == "custom":
            row[name] = _fields_put_back(row[name], value, after[name])
        elif _as_json(row[name]) == after[name]:
            row[name] = _from_json(name, value)


def _fields_put_back(now: Mapping[str, str], before: Mapping[str, str], after: Mapping[str, str]) -> Mapping[str, str]:
    """Custom fields one by one: another import may have added its own meanwhile."""
    brought = {name for name, value in after.items() if before.get(name) != value and now.get(name) == value}
    kept = {name: value for name, value in now.items() if name not in brought}
    return kept | {name: before[name] for name in brought if name in before}


def _as_json(value: object) -> object:
    match value:
        case datetime():
            return value.astimezone(UTC).isoformat()
        case date():
            return value.isoformat()
        case Decimal():
            return str(value.quantize(_CENT))
        case _:
            return value


def _from_json(name: str, value: Any) -> Any:
    if value is None:
        return None
    if name in _INSTANTS:
        return datetime.fromisoformat(value)
    if name in _DAYS:
        return date.fromisoformat(value)
    return Decimal(value) if name in _AMOUNTS else value
