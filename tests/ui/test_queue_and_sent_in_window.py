"""Queue and Sent in the whole window: the keys that lead there, the focus, the person's page and back, the bar."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.domain.ids import PersonId
from app.ui.rows_panel import RowsPanel
from tests.ui.desks import Front
from tests.ui.posts import chosen_name, click_row, click_stop, row_of

CTRL = Qt.KeyboardModifier.ControlModifier
NO_KEY = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def two(front: Front) -> list[PersonId]:
    """Ana was written to, Ben is due; the window is open on People."""
    ana, _ = front.stage.lead(first_name="Ana")
    front.stage.run()
    ben, _ = front.stage.lead(first_name="Ben")
    front.open()
    front.people.table.setFocus()
    return [ana, ben]


def go(front: Front, qtbot: QtBot, key: Qt.Key, section: str) -> RowsPanel[int, object, object]:
    """Ctrl and a digit: the section, once its rows are there."""
    front.key(key, CTRL)
    made = front.shell.section(section)
    assert made is not None
    panel = made.panel
    assert isinstance(panel, RowsPanel)
    qtbot.waitUntil(lambda: panel.model.rows() > 0)
    return panel


@pytest.mark.parametrize(("key", "section"), [(Qt.Key.Key_3, "queue"), (Qt.Key.Key_8, "sent")])
def test_a_section_comes_with_its_list_in_the_focus(
    front: Front, two: list[PersonId], qtbot: QtBot, key: Qt.Key, section: str
) -> None:
    panel = go(front, qtbot, key, section)

    assert QApplication.focusWidget() is panel.table
    assert front.window.shown_section == section


def test_enter_opens_the_person_and_esc_comes_back_to_the_row(front: Front, two: list[PersonId], qtbot: QtBot) -> None:
    panel = go(front, qtbot, Qt.Key.Key_3, "queue")
    click_row(panel.table, row_of(panel.table, "Ana"))

    front.key(Qt.Key.Key_Return)
    made = front.shell.section("queue")
    assert made is not None
    page = made.page
    assert page is not None
    qtbot.waitUntil(lambda: page.person_id == two[0] and page.acts.isEnabled())
    front.key(Qt.Key.Key_Escape)

    qtbot.waitUntil(panel.table.isVisible)
    assert QApplication.focusWidget() is panel.table
    assert chosen_name(panel.table) == "Ana"


def test_a_stop_in_the_queue_tells_its_facts_in_the_bar(front: Front, two: list[PersonId], qtbot: QtBot) -> None:
    panel = go(front, qtbot, Qt.Key.Key_3, "queue")

    click_stop(panel.table, row_of(panel.table, "Ana"))

    bar = front.wait_for_bar("Stopped: Ana")
    assert "Already accepted 1:" in bar.spoken


def test_f6_walks_from_the_list_to_its_trace_and_its_filters(front: Front, two: list[PersonId], qtbot: QtBot) -> None:
    panel = go(front, qtbot, Qt.Key.Key_8, "sent")
    qtbot.waitUntil(lambda: panel.trace.message_id is not None)

    front.key(Qt.Key.Key_F6)
    in_trace = QApplication.focusWidget()
    front.key(Qt.Key.Key_F6)
    in_filters = QApplication.focusWidget()

    assert in_trace is not None
    assert panel.trace.isAncestorOf(in_trace)
    assert in_filters is not None
    assert panel.filter_row.isAncestorOf(in_filters)


def test_after_a_change_of_section_what_matches_no_more_is_gone(
    front: Front, two: list[PersonId], qtbot: QtBot
) -> None:
    panel = go(front, qtbot, Qt.Key.Key_3, "queue")
    click_stop(panel.table, row_of(panel.table, "Ben"))
    front.wait_for_bar("Stopped: Ben")
    before = panel.model.rows()

    front.key(Qt.Key.Key_2, CTRL)
    front.key(Qt.Key.Key_3, CTRL)

    qtbot.waitUntil(lambda: panel.model.rows() < before)
    with pytest.raises(StopIteration):
        row_of(panel.table, "Ben")
