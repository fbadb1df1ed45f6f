"""The documents about a practice: what they give, and every wrong thing told with its line and the way out."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.domain.condition import parse_condition
from app.domain.documents import RawDocument, read_documents
from app.domain.errors import DocumentError
from app.domain.group import Enroll, Group
from app.domain.practice_documents import (
    Caps,
    LocationDocument,
    PracticeDocument,
    Sequence,
    SequenceStep,
    read_group,
    read_location,
    read_practice,
    read_sequence,
    read_template,
)
from app.domain.states import Channel, Purpose
from app.domain.template import Template

Reader = Callable[[RawDocument], object]

PRACTICE = """format: stopwell.practice/1
name: Fernhollow
country: US
region: or
postal_address: "1 Main St, Portland, OR 97201"
caps: {per_day: 2, per_week: 6}
"""
LOCATION = """format: stopwell.location/1
name: Portland
zone: America/Los_Angeles
hours: {mon: [["09:00", "12:30"], ["13:30", "17:00"]], tue: [[09:00, 17:00]]}
closures: [{date: 2026-12-24}, {date: 2026-12-31, from: "12:00", to: "24:00"}]
holidays: US-OR
phone: +15035550100
email: Portland@Example.com
"""
TEMPLATE = """format: stopwell.template/1
name: nudge
channel: sms
purpose: marketing
body: "Hi {{ person.first_name }}"
"""
GROUP = """format: stopwell.group/1
name: missed-first-appointment
match: {record: appointment, kind: first, status: missed, within: {days: 14}}
"""
SEQUENCE = """format: stopwell.sequence/1
name: Old welcome
steps:
  - {day: 2, channel: sms, body: "Hi"}
  - {day: 0, channel: email, template: hello}
"""
ALL: list[tuple[Reader, str]] = [
    (read_practice, PRACTICE),
    (read_location, LOCATION),
    (read_template, TEMPLATE),
    (read_group, GROUP),
    (read_sequence, SEQUENCE),
]


def one(text: str) -> RawDocument:
    [raw] = read_documents(text, "setup.yaml")
    return raw


def problems(reader: Reader, text: str) -> list[str]:
    with pytest.raises(DocumentError) as refused:
        reader(one(text))
    return [problem.told() for problem in refused.value.problems]


def test_a_practice_is_read() -> None:
    assert read_practice(one(PRACTICE)) == PracticeDocument(
        "Fernhollow", "Fernhollow", "US", "OR", "1 Main St, Portland, OR 97201", "", Caps(2, 6)
    )


def test_a_practice_says_its_name_and_the_rest_is_strict_or_empty() -> None:
    practice = read_practice(one("format: stopwell.practice/1\nname: Fernhollow\n"))
    assert practice == PracticeDocument("Fernhollow", "Fernhollow", "US", "", "", "", Caps(1, 3))


@pytest.mark.parametrize(
    ("caps", "read"), [("{}", Caps(1, 3)), ("{per_day: 5}", Caps(5, 5)), ("{per_week: 2}", Caps(1, 2))]
)
def test_a_cap_that_is_not_given_is_strict(caps: str, read: Caps) -> None:
    practice = read_practice(one(f"format: stopwell.practice/1\nname: Fernhollow\ncaps: {caps}\n"))
    assert practice.caps == read


def test_a_location_is_read_with_its_hours_closures_and_zone() -> None:
    location = read_location(one(LOCATION))

    assert isinstance(location, LocationDocument)
    assert (location.name, location.hours.zone, location.holidays) == ("Portland", "America/Los_Angeles", "US-OR")
    assert (location.phone, location.email, location.postal_address) == ("+15035550100", "portland@example.com", "")
    monday_noon = datetime(2026, 12, 21, 21, 0, tzinfo=UTC)  # 13:00 there
    assert not location.hours.is_open(monday_noon)
    assert location.hours.next_open(monday_noon) == datetime(2026, 12, 21, 21, 30, tzinfo=UTC)


def test_a_template_is_read_and_without_a_purpose_it_is_marketing() -> None:
    assert read_template(one(TEMPLATE)) == Template(
        "nudge", Channel.SMS, Purpose.MARKETING, "", "Hi {{ person.first_name }}"
    )
    unsaid = read_template(one(TEMPLATE.replace("purpose: marketing\n", "")))
    assert unsaid.purpose is Purpose.MARKETING


def test_a_group_is_read_with_how_it_enrolls() -> None:
    match = parse_condition({"record": "appointment", "kind": "first", "status": "missed", "within": {"days": 14}})
    assert read_group(one(GROUP)) == Group("missed-first-appointment", match)
    enrolling = read_group(one(GROUP + "enroll: {journey: New lead, existing: true}\n"))
    assert enrolling.enroll == Enroll("New lead", existing=True)


def test_a_sequence_is_read_in_the_order_of_its_days() -> None:
    assert read_sequence(one(SEQUENCE)) == Sequence(
        "Old welcome",
        (SequenceStep(0, Channel.EMAIL, "hello", "", ""), SequenceStep(2, Channel.SMS, "", "", "Hi")),
    )


@pytest.mark.parametrize(
    ("line", "to", "words"),
    [
        ("name: Fernhollow", "nam: Fernhollow", "setup.yaml:2 nam: unknown key nam. Did you mean name?"),
        ("country: US", "country: USA", "setup.yaml:3 country: “USA” is no country"),
        ("per_day: 2", "per_day: 0", "setup.yaml:6 caps.per_day: 0 should be at least 1."),
        ("per_day: 2", "per_dya: 2", "caps.per_dya: unknown key per_dya. Did you mean per_day?"),
        ("per_week: 6", "per_week: 1", "setup.yaml:6 caps: per_week is below per_day."),
        ("caps: {per_day: 2, per_week: 6}", "caps: many", 'caps: "many" should be a mapping (key: value).'),
        ("name: Fernhollow", "name: [a]", "setup.yaml:2 name: ['a'] should be text."),
        ("region: or", "website: fernhollow.example", "website: fernhollow.example is not a web address."),
    ],
)
def test_a_wrong_practice_is_told(line: str, to: str, words: str) -> None:
    found = problems(read_practice, PRACTICE.replace(line, to))
    assert any(words in told for told in found), found


@pytest.mark.parametrize(
    ("line", "to", "words"),
    [
        ("zone: America/Los_Angeles", "zone: America/NewYork", "Did you mean America/New_York?"),
        ("zone: America/Los_Angeles", "zone: Pacific", "Did you mean America/Los_Angeles?"),
        ("zone: America/Los_Angeles", "zone: 7", "setup.yaml:3 zone:"),
        ("zone: America/Los_Angeles\n", "", "zone: zone is missing."),
        (
            'hours: {mon: [["09:00", "12:30"], ["13:30", "17:00"]], tue: [[09:00, 17:00]]}',
            "hours: {mon: [], tue: []}",
            "setup.yaml:4 hours: no opening hours: nothing would ever be sent.",
        ),
        ("hours: {mon:", "hours: {monday:", '"monday" is not a weekday. Did you mean mon?'),
        ('"12:30"', '"25:30"', "setup.yaml:4 hours.mon.0"),
        ("date: 2026-12-24", "date: 2026-02-30", "setup.yaml:5 closures.0.date: 2026-02-30 is not in the calendar."),
        ("date: 2026-12-24", "dat: 2026-12-24", "closures.0"),
        ("holidays: US-OR", "holidays: oregon", "holidays: oregon is not a holiday calendar."),
        ("email: Portland@Example.com", "email: portland", "setup.yaml:8 email: portland is not an email address."),
        ("holidays: US-OR", "country: ZZ", "“ZZ” is no country"),
        ("phone:", "phon:", "phon: unknown key phon. Did you mean phone?"),
    ],
)
def test_a_wrong_location_is_told(line: str, to: str, words: str) -> None:
    found = problems(read_location, LOCATION.replace(line, to))
    assert any(words in told for told in found), found


def test_everything_wrong_with_a_location_is_told_at_once() -> None:
    text = (
        LOCATION.replace("America/Los_Angeles", "Mars").replace("mon:", "mno:").replace("email: Portland@", "email: ")
    )
    assert len(problems(read_location, text.replace("phone", "fone"))) >= 4


@pytest.mark.parametrize(
    ("reader", "text", "words"),
    [
        (read_template, TEMPLATE.replace("sms", "text"), 'channel: "text" is not known here. Known: email, sms, call.'),
        (read_template, TEMPLATE.replace("marketing", "markting"), "Did you mean marketing?"),
        (read_template, TEMPLATE.replace('"Hi {{ person.first_name }}"', "''"), "body: is empty."),
        (read_template, TEMPLATE + 'subject: "a\\nb"\n', "subject: a subject is one line."),
        (read_template, TEMPLATE.replace("body", "bdoy"), "bdoy: unknown key bdoy. Did you mean body?"),
        (read_group, GROUP.replace("missed,", "missed, stats: x,"), "match.stats: unknown key stats."),
        (
            read_group,
            GROUP.replace("within: {days: 14}", "since: enrollment"),
            "match.since: a group has no enrollment",
        ),
        (read_group, GROUP.replace("match:", "macth:"), "macth: unknown key macth. Did you mean match?"),
        (read_group, GROUP + "enroll: {jorney: x}\n", "enroll.jorney: unknown key jorney. Did you mean journey?"),
        (read_group, GROUP + "enroll: New lead\n", 'enroll: "New lead" should be a mapping (key: value).'),
        (read_sequence, SEQUENCE.replace("day: 2", "day: -1"), "steps.0.day: -1 should be at least 0."),
        (read_sequence, SEQUENCE.replace(", template: hello", ""), "steps.1: a step has either a template or a body."),
        (read_sequence, SEQUENCE.replace("channel: sms", "chanel: sms"), "Did you mean channel?"),
        (read_sequence, "format: stopwell.sequence/1\nname: x\nsteps: []\n", "steps: is empty."),
        (read_template, TEMPLATE.replace("name: nudge", 'name: "nud\\nge"'), "name: a name is one line."),
    ],
)
def test_a_wrong_template_group_or_sequence_is_told(reader: Reader, text: str, words: str) -> None:
    found = problems(reader, text)
    assert any(words in told for told in found), found


# ---- all of them


@pytest.mark.parametrize(("reader", "text"), ALL)
def test_a_document_of_another_kind_is_told_alone(reader: Reader, text: str) -> None:
    [told] = problems(reader, "format: stopwell.journey/1\nname: x\n")
    assert told.startswith("setup.yaml:1 format: this is a journey, not a ")


@pytest.mark.parametrize(("reader", "text"), ALL)
@pytest.mark.parametrize("junk", ["null", "[]", "{}", "3", "true", "x", "[{a: [b]}]", "{a: {b: c}}"])
def test_any_value_in_any_place_is_read_or_refused_with_words(reader: Reader, text: str, junk: str) -> None:
    raw = one(text)
    [value] = read_documents(f"format: stopwell.journey/1\nv: {junk}\n")
    for key in raw.data:
        changed = RawDocument({**raw.data, key: value.data["v"]}, "x", raw.lines)
        try:
            told = [str(reader(changed))]
        except DocumentError as refused:
            told = [problem.told() for problem in refused.problems]
        assert all(told), key


def test_the_made_up_practice_has_three_locations_in_two_zones() -> None:
    file = Path(__file__).parents[2] / "resources" / "practice" / "sample.yaml"
    practice, *locations = read_documents(file.read_bytes(), file.name)

    assert read_practice(practice).short_name == "Fernhollow PT"
    read = [read_location(raw) for raw in locations]
    assert [(place.name, place.hours.zone) for place in read] == [
        ("Portland", "America/Los_Angeles"),
        ("Bend", "America/Los_Angeles"),
        ("Boise", "America/Boise"),
    ]
    monday = datetime(2027, 1, 11, 18, 42, tzinfo=UTC)  # 10:42 in Portland
    assert [place.hours.is_open(monday) for place in read] == [True, False, True]
    assert read[1].hours.next_open(monday) == datetime(2027, 1, 12, 17, 0, tzinfo=UTC)


def test_a_practice_says_what_is_overdue_and_whether_journeys_take_turns() -> None:
    """The rule is three days, and one marketing journey at a time."""
    told = read_practice(one(PRACTICE + "overdue_after: {days: 5}\none_marketing_journey: false\n"))
    assert (told.overdue_days, told.one_marketing) == (5, False)
    plain = read_practice(one("format: stopwell.practice/1\nname: Fernhollow\n"))
    assert (plain.overdue_days, plain.one_marketing) == (3, True)


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("overdue_after: {days: 0}", "overdue_after.days"),
        ("overdue_after: {days: 91}", "overdue_after.days"),
        ("overdue_after: 3", "overdue_after"),
        ("overdue_afer: {days: 3}", "Did you mean overdue_after?"),
        ("one_marketing_journey: sometimes", "one_marketing_journey"),
    ],
)
def test_a_wrong_limit_is_told_with_its_key(written: str, words: str) -> None:
    (told,) = problems(read_practice, f"format: stopwell.practice/1\nname: Fernhollow\n{written}\n")
    assert words in told
