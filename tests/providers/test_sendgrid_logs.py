"""What SendGrid's logs tell: whether a mail of unknown outcome is there, and what became of accepted ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.domain.answer import Absent, Accepted, CannotKnow, Found, LookUp, Outage, Unknown
from app.domain.delivery_status import Delivered, DeliveryStatus, Undelivered
from app.domain.reasons import Why
from app.domain.secret import Secret
from app.engine.ports import Follower, Sender
from app.providers.sendgrid_email import SendgridEmail
from tests import fake_http as real_life
from tests.fake_http import says, taken_but
from tests.fake_sendgrid import KEY, FakeSendgrid
from tests.fakes import ToldClock
from tests.sendgrid_parts import IMPATIENT, NOW, accepted, account, email, listening, note

LOGS = "/v3/logs"
SEND = "/v3/mail/send"
OTHER_KEY = "0" * 32


@pytest.fixture
def fake() -> Iterator[FakeSendgrid]:
    yield from listening()


def test_it_sends_and_follows(fake: FakeSendgrid) -> None:
    sender: Sender = email(fake)
    assert isinstance(sender, Follower)


@pytest.mark.parametrize("gone_wrong", [real_life.hangs_up, real_life.resets, real_life.cuts_short, says(503, None)])
def test_i13_a_mail_that_was_taken_and_never_answered_is_found_by_its_attempt(
    fake: FakeSendgrid, gone_wrong: real_life.Fault
) -> None:
    fake.fail(SEND, taken_but(gone_wrong))
    sender = email(fake)
    assert isinstance(sender.send(note()), Unknown)
    assert sender.find(note()) == Found("fakeId0000000000000001", NOW)
    assert len(fake.mails) == 1


def test_i13_a_mail_that_never_came_is_absent_and_one_look_is_not_enough_to_be_sure(fake: FakeSendgrid) -> None:
    fake.fail(SEND, real_life.hangs_up)
    sender = email(fake)
    assert isinstance(sender.send(note()), Unknown)
    assert sender.find(note()) == Absent(sure=False)


def test_i13_logs_that_lag_tell_it_at_the_next_look(fake: FakeSendgrid) -> None:
    fake.fail(SEND, taken_but(real_life.hangs_up))
    sender = email(fake)
    sender.send(note())
    fake.logs_lag = 1
    assert sender.find(note()) == Absent(sure=False)
    fake.logs_lag = 0
    assert isinstance(sender.find(note()), Found)


def test_another_attempt_of_the_same_message_is_not_this_one(fake: FakeSendgrid) -> None:
    sender = email(fake)
    assert isinstance(sender.send(note(key=OTHER_KEY)), Accepted)
    assert sender.find(note()) == Absent(sure=False)


def test_a_clock_that_is_an_hour_off_hides_nothing(fake: FakeSendgrid) -> None:
    for ahead, key in ((timedelta(hours=-1), "a" * 32), (timedelta(hours=1), "b" * 32)):
        fake.now = int((NOW + ahead).timestamp())
        email(fake).send(note(key=key))
        found = email(fake).find(note(key=key))
        assert isinstance(found, Found)
        assert found.at == NOW + ahead


def test_an_address_that_can_t_be_quoted_is_searched_for_by_time_alone(fake: FakeSendgrid) -> None:
    """An apostrophe would end the quotation."""
    sender = email(fake)
    odd = note(to="o'neil@example.com")
    assert isinstance(sender.send(odd), Accepted)
    assert isinstance(sender.find(odd), Found)
    assert "neil" not in fake.of(LOGS)[-1].body["query"]


def test_more_mails_than_can_be_looked_at_leave_it_unknown(fake: FakeSendgrid) -> None:
    sender = email(fake)
    for number in range(12):
        sender.send(note(key=f"{number:032x}"))
    assert sender.find(note()) == CannotKnow()


def test_a_list_that_was_cut_off_is_not_absence(fake: FakeSendgrid) -> None:
    row = {"from_email": "a@b.c", "sg_message_id": "x.y", "subject": "", "to_email": "z@b.c", "status": "processed"}
    rows = [row | {"sg_message_id_created_at": "2026-03-02T18:00:00Z"}] * 1000
    fake.fail(LOGS, says(200, {"messages": rows}))
    assert email(fake).find(note()) == CannotKnow()


FOUND_OUT: dict[str, tuple[real_life.Fault, LookUp]] = {
    "a key without the right": (says(403, {"errors": [{"message": "access forbidden"}]}), CannotKnow(ever=True)),
    "an account without logs": (says(404, None), CannotKnow(ever=True)),
    "a question that is refused": (says(400, {"errors": [{"message": "invalid query"}]}), CannotKnow(ever=True)),
    "a wrong key": (says(401, None), Outage(Why.BAD_CREDENTIALS, "401")),
    "a limit": (says(429, None, {"Retry-After": "9"}), Outage(Why.BUSY, "429", timedelta(seconds=9))),
    "trouble of its own": (says(500, None), CannotKnow()),
    "a hang-up": (real_life.hangs_up, CannotKnow()),
    "no JSON": (says(200, "<html>"), CannotKnow()),
    "another shape": (says(200, {"messages": "none"}), CannotKnow()),
}


@pytest.mark.parametrize("case", FOUND_OUT)
def test_a_look_up_that_fails_is_no_absence(fake: FakeSendgrid, case: str) -> None:
    fault, said = FOUND_OUT[case]
    fake.fail(LOGS, fault)
    assert email(fake).find(note()) == said


def test_a_look_up_without_a_connection_is_an_outage(fake: FakeSendgrid) -> None:
    sender = email(fake)
    fake.close()
    assert sender.find(note()) == Outage(Why.OFFLINE, "ConnectionRefusedError")


def test_a_silent_look_up_ends_in_time(fake: FakeSendgrid) -> None:
    fake.fail(LOGS, real_life.keeps_silent)
    assert email(fake, limits=IMPATIENT).find(note()) == CannotKnow()


def test_a_detail_that_can_t_be_had_is_no_absence(fake: FakeSendgrid) -> None:
    sender = email(fake)
    sender.send(note())
    fake.fail(f"{LOGS}/{fake.logs[0]['sg_message_id']}", says(404, None))
    assert sender.find(note()) == CannotKnow()


def test_what_is_older_than_the_logs_can_t_be_known(fake: FakeSendgrid) -> None:
    late = SendgridEmail(account(fake), Secret(KEY), ToldClock(NOW + timedelta(days=30)))
    assert late.find(note()) == CannotKnow(ever=True)
    assert fake.requests == []


# --- what became of it

AT = 1_772_474_460
BECAME = datetime.fromtimestamp(AT, UTC)


def _bounce(kind: str, status: str) -> Mapping[str, object]:
    return {"event": "bounce", "type": kind, "status": status, "reason": "550 no", "timestamp": AT}


def _drop(reason: str) -> Mapping[str, object]:
    return {"event": "dropped", "reason": reason, "timestamp": AT}


STATUSES: dict[str, tuple[str, Mapping[str, object], DeliveryStatus]] = {
    "delivered": ("delivered", {"event": "delivered", "response": "250 OK", "timestamp": AT}, Delivered(BECAME)),
    "bounced": (
        "bounced",
        _bounce("bounce", "5.1.1"),
        Undelivered(BECAME, Why.HARD_BOUNCE, "5.1.1", bad_address=True),
    ),
    "blocked": ("blocked", _bounce("blocked", "4.7.1"), Undelivered(BECAME, Why.UNDELIVERED, "4.7.1")),
    "unsubscribed before": (
        "dropped",
        _drop("Unsubscribed Address"),
        Undelivered(BECAME, Why.OPT_OUT, "unsubscribed", opted_out=True),
    ),
    "complained before": (
        "dropped",
        _drop("Spam Reporting Address"),
        Undelivered(BECAME, Why.COMPLAINT, "spam report", opted_out=True),
    ),
    "bounced before": (
        "dropped",
        _drop("Bounced Address"),
        Undelivered(BECAME, Why.HARD_BOUNCE, "bounced before", bad_address=True),
    ),
    "invalid": ("dropped", _drop("Invalid"), Undelivered(BECAME, Why.INVALID_ADDRESS, "invalid", bad_address=True)),
    "too many": (
        "dropped",
        _drop("Recipient List over Package Quota"),
        Undelivered(BECAME, Why.UNDELIVERED, "dropped: recipient list over package quota"),
    ),
}


@pytest.mark.parametrize("case", STATUSES)
def test_what_became_of_a_mail_is_told(fake: FakeSendgrid, case: str) -> None:
    """Case 55: taken, and never shown as delivered before it is."""
    word, event, status = STATUSES[case]
    sender = email(fake)
    said = sender.send(note())
    assert isinstance(said, Accepted)
    followed = accepted(said.provider_id)
    assert sender.statuses([followed]) == {}
    fake.becomes(0, word, event)
    assert sender.statuses([followed]) == {followed.key: status}


def test_a_time_that_is_none_is_no_fault(fake: FakeSendgrid) -> None:
    sender = email(fake)
    sender.send(note())
    fake.becomes(0, "delivered", {"event": "delivered", "timestamp": 10**18})
    followed = accepted("fakeId0000000000000001")
    assert sender.statuses([followed]) == {followed.key: Delivered(datetime(1970, 1, 1, tzinfo=UTC))}


@pytest.mark.parametrize("word", ["processed", "deferred"])
def test_what_is_still_on_its_way_is_not_over(fake: FakeSendgrid, word: str) -> None:
    sender = email(fake)
    sender.send(note())
    fake.becomes(0, word, {"event": "deferred", "response": "421 later", "attempt": "1"})
    assert sender.statuses([accepted("fakeId0000000000000001")]) == {}


def _many(fake: FakeSendgrid, count: int) -> list[Any]:
    sender, notes = email(fake), []
    for number in range(count):
        key, to = f"{number:032x}", f"p{number}@example.com"
        said = sender.send(note(key=key, to=to))
        assert isinstance(said, Accepted)
        notes.append(accepted(said.provider_id, key=key, to=to))
        fake.becomes(number, "delivered", {"event": "delivered", "response": "250", "ip": "192.0.2.1"})
    return notes


def test_many_mails_are_asked_about_in_one_search(fake: FakeSendgrid) -> None:
    notes = _many(fake, 5)
    assert set(email(fake).statuses(notes)) == {each.key for each in notes}
    assert len(fake.of(LOGS)) == 1


def test_a_search_that_was_cut_off_is_made_again_for_each_that_is_missing(fake: FakeSendgrid) -> None:
    notes = _many(fake, 3)
    row = {"from_email": "a@b.c", "sg_message_id": "x.y", "subject": "", "to_email": "z@b.c", "status": "delivered"}
    rows = [row | {"sg_message_id_created_at": "2026-03-02T18:00:00Z"}] * 1000
    fake.fail(LOGS, says(200, {"messages": rows}))
    assert set(email(fake).statuses(notes)) == {each.key for each in notes}
    assert len(fake.of(LOGS)) == 4


FAULTS: list[Callable[[FakeSendgrid], None]] = [
    lambda fake: fake.fail(LOGS, says(403, None)),
    lambda fake: fake.fail(LOGS, says(500, None)),
    lambda fake: fake.fail(LOGS, real_life.hangs_up),
    lambda fake: fake.fail(f"{LOGS}/{fake.logs[0]['sg_message_id']}", says(500, None)),
    lambda fake: fake.fail(f"{LOGS}/{fake.logs[0]['sg_message_id']}", says(200, {"status": "delivered", "events": 3})),
    lambda fake: fake.close(),
]


@pytest.mark.parametrize("spoil", FAULTS)
def test_what_can_t_be_asked_is_not_known_yet(fake: FakeSendgrid, spoil: Callable[[FakeSendgrid], None]) -> None:
    notes = _many(fake, 1)
    spoil(fake)
    assert email(fake).statuses(notes) == {}


def test_nothing_to_ask_about_asks_nobody(fake: FakeSendgrid) -> None:
    assert email(fake).statuses([]) == {}
    assert fake.requests == []
