"""What stays where it is on the screen while the rows of a table are read anew."""

from __future__ import annotations

from typing import Any, NamedTuple

from app.ui.components.views import StopTable
from app.ui.line_model import LineModel


class Anchor(NamedTuple):
    """A row by its id, and how far its top is below the top of the viewport, in px."""

    id: int
    top: int


def anchor_of(table: StopTable, model: LineModel[Any, Any], chosen: int | None) -> Anchor | None:
    """The chosen row if it is in view, else the topmost one; None for a table without rows."""
    row = model.row_of(chosen) if chosen is not None else None
    if chosen is not None and row is not None and 0 <= table.rowViewportPosition(row) < table.viewport().height():
        return Anchor(chosen, table.rowViewportPosition(row))
    row = table.rowAt(0)
    while 0 <= row < model.rows():
        id_ = model.row_id(row)
        if id_ is not None:
            return Anchor(id_, table.rowViewportPosition(row))
        row += 1  # a head
    return None


def scroll_back(table: StopTable, model: LineModel[Any, Any], anchor: Anchor) -> None:
    """Put the anchor's row where it was; nothing when it is there no more."""
    row = model.row_of(anchor.id)
    if row is not None:
        bar = table.verticalScrollBar()
        bar.setValue(bar.value() + table.rowViewportPosition(row) - anchor.top)
