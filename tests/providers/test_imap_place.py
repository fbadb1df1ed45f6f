from __future__ import annotations

import json
from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from app.providers.imap_place import GOES_BACK, OVERLAP, Place, mark_of, new_place, places_of
from tests.mailboxes import NOW


def read(place: Place, *uids: int) -> Place:
    for uid in uids:
        place = place.read(uid)
    return place


def test_a_folder_that_was_never_read_begins_thirty_days_back() -> None:
    place = new_place(7, NOW)
    assert (place.since, place.first, place.last) == (date(2026, 1, 31), 1, 0)


def test_a_lower_number_that_shows_late_is_still_new() -> None:
    place = read(new_place(7, NOW), 100, 101, 103)
    assert place.first == 103 - OVERLAP + 1
    assert place.new([100, 101, 102, 103]) == [102]
    assert read(place, 102).new([100, 101, 102, 103]) == []
    assert read(place, 102).last == 103


def test_what_was_missed_is_not_new_and_is_counted_until_it_is_there() -> None:
    place = read(new_place(7, NOW), 1).tried([2, 3]).tried([3])
    assert place.missed == {2: 1, 3: 2}
    assert place.new([1, 2, 3, 4]) == [4]
    assert place.last == 3
    assert read(place, 3).missed == {2: 1}
    assert place.without([2]).missed == {3: 2}


def test_numbers_given_anew_begin_thirty_days_back_but_never_before_the_first_day() -> None:
    place = read(new_place(7, NOW), 5)
    later = NOW + timedelta(days=100)
    assert place.now_at(7, 6, later) is place
    assert place.now_at(7, None, later) is place
    anew = place.now_at(8, 2, later)
    assert (anew.validity, anew.last, anew.known, anew.since) == (8, 0, frozenset(), (later - GOES_BACK).date())
    assert place.now_at(8, 2, NOW - timedelta(days=3)).since == place.since


def test_a_server_that_counts_from_lower_again_without_saying_so_is_read_anew() -> None:
    place = read(new_place(7, NOW), 120)
    assert place.now_at(7, 100, NOW).last == 0


def test_a_mark_that_cannot_be_read_begins_anew() -> None:
    good = {"validity": 7, "since": "2026-01-31", "last": 3, "known": [3], "missed": {"2": 1}}
    broken: list[object] = [
        None,
        [],
        "x",
        *({**good, name: "x"} for name in good),
        *({other: value for other, value in good.items() if other != name} for name in good),
    ]
    for each in broken:
        assert places_of({"folders": {"INBOX": each}}) == {}, each
    assert places_of({"folders": {"INBOX": good}}) == {"INBOX": Place(7, date(2026, 1, 31), 3, frozenset({3}), {2: 1})}
    assert places_of(None) == places_of({}) == places_of({"folders": 3}) == {}


@given(st.permutations(list(range(1, 200))), st.integers(1, 40))
def test_in_whatever_order_mails_show_within_the_overlap_each_is_new_once(order: list[int], window: int) -> None:
    """Shuffled only as far as the overlap reaches, and read in goes of any size."""
    arrivals = sorted(range(1, 200), key=lambda uid: uid + order[uid - 1] % OVERLAP)
    place, there, taken = new_place(7, NOW), set[int](), list[int]()
    for at in range(0, len(arrivals), window):
        there.update(arrivals[at : at + window])
        for uid in place.new(sorted(uid for uid in there if uid >= place.first)):
            taken.append(uid)
            place = place.read(uid)
        place = places_of(json.loads(json.dumps(mark_of({"INBOX": place}))))["INBOX"]
    assert sorted(taken) == list(range(1, 200))
    assert len(place.known) <= OVERLAP
