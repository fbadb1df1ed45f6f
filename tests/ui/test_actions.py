"""The one table of actions: keys that don't clash, letters that rest after a stop."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.ui.actions import ACTIONS, DEAF_MS, ActingGate, ActionId, Place, action_spec, key_action
from app.ui.components.buttons import plain_button
from app.ui.look import Look
from app.ui.screen_check import why_no_window


def test_every_action_stands_in_the_table_once() -> None:
    assert Counter(spec.id for spec in ACTIONS) == Counter(ActionId)


def test_no_two_actions_that_work_at_once_share_a_key() -> None:
    together = (Place.PERSON, Place.LIST, Place.ANYWHERE)
    for places in (together, (Place.CHART, Place.ANYWHERE)):
        keys = Counter(key.lower() for spec in ACTIONS if spec.place in places for key in spec.keys)
        assert [key for key, times in keys.items() if times > 1] == []


def test_an_action_that_asks_for_more_ends_in_dots() -> None:
    asking = {spec.id for spec in ACTIONS if spec.words.endswith("…")}
    assert asking == {
        ActionId.HOLD,
        ActionId.OPT_OUT,
        ActionId.START_AGAIN,
        ActionId.CALL_LATER,
        ActionId.SAVE_EVIDENCE,
    }


def test_what_the_keys_sheet_says_is_what_the_keys_do() -> None:
    for spec in ACTIONS:
        for words, keys in spec.sheet:
            assert words
            assert keys
    stop = action_spec(ActionId.STOP)
    assert (stop.key, stop.acting, stop.deafens) == ("S", True, True)


def test_after_a_stop_the_acting_letters_rest_and_moving_does_not() -> None:
    now = [1_000]
    gate = ActingGate(lambda: now[0])
    stop, booked, hold, following = (
        action_spec(which) for which in (ActionId.STOP, ActionId.BOOKED, ActionId.HOLD, ActionId.NEXT)
    )
    assert gate.lets_through(hold)
    assert gate.lets_through(stop)
    assert not gate.lets_through(stop)
    assert not gate.lets_through(booked)
    assert not gate.lets_through(hold)
    assert gate.lets_through(following)
    now[0] += DEAF_MS
    assert gate.lets_through(booked)


def test_a_name_typed_into_the_wrong_place_stops_at_most_one_person(look: Look, qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    stopped: list[str] = []
    gate = ActingGate(lambda: 0)
    key_action(look, ActionId.STOP, page, lambda: stopped.append("S"), gate)
    key_action(look, ActionId.BOOKED, page, lambda: stopped.append("B"), gate)
    QVBoxLayout(page)
    with qtbot.waitActive(page):
        page.show()
    page.setFocus()
    QTest.keyClicks(page, "bob smith")
    assert stopped == ["B"]


def test_letters_typed_into_a_field_are_text(look: Look, qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    pressed: list[str] = []
    key_action(look, ActionId.STOP, page, lambda: pressed.append("S"))
    key_action(look, ActionId.FIND, page, lambda: pressed.append("/"))
    column = QVBoxLayout(page)
    field, button = QLineEdit(), plain_button(look, "Open")
    column.addWidget(field)
    column.addWidget(button)
    with qtbot.waitActive(page):
        page.show()
    field.setFocus()
    QTest.keyClicks(field, "s/s")
    assert (field.text(), pressed) == ("s/s", [])
    QTest.keyClick(field, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    button.setFocus()
    QTest.keyClicks(button, "s")
    assert pressed == ["/", "S"]


def test_only_moving_repeats_while_a_key_is_held(look: Look, qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    repeats = {which for which in ActionId if key_action(look, which, page, list).autoRepeat()}
    assert repeats == {ActionId.NEXT, ActionId.PREVIOUS, ActionId.CHOOSE_DOWN, ActionId.CHOOSE_UP}


def test_a_missing_screen_is_told_before_qt_is_asked() -> None:
    assert why_no_window("linux", {}) is not None
    assert why_no_window("linux", {"DISPLAY": ""}) is not None
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        assert why_no_window("linux", {name: "x"}) is None
    assert why_no_window("darwin", {}) is None
    assert why_no_window("win32", {}) is None
