"""The status bar: how the engine stands, when it looks next, the channels, practice or live, and the one switch."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from app.ui.actions import ActionId, action_spec
from app.ui.components.button_paint import ButtonFace, ButtonKind, ButtonSize
from app.ui.components.buttons import Button
from app.ui.components.labels import ElidedLabel
from app.ui.components.speech import announce
from app.ui.components.status_parts import EngineMark, Mark, ModeChip, Separator
from app.ui.frame_facts import EngineLook, StatusFacts
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Height, Type


class StatusBar(QWidget):
    """40 px at the foot, always there. Paused, the whole bar turns `warn_soft`.

    Signals: `pause_wanted()`, `resume_wanted()`; `problem_opened(key)`: a channel's key, or “engine”.
    """

    pause_wanted = Signal()
    resume_wanted = Signal()
    problem_opened = Signal(str)

    def __init__(self, look: Look, facts: StatusFacts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._facts = facts
        self._marks: list[Mark] = []
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 1, 8, 0)
        row.setSpacing(14)
        self._engine = EngineMark(look)
        self._engine.clicked.connect(partial(self._open, "engine"))
        self._detail = ElidedLabel(look, "", Type.SECOND, "text2")
        self._channels = QHBoxLayout()
        self._channels.setSpacing(14)
        self._before, self._after = Separator(look), Separator(look)
        self._mode = ModeChip(look)
        self._switch = Button(look, ButtonFace(self.tr("Pause all sending"), size=ButtonSize.ROW))
        self._switch.clicked.connect(self._on_switch)
        for widget in (self._engine, self._detail, self._before):
            row.addWidget(widget)
        row.addLayout(self._channels)
        row.addWidget(self._after)
        row.addWidget(self._mode)
        row.addStretch(1)
        row.addWidget(self._switch)
        look.changed.connect(self._on_look_changed)
        self._on_look_changed()
        self._show()

    @property
    def paused(self) -> bool:
        """Whether all sending is paused by hand."""
        return self._facts.engine is EngineLook.PAUSED

    def show_facts(self, facts: StatusFacts) -> None:
        """Shows how things stand now; a change of the engine's state is announced."""
        if facts == self._facts:
            return
        told = facts.engine is not self._facts.engine
        self._facts = facts
        self._show()
        if told:
            announce(self, f"{self._engine.accessibleName()} {self._detail.accessibleName()}".strip(), assertive=True)

    def first_focus(self) -> QWidget:
        """Where F6 lands."""
        return self._switch

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground and the line above."""
        theme = self._look.theme
        ground, line = (theme.warn_soft, theme.warn_line) if self.paused else (theme.rail, theme.line)
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._look.colour(ground))
        painter.fillRect(0, 0, self.width(), theme.edge_px, self._look.colour(line))
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow window channels that work show their tick alone, then practice mode its name."""
        super().resizeEvent(event)
        self._fit()

    def _show(self) -> None:
        facts = self._facts
        self._engine.show_engine(facts, self._engine_words())
        self._detail.set_words(self._detail_words())
        self._show_channels()
        self._mode.show_mode(facts.practice)
        known = bool(facts.channels) or facts.practice or self.paused  # nothing is said of a practice that isn't open
        self._mode.setVisible(known)
        self._after.setVisible(known)
        key = action_spec(ActionId.PAUSE_ALL).key
        if self.paused:
            face = ButtonFace(self.tr("Resume sending"), Icon.STATE_ACTIVE, ButtonKind.PRIMARY, ButtonSize.ROW, key)
        else:
            face = ButtonFace(self.tr("Pause all sending"), Icon.STATE_PAUSED, ButtonKind.PLAIN, ButtonSize.ROW)
        self._switch.show_face(face, face.words)
        self._fit()
        self.update()

    def _engine_words(self) -> str:
        match self._facts.engine:
            case EngineLook.OPENING:
                return self.tr("Opening…")
            case EngineLook.RUNNING:
                return self.tr("Running")
            case EngineLook.PAUSED:
                return self.tr("All sending is paused")
            case EngineLook.NOT_RUNNING:
                return self.tr("Not running")

    def _detail_words(self) -> str:
        facts = self._facts
        match facts.engine:
            case EngineLook.OPENING:
                return ""
            case EngineLook.RUNNING:
                return self.tr("next check {time}").format(time=facts.next_check) if facts.next_check else ""
            case EngineLook.NOT_RUNNING:
                return facts.why
            case EngineLook.PAUSED:
                if facts.paused_by:
                    who = self.tr("by {who} since {when}.").format(who=facts.paused_by, when=facts.paused_since)
                else:
                    who = facts.why
                return f"{who} {self._waiting_words()}".strip()

    def _waiting_words(self) -> str:
        match self._facts.waiting:
            case 0:
                return self.tr("No message is waiting.")
            case 1:
                return self.tr("1 message is waiting; it isn’t lost.")
            case count:
                return self.tr("{count} messages are waiting; none are lost.").format(count=f"{count:,}")

    def _show_channels(self) -> None:
        wanted = () if self.paused else self._facts.channels
        if [mark.channel for mark in self._marks] == list(wanted):
            return  # a mark that has the focus keeps it
        for mark in self._marks:
            self._channels.removeWidget(mark)
            mark.hide()
            mark.deleteLater()
        self._marks = []
        for channel in wanted:
            mark = Mark(self._look, channel)
            mark.clicked.connect(partial(self._open, channel.key))
            self._channels.addWidget(mark)
            self._marks.append(mark)
        self._before.setVisible(bool(self._marks))

    def _fit(self) -> None:
        self._mode.set_short(False)
        for mark in self._marks:
            mark.set_short(False)
        tight = self._wanted() > self.width()
        for mark in self._marks:
            mark.set_short(tight)
        self._mode.set_short(self._wanted() > self.width())

    def _wanted(self) -> int:
        """Room for everything, and for a few words of the line that gives way."""
        fixed = [self._engine, self._mode, self._switch, *self._marks]
        return sum(widget.sizeHint().width() for widget in fixed) + 14 * (len(fixed) + 4) + self._look.px(90)

    def _open(self, key: str, _checked: bool = False) -> None:
        self.problem_opened.emit(key)

    def _on_switch(self) -> None:
        if self.paused:
            self.resume_wanted.emit()
        else:
            self.pause_wanted.emit()

    def _on_look_changed(self) -> None:
        self.setFixedHeight(self._look.px(Height.STATUS_BAR))
        self.update()
