"""How a button looks, for real buttons and for those that a delegate paints: the two can't differ."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QPainter

from app.ui.components.paint import (
    CENTRE,
    key_cap_width,
    key_caption,
    paint_box,
    paint_icon,
    paint_key_cap,
    paint_words,
)
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Height, Radius, Type
from app.ui.theme import Theme


class ButtonKind(StrEnum):
    """PRIMARY: at most one a panel. The STOP kinds are the four looks of Stop; nothing else is red but errors."""

    PRIMARY = "primary"
    PLAIN = "plain"
    GHOST = "ghost"
    LINK = "link"
    STOP_BIG = "stop_big"
    STOP_CHOSEN = "stop_chosen"
    STOP_ROW = "stop_row"
    STOP_QUIET = "stop_quiet"
    STOP_QUIET_CHOSEN = "stop_quiet_chosen"


class ButtonSize(StrEnum):
    """NORMAL 36 px, ROW 32 (rows and bars), BIG 44 (the person page)."""

    NORMAL = "normal"
    ROW = "row"
    BIG = "big"


STOP_KINDS = frozenset(kind for kind in ButtonKind if kind.startswith("stop"))


@dataclass(frozen=True, slots=True)
class ButtonFace:
    """What stands on a button. `key` is its key cap; `words` may be empty for a tool that has only an icon."""

    words: str
    icon: Icon | None = None
    kind: ButtonKind = ButtonKind.PLAIN
    size: ButtonSize = ButtonSize.NORMAL
    key: str = ""
    opens_menu: bool = False


@dataclass(frozen=True, slots=True)
class ButtonState:
    """How a button stands at this moment."""

    enabled: bool = True
    hovered: bool = False
    pressed: bool = False
    checked: bool = False


@dataclass(frozen=True, slots=True)
class _Inks:
    ground: str
    edge: str
    words: str
    icon: str


_HIGH = {ButtonSize.NORMAL: Height.CONTROL, ButtonSize.ROW: Height.ROW_CONTROL, ButtonSize.BIG: Height.PERSON_CONTROL}
_SIDE = {ButtonSize.NORMAL: 12, ButtonSize.ROW: 10, ButtonSize.BIG: 16}
_TYPE = {ButtonSize.NORMAL: Type.BUTTON, ButtonSize.ROW: Type.CHIP, ButtonSize.BIG: Type.BUTTON_BIG}
_LEAST_STOP = 76


def button_size(look: Look, face: ButtonFace) -> QSize:
    """Size of a button with room for its words."""
    high = look.px(_HIGH[face.size])
    if not face.words and not face.key and not face.opens_menu:
        return QSize(high, high)
    wide = 2 * _side(look, face) + 2 + _content_width(look, face)
    if face.kind in STOP_KINDS and face.size is ButtonSize.ROW:
        wide = max(wide, look.px(_LEAST_STOP))
    return QSize(wide, high)


def paint_button(painter: QPainter, look: Look, rect: QRect, face: ButtonFace, state: ButtonState) -> None:
    """Paints a button that fills `rect`; its words are cut only when `rect` is narrower than `button_size`."""
    inks = _inks(look.theme, face.kind, state)
    paint_box(painter, look, rect, ground=inks.ground, edge=inks.edge, radius=Radius.CONTROL)
    filled = face.kind in (ButtonKind.PRIMARY, ButtonKind.STOP_BIG) and state.enabled
    gap, px = look.px(7), look.px(16)
    type_, weight = _TYPE[face.size], _weight(face.kind)
    wanted = _content_width(look, face)
    side = min(_side(look, face), max(2, (rect.width() - wanted) // 2))
    x = rect.x() + max(side, (rect.width() - wanted) // 2)
    end = rect.right() + 1 - side
    if face.icon:
        knockout = inks.ground or look.theme.surface
        at = QRect(x, rect.y(), px, rect.height()) if face.words else rect
        paint_icon(painter, look, face.icon, at, px, inks.icon, knockout)
        x += px + gap
    tail = 0
    if face.key:
        tail += look.px(8) + key_cap_width(look, face.key)
    if face.opens_menu:
        tail += look.px(6 + 14)
    if face.words:
        took = paint_words(
            painter,
            look,
            QRect(x, rect.y(), end - tail - x, rect.height()),
            face.words,
            type_,
            inks.words,
            weight=weight,
        )
        x += took
    if face.opens_menu:
        arrow = look.px(14)
        paint_icon(painter, look, Icon.DOWN, QRect(x + look.px(6), rect.y(), arrow, rect.height()), arrow, inks.icon)
        x += look.px(6) + arrow
    if face.key:
        _paint_cap(painter, look, rect, x + (look.px(8) if face.words else 0), face.key, inks, filled)


def _paint_cap(painter: QPainter, look: Look, rect: QRect, x: int, key: str, inks: _Inks, filled: bool) -> None:
    high = look.px(Height.KEY_CAP)
    cap = QRect(x, rect.y() + (rect.height() - high) // 2, key_cap_width(look, key), high)
    if filled:
        painter.setOpacity(0.6)
        paint_box(painter, look, cap, edge=inks.words, radius=Radius.KEY_CAP)
        painter.setOpacity(1.0)
        paint_words(painter, look, cap, key_caption(key), Type.KEY_CAP, inks.words, align=CENTRE)
    else:
        paint_key_cap(painter, look, cap, key, ink=inks.icon)


def _side(look: Look, face: ButtonFace) -> int:
    return look.px(4 if face.kind is ButtonKind.LINK else _SIDE[face.size])


def _content_width(look: Look, face: ButtonFace) -> int:
    wide = look.px(16) if face.icon else 0
    if face.words:
        # Measured in the heaviest weight it may take, so that choosing a row moves nothing.
        heaviest = 600 if face.kind in STOP_KINDS else 0
        wide += look.metrics(_TYPE[face.size], heaviest).horizontalAdvance(face.words)
        wide += look.px(7) if face.icon else 0
    if face.opens_menu:
        wide += look.px(6 + 14)
    if face.key:
        wide += (look.px(8) if face.words else 0) + key_cap_width(look, face.key)
    return wide


def _weight(kind: ButtonKind) -> int:
    return 600 if kind in (ButtonKind.STOP_BIG, ButtonKind.STOP_CHOSEN) else 500


def _inks(theme: Theme, kind: ButtonKind, state: ButtonState) -> _Inks:
    if not state.enabled:
        edge = "" if kind in (ButtonKind.GHOST, ButtonKind.LINK) else theme.line
        return _Inks(theme.sunken if edge else "", edge, theme.text3, theme.text3)
    if state.checked:
        return _Inks(theme.selected, theme.accent, theme.text, theme.accent)
    touched = state.hovered or state.pressed
    ground = theme.selected if state.pressed else theme.hover if state.hovered else theme.surface
    match kind:
        case ButtonKind.PRIMARY:
            fill = theme.accent_fill_hover if touched else theme.accent_fill
            return _Inks(fill, fill, theme.on_fill, theme.on_fill)
        case ButtonKind.STOP_BIG:
            fill = theme.stop_fill_hover if touched else theme.stop_fill
            return _Inks(fill, fill, theme.on_fill, theme.on_fill)
        case ButtonKind.PLAIN:
            return _Inks(ground, theme.line_strong, theme.text, theme.text2)
        case ButtonKind.GHOST:
            return _Inks(ground if touched else "", "", theme.text, theme.text2)
        case ButtonKind.LINK:
            return _Inks(ground if touched else "", "", theme.accent, theme.accent)
        case ButtonKind.STOP_CHOSEN:
            return _Inks(theme.stop_soft if touched else theme.surface, theme.stop_line, theme.stop, theme.stop)
        case ButtonKind.STOP_ROW:
            edge = theme.stop_line if touched else theme.line_strong
            return _Inks(theme.stop_soft if touched else theme.surface, edge, theme.stop, theme.stop)
        case ButtonKind.STOP_QUIET:
            return _Inks(ground if touched else "", theme.line, theme.text2, theme.text2)
        case ButtonKind.STOP_QUIET_CHOSEN:
            return _Inks(ground, theme.line, theme.text2, theme.text2)
