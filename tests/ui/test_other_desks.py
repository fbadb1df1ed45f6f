"""What another process commits shows in this window by itself, within two seconds, and nothing is lost by it.

The other process is another Store on the same file: nothing of it is announced in this one.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from pytestqt.qtbot import QtBot

from app.service.engine_room import EngineSwitch
from app.service.stops import Stops
from app.store.session import Session
from app.store.unit_of_work import Store
from app.ui.bridge import GATHER_MS
from app.ui.list_feed import COMPARE_MS
from app.ui.pulse import PULSE_MS
from tests.ui.desks import Front, words


@pytest.fixture
def elsewhere(sqlite_database_url: str) -> Iterator[Store]:
    session = Session(sqlite_database_url)
    yield Store(session)
    session.dispose()


def test_what_another_desk_does_is_told_within_two_seconds() -> None:
    assert PULSE_MS + GATHER_MS + COMPARE_MS < 2000


def test_a_stop_at_another_desk_shows_in_the_row_and_the_chosen_row_stays(
    front: Front, elsewhere: Store, qtbot: QtBot
) -> None:
    ana, _ = front.lead("Ana")
    front.lead("Ben", in_hours=2)
    front.open()
    front.choose("Ben")

    Stops(elsewhere.open_uow, front.stage.clock).stop(ana, by="Chris")

    front.wait_for_chip("Ana", "Stopped")
    assert front.told(front.people.table.currentIndex().row(), 0)[0].startswith("Ben")
    assert [name.split()[0] for name in front.names()] == ["Ana", "Ben"], "rows stand where they stood"


def test_a_stop_at_another_desk_shows_on_the_page_that_is_open(front: Front, elsewhere: Store, qtbot: QtBot) -> None:
    ana, _ = front.lead("Ana")
    front.open()
    page = front.open_page(ana)

    Stops(elsewhere.open_uow, front.stage.clock).stop(ana, by="Chris")

    qtbot.waitUntil(lambda: "Chris pressed Stop" in words(page))


def test_people_who_were_added_elsewhere_are_told_as_news_and_the_scroll_place_stays(
    front: Front, elsewhere: Store, qtbot: QtBot
) -> None:
    for number in range(30):
        front.lead(f"Person{number:02}", in_hours=number + 1)
    front.open()
    front.choose("Person20")
    scrolled = front.people.table.verticalScrollBar().value()
    assert scrolled > 0

    front.lead("Zoe", in_hours=0.5)
    Stops(elsewhere.open_uow, front.stage.clock).hold(
        front.people.model.ids[0], until=front.stage.clock.now() + timedelta(days=1), by="Chris"
    )

    qtbot.waitUntil(lambda: front.people.filters.news.isVisible(), timeout=10_000)
    assert front.people.table.verticalScrollBar().value() == scrolled
    assert front.told(front.people.table.currentIndex().row(), 0)[0].startswith("Person20")


def test_a_pause_at_another_desk_turns_the_status_bar(front: Front, elsewhere: Store, qtbot: QtBot) -> None:
    front.lead()
    front.open()

    EngineSwitch(elsewhere.open_uow, front.stage.clock).pause(by="Chris")

    qtbot.waitUntil(lambda: front.window.status.paused)


def test_a_quiet_database_is_read_and_nothing_is_told(front: Front, qtbot: QtBot) -> None:
    front.lead()
    front.open()
    told: list[object] = []
    with qtbot.waitSignals([front.shell.pulse.beat] * 2):
        pass  # the first beat is told, gathered: it may have come after the first rows were read
    front.desk.bridge.changed.connect(told.append)

    with qtbot.waitSignals([front.shell.pulse.beat] * 2):
        pass

    assert told == []
