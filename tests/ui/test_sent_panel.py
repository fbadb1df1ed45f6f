"""The section Sent on a real database: what went out or did not, Stop in each row, and why beside it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.domain.answer import Permanent
from app.domain.events import EventKind
from app.domain.ids import PersonId
from app.domain.lines import SentFilter
from app.domain.reasons import Why
from app.domain.states import EnrollmentState
from app.store import tables as t
from app.ui.components.buttons import StopLook
from app.ui.components.chips import ChipKind
from app.ui.components.roles import CellButtons, CellChip, RowButton
from app.ui.sent.panel import SentPanel
from tests.ui.posts import (
    LEFT,
    Post,
    button,
    chosen_name,
    click_row,
    click_stop,
    column,
    cut_in,
    focusable,
    row_of,
    texts,
    titles,
    words,
)

WHEN, PERSON, MESSAGE, OUTCOME, STOP = range(5)


def goes_out(post: Post, name: str) -> PersonId:
    """Someone's first message is accepted, a second after the one before."""
    person_id, _ = post.stage.lead(first_name=name)
    post.stage.run()
    post.stage.clock.go_on(timedelta(seconds=1))
    return person_id


@pytest.fixture
def three(post: Post) -> list[PersonId]:
    """Ana, then Ben, then Cleo were written to; all of them are in New lead still."""
    return [goes_out(post, name) for name in ("Ana", "Ben", "Cleo")]


def open_sent(post: Post, qtbot: QtBot, rows: int, size: tuple[int, int] = (1092, 720)) -> SentPanel:
    panel = SentPanel(post.look, post.desk, post.presses, post.memory, post.gate)
    post.show(qtbot, panel, rows, size)
    return panel


@pytest.fixture
def sent(post: Post, three: list[PersonId], qtbot: QtBot) -> SentPanel:
    return open_sent(post, qtbot, 3)


def stop_button(panel: SentPanel, name: str) -> RowButton:
    cell = panel.model.cell(row_of(panel.table, name), STOP)
    assert isinstance(cell, CellButtons)
    return cell.buttons[0]


def state(post: Post, person_id: PersonId) -> str:
    return str(post.stage.world.rows(t.enrollment, person_id=person_id)[0]["state"])


# what it shows --------------------------------------------------------------------------------------------------------


def test_the_newest_message_stands_first_with_its_second(sent: SentPanel) -> None:
    assert column(sent.table, PERSON) == ["Cleo", "Ben", "Ana"]
    assert words(sent.model.cell(0, WHEN)) == ("10:00:02 AM PST", "today")
    assert words(sent.model.cell(0, PERSON))[1] == "Portland"
    assert words(sent.model.cell(0, MESSAGE))[0] == "Email “hello”"
    assert words(sent.model.cell(0, OUTCOME)) == ("Accepted", "")


def test_the_first_row_is_chosen_and_its_trace_stands_beside(sent: SentPanel, qtbot: QtBot) -> None:
    assert chosen_name(sent.table) == "Cleo"
    qtbot.waitUntil(lambda: sent.trace.sentence.startswith("Cleo"))
    assert sent.trace.accessibleName() == "Why did this go out?"


def test_arrows_walk_the_list_and_the_trace_goes_along(sent: SentPanel, qtbot: QtBot) -> None:
    sent.table.setFocus()
    QTest.keyClick(sent.table, Qt.Key.Key_Down)
    QTest.keyClick(sent.table, Qt.Key.Key_J)

    assert chosen_name(sent.table) == "Ana"
    qtbot.waitUntil(lambda: sent.trace.sentence.startswith("Ana"))


def test_each_outcome_has_its_shape_and_why_it_became_so(post: Post, three: list[PersonId], qtbot: QtBot) -> None:
    dora, _ = post.stage.lead(first_name="Dora")
    post.stage.tick()
    post.stage.event(EventKind.STOPPED, dora)
    post.stage.provider.script = lambda _note: Permanent(Why.REFUSED, "21610")
    post.stage.lead(first_name="Egon")
    post.stage.run()

    panel = open_sent(post, qtbot, 5)

    told = {name: words(panel.model.cell(row_of(panel.table, name), OUTCOME)) for name in ("Ana", "Dora", "Egon")}
    assert told["Ana"] == ("Accepted", "")
    assert told["Dora"][0] == "Cancelled"
    assert told["Dora"][1] != ""
    assert told["Egon"] == ("Failed", "The provider refused it (21610)")
    cell = panel.model.cell(row_of(panel.table, "Egon"), OUTCOME)
    assert isinstance(cell, CellChip)
    assert cell.chip is not None
    assert cell.chip.kind is ChipKind.FAILED


def test_chips_count_what_was_not_sent_and_what_went_wrong(post: Post, three: list[PersonId], qtbot: QtBot) -> None:
    dora, _ = post.stage.lead(first_name="Dora")
    post.stage.tick()
    post.stage.event(EventKind.STOPPED, dora)
    panel = open_sent(post, qtbot, 4)
    assert [each.accessibleName() for each in panel.filters.chips.toggles()] == ["All", "Not sent, 1", "Problems, 0"]

    QTest.mouseClick(panel.filters.chips.toggles()[1], LEFT)

    qtbot.waitUntil(lambda: column(panel.table, PERSON) == ["Dora"])


def test_search_finds_people_and_messages_and_marks_them(sent: SentPanel, qtbot: QtBot) -> None:
    sent.table.setFocus()
    QTest.keyClick(sent.table, Qt.Key.Key_F)
    QTest.keyClicks(sent.filters.search, "ben")
    qtbot.waitUntil(lambda: column(sent.table, PERSON) == ["Ben"])
    cell = sent.model.cell(0, PERSON)
    assert getattr(cell, "marked", None) == (0, 3)

    sent.filters.search.setText("hello")

    qtbot.waitUntil(lambda: sent.model.rows() == 3)


# stop -----------------------------------------------------------------------------------------------------------------


def test_stop_by_mouse_in_a_row_ends_what_runs_for_the_person(
    sent: SentPanel, post: Post, three: list[PersonId], qtbot: QtBot
) -> None:
    assert stop_button(sent, "Ana").stop is StopLook.ROW

    click_stop(sent.table, row_of(sent.table, "Ana"))

    qtbot.waitUntil(lambda: stop_button(sent, "Ana").stop is StopLook.QUIET)
    assert not stop_button(sent, "Ana").pressed
    assert state(post, three[0]) == EnrollmentState.STOPPED
    assert post.told[0].title.startswith("Stopped: Ana")
    assert words(sent.model.cell(row_of(sent.table, "Ana"), OUTCOME))[0] == "Accepted"


def test_stop_by_key_acts_on_the_chosen_row(sent: SentPanel, post: Post, three: list[PersonId], qtbot: QtBot) -> None:
    click_row(sent.table, row_of(sent.table, "Ben"))

    QTest.keyClick(sent.table, Qt.Key.Key_S)

    qtbot.waitUntil(lambda: stop_button(sent, "Ben").stop is StopLook.QUIET)
    assert [state(post, each) for each in three] == ["active", "stopped", "active"]
    assert chosen_name(sent.table) == "Ben"


def test_a_message_that_was_waiting_shows_cancelled_in_its_row(post: Post, qtbot: QtBot) -> None:
    post.stage.lead(first_name="Ana")
    post.stage.tick()
    panel = open_sent(post, qtbot, 1)
    assert words(panel.model.cell(0, OUTCOME))[0] == "Waiting"

    click_stop(panel.table, 0)

    qtbot.waitUntil(lambda: words(panel.model.cell(0, OUTCOME))[0] == "Cancelled")
    qtbot.waitUntil(lambda: panel.trace.accessibleName() == "Why did this not go out?")


# the person, and the trace --------------------------------------------------------------------------------------------


def test_enter_and_a_double_click_open_the_person(sent: SentPanel, post: Post, three: list[PersonId]) -> None:
    click_row(sent.table, row_of(sent.table, "Ben"))
    QTest.keyClick(sent.table, Qt.Key.Key_Return)

    rect = sent.table.visualRect(sent.model.index(row_of(sent.table, "Ana"), PERSON))
    QTest.mouseDClick(sent.table.viewport(), LEFT, pos=rect.center())

    assert post.opened == [(three[1], ""), (three[0], "")]


def test_the_trace_opens_the_person_and_stops_them(
    sent: SentPanel, post: Post, three: list[PersonId], qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: sent.trace.sentence.startswith("Cleo"))

    QTest.mouseClick(button(sent.trace, "Open person"), LEFT)
    QTest.mouseClick(button(sent.trace, "Stop"), LEFT)

    assert post.opened == [(three[2], "")]
    qtbot.waitUntil(lambda: stop_button(sent, "Cleo").stop is StopLook.QUIET)
    qtbot.waitUntil(lambda: len(post.told) == 1)


def test_esc_closes_the_trace_w_opens_it_and_w_again_goes_into_it(sent: SentPanel) -> None:
    sent.table.setFocus()
    QTest.keyClick(sent.table, Qt.Key.Key_Escape)
    assert not sent.trace.isVisible()

    QTest.keyClick(sent.table, Qt.Key.Key_W)
    assert sent.trace.isVisible()
    assert sent.table.hasFocus()

    QTest.keyClick(sent.table, Qt.Key.Key_W)
    focused = QApplication.focusWidget()
    assert focused is not None
    assert sent.trace.isAncestorOf(focused)
    QTest.keyClick(focused, Qt.Key.Key_Escape)
    assert not sent.trace.isVisible()
    assert sent.table.hasFocus()


def test_a_closed_trace_stays_closed_at_the_next_start(sent: SentPanel, post: Post, qtbot: QtBot) -> None:
    sent.close_trace()

    again = open_sent(post, qtbot, 3)

    assert not again.trace.isVisible()


def test_in_a_narrow_window_one_thing_at_a_time(post: Post, three: list[PersonId], qtbot: QtBot) -> None:
    panel = open_sent(post, qtbot, 3, size=(900, 560))
    assert panel.table.isVisible()
    assert not panel.trace.isVisible()

    panel.table.setFocus()
    QTest.keyClick(panel.table, Qt.Key.Key_W)

    assert panel.trace.isVisible()
    assert not panel.table.isVisible()
    focused = QApplication.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, Qt.Key.Key_Escape)
    assert panel.table.isVisible()
    assert not panel.trace.isVisible()


# rows stand still -----------------------------------------------------------------------------------------------------


def test_a_new_message_is_told_of_and_does_not_push_the_rows(sent: SentPanel, post: Post, qtbot: QtBot) -> None:
    click_row(sent.table, row_of(sent.table, "Ben"))

    post.happens(lambda: goes_out(post, "Dora"))

    qtbot.waitUntil(sent.filters.news.isVisible)
    assert column(sent.table, PERSON) == ["Cleo", "Ben", "Ana"]
    QTest.keyClick(sent.table, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: column(sent.table, PERSON) == ["Dora", "Cleo", "Ben", "Ana"])
    assert chosen_name(sent.table) == "Ben"


def test_what_was_chosen_and_searched_for_is_there_at_the_next_start(sent: SentPanel, post: Post, qtbot: QtBot) -> None:
    click_row(sent.table, row_of(sent.table, "Ana"))
    sent.filters.search.setText("hello")
    QTest.mouseClick(sent.filters.chips.toggles()[0], LEFT)

    again = open_sent(post, qtbot, 3)

    assert chosen_name(again.table) == "Ana"
    assert (again.filters.query.search, again.filters.query.only) == ("hello", SentFilter.ALL)


# trouble, and nothing -------------------------------------------------------------------------------------------------


def test_when_reading_fails_the_old_rows_stay(sent: SentPanel, post: Post, qtbot: QtBot) -> None:
    post.line.cut = True

    sent.ask()

    qtbot.waitUntil(lambda: bool(post.faults))
    assert column(sent.table, PERSON) == ["Cleo", "Ben", "Ana"]


def test_before_anything_has_gone_out_the_first_is_told(post: Post, qtbot: QtBot) -> None:
    world = post.stage.world
    world.enrollment(world.person("Ana"), post.stage.journey, wake_at=world.now + timedelta(hours=2))

    panel = open_sent(post, qtbot, 0)

    assert titles(panel) == ["Nothing has gone out yet"]
    assert "The first is due 12:00 PM PST." in texts(panel)


def test_a_search_that_finds_nothing_leads_back_to_everything(sent: SentPanel, qtbot: QtBot) -> None:
    QTest.keyClicks(sent.filters.search, "zzz")
    qtbot.waitUntil(lambda: sent.model.rows() == 0)
    assert titles(sent) == ["No message for “zzz”"]

    QTest.mouseClick(button(sent, "Show every message"), LEFT)

    qtbot.waitUntil(lambda: sent.model.rows() == 3)
    assert sent.filters.search.text() == ""


def test_no_problems_is_good_news(sent: SentPanel, qtbot: QtBot) -> None:
    QTest.mouseClick(sent.filters.chips.toggles()[2], LEFT)

    qtbot.waitUntil(lambda: titles(sent) == ["No problems"])


def test_everything_that_takes_the_focus_has_a_name(sent: SentPanel, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: sent.trace.sentence.startswith("Cleo"))
    QTest.mouseClick(button(sent.trace, "Show text"), LEFT)

    assert [each for each in focusable(sent) if not each.accessibleName()] == []


@pytest.mark.parametrize("size", [(1400, 720), (904, 520)], ids=["beside", "one at a time"])
def test_nothing_is_cut_at_130_percent_text(
    post: Post, three: list[PersonId], qtbot: QtBot, size: tuple[int, int]
) -> None:
    post.look.set_text_percent(130)
    panel = open_sent(post, qtbot, 3, size)
    panel.open_trace()
    qtbot.waitUntil(lambda: panel.trace.sentence.startswith("Cleo"))

    assert cut_in(panel) == []
