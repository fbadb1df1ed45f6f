"""Words on the screen: a label by step of the type scale and ink, a label that elides, runs of bold and plain text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QWidget

from app.ui.components.paint import LEFT, key_cap_width, key_caption, paint_icon, paint_key_cap, paint_words
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Height, Type


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of a sentence, bold or not. A sentence is a sequence of runs.

    With `link` it can be pressed: what stands there is what `linkActivated` of its label carries.
    """

    words: str
    bold: bool = False
    link: str = ""


def plain_words(runs: Sequence[Run]) -> str:
    """The sentence without its weights, for screen readers."""
    return "".join(run.words for run in runs)


def rich_words(runs: Sequence[Run]) -> str:
    """The sentence as rich text, everything escaped. `<b>` would be the font's bold; 600 is ours."""
    return "".join(_rich(run) for run in runs)


def _rich(run: Run) -> str:
    style = f"font-weight:{600 if run.bold else 400}"
    if run.link:
        return f'<a href="{escape(run.link)}" style="{style};text-decoration:none">{escape(run.words)}</a>'
    return f'<span style="{style}">{escape(run.words)}</span>'


def label(words: str = "", type_: Type = Type.BODY, ink: str = "text", *, wraps: bool = False) -> QLabel:
    """A label, plain text only. `ink` is the name of a text token: text, text2, text3, accent, stop, ok, warn, …"""
    made = QLabel(words)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setProperty("type", type_.name.lower())
    made.setProperty("ink", ink)
    made.setWordWrap(wraps)
    return made


def rich_label(runs: Sequence[Run], type_: Type = Type.BODY, ink: str = "text", *, wraps: bool = True) -> QLabel:
    """A label of bold and plain runs."""
    made = label("", type_, ink, wraps=wraps)
    set_runs(made, runs)
    return made


def set_runs(made: QLabel, runs: Sequence[Run]) -> None:
    """Puts another sentence on a rich label."""
    made.setTextFormat(Qt.TextFormat.RichText)
    made.setText(rich_words(runs))
    links = any(run.link for run in runs)
    flags = Qt.TextInteractionFlag
    pressed = flags.LinksAccessibleByMouse | flags.LinksAccessibleByKeyboard
    made.setTextInteractionFlags(pressed if links else flags.NoTextInteraction)
    made.setAccessibleName(plain_words(runs))


def set_ink(made: QLabel, ink: str) -> None:
    """Gives a label another ink."""
    made.setProperty("ink", ink)
    made.style().unpolish(made)
    made.style().polish(made)


def rule() -> QFrame:
    """A hairline across."""
    made = QFrame()
    made.setProperty("line", True)
    return made


class ElidedLabel(QWidget):
    """One line that gives way: cut when there is no room, whole in the tooltip. `ink` names a token."""

    def __init__(
        self,
        look: Look,
        words: str = "",
        type_: Type = Type.SECOND,
        ink: str = "text2",
        *,
        tabular: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._look = look
        self._words = words
        self._type = type_
        self._ink = ink
        self._tabular = tabular
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        look.changed.connect(self._on_look_changed)
        self.set_words(words)

    def set_words(self, words: str) -> None:
        """Other words."""
        self._words = words
        self.setAccessibleName(words)
        self._on_look_changed()

    def sizeHint(self) -> QSize:
        """All its words."""
        wide = self._look.metrics(self._type, 0, self._tabular).horizontalAdvance(self._words)
        return QSize(wide + 1, self._look.px(self._type.value.line))

    def minimumSizeHint(self) -> QSize:
        """Nothing: it gives way first."""
        return QSize(0, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """One line."""
        painter = QPainter(self)
        ink: str = getattr(self._look.theme, self._ink)
        paint_words(painter, self._look, self.rect(), self._words, self._type, ink, tabular=self._tabular, align=LEFT)
        painter.end()
        self.setToolTip(self._words if self.width() < self.sizeHint().width() else "")

    def _on_look_changed(self) -> None:
        self.updateGeometry()
        self.update()


class KeyCap(QWidget):
    """A key, drawn as its cap."""

    def __init__(self, look: Look, key: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._key = key
        self.setAccessibleName(key_caption(key))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        """The cap; a little higher where it stands alone."""
        return QSize(key_cap_width(self._look, self._key) + self._look.px(2), self._look.px(Height.KEY_CAP + 3))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The cap."""
        painter = QPainter(self)
        paint_key_cap(painter, self._look, self.rect(), self._key)
        painter.end()


class IconLabel(QWidget):
    """An icon alone; `name` says what it means, empty where words beside it do. `ink` and `ground` name tokens."""

    def __init__(
        self, look: Look, icon: Icon, px: int = 16, ink: str = "text2", *, ground: str = "surface", name: str = ""
    ) -> None:
        super().__init__()
        self._look = look
        self._px = px
        self.show_icon(icon, ink, ground, name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.updateGeometry)

    def show_icon(self, icon: Icon, ink: str, ground: str = "surface", name: str = "") -> None:
        """Another icon; `ground` is what it stands on, for its knock-outs."""
        self._icon, self._ink, self._ground = icon, ink, ground
        self.setAccessibleName(name)
        self.update()

    def sizeHint(self) -> QSize:
        """A square."""
        side = self._look.px(self._px)
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The icon, in the middle."""
        painter = QPainter(self)
        theme = self._look.theme
        ink, ground = getattr(theme, self._ink), getattr(theme, self._ground)
        paint_icon(painter, self._look, self._icon, self.rect(), self._look.px(self._px), ink, ground)
        painter.end()
