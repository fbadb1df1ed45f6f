"""The field story, on the ready journey that tells it: an email, two days, booked? stop, else a text, in clinic
hours in that clinic's zone; for those who missed their first appointment, at two clinics in two zones,
over a clock change.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.shop import PRACTICE, Shop

STARTED = datetime(2027, 3, 12, 19, 0, tzinfo=UTC)  # Friday: 11:00 in Portland, 14:00 in Troy
CLOCKS_CHANGE = datetime(2027, 3, 14, 10, 0, tzinfo=UTC)  # Sunday, in Portland; three hours earlier in Troy
BOTH_OPEN = datetime(2027, 3, 15, 17, 0, tzinfo=UTC)

CLINICS = """format: stopwell.practice/1
name: Fernhollow Physical Therapy
short_name: Fernhollow PT
country: US
region: OR
postal_address: 1200 Harbor Lane, Portland, OR 97200
---
format: stopwell.location/1
name: Portland
zone: America/Los_Angeles
hours: {mon: [["09:00", "17:00"]], thu: [["09:00", "17:00"]], fri: [["09:00", "17:00"]]}
phone: "+15035550100"
email: portland@example.com
---
format: stopwell.location/1
name: Troy
zone: America/New_York
region: NY
hours: {mon: [["09:30", "17:00"]], thu: [["09:00", "17:00"]], fri: [["09:00", "17:00"]]}
phone: "+15185550100"
email: troy@example.com
"""
PEOPLE = """First name,Last name,Email,Phone,Location
Ana,Ruiz,ana@example.com,(503) 555-0101,Portland
Ben,Stone,ben@example.com,(518) 555-0102,Troy
Cara,Lund,cara@example.com,(518) 555-0103,Troy
Dan,Marsh,dan@example.com,(503) 555-0104,Portland
"""
RECORDS = """person,kind,status,external_id,label,starts_at
ana@example.com,appointment,missed,visit-1,first,2027-03-11T10:00:00-08:00
ben@example.com,appointment,missed,visit-2,first,2027-03-11T10:00:00-05:00
cara@example.com,appointment,missed,visit-3,first,2027-03-11T11:00:00-05:00
dan@example.com,appointment,missed,visit-4,checkup,2027-03-11T11:00:00-08:00
"""


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    """Two clinics with the ready journey live, and three people in it who missed their first appointment."""
    shop = Shop(tmp_path / "data")
    shop.done("init", *PRACTICE)
    shop.done("apply", shop.write("clinics.yaml", CLINICS))
    shop.done("library", "add", "missed-first-appointment")
    shop.import_people(PEOPLE)
    shop.done("import", "records", shop.write("records.csv", RECORDS))
    shop.done("publish", "Missed first appointment")
    enrolled = shop.json(
        "enroll", "Missed first appointment", "--group", "missed-first-appointment", "--at", STARTED.isoformat()
    )
    assert [each["person"] for each in enrolled["started"]] == [1, 2, 3]
    return shop


def _pass_until(shop: Shop, at: datetime, end: datetime, step: timedelta) -> None:
    while at <= end:
        shop.done("tick", "--at", at.isoformat())
        at += step


def test_an_email_two_days_and_then_a_text_in_each_clinics_own_hours_over_the_change_of_the_clocks(shop: Shop) -> None:
    _pass_until(shop, STARTED, STARTED, timedelta(hours=1))
    shop.done("event", "booked", "--person", "cara@example.com")
    _pass_until(shop, STARTED + timedelta(hours=6), CLOCKS_CHANGE + timedelta(hours=24), timedelta(hours=6))
    _pass_until(shop, datetime(2027, 3, 15, 13, 0, tzinfo=UTC), BOTH_OPEN, timedelta(minutes=30))

    said = sorted((each["person"], each["step"], each["accepted_at"]) for each in shop.json("messages"))
    assert said == [
        (1, "nudge", "2027-03-15T16:00:00Z"),  # 09:00 in Portland, an hour earlier than on Friday's clock
        (1, "sorry-we-missed-you", "2027-03-12T19:00:00Z"),
        (2, "nudge", "2027-03-15T13:30:00Z"),  # 09:30 in Troy
        (2, "sorry-we-missed-you", "2027-03-12T19:00:00Z"),
        (3, "sorry-we-missed-you", "2027-03-12T19:00:00Z"),
    ]
    (cara,) = shop.json("person", "cara@example.com")["enrollments"]
    assert cara["state"] == "converted"


def test_it_ends_for_everybody_and_says_no_more_than_was_proven(shop: Shop) -> None:
    _pass_until(shop, STARTED, STARTED + timedelta(days=20), timedelta(hours=7))
    for email in ("ana@example.com", "ben@example.com", "cara@example.com"):
        (mine,) = shop.json("person", email)["enrollments"]
        assert mine["state"] == "exhausted"
    assert len(shop.json("messages")) == 3 * 3
    assert shop.json("queue") == []
    assert shop.json("person", "dan@example.com")["enrollments"] == []
