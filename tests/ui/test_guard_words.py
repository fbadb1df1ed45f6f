"""Every guard has its name, and everything that a guard can see has its words."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib import import_module

import pytest

from app.domain import fill
from app.domain.guards import GUARDS
from app.domain.lines import TraceLine
from app.domain.states import Channel
from app.engine import permit
from app.ui.guard_words import SAW, guard_name, saw_words
from app.ui.words import Where

WHERE = Where("America/Los_Angeles", datetime(2026, 3, 2, 18, 0, tzinfo=UTC))

# what stands in the places of the guards' own words, by the expression there
SAMPLES = {
    "seen.enrollment.entered_at.date().isoformat()": "2025-11-03",
    "seen.journey.state.value": "live",
    "seen.journey.number": "4",
    "seen.person.contact.value": "open",
    "seen.enrollment.state.value": "active",
    "seen.enrollment.step": "still-here",
    "seen.unread_stops": "2",
    "purpose.value": "marketing",
    "channel.value": "email",
    "consent.given_at.date().isoformat()": "2026-02-03",
    "used": "3",
    "used + 1": "3",
    "seen.enrollment.send_budget": "5",
    "until.isoformat()": "2026-03-01T18:00:00+00:00",
    "len(sent_today)": "1",
    "_words(seen.now - since)": "20 min",
    "_words(late)": "4 days",
    "first.journey": "New lead",
    "since.isoformat()": "2026-03-02T16:00:00+00:00",
    "len(sent_in_week)": "6",
    "seen.practice.per_day": "1",
    "local": "21:45",
    "today": "2026-11-26",
    "state.paused_why.value": "bad_credentials",
    "told": "08:00-20:00 for FL; 2 zones; rules of 2026-11",
}
# what a guard sees that is not written in its own function
BORROWED = {"clock_verdict": "clock_sane"}


def test_every_guard_has_a_name_for_each_channel() -> None:
    for channel in Channel:
        told = [guard_name(name, channel) for name, _ in GUARDS]
        assert len(set(told)) == len(GUARDS)
        assert all(each != name for each, (name, _) in zip(told, GUARDS, strict=True))


def test_names_about_a_channel_say_which() -> None:
    assert guard_name("consent_given", Channel.SMS) == "Consent for texts"
    assert guard_name("channel_working", Channel.CALL) == "Calls are working"
    assert guard_name("address_usable", Channel.EMAIL) == "There is an email address"


def seen_by_guards() -> Iterator[tuple[str, str]]:
    """(guard, what it saw) of each Pass, Hold, Ends and Skip in the guards' source, places filled by SAMPLES."""
    modules = sorted({guard.__module__ for _, guard in GUARDS})
    trees = (ast.parse(inspect.getsource(import_module(name))) for name in modules)
    for function in (each for tree in trees for each in tree.body):
        if not isinstance(function, ast.FunctionDef):
            continue
        for call in ast.walk(function):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
                guard = BORROWED.get(function.name, function.name)
                yield from ((guard, text(said)) for said in saws(call))


def saws(call: ast.Call) -> Iterator[ast.expr]:
    """The `saw` of a verdict: an IfExp has two."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    given: list[ast.expr] = [word.value for word in call.keywords if word.arg == "saw"]
    if name == "Pass":
        given += call.args[:1]
    if name in ("Pass", "Hold", "Ends", "Skip"):
        for each in given:
            yield from (each.body, each.orelse) if isinstance(each, ast.IfExp) else (each,)


def text(said: ast.expr) -> str:
    """A string or an f-string as it would be stored."""
    match said:
        case ast.Constant(value=str(value)):
            return value
        case ast.JoinedStr(values=values):
            return "".join(text(value) for value in values)
        case ast.FormattedValue(value=value):
            return SAMPLES[ast.unparse(value)]
        case _:
            return SAMPLES[ast.unparse(said)]


def test_everything_that_a_guard_can_see_has_its_words() -> None:
    unknown = [
        (guard, saw)
        for guard, saw in seen_by_guards()
        if not any(re.fullmatch(pattern, saw) for pattern, _ in SAW.get(guard, ()))
    ]

    assert unknown == []
    assert len(list(seen_by_guards())) > 50


def test_what_the_permission_sees_has_its_words_too() -> None:
    source = inspect.getsource(permit) + inspect.getsource(fill)
    for guard, saw in (
        ("words_filled", "empty"),
        ("words_filled", "missing"),
        ("words_filled", "no unsubscribe group"),
        ("asked", "fault"),
        ("call_list", "the front desk calls"),
    ):
        assert f'"{saw}"' in source
        assert saw_words(TraceLine(guard, "hold: trouble", saw), WHERE) != saw
    assert saw_words(TraceLine("words_filled", "hold: template_broken", "can't be filled in"), WHERE).startswith("its")


@pytest.mark.parametrize(
    ("guard", "saw", "told"),
    [
        ("consent_given", "given 2026-02-03", "given Feb 3"),
        ("consent_given", "not needed for marketing by email", "not needed for emails"),
        ("clinic_hours", "closed on 2026-11-26", "closed on Nov 26"),
        ("legal_hours", "8:00 to 21:00", "8 AM to 9 PM there"),
        ("legal_hours", "21:45 there", "9:45 PM there"),
        (
            "legal_hours",
            "08:00-20:00 for FL; 2 zones; rules of 2026-11",
            "8 AM to 8 PM for FL, in 2 time zones; rules of 2026-11",
        ),
        (
            "legal_hours",
            "outside no hour that day for an unknown state; 1 zone; rules of 2026-11",
            "none that day for an unknown state; rules of 2026-11",
        ),
        (
            "legal_hours",
            "no hour is left: 10:00-18:00 for an unknown state; 42 zones; rules of 2026-11",
            "no hour in all 42 time zones: 10 AM to 6 PM for an unknown state; rules of 2026-11",
        ),
        ("not_too_often", "3 by phone in 24 hours", "3 messages by phone in 24 hours already"),
        ("still_useful", "useful until 2026-03-01T18:00:00+00:00", "only until Sun Mar 1, 10:00 AM PST"),
        ("channel_working", "paused: bad_credentials", "paused: the provider refuses the password"),
        ("enrollment_active", "active, step nudge", "active, step “nudge”"),
        ("enrollment_active", "opted_out", "ended: opted out"),
        ("budget_left", "2 of at most 5", "2 of at most 5"),
        ("not_too_often", "1 today, at most 2", "1 message today, at most 2"),
        ("no_stop_waiting", "1 not applied", "1 stop waiting"),
        ("not_overdue", "20 min late", "20 minutes late"),
        ("not_overdue", "1 h late", "1 hour late"),
        ("not_overdue", "4 days late", "4 days late"),
        ("one_at_a_time", "after New lead", "first comes “New lead”"),
        ("a_guard_of_another_version", "something", "something"),
    ],
)
def test_what_a_guard_saw_is_told_in_words(guard: str, saw: str, told: str) -> None:
    assert saw_words(TraceLine(guard, "pass", saw), WHERE) == told
