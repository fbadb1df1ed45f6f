"""The pieces of what stands beside a row: paragraphs, a notice, lines with signs, and bubbles of what was said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.ui.components.labels import IconLabel, Run, label, rich_label
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Space, Type
from app.ui.people.card_stack import Card

_BUBBLE = 400  # px at 100 %: longer lines are hard to read


@dataclass(frozen=True, slots=True)
class Bubble:
    """Something said. note: who, how and when, over it. ours: at the right. title: an email's subject."""

    note: str
    words: str
    title: str = ""
    ours: bool = False


@dataclass(frozen=True, slots=True)
class Sign:
    """A line with a sign before it."""

    icon: Icon
    runs: tuple[Run, ...]
    ink: str = "text2"


def paragraph(title: str, words: str) -> QWidget:
    """A heading and what stands under it."""
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(2)
    column.addWidget(label(title, Type.TITLE))
    column.addWidget(label(words, wraps=True))
    return holder


def notice(look: Look, icon: Icon, lines: Sequence[tuple[Run, ...]]) -> QWidget:
    """What stopped and what is held, on the ground of notes."""
    frame = QFrame()
    frame.setProperty("bubble", "in")
    row = QHBoxLayout(frame)
    row.setContentsMargins(Space.L, Space.M, Space.L, Space.M)
    row.setSpacing(Space.M)
    row.addWidget(IconLabel(look, icon, 20, "info", ground="info_soft"), 0, Qt.AlignmentFlag.AlignTop)
    column = QVBoxLayout()
    column.setSpacing(2)
    for line in lines:
        column.addWidget(rich_label(line, Type.BODY))
    row.addLayout(column, 1)
    return frame


def signs_card(look: Look, title: str, signs: Sequence[Sign]) -> QWidget:
    """A card of lines, each with its sign."""
    card = Card(title)
    for sign in signs:
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(Space.CARD_H, 10, Space.CARD_H, 10)
        row.setSpacing(10)
        row.addWidget(IconLabel(look, sign.icon, 16, sign.ink), 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(rich_label(sign.runs, Type.BODY), 1)
        card.add_row(holder)
    return card


def bubble(look: Look, said: Bubble) -> QWidget:
    """What was said, in a bubble: theirs at the left, ours at the right. Plain text only."""
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(Space.XS)
    side = Qt.AlignmentFlag.AlignRight if said.ours else Qt.AlignmentFlag.AlignLeft
    over = label(said.note, Type.SECOND, "text2", wraps=True)
    over.setAlignment(side)
    column.addWidget(over)
    if not said.words and not said.title:
        return holder
    frame = QFrame()
    frame.setProperty("bubble", "out" if said.ours else "in")
    frame.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
    frame.setMaximumWidth(look.px(_BUBBLE))
    inside = QVBoxLayout(frame)
    inside.setContentsMargins(Space.M, Space.S, Space.M, Space.S)
    inside.setSpacing(2)
    if said.title:
        inside.addWidget(_inside(look, said.title, Type.TITLE))
    if said.words:
        inside.addWidget(_inside(look, said.words, Type.BODY))
    row = QHBoxLayout()
    row.setContentsMargins(0, 0, 0, 0)
    if said.ours:
        row.addStretch(1)
    row.addWidget(frame, 1000)
    if not said.ours:
        row.addStretch(1)
    column.addLayout(row)
    return holder


def between(words: str) -> QWidget:
    """What happened between two things said: small, in the middle."""
    made = label(words, Type.SECOND, "text2", wraps=True)
    made.setAlignment(Qt.AlignmentFlag.AlignHCenter)
    return made


def _inside(look: Look, words: str, type_: Type) -> QLabel:
    made = label(words, type_, wraps=True)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    longest = max((look.metrics(type_).horizontalAdvance(line) for line in words.splitlines()), default=0)
    made.setMinimumWidth(min(longest + 2, look.px(_BUBBLE) - 2 * Space.M - 2))
    return made
