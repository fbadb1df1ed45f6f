"""The section Queue on a real database: rows under heads, Stop in each, filters, the person, and why."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.domain.states import Channel, EnrollmentState
from app.store import tables as t
from app.ui.queue.panel import QueuePanel
from tests.builders import NOW, journey_document
from tests.ui.posts import (
    LEFT,
    Post,
    chosen_name,
    click_row,
    click_stop,
    column,
    row_of,
    words,
)
from tests.ui.queues import DUE, HELD, LOCATION, PERSON, STEP, STOP, enroll, held, open_queue, state

# what it shows --------------------------------------------------------------------------------------------------------


def test_rows_stand_under_heads_by_when_they_are_due(queue: QueuePanel) -> None:
    assert column(queue.table, PERSON) == [
        "[Due now 1]",
        "Ana",
        "[Later today 1]",
        "Ben",
        "[Wednesday, March 4 1]",
        "Cleo",
    ]


def test_a_row_says_when_who_what_where_and_what_holds_it(queue: QueuePanel) -> None:
    row = row_of(queue.table, "Ben")
    told = [words(queue.model.cell(row, at)) for at in range(STOP)]

    assert told[DUE] == ("12:00 PM PST", "in 2 hours")
    assert told[PERSON][0].startswith("Ben")
    assert told[PERSON][1].endswith("@example.com"), "the address that its step goes to"
    assert told[STEP][0] == "Email “hello”"
    assert told[STEP][1].endswith(" v1")
    assert told[LOCATION] == ("Portland", "")
    assert told[HELD] == ("not held", "")


def test_the_title_and_the_chips_count(queue: QueuePanel) -> None:
    chips = [(each.text(), each.accessibleName()) for each in queue.filters.chips.toggles()]

    assert [name for _, name in chips] == [
        "Everything, 3",
        "Due now, 1",
        "Held, 0",
        "Waiting for a time, 2",
        "With staff, 0",
    ]


def test_the_bars_tell_the_coming_day_in_words(queue: QueuePanel) -> None:
    told = queue.bars.accessibleDescription()

    assert told.startswith("at most 2 messages; hours in PST. Striped: every location is closed.")
    assert "10 AM to 11 AM PST: 1 follow-up comes up" in told
    assert "12 PM to 1 PM PST: 1 follow-up comes up" in told
    assert "every location is closed from 5 PM to 9 AM" in told


def test_a_chip_shows_only_its_rows_and_the_bars_stay_as_they_are(queue: QueuePanel, qtbot: QtBot) -> None:
    before = queue.bars.accessibleDescription()

    QTest.mouseClick(queue.filters.chips.toggles()[1], LEFT)

    qtbot.waitUntil(lambda: queue.model.rows() == 2)
    assert column(queue.table, PERSON)[0] == "[Due now 1]"
    assert queue.bars.accessibleDescription() == before


def test_chips_are_chosen_by_keyboard_after_f(queue: QueuePanel, qtbot: QtBot) -> None:
    queue.table.setFocus()
    QTest.keyClick(queue.table, Qt.Key.Key_F)
    focused = queue.focusWidget()
    assert focused is queue.filters.chips.toggles()[0]

    QTest.keyClick(focused, Qt.Key.Key_Right)
    QTest.keyClick(queue.focusWidget(), Qt.Key.Key_Space)

    qtbot.waitUntil(lambda: queue.model.rows() == 2)


def test_only_one_journey_and_only_one_channel(post: Post, qtbot: QtBot) -> None:
    care = post.stage.world.journey("Care", journey_document("Care", purpose="care"))
    enroll(post, "Ana", NOW)
    post.stage.world.enrollment(post.stage.world.person("Ben"), care, wake_at=NOW)
    post.stage.world.enrollment(post.stage.world.person("Cleo"), care, step="nudge", wake_at=NOW)
    panel = open_queue(post, qtbot, rows=4)

    choose(panel, "Care")
    qtbot.waitUntil(lambda: panel.model.rows() == 3)
    choose(panel, "Texts")
    qtbot.waitUntil(lambda: panel.model.rows() == 2)

    assert chosen_by(panel) == ["Cleo"]
    assert panel.filters.query.channel is Channel.SMS


def choose(panel: QueuePanel, words_: str) -> None:
    """Choose an item of the drop-down that has it, by keyboard."""
    for box in (panel.filters.journeys, panel.filters.channels):
        at = box.findText(words_)
        if at >= 0:
            for _ in range(at):
                QTest.keyClick(box, Qt.Key.Key_Down)
            return
    raise AssertionError(f"no item {words_}")


def chosen_by(panel: QueuePanel) -> list[str]:
    return [told for told in column(panel.table, PERSON) if not told.startswith("[")]


# stop -----------------------------------------------------------------------------------------------------------------


def test_stop_by_mouse_ends_the_follow_up_and_the_row_stays_stopped(
    queue: QueuePanel, post: Post, qtbot: QtBot
) -> None:
    row = row_of(queue.table, "Ben")

    click_stop(queue.table, row)

    qtbot.waitUntil(lambda: held(queue, "Ben") == "Stopped")
    assert state(post, "Ben") == EnrollmentState.STOPPED
    assert row_of(queue.table, "Ben") == row
    assert words(queue.model.cell(row, DUE)) == ("nothing more", "just now")
    assert post.told[0].title.startswith("Stopped: Ben")
    assert state(post, "Ana") == EnrollmentState.ACTIVE


def test_stop_by_key_stops_the_chosen_one_and_moves_nothing(queue: QueuePanel, post: Post, qtbot: QtBot) -> None:
    row = row_of(queue.table, "Cleo")
    click_row(queue.table, row)

    QTest.keyClick(queue.table, Qt.Key.Key_S)

    qtbot.waitUntil(lambda: held(queue, "Cleo") == "Stopped")
    assert queue.table.currentIndex().row() == row
    assert (state(post, "Cleo"), state(post, "Ben")) == (EnrollmentState.STOPPED, EnrollmentState.ACTIVE)


def test_stop_by_the_real_button_of_the_chosen_row_with_the_space_bar(queue: QueuePanel, qtbot: QtBot) -> None:
    click_row(queue.table, row_of(queue.table, "Ana"))
    stop = queue.table.rows.real_buttons()[-1]
    assert stop.accessibleName().startswith("Stop all follow-up for Ana")

    stop.setFocus()
    QTest.keyClick(stop, Qt.Key.Key_Space)

    qtbot.waitUntil(lambda: held(queue, "Ana") == "Stopped")


def test_every_follow_up_of_the_person_shows_stopped(post: Post, qtbot: QtBot) -> None:
    world = post.stage.world
    ana = world.person("Ana")
    for name in ("Care", "Closeout"):
        world.enrollment(ana, world.journey(name, journey_document(name, purpose="care")), wake_at=NOW)
    panel = open_queue(post, qtbot, rows=3)

    click_stop(panel.table, 1)

    def both_stopped() -> bool:
        return [words(panel.model.cell(row, HELD))[0] for row in (1, 2)] == ["Stopped", "Stopped"]

    qtbot.waitUntil(both_stopped)


def test_stop_on_a_row_that_has_ended_says_that_nothing_was_running(
    queue: QueuePanel, post: Post, qtbot: QtBot
) -> None:
    row = row_of(queue.table, "Ana")
    click_stop(queue.table, row)
    qtbot.waitUntil(lambda: held(queue, "Ana") == "Stopped")

    click_stop(queue.table, row)

    qtbot.waitUntil(lambda: len(post.told) == 2)
    assert post.told[1].title.startswith("Nothing was running for Ana")


# the person, and why --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "panel"),
    [(Qt.Key.Key_Return, ""), (Qt.Key.Key_H, "hold"), (Qt.Key.Key_O, "opt_out"), (Qt.Key.Key_A, "start_again")],
)
def test_keys_open_the_person(queue: QueuePanel, post: Post, qtbot: QtBot, key: Qt.Key, panel: str) -> None:
    click_row(queue.table, row_of(queue.table, "Ben"))

    QTest.keyClick(queue.table, key)

    (person_id, opened) = post.opened[0]
    assert post.stage.world.row(t.person, person_id)["first_name"] == "Ben"
    assert opened == panel


def test_the_row_menu_holds_every_action(queue: QueuePanel, post: Post, qtbot: QtBot) -> None:
    click_row(queue.table, row_of(queue.table, "Ben"))
    menu = queue.acts.menu()
    qtbot.addWidget(menu)

    assert [action.text() for action in menu.actions()] == [
        "Open",
        "Why?",
        "Stop",
        "Booked",
        "Mark handled",
        "Hold…",
        "Opt out…",
        "Start again…",
    ]
    menu.actions()[2].trigger()
    qtbot.waitUntil(lambda: held(queue, "Ben") == "Stopped")


def test_w_tells_why_nothing_goes_out_yet_and_esc_closes_it(queue: QueuePanel, qtbot: QtBot) -> None:
    click_row(queue.table, row_of(queue.table, "Ben"))
    assert not queue.trace.isVisible()

    QTest.keyClick(queue.table, Qt.Key.Key_W)

    assert queue.trace.isVisible()
    assert queue.trace.accessibleName() == "Why does nothing go out yet?"
    assert "The message is made at 12:00 PM PST: every guard is asked then." in queue.trace.sentence
    QTest.keyClick(queue.table, Qt.Key.Key_Escape)
    assert not queue.trace.isVisible()
    assert queue.table.hasFocus()


def test_w_shows_the_trace_of_a_message_that_waits(post: Post, qtbot: QtBot) -> None:
    enroll(post, "Ana", NOW)
    post.stage.tick()
    panel = open_queue(post, qtbot, rows=2)
    click_row(panel.table, 1)

    QTest.keyClick(panel.table, Qt.Key.Key_W)

    qtbot.waitUntil(lambda: panel.trace.message_id is not None and "Email “hello” waits" in panel.trace.sentence)


def test_what_stands_beside_follows_the_chosen_row(queue: QueuePanel, qtbot: QtBot) -> None:
    click_row(queue.table, row_of(queue.table, "Ana"))
    QTest.keyClick(queue.table, Qt.Key.Key_W)
    assert queue.trace.sentence.startswith("Ana")

    QTest.keyClick(queue.table, Qt.Key.Key_J)

    assert chosen_name(queue.table) == "Ben", "heads are passed over"
    assert queue.trace.sentence.startswith("Ben")
