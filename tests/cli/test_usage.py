from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from app.cli.usage import UsageError, day_or_instant, instant, one_of, seconds, whole


def test_a_time_with_its_offset_is_an_instant() -> None:
    assert instant("2027-01-05T13:30:45-08:00", "--at") == datetime(2027, 1, 5, 21, 30, 45, tzinfo=UTC)
    assert instant(" 2027-01-05T21:30Z ", "--at") == datetime(2027, 1, 5, 21, 30, tzinfo=UTC)


@pytest.mark.parametrize("text", ["2027-01-05T13:30", "2027-01-05", "tomorrow", "", "0001-01-01T00:00:00+14:00"])
def test_a_time_without_a_zone_is_none(text: str) -> None:
    with pytest.raises(UsageError, match="--at: "):
        instant(text, "--at")


@pytest.mark.parametrize("text", ["9999-12-31T23:59:59Z", "2200-01-01T00:00:00Z", "1899-12-31T23:59:59+00:00"])
def test_a_time_from_which_nothing_can_be_counted_is_none(text: str) -> None:
    with pytest.raises(UsageError, match=r"--at: .* is out of the calendar: 1900 to 2199\."):
        instant(text, "--at")
    with pytest.raises(UsageError, match="out of the calendar"):
        day_or_instant(text[:10], "--until")


def test_a_hold_ends_on_a_day_or_at_an_instant() -> None:
    assert day_or_instant("2027-01-05", "--until") == date(2027, 1, 5)
    assert day_or_instant("2027-01-05T09:00:00Z", "--until") == datetime(2027, 1, 5, 9, tzinfo=UTC)
    with pytest.raises(UsageError):
        day_or_instant("2027-02-30", "--until")


def test_a_wrong_word_is_told_with_the_nearest() -> None:
    assert one_of("booked", ["booked", "paid"], "KIND") == "booked"
    with pytest.raises(UsageError, match=r"KIND: bookd is not known\. Did you mean booked"):
        one_of("bookd", ["booked", "paid"], "KIND")
    with pytest.raises(UsageError, match="Known: booked, paid"):
        one_of("xyz", ["booked", "paid"], "KIND")


@pytest.mark.parametrize("text", ["0", "-1", "nan", "inf", "1e99", "soon"])
def test_a_length_of_time_is_some_seconds(text: str) -> None:
    assert seconds("1.5", "--for") == 1.5
    with pytest.raises(UsageError):
        seconds(text, "--for")


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "٣", "x", "99999999999999999999"])
def test_an_id_is_a_whole_number(text: str) -> None:
    assert whole("12", "ID") == 12
    with pytest.raises(UsageError):
        whole(text, "ID")


def test_a_number_that_no_id_has_is_not_called_none() -> None:
    assert whole(str(2**63 - 1), "ID") == 2**63 - 1
    for text in ("0", str(2**63), "9" * 5000):
        with pytest.raises(UsageError, match="is no number that is ever given here") as refused:
            whole(text, "ID")
        assert len(str(refused.value)) < 80
    with pytest.raises(UsageError, match="--solve: nothing is not a whole number"):
        whole("", "--solve")
