"""“Why did this go out?”: one sentence, the guards in order, the tries, and what can be done about it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from app.domain.ids import MessageId
from app.domain.lines import MessageLine, WhyLines
from app.ui.components.button_paint import ButtonFace, ButtonKind, ButtonSize
from app.ui.components.buttons import Button, StopButton, StopLook, tool_button
from app.ui.components.flow import WrapRow
from app.ui.components.labels import Run, label, rich_label, rule, set_runs
from app.ui.components.speech import announce
from app.ui.desk import Desk
from app.ui.faults import Fault
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Space, Type
from app.ui.people.presses import Presses
from app.ui.people.whom import whom_of
from app.ui.sent.message_text import MessageText
from app.ui.sent.trace_rows import GuardRows, TryRows
from app.ui.sent.trace_words import trace_sentence, trace_text, trace_title
from app.ui.words import Where

_SIDE = 18


class TracePanel(QFrame):
    """One message's trace. Stands beside a list; it reads its message itself, and again whenever something changed.

    Signals: `person_wanted(person_id)`; `closed()`; `read_failed(Fault)`, what stood there stays.
    """

    person_wanted = Signal(object)
    closed = Signal()
    read_failed = Signal(object)

    def __init__(self, look: Look, desk: Desk, presses: Presses, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._desk = desk
        self._presses = presses
        self._message_id: MessageId | None = None
        self._why: WhyLines | None = None
        self._reading = False
        self._again = False
        self.setProperty("ground", "surface")
        self.setAccessibleName(self.tr("Why"))
        self._title = label("", Type.TITLE, wraps=True)
        self._sentence = rich_label((), Type.BODY)
        self._guards = QScrollArea()
        self.text = MessageText(look)
        self._tries = QWidget()
        self._copy = Button(look, ButtonFace(self.tr("Copy"), Icon.COPY, ButtonKind.GHOST, ButtonSize.ROW))
        self._close = tool_button(look, Icon.X, self.tr("Close"))
        self._stop = StopButton(look, "", StopLook.CHOSEN)
        self._open = Button(look, ButtonFace(self.tr("Open person"), Icon.ENTER, size=ButtonSize.ROW))
        self._show_text = Button(look, ButtonFace(self.tr("Show text"), Icon.EYE, size=ButtonSize.ROW))
        self._lay_out()
        self._connect()
        self.show_nothing()

    # what it shows ----------------------------------------------------------------------------------------------------

    @property
    def message_id(self) -> MessageId | None:
        """The message it is about; None for none."""
        return self._message_id

    @property
    def sentence(self) -> str:
        """The sentence that is told, in plain words."""
        return self._sentence.accessibleName()

    def show_message(self, message_id: MessageId) -> None:
        """Show why this message went out, or did not. What stands there stays until it is read."""
        if message_id != self._message_id:
            self._message_id = message_id
            self.text.hide()
        self._read()

    def show_waiting(self, sentence: tuple[Run, ...], *, live: bool = True) -> None:
        """Say why there is no message yet; or, of a follow-up that is not live, why there won't be one."""
        self._message_id, self._why = None, None
        title = self.tr("Why does nothing go out yet?") if live else self.tr("Why does nothing go out?")
        self._put_title(title, sentence)
        self._put_guards(None)
        self._show_acts(None)

    def show_nothing(self) -> None:
        """No message is chosen."""
        self._message_id, self._why = None, None
        words = self.tr("Choose a message to see why it went out, or why it did not.")
        self._put_title(self.tr("Why?"), (Run(words),))
        self._put_guards(None)
        self._show_acts(None)

    def close_panel(self) -> None:
        """Close it, as Esc does."""
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes."""
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
            return
        super().keyPressEvent(event)

    # reading ----------------------------------------------------------------------------------------------------------

    def _read(self) -> None:
        """At most one question is on its way; the last message asked for counts."""
        message_id, open_reader = self._message_id, self._desk.open_reader
        if message_id is None:
            return
        if self._reading:
            self._again = True
            return
        self._reading = True

        def read() -> WhyLines | None:
            with open_reader() as reads:
                return reads.why(message_id)

        self._desk.bridge.read(self, read, partial(self._on_read, message_id), self._on_failed)

    def _on_read(self, message_id: MessageId, why: WhyLines | None) -> None:
        self._reading = False
        again, self._again = self._again, False
        if message_id == self._message_id:
            self._show(why)
        if again:
            self._read()

    def _on_failed(self, fault: Fault) -> None:
        self._reading = self._again = False
        self.read_failed.emit(fault)

    @Slot(object)
    def _on_changed(self, _change: object) -> None:
        if self.isVisible():
            self._read()

    def _show(self, why: WhyLines | None) -> None:
        if why is None:
            self._why = None
            gone = self.tr("This message is not kept any more: the import that brought it was taken back.")
            self._put_title(self.tr("Why?"), (Run(gone),))
            self._put_guards(None)
            self._show_acts(None)
            return
        if why == self._why:
            return
        other = self._why is None or self._why.message.id != why.message.id
        self._why = why
        where = Where(why.message.zone, self._desk.now())
        sentence = trace_sentence(why, where)
        self._put_title(trace_title(why.message), sentence)
        self._put_guards(why, keep=not other)
        self._show_acts(why)

    # parts ------------------------------------------------------------------------------------------------------------

    def _put_title(self, title: str, sentence: tuple[Run, ...]) -> None:
        self._title.setText(title)
        self.setAccessibleName(title)
        set_runs(self._sentence, sentence)

    def _put_guards(self, why: WhyLines | None, *, keep: bool = False) -> None:
        scrolled = self._guards.verticalScrollBar().value() if keep else 0
        where = Where(why.message.zone, self._desk.now()) if why is not None else None
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(_SIDE, Space.M, _SIDE, Space.M)
        if why is not None and where is not None:
            column.addWidget(GuardRows(self._look, why, where))
        column.addStretch(1)
        self._guards.setWidget(inside)
        self._guards.verticalScrollBar().setValue(scrolled)
        tries = TryRows(self._look, why, where) if why is not None and where is not None else QWidget()
        self._foot.replaceWidget(self._tries, tries)
        self._tries.hide()
        self._tries.deleteLater()
        self._tries = tries
        tries.show()

    def _show_acts(self, why: WhyLines | None) -> None:
        for widget in (self._stop, self._open, self._show_text, self._tries, self._guards_rule):
            widget.setVisible(why is not None)
        self._copy.setVisible(why is not None)
        if why is None:
            self.text.hide()
            return
        whom = whom_of(why.message)
        self._stop.show_stop(StopLook.CHOSEN if why.message.running else StopLook.QUIET, whom.name)
        self._stop.setDown(self._presses.writing(whom.id))
        name = self.tr("Open {name}").format(name=whom.name)
        self._open.show_face(self._open.face, name)
        self._show_text_state(why)

    def _show_text_state(self, why: WhyLines) -> None:
        if not why.body:
            self.text.hide()
        self._tell_text()
        if why.body:
            self._show_text.set_on()
            self.text.show_text(why.message.subject, why.body)
        else:
            waits = self.tr("It is filled in when it goes out, from what is true then.")
            gone = self.tr("No text is kept: it was never filled in, or the person’s details were erased.")
            self._show_text.set_off(waits if _waits(why.message) else gone)

    def _tell_text(self) -> None:
        self._show_text.set_words(self.tr("Hide text") if not self.text.isHidden() else self.tr("Show text"))

    # pressing ---------------------------------------------------------------------------------------------------------

    @Slot()
    def _on_stop(self) -> None:
        if self._why is not None:
            self._presses.stop(whom_of(self._why.message))

    @Slot()
    def _on_open(self) -> None:
        if self._why is not None:
            self.person_wanted.emit(self._why.message.person_id)

    @Slot()
    def _on_show_text(self) -> None:
        self.text.setVisible(self.text.isHidden())
        self._tell_text()

    @Slot()
    def _on_copy(self) -> None:
        if self._why is not None:
            where = Where(self._why.message.zone, self._desk.now())
            QGuiApplication.clipboard().setText(trace_text(self._why, where))
            announce(self, self.tr("Copied"))

    @Slot(object)
    def _on_begun(self, person_id: object) -> None:
        if self._why is not None and self._why.message.person_id == person_id:
            self._stop.setDown(True)

    @Slot(object)
    def _on_settled(self, person_id: object) -> None:
        if self._why is not None and self._why.message.person_id == person_id:
            self._stop.setDown(self._presses.writing(self._why.message.person_id))
            self._read()

    # how --------------------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        head = QVBoxLayout()
        head.setContentsMargins(_SIDE, Space.M, Space.S, Space.M)
        head.setSpacing(Space.XS)
        row = QHBoxLayout()
        row.addWidget(self._title, 1)
        row.addWidget(self._copy)
        row.addWidget(self._close)
        head.addLayout(row)
        head.addWidget(self._sentence)
        column.addLayout(head)
        column.addWidget(rule())
        self._guards.setWidgetResizable(True)
        self._guards.setFrameShape(QFrame.Shape.NoFrame)
        self._guards.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._guards.setAccessibleName(self.tr("The guards and what each saw"))
        column.addWidget(self._guards, 1)
        column.addWidget(self.text)
        self._guards_rule = rule()
        column.addWidget(self._guards_rule)
        self._foot = QVBoxLayout()
        self._foot.setContentsMargins(_SIDE, Space.M, _SIDE, Space.M)
        self._foot.setSpacing(Space.M)
        self._foot.addWidget(self._tries)
        acts = WrapRow()
        acts.add(self._stop, self._open, self._show_text)
        self._foot.addWidget(acts)
        column.addLayout(self._foot)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)

    def _connect(self) -> None:
        self._close.clicked.connect(self.close_panel)
        self._copy.clicked.connect(self._on_copy)
        self._stop.clicked.connect(self._on_stop)
        self._open.clicked.connect(self._on_open)
        self._show_text.clicked.connect(self._on_show_text)
        self._presses.begun.connect(self._on_begun)
        self._presses.settled.connect(self._on_settled)
        self._desk.bridge.changed.connect(self._on_changed)


def _waits(message: MessageLine) -> bool:
    return message.accepted_at is None and message.cancel_reason is None
