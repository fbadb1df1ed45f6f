"""The queue's rows stand still while the practice goes on; trouble, nothing, and a large text are told."""

from __future__ import annotations

from datetime import timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.ui.queue.panel import QueuePanel
from tests.builders import NOW
from tests.ui.posts import (
    LEFT,
    Post,
    button,
    chosen_name,
    click_row,
    column,
    cut_in,
    focusable,
    row_of,
    titles,
    words,
)
from tests.ui.queues import DUE, HOUR, LOCATION, PERSON, enroll, held, open_queue

# rows stand still -----------------------------------------------------------------------------------------------------


def test_somebody_new_is_told_of_and_comes_when_asked_for(queue: QueuePanel, post: Post, qtbot: QtBot) -> None:
    click_row(queue.table, row_of(queue.table, "Ben"))
    before = column(queue.table, PERSON)

    post.happens(lambda: enroll(post, "Dora", NOW + HOUR))

    qtbot.waitUntil(queue.filters.news.isVisible)
    assert queue.filters.news.face.words == "1 new"
    assert column(queue.table, PERSON) == before
    QTest.mouseClick(queue.filters.news, LEFT)
    qtbot.waitUntil(lambda: "[Later today 2]" in column(queue.table, PERSON))
    assert chosen_name(queue.table) == "Ben"
    assert not queue.filters.news.isVisible()


def test_a_reply_shows_in_its_row_at_once(queue: QueuePanel, post: Post, qtbot: QtBot) -> None:
    row = row_of(queue.table, "Ben")
    click_row(queue.table, row)
    whom = queue.acts.chosen_whom()
    assert whom is not None

    post.happens(lambda: post.stage.reply(whom.id))

    qtbot.waitUntil(lambda: held(queue, "Ben") == "Replied")
    assert row_of(queue.table, "Ben") == row


def test_what_has_moved_is_told_of_and_f5_reads_it_again(queue: QueuePanel, post: Post, qtbot: QtBot) -> None:
    click_row(queue.table, row_of(queue.table, "Ben"))

    post.happens(post.stage.run)

    qtbot.waitUntil(lambda: queue.filters.news.isVisible() and queue.filters.news.face.words == "Order changed")
    assert "[Due now 1]" in column(queue.table, PERSON)
    QTest.keyClick(queue.table, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: "[Due now 1]" not in column(queue.table, PERSON))
    assert chosen_name(queue.table) == "Ben"


def test_a_click_into_a_list_that_is_scrolled_chooses_the_row_under_the_pointer(post: Post, qtbot: QtBot) -> None:
    for at in range(40):
        enroll(post, f"P{at:03}", NOW - timedelta(minutes=at))
    panel = open_queue(post, qtbot, rows=41)
    panel.table.verticalScrollBar().setValue(800)
    row = panel.table.rowAt(200)

    click_row(panel.table, row)

    assert panel.table.currentIndex().row() == row
    assert panel.table.verticalScrollBar().value() == 800


def test_a_long_list_keeps_its_place_when_it_is_read_again(post: Post, qtbot: QtBot) -> None:
    for at in range(260):  # more than a page of lines
        enroll(post, f"P{at:03}", NOW + timedelta(minutes=at))
    panel = open_queue(post, qtbot, rows=262)
    panel.table.verticalScrollBar().setValue(panel.table.verticalScrollBar().maximum() // 2)
    row = panel.table.rowAt(200)
    click_row(panel.table, row)
    name, top = chosen_name(panel.table), panel.table.rowViewportPosition(row)
    post.happens(lambda: enroll(post, "First", NOW - HOUR))
    post.happens(lambda: enroll(post, "Second", NOW - HOUR))

    panel.ask()

    qtbot.waitUntil(lambda: panel.model.rows() == 264)
    assert chosen_name(panel.table) == name
    assert panel.table.rowViewportPosition(panel.table.currentIndex().row()) == top
    last = panel.model.rows() - 1
    panel.table.scrollToBottom()
    qtbot.waitUntil(lambda: words(panel.model.cell(last, PERSON))[0].startswith("P259"))


def test_a_head_folds_its_rows_away_and_shows_them_again(queue: QueuePanel, qtbot: QtBot) -> None:
    click_row(queue.table, 2)
    assert column(queue.table, PERSON) == [
        "[Due now 1]",
        "Ana",
        "[Later today 1]",
        "[Wednesday, March 4 1]",
        "Cleo",
    ]
    assert queue.table.rowHeight(3) < queue.table.rowHeight(4), "heads are lower than rows"

    click_row(queue.table, 2)

    assert queue.model.rows() == 6


# trouble, and nothing -------------------------------------------------------------------------------------------------


def test_when_reading_fails_the_old_rows_stay_and_the_next_reading_is_well(
    queue: QueuePanel, post: Post, qtbot: QtBot
) -> None:
    post.line.cut = True
    queue.ask()
    qtbot.waitUntil(lambda: len(post.faults) == 1)
    assert post.faults[0].told == "The database does not answer."
    assert queue.model.rows() == 6

    post.line.cut = False
    post.well.clear()
    queue.ask()

    qtbot.waitUntil(lambda: bool(post.well))


def test_all_sending_paused_shows_in_every_row_that_nothing_else_holds(queue: QueuePanel) -> None:
    queue.set_paused(True)

    assert [held(queue, name) for name in ("Ana", "Ben", "Cleo")] == ["All sending is paused"] * 3
    assert words(queue.model.cell(row_of(queue.table, "Ben"), DUE)) == ("12:00 PM PST", "when sending resumes")


def test_nobody_waits(post: Post, qtbot: QtBot) -> None:
    panel = open_queue(post, qtbot, rows=0)

    assert titles(panel) == ["Nobody is waiting"]


def test_under_a_filter_that_finds_nobody_one_press_shows_everything(queue: QueuePanel, qtbot: QtBot) -> None:
    QTest.mouseClick(queue.filters.chips.toggles()[4], LEFT)
    qtbot.waitUntil(lambda: queue.model.rows() == 0)
    assert titles(queue) == ["Nobody waits for an answer"]

    QTest.mouseClick(button(queue, "Show everything"), LEFT)

    qtbot.waitUntil(lambda: queue.model.rows() == 6)
    assert queue.filters.chips.chosen_key == "everything"


def test_everything_that_takes_the_focus_has_a_name(queue: QueuePanel, qtbot: QtBot) -> None:
    click_row(queue.table, row_of(queue.table, "Ana"))
    QTest.keyClick(queue.table, Qt.Key.Key_W)

    nameless = [each for each in focusable(queue) if not each.accessibleName()]

    assert nameless == []


@pytest.mark.parametrize("size", [(1092, 720), (904, 520)], ids=["usual", "smallest"])
def test_nothing_is_cut_at_130_percent_text(post: Post, qtbot: QtBot, size: tuple[int, int]) -> None:
    post.look.set_text_percent(130)
    enroll(post, "Ana", NOW)
    panel = QueuePanel(post.look, post.desk, post.presses, post.memory, post.gate)

    post.show(qtbot, panel, 2, size)

    assert cut_in(panel) == []


def test_in_a_narrow_list_the_location_gives_its_room_to_the_others(queue: QueuePanel) -> None:
    wide = queue.table.columnWidth(LOCATION)

    queue.resize(760, 600)

    assert wide > 0
    assert queue.table.columnWidth(LOCATION) == 0
    assert sum(queue.table.columnWidth(at) for at in range(6)) == queue.table.viewport().width()
