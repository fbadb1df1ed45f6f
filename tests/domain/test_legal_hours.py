from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from app.domain.hours import parse_hours
from app.domain.ids import StepId
from app.domain.journey import EndStep, SendHours, SmsStep, Step
from app.domain.legal_hours import legal_hours
from app.domain.legal_hours_cap import phone_cap
from app.domain.legal_hours_rules import NoRules
from app.domain.reasons import Why
from app.domain.snapshot import Snapshot
from app.domain.states import Channel, End, Purpose
from app.domain.verdict import Hold, Pass, Verdict
from tests.seen import at_step, message, person, snapshot

# 555 numbers of one place each
NEW_YORK, CHICAGO, SEATTLE, DALLAS, PENSACOLA = (
    "+12125550142",
    "+13125550142",
    "+12065550142",
    "+12145550142",
    "+18505550142",
)
HARTFORD, TULSA, MOBILE, PROVIDENCE, PHILADELPHIA = (
    "+18605550142",
    "+19185550142",
    "+12515550142",
    "+14015550142",
    "+12155550142",
)
TORONTO, LONDON, SYDNEY, TOLL_FREE, BERLIN = (
    "+14165550142",
    "+442079460018",
    "+61255501234",
    "+18005550142",
    "+493023125100",
)
EVERY_DAY = {day: [["00:00", "24:00"]] for day in ("mon", "tue", "wed", "thu", "fri", "sat", "sun")}


def at(wall: str, zone: str, **more: object) -> datetime:
    """The instant at which the clock of `zone` shows `wall`."""
    return datetime.fromisoformat(wall).replace(tzinfo=ZoneInfo(zone), **more).astimezone(UTC)  # type: ignore[arg-type]


def seen(
    phone: str | None,
    now: datetime,
    *,
    purpose: Purpose = Purpose.MARKETING,
    hours: SendHours = SendHours.ANY,
    channel: Channel = Channel.SMS,
    **custom: str,
) -> Snapshot:
    """A text that is due now, at any hour unless told otherwise."""
    there = at_step("nudge")
    assert there.journey is not None
    steps: dict[StepId, Step] = {
        StepId("nudge"): SmsStep(StepId("nudge"), "nudge", StepId("done"), hours=hours),
        StepId("done"): EndStep(StepId("done"), End.EXHAUSTED),
    }
    journey = replace(there.journey.journey, purpose=purpose, steps=steps, start=StepId("nudge"))
    return replace(
        there,
        now=now,
        person=person(phone=phone, custom=custom),
        journey=replace(there.journey, journey=journey, templates={}),
        message=message(step=StepId("nudge"), channel=channel),
    )


def passes(verdict: Verdict) -> bool:
    return isinstance(verdict, Pass)


def until(verdict: Verdict) -> datetime | None:
    assert isinstance(verdict, Hold)
    assert verdict.why is Why.QUIET_HOURS
    return verdict.until


# the first and the last minute of each row, on the clock where the number is (2026-03-02 is a Monday)
@pytest.mark.parametrize(
    ("phone", "zone", "first", "last"),
    [
        (NEW_YORK, "America/New_York", "2026-03-02T08:00", "2026-03-02T20:54"),
        (NEW_YORK, "America/New_York", "2026-03-01T08:00", "2026-03-01T20:54"),
        (SEATTLE, "America/Los_Angeles", "2026-03-02T08:00", "2026-03-02T19:54"),
        (HARTFORD, "America/New_York", "2026-03-02T09:00", "2026-03-02T19:54"),
        (TULSA, "America/Chicago", "2026-03-02T08:00", "2026-03-02T19:54"),
        (MOBILE, "America/Chicago", "2026-03-02T08:00", "2026-03-02T19:54"),
        (PROVIDENCE, "America/New_York", "2026-03-02T09:00", "2026-03-02T17:54"),
        (PROVIDENCE, "America/New_York", "2026-03-01T10:00", "2026-03-01T16:54"),
        (PHILADELPHIA, "America/New_York", "2026-03-07T10:00", "2026-03-07T11:54"),
        (LONDON, "Europe/London", "2026-03-02T09:00", "2026-03-02T19:54"),
        (LONDON, "Europe/London", "2026-03-07T09:00", "2026-03-07T19:54"),
        # no row for the country: the safe window
        (BERLIN, "Europe/Berlin", "2026-03-02T10:00", "2026-03-02T17:54"),
        (BERLIN, "Europe/Berlin", "2026-03-07T10:00", "2026-03-07T16:54"),
        # zones of two clocks: from the first hour of the later one to the last of the earlier
        (PENSACOLA, "America/Chicago", "2026-03-02T08:00", "2026-03-02T18:54"),
        (DALLAS, "America/Denver", "2026-03-02T09:00", "2026-03-02T19:54"),
        (DALLAS, "America/Denver", "2026-03-01T12:00", "2026-03-01T19:54"),
        (TORONTO, "America/Winnipeg", "2026-03-02T09:00", "2026-03-02T20:24"),
        (TORONTO, "America/Winnipeg", "2026-03-07T10:00", "2026-03-07T16:54"),
    ],
)
def test_i06_marketing_goes_from_the_first_to_the_last_minute_of_its_row(
    phone: str, zone: str, first: str, last: str
) -> None:
    opens, closes = at(first, zone), at(last, zone)
    assert not passes(legal_hours(seen(phone, opens - timedelta(minutes=1))))
    assert until(legal_hours(seen(phone, opens - timedelta(minutes=1)))) == opens
    assert passes(legal_hours(seen(phone, opens)))
    assert passes(legal_hours(seen(phone, closes)))
    assert not passes(legal_hours(seen(phone, closes + timedelta(minutes=1))))


@pytest.mark.parametrize(
    ("phone", "zone", "day", "opens"),
    [
        (MOBILE, "America/Chicago", "2026-03-01", "2026-03-02T08:00"),  # Sunday
        (MOBILE, "America/Chicago", "2026-07-04", "2026-07-06T08:00"),  # a holiday, then Sunday
        (PHILADELPHIA, "America/New_York", "2026-03-01", "2026-03-02T10:00"),
        (LONDON, "Europe/London", "2026-03-01", "2026-03-02T09:00"),  # Sundays in the United Kingdom
        (
            LONDON,
            "Europe/London",
            "2026-12-25",
            "2026-12-29T09:00",
        ),  # Boxing Day and its substitute, in between a Sunday
        (LONDON, "Europe/London", "2026-11-30", "2026-12-01T09:00"),  # Saint Andrew's Day, in Scotland
        (BERLIN, "Europe/Berlin", "2026-05-01", "2026-05-02T10:00"),
    ],
)
def test_a_day_without_legal_hours_is_passed_over(phone: str, zone: str, day: str, opens: str) -> None:
    assert until(legal_hours(seen(phone, at(f"{day}T13:00", zone)))) == at(opens, zone)


def test_texas_on_sunday_waits_for_noon_on_both_clocks() -> None:
    noon_in_dallas = at("2026-03-01T12:00", "America/Chicago")
    assert until(legal_hours(seen(DALLAS, noon_in_dallas))) == noon_in_dallas + timedelta(hours=1)


def test_texas_keeps_to_central_time_even_for_someone_known_to_be_in_el_paso() -> None:
    evening = at("2026-03-02T20:30", "America/Denver")
    assert until(legal_hours(seen("+19155550142", evening, zone="America/Denver"))) == at(
        "2026-03-03T09:00", "America/Denver"
    )


def test_care_goes_from_eight_to_nine_everywhere_whatever_the_row_says() -> None:
    for phone, zone in ((HARTFORD, "America/New_York"), (LONDON, "Europe/London"), (MOBILE, "America/Chicago")):
        sunday = at("2026-03-01T08:00", zone)
        assert not passes(legal_hours(seen(phone, sunday)))
        assert passes(legal_hours(seen(phone, sunday, purpose=Purpose.CARE)))
        assert not passes(legal_hours(seen(phone, sunday - timedelta(minutes=1), purpose=Purpose.CARE)))
        assert not passes(legal_hours(seen(phone, at("2026-03-01T21:00", zone), purpose=Purpose.CARE)))


def test_a_marketing_template_in_a_care_journey_is_marketing() -> None:
    there = seen(HARTFORD, at("2026-03-02T08:30", "America/New_York"), purpose=Purpose.CARE)
    assert passes(legal_hours(there))
    assert there.journey is not None
    templates = at_step("nudge").journey
    assert templates is not None
    marketing = replace(there, journey=replace(there.journey, templates=templates.templates))
    assert not passes(legal_hours(marketing))


def test_what_staff_wrote_by_hand_is_care() -> None:
    by_hand = replace(seen(HARTFORD, at("2026-03-02T08:30", "America/New_York")), journey=None, enrollment=None)
    assert passes(legal_hours(by_hand))


def test_email_has_no_legal_hours() -> None:
    assert legal_hours(snapshot(now=at("2026-03-02T03:00", "America/Los_Angeles"))) == Pass("none for email")


def test_a_text_ends_five_minutes_before_quiet_hours_and_a_call_fifteen() -> None:
    nine = at("2026-03-02T21:00", "America/New_York")
    for channel, minutes in ((Channel.SMS, 5), (Channel.CALL, 15)):
        guard = timedelta(minutes=minutes)
        assert not passes(legal_hours(seen(NEW_YORK, nine - guard, channel=channel)))
        assert passes(legal_hours(seen(NEW_YORK, nine - guard - timedelta(seconds=1), channel=channel)))


def test_the_recipients_clock_counts_and_never_the_locations() -> None:
    """A number of Pensacola with a location in New York: eight there is nine here, or eight in Florida's east."""
    eight_in_new_york = at("2026-03-02T08:00", "America/New_York")
    here = seen(PENSACOLA, eight_in_new_york, hours=SendHours.CLINIC)
    week = parse_hours("America/New_York", EVERY_DAY)
    here = replace(here, location=replace(here.location, hours=week))
    assert until(legal_hours(here)) == eight_in_new_york + timedelta(hours=1)
    assert passes(legal_hours(replace(here, now=eight_in_new_york + timedelta(hours=1))))


def test_a_zone_set_by_hand_takes_the_place_of_the_numbers() -> None:
    eight_in_new_york = at("2026-03-02T08:00", "America/New_York")
    assert passes(legal_hours(seen(PENSACOLA, eight_in_new_york, zone="America/New_York")))
    assert not passes(legal_hours(seen(NEW_YORK, eight_in_new_york, zone="America/Denver")))


@pytest.mark.parametrize("phone", [TOLL_FREE, "+61412345678", "+80012345678", None])
def test_where_the_number_leaves_no_hour_staff_are_asked_for_the_zone(phone: str | None) -> None:
    verdict = legal_hours(seen(phone, at("2026-03-02T12:00", "America/Chicago"), hours=SendHours.CLINIC))
    assert isinstance(verdict, Hold)
    assert (verdict.until, verdict.why) == (None, Why.ZONE_UNKNOWN)


def test_a_toll_free_number_goes_once_its_zone_is_known() -> None:
    noon = at("2026-03-02T12:00", "America/Chicago")
    known = legal_hours(seen(TOLL_FREE, noon, time_zone="America/Chicago"))
    assert known == Pass("10:00-18:00 for an unknown state; 1 zone; rules of 2026-11")


def test_care_by_a_toll_free_number_has_two_and_a_half_hours_in_winter_and_goes_in_them() -> None:
    opens, closes = datetime(2026, 1, 12, 22, 0, tzinfo=UTC), datetime(2026, 1, 13, 0, 30, tzinfo=UTC)
    for instant, legal in (
        (opens - timedelta(minutes=1), False),
        (opens, True),
        (closes - timedelta(minutes=6), True),
        (closes - timedelta(minutes=5), False),
    ):
        verdict = legal_hours(seen(TOLL_FREE, instant, purpose=Purpose.CARE))
        assert passes(verdict) is legal
        if not legal:
            assert until(verdict) is not None


def test_less_than_an_hour_a_day_that_doubt_leaves_is_no_hour() -> None:
    """In summer an hour and a half is left; a clinic that is open for half of it leaves too little."""
    noon = datetime(2026, 7, 13, 12, 0, tzinfo=UTC)
    here = seen(TOLL_FREE, noon, purpose=Purpose.CARE, hours=SendHours.CLINIC)
    for closes, left in (("23:30", True), ("22:45", False)):
        week = parse_hours("UTC", {day: [["20:00", closes]] for day in EVERY_DAY})
        verdict = legal_hours(replace(here, location=replace(here.location, hours=week)))
        assert isinstance(verdict, Hold)
        assert (verdict.why is Why.QUIET_HOURS) is left


def test_a_hold_ends_when_it_is_legal_and_the_clinic_is_open() -> None:
    """Seattle closes at 20:00, the clinic in Maine at 18:00 on its own clock: the two meet next morning."""
    week = parse_hours("America/New_York", {day: [["07:00", "18:00"]] for day in ("mon", "wed")})
    early = seen(SEATTLE, at("2026-03-02T07:30", "America/New_York"), hours=SendHours.CLINIC)
    early = replace(early, location=replace(early.location, hours=week))
    assert until(legal_hours(early)) == at("2026-03-02T11:00", "America/New_York")

    evenings = parse_hours("America/New_York", {day: [["21:00", "23:30"]] for day in ("mon", "wed")})
    night = replace(early, now=at("2026-03-02T23:02", "America/New_York"))
    night = replace(night, location=replace(night.location, hours=evenings))
    assert until(legal_hours(night)) == at("2026-03-04T21:00", "America/New_York")


def test_hours_that_are_never_legal_are_told_as_that() -> None:
    sundays = parse_hours("Europe/London", {"sun": [["10:00", "16:00"]]})
    here = seen(LONDON, at("2026-03-01T12:00", "Europe/London"), hours=SendHours.CLINIC, zone="Europe/London")
    verdict = legal_hours(replace(here, location=replace(here.location, hours=sundays)))
    assert isinstance(verdict, Hold)
    assert (verdict.until, verdict.why, verdict.facts) == (None, Why.NEVER_LEGAL, {"location": "Portland"})


@pytest.mark.parametrize(
    ("zone", "before", "opens"),
    [
        # the night on which clocks go forward, and the one on which they go back
        ("America/New_York", "2026-03-07T21:30", "2026-03-08T08:00"),
        ("America/New_York", "2026-10-31T21:30", "2026-11-01T08:00"),
        ("Europe/London", "2026-03-28T20:30", "2026-03-30T09:00"),
    ],
)
def test_the_nights_on_which_clocks_change_end_at_the_right_instant(zone: str, before: str, opens: str) -> None:
    phone = NEW_YORK if zone == "America/New_York" else LONDON
    assert until(legal_hours(seen(phone, at(before, zone)))) == at(opens, zone)


def test_without_rules_nothing_goes_by_phone_and_email_does() -> None:
    there = replace(seen(NEW_YORK, at("2026-03-02T12:00", "America/New_York")), rules=NoRules("it is gone"))
    verdict = legal_hours(there)
    assert isinstance(verdict, Hold)
    assert (verdict.until, verdict.why) == (None, Why.RULES_UNREADABLE)
    assert passes(legal_hours(replace(snapshot(), rules=NoRules("it is gone"))))


def test_what_is_kept_names_window_place_zones_and_rules_and_nobody() -> None:
    verdict = legal_hours(seen(PENSACOLA, at("2026-03-02T12:00", "America/New_York")))
    assert verdict == Pass("08:00-20:00 for FL; 2 zones; rules of 2026-11")
    sunday = legal_hours(seen(MOBILE, at("2026-03-01T12:00", "America/Chicago")))
    assert sunday.saw == "outside no hour that day for AL; 1 zone; rules of 2026-11"


# at most three in any 24 hours


def sent(*hours_ago: float, now: datetime, **more: object) -> Snapshot:
    there = seen(NEW_YORK, now, **more)  # type: ignore[arg-type]
    return replace(there, phone_sent_at=tuple(sorted(now - timedelta(hours=each) for each in hours_ago)))


def test_a_fourth_text_or_call_in_24_hours_waits_until_the_first_is_a_day_old() -> None:
    now = at("2026-03-02T12:00", "America/New_York")
    assert phone_cap(sent(1, 2, now=now)) is None
    assert phone_cap(sent(1, 2, 24, now=now)) is None
    hold = phone_cap(sent(1, 2, 23, 25, now=now))
    assert hold == Hold(now + timedelta(hours=1), Why.PHONE_CAP, {"count": "3"}, "3 by phone in 24 hours")


def test_the_cap_by_phone_counts_for_care_and_calls_and_not_for_email() -> None:
    now = at("2026-03-02T12:00", "America/New_York")
    assert phone_cap(sent(1, 2, 3, now=now, purpose=Purpose.CARE)) is not None
    assert phone_cap(sent(1, 2, 3, now=now, channel=Channel.CALL)) is not None
    assert phone_cap(sent(1, 2, 3, now=now, channel=Channel.EMAIL)) is None


def test_more_than_three_of_before_lift_one_after_another() -> None:
    now = at("2026-03-02T12:00", "America/New_York")
    hold = phone_cap(sent(1, 2, 3, 20, 21, now=now))
    assert hold is not None
    assert hold.until == now + timedelta(hours=21)
