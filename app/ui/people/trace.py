"""Why a message went out, or did not, in place: under its entry in the timeline."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.domain.lines import WhyLines
from app.ui.components.labels import rich_label
from app.ui.look import Look
from app.ui.measures import Space, Type
from app.ui.sent.trace_rows import GuardRows, TryRows
from app.ui.sent.trace_words import trace_sentence
from app.ui.words import Where


class TraceView(QWidget):
    """The trace of one message. `sentence` False leaves out the sentence, where a head says it already."""

    def __init__(self, look: Look, why: WhyLines, where: Where, *, sentence: bool = True) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, Space.XS, 0, Space.S)
        column.setSpacing(Space.S)
        if sentence:
            column.addWidget(rich_label(trace_sentence(why, where), Type.SECOND))
        column.addWidget(GuardRows(look, why, where))
        column.addWidget(TryRows(look, why, where))
