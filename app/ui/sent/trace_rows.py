"""A trace drawn: the guards in order with what each saw, and the tries. Used by the trace panel and the timeline."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.domain.lines import WhyLines
from app.domain.states import MessageState
from app.ui.components.labels import ElidedLabel, IconLabel, label
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Space, Type
from app.ui.sent.trace_words import guard_rows, guards_title, tries_title, try_rows
from app.ui.words import Where

_GAP = 3


class GuardRows(QWidget):
    """Every guard that was asked, with a tick or a cross; “not asked yet” where none was."""

    def __init__(self, look: Look, why: WhyLines, where: Where) -> None:
        super().__init__()
        self._look = look
        column = _column(self)
        if not why.trace:
            waits = why.message.state in (MessageState.QUEUED, MessageState.LEASED)
            words = self.tr("No guard has been asked yet.") if waits else self.tr("No guard had to be asked.")
            column.addWidget(label(words, Type.SECOND, "text2"))
            return
        column.addLayout(_heads(look, guards_title(why), self.tr("what each one saw")))
        for fine, name, saw in guard_rows(why, where):
            column.addLayout(self._row(fine, name, saw))

    def _row(self, fine: bool, name: str, saw: str) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(Space.S)
        said = self.tr("said yes") if fine else self.tr("said no")
        row.addWidget(_sign(self._look, fine, said))
        row.addWidget(label(name, Type.SECOND))
        row.addStretch(1)
        row.addWidget(ElidedLabel(self._look, saw, Type.SECOND, "text2"))
        return row


class TryRows(QWidget):
    """Every try with its times, the provider's id, and what came in between."""

    def __init__(self, look: Look, why: WhyLines, where: Where) -> None:
        super().__init__()
        column = _column(self)
        column.addLayout(_heads(look, tries_title(why), why.message.provider_id or ""))
        for fine, words in try_rows(why, where):
            row = QHBoxLayout()
            row.setSpacing(Space.S)
            row.addWidget(_sign(look, fine, ""))
            row.addWidget(label(words, Type.SECOND, wraps=True), 1)
            column.addLayout(row)


def _column(widget: QWidget) -> QVBoxLayout:
    column = QVBoxLayout(widget)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(_GAP)
    return column


def _heads(look: Look, left: str, right: str) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(Space.M)
    row.addWidget(label(left, Type.LABEL))
    row.addStretch(1)
    row.addWidget(ElidedLabel(look, right, Type.SECOND, "text2"))
    return row


def _sign(look: Look, fine: bool, name: str) -> IconLabel:
    return IconLabel(look, Icon.CHECK if fine else Icon.X, 14, "ok" if fine else "stop", name=name)
