"""What a list and a table do alike: hover, presses, and real buttons in the chosen row for Tab and screen readers."""

from __future__ import annotations

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPoint,
    Qt,
    Signal,
)
from PySide6.QtGui import QCursor, QFocusEvent, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QFrame, QStyleOptionViewItem

from app.ui.components.buttons import Button
from app.ui.components.cell_delegate import CellDelegate, RowState, Spot
from app.ui.components.cell_model import Index
from app.ui.components.roles import Role, RowButton
from app.ui.components.row_actions import RowActions
from app.ui.look import Look

_CELL, _ROW_ID = int(Role.CELL), int(Role.ROW_ID)
_ENTER = (int(Qt.Key.Key_Return), int(Qt.Key.Key_Enter))


class RowHands(QObject):
    """Works the rows of one view, and tells what was done to them.

    Signals: `stop_pressed(row_id)`; `action_pressed(row_id, action)` for another button; `check_pressed(row_id)`;
    `head_pressed(key)`; `current_row_changed(row_id or None)`; `row_opened(row_id)` on Enter or a double click.
    """

    stop_pressed = Signal(object)
    action_pressed = Signal(object, str)
    check_pressed = Signal(object)
    head_pressed = Signal(str)
    current_row_changed = Signal(object)
    row_opened = Signal(object)

    def __init__(self, look: Look, view: QAbstractItemView, delegate: CellDelegate, state: RowState) -> None:
        super().__init__(view)
        self._look = look
        self._view = view
        self._delegate = delegate
        self._state = state
        self._actions = RowActions(look, view)
        self._actions.pressed.connect(self._on_pressed)
        self._row_id: object = None
        _set_up(view)
        view.installEventFilter(self)
        view.viewport().installEventFilter(self)
        delegate.stop_pressed.connect(self.stop_pressed)
        delegate.action_pressed.connect(self.action_pressed)
        delegate.check_pressed.connect(self.check_pressed)
        delegate.head_pressed.connect(self.head_pressed)
        view.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        look.changed.connect(self._on_look_changed)

    # what panels ask --------------------------------------------------------------------------------------------------

    def current_row_id(self) -> int | None:
        """The id of the chosen row; None when there is none."""
        return _row_id(self._view.currentIndex())

    def real_buttons(self) -> list[Button]:
        """The real buttons of the chosen row, left to right."""
        return list(self._actions.buttons) if self._state.real_row >= 0 else []

    def choose(self, row_id: int) -> bool:
        """Makes the row of that id the chosen one, and shows it. False when there is none. Looks at each row."""
        model = self._view.model()
        for row in range(model.rowCount()):
            index = model.index(row, 0)
            if index.data(_ROW_ID) == row_id:
                self._view.setCurrentIndex(index)
                return True
        return False

    def set_ring(self, shown: bool) -> None:
        """Shows the focus ring inside the chosen row; `FocusRing` calls it."""
        self._state.ring = shown
        self._view.viewport().update()

    # model ------------------------------------------------------------------------------------------------------------

    def watch(self, model: QAbstractItemModel | None, chosen: QItemSelectionModel | None) -> None:
        """Follows a model and its chosen row. The view calls it from `setModel`."""
        self._on_reset()
        if model is None or chosen is None:
            return
        model.modelReset.connect(self._on_reset)
        model.rowsInserted.connect(self.rows_changed)
        model.rowsRemoved.connect(self.rows_changed)
        model.layoutChanged.connect(self.rows_changed)
        model.dataChanged.connect(self._on_data_changed)
        chosen.currentRowChanged.connect(self._on_current_changed)

    def rows_changed(self) -> None:
        """Rows came, went or were laid out anew: the real buttons follow the chosen row."""
        self._show_current(self._view.currentIndex())
        self._view.viewport().update()

    def _on_reset(self) -> None:
        state = self._state
        state.hover_row, state.hover, state.pressed = -1, None, None
        self._show_current(self._view.currentIndex())
        self.current_row_changed.emit(self.current_row_id())

    def _on_data_changed(self, first: QModelIndex, last: QModelIndex) -> None:
        if first.row() <= self._state.current_row <= last.row():
            self.rows_changed()

    def _on_current_changed(self, current: Index, _before: Index) -> None:
        self._show_current(current)
        self.current_row_changed.emit(_row_id(current))

    # pointer and keys -------------------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Hover and presses on targets, which never reach the view: a press on Stop chooses nothing by itself."""
        match event:
            case QMouseEvent() if watched is not self._view:
                return self._on_mouse(event)
            case QKeyEvent() if watched is self._view and event.type() == QEvent.Type.KeyPress:
                row_id = self.current_row_id()
                if event.key() in _ENTER and row_id is not None:
                    self.row_opened.emit(row_id)
                    return True
            case QFocusEvent() if watched is self._view and event.type() == QEvent.Type.FocusIn:
                # By Tab into a list there is always a chosen row; a click chooses its own, and must not jump before.
                clicked = event.reason() == Qt.FocusReason.MouseFocusReason
                if not clicked and not self._view.currentIndex().isValid():
                    self._view.setCurrentIndex(_first_row(self._view.model()))
            case _ if watched is not self._view and event.type() == QEvent.Type.Leave:
                self._hover(QModelIndex(), QPoint())
            case QResizeEvent() if watched is not self._view:
                self.place()
        return False

    def _on_mouse(self, event: QMouseEvent) -> bool:
        point = event.position().toPoint()
        index = self._view.indexAt(point)
        kind = event.type()
        if kind == QEvent.Type.MouseMove:
            self._hover(index, point)
            return self._state.pressed is not None
        if self._press(event, index):
            return True
        row_id = _row_id(index)
        if (
            kind == QEvent.Type.MouseButtonDblClick
            and event.button() == Qt.MouseButton.LeftButton
            and row_id is not None
        ):
            self.row_opened.emit(row_id)
            return True
        return False

    def _press(self, event: QMouseEvent, index: QModelIndex) -> bool:
        before = self._state.pressed
        if index.isValid():
            option = QStyleOptionViewItem()
            option.rect = self._view.visualRect(index)
            taken = self._delegate.editorEvent(event, index.model(), option, index)
        else:
            taken = before is not None
            self._state.pressed = None
        self._repaint_spot(before)
        self._repaint_spot(self._state.pressed)
        return taken

    def _hover(self, index: QModelIndex, point: QPoint) -> None:
        row, spot = -1, None
        if index.isValid():
            row = index.row()
            spot = self._delegate.spot_at(self._view.visualRect(index), index, point.x(), point.y())
        before_row, before = self._state.hover_row, self._state.hover
        self._state.hover_row, self._state.hover = row, spot
        if before_row != row:
            self._repaint_row(before_row)
        if before_row != row or before != spot:
            self._repaint_row(row)

    def _on_scrolled(self) -> None:
        self.place()
        viewport = self._view.viewport()
        if viewport.underMouse():  # another row came under the pointer
            point = viewport.mapFromGlobal(QCursor.pos())
            self._hover(self._view.indexAt(point), point)

    def _repaint_spot(self, spot: Spot | None) -> None:
        if spot is not None:
            self._repaint_row(spot.row)

    def _repaint_row(self, row: int) -> None:
        if row < 0:
            return
        model = self._view.model()
        if row < model.rowCount():
            rect = self._view.visualRect(model.index(row, 0))
            self._view.viewport().update(0, rect.y(), self._view.viewport().width(), rect.height())

    # the chosen row ---------------------------------------------------------------------------------------------------

    def _show_current(self, current: Index) -> None:
        before = self._state.current_row
        self._state.current_row = current.row() if current.isValid() else -1
        self.place()
        self._repaint_row(before)
        self._repaint_row(self._state.current_row)

    def place(self) -> None:
        """Puts the real buttons where the chosen row's are. The view calls it when its columns moved."""
        index = self._buttons_index(self._view.currentIndex())
        if not index.isValid():
            self._state.real_row = -1
            if self._actions.isAncestorOf(QApplication.focusWidget() or self._view):
                self._view.setFocus(Qt.FocusReason.OtherFocusReason)
            self._actions.hide()
            return
        buttons = self._delegate.row_buttons(index.data(_CELL))
        rect = self._view.visualRect(index)
        whole = self._delegate.buttons_rect(rect, buttons)
        places = [area.translated(-whole.topLeft()) for area, _ in self._delegate.button_targets(rect, buttons)]
        self._actions.setGeometry(whole)
        self._actions.show_buttons(buttons, places)
        self._actions.show()
        self._row_id = index.data(_ROW_ID)
        self._state.real_row = index.row()

    def _buttons_index(self, current: Index) -> QModelIndex:
        if current.isValid():
            model = current.model()
            for column in reversed(range(model.columnCount())):
                index = model.index(current.row(), column)
                if self._delegate.row_buttons(index.data(_CELL)):
                    return index
        return QModelIndex()

    def _on_pressed(self, button: RowButton) -> None:
        self._delegate.press(button, self._row_id)

    def _on_look_changed(self) -> None:
        self.place()
        self._view.viewport().update()


def _set_up(view: QAbstractItemView) -> None:
    view.setMouseTracking(True)
    view.setFrameShape(QFrame.Shape.NoFrame)
    view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.setTabKeyNavigation(False)  # else Tab never leaves a table
    view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)


def _first_row(model: QAbstractItemModel) -> QModelIndex:
    for row in range(model.rowCount()):
        index = model.index(row, 0)
        if index.flags() & Qt.ItemFlag.ItemIsEnabled:
            return index
    return QModelIndex()


def _row_id(index: Index) -> int | None:
    value = index.data(_ROW_ID) if index.isValid() else None
    return value if isinstance(value, int) else None
