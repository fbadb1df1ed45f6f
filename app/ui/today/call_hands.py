"""What is done to a call of Today: dialled, its number copied, its outcome noted; by mouse and by key."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication

from app.domain.call_lines import CallLine
from app.domain.call_outcome import CallOutcome
from app.domain.ids import MessageId
from app.ui.actions import ActingGate, ActionId, key_action
from app.ui.look import Look
from app.ui.today.things import Call

if TYPE_CHECKING:
    from app.ui.today.panel import TodayPanel


class CallHands(QObject):
    """Works the group Calls of a section. open_url: gives a number to whatever makes calls here; False: nothing does.

    A press counts once: while it is written, and after it, that call has its outcome.
    """

    def __init__(self, look: Look, panel: TodayPanel, gate: ActingGate) -> None:
        super().__init__(panel)
        self._panel = panel
        self._notes: dict[MessageId, str] = {}
        self._writing: dict[MessageId, CallOutcome] = {}
        self._noted: dict[MessageId, CallOutcome] = {}
        self.open_url: Callable[[QUrl], bool] = QDesktopServices.openUrl
        outcomes = [
            key_action(look, ActionId(f"outcome_{number}"), panel, partial(self._with_call, outcome), gate)
            for number, outcome in enumerate(CallOutcome, start=1)
        ]
        self.actions = (*outcomes, key_action(look, ActionId.CALL, panel, self._dial_chosen, gate))

    def dial(self, line: CallLine) -> None:
        """Give the number to the program that makes calls; where there is none, it is copied."""
        if not self.open_url(QUrl(f"tel:{line.phone}")):
            self.copy(line)
            self._panel.acts.say_no_phone(line)

    def copy(self, line: CallLine) -> None:
        """The number, to be put in elsewhere."""
        QGuiApplication.clipboard().setText(line.phone)

    def note_of(self, message_id: MessageId) -> str:
        """What was typed about a call so far."""
        return self._notes.get(message_id, "")

    def keep_note(self, message_id: MessageId, words: str) -> None:
        """What is typed stays with its call, whatever else is looked at meanwhile."""
        self._notes[message_id] = words

    def noted(self, message_id: MessageId) -> CallOutcome | None:
        """The outcome that was noted here, or is being written."""
        return self._noted.get(message_id) or self._writing.get(message_id)

    def note_outcome(self, line: CallLine, outcome: CallOutcome) -> None:
        """Say how it went; then the next row."""
        if self.noted(line.message_id) is not None:
            return
        self._writing[line.message_id] = outcome
        done = partial(self._on_written, line.message_id, outcome)
        self._panel.acts.call(line, outcome, self.note_of(line.message_id).strip(), done)
        if not self._panel.step(1):
            self._panel.teller.tell()

    def _on_written(self, message_id: MessageId, outcome: CallOutcome, written: bool) -> None:
        self._writing.pop(message_id, None)
        if written:
            self._noted[message_id] = outcome
            self._notes.pop(message_id, None)
        self._panel.teller.tell()

    def _with_call(self, outcome: CallOutcome) -> None:
        thing = self._panel.thing()
        if isinstance(thing, Call):
            self.note_outcome(thing.line, outcome)

    def _dial_chosen(self) -> None:
        thing = self._panel.thing()
        if isinstance(thing, Call) and self.noted(thing.line.message_id) is None:
            self.dial(thing.line)
