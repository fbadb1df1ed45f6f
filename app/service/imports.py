"""What both imports share: a row that was left out, a note about one that was read, portions of work, an undo."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from app.domain.clock import Clock
from app.domain.errors import OperatorError, StopwellError
from app.domain.ids import ImportId
from app.engine.office_ports import OpenOfficeUow

# up to so many people or records an import is one transaction; above, portions, so that a Stop never waits long
ONE_TRANSACTION = 2_000
PORTION = 250

_Each = TypeVar("_Each")


@dataclass(frozen=True, slots=True)
class RejectedRow:
    """A row that was left out. reason: a constant word. told: one sentence without the line. cells: as written."""

    line: int
    reason: str
    told: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LineNote:
    """Something to tell about a row that was read all the same. code: a constant word; told: one sentence."""

    line: int
    code: str
    told: str


def portions(rows: Sequence[_Each], size: int = PORTION) -> Iterator[Sequence[_Each]]:
    """`rows` in order, `size` at a time."""
    for start in range(0, len(rows), size):
        yield rows[start : start + size]


@contextmanager
def whole_or_not_at_all(open_uow: OpenOfficeUow, clock: Clock, import_id: ImportId, by: str) -> Iterator[None]:
    """Take back what an import in portions has written, whatever cuts it off, Ctrl+C too.

    Raises OperatorError with the way out when even that can't be done now, as on a full disk.
    """
    try:
        yield
    except BaseException as cut_off:
        try:
            Imports(open_uow, clock).undo(import_id, by=by)
        except StopwellError as also:
            told = f"{also.told} Import {import_id} was cut off half-way and could not be taken back."
            raise OperatorError(told, f"When it works again: stopwell import undo {import_id}") from cut_off
        raise


class Imports:
    """What can be done with an import afterwards."""

    def __init__(self, open_uow: OpenOfficeUow, clock: Clock) -> None:
        self._open_uow = open_uow
        self._clock = clock

    def undo(self, import_id: ImportId, *, by: str) -> int:
        """Take an import back whole; how many people or records went.

        Raises OperatorError when there is no such import, it was undone, or something was sent to its people.
        """
        with self._open_uow() as uow:
            return uow.office.undo_import(import_id, self._clock.now(), by)
