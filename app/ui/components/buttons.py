"""Buttons that paint themselves: words, icon, key cap, four looks of Stop."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum, auto

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QEnterEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu, QPushButton, QSizePolicy, QWidget

from app.ui.components.button_paint import (
    STOP_KINDS,
    ButtonFace,
    ButtonKind,
    ButtonSize,
    ButtonState,
    button_size,
    paint_button,
)
from app.ui.components.paint import key_caption
from app.ui.icons import Icon
from app.ui.look import Look


class StopLook(Enum):
    """The four looks of Stop. QUIET: nothing is running; it still works, and says so."""

    BIG = auto()
    CHOSEN = auto()
    ROW = auto()
    QUIET = auto()


def stop_face(stop: StopLook, *, chosen: bool = False, key: str = "", words: str = "Stop") -> ButtonFace:
    """The face of a Stop button. `chosen`: it stands in the chosen row, where the octagon is filled."""
    kind = {
        StopLook.BIG: ButtonKind.STOP_BIG,
        StopLook.CHOSEN: ButtonKind.STOP_CHOSEN,
        StopLook.ROW: ButtonKind.STOP_CHOSEN if chosen else ButtonKind.STOP_ROW,
        StopLook.QUIET: ButtonKind.STOP_QUIET_CHOSEN if chosen else ButtonKind.STOP_QUIET,
    }[stop]
    hollow = kind in (ButtonKind.STOP_ROW, ButtonKind.STOP_QUIET)
    size = ButtonSize.BIG if stop is StopLook.BIG else ButtonSize.ROW
    return ButtonFace(words, Icon.STOP_O if hollow else Icon.STATE_STOPPED, kind, size, key)


class Button(QPushButton):
    """A button. Its accessible name is its words, unless `name` says more.

    An icon alone needs a `name`, which is its tooltip too.
    `key` is shown on its cap; the key itself is bound by the action, not here.
    """

    def __init__(
        self,
        look: Look,
        face: ButtonFace,
        *,
        name: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        if not (name or face.words):
            raise ValueError("a button without words needs a name")
        self._look = look
        self._face = face
        self._name = name
        self._tip = "" if face.words else name
        self._hovered = False
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setProperty("kind", face.kind.value)
        look.changed.connect(self._on_look_changed)
        self.show_face(face)

    @property
    def face(self) -> ButtonFace:
        """What stands on it."""
        return self._face

    def show_face(self, face: ButtonFace, name: str = "") -> None:
        """Shows another face, and takes another accessible name if given."""
        self._face = face
        self._name = name or self._name
        self.setAccessibleName(self._name or face.words)
        if face.key:
            self.setAccessibleDescription(f"Key {key_caption(face.key)}")
        if not face.words:
            self._tip = self._name
        self.setToolTip(self._tip)
        self._on_look_changed()

    def set_words(self, words: str, name: str = "") -> None:
        """Changes the words alone."""
        self.show_face(replace(self._face, words=words), name)

    def set_off(self, why: str) -> None:
        """Disables it in its place; `why` is its tooltip and its accessible description."""
        self.setEnabled(False)
        self.setToolTip(why)
        self.setAccessibleDescription(why)

    def set_on(self) -> None:
        """Enables it again."""
        self.setEnabled(True)
        self.setToolTip(self._tip)
        self.setAccessibleDescription(f"Key {key_caption(self._face.key)}" if self._face.key else "")

    def set_menu(self, menu: QMenu) -> None:
        """Opens a menu when pressed, and shows so by an arrow."""
        self.setMenu(menu)
        self.show_face(replace(self._face, opens_menu=True))

    def sizeHint(self) -> QSize:
        """Room for all its words."""
        return button_size(self._look, self._face)

    def minimumSizeHint(self) -> QSize:
        """The same: a button's words are not cut."""
        return self.sizeHint()

    def enterEvent(self, event: QEnterEvent) -> None:
        """The pointer came."""
        self._hovered = True
        self.update()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """The pointer went."""
        self._hovered = False
        self.update()
        super().leaveEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The whole button; the focus ring is painted round it by `FocusRing`."""
        painter = QPainter(self)
        state = ButtonState(self.isEnabled(), self._hovered, self.isDown(), self.isChecked())
        paint_button(painter, self._look, self.rect(), self._face, state)
        painter.end()

    def _on_look_changed(self) -> None:
        self.updateGeometry()
        self.update()


class StopButton(Button):
    """Stop for one person. Its name says whom: “Stop all follow-up for Maria Delgado”."""

    def __init__(
        self,
        look: Look,
        whom: str,
        stop: StopLook = StopLook.ROW,
        *,
        key: str = "",
        parent: QWidget | None = None,
    ) -> None:
        self._key = key
        super().__init__(look, stop_face(stop, key=key), name=stop_name(whom), parent=parent)

    def show_stop(self, stop: StopLook, whom: str) -> None:
        """Takes another look, for another person."""
        self.show_face(stop_face(stop, key=self._key), stop_name(whom))


def stop_name(whom: str) -> str:
    """The accessible name of a Stop."""
    return f"Stop all follow-up for {whom}"


def plain_button(
    look: Look, words: str, icon: Icon | None = None, *, key: str = "", parent: QWidget | None = None
) -> Button:
    """An outlined button of normal height."""
    return Button(look, ButtonFace(words, icon, key=key), parent=parent)


def primary_button(
    look: Look, words: str, icon: Icon | None = None, *, key: str = "", parent: QWidget | None = None
) -> Button:
    """The filled one: at most one a panel."""
    return Button(look, ButtonFace(words, icon, ButtonKind.PRIMARY, key=key), parent=parent)


def tool_button(look: Look, icon: Icon, name: str, *, edged: bool = False, parent: QWidget | None = None) -> Button:
    """A square button with an icon alone; `name` is its tooltip and accessible name."""
    kind = ButtonKind.PLAIN if edged else ButtonKind.GHOST
    return Button(look, ButtonFace("", icon, kind, ButtonSize.ROW), name=name, parent=parent)


__all__ = [
    "STOP_KINDS",
    "Button",
    "ButtonFace",
    "ButtonKind",
    "ButtonSize",
    "StopButton",
    "StopLook",
    "plain_button",
    "primary_button",
    "stop_face",
    "stop_name",
    "tool_button",
]
