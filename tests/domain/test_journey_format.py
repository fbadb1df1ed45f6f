"""The one validator of a journey: everything wrong is told at once, with line and way out."""

from __future__ import annotations

import json
from datetime import time, timedelta

import pytest

from app.domain.documents import read_documents
from app.domain.errors import DocumentError
from app.domain.ids import StepId
from app.domain.journey import (
    ALWAYS_ENDS,
    CallBy,
    CallStep,
    ContactStep,
    EmailStep,
    Ends,
    EndStep,
    Enter,
    EntryPer,
    Journey,
    OnBadAddress,
    RepeatStep,
    SendHours,
    SmsStep,
    SplitStep,
    TaskStep,
    WaitStep,
    Way,
    exits,
    kind_of,
)
from app.domain.journey_format import read_journey
from app.domain.record import RecordKind
from app.domain.states import Channel, End, Purpose
from app.domain.waits import BusinessDays, Calendar

WHOLE = """format: stopwell.journey/1
name: New lead
purpose: marketing            # marketing | care
ends:
  replied: true
  converted: {when: {record: appointment, status: booked, since: enrollment}}
  closed: {when: {field: person.status, is: lost}}
enter: {group: new-web-leads, per: person, again: never}
start: hello
steps:
  hello: {do: email, template: hello, next: two-days}
  two-days: {do: wait, for: {days: 2, at: "09:30"}, next: booked}
  booked: {do: branch, if: {record: appointment, status: booked, since: enrollment}, yes: won, no: nudge}
  nudge: {do: sms, template: nudge, hours: any, useless_after: {days: 3}, on_bad_address: skip, next: ring}
  ring: {do: call, script: ring-script, by: staff, tries: 2, every: {hours: 4}, next: last-wait}
  last-wait: {do: wait_for, if: {record: appointment, status: booked}, up_to: {days: 5}, yes: won, no: insurer}
  insurer: {do: task, note: Phone the insurer, up_to: {business_days: 2}, next: halves}
  halves: {do: split, ways: [{percent: 40, next: again}, {percent: 60, next: done}]}
  again: {do: repeat, times: 3, back_to: nudge, next: done}
  won: {do: end, as: converted}
  done: {do: end, as: exhausted}
"""


def read(text: str) -> Journey:
    [raw] = read_documents(text, "lead.yaml")
    return read_journey(raw)


def problems(text: str) -> list[str]:
    with pytest.raises(DocumentError) as refused:
        read(text)
    return [problem.told() for problem in refused.value.problems]


def changed(line: str, to: str) -> str:
    assert WHOLE.count(line) == 1, line
    return WHOLE.replace(line, to)


def test_every_kind_of_step_is_read() -> None:
    journey = read(WHOLE)

    assert (journey.name, journey.purpose, journey.start) == ("New lead", Purpose.MARKETING, "hello")
    assert journey.enter == Enter("new-web-leads", EntryPer.PERSON, None)
    assert journey.ends.replied
    assert list(journey.steps) == [
        "hello", "two-days", "booked", "nudge", "ring", "last-wait", "insurer", "halves", "again", "won", "done",
    ]  # fmt: skip
    assert journey.steps[StepId("hello")] == EmailStep(StepId("hello"), "hello", StepId("two-days"))
    assert journey.steps[StepId("two-days")] == WaitStep(StepId("two-days"), Calendar(2, time(9, 30)), StepId("booked"))
    assert journey.steps[StepId("nudge")] == SmsStep(
        StepId("nudge"), "nudge", StepId("ring"), SendHours.ANY, timedelta(days=3), OnBadAddress.SKIP
    )
    assert journey.steps[StepId("ring")] == CallStep(
        StepId("ring"), "ring-script", StepId("last-wait"), CallBy.STAFF, 2, timedelta(hours=4)
    )
    assert journey.steps[StepId("insurer")] == TaskStep(
        StepId("insurer"), "Phone the insurer", StepId("halves"), BusinessDays(2)
    )
    assert journey.steps[StepId("halves")] == SplitStep(
        StepId("halves"), (Way(40, StepId("again")), Way(60, StepId("done")))
    )
    assert journey.steps[StepId("again")] == RepeatStep(StepId("again"), 3, StepId("nudge"), StepId("done"))
    assert journey.steps[StepId("done")] == EndStep(StepId("done"), End.EXHAUSTED)
    assert journey.templates() == ("hello", "nudge", "ring-script")
    assert journey.terminal_set == frozenset(End)


def test_clinic_hours_and_ending_on_a_bad_address_are_the_defaults_of_all_three_channels() -> None:
    journey = read(
        changed("hours: any, useless_after: {days: 3}, on_bad_address: skip, ", "").replace(
            ", by: staff, tries: 2, every: {hours: 4}", ""
        )
    )
    contacts = [step for step in journey.steps.values() if isinstance(step, ContactStep)]
    assert [step.channel for step in contacts] == [Channel.EMAIL, Channel.SMS, Channel.CALL]
    assert {step.hours for step in contacts} == {SendHours.CLINIC}
    assert {step.on_bad_address for step in contacts} == {OnBadAddress.END}
    assert {step.useless_after for step in contacts} == {None}


def test_the_four_ends_that_always_are_stand_in_every_terminal_set() -> None:
    journey = read(
        "format: stopwell.journey/1\nname: x\npurpose: care\nends: {replied: false}\nstart: a\n"
        "steps: {a: {do: end, as: exhausted}}\n"
    )
    assert journey.terminal_set == ALWAYS_ENDS
    assert journey.ends == Ends(replied=False)
    assert journey.enter is None


def test_a_condition_left_out_of_the_ends_and_never_are_the_same() -> None:
    said = changed("closed: {when: {field: person.status, is: lost}}", "closed: never")
    left_out = changed("  closed: {when: {field: person.status, is: lost}}\n", "")
    assert read(said) == read(left_out)
    assert read(said).ends.closed is None


def test_entry_per_record_and_again_after_days_are_read() -> None:
    journey = read(changed("per: person, again: never", "per: job, again: {after_days: 90}"))
    assert journey.enter == Enter("new-web-leads", EntryPer.JOB, 90)
    assert journey.enter.per.record_kind is RecordKind.JOB
    assert EntryPer.PERSON.record_kind is None


def test_unquoted_numbers_as_names_and_steps_are_text() -> None:
    journey = read(
        "format: stopwell.journey/1\nname: 2027\npurpose: care\nends: {replied: true}\nstart: 1\n"
        "steps:\n  1: {do: email, template: 7, next: 2}\n  2: {do: end, as: exhausted}\n"
    )
    assert (journey.name, journey.start, journey.templates()) == ("2027", "1", ("7",))


@pytest.mark.parametrize(
    ("line", "to", "words"),
    [
        ("name: New lead", "nmae: New lead", "lead.yaml:2 nmae: unknown key nmae. Did you mean name?"),
        ("name: New lead", "name: {}", "lead.yaml:2 name: {} should be text."),
        ("name: New lead", "name: ''", "lead.yaml:2 name: is empty."),
        (
            "purpose: marketing",
            "purpose: marketting",
            'purpose: "marketting" is not known here. Did you mean marketing?',
        ),
        ("purpose: marketing", "purpose:", "purpose: nothing is not known here. Known: marketing, care."),
        ("  replied: true\n", "", "lead.yaml:4 ends.replied: replied is missing."),
        ("replied: true", "replied: yes", 'ends.replied: "yes" should be true or false.'),
        ("replied: true", "relpied: true", "ends.relpied: unknown key relpied. Did you mean replied?"),
        (
            "converted: {when: {record: appointment, status: booked, since: enrollment}}",
            "converted: true",
            "ends.converted: should be a condition or never. Write {when: {...}}, or never.",
        ),
        (
            "converted: {when: {record: appointment, status: booked, since: enrollment}}",
            "converted: {record: appointment}",
            "ends.converted.record: unknown key record. Known here: when.",
        ),
        ("is: lost", "iss: lost", "ends.closed.when.iss: unknown key iss. Did you mean is?"),
        ("per: person", "per: persn", 'enter.per: "persn" is not known here. Did you mean person?'),
        (
            "again: never",
            "again: 90",
            "enter.again: should be never, or a number of days. Write {after_days: 90}, or never.",
        ),
        ("again: never", "again: {after_days: 0}", "enter.again.after_days: 0 should be at least 1."),
        ("again: never", "again: {after: 90}", "enter.again.after: unknown key after. Did you mean after_days?"),
        ("start: hello", "start: helo", "lead.yaml:9 start: there is no step called helo. Did you mean hello?"),
        ("start: hello\n", "", "start: start is missing."),
        (
            "next: two-days",
            "next: tow-days",
            "lead.yaml:11 steps.hello.next: there is no step called tow-days. Did you mean two-days?",
        ),
        (
            "yes: won, no: nudge",
            "yes: wno, no: nudge",
            "steps.booked.yes: there is no step called wno. Did you mean won?",
        ),
        ("back_to: nudge", "back_to: nugde", "steps.again.back_to: there is no step called nugde. Did you mean nudge?"),
        (
            "percent: 60, next: done",
            "percent: 60, next: dnoe",
            "steps.halves.ways.1.next: there is no step called dnoe.",
        ),
        ("percent: 60", "percent: 50", "steps.halves.ways: the ways add up to 90 percent. They should add up to 100."),
        ("percent: 60", "percent: 0", "steps.halves.ways.1.percent: 0 should be at least 1."),
        ("{do: email", "{do: e-mail", "steps.hello.do: do: e-mail is not a kind of step. Did you mean email?"),
        ("{do: email, ", "{", "steps.hello: does not say what to do. The kinds are email, sms, call, task, wait"),
        ("{do: email, template: hello, next: two-days}", "hello", "steps.hello: is not a step. Write a mapping"),
        ("template: hello", "templat: hello", "steps.hello.templat: unknown key templat. Did you mean template?"),
        ("template: hello, ", "", "steps.hello.template: template is missing."),
        ("hours: any", "hours: office", 'steps.nudge.hours: "office" is not known here. Known: clinic, any.'),
        ("on_bad_address: skip", "on_bad_address: skp", "Did you mean skip?"),
        ("useless_after: {days: 3}", "useless_after: 3", "steps.nudge.useless_after: should be a length of time."),
        (
            "useless_after: {days: 3}",
            "useless_after: {day: 3}",
            "steps.nudge.useless_after.day: unknown key day. Did you mean days?",
        ),
        ("for: {days: 2", "for: {dasy: 2", 'steps.two-days.for: "dasy" is not a key of a wait. Did you mean days?'),
        ("for: {days: 2", "for: {days: two", "steps.two-days.for.days"),
        ("up_to: {days: 5}", "up_to: {}", "steps.last-wait.up_to: the wait has no length."),
        ("tries: 2", "tries: 11", "steps.ring.tries: 11 should be at most 10."),
        ("tries: 2", 'tries: "2"', 'steps.ring.tries: "2" should be a whole number.'),
        (
            ", every: {hours: 4}",
            "",
            "steps.ring: every is missing: how far apart the tries are. Write every: {hours: 4}.",
        ),
        ("times: 3", "times: 11", "steps.again.times: 11 should be at most 10."),
        ("times: 3", "times: 1", "steps.again.times: 1 should be at least 2."),
        ("times: 3", "times: true", "steps.again.times: True should be a whole number."),
        (
            "as: converted",
            "as: replied",
            'steps.won.as: "replied" is not known here. Known: converted, exhausted, closed.',
        ),
        ("note: Phone the insurer", "note: ''", "steps.insurer.note: is empty."),
        ("  won: {", "  w/n: {", "w/n can't be the name of a step. Use letters, digits, - and _, at most 64."),
        (
            "ways: [{percent: 40, next: again}, {percent: 60, next: done}]",
            "ways: [{percent: 99, next: done}]",
            "steps.halves.ways: is too short: at least 2.",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_line_its_place_and_the_way_out(line: str, to: str, words: str) -> None:
    found = problems(changed(line, to))
    assert any(words in told for told in found), found
    assert all(told.startswith("lead.yaml:") for told in found)


def test_ends_come_first_and_their_absence_says_how_to_write_them() -> None:
    without = "format: stopwell.journey/1\nname: x\npurpose: care\nstart: a\nsteps: {a: {do: end, as: exhausted}}\n"
    assert problems(without) == [
        "lead.yaml:1: ends is missing: what ends it is chosen before the first step. "
        "Write the ends first, such as ends: {replied: true, converted: {when: ...}, closed: never}."
    ]


def test_every_problem_is_told_at_once_in_the_order_of_the_document() -> None:
    text = (
        changed("purpose: marketing", "purpose: x")
        .replace("is: lost", "is: []")
        .replace("template: hello", "templat: hello")
        .replace("next: booked", "next: boked")
        .replace("status: booked}, up_to: {days: 5}", "stats: booked}, up_to: 5, extra: 1")
        .replace("times: 3", "times: 30")
        .replace("as: converted", "as: won")
    )
    lines = [int(told.split(":")[1].split(" ")[0]) for told in problems(text)]
    assert lines == sorted(lines)
    assert lines == [3, 7, 11, 12, 16, 16, 16, 19, 20]


def test_another_kind_of_document_is_told_alone() -> None:
    assert problems("format: stopwell.group/1\nname: x\n") == [
        "lead.yaml:1 format: this is a group, not a journey. The first line of a journey is format: stopwell.journey/1"
    ]
    assert problems("format: stopwell.journey/1\n")[0].startswith("lead.yaml:1: ends is missing")


@pytest.mark.parametrize(
    "part",
    [
        "steps: []",
        "steps: {}",
        "steps: 7",
        "steps:",
        "steps: {a: }",
        "steps: {a: []}",
        "ends: []",
        "enter: 3",
        "start: {}",
    ],
)
def test_parts_of_the_wrong_kind_are_told(part: str) -> None:
    key = part.partition(":")[0]
    rows = {"name": "name: x", "purpose": "purpose: care", "ends": "ends: {replied: true}", "start": "start: a"}
    rows |= {"steps": "steps: {a: {do: end, as: exhausted}}"}
    text = "format: stopwell.journey/1\n" + "\n".join({**rows, key: part}.values()) + "\n"
    assert problems(text)


def test_five_hundred_steps_are_read_and_more_are_refused() -> None:
    def chain(count: int) -> str:
        steps = {f"s{n}": {"do": "email", "template": "x", "next": f"s{n + 1}"} for n in range(count - 1)}
        last = {f"s{count - 1}": {"do": "end", "as": "exhausted"}}
        return json.dumps(
            {
                "format": "stopwell.journey/1",
                "name": "x",
                "purpose": "care",
                "ends": {"replied": True},
                "start": "s0",
                "steps": steps | last,
            }
        )

    assert len(read(chain(500)).steps) == 500
    assert any("is too long: at most 500." in told for told in problems(chain(501)))


def test_exits_and_kinds_of_every_step_are_known() -> None:
    journey = read(WHOLE)
    assert [kind_of(step).value for step in journey.steps.values()] == [
        "email", "wait", "branch", "sms", "call", "wait_for", "task", "split", "repeat", "end", "end",
    ]  # fmt: skip
    assert exits(journey.steps[StepId("again")]) == ("nudge", "done")
    assert exits(journey.steps[StepId("halves")]) == ("again", "done")
    assert exits(journey.steps[StepId("last-wait")]) == ("won", "insurer")
    assert exits(journey.steps[StepId("done")]) == ()
