"""A paused channel in the window: the bar across the top, the mark of the status bar, its row on Today."""

from __future__ import annotations

from datetime import timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.domain.answer import Outage, Works
from app.domain.reasons import Why
from app.domain.states import Channel
from app.store import tables as t
from app.ui.components.status_parts import Mark
from tests.ui.days import Day
from tests.ui.desks import LEFT, Front

AGAIN = timedelta(minutes=5)


@pytest.fixture
def paused(day: Day) -> Day:
    """Texts are paused since ten, with two that wait; the window is open on People."""
    front = day.front
    for name in ("Ana", "Ben"):
        _, enrollment_id = front.lead(name)
        front.world.message(enrollment_id, step="nudge", hold_why=Why.CHANNEL_PAUSED.value)
    now = front.stage.clock.now()
    with front.store.open_uow() as uow:
        uow.engine.pause_channel(Channel.SMS, Why.BAD_CREDENTIALS, "Twilio", now, now + AGAIN)
    front.open()
    return day


def mark(front: Front, words: str) -> Mark:
    return next(each for each in front.window.status.findChildren(Mark) if each.text() == words)


def test_the_bar_says_since_when_why_what_waits_and_when_it_is_asked_again(paused: Day) -> None:
    bar = paused.front.wait_for_bar("Texts are paused")

    assert bar.title == "Texts are paused: Twilio refuses the password."
    assert "Since 10:00 AM PST. 2 texts are waiting; none are lost and no try is used up." in bar.spoken
    assert "a STOP can come in late. Stop works here at once, as always." in bar.spoken
    assert "Emails and calls go on. The provider is asked again by itself at 10:05 AM PST." in bar.spoken
    assert not bar.closable


def test_its_button_opens_the_row_on_today(paused: Day, qtbot: QtBot) -> None:
    paused.front.wait_for_bar("Texts are paused")

    paused.front.press(paused.front.window.bars, "Open Today")

    qtbot.waitUntil(lambda: paused.front.window.shown_section == "today")
    told = paused.wait_for_detail("Texting is paused")
    assert "Twilio refuses the password." in told
    assert "Give the provider’s present key" in told.replace("'", "’")


def test_the_mark_of_the_status_bar_opens_it_too(paused: Day, qtbot: QtBot) -> None:
    qtbot.waitUntil(
        lambda: any(each.text() == "Texts paused" for each in paused.front.window.status.findChildren(Mark))
    )

    QTest.mouseClick(mark(paused.front, "Texts paused"), LEFT)

    paused.wait_for_detail("Texting is paused")


def test_newer_figures_don_t_take_the_focus_from_its_button(paused: Day, qtbot: QtBot) -> None:
    front = paused.front
    front.wait_for_bar("2 texts are waiting")
    front.button(front.window.bars, "Open Today").setFocus()

    _, enrollment_id = front.lead("Cleo")
    front.world.message(enrollment_id, step="nudge", hold_why=Why.CHANNEL_PAUSED.value)
    front.engine_passes()

    front.wait_for_bar("3 texts are waiting")
    assert front.button(front.window.bars, "Open Today").hasFocus()


def test_it_goes_by_itself_when_the_channel_works_again(paused: Day, qtbot: QtBot) -> None:
    front = paused.front
    front.wait_for_bar("Texts are paused")

    with front.store.open_uow() as uow:
        uow.engine.resume_channel(Channel.SMS, front.stage.clock.now())

    qtbot.waitUntil(lambda: front.bar is None)
    qtbot.waitUntil(lambda: mark(front, "Texts").channel.fine)


def test_on_today_the_row_stays_and_says_that_it_works_again(paused: Day, qtbot: QtBot) -> None:
    front = paused.front
    front.window.show_section("today")
    paused.work_in_list()
    qtbot.waitUntil(lambda: "Texting" in paused.rows())
    paused.choose("Texting")

    with front.store.open_uow() as uow:
        uow.engine.resume_channel(Channel.SMS, front.stage.clock.now())

    paused.wait_for_detail("Texting works again")
    assert paused.line("Texting").second == "It works again."


def test_try_now_on_the_bar_closes_the_breaker_when_the_provider_works(paused: Day, qtbot: QtBot) -> None:
    front = paused.front
    front.wait_for_bar("Texts are paused")

    front.press(front.window.bars, "Try now")

    front.wait_for_bar("Texting works again.")
    assert front.world.rows(t.channel_state, channel="sms")[0]["paused_why"] is None


def test_try_now_says_what_is_still_wrong_and_when_it_is_asked_again(paused: Day, qtbot: QtBot) -> None:
    front = paused.front
    front.stage.provider.health = Outage(Why.BAD_CREDENTIALS, "20003")
    front.wait_for_bar("Texts are paused")
    button = front.button(front.window.bars, "Try now")
    button.setFocus(Qt.FocusReason.TabFocusReason)

    QTest.keyClick(button, Qt.Key.Key_Space)

    bar = front.wait_for_bar("Tried at 10:00:00 AM PST, and still: the provider refuses the password (20003).")
    assert "The provider is asked again by itself at" in bar.spoken
    assert front.world.rows(t.channel_state, channel="sms")[0]["paused_why"] == Why.BAD_CREDENTIALS.value


def test_try_now_in_the_row_and_beside_it_ask_as_well(paused: Day, qtbot: QtBot) -> None:
    front = paused.front
    front.stage.provider.health = Outage(Why.OFFLINE)
    front.window.show_section("today")
    paused.work_in_list()
    qtbot.waitUntil(lambda: "Texting" in paused.rows())

    paused.click_button("Texting")
    paused.choose("Texting")
    paused.wait_for_detail("and still: there is no connection")

    front.stage.provider.health = Works()
    paused.press("Try now Texting")
    paused.wait_for_detail("Texting works again")
