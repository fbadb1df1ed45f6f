"""Entries of a provider's lists: what each says of the message that went there, and of whoever has the address."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from app.domain.inbound import ListName
from app.store import tables as t
from tests.outside import listed, sent, take
from tests.stage import Stage

ANA = "ana@example.com"
MINUTE = timedelta(minutes=1)


@pytest.fixture
def mailed(stage: Stage) -> Stage:
    """SendGrid took a mail to Ana, a minute ago."""
    stage.provider.name = "sendgrid"
    stage.lead(email=ANA)
    stage.run()
    stage.clock.go_on(MINUTE)
    return stage


def only(stage: Stage, table: object) -> dict[str, object]:
    (row,) = stage.world.rows(table)  # type: ignore[arg-type]
    return dict(row)


def put(stage: Stage, name: ListName, address: str = ANA, at: datetime | None = None, status: str = "") -> None:
    take(stage, listed(name, address, at or stage.clock.now(), status=status, reason="550 no"))


def closed(stage: Stage) -> dict[str, str]:
    return {row["address_key"]: row["why"] for row in stage.world.rows(t.suppression)}


def test_accepted_is_not_delivered_when_the_address_bounces(mailed: Stage) -> None:
    """Case 55: the message says so with its reason, and the follow-up ends; it is not shown as delivered."""
    put(mailed, ListName.BOUNCES, status="5.1.1")
    message, follow_up = only(mailed, t.message), only(mailed, t.enrollment)
    assert (message["state"], message["reason"], message["reason_code"]) == ("undelivered", "hard_bounce", "5.1.1")
    assert (follow_up["state"], follow_up["end_detail"]) == ("suppressed", "hard_bounce")
    assert closed(mailed) == {ANA: "hard_bounce"}


def test_a_block_fails_the_message_and_keeps_the_person(mailed: Stage) -> None:
    """Case 55: a block does not end it."""
    put(mailed, ListName.BLOCKS, status="4.7.1")
    message = only(mailed, t.message)
    assert (message["state"], message["reason"]) == ("undelivered", "undelivered")
    assert (only(mailed, t.enrollment)["state"], closed(mailed)) == ("active", {})


def test_an_address_that_is_none_is_told_as_one(mailed: Stage) -> None:
    put(mailed, ListName.INVALID)
    assert only(mailed, t.enrollment)["end_detail"] == "invalid_address"
    assert closed(mailed) == {ANA: "invalid_address"}


@pytest.mark.parametrize(
    ("name", "kind", "why"),
    [
        (ListName.SPAM_REPORTS, "complained", "complaint"),
        (ListName.UNSUBSCRIBES, "opted_out", "opt_out"),
        (ListName.GROUP_UNSUBSCRIBES, "opted_out", "opt_out"),
    ],
)
def test_who_complains_or_leaves_gets_no_more_email(mailed: Stage, name: ListName, kind: str, why: str) -> None:
    """And the message stays what it is: it was delivered, or they could not have left by it."""
    put(mailed, name)
    assert (only(mailed, t.inbox_event)["kind"], only(mailed, t.enrollment)["state"]) == (kind, "opted_out")
    assert (closed(mailed), only(mailed, t.message)["state"]) == ({ANA: why}, "accepted")
    assert [row["channel"] for row in mailed.world.rows(t.suppression)] == ["email"]


def test_the_same_entry_read_again_changes_nothing(mailed: Stage) -> None:
    at = mailed.clock.now()
    for _ in range(3):
        put(mailed, ListName.BOUNCES, at=at)
        mailed.clock.go_on(MINUTE)
    assert len(mailed.world.rows(t.inbox_event)) == 1


def test_an_old_account_s_lists_close_addresses_and_ask_nobody(stage: Stage) -> None:
    """ADR 0022: an import later does not open them."""
    for number, name in enumerate(ListName):
        put(stage, name, f"n{number}@example.net")
    assert {row["state"] for row in stage.world.rows(t.inbox_event)} == {"set_aside"}
    assert stage.world.rows(t.problem) == []
    expected = {"n0": "hard_bounce", "n2": "invalid_address", "n3": "complaint", "n4": "opt_out", "n5": "opt_out"}
    assert closed(stage) == {f"{name}@example.net": why for name, why in expected.items()}


def test_an_address_in_other_letters_is_the_same_one(mailed: Stage) -> None:
    put(mailed, ListName.UNSUBSCRIBES, "Ana@Example.COM ")
    assert closed(mailed) == {ANA: "opt_out"}


@pytest.mark.parametrize("address", ["", "no address", "a@@b", "x" * 400 + "@example.com"])
def test_an_entry_that_is_no_address_is_kept(stage: Stage, address: str) -> None:
    put(stage, ListName.BOUNCES, address)
    assert (only(stage, t.inbox_event)["state"], closed(stage)) == ("set_aside", {})


def test_a_message_of_long_ago_is_not_the_one_that_bounced(mailed: Stage) -> None:
    """No provider tries for longer than days: an entry of today is about something else that went there."""
    put(mailed, ListName.BLOCKS, at=mailed.clock.now() + timedelta(days=8))
    assert only(mailed, t.message)["state"] == "accepted"


def test_an_entry_of_before_it_went_is_not_about_it(mailed: Stage) -> None:
    put(mailed, ListName.BLOCKS, at=mailed.clock.now() - timedelta(hours=3))
    assert only(mailed, t.message)["state"] == "accepted"


def test_of_two_with_one_mailbox_it_is_the_one_who_was_mailed_last(mailed: Stage) -> None:
    _, second = mailed.lead(email=ANA)
    mailed.run()
    mailed.clock.go_on(MINUTE)
    put(mailed, ListName.BLOCKS)
    states = {row["id"]: row["state"] for row in mailed.world.rows(t.message)}
    newest = sent(mailed, second)
    assert states == {message: "undelivered" if message == newest else "accepted" for message in states}
