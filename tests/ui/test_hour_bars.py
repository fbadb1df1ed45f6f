"""The bars of the coming day: their figures in words, their tooltips, what is painted."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent, QImage
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from app.domain.lines import HourBar
from app.ui.look import Look
from app.ui.queue.hour_bars import HourBars

ZONE = "America/Los_Angeles"
FIRST = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)  # Monday, 10:00 in Portland


def hours(*counts: int, closed: range = range(7, 23)) -> list[HourBar]:
    """24 bars from ten o'clock on; those not given are 0."""
    told = (*counts, *[0] * (24 - len(counts)))
    return [HourBar(FIRST + timedelta(hours=at), count, at in closed) for at, count in enumerate(told)]


def made(look: Look, qtbot: QtBot, bars: list[HourBar], wide: int = 1092) -> HourBars:
    widget = HourBars(look)
    qtbot.addWidget(widget)
    widget.show_hours(bars, ZONE)
    widget.resize(wide, widget.sizeHint().height())
    widget.show()
    return widget


def columns_with(image: QImage, colour: str, y: int) -> list[int]:
    return [x for x in range(image.width()) if image.pixelColor(x, y).name() == colour.lower()]


def test_the_figures_are_told_in_words(look: Look, qtbot: QtBot) -> None:
    widget = made(look, qtbot, hours(6, 9, 1))

    assert widget.accessibleName() == "Next 24 hours"
    assert widget.accessibleDescription() == (
        "at most 16 messages; hours in PST. Striped: every location is closed. "
        "10 AM to 11 AM PST: 6 follow-ups come up; 11 AM to 12 PM PST: 9 follow-ups come up; "
        "12 PM to 1 PM PST: 1 follow-up comes up; every location is closed from 5 PM to 9 AM"
    )


def test_nothing_due_is_said_plainly(look: Look, qtbot: QtBot) -> None:
    widget = made(look, qtbot, hours(closed=range(0)))

    assert widget.accessibleDescription() == "nothing is due; hours in PST."


def test_the_highest_bar_is_painted_highest_and_empty_hours_have_none(look: Look, qtbot: QtBot) -> None:
    widget = made(look, qtbot, hours(2, 0, 8))
    image = widget.grab().toImage()
    fill = look.theme.accent_fill

    low, high = columns_with(image, fill, 92), columns_with(image, fill, 60)

    slot = (1092 - 40) / 24
    assert {int((x - 20) // slot) for x in low} == {0, 2}
    assert {int((x - 20) // slot) for x in high} == {2}


def test_a_bar_tells_its_figure_under_the_pointer(look: Look, qtbot: QtBot) -> None:
    widget = made(look, qtbot, hours(6))
    at = QPoint(40, 80)

    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, at, widget.mapToGlobal(at)))

    assert QToolTip.text() == "10 AM to 11 AM PST: 6 follow-ups come up"
    QToolTip.hideText()


def test_before_the_first_reading_it_keeps_its_place(look: Look, qtbot: QtBot) -> None:
    widget = made(look, qtbot, [])

    assert widget.accessibleDescription() == "Not read yet"
    assert widget.height() == widget.sizeHint().height() > 100
    widget.grab()


def test_a_larger_text_makes_it_higher(look: Look, qtbot: QtBot) -> None:
    widget = made(look, qtbot, hours(1))
    before = widget.sizeHint().height()

    look.set_text_percent(130)

    assert widget.sizeHint().height() > before
