"""Calls on Today: whom to ring, what to say, and each outcome by mouse and by key."""

from __future__ import annotations

from datetime import timedelta

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.domain.call_outcome import CallOutcome
from app.domain.ids import EnrollmentId, PersonId
from app.store import tables as t
from app.ui.components.labels import plain_words
from app.ui.components.roles import CellRow
from app.ui.people.timeline_words import entry
from app.ui.today.call_cards import OutcomeRow
from app.ui.words import Where
from tests.engine.calls import EVERY, call_journey, calls, say, to_be_called
from tests.ui.days import Day

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def two(day: Day) -> dict[str, tuple[PersonId, EnrollmentId]]:
    """Lena and Max are to be called, Lena by an earlier hour; Today is open with Lena in hand."""
    stage = day.front.stage
    lena = to_be_called(stage, call_journey(stage, useless_after={"hours": 2}), first_name="Lena", phone="+12025550141")
    maxi = to_be_called(stage, first_name="Max", phone="+12025550142")
    day.open()
    day.wait_for_detail("How did it go?")
    return {"Lena": lena, "Max": maxi}


def outcome(day: Day, number: int) -> OutcomeRow:
    rows = [each for each in day.panel.detail.findChildren(OutcomeRow) if each.isVisible()]
    return rows[number - 1]


def test_the_group_shows_whom_to_call_by_when_the_first_on_top(day: Day, two: object) -> None:
    assert day.rows()[:3] == ["[Calls to make 2]", "Lena Nr1", "Max Nr2"]
    row = day.line("Lena")
    assert row.when.startswith("by ")
    assert row.second == "Call “ring-script”, try 1 of 2"
    assert isinstance(row, CellRow)
    assert row.button is not None
    assert row.button.name == "Stop all follow-up for Lena Nr1"


def test_beside_it_stand_number_words_and_what_each_outcome_does(day: Day, two: object) -> None:
    told = day.wait_for_detail("How did it go?")

    assert "(202) 555-0141" in told
    assert "“Hi Lena" in told
    assert "there · " in told
    assert "Reached. Ends Ring 0: replied" in told
    assert "Voicemail left. Goes on: Wait 1 day" in told
    assert "No answer. This was try 1 of 2. Again in 4 hours" in told
    assert "Wrong number. Never calls or texts this number again; ends: suppressed" in told
    assert "Disconnected number." in told
    assert "Asked not to be called. Opted out of calls and texts; ends: opted out" in told
    assert "Stop all follow-up for Lena Nr1" in told


def test_a_key_notes_the_outcome_and_the_next_call_is_in_hand(
    day: Day, two: dict[str, tuple[PersonId, EnrollmentId]], qtbot: QtBot
) -> None:
    day.front.key("3")

    day.wait_for_detail("(202) 555-0142")
    bar = day.front.wait_for_bar("Lena Nr1: no answer.")
    assert "Again " in bar.spoken
    stage = day.front.stage
    assert calls(stage, two["Lena"][1]) == [(1, "undelivered", "no_answer")]
    assert stage.world.row(t.enrollment, two["Lena"][1])["wake_at"] == stage.clock.now() + EVERY
    assert stage.world.rows(t.log_entry, event="call.ended")[0]["actor"] == "Dana"


@pytest.mark.parametrize("number", range(1, 7))
def test_each_outcome_has_its_button_and_its_key(
    day: Day, two: dict[str, tuple[PersonId, EnrollmentId]], number: int, qtbot: QtBot
) -> None:
    expected = list(CallOutcome)[number - 1]
    if number % 2:
        QTest.mouseClick(outcome(day, number), LEFT)
    else:
        outcome(day, number).setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(outcome(day, number), Qt.Key.Key_Return)
    day.front.wait_for_bar("Lena Nr1: ")
    assert [each[2] for each in calls(day.front.stage, two["Lena"][1])] == [expected.value]


def test_a_note_is_kept_with_the_person_and_digits_in_it_press_nothing(
    day: Day, two: dict[str, tuple[PersonId, EnrollmentId]], qtbot: QtBot
) -> None:
    field = next(each for each in day.panel.detail.findChildren(QLineEdit) if each.isVisible())
    field.setFocus()
    QTest.keyClicks(field, "call at 3")
    day.choose("Max")
    day.choose("Lena")
    again = next(each for each in day.panel.detail.findChildren(QLineEdit) if each.isVisible())
    assert again.text() == "call at 3", "a note half typed stays with its call"
    assert calls(day.front.stage, two["Lena"][1]) == [(1, "queued", "")]

    QTest.mouseClick(outcome(day, 2), LEFT)
    day.front.wait_for_bar("Lena Nr1: voicemail left.")
    notes = [row["note"] for row in day.front.world.rows(t.inbox_event)]
    assert notes == ["call at 3"]


def test_case_59_a_second_press_of_the_same_call_counts_for_nothing(
    day: Day, two: dict[str, tuple[PersonId, EnrollmentId]], qtbot: QtBot
) -> None:
    """Case 59."""
    first = outcome(day, 1)
    QTest.mouseClick(first, LEFT)
    first.click()
    day.front.wait_for_bar("Lena Nr1: reached.")
    day.choose("Lena")
    assert "Noted: reached." in day.detail()
    assert len(day.front.world.rows(t.log_entry, event="call.ended")) == 1


def test_i9_whoever_presses_second_is_told_what_the_first_has_noted(
    day: Day, two: dict[str, tuple[PersonId, EnrollmentId]], qtbot: QtBot
) -> None:
    say(day.front.stage, two["Lena"][1], CallOutcome.VOICEMAIL, by="Chris")

    day.front.key("1")

    bar = day.front.wait_for_bar("Lena Nr1: somebody was quicker.")
    assert "Chris noted “Voicemail left”" in bar.spoken
    assert day.front.stage.state(two["Lena"][1]) == "active"


def test_what_leaves_the_list_meanwhile_says_not_to_call_and_can_be_told_all_the_same(
    day: Day, two: dict[str, tuple[PersonId, EnrollmentId]], qtbot: QtBot
) -> None:
    day.front.stage.clock.go_on(timedelta(hours=3))
    day.panel.read_now()
    day.wait_for_detail("It has left the call list meanwhile")

    day.front.key("2")

    bar = day.front.wait_for_bar("Lena Nr1: voicemail left.")
    assert "It is kept as made" in bar.spoken


def test_stop_in_the_row_takes_it_off(day: Day, two: dict[str, tuple[PersonId, EnrollmentId]], qtbot: QtBot) -> None:
    day.click_button("Max")
    day.front.wait_for_bar("Stopped: Max Nr2")
    assert day.front.stage.messages(two["Max"][1]) == [("ring", "cancelled")]


def test_c_gives_the_number_to_what_makes_calls_here_and_without_one_it_is_copied(
    day: Day, two: object, qtbot: QtBot
) -> None:
    dialled: list[QUrl] = []

    def answers(url: QUrl) -> bool:
        dialled.append(url)
        return True

    day.panel.calls.open_url = answers
    day.front.key("c")
    assert [each.toString() for each in dialled] == ["tel:+12025550141"]

    day.panel.calls.open_url = lambda _url: False
    day.press("Call Lena Nr1")
    day.front.wait_for_bar("Nothing on this computer makes calls: the number is copied.")
    assert QGuiApplication.clipboard().text() == "+12025550141"


def test_a_person_s_history_tells_each_try_with_its_outcome_and_who_noted_it(
    day: Day, two: dict[str, tuple[PersonId, EnrollmentId]], qtbot: QtBot
) -> None:
    stage = day.front.stage
    say(stage, two["Lena"][1], CallOutcome.NO_ANSWER)
    with stage.store.open_reader() as reads:
        page = reads.person(two["Lena"][0], stage.clock.now())
    assert page is not None
    told = [entry(line, Where("America/Los_Angeles", stage.clock.now())) for line in page.timeline]
    words = [(plain_words(each.runs), each.second) for each in told]
    ended = next(second for first, second in words if first == "Call: no answer")
    assert ended.startswith("Try 1 of 2, again ")
    assert ended.endswith("By Dana")
    assert any(first == "Call “ring-script” · made" for first, _ in words)


def test_whoever_was_reached_stands_among_the_replies_as_that(
    day: Day, two: dict[str, tuple[PersonId, EnrollmentId]], qtbot: QtBot
) -> None:
    say(day.front.stage, two["Lena"][1], CallOutcome.REACHED)
    day.panel.ask()
    qtbot.waitUntil(lambda: day.rows()[0] == "[Replies 1]")
    assert day.line("Lena").second == "Reached by phone"
