"""SendGrid's lists, read again and again: each entry comes at least once, under a key that makes copies harmless."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest

from app.domain.answer import Outage, Works
from app.domain.inbound import ListedIn, ListName
from app.domain.reasons import Why
from app.engine.inbound_ports import Haul, Mark, Source
from app.providers.sendgrid_lists import SendgridLists
from tests import fake_http as real_life
from tests.fake_http import says
from tests.fake_sendgrid import FakeSendgrid
from tests.sendgrid_parts import IMPATIENT, NOW, as_always, listening, lists

BOUNCES = "/v3/suppression/bounces"
BLOCKS = "/v3/suppression/blocks"
UNSUBSCRIBES = "/v3/suppression/unsubscribes"
HOUR = 3600
DAY = 24 * HOUR


@pytest.fixture
def fake() -> Iterator[FakeSendgrid]:
    yield from listening()


class Poll:
    """Reads as the engine does: while there is more, and keeps the mark with what came."""

    def __init__(self, source: SendgridLists, fake: FakeSendgrid) -> None:
        self.source = source
        self.fake = fake
        self.mark: Mark | None = None
        self.items: list[ListedIn] = []
        self.readings = 0

    def round(self) -> Outage | None:
        """One round; why it failed."""
        while True:
            self.readings += 1
            said = self.source.read(self.mark, datetime.fromtimestamp(self.fake.now, UTC))
            if isinstance(said, Outage):
                return said
            assert all(isinstance(item, ListedIn) for item in said.items)
            self.items += [item for item in said.items if isinstance(item, ListedIn)]
            self.mark = said.mark
            if not said.more:
                return None

    @property
    def new(self) -> dict[str, ListedIn]:
        """Everything once, by its key."""
        return {item.key: item for item in self.items}

    @property
    def addresses(self) -> set[str]:
        """Whose entries came."""
        return {item.address for item in self.items}


@pytest.fixture
def poll(fake: FakeSendgrid) -> Poll:
    return Poll(lists(fake), fake)


def test_all_six_lists_are_read_whoever_stands_on_them_since_whenever(fake: FakeSendgrid, poll: Poll) -> None:
    """What is older than our first reading is taken as well: an address that is listed can't be written to anyway."""
    for name in fake.lists:
        fake.list_entry(name, f"{name}@example.com", created=fake.now - 400 * DAY)
    fake.group_entry("left@example.com", created=fake.now - 5)
    assert poll.round() is None
    assert {item.list_name for item in poll.items} == set(ListName)
    bounce = next(item for item in poll.items if item.list_name is ListName.BOUNCES)
    assert bounce == ListedIn(
        source="sendgrid",
        key=f"bounces bounces@example.com {fake.now - 400 * DAY}",
        list_name=ListName.BOUNCES,
        address="bounces@example.com",
        at=NOW - timedelta(days=400),
        status="5.1.1",
        reason="550 5.1.1 no such user",
    )


def test_it_is_a_source(fake: FakeSendgrid) -> None:
    source: Source = lists(fake)
    assert (source.name, source.every) == ("sendgrid", timedelta(minutes=5))


def test_an_address_is_one_address_in_capitals_too(fake: FakeSendgrid, poll: Poll) -> None:
    fake.list_entry("unsubscribes", " Ana@Example.COM")
    poll.round()
    assert poll.addresses == {"ana@example.com"}


def test_polling_twice_brings_nothing_new(fake: FakeSendgrid, poll: Poll) -> None:
    for number in range(3):
        fake.list_entry("bounces", f"p{number}@example.com")
    poll.round()
    before = set(poll.new)
    fake.now += 300
    poll.round()
    assert set(poll.new) == before
    assert len(poll.items) > len(before), "the overlap brings them again"


def test_a_window_reaches_an_hour_behind_the_last_reading(fake: FakeSendgrid, poll: Poll) -> None:
    """Entries that turn up late: SendGrid learned of them after the time that they bear."""
    poll.round()
    fake.now += 300
    fake.list_entry("blocks", "late@example.com", created=fake.now - 300 - 3500)
    poll.round()
    assert fake.of(BLOCKS)[-1].query["start_time"] == str(fake.now - 300 - HOUR)
    assert poll.addresses == {"late@example.com"}


def test_what_came_even_later_is_taken_within_a_day(fake: FakeSendgrid, poll: Poll) -> None:
    poll.round()
    fake.now += 300
    fake.list_entry("spam_reports", "very.late@example.com", created=fake.now - 10 * HOUR)
    poll.round()
    assert poll.addresses == set()
    fake.now += DAY
    poll.round()
    assert poll.addresses == {"very.late@example.com"}
    whole = [request for request in fake.of("/v3/suppression/spam_reports") if "start_time" not in request.query]
    assert len(whole) == 2


def test_days_offline_are_made_up_for(fake: FakeSendgrid, poll: Poll) -> None:
    poll.round()
    fake.now += 9 * DAY
    for day in range(9):
        fake.list_entry("unsubscribes", f"day{day}@example.com", created=fake.now - day * DAY)
    poll.round()
    assert len(poll.addresses) == 9


def test_a_clock_of_ours_that_is_hours_ahead_misses_nothing(fake: FakeSendgrid) -> None:
    source, mark = lists(fake), None
    for _ in range(2):
        ours = datetime.fromtimestamp(fake.now, UTC) + timedelta(hours=5)
        said = source.read(mark, ours)
        assert isinstance(said, Haul)
        mark = said.mark
        fake.now += 300
        fake.list_entry("bounces", "new@example.com")
    last = source.read(mark, datetime.fromtimestamp(fake.now, UTC) + timedelta(hours=5))
    assert isinstance(last, Haul)
    assert {item.address for item in last.items if isinstance(item, ListedIn)} == {"new@example.com"}


def test_an_address_that_is_listed_again_is_a_new_entry(fake: FakeSendgrid, poll: Poll) -> None:
    fake.list_entry("unsubscribes", "ana@example.com")
    poll.round()
    fake.lists["unsubscribes"].clear()
    fake.now += 600
    fake.list_entry("unsubscribes", "ana@example.com")
    poll.round()
    assert len(poll.new) == 2


def test_long_lists_come_by_pages_and_a_reading_takes_only_so_many(fake: FakeSendgrid, poll: Poll) -> None:
    for number in range(11_234):
        fake.list_entry("unsubscribes", f"p{number}@example.com", created=fake.now - number)
    assert poll.round() is None
    assert len(poll.new) == 11_234
    assert poll.readings > 1
    offsets = [int(request.query["offset"]) for request in fake.of(UNSUBSCRIBES)]
    assert offsets == list(range(0, 11_500, 500))


def test_a_reading_goes_on_where_it_was_cut_off_after_a_restart(fake: FakeSendgrid, poll: Poll) -> None:
    for number in range(11_234):
        fake.list_entry("unsubscribes", f"p{number}@example.com", created=fake.now - number)
    first = poll.source.read(None, NOW)
    assert isinstance(first, Haul)
    assert first.more
    again = Poll(lists(fake), fake)
    again.mark = first.mark
    again.round()
    keys = {item.key for item in first.items} | set(again.new)
    assert len(keys) == 11_234
    assert len(again.items) < 11_234


def test_pages_that_change_underneath_lose_nothing(fake: FakeSendgrid, poll: Poll) -> None:
    """New entries push the others to the next page while we turn it: those come twice, and none is missed."""
    for number in range(1500):
        fake.list_entry("bounces", f"p{number}@example.com", created=fake.now - 10 - number)

    def pushed(talk: real_life._Talk, request: real_life.Request) -> real_life.Answer:
        for number in range(7):
            fake.list_entry("bounces", f"new{number}@example.com")
        return fake.answer(request)

    fake.fail(BOUNCES, as_always, pushed)
    poll.round()
    assert {f"p{number}@example.com" for number in range(1500)} <= poll.addresses
    fake.now += 300
    poll.round()
    assert len(poll.new) == 1507


def test_a_list_that_gives_the_same_page_for_ever_ends_the_reading(fake: FakeSendgrid, poll: Poll) -> None:
    page = [{"created": fake.now, "email": f"p{number}@example.com"} for number in range(500)]
    fake.fail(UNSUBSCRIBES, *[says(200, page)] * 50)
    assert poll.round() is None
    assert len(fake.of(UNSUBSCRIBES)) == 2


def test_whoever_left_another_group_has_not_left_ours(fake: FakeSendgrid) -> None:
    fake.group_entry("ours@example.com")
    fake.group_entry("others@example.com", group=1)
    with_ours, before_ours = Poll(lists(fake), fake), Poll(lists(fake, unsubscribe_group=None), fake)
    with_ours.round()
    before_ours.round()
    assert with_ours.addresses == {"ours@example.com"}
    assert before_ours.addresses == {"ours@example.com", "others@example.com"}, "towards silence"


def test_one_list_that_the_key_may_not_read_keeps_no_other_from_being_taken(fake: FakeSendgrid, poll: Poll) -> None:
    fake.scopes.remove("suppression.bounces.read")
    fake.list_entry("unsubscribes", "ana@example.com")
    fake.list_entry("blocks", "bo@example.com")
    for _ in range(2):
        assert poll.round() == Outage(Why.KEY_TOO_NARROW, "suppression.bounces.read")
        fake.now += 300
    fake.list_entry("unsubscribes", "cy@example.com")
    poll.round()
    assert poll.addresses == {"ana@example.com", "bo@example.com", "cy@example.com"}
    fake.scopes.append("suppression.bounces.read")
    fake.now += 300
    assert poll.round() is None


def test_several_rights_that_lack_are_told_together(fake: FakeSendgrid, poll: Poll) -> None:
    fake.scopes[:] = ["mail.send", "suppression.blocks.read"]
    said = poll.round()
    assert isinstance(said, Outage)
    assert said.code.split(", ") == [
        *("suppression.spam_reports.read", "suppression.unsubscribes.read", "asm.groups.suppressions.read"),
        *("suppression.bounces.read", "suppression.invalid_emails.read"),
    ]


FAILS: dict[str, tuple[real_life.Fault, Why]] = {
    "trouble": (says(503, None), Why.NO_ANSWER),
    "hang-up": (real_life.hangs_up, Why.NO_ANSWER),
    "half": (real_life.cuts_short, Why.NO_ANSWER),
    "no list": (says(200, {"result": []}), Why.NO_ANSWER),
    "no JSON": (says(200, "<html>"), Why.NO_ANSWER),
    "limit": (says(429, None, {"Retry-After": "60"}), Why.BUSY),
    "key": (says(401, None), Why.BAD_CREDENTIALS),
}


@pytest.mark.parametrize("case", FAILS)
def test_a_list_that_fails_is_told_and_read_from_the_same_place_next_time(
    fake: FakeSendgrid, poll: Poll, case: str
) -> None:
    fault, why = FAILS[case]
    poll.round()
    fake.now += 300
    fake.list_entry("bounces", "ana@example.com", created=fake.now - 60)
    fake.fail(BOUNCES, fault)
    failed = poll.round()
    assert failed is not None
    assert failed.why is why
    assert poll.addresses == set()
    fake.now += 20 * HOUR
    assert poll.round() is None
    assert poll.addresses == {"ana@example.com"}


def test_without_a_connection_the_mark_stays(fake: FakeSendgrid, poll: Poll) -> None:
    fake.close()
    assert poll.round() == Outage(Why.OFFLINE, "ConnectionRefusedError")
    assert poll.mark is None


def test_a_silent_provider_ends_the_reading_in_time(fake: FakeSendgrid) -> None:
    fake.fail("/v3/suppression/spam_reports", real_life.keeps_silent)
    poll = Poll(lists(fake, limits=IMPATIENT), fake)
    fake.list_entry("bounces", "ana@example.com")
    assert poll.round() == Outage(Why.NO_ANSWER, "TimeoutError")
    assert poll.addresses == {"ana@example.com"}


@pytest.mark.expects_warning("sendgrid.entry_without_address")
def test_odd_entries_hold_up_nobody(fake: FakeSendgrid, poll: Poll) -> None:
    fake.lists["bounces"] += [{"created": fake.now, "email": ""}, {"created": 1.5e12, "email": "odd@example.com"}]
    fake.list_entry("bounces", "ana@example.com")
    assert poll.round() is None
    assert poll.addresses == {"odd@example.com", "ana@example.com"}


@pytest.mark.parametrize(
    "mark", [{}, {"bounces": None}, {"bounces": {"to": "x"}}, {"bounces": {"whole": -1}}, {"a": 1}]
)
def test_a_mark_that_says_nothing_begins_anew(fake: FakeSendgrid, poll: Poll, mark: Mark) -> None:
    fake.list_entry("bounces", "ana@example.com", created=fake.now - 90 * DAY)
    poll.mark = mark
    assert poll.round() is None
    assert poll.addresses == {"ana@example.com"}


def _narrow(fake: FakeSendgrid) -> None:
    fake.scopes.remove("asm.groups.suppressions.read")


TESTED: dict[str, tuple[Callable[[FakeSendgrid], None], Works | Outage]] = {
    "all is well": (lambda fake: None, Works()),
    "a right lacks": (_narrow, Outage(Why.KEY_TOO_NARROW, "asm.groups.suppressions.read")),
    "trouble": (lambda fake: fake.fail(BLOCKS, says(500, None)), Outage(Why.NO_ANSWER, "500")),
}


@pytest.mark.parametrize("case", TESTED)
def test_whether_it_can_be_read_is_told(fake: FakeSendgrid, case: str) -> None:
    spoil, health = TESTED[case]
    spoil(fake)
    assert lists(fake).test() == health


def test_a_wrong_key_reads_nothing(fake: FakeSendgrid) -> None:
    assert lists(fake, key="SG.another").test() == Outage(Why.BAD_CREDENTIALS, "401")
    assert lists(fake, key="SG.another").read(None, NOW) == Outage(Why.BAD_CREDENTIALS, "401")
