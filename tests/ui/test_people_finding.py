"""Finding people in the list: search, filters, order, location."""

from __future__ import annotations

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.domain.states import Contact
from app.ui.components.roles import CellText, Role
from tests.ui.desks import LEFT, Front


def test_people_are_found_as_you_type_and_the_match_is_marked(front: Front, qtbot: QtBot) -> None:
    front.lead("Ana", last_name="Ruiz", search_text="ruiz ana")
    front.lead("Bob", last_name="Marsh", search_text="marsh bob")
    front.open()

    front.people.filters.search.setFocus()
    QTest.keyClicks(front.people.filters.search, "rui")

    front.wait_for_names("Ana")
    cell = front.people.model.index(0, 0).data(int(Role.CELL))
    assert isinstance(cell, CellText)
    assert cell.marked == (4, 3)
    chip = front.people.filters.chips.toggles()[1]
    qtbot.waitUntil(lambda: chip.accessibleName() == "Running, 1")  # counted after the rows are there


def test_a_search_that_finds_nobody_names_close_matches_and_offers_everyone(front: Front, qtbot: QtBot) -> None:
    front.lead("Dale", last_name="Hutchins", search_text="hutchins dale")
    front.open()

    front.people.filters.search.setText("hutchens")

    qtbot.waitUntil(lambda: front.people.place()[1] == 0)
    nobody = front.people.nobody
    qtbot.waitUntil(lambda: "Nobody called “hutchens” is running" in nobody.words())
    assert "Dale Hutchins" in nobody.words()
    front.press(nobody, "Search everyone")
    qtbot.waitUntil(lambda: "Nobody called “hutchens”" in nobody.words() and "running" not in nobody.words())


def test_an_empty_practice_says_so(front: Front, qtbot: QtBot) -> None:
    front.open()

    qtbot.waitUntil(lambda: "Nobody here yet" in front.people.nobody.words())


def test_filters_show_their_counts_and_choose(front: Front, qtbot: QtBot) -> None:
    front.lead("Ana")
    _, ended = front.lead("Bob")
    front.world.end(ended)
    front.lead("Cleo", contact=Contact.WITH_STAFF)
    front.world.person("Dora")
    front.open()

    chips = front.people.filters.chips
    qtbot.waitUntil(lambda: chips.toggles()[0].accessibleName() == "All, 4")
    told = [each.accessibleName() for each in chips.toggles()]
    assert told == ["All, 4", "Running, 2", "With staff, 1", "Held, 0", "Ended, 1"]
    QTest.mouseClick(chips.toggles()[4], LEFT)
    front.wait_for_names("Bob")
    QTest.mouseClick(chips.toggles()[2], LEFT)
    front.wait_for_names("Cleo")
    assert front.chip("Cleo") == "With staff"


def test_the_order_can_be_chosen(front: Front, qtbot: QtBot) -> None:
    front.lead("Zoe", search_text="zoe", in_hours=1)
    front.lead("Ana", search_text="ana", in_hours=2)
    front.open()
    assert [name.split()[0] for name in front.names()] == ["Zoe", "Ana"]

    by_name = next(each for each in front.people.filters.order_menu().actions() if each.text() == "By name")
    by_name.trigger()

    qtbot.waitUntil(lambda: [name.split()[0] for name in front.names()] == ["Ana", "Zoe"])


def test_the_location_on_the_rail_filters_the_list(front: Front, qtbot: QtBot) -> None:
    boise = front.world.location("Boise", "America/Boise")
    front.lead("Ana")
    front.lead("Bob", location_id=boise)
    front.open()
    front.wait_for_names("Ana", "Bob")

    front.window.rail.location_chosen.emit(str(boise))

    front.wait_for_names("Bob")
    assert front.told(0, 4)[0] == "today 12:00 PM MST"


def test_slash_puts_the_cursor_into_the_search_over_everyone(front: Front, qtbot: QtBot) -> None:
    front.lead("Ana")
    front.world.person("Dora")
    front.open()
    front.choose("Ana")

    front.key("/")

    front.wait_for_names("Ana", "Dora")
    assert QApplication.focusWidget() is front.people.filters.search
