"""The section Today on a real database: what stands in it, what is pressed in it, and that rows stand still."""

from __future__ import annotations

from datetime import timedelta

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.domain.reasons import Why
from app.domain.states import Channel, Contact
from app.engine.ports import ProblemNote
from app.store import tables as t
from app.ui.components.labels import ElidedLabel
from tests.ui.days import Day
from tests.ui.desks import Front

CTRL = Qt.KeyboardModifier.ControlModifier


# what stands there ----------------------------------------------------------------------------------------------------


def test_it_is_the_first_section_and_ctrl_1_leads_to_it(front: Front, qtbot: QtBot) -> None:
    front.lead()
    front.open()

    front.key(Qt.Key.Key_1, CTRL)

    assert front.window.shown_section == "today"
    panel = Day(front, qtbot).panel
    qtbot.waitUntil(lambda: panel.model.facts is not None)
    assert QApplication.focusWidget() is panel.list


def test_groups_stand_in_their_order_each_with_its_count(day: Day) -> None:
    day.reply("Rita", "Yes please")
    day.reply("Sam", "Call me")
    day.late("Lena")
    world = day.front.world
    ann = world.person("Ann")
    with world.store.open_uow() as uow:
        uow.log.problem([ProblemNote(world.now, Why.TROUBLE, ann, facts={"because": "no such step"})])
    day.front.lead("Nora", in_hours=1)
    day.open()

    day.wait_for_rows(
        "[Replies 2]",
        *(day.line(name).name for name in ("Sam", "Rita")),
        "[Overdue 1]",
        day.line("Lena").name,
        "[Problems 1]",
        day.line("Ann").name,
        "[Going out next 1]",
        day.line("Nora").name,
    )


def test_the_title_and_the_rail_say_how_many_things_need_somebody(day: Day, qtbot: QtBot) -> None:
    day.reply("Rita", "Yes please")
    day.late("Lena")
    panel = day.open()

    assert "2 things need you" in " ".join(each.accessibleName() for each in panel.head.findChildren(ElidedLabel))
    button = day.front.window.rail.section_button("today")
    qtbot.waitUntil(lambda: "2" in button.accessibleName())


def test_the_figure_on_the_rail_is_there_while_another_section_is_in_view(day: Day, qtbot: QtBot) -> None:
    day.front.lead("Ben")
    day.front.open()
    button = day.front.window.rail.section_button("today")

    day.reply("Rita", "Yes please")
    day.front.engine_passes()

    qtbot.waitUntil(lambda: "1" in button.accessibleName())
    assert day.front.window.shown_section == "people"


def test_nothing_to_do_is_said_with_what_goes_out_next(day: Day) -> None:
    day.front.lead("Nora", in_hours=1)
    panel = day.open()

    assert panel.nothing.isVisible()
    assert day.rows()[0] == "[Going out next 1]"


def test_before_there_is_anybody_it_says_so(day: Day) -> None:
    day.front.world.location("Bend")
    panel = day.open()

    assert not panel.nothing.isVisible()
    assert "Nobody here yet" in day.wait_for_detail("Nobody here yet")


def test_every_row_that_names_a_person_has_stop(day: Day) -> None:
    day.reply("Rita", "Yes please")
    day.late("Lena")
    day.front.lead("Nora", in_hours=1)
    day.open()

    for name in ("Rita", "Lena", "Nora"):
        button = day.line(name).button
        assert button is not None
        assert button.name.startswith(f"Stop all follow-up for {name}")


def test_a_chip_shows_one_group_alone(day: Day, qtbot: QtBot) -> None:
    day.reply("Rita", "Yes please")
    day.late("Lena")
    panel = day.open()

    toggle = next(each for each in panel.only.toggles() if each.text() == "Overdue")
    QTest.mouseClick(toggle, Qt.MouseButton.LeftButton)

    day.wait_for_rows("[Overdue 1]", day.line("Lena").name)


# replies --------------------------------------------------------------------------------------------------------------


def test_a_reply_is_told_with_what_it_stopped_and_what_was_said(day: Day) -> None:
    day.reply("Rita", "Yes please, on Tuesday")
    day.open()

    told = day.wait_for_detail("Yes please, on Tuesday")

    assert "stopped when Rita replied" in told
    assert "Nothing was waiting to go out." in told
    assert day.line("Rita").second == "Yes please, on Tuesday"


def test_d_marks_it_handled_and_the_next_row_is_chosen(day: Day, qtbot: QtBot) -> None:
    rita = day.reply("Rita", "Yes please")
    day.reply("Sam", "Call me")
    panel = day.open()
    day.choose("Sam")

    day.front.key("d")

    qtbot.waitUntil(lambda: day.front.world.row(t.person, sam_of(day))["contact"] == Contact.OPEN.value)
    assert panel.person() == rita
    day.front.wait_for_bar("Handled: Sam")
    assert day.rows()[1].startswith("Sam"), "the row stays where it was"
    qtbot.waitUntil(lambda: day.rows()[0] == "[Replies 1]")


def sam_of(day: Day) -> int:
    return int(day.front.world.rows(t.person, first_name="Sam")[0]["id"])


def test_mark_handled_works_by_mouse_too(day: Day, qtbot: QtBot) -> None:
    rita = day.reply("Rita", "Yes please")
    day.open()
    day.wait_for_detail("Yes please")

    day.press(f"Mark handled: {day.line('Rita').name}")

    qtbot.waitUntil(lambda: day.front.world.row(t.person, rita)["contact"] == Contact.OPEN.value)


def test_s_stops_and_the_choice_does_not_move(day: Day, qtbot: QtBot) -> None:
    ana, enrollment_id = day.front.lead("Ana", in_hours=1)
    panel = day.open()
    day.choose("Ana")

    day.front.key("s")

    qtbot.waitUntil(lambda: day.front.stage.state(enrollment_id) == "stopped")
    day.front.wait_for_bar("Stopped: Ana")
    assert panel.person() == ana


def test_a_press_on_the_stop_of_a_row_stops_its_person(day: Day, qtbot: QtBot) -> None:
    _, enrollment_id = day.late("Lena")
    day.reply("Rita", "Yes please")
    day.open()

    day.click_button("Lena")

    qtbot.waitUntil(lambda: day.front.stage.state(enrollment_id) == "stopped")
    day.front.wait_for_bar("Stopped: Lena")


def test_stop_at_the_foot_works_by_mouse(day: Day, qtbot: QtBot) -> None:
    _, enrollment_id = day.front.lead("Ana", in_hours=1)
    day.open()
    day.choose("Ana")

    day.press(f"Stop all follow-up for {day.line('Ana').name}")

    qtbot.waitUntil(lambda: day.front.stage.state(enrollment_id) == "stopped")


def test_enter_opens_the_person_and_esc_comes_back_to_the_row(day: Day, qtbot: QtBot) -> None:
    rita = day.reply("Rita", "Yes please")
    panel = day.open()
    day.choose("Rita")

    day.front.key(Qt.Key.Key_Return)
    section = day.front.shell.section("today")
    assert section is not None
    page = section.page
    assert page is not None
    qtbot.waitUntil(lambda: page.person_id == rita and page.acts.isEnabled())
    day.front.key(Qt.Key.Key_Escape)

    qtbot.waitUntil(panel.list.isVisible)
    assert QApplication.focusWidget() is panel.list
    assert panel.person() == rita


# rows stand still -----------------------------------------------------------------------------------------------------


def test_who_replies_while_somebody_works_in_the_list_is_told_as_news(day: Day, qtbot: QtBot) -> None:
    day.reply("Rita", "Yes please")
    panel = day.open()
    day.choose("Rita")
    before = day.rows()

    day.reply("Sam", "Me too")
    day.front.engine_passes()

    qtbot.waitUntil(panel.news.isVisible)
    assert day.rows() == before
    assert panel.news.accessibleName().startswith("1 new")
    day.front.key(Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: day.rows()[1].startswith("Sam"))
    assert panel.model.whom(panel.list.rows.current_row_id() or 0) is not None
    assert not panel.news.isVisible()


def test_the_chosen_row_stays_through_a_change_of_section(day: Day, qtbot: QtBot) -> None:
    day.reply("Rita", "Yes please")
    sam = day.reply("Sam", "Me too")
    panel = day.open()
    day.choose("Sam")

    day.front.key(Qt.Key.Key_2, CTRL)
    day.front.key(Qt.Key.Key_1, CTRL)

    assert panel.person() == sam


# problems -------------------------------------------------------------------------------------------------------------


def test_a_problem_says_what_happened_what_it_means_and_what_to_do(day: Day) -> None:
    world = day.front.world
    lena, enrollment_id = day.front.lead("Lena", in_hours=1)
    with world.store.open_uow() as uow:
        note = ProblemNote(world.now, Why.EMPTY_VALUE, lena, enrollment_id, facts={"name": "person.first_name"})
        uow.log.problem([note])
    day.open()
    day.choose("Lena")

    told = day.wait_for_detail("What to do")

    assert "first name is empty" in told
    assert "goes out by itself once that is put right" in told
    assert "Fill in First name for this person" in told


def test_d_marks_a_problem_as_looked_at(day: Day, qtbot: QtBot) -> None:
    world = day.front.world
    with world.store.open_uow() as uow:
        uow.log.problem([ProblemNote(world.now, Why.TROUBLE, facts={"because": "the disk is full"})])
    day.open()
    day.choose("The whole practice")

    day.front.key("d")

    qtbot.waitUntil(lambda: world.rows(t.problem)[0]["solved_by"] == "Dana")
    day.front.wait_for_bar("Looked at: The whole practice.")
    qtbot.waitUntil(lambda: day.line("The whole practice").second == "Looked at")


def test_done_works_by_mouse(day: Day, qtbot: QtBot) -> None:
    world = day.front.world
    with world.store.open_uow() as uow:
        uow.log.problem([ProblemNote(world.now, Why.TROUBLE, facts={"because": "the disk is full"})])
    day.open()
    day.wait_for_detail("The whole practice")

    day.press("Done, looked at: The whole practice")

    qtbot.waitUntil(lambda: world.rows(t.problem)[0]["solved_by"] == "Dana")


def test_mail_from_nobody_is_shown_word_for_word_and_what_it_means_for_stops(day: Day) -> None:
    world = day.front.world
    event_id = world.event(None, text="STOP please", channel=Channel.SMS, address="+19715550188")
    with world.store.open_uow() as uow:
        uow.log.problem([ProblemNote(world.now, Why.UNMATCHED, inbox_event_id=event_id)])
    day.open()
    day.choose("(971) 555-0188")

    told = day.wait_for_detail("STOP please")

    assert day.line("(971) 555-0188").second == "“STOP please” from a number we don’t know"
    assert day.line("(971) 555-0188").place == "no match"
    assert "No follow-up was stopped by it: nobody here has this address." in told
    assert "Say whose it is, or that it is nobody" in told


def test_a_clock_that_moved_is_resumed_from_its_row(day: Day, qtbot: QtBot) -> None:
    world = day.front.world
    with world.store.open_uow() as uow:
        uow.engine.pause(Why.CLOCK_MOVED, "", world.now)
        uow.log.problem([ProblemNote(world.now, Why.CLOCK_MOVED)])
    day.open()
    day.choose("The clock")

    day.press("Resume sending")

    qtbot.waitUntil(lambda: world.rows(t.engine_state)[0]["paused_why"] is None)


def test_a_narrow_window_shows_one_at_a_time_and_esc_goes_back(day: Day, qtbot: QtBot) -> None:
    day.reply("Rita", "Yes please")
    day.front.window.resize(960, 600)
    panel = day.open()
    assert not panel.detail.isVisible()

    day.front.key(Qt.Key.Key_Return)
    qtbot.waitUntil(panel.detail.isVisible)
    assert not panel.list.isVisible()
    day.front.key(Qt.Key.Key_Escape)

    qtbot.waitUntil(panel.list.isVisible)
    assert QApplication.focusWidget() is panel.list


def test_time_that_passes_is_told_without_a_row_moving(day: Day, qtbot: QtBot) -> None:
    day.reply("Rita", "Yes please")
    panel = day.open()
    before = day.rows()

    day.front.stage.clock.go_on(timedelta(days=1))
    panel._on_time()

    assert day.line("Rita").when == "Mon Mar 2"
    assert day.rows() == before
