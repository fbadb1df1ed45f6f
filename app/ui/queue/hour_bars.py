"""The next 24 hours as bars: how many follow-ups come up in each, striped where every location is closed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from itertools import groupby

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.domain.lines import HourBar
from app.ui.components.paint import CENTRE, paint_words
from app.ui.look import Look
from app.ui.measures import Space, Type
from app.ui.when import hour_words, zone_words
from app.ui.words import many

_HIGH = 122
_AXIS = 94  # from the top to the line that the bars stand on, at 100 %
_HIGHEST = 44
_LEAST = 4
_STRIPES = 52
_STRIPE_GAP = 9
_EVERY = 3  # hours between two words below
_HOUR = timedelta(hours=1)


class HourBars(QWidget):
    """Paints the coming hours. `show_hours` gives them; they are full ones on the clock of `zone`."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._hours: tuple[HourBar, ...] = ()
        self._zone = "UTC"
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        look.changed.connect(self._on_look_changed)
        self.show_hours((), "UTC")

    def show_hours(self, hours: Sequence[HourBar], zone: str) -> None:
        """Other figures."""
        self._hours = tuple(hours)
        self._zone = zone
        self.setAccessibleName(self.tr("Next 24 hours"))
        self.setAccessibleDescription(self.spoken())
        self.update()

    def spoken(self) -> str:
        """Every figure in words, for screen readers."""
        if not self._hours:
            return self.tr("Not read yet")
        told = [self._bar_words(bar) for bar in self._hours if bar.count]
        for closed, run in groupby(self._hours, key=lambda bar: bar.all_closed):
            if closed:
                hours = list(run)
                words = self.tr("every location is closed from {start} to {end}")
                told.append(words.format(start=self._hour(hours[0]), end=self._hour_end(hours[-1])))
        return f"{self._told()} {'; '.join(told)}".strip()

    def sizeHint(self) -> QSize:
        """As wide as there is room."""
        return QSize(24 * self._look.px(24), self._look.px(_HIGH))

    def minimumSizeHint(self) -> QSize:
        """Bars get narrower, not lower."""
        return QSize(24 * 8, self._look.px(_HIGH))

    def event(self, event: QEvent) -> bool:
        """A bar's figure as its tooltip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            bar = self._bar_at(event.pos())
            if bar is not None:
                QToolTip.showText(event.globalPos(), self._bar_words(bar), self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Title, stripes, bars with their figures, the hours below."""
        look, theme = self._look, self._look.theme
        painter = QPainter(self)
        painter.fillRect(self.rect(), look.colour(theme.surface))
        line = look.px(20)
        room = QRect(Space.PAGE, look.px(10), self.width() - 2 * Space.PAGE, line)
        wide = paint_words(painter, look, room, self.tr("Next 24 hours"), Type.LABEL, theme.text)
        room.setLeft(room.left() + wide + look.px(9))
        paint_words(painter, look, room, self._told(), Type.SECOND, theme.text2)
        self._paint_stripes(painter)
        axis = look.px(_AXIS)
        painter.fillRect(Space.PAGE, axis, self.width() - 2 * Space.PAGE, 1, look.colour(theme.line_strong))
        most = max((bar.count for bar in self._hours), default=0)
        for at, bar in enumerate(self._hours):
            self._paint_bar(painter, self._slot(at), bar, most)
            if at % _EVERY == 0 or at == len(self._hours) - 1:
                self._paint_hour(painter, at, bar)
        painter.fillRect(0, self.height() - theme.edge_px, self.width(), theme.edge_px, look.colour(theme.line))
        painter.end()

    def _paint_stripes(self, painter: QPainter) -> None:
        look = self._look
        low, high = look.px(_AXIS), look.px(_STRIPES)
        area = QPainterPath()
        for at, bar in enumerate(self._hours):
            if bar.all_closed:
                area.addRect(QRectF(self._slot(at).x(), low - high, self._slot(at).width(), high))
        if area.isEmpty():
            return
        painter.save()
        painter.setClipPath(area.simplified())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setPen(QPen(look.colour(look.theme.line_strong), 1))
        gap = look.px(_STRIPE_GAP)
        for x in range(0, self.width() + high, gap):
            painter.drawLine(QPoint(x - high, low), QPoint(x, low - high))
        painter.restore()

    def _paint_bar(self, painter: QPainter, slot: QRect, bar: HourBar, most: int) -> None:
        if not bar.count:
            return
        look = self._look
        high = max(look.px(_LEAST), round(look.px(_HIGHEST) * bar.count / most))
        side = max(1, round(slot.width() * 0.18))
        box = QRectF(slot.x() + side, look.px(_AXIS) - high, slot.width() - 2 * side, high)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.colour(look.theme.accent_fill))
        path = QPainterPath()
        path.addRoundedRect(box.adjusted(0, 0, 0, 2), 2, 2)
        painter.setClipRect(slot)  # round above, straight on the line
        painter.drawPath(path)
        painter.setClipping(False)
        words = f"{bar.count:,}"
        wide = max(slot.width(), look.metrics(Type.SECOND, 0, True).horizontalAdvance(words) + 2)
        above = QRect(slot.center().x() - wide // 2, int(box.top()) - look.px(18), wide, look.px(18))
        paint_words(painter, look, above, words, Type.SECOND, look.theme.text2, tabular=True, align=CENTRE)

    def _paint_hour(self, painter: QPainter, at: int, bar: HourBar) -> None:
        look = self._look
        words = self.tr("now") if at == 0 else hour_words(bar.starts_at, self._zone)
        slot = self._slot(at)
        wide = look.metrics(Type.NOTE).horizontalAdvance(words) + 2
        left = min(max(slot.center().x() - wide // 2, Space.PAGE), self.width() - Space.PAGE - wide)
        below = QRect(left, look.px(_AXIS + 3), wide, look.px(18))
        paint_words(painter, look, below, words, Type.NOTE, look.theme.text2, align=CENTRE)

    def _slot(self, at: int) -> QRect:
        wide = self.width() - 2 * Space.PAGE
        left = Space.PAGE + wide * at // len(self._hours)
        right = Space.PAGE + wide * (at + 1) // len(self._hours)
        return QRect(left, 0, right - left, self._look.px(_AXIS))

    def _bar_at(self, point: QPoint) -> HourBar | None:
        return next((bar for at, bar in enumerate(self._hours) if self._slot(at).contains(point)), None)

    def _told(self) -> str:
        """“at most 105 messages; hours in PST. Striped: every location is closed.”"""
        if not self._hours:
            return ""
        most = sum(bar.count for bar in self._hours)
        words = many(most, self.tr("at most 1 message"), self.tr("at most {count} messages"))
        words = words if most else self.tr("nothing is due")
        told = self.tr("{most}; hours in {zone}.").format(most=words, zone=self._zone_word())
        if any(bar.all_closed for bar in self._hours):
            told += " " + self.tr("Striped: every location is closed.")
        return told

    def _bar_words(self, bar: HourBar) -> str:
        count = many(bar.count, self.tr("1 follow-up comes up"), self.tr("{count} follow-ups come up"))
        if not bar.count:
            count = self.tr("nothing comes up")
        words = self.tr("{start} to {end} {zone}: {count}")
        return words.format(
            start=self._hour(bar), end=self._hour_end(bar), zone=zone_words(bar.starts_at, self._zone), count=count
        )

    def _hour(self, bar: HourBar) -> str:
        return hour_words(bar.starts_at, self._zone)

    def _hour_end(self, bar: HourBar) -> str:
        return hour_words(bar.starts_at + _HOUR, self._zone)

    def _zone_word(self) -> str:
        """The zone's name; both of them on the day the clocks change."""
        names = [zone_words(bar.starts_at, self._zone) for bar in (self._hours[0], self._hours[-1])]
        return names[0] if names[0] == names[1] else "/".join(names)

    def _on_look_changed(self) -> None:
        self.updateGeometry()
        self.update()
