"""Legal hours in the whole engine, on both databases: what is held, until when, and what lifts it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.domain.legal_hours_rules import OWN_COPY
from app.domain.reasons import Why
from app.domain.states import Channel
from app.rules_file import rules_of
from app.service.zones import Zones
from app.store import tables as t
from app.store.unit_of_work import Store
from tests.builders import Published, journey_document
from tests.stage import Stage

# Monday, 10:00 in Portland and 13:00 in Florida's east
MONDAY = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)
ONE_TEXT = {
    "nudge": {"do": "sms", "template": "nudge", "next": "done"},
    "done": {"do": "end", "as": "exhausted"},
}


@pytest.fixture
def stage(store: Store) -> Stage:
    """An engine on Monday at ten in Portland."""
    return Stage(store, MONDAY)


def texts(stage: Stage, **journey: str) -> Published:
    """A journey of one text, in clinic hours unless told otherwise."""
    steps = {**ONE_TEXT, "nudge": {**ONE_TEXT["nudge"], **journey}}
    return stage.world.journey("One text", journey_document("One text", steps=steps))


def test_i06_a_number_of_florida_is_texted_in_its_own_hours_though_the_clinic_is_in_portland(stage: Stage) -> None:
    """Nine to five in Portland is noon to eight in Florida: the last text leaves before 19:55 there."""
    late = datetime(2026, 3, 3, 0, 56, tzinfo=UTC)  # 16:56 in Portland would do; 19:56 in Florida's east will not
    stage.clock.set(late - timedelta(hours=1))
    _, enrollment = stage.lead(texts(stage, hours="any"), phone="+18505550142")
    stage.clock.set(late)

    stage.run()

    row = stage.world.row(t.enrollment, enrollment)
    assert (row["hold_why"], row["wake_at"]) == (Why.QUIET_HOURS.value, datetime(2026, 3, 3, 14, 0, tzinfo=UTC))
    assert stage.provider.taken == []

    stage.clock.set(row["wake_at"])
    stage.run()
    assert len(stage.provider.taken) == 1


def test_i06_a_text_that_waits_in_the_outbox_is_asked_again_where_its_number_is(stage: Stage) -> None:
    _, enrollment = stage.lead(texts(stage, hours="any"), phone="+18505550142")
    stage.clock.set(datetime(2026, 3, 3, 0, 50, tzinfo=UTC))
    stage.tick()
    assert stage.messages(enrollment) == [("nudge", "queued")]

    stage.clock.set(datetime(2026, 3, 3, 0, 55, tzinfo=UTC))
    stage.deliver()

    message = stage.world.rows(t.message, enrollment_id=enrollment)[0]
    assert (message["state"], message["hold_why"]) == ("queued", Why.QUIET_HOURS.value)
    assert message["try_at"] == datetime(2026, 3, 3, 14, 0, tzinfo=UTC)
    assert stage.provider.taken == []


def test_a_toll_free_number_waits_for_its_zone_on_the_problem_list_and_goes_once_it_is_set(stage: Stage) -> None:
    person, enrollment = stage.lead(texts(stage), phone="+18005550142")

    stage.run()
    assert stage.world.row(t.enrollment, enrollment)["hold_why"] == Why.ZONE_UNKNOWN.value
    assert stage.provider.taken == []

    Zones(stage.store.open_uow, stage.clock).set(person, "America/Los_Angeles", by="dana")
    stage.run()
    assert len(stage.provider.taken) == 1


@pytest.mark.expects_warning("rules.unreadable")
def test_i06_without_readable_rules_texts_wait_emails_go_and_staff_are_told(
    stage: Stage, store: Store, tmp_path: Path
) -> None:
    _, enrollment = stage.lead(texts(stage))
    stage.tick()
    (tmp_path / OWN_COPY).write_text("format: nonsense", encoding="utf-8")
    blind = Stage(Store(store.session, rules_of(tmp_path)), MONDAY, world=stage.world)
    blind.run()
    _, mail = stage.lead(stage.world.journey("By email"))
    blind.run()

    message = stage.world.rows(t.message, enrollment_id=enrollment)[0]
    assert (message["state"], message["hold_why"]) == ("queued", Why.RULES_UNREADABLE.value)
    assert [row["why"] for row in stage.world.rows(t.problem)] == [Why.RULES_UNREADABLE.value]
    assert stage.world.row(t.enrollment, mail)["step"] == "pause"


def test_i06_a_fourth_text_in_24_hours_waits_though_the_practices_own_caps_would_let_it_go(stage: Stage) -> None:
    with stage.store.session.write() as connection:
        connection.execute(t.practice.update().values(per_day=9, per_week=9))
    person = stage.world.person()
    for number in range(4):
        care = journey_document("Care", steps=ONE_TEXT, purpose="care")
        inside = stage.world.enrollment(person, stage.world.journey(f"Care {number}", care), wake_at=stage.clock.now())
        stage.run()
        stage.clock.go_on(timedelta(minutes=30))

    assert len(stage.provider.taken) == 3
    fourth = stage.world.row(t.enrollment, inside)
    assert (fourth["state"], fourth["hold_why"]) == ("active", Why.PHONE_CAP.value)
    assert fourth["wake_at"] == MONDAY + timedelta(hours=24)

    by_email = journey_document("Mail", purpose="care")
    email = stage.world.enrollment(person, stage.world.journey("Mail", by_email), wake_at=stage.clock.now())
    stage.run()
    assert stage.world.row(t.enrollment, email)["step"] == "pause"
    stage.clock.set(fourth["wake_at"])
    stage.run()
    assert [taken.channel for taken in stage.provider.taken] == [*[Channel.SMS] * 3, Channel.EMAIL, Channel.SMS]
