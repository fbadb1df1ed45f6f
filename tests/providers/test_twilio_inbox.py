"""What comes in, polled from a Twilio on this machine: each text once, whatever pages and lines do meanwhile."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from app.domain.answer import Outage, Works
from app.domain.inbound import CallIn, InboundItem, TextIn
from app.domain.reasons import Why
from app.engine.inbound_ports import Haul, Mark
from app.providers.twilio_inbox import TwilioInbox
from tests import fake_http as real_life
from tests.fake_http import Fault, says
from tests.fake_twilio import ANA, CALLS, MESSAGES, NUMBERS, OTHER, OURS, FakeTwilio, error, stamp
from tests.fakes import ToldClock
from tests.twilio_parts import IMPATIENT, NOW, inbox, listening

BOB = "+15035550143"
HOUR = 3600
MINUTE = 60


@pytest.fixture
def fake() -> Iterator[FakeTwilio]:
    yield from listening()


class Reader:
    """Reads as the engine does: keeps the mark as JSON, each item once by its key, goes on while there is more."""

    def __init__(self, fake: FakeTwilio, source: TwilioInbox | None = None) -> None:
        self.fake = fake
        self.source = source or inbox(fake)
        self.kept: str | None = None
        self.items: dict[str, InboundItem] = {}
        self.order: list[str] = []
        self.faults: list[Outage] = []

    @property
    def mark(self) -> Mark | None:
        return None if self.kept is None else json.loads(self.kept)

    @property
    def now(self) -> datetime:
        return NOW + timedelta(seconds=self.fake.now - 1_772_474_400)

    def once(self) -> Haul | Outage:
        """One reading."""
        said = self.source.read(self.mark, self.now)
        if isinstance(said, Outage):
            self.faults.append(said)
            return said
        for item in said.items:
            if item.key not in self.items:
                self.order.append(item.key)
            self.items[item.key] = item
        self.kept = json.dumps(said.mark)
        return said

    def poll(self, most: int = 20) -> list[str]:
        """Readings until there is no more; the keys that are new, in order."""
        before = len(self.order)
        for _ in range(most):
            said = self.once()
            if isinstance(said, Outage) or not said.more:
                return self.order[before:]
        raise AssertionError("it never comes to an end")


def test_texts_and_calls_to_our_numbers_come_in_and_what_we_sent_does_not(fake: FakeTwilio) -> None:
    fake.numbers[OTHER] = {"sms": True, "voice": True}
    first = fake.text_in("Yes please", at=fake.now - 60, num_media="2")
    second = fake.text_in("", sender=BOB, to=OTHER, at=fake.now - 30, num_media="1")
    call = fake.call_in(at=fake.now - 10)
    fake.by_hand("Thanks", to=ANA)
    fake.by_hand("To ourselves", to=OTHER)
    said = Reader(fake).once()
    assert isinstance(said, Haul)
    assert (list(said.items), said.more) == (
        [
            TextIn("twilio", first, ANA, OURS, "Yes please", NOW - timedelta(seconds=60), 2),
            TextIn("twilio", second, BOB, OTHER, "", NOW - timedelta(seconds=30), 1),
            CallIn("twilio", call, ANA, OURS, NOW - timedelta(seconds=10), 12),
        ],
        False,
    )


def test_nothing_yet_is_nothing_and_the_first_text_comes_in_after_it(fake: FakeTwilio) -> None:
    reader = Reader(fake)
    assert reader.poll() == []
    fake.now += 40 * HOUR
    first = fake.text_in("Hello")
    assert reader.poll() == [first]


def test_the_first_reading_goes_three_days_back(fake: FakeTwilio) -> None:
    fake.text_in("long ago", at=fake.now - 73 * HOUR)
    recent = fake.text_in("STOP", at=fake.now - 71 * HOUR)
    assert Reader(fake).poll() == [recent]


def test_case_45_of_130_texts_since_the_last_poll_the_oldest_is_a_stop_and_none_is_missed(fake: FakeTwilio) -> None:
    """Case 45. Days offline, more than a page: read on until where the last reading had come, oldest first."""
    reader = Reader(fake)
    before = fake.text_in("before")
    assert reader.poll() == [before]
    fake.now += 5 * 24 * HOUR
    came = [
        fake.text_in("STOP" if number == 0 else f"{number}", at=fake.now - 4 * 24 * HOUR + number * MINUTE)
        for number in range(130)
    ]
    assert reader.poll() == came
    assert all(isinstance(each, TextIn) for each in reader.items.values())


def test_polled_twice_and_after_a_restart_everything_came_once(fake: FakeTwilio) -> None:
    reader = Reader(fake)
    came = [fake.text_in(f"{number}", at=fake.now + number) for number in range(5)]
    assert reader.poll() == came
    assert reader.poll() == []
    reader.source = inbox(fake)
    fake.now += MINUTE
    later = fake.text_in("one more")
    assert reader.poll() == [later]
    assert reader.poll() == []


def test_one_that_is_late_and_sorts_below_what_was_read_comes_in(fake: FakeTwilio) -> None:
    """By half an hour at every reading; by three days once a day."""
    reader = Reader(fake)
    fake.text_in("now")
    reader.poll()
    fake.now += MINUTE
    late = fake.text_in("late", at=fake.now - 29 * MINUTE)
    assert reader.poll() == [late]
    very_late = fake.text_in("very late", at=fake.now - 71 * HOUR)
    fake.now += HOUR
    assert reader.poll() == []
    fake.now += 23 * HOUR
    fake.text_in("today")
    assert very_late not in reader.items
    assert set(reader.poll()) >= {very_late} or very_late in reader.items


def test_a_text_is_not_taken_before_it_is_whole(fake: FakeTwilio) -> None:
    """Kept without its words, its key would make the whole one a copy."""
    reader = Reader(fake)
    sid = fake.text_in("", status="receiving", date_sent=None)
    assert reader.poll() == []
    fake.now += 2 * MINUTE
    fake.texts[0] |= {"body": "STOP", "status": "received", "date_sent": stamp(fake.now)}
    assert reader.poll() == [sid]
    item = reader.items[sid]
    assert isinstance(item, TextIn)
    assert item.body == "STOP"


def test_one_that_has_waited_long_to_be_whole_hides_nothing_below_it(fake: FakeTwilio) -> None:
    reader = Reader(fake)
    fake.text_in("before")
    reader.poll()
    fake.now += 10 * HOUR
    fake.text_in("", status="receiving", date_sent=None, date_created=stamp(fake.now - 11 * HOUR))
    came = [fake.text_in(f"{number}", at=fake.now - number * MINUTE) for number in range(150)]
    assert sorted(reader.poll()) == sorted(came)


def test_pages_may_shift_while_they_are_read(fake: FakeTwilio) -> None:
    """Something comes in after every page; an old one goes away."""
    reader = Reader(fake)
    came = [fake.text_in(f"{number}", at=fake.now - number * MINUTE) for number in range(350)]

    def meanwhile() -> None:
        if len(fake.texts) < 356:
            came.append(fake.text_in("meanwhile", at=fake.now))

    fake.at_page = meanwhile
    reader.poll()
    fake.at_page = lambda: None
    fake.now += MINUTE
    reader.poll()
    assert sorted(reader.items) == sorted(came)


def test_a_reading_that_time_cuts_short_goes_on_where_it_was_and_misses_nothing(fake: FakeTwilio) -> None:
    clock = ToldClock(NOW)
    reader = Reader(fake, inbox(fake, clock=clock))
    before = fake.text_in("before")
    reader.poll()
    fake.now += 3 * 24 * HOUR
    came = [fake.text_in(f"{number}", at=fake.now - number * MINUTE) for number in range(950)]
    more_came: list[str] = []

    def slow() -> None:
        clock.go_on(timedelta(seconds=8))
        if len(more_came) < 4:
            more_came.append(fake.text_in("meanwhile", at=fake.now))

    fake.at_page = slow
    said = reader.once()
    assert isinstance(said, Haul)
    assert said.more
    assert 0 < len(said.items) < 950
    reader.poll()
    fake.at_page = lambda: clock.go_on(timedelta(seconds=8))
    reader.poll()
    assert sorted(reader.items) == sorted([before, *came, *more_came])
    assert reader.poll() == []
    assert "gap" not in str(reader.mark)


def test_no_list_is_starved_by_the_others(fake: FakeTwilio) -> None:
    clock = ToldClock(NOW)
    reader = Reader(fake, inbox(fake, clock=clock))
    fake.numbers |= {f"+150355501{number:02}": {"sms": True, "voice": True} for number in range(10, 20)}
    came = [fake.text_in("hi", to=number) for number in fake.numbers]
    calls = [fake.call_in(to=number) for number in fake.numbers]
    fake.at_page = lambda: clock.go_on(timedelta(seconds=9))
    reader.poll()
    assert sorted(reader.items) == sorted([*came, *calls])
    fake.now += MINUTE
    assert reader.poll() == []


FAULTS: dict[str, tuple[Fault, Outage]] = {
    "a server's fault": (says(500, {"code": 20500}), Outage(Why.NO_ANSWER, "500")),
    "no JSON": (says(200, "<html>"), Outage(Why.NO_ANSWER, "unreadable")),
    "a reset": (real_life.resets, Outage(Why.NO_ANSWER, "ConnectionError")),
    "half an answer": (real_life.cuts_short, Outage(Why.NO_ANSWER, "ChunkedEncodingError")),
    "silence": (real_life.keeps_silent, Outage(Why.NO_ANSWER, "ReadTimeout")),
    "a wrong key": (says(401, {"code": 20003}), Outage(Why.BAD_CREDENTIALS, "20003")),
    "too much": (says(429, {"code": 20429}, {"Retry-After": "60"}), Outage(Why.BUSY, "20429", timedelta(minutes=1))),
}


@pytest.mark.parametrize("path", [NUMBERS, MESSAGES, CALLS])
@pytest.mark.parametrize("what", FAULTS)
def test_a_list_that_fails_is_told_and_read_again_from_the_same_mark(fake: FakeTwilio, what: str, path: str) -> None:
    fault, outage = FAULTS[what]
    reader = Reader(fake, inbox(fake, limits=IMPATIENT))
    fake.text_in("before")
    fake.call_in()
    reader.poll()
    fake.now += MINUTE
    mark = reader.mark
    fake.fail(path, fault)
    assert reader.once() == outage
    assert reader.mark == mark
    came = fake.text_in("STOP")
    assert reader.poll() == [came]


@pytest.mark.parametrize("what", FAULTS)
def test_what_was_read_before_a_page_broke_comes_in_and_the_rest_when_it_is_whole(fake: FakeTwilio, what: str) -> None:
    fault, outage = FAULTS[what]
    reader = Reader(fake, inbox(fake, limits=IMPATIENT))
    came = [fake.text_in(f"{number}", at=fake.now - number * MINUTE) for number in range(250)]
    fake.fail(MESSAGES, _by_the_books(fake), fault, fault)
    first = reader.once()
    assert isinstance(first, Haul)
    assert (len(first.items), first.more) == (100, True)
    fake.faults[MESSAGES].insert(0, _by_the_books(fake))
    assert reader.once() == outage
    assert sorted(reader.poll()) == sorted(came[100:])


def test_a_page_that_stays_broken_is_told_and_new_texts_come_in_all_the_same(fake: FakeTwilio) -> None:
    reader = Reader(fake)
    came = [fake.text_in(f"{number}", at=fake.now - number * MINUTE) for number in range(250)]

    def broken_below(talk: real_life._Talk, request: real_life.Request) -> real_life.Answer:
        fake.fail(MESSAGES, broken_below)
        return error(500, 20500, "no") if "PageToken" in request.query else fake.answer(request)

    fake.fail(MESSAGES, broken_below)
    assert len(reader.poll()) == 100
    assert reader.faults == [Outage(Why.NO_ANSWER, "500")]
    fake.now += MINUTE
    stop = fake.text_in("STOP", sender=BOB)
    call = fake.call_in()
    assert sorted(reader.poll()) == sorted([stop, call])
    fake.faults[MESSAGES].clear()
    reader.poll()
    assert sorted(reader.items) == sorted([*came, stop, call])


def test_a_page_s_address_that_is_not_taken_any_more_is_given_up_for_the_top(fake: FakeTwilio) -> None:
    clock = ToldClock(NOW)
    reader = Reader(fake, inbox(fake, clock=clock))
    came = [fake.text_in(f"{number}", at=fake.now - number * MINUTE) for number in range(350)]
    fake.at_page = lambda: clock.go_on(timedelta(seconds=15))
    reader.once()
    assert "gap" in str(reader.mark)
    fake.at_page = lambda: None
    token = str(reader.mark).rpartition("PageToken=PA")[2][:34]
    fake.texts = [row for row in fake.texts if row["sid"] != token]
    reader.poll()
    assert sorted(reader.items) == sorted(came)
    assert "gap" not in str(reader.mark)


@pytest.mark.parametrize(
    "kept",
    [
        {},
        {f"messages {OURS}": None},
        {f"messages {OURS}": {"upto": "yesterday", "far_at": 7, "gap": {"page": "x"}}},
        {f"messages {OURS}": {"upto": "2026-03-02T18:00:00"}, "left": 7},
        {"left": ["nobody"]},
    ],
)
def test_a_mark_that_makes_no_sense_is_the_beginning(fake: FakeTwilio, kept: Mark) -> None:
    sid = fake.text_in("hello", at=fake.now - 70 * HOUR)
    said = inbox(fake).read(kept, NOW)
    assert isinstance(said, Haul)
    assert [item.key for item in said.items] == [sid]


def test_a_short_code_that_is_not_among_the_numbers_is_read_too(fake: FakeTwilio) -> None:
    sid = fake.text_in("STOP", to="12345")
    said = inbox(fake, sender="12345").read(None, NOW)
    assert isinstance(said, Haul)
    assert [item.key for item in said.items] == [sid]


def test_whether_it_can_be_read_is_tested_without_sending(fake: FakeTwilio) -> None:
    assert inbox(fake).test() == Works()
    assert inbox(fake, "another-token").test() == Outage(Why.BAD_CREDENTIALS, "20003")
    assert fake.texts == []


def test_an_answer_of_twilio_s_to_a_keyword_is_no_text_to_us(fake: FakeTwilio) -> None:
    stop = fake.text_in("STOP")
    fake.by_hand("You have been unsubscribed", direction="outbound-reply")
    assert Reader(fake).poll() == [stop]


def _by_the_books(fake: FakeTwilio) -> Fault:
    return lambda _talk, request: fake.answer(request)
