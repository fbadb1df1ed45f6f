"""What comes in can't be read: the bar across the top says where, since when and why, and goes by itself."""

from __future__ import annotations

from datetime import timedelta

import pytest
from pytestqt.qtbot import QtBot

from app.domain.answer import Outage
from app.domain.mailbox_fault import MailboxFault, mailbox_code
from app.domain.reasons import Why
from tests.ui.days import Day


@pytest.fixture
def unread(day: Day) -> Day:
    """The mailbox was read at ten, and refuses the password since; the window is open on People."""
    front = day.front
    now = front.stage.clock.now()
    code = mailbox_code(MailboxFault.WRONG_PASSWORD, "AUTHENTICATIONFAILED")
    with front.store.open_uow() as uow:
        uow.marks.read_to("imap", {"uid": 1}, now, whole=True)
        uow.marks.failed("imap", Outage(Why.BAD_CREDENTIALS, code), now + timedelta(minutes=1))
    front.open()
    return day


def test_the_bar_says_where_why_since_when_and_what_to_do(unread: Day) -> None:
    bar = unread.front.wait_for_bar("Nothing new can be read")

    assert bar.title == ("Nothing new can be read from the mailbox: the mailbox refuses the user name or the password.")
    assert "What came in there since 10:00 AM PST is not known yet. It is read later; none is lost." in bar.spoken
    assert "Type the password again." in bar.spoken
    assert "After 2 hours, whoever may have answered there is not written to again." in bar.spoken
    assert not bar.closable


def test_it_goes_by_itself_when_the_mailbox_can_be_read_again(unread: Day, qtbot: QtBot) -> None:
    front = unread.front
    front.wait_for_bar("Nothing new can be read")

    with front.store.open_uow() as uow:
        uow.marks.read_to("imap", {"uid": 2}, front.stage.clock.now(), whole=True)
    front.engine_passes()

    qtbot.waitUntil(lambda: front.bar is None)


def test_lists_that_hold_no_answers_hold_nobody_and_say_no_such_thing(day: Day) -> None:
    front = day.front
    with front.store.open_uow() as uow:
        uow.marks.failed("sendgrid", Outage(Why.OFFLINE, "no route"), front.stage.clock.now())
    front.open()
    bar = front.wait_for_bar("Nothing new can be read")
    assert bar.title == "Nothing new can be read from SendGrid: there is no connection to SendGrid."
    assert "may have answered" not in bar.spoken
