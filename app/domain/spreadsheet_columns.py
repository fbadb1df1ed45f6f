"""Which column means which field: guessed by its name, or as staff said with --map."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.domain.errors import OperatorError
from app.domain.people_text import fold_heading, heading_among
from app.domain.problem import nearest

IGNORE = "ignore"
_CUSTOM = re.compile(r"custom\.[a-z][a-z0-9_]*")
_CUSTOM_PREFIX = "custom."
_NUMBER = re.compile(r"\s*#\s*([0-9]{1,5})\s*")


@dataclass(frozen=True, slots=True)
class ColumnRead:
    """One column of a spreadsheet, for the preview and for reading.

    number: 1-based, left to right. field: what it is read as, None when it is not read. mapped: staff said so.
    """

    number: int
    name: str
    field: str | None
    mapped: bool = False

    @property
    def told(self) -> str:
        """Why the column is not read and how to read it; "" when it is read, or left out on purpose."""
        if self.field is not None or self.mapped:
            return ""
        if not self.name:
            return (
                f'Column {self.number} has no heading and is not read. To keep it: --map "#{self.number}=custom.NAME"'
            )
        own = f"{self.name}={_custom_for(self.name)}"
        return f'“{self.name}” is not read. To keep it as a field of your own: --map "{own}"'


def choose_columns(
    header: Sequence[str],
    names: Mapping[str, str],
    fields: Sequence[str],
    mapping: Mapping[str, str],
    *,
    custom: bool = False,
) -> tuple[ColumnRead, ...]:
    """Each column with its field.

    names: folded heading -> field. fields: what may be mapped to. custom: whether `custom.NAME` may be, too.
    mapping: heading or `#number` -> field or `ignore`; stronger than a guess. Raises OperatorError for a mapped column
    that is not in the file or a field that there is not, with the nearest.
    """
    said: dict[int, str] = {}
    for column, field in mapping.items():
        chosen = _field(field, fields, custom=custom)
        for number in _numbers(column, header):
            said[number] = chosen
    columns: list[ColumnRead] = []
    for number, name in enumerate(header, start=1):
        if number in said:
            columns.append(ColumnRead(number, name, None if said[number] == IGNORE else said[number], mapped=True))
        elif custom and _CUSTOM.fullmatch(name.casefold()):
            columns.append(ColumnRead(number, name, name.casefold()))
        else:
            known = heading_among(name, names)
            columns.append(ColumnRead(number, name, names[known] if known else None))
    return tuple(columns)


def _numbers(column: str, header: Sequence[str]) -> list[int]:
    """The numbers of the columns that `column` names; two of the same name are both meant."""
    position = _NUMBER.fullmatch(column)
    if position and 1 <= int(position[1]) <= len(header):
        return [int(position[1])]
    wanted = fold_heading(column)
    found = [number for number, name in enumerate(header, start=1) if name and fold_heading(name) == wanted]
    if found:
        return found
    named = [name for name in header if name]
    near = nearest(column, named)
    hint = f"Did you mean “{near}”?" if near else f"Its columns are: {', '.join(named)}."
    raise OperatorError(f"The file has no column “{column}”.", hint)


def _field(field: str, fields: Sequence[str], *, custom: bool) -> str:
    """The field that staff meant by `field`."""
    word = field.strip().casefold()
    known = (*fields, IGNORE)
    name = re.sub(r"[\W_]+", "_", word).strip("_")
    if name in known:
        return name
    if custom and word.startswith(_CUSTOM_PREFIX):
        if _CUSTOM.fullmatch(word):
            return word
        raise OperatorError(f"“{field}” is no name for a field of your own.", f"Write {_custom_for(word[7:])}.")
    near = nearest(name, known)
    choices = ", ".join(known) + (f", {_CUSTOM_PREFIX}NAME" if custom else "")
    hint = f"Did you mean {near}?" if near else f"The fields are: {choices}."
    raise OperatorError(f"There is no field “{field}”.", hint)


def _custom_for(name: str) -> str:
    """A field name of one's own, made out of any words."""
    plain = re.sub(r"[^a-z0-9]+", "_", fold_heading(name.casefold().removeprefix(_CUSTOM_PREFIX))).strip("_")
    return f"{_CUSTOM_PREFIX}{plain if plain[:1].isalpha() else 'field_' + plain if plain else 'name'}"
