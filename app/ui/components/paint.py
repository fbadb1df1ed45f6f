"""Strokes shared by widgets and delegates: boxes, icons, lines of text, key caps. Rectangles are whole pixels."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QKeySequence, QPainter, QPen

from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Height, Radius, Type

LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
CENTRE = Qt.AlignmentFlag.AlignCenter


# What the caps of a keyboard say, where Qt's word is another.
_CAPS = {"Return": "Enter", "Up": "↑", "Down": "↓"}


def paint_box(
    painter: QPainter,
    look: Look,
    rect: QRect,
    *,
    ground: str = "",
    edge: str = "",
    radius: int = Radius.CONTROL,
    width: int = 0,
    dashed: bool = False,
) -> None:
    """A box with round corners; no ground or no edge where none is given. The edge lies inside `rect`."""
    wide = width or look.theme.edge_px
    inset = wide / 2 if edge else 0.0
    if edge:
        pen = QPen(look.colour(edge), wide)
        if dashed:
            pen.setDashPattern([3 / wide, 2 / wide])
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
    else:
        painter.setPen(Qt.PenStyle.NoPen)
    if ground:
        painter.setBrush(look.colour(ground))
    else:
        painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    corner = max(0.0, radius - inset)
    painter.drawRoundedRect(QRectF(rect).adjusted(inset, inset, -inset, -inset), corner, corner)


def paint_icon(
    painter: QPainter, look: Look, name: Icon, rect: QRect, px: int, colour: str, knockout: str = ""
) -> None:
    """An icon of `px`, already scaled, in the middle of `rect`."""
    pixmap = look.pixmap(name, colour, px, painter.device().devicePixelRatio(), knockout)
    painter.drawPixmap(QPointF(rect.x() + (rect.width() - px) // 2, rect.y() + (rect.height() - px) // 2), pixmap)


def paint_words(
    painter: QPainter,
    look: Look,
    rect: QRect,
    words: str,
    type_: Type,
    colour: str,
    *,
    weight: int = 0,
    tabular: bool = False,
    align: Qt.AlignmentFlag = LEFT,
) -> int:
    """One line of text in the middle of `rect`, cut with an ellipsis when too wide. Returns its width, in px."""
    if rect.width() <= 0 or not words:
        return 0
    shown = look.elided(words, rect.width(), type_, weight, tabular)
    painter.setFont(look.font(type_, weight, tabular))
    painter.setPen(look.colour(colour))
    painter.drawText(rect, align | Qt.TextFlag.TextSingleLine, shown)
    return look.metrics(type_, weight, tabular).horizontalAdvance(shown)


def key_caption(key: str) -> str:
    """A key as this system writes it (`Ctrl+K`, ⌘K). A range such as `1…5` stays as it is."""
    native = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) or key
    for word, shown in _CAPS.items():
        native = native.replace(word, shown)
    return native


def key_cap_width(look: Look, key: str) -> int:
    """Width of a key cap in px; its height is `look.px(Height.KEY_CAP)`."""
    high = look.px(Height.KEY_CAP)
    return max(high, look.metrics(Type.KEY_CAP).horizontalAdvance(key_caption(key)) + 2 * look.px(4) + 2)


def paint_key_cap(painter: QPainter, look: Look, rect: QRect, key: str, *, ink: str = "") -> None:
    """A key cap that fills `rect`."""
    paint_box(painter, look, rect, edge=look.theme.line_strong, radius=Radius.KEY_CAP)
    paint_words(painter, look, rect, key_caption(key), Type.KEY_CAP, ink or look.theme.text2, align=CENTRE)
