"""Looking up a text whose outcome nobody knows, in the list of a Twilio on this machine (PROVIDERS.md section 4)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from app.domain.answer import Absent, CannotKnow, Found, LookUp, Outage
from app.domain.reasons import Why
from tests import fake_http as real_life
from tests.fake_http import Fault, says
from tests.fake_twilio import MESSAGES, OTHER, SERVICE, FakeTwilio
from tests.fakes import ToldClock
from tests.twilio_parts import NOW, listening, note, texts

FIRST = "SM" + "0" * 31 + "1"
MINUTE = timedelta(minutes=1)


@pytest.fixture
def fake() -> Iterator[FakeTwilio]:
    yield from listening()


def test_i13_a_text_is_ours_by_its_numbers_its_time_and_its_words(fake: FakeTwilio) -> None:
    sender, start = texts(fake), fake.now
    words = note().body
    fake.by_hand(words, at=start - 300)  # too long before
    fake.by_hand("Hi Ana, see you on Monday.", at=start + 1)
    fake.by_hand(words, at=start + 1, to=OTHER)
    fake.by_hand(words, at=start + 1, **{"from": OTHER})
    fake.text_in(words, at=start + 1)
    fake.by_hand(words, at=start + 1, direction="outbound-reply")
    assert sender.find(note()) == Absent(sure=False)
    sid = fake.by_hand(words, at=start + 2)
    assert sender.find(note()) == Found(sid, NOW + timedelta(seconds=2))


def test_i13_a_text_that_still_waits_is_found_though_it_has_no_sender_and_no_time_yet(fake: FakeTwilio) -> None:
    sender = texts(fake, messaging_service_sid=SERVICE)
    sender.send(note())
    assert fake.texts[0]["from"] is None
    assert fake.texts[0]["date_sent"] is None
    assert sender.find(note()) == Found(FIRST, NOW)


@pytest.mark.parametrize(
    ("listed", "sent"),
    [
        ("Sent from your Twilio trial account - Hi Zoë", "Hi Zoë"),
        ("Hi Zoe\u0308", "Hi Zo\u00eb"),
        ("Hi  Zoë,\n\nsee you ", "Hi Zoë,\nsee you"),
        ('It\'s on - "today"...', "It’s on – “today”…"),
    ],
)
def test_i13_the_same_words_are_known_in_another_form(fake: FakeTwilio, listed: str, sent: str) -> None:
    sid = fake.by_hand(listed)
    assert texts(fake).find(note(body=sent)) == Found(sid, NOW)


def test_i13_a_trial_account_s_notice_before_the_words_hides_them_not(fake: FakeTwilio) -> None:
    fake.trial = True
    sender = texts(fake)
    sender.send(note())
    assert fake.texts[0]["body"] != note().body
    assert sender.find(note()) == Found(FIRST, NOW)


@pytest.mark.parametrize("listed", ["Oh, Hi Zoë", "Hi Zoë!", "hi zoë", ""])
def test_i13_other_words_are_not_ours(fake: FakeTwilio, listed: str) -> None:
    fake.by_hand(listed)
    assert texts(fake).find(note(body="Hi Zoë")) == Absent(sure=False)


@pytest.mark.parametrize("ahead", [timedelta(minutes=-47), timedelta(minutes=47)])
def test_i13_twilio_s_clock_may_differ_from_ours(fake: FakeTwilio, ahead: timedelta) -> None:
    fake.now += int(ahead.total_seconds())
    sender = texts(fake)
    sender.send(note())
    assert sender.find(note()) == Found(FIRST, NOW + ahead)


def test_i13_two_with_the_same_words_are_both_told_of_the_older_first(fake: FakeTwilio) -> None:
    """Which of them is another message's, the store knows."""
    first, second = fake.by_hand(note().body), fake.by_hand(note().body, at=fake.now + 1)
    later = Found(second, NOW + timedelta(seconds=1))
    assert texts(fake).find(note()) == Found(first, NOW, (later,))


def test_i13_the_list_is_read_on_until_it_is_older_than_the_attempt(fake: FakeTwilio) -> None:
    """Filtered by the number alone: a filter by time would pass over what still waits."""
    for minute in range(250):
        fake.by_hand(f"Another {minute}", at=fake.now + 300 - minute)
    for minute in range(250):
        fake.by_hand(f"Long ago {minute}", at=fake.now - 3600 - minute)
    sid = fake.by_hand(note().body, at=fake.now + 1)
    assert texts(fake).find(note()) == Found(sid, NOW + timedelta(seconds=1))
    asked = fake.of(MESSAGES)
    assert len(asked) == 3
    assert {name for request in asked for name in request.query} == {"To", "PageSize", "Page", "PageToken"}


FOUND_OUT: dict[str, tuple[Fault, LookUp]] = {
    "a server's fault": (says(500, {"code": 20500}), CannotKnow()),
    "no JSON": (says(200, "<html>"), CannotKnow()),
    "JSON without a list": (says(200, {"end": 1}), CannotKnow()),
    "rows of another shape": (says(200, {"messages": ["x"], "next_page_uri": None}), CannotKnow()),
    "half an answer": (real_life.cuts_short, Outage(Why.NO_ANSWER, "ChunkedEncodingError")),
    "a hang-up": (real_life.hangs_up, Outage(Why.NO_ANSWER, "ConnectionError")),
    "a wrong key": (says(401, {"code": 20003}), Outage(Why.BAD_CREDENTIALS, "20003")),
    "too much": (says(429, {"code": 20429}, {"Retry-After": "60"}), Outage(Why.BUSY, "20429", MINUTE)),
    "a page that is not there": (says(400, {"code": 21481}), CannotKnow()),
}


@pytest.mark.parametrize("page", [1, 2])
@pytest.mark.parametrize("what", FOUND_OUT)
def test_i13_a_list_that_fails_or_is_cut_short_is_not_absent(fake: FakeTwilio, what: str, page: int) -> None:
    for number in range(150):
        fake.by_hand(f"Another {number}")
    fault, said = FOUND_OUT[what]
    if page == 2:
        fake.fail(MESSAGES, lambda _talk, request: fake.answer(request))
    fake.fail(MESSAGES, fault)
    assert texts(fake).find(note()) == said


def test_i13_a_list_that_goes_on_when_time_is_up_is_not_absent(fake: FakeTwilio) -> None:
    clock = ToldClock(NOW)
    for number in range(250):
        fake.by_hand(f"Another {number}")
    fake.at_page = lambda: clock.go_on(timedelta(seconds=15))
    assert texts(fake, clock=clock).find(note()) == CannotKnow()
    assert len(fake.of(MESSAGES)) == 2


def test_a_page_that_leads_elsewhere_takes_no_key_there(fake: FakeTwilio) -> None:
    elsewhere = {"messages": [], "meta": {"key": "messages", "next_page_url": "https://twilio.example.com/page"}}
    fake.fail(MESSAGES, says(200, elsewhere))
    assert texts(fake).find(note()) == Outage(Why.NO_ANSWER, "InvalidURL")
