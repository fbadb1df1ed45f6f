"""Who may have answered is not written to while answers can't be read (ADR 0021)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest

from app.domain.answer import Outage
from app.domain.reasons import Why
from app.engine.once import Once, PassReport
from app.store import tables as t
from tests.builders import journey_document
from tests.outside import FakeSource, text, text_first, with_sources
from tests.stage import Stage

ANA = "+12025550143"
DOWN = Outage(Why.OFFLINE, "no route")


def run_at(stage: Stage, once: Once, steps: Sequence[timedelta]) -> list[PassReport]:
    reports = []
    for step in steps:
        stage.clock.go_on(step)
        reports.append(once.run())
    return reports


def test_who_may_have_answered_is_not_written_to_while_answers_can_not_be_read(stage: Stage) -> None:
    """ADR 0021: the second text waits once nothing was read for two hours, and goes when it can be read again."""
    _, follow_up = stage.lead(text_first(stage), phone=ANA)
    source = FakeSource("twilio")
    once = with_sources(stage, source)
    once.run()
    assert len(stage.provider.taken) == 1
    worked = stage.clock.now()

    source.fault = DOWN
    run_at(stage, once, [timedelta(hours=3)])
    row = stage.world.row(t.enrollment, follow_up)
    assert (len(stage.provider.taken), row["state"], row["hold_why"]) == (1, "active", "answers_unread")
    assert row["hold_facts"] == {"provider": "twilio", "last_read": worked.isoformat()}

    source.fault = None
    run_at(stage, once, [timedelta(minutes=11)])
    assert len(stage.provider.taken) == 2


def test_an_answer_that_lay_there_meanwhile_ends_the_follow_up_instead(stage: Stage) -> None:
    _, follow_up = stage.lead(text_first(stage), phone=ANA)
    source = FakeSource("twilio")
    once = with_sources(stage, source)
    once.run()
    source.fault = DOWN
    run_at(stage, once, [timedelta(hours=3)])
    source.fault = None
    source.bring(text(ANA, "I booked by phone, thanks", stage.clock.now() - timedelta(hours=1)))
    run_at(stage, once, [timedelta(minutes=11)])
    assert (len(stage.provider.taken), stage.state(follow_up)) == (1, "replied")


def test_days_of_it_make_nobody_overdue(stage: Stage) -> None:
    """What is held is asked again all the time: it is not late when it may go."""
    _, follow_up = stage.lead(text_first(stage), phone=ANA)
    source = FakeSource("twilio")
    once = with_sources(stage, source)
    once.run()
    source.fault = DOWN
    run_at(stage, once, [timedelta(hours=3)] * (8 * 7))
    assert stage.world.row(t.enrollment, follow_up)["hold_why"] in ("answers_unread", "clinic_closed")
    assert len(stage.provider.taken) == 1
    source.fault = None
    run_at(stage, once, [timedelta(hours=1)])
    assert len(stage.provider.taken) == 2


def test_a_short_silence_holds_nobody_and_a_first_message_goes_whatever_is_unread(stage: Stage) -> None:
    source = FakeSource("twilio")
    once = with_sources(stage, source)
    once.run()
    stage.lead(text_first(stage), phone=ANA)
    once.run()
    source.fault = DOWN
    run_at(stage, once, [timedelta(minutes=5), timedelta(minutes=1)])
    assert len(stage.provider.taken) == 2, "silent for six minutes"

    stage.clock.go_on(timedelta(hours=3))
    steps = {"one": {"do": "sms", "template": "one", "next": "done"}, "done": {"do": "end", "as": "exhausted"}}
    stage.lead(stage.world.journey("One", journey_document("One", steps=steps)), phone="+12025550144")
    once.run()
    assert len(stage.provider.taken) == 3


@pytest.mark.parametrize(("unread", "goes_on"), [("imap", False), ("sendgrid", True), ("twilio", True)])
def test_only_where_an_answer_to_what_was_said_could_lie(stage: Stage, unread: str, goes_on: bool) -> None:
    """Mailed, and the texts can't be read: no answer lies there. A list of bounces holds no answers at all."""
    steps: dict[str, dict[str, object]] = {
        "mail": {"do": "email", "template": "mail", "next": "pause"},
        "pause": {"do": "wait", "for": {"hours": 3}, "next": "text"},
        "text": {"do": "sms", "template": "text", "next": "done"},
        "done": {"do": "end", "as": "exhausted"},
    }
    stage.lead(stage.world.journey("Mix", journey_document("Mix", steps=steps)), phone=ANA)
    sources = [FakeSource(name) for name in ("imap", "sendgrid", "twilio")]
    once = with_sources(stage, *sources)
    once.run()
    for source in sources:
        source.fault = DOWN if source.name == unread else None
    run_at(stage, once, [timedelta(hours=4)])
    assert len(stage.provider.taken) == (2 if goes_on else 1)


def test_a_journey_that_no_answer_ends_goes_on(stage: Stage) -> None:
    steps: dict[str, dict[str, object]] = {
        "one": {"do": "sms", "template": "one", "next": "pause"},
        "pause": {"do": "wait", "for": {"hours": 3}, "next": "two"},
        "two": {"do": "sms", "template": "two", "next": "done"},
        "done": {"do": "end", "as": "exhausted"},
    }
    document = journey_document("Reminders", steps=steps, purpose="care", replied=False)
    stage.lead(stage.world.journey("Reminders", document), phone=ANA)
    source = FakeSource("twilio")
    once = with_sources(stage, source)
    once.run()
    source.fault = DOWN
    run_at(stage, once, [timedelta(hours=4)])
    assert len(stage.provider.taken) == 2
