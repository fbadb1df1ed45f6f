"""Overdue on Today: choosing several by key and mouse, and release, skip or re-time for all of them in one go."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from PySide6.QtCore import QDate, QDateTime, Qt, QTime
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.domain.ids import EnrollmentId
from app.store import tables as t
from app.ui.today.panel import TodayPanel
from tests.ui.days import Day

SHIFT = Qt.KeyboardModifier.ShiftModifier
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def three(day: Day) -> dict[str, EnrollmentId]:
    """Lena, Max and Nils are overdue, the oldest first; Today is open with Lena in hand."""
    ids = {name: day.late(name, days)[1] for name, days in (("Lena", 9), ("Max", 7), ("Nils", 5))}
    day.open()
    day.wait_for_detail("Lena")
    return ids


def chosen(panel: TodayPanel) -> list[str]:
    return [line.name.split()[0] for line in panel.model.chosen]


def hold(day: Day, enrollment_id: EnrollmentId) -> object:
    return day.front.world.row(t.enrollment, enrollment_id)["hold_why"]


def test_the_oldest_stands_first_and_each_says_since_when(day: Day, three: dict[str, EnrollmentId]) -> None:
    assert [row.split()[0] for row in day.rows()] == ["[Overdue", "Lena", "Max", "Nils"]
    assert day.line("Lena").when == "since Sat Feb 21"
    assert day.line("Lena").second.startswith("Email “hello”, New lead")
    assert day.line("Lena").checked is False


def test_one_says_what_happened_and_what_each_way_does(day: Day, three: dict[str, EnrollmentId]) -> None:
    told = day.wait_for_detail("should have gone out")

    assert "Email “hello” should have gone out Sat Feb 21, 10:00 AM PST, 9 days ago." in told
    assert "Nothing is dropped" in told
    assert "It goes out as soon as hours, limits and every guard let it." in told
    assert "This message is not sent. The follow-up goes on with its next step" in told
    assert "It comes up again at the time that you choose" in told


def test_x_shift_j_and_ctrl_a_choose(day: Day, three: dict[str, EnrollmentId]) -> None:
    panel = day.panel

    day.front.key("x")
    assert chosen(panel) == ["Lena"]
    day.front.key("x")
    assert chosen(panel) == []
    day.front.key("j", SHIFT)
    day.front.key("j", SHIFT)
    assert chosen(panel) == ["Lena", "Max"]
    assert day.line("Max").checked is True
    day.front.key(Qt.Key.Key_A, CTRL)
    assert chosen(panel) == ["Lena", "Max", "Nils"]
    day.wait_for_detail("3 overdue, chosen")
    day.front.key(Qt.Key.Key_A, CTRL)
    assert chosen(panel) == []


def test_check_boxes_choose_by_mouse(day: Day, three: dict[str, EnrollmentId]) -> None:
    day.click_check("Nils")
    day.click_check("Lena")

    assert chosen(day.panel) == ["Lena", "Nils"]
    told = day.wait_for_detail("2 overdue, chosen")
    names = [day.line(name).name for name in ("Lena", "Nils")]
    assert " and ".join(f"{name} (Email “hello”)" for name in names) in told


def test_release_frees_all_that_are_chosen_in_one_go(day: Day, three: dict[str, EnrollmentId], qtbot: QtBot) -> None:
    day.click_check("Lena")
    day.click_check("Max")

    day.press("Release 2 overdue follow-ups")

    bar = day.front.wait_for_bar("Released: 2 messages.")
    assert "Every guard is asked again" in bar.spoken
    assert [hold(day, three[name]) for name in ("Lena", "Max", "Nils")] == [None, None, "overdue"]
    qtbot.waitUntil(lambda: day.rows()[0] == "[Overdue 1]")
    assert [row.split()[0] for row in day.rows()][1:] == ["Lena", "Max", "Nils"], "rows stay where they stood"


def test_skip_by_keyboard_goes_on_with_the_next_step(day: Day, three: dict[str, EnrollmentId]) -> None:
    name = day.line("Lena").name

    day.press_by_key(f"Skip {name}")

    day.front.wait_for_bar("Skipped: 1 message.")
    assert day.front.world.row(t.enrollment, three["Lena"])["step"] == "pause"
    assert hold(day, three["Max"]) == "overdue"


def test_retime_to_the_next_opening_by_keyboard(day: Day, three: dict[str, EnrollmentId], qtbot: QtBot) -> None:
    panel = day.panel.late.retime_panel
    day.front.key(Qt.Key.Key_A, CTRL)
    day.press_by_key("Re-time… 3 overdue follow-ups")
    qtbot.waitUntil(panel.isVisible)

    day.front.key(Qt.Key.Key_Return)

    bar = day.front.wait_for_bar("Re-timed: 3 messages, to Tue Mar 3, 9:00 AM PST.")
    assert "Every guard is asked then." in bar.spoken
    for enrollment_id in three.values():
        wakes = day.front.world.row(t.enrollment, enrollment_id)["wake_at"]
        assert wakes == datetime(2026, 3, 3, 17, tzinfo=UTC)


def test_retime_to_a_date_and_time_is_on_each_one_s_own_clock(day: Day, qtbot: QtBot) -> None:
    boise = day.front.world.location("Boise", zone="America/Denver")
    _, here = day.late("Lena", 9)
    _, there = day.late("Max", 7, location_id=boise)
    day.open()
    day.front.key(Qt.Key.Key_A, CTRL)
    panel = day.panel.late.retime_panel
    day.press("Re-time… 2 overdue follow-ups")
    qtbot.waitUntil(panel.isVisible)

    day.front.key(Qt.Key.Key_3)
    assert panel.when.hasFocus()
    panel.when.setDateTime(QDateTime(QDate(2026, 3, 5), QTime(11, 15)))
    QTest.mouseClick(panel.go, Qt.MouseButton.LeftButton)

    day.front.wait_for_bar("Re-timed: 2 messages, to the time chosen, on each one’s own clock.")
    assert day.front.world.row(t.enrollment, here)["wake_at"] == datetime(2026, 3, 5, 19, 15, tzinfo=UTC)
    assert day.front.world.row(t.enrollment, there)["wake_at"] == datetime(2026, 3, 5, 18, 15, tzinfo=UTC)


def test_esc_closes_it_and_nothing_is_re_timed(day: Day, three: dict[str, EnrollmentId], qtbot: QtBot) -> None:
    panel = day.panel.late.retime_panel
    day.press(f"Re-time… {day.line('Lena').name}")
    qtbot.waitUntil(panel.isVisible)

    day.front.key(Qt.Key.Key_Escape)

    assert not panel.isVisible()
    assert hold(day, three["Lena"]) == "overdue"


def test_what_somebody_else_decided_meanwhile_is_counted_and_said(
    day: Day, three: dict[str, EnrollmentId], qtbot: QtBot
) -> None:
    day.front.key(Qt.Key.Key_A, CTRL)
    day.wait_for_detail("3 overdue, chosen")
    lines = list(day.panel.model.chosen)
    day.front.desk.acts.overdue.skip([three["Max"]], by="Chris")

    day.panel.acts.release(lines)

    bar = day.front.wait_for_bar("Released: 2 messages.")
    assert "1 was not overdue any more, and was left as it is." in bar.spoken


def test_a_reply_is_not_chosen_beside_others(day: Day) -> None:
    day.reply("Rita", "Yes please")
    day.late("Lena")
    day.open()
    day.choose("Rita")

    day.front.key("x")

    assert chosen(day.panel) == []
