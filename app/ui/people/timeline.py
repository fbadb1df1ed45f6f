"""The timeline of a person's page: what is next, “now”, then the days, each message with why it went out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import groupby

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.domain.ids import EnrollmentId, MessageId
from app.domain.lines import QueueLine, WhyLines
from app.domain.person_lines import PersonPage, TimelineLine
from app.ui.components.button_paint import ButtonFace, ButtonKind, ButtonSize
from app.ui.components.buttons import Button
from app.ui.components.labels import ElidedLabel, Run, label, rich_label
from app.ui.components.paint import paint_box, paint_icon, paint_words
from app.ui.desk import Desk
from app.ui.faults import Fault
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Radius, Space, Type
from app.ui.people.card_stack import Card, CardSpec, CardStack, padded
from app.ui.people.cards import after_wait
from app.ui.people.timeline_entry import Entry
from app.ui.people.timeline_words import entry
from app.ui.people.trace import TraceView
from app.ui.state_chips import step_icon
from app.ui.theme import Tone
from app.ui.when import clock_words, day_words, local, next_words
from app.ui.words import Where, hold_words, step_name

_FIRST = 40  # entries shown at once; the others behind one button

FetchWhy = Callable[[QWidget, MessageId, Callable[[WhyLines | None], None], Callable[[Fault], None]], None]


def fetch_why(desk: Desk) -> FetchWhy:
    """Reads a message's trace on a reader, for whoever shows it."""

    def fetch(
        owner: QWidget,
        message_id: MessageId,
        then: Callable[[WhyLines | None], None],
        failed: Callable[[Fault], None],
    ) -> None:
        open_reader = desk.open_reader

        def read() -> WhyLines | None:
            with open_reader() as reads:
                return reads.why(message_id)

        desk.bridge.read(owner, read, then, failed)

    return fetch


class TimelineCard(Card):
    """The whole card. Show it again with newer facts: entries that are the same stay, their traces open."""

    read_failed = Signal(object)

    def __init__(self, look: Look, fetch: FetchWhy) -> None:
        super().__init__()
        self._look = look
        self._fetch = fetch
        self._all = False
        self._shown: tuple[PersonPage, Where] | None = None
        self.setAccessibleName(self.tr("History"))
        holder, column = padded(Space.M, Space.M)
        self._rows = CardStack(0)
        self._more = Button(look, ButtonFace("", Icon.DOWN, ButtonKind.GHOST, ButtonSize.ROW), name=self.tr("Older"))
        self._more.clicked.connect(self._on_more)
        column.addWidget(self._rows)
        column.addWidget(self._more)
        self.body.addWidget(holder)

    def show_page(self, page: PersonPage, where: Where) -> None:
        """This person's history, now."""
        self._shown = (page, where)
        lines = page.timeline if self._all else page.timeline[:_FIRST]
        thens = {each.id: after_wait(each) for each in page.enrollments}
        nexts = self._next_rows(page.next, thens, where)
        rows = [*nexts, self._now_row(where), *self._day_rows(lines, where)]
        self._rows.show_cards(rows)
        left = len(page.timeline) - len(lines)
        self._more.setVisible(left > 0)
        self._more.set_words(self.tr("{count} older").format(count=left))

    def toggle_newest(self) -> None:
        """Why the newest message went out: opens its trace in place, or closes it."""
        rows = [row for row in self.findChildren(TimelineRow) if row.can_be_explained]
        rows.sort(key=lambda row: row.mapTo(self, row.rect().topLeft()).y())
        if rows:
            rows[0].toggle_why()

    def _on_more(self) -> None:
        self._all = True
        if self._shown is not None:
            self.show_page(*self._shown)

    def _next_rows(self, lines: Sequence[QueueLine], thens: Mapping[EnrollmentId, str], where: Where) -> list[CardSpec]:
        if not lines:
            return []
        rows = [CardSpec("next", self.tr("Next"), partial(_day_head, self.tr("Next")))]
        for line in lines:
            told = (line, local(where.now, where.zone).date(), where.now >= line.at if line.at else False)
            make = partial(self._next_row, line, thens.get(line.enrollment_id, ""), where)
            rows.append(CardSpec(f"next-{line.enrollment_id}", told, make))
        return rows

    def _now_row(self, where: Where) -> CardSpec:
        words = self.tr("Now, {time}").format(time=clock_words(where.now, where.zone))
        return CardSpec("now", words, partial(NowLine, self._look, words))

    def _day_rows(self, lines: Sequence[TimelineLine], where: Where) -> list[CardSpec]:
        rows: list[CardSpec] = []
        counted: dict[object, int] = {}
        for day, of_day in groupby(lines, key=lambda line: day_words(line.at, where.zone, where.now)):
            rows.append(CardSpec(f"day-{day}", day, partial(_day_head, day)))
            for line in of_day:
                same = (line.at, line.event, line.message_id)
                counted[same] = counted.get(same, 0) + 1
                made = partial(self._row, line, where)
                rows.append(CardSpec(f"{same}-{counted[same]}", (line, day), made))
        return rows

    def _row(self, line: TimelineLine, where: Where) -> QWidget:
        told = entry(line, where)
        row = TimelineRow(self._look, told, clock_words(line.at, where.zone), self._fetch, where)
        row.read_failed.connect(self.read_failed)
        return row

    def _next_row(self, line: QueueLine, then: str, where: Where) -> QWidget:
        if line.at is None:
            time = self.tr("when it is resumed") if line.hold is not None else self.tr("as soon as it can")
        elif line.at <= where.now:
            time = self.tr("now")
        else:
            time = next_words(line.at, where.zone, where.now)
        second = self.tr("Every guard is asked again just before it goes")
        if line.hold is not None:
            second = hold_words(line.hold, where).removesuffix(".")
        elif line.step.kind not in ("email", "sms", "call"):
            second = self.tr("Then: {step}").format(step=then) if then else self.tr("Then it ends")
        runs = (Run(step_name(line.step), bold=True), Run(f" · {line.journey}"))
        tone = Tone.WARN if line.hold is not None else Tone.ACCENT
        told = Entry(where.now, step_icon(line.step.kind), tone, runs, second, line.message_id)
        row = TimelineRow(self._look, told, time, self._fetch, where)
        row.read_failed.connect(self.read_failed)
        return row


class TimelineRow(QWidget):
    """One entry: tile, what happened, when, and the trace in place."""

    read_failed = Signal(object)

    def __init__(self, look: Look, told: Entry, time: str, fetch: FetchWhy, where: Where) -> None:
        super().__init__()
        self._look = look
        self._told = told
        self._fetch = fetch
        self._where = where
        self._trace: QWidget | None = None
        across = QHBoxLayout(self)
        # the link is 32 px high to press: it reaches into the margin
        across.setContentsMargins(0, 5, 0, 5 if told.message_id is None else 0)
        across.setSpacing(Space.M)
        tile = TileLabel(look, told.icon, told.tone)
        across.addWidget(tile, 0, Qt.AlignmentFlag.AlignTop)
        self._column = QVBoxLayout()
        self._column.setSpacing(0)
        self._column.addLayout(self._lines(time))
        across.addLayout(self._column, 1)

    def _lines(self, time: str) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(Space.M)
        left, right = QVBoxLayout(), QVBoxLayout()
        left.setSpacing(0)
        right.setSpacing(0)
        left.addWidget(rich_label(self._told.runs, Type.BODY))
        if self._told.second:
            left.addWidget(label(self._told.second, Type.SECOND, "text2", wraps=True))
        left.addStretch(1)
        right.addWidget(ElidedLabel(self._look, time, Type.SECOND, "text2"), 0, Qt.AlignmentFlag.AlignRight)
        if self._told.message_id is not None:
            right.addWidget(self._why_button(), 0, Qt.AlignmentFlag.AlignRight)
        right.addStretch(1)
        row.addLayout(left, 1)
        row.addLayout(right)
        return row

    def _why_button(self) -> Button:
        words = self.tr("Why did this go out?") if self._told.went_out else self.tr("Why?")
        spoken = "".join(run.words for run in self._told.runs)
        button = Button(self._look, ButtonFace(words, None, ButtonKind.LINK, ButtonSize.ROW), name=f"{words} {spoken}")
        button.clicked.connect(self.toggle_why)
        return button

    @property
    def can_be_explained(self) -> bool:
        """Whether a message went out here, whose trace can be opened."""
        return self._told.message_id is not None and self._told.went_out

    def toggle_why(self) -> None:
        """Open the trace in place, or close it."""
        if self._trace is not None:
            self._column.removeWidget(self._trace)
            self._trace.hide()
            self._trace.deleteLater()
            self._trace = None
        elif self._told.message_id is not None:
            self._fetch(self, self._told.message_id, self._on_why, self.read_failed.emit)

    def _on_why(self, why: WhyLines | None) -> None:
        if self._trace is not None:
            return
        if why is None:
            self._trace = label(self.tr("This message is not kept any more."), Type.SECOND, "text2")
        else:
            self._trace = TraceView(self._look, why, self._where)
        self._column.addWidget(self._trace)


class TileLabel(QWidget):
    """A small square with a shape, on its soft ground."""

    def __init__(self, look: Look, icon: Icon, tone: Tone) -> None:
        super().__init__()
        self._look = look
        self._icon = icon
        self._tone = tone
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        """28 px."""
        side = self._look.px(28)
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Ground and shape."""
        painter = QPainter(self)
        colours = self._look.tones(self._tone)
        paint_box(painter, self._look, self.rect(), ground=colours.soft, radius=Radius.CONTROL)
        paint_icon(painter, self._look, self._icon, self.rect(), self._look.px(16), colours.ink, colours.soft)
        painter.end()


class NowLine(QWidget):
    """“Now, 11:42 AM MST” and a line across."""

    def __init__(self, look: Look, words: str) -> None:
        super().__init__()
        self._look = look
        self._words = words
        self.setAccessibleName(words)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        look.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        """One line of text with room around it."""
        return QSize(self._look.px(120), self._look.px(34))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Words, then the line."""
        look, theme = self._look, self._look.theme
        painter = QPainter(self)
        wide = paint_words(painter, look, self.rect(), self._words, Type.LABEL, theme.accent, tabular=True)
        left = wide + look.px(10)
        painter.fillRect(QRect(left, self.height() // 2, max(0, self.width() - left), 1), look.colour(theme.accent))
        painter.end()


def _day_head(words: str) -> QWidget:
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, Space.S, 0, 2)
    column.addWidget(label(words, Type.LABEL, "text2"))
    return holder
