"""Match… on Today: whose is what came in from an address that nobody has; or nobody's."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.domain.events import EventKind
from app.domain.ids import EnrollmentId
from app.domain.reasons import Why
from app.domain.states import Channel
from app.engine.ports import ProblemNote
from app.store import tables as t
from tests.ui.days import Day

SENDER = "(971) 555-0188"


@pytest.fixture
def unknown(day: Day) -> EnrollmentId:
    """A text came from a number that nobody has; Ana, in New lead, is who wrote it. Today is open on it."""
    _, enrollment_id = day.front.lead("Ana", in_hours=1)
    world = day.front.world
    event_id = world.event(None, EventKind.REPLIED, text="It is me", channel=Channel.SMS, address="+19715550188")
    with world.store.session.write() as connection:
        connection.execute(t.inbox_event.update().values(state="unmatched"))
    with world.store.open_uow() as uow:
        uow.log.problem([ProblemNote(world.now, Why.UNMATCHED, inbox_event_id=event_id)])
    day.open()
    day.choose(SENDER)
    return enrollment_id


def test_the_row_s_button_opens_the_search_and_enter_applies_it_to_who_was_found(
    day: Day, unknown: EnrollmentId, qtbot: QtBot
) -> None:
    panel = day.panel.matching.match_panel
    day.click_button(SENDER)
    qtbot.waitUntil(panel.isVisible)
    assert panel.search.hasFocus()

    QTest.keyClicks(panel.search, "ana")
    qtbot.waitUntil(lambda: panel.chosen() is not None)
    QTest.keyClick(panel.search, Qt.Key.Key_Return)

    bar = day.front.wait_for_bar("Matched: it is from Ana")
    assert "It ended New lead" in bar.spoken
    assert day.front.stage.state(unknown) == "replied"


def test_match_beside_the_list_and_a_mouse_do_the_same(day: Day, unknown: EnrollmentId, qtbot: QtBot) -> None:
    panel = day.panel.matching.match_panel
    day.press(f"Match… {SENDER}")
    qtbot.waitUntil(panel.isVisible)
    assert not panel.go.isEnabled()

    QTest.keyClicks(panel.search, "ana")
    qtbot.waitUntil(panel.go.isEnabled)
    QTest.mouseClick(panel.go, Qt.MouseButton.LeftButton)

    day.front.wait_for_bar("Matched: it is from Ana")
    assert day.front.stage.state(unknown) == "replied"


def test_d_says_that_it_is_nobody_s(day: Day, unknown: EnrollmentId, qtbot: QtBot) -> None:
    day.panel.list.setFocus()

    day.front.key("d")

    day.front.wait_for_bar(f"Set aside: what came from {SENDER}")
    assert day.front.stage.state(unknown) == "active"
    assert [row["solved_by"] for row in day.front.world.rows(t.problem)] == ["Dana"]


def test_nobody_found_says_so(day: Day, unknown: EnrollmentId, qtbot: QtBot) -> None:
    panel = day.panel.matching.match_panel
    day.press(f"Match… {SENDER}")
    qtbot.waitUntil(panel.isVisible)

    QTest.keyClicks(panel.search, "zzz")

    day.wait_for_detail("Nobody is found.")
    assert panel.chosen() is None
