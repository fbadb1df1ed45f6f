"""Every component once, on one sheet to look at."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.ui.components.bars import Bar
from app.ui.components.buttons import (
    Button,
    ButtonFace,
    ButtonKind,
    StopButton,
    StopLook,
    plain_button,
    primary_button,
)
from app.ui.components.checks import CheckBox, RadioButton, Switch
from app.ui.components.chips import Chip, ChipKind, ChipLabel
from app.ui.components.fields import LabelledField, Select
from app.ui.components.flow import FlowLayout
from app.ui.components.labels import KeyCap, label
from app.ui.components.segments import Segment, Segmented
from app.ui.components.state_words import hold_chip, state_chip
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Type
from tools.screen_samples import ERROR_BAR, NOTE_BAR, STOP_BAR


def sheet(look: Look) -> QWidget:
    """Every component once."""
    page = QFrame()
    page.setProperty("ground", "surface")
    column = QVBoxLayout(page)
    column.setContentsMargins(28, 18, 28, 18)
    column.setSpacing(14)
    columns = QHBoxLayout()
    columns.setSpacing(36)
    for side in (_left(look), _right(look)):
        columns.addLayout(side, 1)
    column.addLayout(columns)
    column.addWidget(label("Bars: across the top of the content, never floating", Type.TITLE))
    for facts in (STOP_BAR, ERROR_BAR, NOTE_BAR):
        column.addWidget(Bar(look, facts))
    column.addStretch(1)
    return page


def _left(look: Look) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setSpacing(8)
    live = (
        state_chip(ChipKind.ACTIVE),
        hold_chip("Opens Tue 9:00 AM PST"),
        state_chip(ChipKind.PAUSED, "Paused by Dana"),
        state_chip(ChipKind.WITH_STAFF),
    )
    _chips(look, column, "Live states: outline", live)
    holds = (
        hold_chip("Opens Tue 9:00 AM PST"),
        hold_chip("Legal hours from 8:00 AM MST"),
        hold_chip("Texts paused", Icon.KEY),
        hold_chip("First name is empty", Icon.ALERT),
    )
    _chips(look, column, "Holds: dashed, with until when and why", holds)
    off = plain_button(look, "Publish", Icon.CHECK)
    off.set_off("Two steps lead back to each other.")
    checked = Button(look, ButtonFace("Chosen", Icon.CHECK))
    checked.setCheckable(True)
    checked.setChecked(True)
    _row(
        column,
        "Buttons: one filled a panel",
        primary_button(look, "Mark handled", Icon.CHECK, key="D"),
        plain_button(look, "Booked", Icon.STATE_CONVERTED, key="B"),
        Button(look, ButtonFace("Open", Icon.ENTER, ButtonKind.GHOST)),
        Button(look, ButtonFace("Why this?", None, ButtonKind.LINK)),
        off,
        checked,
    )
    wrong = LabelledField(look, "Number", QLineEdit("12"))
    wrong.set_error("A number has 10 digits.")
    usual = LabelledField(look, "Name", QLineEdit(), "As on the invoice.")
    choice = Select(look, name="How")
    choice.addItems(["By phone", "In person"])
    _row(column, "Fields", wrong, usual, LabelledField(look, "How did they ask?", choice))
    on, off_box = CheckBox(look, "Texts"), CheckBox(look, "Emails")
    on.setChecked(True)
    radio = RadioButton(look, "Portland")
    radio.setChecked(True)
    switch, switched = Switch(look, name="Tray"), Switch(look, name="Letters")
    switched.setChecked(True)
    two = Segmented(look, (Segment("1", "One"), Segment("2", "Two")), "1", name="Which")
    _row(column, "Choices", on, off_box, radio, RadioButton(look, "Bend"), switch, switched, KeyCap(look, "S"), two)
    column.addStretch(1)
    return column


def _right(look: Look) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setSpacing(8)
    ends = (
        ChipKind.REPLIED,
        ChipKind.CONVERTED,
        ChipKind.OPTED_OUT,
        ChipKind.EXHAUSTED,
        ChipKind.SUPPRESSED,
        ChipKind.STOPPED,
        ChipKind.CLOSED,
    )
    _chips(look, column, "Ends: filled, each its own shape", [state_chip(kind) for kind in ends])
    messages = (
        ChipKind.QUEUED,
        ChipKind.SENDING,
        ChipKind.ACCEPTED,
        ChipKind.DELIVERED,
        ChipKind.UNDELIVERED,
        ChipKind.FAILED,
        ChipKind.CANCELLED,
        ChipKind.RECONCILE,
    )
    _chips(look, column, "Messages: shape and word, no box", [state_chip(kind) for kind in messages])
    others = (Chip(ChipKind.TAG, "web form"), Chip(ChipKind.YES, "Yes, since Jan 8"), Chip(ChipKind.NO, "No"))
    _chips(look, column, "Tags and consent", others)
    stops = [StopButton(look, "Maria Delgado", stop) for stop in (StopLook.CHOSEN, StopLook.ROW, StopLook.QUIET)]
    big = StopButton(look, "Maria Delgado", StopLook.BIG, key="S")
    _row(column, "Stop: on the person page; chosen row; row; nothing running", big, *stops)
    column.addStretch(1)
    return column


def _chips(look: Look, column: QVBoxLayout, title: str, chips: Sequence[Chip]) -> None:
    _row(column, title, *(ChipLabel(look, chip) for chip in chips))


def _row(column: QVBoxLayout, title: str, *widgets: QWidget) -> None:
    column.addWidget(label(title, Type.TITLE))
    holder = QWidget()
    flow = FlowLayout(8, holder)
    for widget in widgets:
        flow.addWidget(widget)
    column.addWidget(holder)
    column.addSpacing(6)
