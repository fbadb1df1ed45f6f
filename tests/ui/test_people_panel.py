"""The list of people, worked by mouse and by keys on a real SQLite file."""

from __future__ import annotations

from datetime import timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.domain.ids import EnrollmentId
from app.domain.lines import PeopleFilter
from app.domain.states import Channel, EnrollmentState, MessageState
from app.store import tables as t
from tests.ui.desks import LEFT, ME, Front

CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


def state_of(front: Front, enrollment_id: EnrollmentId) -> str:
    return str(front.world.row(t.enrollment, enrollment_id)["state"])


# Stop -----------------------------------------------------------------------------------------------------------------


def test_stop_in_a_row_acts_at_once_and_the_bar_tells_the_four_facts(front: Front, qtbot: QtBot) -> None:
    _, enrollment_id = front.lead("Ana")
    front.lead("Bob", in_hours=2)
    message_id = front.world.message(enrollment_id)
    front.open()

    front.click_stop("Ana")

    bar = front.wait_for_bar("Stopped: Ana")
    assert "10:00:00 AM PST" in bar.title
    assert "Cancelled 1: email “hello”, due 10:00 AM PST." in bar.spoken
    assert "Nothing had gone out. Nothing else will go out." in bar.spoken
    front.wait_for_chip("Ana", "Stopped")
    assert state_of(front, enrollment_id) == "stopped"
    assert front.world.row(t.message, message_id)["state"] == "cancelled"
    front.stage.run_for(timedelta(days=1))
    assert front.stage.provider.messages()  # Bob's went out
    assert message_id not in front.stage.provider.messages()


def test_s_stops_the_chosen_row_and_the_choice_does_not_move(front: Front, qtbot: QtBot) -> None:
    front.lead("Ana")
    _, second = front.lead("Bob", in_hours=2)
    front.open()
    front.choose("Bob")

    front.key("s")

    front.wait_for_chip("Bob", "Stopped")
    assert state_of(front, second) == "stopped"
    assert front.people.table.currentIndex().row() == front.row("Bob")
    assert front.told(front.row("Bob"), 3)[1] == f"{ME} pressed Stop"


def test_the_real_stop_of_the_chosen_row_is_reached_by_tab_and_pressed_by_space(front: Front, qtbot: QtBot) -> None:
    _, enrollment_id = front.lead("Ana")
    front.open()
    front.choose("Ana")

    front.key(Qt.Key.Key_Tab)
    focused = QApplication.focusWidget()
    assert focused is not None
    assert focused.accessibleName().startswith("Stop all follow-up for Ana")
    front.key(Qt.Key.Key_Space)

    front.wait_for_chip("Ana", "Stopped")
    assert state_of(front, enrollment_id) == "stopped"


def test_a_stop_looks_pressed_until_it_is_committed(front: Front, qtbot: QtBot) -> None:
    front.lead("Ana")
    front.open()

    with front.store.open_uow():  # another writer: the press waits its turn
        front.click_stop("Ana")
        assert front.told(front.row("Ana"), 5)[1] == "pressed"
        assert front.chip("Ana") == "Active"

    front.wait_for_chip("Ana", "Stopped")
    qtbot.waitUntil(lambda: front.told(front.row("Ana"), 5)[1] == "")


def test_the_letters_rest_for_a_moment_after_a_stop(front: Front, qtbot: QtBot) -> None:
    front.lead("Ana")
    _, second = front.lead("Bob", in_hours=2)
    front.open()
    front.choose("Ana")

    front.key("s")
    front.key("j")
    front.key("s")  # somebody types a name into the wrong place

    front.wait_for_chip("Ana", "Stopped")
    assert front.people.table.currentIndex().row() == front.row("Bob")
    assert state_of(front, second) == "active"


def test_the_menu_of_a_row_holds_every_action_with_its_key(front: Front, qtbot: QtBot) -> None:
    _, enrollment_id = front.lead()
    front.open()
    front.choose("Ana")

    actions = front.people.row_menu().actions()

    assert [each.text() for each in actions] == [
        *("Open", "Stop", "Booked", "Mark handled", "Hold…", "Opt out…", "Start again…"),
    ]
    assert [each.shortcut().toString() for each in actions] == ["", "S", "B", "D", "H", "O", "A"]
    actions[1].trigger()
    front.wait_for_chip("Ana", "Stopped")
    assert state_of(front, enrollment_id) == "stopped"


def test_stop_on_someone_with_nothing_running_changes_nothing_and_says_so(front: Front, qtbot: QtBot) -> None:
    front.world.person("Cleo")
    front.lead("Ana")
    front.open()
    front.people.filters.set_filter(PeopleFilter.ALL)
    front.wait_for_names("Ana", "Cleo")

    front.click_stop("Cleo")

    bar = front.wait_for_bar("Nothing was running for Cleo")
    assert "Opt out…" in bar.spoken


def test_a_stop_that_failed_is_told_and_can_be_tried_again(front: Front, qtbot: QtBot) -> None:
    cleo = front.world.person("Cleo")
    front.lead("Ana")
    front.open()
    front.people.filters.set_filter(PeopleFilter.ALL)
    front.wait_for_names("Ana", "Cleo")
    with front.store.session.write() as connection:
        connection.execute(t.group_look.delete())
        connection.execute(t.person.delete().where(t.person.c.id == cleo))

    front.click_stop("Cleo")

    bar = front.wait_for_bar("was not stopped")
    assert not bar.passes
    front.press(front.window.bars, "Try again")
    front.wait_for_bar("was not stopped")


def test_a_message_on_its_way_is_told_as_a_fact_once_it_is_known(front: Front, qtbot: QtBot) -> None:
    _, enrollment_id = front.lead("Ana")
    message_id = front.world.message(enrollment_id)
    front.world.sending(message_id)
    front.open()

    front.click_stop("Ana")
    bar = front.wait_for_bar("On its way: email “hello”.")
    assert "shows here in a moment" in bar.spoken

    at = front.stage.clock.now() - timedelta(seconds=2)
    front.world.move_message(message_id, MessageState.ACCEPTED, accepted_at=at)
    front.engine_passes()
    bar = front.wait_for_bar("The provider had it 2 seconds before the stop.")
    assert "in a moment" not in bar.spoken


def test_a_row_that_stops_matching_stays_until_the_list_is_read_again(front: Front, qtbot: QtBot) -> None:
    front.lead("Ana")
    front.lead("Bob", in_hours=2)
    front.open()
    front.choose("Ana")

    front.key("s")
    front.wait_for_chip("Ana", "Stopped")
    assert [name.split()[0] for name in front.names()] == ["Ana", "Bob"]

    front.key(Qt.Key.Key_F5)
    front.wait_for_names("Bob")


def test_the_bar_of_a_stop_does_not_hide_the_row_it_is_about(front: Front, qtbot: QtBot) -> None:
    for number in range(40):
        front.lead(f"P{number:02}", in_hours=1 + number)
    front.open()
    table = front.people.table
    lowest = table.rowAt(table.viewport().height() - 60)
    table.selectRow(lowest)
    table.setFocus()

    front.key("s")
    front.wait_for_bar("Stopped:")

    qtbot.waitUntil(lambda: front.window.bars.height() > 40)
    rect = table.visualRect(table.currentIndex())
    assert table.currentIndex().row() == lowest
    assert table.viewport().rect().contains(rect.center())
    assert rect.bottom() < table.viewport().height()


# opening --------------------------------------------------------------------------------------------------------------


def test_enter_opens_the_page_and_escape_comes_back_to_the_row(front: Front, qtbot: QtBot) -> None:
    front.lead("Ana")
    bob, _ = front.lead("Bob", in_hours=2)
    front.open()
    front.choose("Ana")
    front.key("j")

    front.key(Qt.Key.Key_Return)
    page = front.page_of(bob)
    assert page.name.startswith("Bob")
    assert front.window.windowTitle().startswith("Bob")
    front.key(Qt.Key.Key_Escape)

    qtbot.waitUntil(lambda: front.section.currentWidget() is front.people)
    assert QApplication.focusWidget() is front.people.table
    assert front.people.table.currentIndex().row() == front.row("Bob")
    assert front.window.windowTitle().startswith("People")


def test_the_bar_of_a_stop_opens_the_page_and_its_start_again(front: Front, qtbot: QtBot) -> None:
    ana, _ = front.lead("Ana")
    front.open()
    front.click_stop("Ana")
    front.wait_for_bar("Stopped: Ana")

    front.press(front.window.bars, "Start again…")

    page = front.page_of(ana)
    qtbot.waitUntil(page.start_again_panel.isVisible)


# the engine works meanwhile -------------------------------------------------------------------------------------------


def test_rows_follow_the_engine_and_the_choice_stays(front: Front, qtbot: QtBot) -> None:
    _, due = front.lead("Ana", in_hours=0)
    front.lead("Bob", in_hours=2)
    front.lead("Cleo", in_hours=3)
    front.open()
    front.choose("Bob")
    assert front.told(front.row("Ana"), 3)[1] == "Email “hello”, step 1 of 3"

    front.engine_passes()

    qtbot.waitUntil(lambda: front.told(front.row("Ana"), 3)[1] == "Wait 2 days, step 2 of 3")
    assert state_of(front, due) == EnrollmentState.ACTIVE.value
    assert front.people.table.currentIndex().row() == front.row("Bob")
    assert [name.split()[0] for name in front.names()] == ["Ana", "Bob", "Cleo"]  # nobody jumps
    assert [taken.channel for taken in front.stage.provider.taken] == [Channel.EMAIL]


def test_who_comes_new_gathers_at_the_head_until_it_is_asked_for(front: Front, qtbot: QtBot) -> None:
    front.lead("Ana")
    front.open()
    front.lead("Bob", in_hours=2)

    front.engine_passes()

    qtbot.waitUntil(lambda: front.people.filters.news.isVisible(), timeout=10_000)
    assert front.people.filters.news.face.words == "1 new"
    assert [name.split()[0] for name in front.names()] == ["Ana"]
    QTest.mouseClick(front.people.filters.news, LEFT)
    front.wait_for_names("Ana", "Bob")
    qtbot.waitUntil(lambda: not front.people.filters.news.isVisible())


@pytest.mark.expects_warning("window.unexpected")
def test_a_failed_read_keeps_the_old_rows_and_can_be_tried_again(front: Front, qtbot: QtBot) -> None:
    front.lead("Ana")
    front.open()
    with front.store.session.write() as connection:
        connection.exec_driver_sql("ALTER TABLE enrollment RENAME TO gone")

    front.people.ask()
    front.wait_for_bar("The list could not be read.")
    assert [name.split()[0] for name in front.names()] == ["Ana"]

    with front.store.session.write() as connection:
        connection.exec_driver_sql("ALTER TABLE gone RENAME TO enrollment")
    front.press(front.window.bars, "Try again")
    qtbot.waitUntil(lambda: front.bar is None)


# Pause all sending ----------------------------------------------------------------------------------------------------


def test_pause_all_sending_and_resume_by_mouse(front: Front, qtbot: QtBot) -> None:
    front.lead("Ana", in_hours=0)
    front.lead("Bob", in_hours=2)
    front.open()
    front.press(front.window.status, "Pause all sending")

    qtbot.waitUntil(lambda: front.window.status.paused)
    qtbot.waitUntil(lambda: front.told(front.row("Bob"), 4)[1] == "when sending resumes")
    front.engine_passes()
    assert front.stage.provider.taken == []

    front.press(front.window.status, "Resume sending")
    qtbot.waitUntil(lambda: not front.window.status.paused)
    front.engine_passes()
    assert len(front.stage.provider.taken) == 1
    lines = front.world.rows(t.log_entry)
    assert [line["actor"] for line in lines if line["event"].startswith("engine.")] == [ME, ME]


def test_pause_all_sending_by_its_key(front: Front, qtbot: QtBot) -> None:
    front.lead("Ana")
    front.open()
    front.choose("Ana")

    front.key(Qt.Key.Key_P, CTRL_SHIFT)
    qtbot.waitUntil(lambda: front.window.status.paused)
    front.key(Qt.Key.Key_P, CTRL_SHIFT)
    qtbot.waitUntil(lambda: not front.window.status.paused)


# what is remembered, and what can be reached --------------------------------------------------------------------------


def test_search_filter_and_the_chosen_row_survive_a_change_of_section(front: Front, qtbot: QtBot) -> None:
    front.lead("Ana")
    front.lead("Bob", in_hours=2)
    front.open()
    front.choose("Bob")

    front.window.show_section("queue")
    front.window.show_section("people")

    qtbot.waitUntil(lambda: front.people.table.currentIndex().row() == front.row("Bob"))


def test_every_control_that_takes_the_focus_has_a_name(front: Front, qtbot: QtBot) -> None:
    ana, _ = front.lead("Ana")
    front.open()
    page = front.open_page(ana)
    for panel in ("hold", "opt_out"):
        page.acts.want(panel)
    qtbot.waitUntil(page.opt_out_panel.isVisible)

    takers = [each for each in front.window.findChildren(QWidget) if each.focusPolicy() != Qt.FocusPolicy.NoFocus]
    nameless = [
        each
        for each in takers
        if not each.accessibleName() and not each.objectName().startswith("qt_") and each.isVisible()
    ]
    assert takers
    assert nameless == []
