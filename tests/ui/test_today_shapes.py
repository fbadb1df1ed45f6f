"""Today in a usual and in the smallest window, at 130 % text: nothing is cut, nothing that takes focus is nameless."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.domain.reasons import Why
from app.domain.states import Channel
from app.engine.ports import ProblemNote
from tests.ui.days import Day
from tests.ui.posts import cut_in
from tests.ui.test_nothing_cut import spoken_name

SIZES = pytest.mark.parametrize("size", [(1280, 800), (960, 600)], ids=["usual", "smallest"])


@pytest.fixture
def full(day: Day) -> Day:
    """A thing of every kind."""
    front, world = day.front, day.front.world
    day.reply("Bartholomew-Maximilian", "I would like to come, but only when somebody tells me what it costs. " * 4)
    day.late("Lena")
    front.lead("Nora", in_hours=1)
    event_id = world.event(None, text="who is this", channel=Channel.SMS, address="+19715550188")
    with world.store.open_uow() as uow:
        uow.log.problem([ProblemNote(world.now, Why.UNMATCHED, inbox_event_id=event_id)])
        uow.engine.pause_channel(Channel.SMS, Why.BAD_CREDENTIALS, "Twilio", world.now, world.now)
    return day


@SIZES
def test_nothing_is_cut_and_nothing_is_nameless_at_130_percent(full: Day, qtbot: QtBot, size: tuple[int, int]) -> None:
    full.front._look.set_text_percent(130)
    full.front.window.resize(*size)
    panel = full.open()
    for name in ("Bartholomew", "Lena", "Texting", "(971) 555-0188", "Nora"):
        panel.beside.close_side()
        panel.beside.keep_open()
        panel.choose_row(full.row(name))
        panel.beside.open_side()
        full.wait_for_detail(name)
        qtbot.waitUntil(lambda: cut_in(panel) == [])
        assert _nameless(panel) == [], name


def test_the_panels_that_open_beside_the_list_are_not_cut_either(full: Day, qtbot: QtBot) -> None:
    full.front._look.set_text_percent(130)
    full.front.window.resize(960, 600)
    panel = full.open()
    for name, words, opened in (
        ("Lena", "Re-time… ", panel.late.retime_panel),
        ("(971) 555-0188", "Match… ", panel.matching.match_panel),
    ):
        panel.beside.close_side()
        panel.beside.keep_open()
        told = full.line(name).name
        panel.choose_row(full.row(name))
        panel.beside.open_side()
        full.press_by_key(f"{words}{told}")  # it may stand below what the low window shows
        qtbot.waitUntil(opened.isVisible)
        qtbot.waitUntil(lambda: cut_in(opened) == [])  # noqa: B023  # asked within the loop
        assert _nameless(opened) == [], name
        opened.close_panel()


def _nameless(within: QWidget) -> list[str]:
    found = within.findChildren(QWidget)
    takes = [each for each in found if each.focusPolicy() & Qt.FocusPolicy.TabFocus and each.isVisible()]
    return [f"{type(each).__name__} in {type(each.parentWidget()).__name__}" for each in takes if not spoken_name(each)]
