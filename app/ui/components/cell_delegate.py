"""What both delegates share: the targets of a row, the press that hits them, and the signals that tell of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from PySide6.QtCore import QAbstractItemModel, QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.ui.components.button_paint import ButtonState, paint_button
from app.ui.components.cell_model import Index
from app.ui.components.cell_paint import button_rects, row_face
from app.ui.components.roles import STOP_ACTION, Cell, CellHead, Role, RowButton
from app.ui.look import Look

_CELL, _ROW_ID = int(Role.CELL), int(Role.ROW_ID)
_PRESS = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)


class Act(Enum):
    """What a target does."""

    BUTTON = auto()
    CHECK = auto()
    HEAD = auto()


@dataclass(frozen=True, slots=True)
class Target:
    """Something in a row that can be pressed. `action`: a button's action, or the key of a head."""

    act: Act
    action: str = ""


@dataclass(frozen=True, slots=True)
class Spot:
    """A target in one row of a view."""

    row: int
    target: Target


@dataclass(slots=True)
class RowState:
    """What the view knows and the delegate paints: where the pointer is, which row is chosen.

    Changed by `RowHands` alone.
    """

    hover_row: int = -1
    hover: Spot | None = None
    pressed: Spot | None = None
    current_row: int = -1
    real_row: int = -1
    ring: bool = False


class CellDelegate(QStyledItemDelegate):
    """Base of `RowDelegate` and `TableDelegate`.

    Signals: `stop_pressed(row_id)`; `action_pressed(row_id, action)` for a button that isn't Stop;
    `check_pressed(row_id)`; `head_pressed(key)`. A press counts when it is let go on the same target.
    """

    stop_pressed = Signal(object)
    action_pressed = Signal(object, str)
    check_pressed = Signal(object)
    head_pressed = Signal(str)

    def __init__(self, look: Look, state: RowState, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._state = state

    # a subclass says where things are ---------------------------------------------------------------------------------

    def targets(self, rect: QRect, cell: Cell, column: int, columns: int) -> list[tuple[QRect, Target]]:
        """The targets in a cell that fills `rect`."""
        raise NotImplementedError

    def row_buttons(self, cell: Cell) -> tuple[RowButton, ...]:
        """The buttons a cell carries."""
        raise NotImplementedError

    def right_margin(self) -> int:
        """Room between the last button and the right edge, in px."""
        raise NotImplementedError

    # hit test ---------------------------------------------------------------------------------------------------------

    def spot_at(self, rect: QRect, index: Index, x: int, y: int) -> Spot | None:
        """The target at a point of the viewport, in the cell that fills `rect`."""
        cell: Cell = index.data(_CELL)
        for area, target in self.targets(rect, cell, index.column(), index.model().columnCount()):
            if area.contains(x, y):
                return Spot(index.row(), target)
        return None

    def editorEvent(self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index) -> bool:
        """Takes presses on targets, and tells of them when they are let go in place. True when the press was ours."""
        if not isinstance(event, QMouseEvent) or event.button() != Qt.MouseButton.LeftButton:
            return False
        point = event.position().toPoint()
        spot = self.spot_at(rect_of(option), index, point.x(), point.y())
        if event.type() in _PRESS:
            self._state.pressed = spot
            return spot is not None
        if event.type() == QEvent.Type.MouseButtonRelease:
            pressed, self._state.pressed = self._state.pressed, None
            if spot is not None and spot == pressed:
                self._tell(spot.target, index)
            return pressed is not None
        return False

    def press(self, button: RowButton, row_id: object) -> None:
        """Tells of a press on a real button."""
        if button.action == STOP_ACTION:
            self.stop_pressed.emit(row_id)
        else:
            self.action_pressed.emit(row_id, button.action)

    def _tell(self, target: Target, index: Index) -> None:
        row_id = index.data(_ROW_ID)
        match target.act:
            case Act.HEAD:
                self.head_pressed.emit(target.action)
            case Act.CHECK:
                self.check_pressed.emit(row_id)
            case Act.BUTTON if target.action == STOP_ACTION:
                self.stop_pressed.emit(row_id)
            case Act.BUTTON:
                self.action_pressed.emit(row_id, target.action)

    # buttons ----------------------------------------------------------------------------------------------------------

    def button_targets(self, rect: QRect, buttons: tuple[RowButton, ...]) -> list[tuple[QRect, Target]]:
        """Where the buttons of a cell can be pressed."""
        places = button_rects(self._look, rect, buttons, self.right_margin())
        return [(place, Target(Act.BUTTON, button.action)) for place, button in zip(places, buttons, strict=True)]

    def buttons_rect(self, rect: QRect, buttons: tuple[RowButton, ...]) -> QRect:
        """The smallest rectangle round the buttons of a cell."""
        whole = QRect()
        for place in button_rects(self._look, rect, buttons, self.right_margin()):
            whole = whole.united(place)
        return whole

    def paint_buttons(self, painter: QPainter, rect: QRect, row: int, buttons: tuple[RowButton, ...]) -> None:
        """Paints the buttons of a row, but not where real ones stand."""
        if row == self._state.real_row:
            return
        chosen = row == self._state.current_row
        for place, button in zip(button_rects(self._look, rect, buttons, self.right_margin()), buttons, strict=True):
            spot = Spot(row, Target(Act.BUTTON, button.action))
            held = button.pressed or self._state.pressed == spot
            state = ButtonState(hovered=self._state.hover == spot, pressed=held)
            paint_button(painter, self._look, place, row_face(button, chosen=chosen), state)

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """Nothing is edited in a row."""
        raise NotImplementedError("rows have no editors")

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """The fixed height of the row's kind."""
        cell: Cell = index.data(_CELL)
        return QSize(0, self.row_height(cell))

    def row_height(self, cell: Cell) -> int:
        """Height of a row in px: a head is lower."""
        raise NotImplementedError


def head_target(rect: QRect, cell: CellHead) -> list[tuple[QRect, Target]]:
    """A head that folds is one target."""
    return [(rect, Target(Act.HEAD, cell.key))] if cell.foldable else []


def rect_of(option: QStyleOptionViewItem) -> QRect:
    """The rectangle of an item's option."""
    rect: QRect = option.rect
    return rect
