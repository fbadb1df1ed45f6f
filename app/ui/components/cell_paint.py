"""The strokes of rows: grounds, two lines of text, tiles, heads, check boxes. Used by both delegates."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QPainter

from app.ui.components.button_paint import ButtonFace, ButtonKind, ButtonSize, button_size
from app.ui.components.buttons import StopLook, stop_face
from app.ui.components.paint import RIGHT, paint_box, paint_icon, paint_words
from app.ui.components.roles import CellHead, CellText, RowButton, Tile
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Height, Radius, Type

CHECK_BOX = 18
_BUTTON_GAP = 6


def paint_ground(painter: QPainter, look: Look, rect: QRect, *, chosen: bool, hovered: bool) -> None:
    """The ground of a row and the line below it."""
    theme = look.theme
    colour = theme.selected if chosen else theme.hover if hovered else theme.surface
    painter.fillRect(rect, look.colour(colour))
    edge = theme.edge_px
    painter.fillRect(rect.x(), rect.bottom() + 1 - edge, rect.width(), edge, look.colour(theme.line))


def paint_chosen_edge(painter: QPainter, look: Look, rect: QRect) -> None:
    """The 3 px accent edge at the left of the chosen row."""
    painter.fillRect(rect.x(), rect.y(), 3, rect.height() - look.theme.edge_px, look.colour(look.theme.accent))


def paint_inner_ring(painter: QPainter, look: Look, row: QRect) -> None:
    """The focus ring inside the chosen row. `row` may be wider than what is being painted; the clip cuts it."""
    paint_box(painter, look, row.adjusted(1, 1, -1, -2), edge=look.theme.focus, radius=3, width=2)


def paint_tile(painter: QPainter, look: Look, rect: QRect, tile: Tile) -> None:
    """A tile that fills `rect`."""
    colours = look.tones(tile.tone)
    paint_box(painter, look, rect, ground=colours.soft, radius=Radius.CARD)
    paint_icon(painter, look, tile.icon, rect, look.px(16), colours.ink, colours.soft)


def paint_text(painter: QPainter, look: Look, rect: QRect, cell: CellText) -> None:
    """One line in the middle, or two; a tile or an icon before them."""
    theme = look.theme
    x = rect.x()
    if cell.tile:
        side = look.px(Height.TILE)
        paint_tile(painter, look, QRect(x, rect.y() + (rect.height() - side) // 2, side, side), cell.tile)
        x += side + look.px(12)
    first, second = look.px(20), look.px(18) if cell.secondary else 0
    top = rect.y() + (rect.height() - 1 - first - second) // 2
    if cell.icon:
        px = look.px(16)
        paint_icon(painter, look, cell.icon, QRect(x, top, px, first), px, theme.text2)
        x += px + look.px(8)
    wide = rect.right() + 1 - x
    upper = QRect(x, top, wide, first)
    type_, weight = (Type.SECOND, 0) if cell.quiet else (Type.BODY, 600 if cell.bold else 0)
    ink = theme.text2 if cell.quiet else theme.text
    if cell.marked:
        _paint_marked(painter, look, upper, cell.primary, cell.marked, type_, ink, weight)
    else:
        paint_words(painter, look, upper, cell.primary, type_, ink, weight=weight, tabular=True)
    if second:
        lower = QRect(x, top + first, wide, second)
        if cell.marked2:
            _paint_marked(painter, look, lower, cell.secondary, cell.marked2, Type.SECOND, theme.text2, 0)
        else:
            paint_words(painter, look, lower, cell.secondary, Type.SECOND, theme.text2, tabular=True)


def _paint_marked(
    painter: QPainter, look: Look, rect: QRect, words: str, mark: tuple[int, int], type_: Type, ink: str, weight: int
) -> None:
    start, length = mark
    x = rect.x()
    for part, marked in (
        (words[:start], False),
        (words[start : start + length], True),
        (words[start + length :], False),
    ):
        if not part or x > rect.right():
            continue
        room = QRect(x, rect.y(), rect.right() + 1 - x, rect.height())
        heavy = 600 if marked else weight
        if marked:
            wide = min(room.width(), look.metrics(type_, heavy, True).horizontalAdvance(part))
            paint_box(
                painter,
                look,
                QRect(x - 1, rect.y() + 1, wide + 2, rect.height() - 2),
                ground=look.theme.warn_soft,
                radius=2,
            )
        x += paint_words(painter, look, room, part, type_, ink, weight=heavy, tabular=True)


def paint_head(painter: QPainter, look: Look, row: QRect, cell: CellHead) -> None:
    """A section head over the whole row. `row` may be wider than the cell being painted; the clip cuts it."""
    theme = look.theme
    painter.fillRect(row, look.colour(theme.bg))
    painter.fillRect(row.x(), row.bottom(), row.width(), 1, look.colour(theme.line))
    x = row.x() + look.px(18)
    middle = row.adjusted(0, 0, 0, -1)
    px = look.px(14)
    if cell.foldable:
        icon = Icon.RIGHT if cell.folded else Icon.DOWN
        paint_icon(painter, look, icon, QRect(x, middle.y(), px, middle.height()), px, theme.text2)
    x += px + look.px(8)
    end = row.right() + 1 - look.px(20)
    room = QRect(x, middle.y(), end - x, middle.height())
    if cell.right:
        wide = look.metrics(Type.CHIP, 0, True).horizontalAdvance(cell.right)
        paint_words(painter, look, room, cell.right, Type.CHIP, theme.text2, tabular=True, align=RIGHT)
        room.setRight(room.right() - wide - look.px(12))
    took = paint_words(painter, look, room, cell.words, Type.LABEL, theme.text2)
    room.setLeft(x + took + look.px(8))
    paint_words(painter, look, room, cell.count, Type.CHIP, theme.text2, tabular=True)


def paint_check_box(
    painter: QPainter,
    look: Look,
    rect: QRect,
    *,
    checked: bool,
    partly: bool = False,
    hovered: bool = False,
    enabled: bool = True,
) -> None:
    """A check box at the left of `rect`, in its middle. `partly`: some of what it stands for is chosen."""
    theme = look.theme
    side = look.px(CHECK_BOX)
    box = QRect(rect.x(), rect.y() + (rect.height() - side) // 2, side, side)
    if (checked or partly) and enabled:
        paint_box(painter, look, box, ground=theme.accent_fill, edge=theme.accent_fill, radius=4)
        paint_icon(painter, look, Icon.MINUS if partly else Icon.CHECK, box, look.px(14), theme.on_fill)
    else:
        ground = theme.sunken if not enabled else theme.hover if hovered else theme.surface
        paint_box(
            painter,
            look,
            box,
            ground=ground,
            edge=theme.control if enabled else theme.line_strong,
            radius=4,
            width=max(1, theme.edge_px),
        )
        if checked or partly:
            paint_icon(painter, look, Icon.MINUS if partly else Icon.CHECK, box, look.px(14), theme.text3)


def row_face(button: RowButton, *, chosen: bool) -> ButtonFace:
    """The face of a row's button."""
    if button.stop is not None:
        return stop_face(button.stop, chosen=chosen, words=button.words)
    return ButtonFace(button.words, button.icon, ButtonKind.PLAIN, ButtonSize.ROW)


def buttons_width(look: Look, buttons: tuple[RowButton, ...]) -> int:
    """Width of a row's buttons side by side, in px."""
    places = button_rects(look, QRect(0, 0, 0, look.px(Height.TABLE_ROW)), buttons, 0)
    return -min((place.x() for place in places), default=0)


def button_rects(look: Look, cell: QRect, buttons: tuple[RowButton, ...], right_margin: int) -> list[QRect]:
    """Where the buttons of a row stand: side by side at its right edge, in the order given, the last one outermost.

    A button without a Stop look alone in its row is as wide as a Stop, so that the edge is one line.
    """
    sizes = [button_size(look, row_face(button, chosen=False)) for button in buttons]
    stop = button_size(look, stop_face(StopLook.ROW)).width()
    right = cell.right() + 1 - right_margin
    placed: list[QRect] = []
    for button, size in zip(reversed(buttons), reversed(sizes), strict=True):
        alone = len(buttons) == 1 and button.stop is None
        wide = max(size.width(), stop) if alone else size.width()
        top = cell.y() + (cell.height() - 1 - size.height()) // 2
        placed.append(QRect(QPoint(right - wide, top), QPoint(right - 1, top + size.height() - 1)))
        right -= wide + look.px(_BUTTON_GAP)
    placed.reverse()
    return placed
