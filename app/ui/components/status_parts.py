"""The marks of the status bar: the engine's shape and word, one mark a channel, practice or live."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app.ui.components.paint import CENTRE, paint_box, paint_icon, paint_words
from app.ui.frame_facts import ChannelMark, EngineLook, StatusFacts
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Height, Radius, Type

_GAP = 5


class _Part(QAbstractButton):
    """A shape and words. It can be pressed only while there is something to open."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.look = look
        self.icon_name = Icon.CHECK
        self.icon_px = 16
        self.icon_ink = "ok"
        self.ink = "text2"
        self.bold = False
        self.ground = "rail"
        self.short = False
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        """Shape and words, 32 px high."""
        look = self.look
        wide = look.px(self.icon_px)
        if not self.short:
            wide += look.px(_GAP) + look.metrics(Type.SECOND, self.weight).horizontalAdvance(self.text()) + 1
        return QSize(wide, look.px(Height.ROW_CONTROL))

    def set_short(self, short: bool) -> None:
        """The shape alone, words in the tooltip; a problem keeps its words."""
        self.short = short and not self.pressable
        self.setToolTip(self.accessibleName() if self.short else self.accessibleDescription())
        self.updateGeometry()

    @property
    def pressable(self) -> bool:
        """Whether it opens something."""
        return self.focusPolicy() != Qt.FocusPolicy.NoFocus

    @property
    def weight(self) -> int:
        """600 for what must be seen."""
        return 600 if self.bold else 0

    def set_pressable(self, pressable: bool) -> None:
        """A problem opens on Today; what works is no button."""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if pressable else Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, False)
        self.setCursor(Qt.CursorShape.PointingHandCursor if pressable else Qt.CursorShape.ArrowCursor)
        self.setEnabled(True)
        self.blockSignals(not pressable)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Shape, words."""
        look, theme = self.look, self.look.theme
        painter = QPainter(self)
        px = look.px(self.icon_px)
        ink: str = getattr(theme, self.icon_ink)
        ground: str = getattr(theme, self.ground)
        paint_icon(painter, look, self.icon_name, QRect(0, 0, px, self.height()), px, ink, ground)
        if not self.short:
            x = px + look.px(_GAP)
            words: str = getattr(theme, self.ink)
            room = QRect(x, 0, self.width() - x, self.height())
            paint_words(painter, look, room, self.text(), Type.SECOND, words, weight=self.weight)
        painter.end()


class EngineMark(_Part):
    """`> Running`, `|| All sending is paused`, `! Not running`."""

    def show_engine(self, facts: StatusFacts, words: str) -> None:
        """How the engine stands; not running can be pressed, to see why."""
        self.icon_name, self.icon_ink, self.icon_px = {
            EngineLook.OPENING: (Icon.WAIT, "text2", 14),
            EngineLook.RUNNING: (Icon.STATE_ACTIVE, "ok", 12),
            EngineLook.PAUSED: (Icon.STATE_PAUSED, "text2", 14),
            EngineLook.NOT_RUNNING: (Icon.ALERTF, "stop", 16),
        }[facts.engine]
        self.ground = "warn_soft" if facts.engine is EngineLook.PAUSED else "rail"
        self.ink = "stop" if facts.engine is EngineLook.NOT_RUNNING else "text"
        self.bold = True
        self.setText(words)
        self.setAccessibleName(words)
        self.set_pressable(facts.engine is EngineLook.NOT_RUNNING)
        self.updateGeometry()
        self.update()


class Mark(_Part):
    """One channel: a tick, or a filled warning sign that opens the problem."""

    def __init__(self, look: Look, channel: ChannelMark) -> None:
        super().__init__(look)
        self.channel = channel
        self.icon_name, self.icon_ink = (Icon.CHECK, "ok") if channel.fine else (Icon.ALERTF, "stop")
        self.ink = "text2" if channel.fine else "stop"
        self.bold = not channel.fine
        self.setText(channel.words)
        self.setAccessibleName(f"{channel.words}, {self.tr('working')}" if channel.fine else channel.words)
        self.setAccessibleDescription(channel.detail)
        self.setToolTip(channel.detail)
        self.set_pressable(not channel.fine)


class ModeChip(QWidget):
    """`Live`, or `Practice mode: nothing leaves this computer`."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._practice = False
        self._words = ""
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.updateGeometry)

    def show_mode(self, practice: bool) -> None:
        """Which of the two."""
        self._practice = practice
        words = self.tr("Practice mode: nothing leaves this computer") if practice else self.tr("Live")
        self.setAccessibleName(words)
        self.set_short(False)

    def set_short(self, short: bool) -> None:
        """“Practice mode” alone; the rest in the tooltip."""
        whole = self.accessibleName()
        self._words = self.tr("Practice mode") if short and self._practice else whole
        self.setToolTip(whole if self._words != whole else "")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """All its words."""
        look = self._look
        lead = look.px(14 + _GAP) if self._practice else 0
        wide = lead + look.metrics(Type.SECOND).horizontalAdvance(self._words)
        return QSize(wide + 2 * look.px(8) + 2, look.px(Height.CHIP))

    def paintEvent(self, event: QPaintEvent) -> None:
        """An outlined chip; practice with the phone's shape."""
        look, theme = self._look, self._look.theme
        painter = QPainter(self)
        paint_box(painter, look, self.rect(), edge=theme.line_strong, radius=Radius.CHIP)
        room = self.rect()
        if self._practice:
            px = look.px(14)
            paint_icon(painter, look, Icon.DEVICE, QRect(look.px(8), 0, px, self.height()), px, theme.text2)
            room = room.adjusted(look.px(8 + 14 + _GAP), 0, -look.px(8), 0)
        paint_words(painter, look, room, self._words, Type.SECOND, theme.text, align=CENTRE)
        painter.end()


class Separator(QWidget):
    """A short upright line."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.setFixedSize(1, 18)

    def paintEvent(self, event: QPaintEvent) -> None:
        """One line."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._look.colour(self._look.theme.line_strong))
        painter.end()
