"""A wait ends by what is true when it ends: hours, zones and records that change meanwhile count again (RULES F12)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import app.service.zone_rules
from app.domain.ids import EnrollmentId, PersonId
from app.domain.states import EnrollmentState
from app.engine.hold import pause_enrollments
from app.engine.office_ports import RecordNew
from app.service.documents import Documents
from app.service.zone_rules import ZoneRules
from app.store import tables as t
from tests.builders import NOW, Published, journey_document
from tests.stage import Stage

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
# NOW is Monday 2026-03-02, 10:00 in Portland
OPEN = {day: [["09:00", "17:00"]] for day in ("mon", "tue", "wed", "thu", "fri")}


def waiting(stage: Stage, wait: dict[str, object]) -> tuple[PersonId, EnrollmentId]:
    """Somebody who waits for `wait` before a text."""
    steps: dict[str, dict[str, object]] = {
        "pause": {"do": "wait", "for": wait, "next": "nudge"},
        "nudge": {"do": "sms", "template": "nudge", "next": "done"},
        "done": {"do": "end", "as": "exhausted"},
    }
    journey: Published = stage.world.journey(document=journey_document("Waits", steps=steps))
    return stage.lead(journey)


def ends_at(stage: Stage, enrollment: EnrollmentId) -> datetime:
    row = stage.world.row(t.enrollment, enrollment)
    assert (row["step"], row["waits_for"]) == ("pause", "time")
    return datetime.fromisoformat(str(row["wake_at"])).astimezone(UTC)


def told(stage: Stage) -> list[str]:
    """Until when it was said to wait, each time."""
    return [str(row["facts"]["until"]) for row in stage.world.rows(t.log_entry, event="step.waiting")]


def apply(stage: Stage, folder: Path, hours: dict[str, list[list[str]]], zone: str = "America/Los_Angeles") -> None:
    """Staff save Portland's hours."""
    spans = ", ".join(f"{day}: {[list(span) for span in spans]}" for day, spans in hours.items())
    file = folder / "portland.yaml"
    file.write_text(
        f"format: stopwell.location/1\nname: Portland\nzone: {zone}\nhours: {{{spans}}}\n".replace("'", '"')
    )
    Documents(stage.store.open_uow, stage.clock).apply([file], by="Dana")


def appointment(stage: Stage, person: PersonId, at: datetime, status: str = "booked") -> None:
    """The appointment's time as an import brings it."""
    row = RecordNew(person, "appointment", status, "A-1", "", at, None, None)
    with stage.store.open_uow() as uow:
        uow.office.put_records([row], None, stage.clock.now())


def test_business_days_count_the_days_that_are_open_now(stage: Stage, tmp_path: Path) -> None:
    apply(stage, tmp_path, OPEN)
    _, enrollment = waiting(stage, {"business_days": 2})
    stage.run()
    assert ends_at(stage, enrollment) == NOW + 2 * DAY
    apply(stage, tmp_path, {day: spans for day, spans in OPEN.items() if day not in ("tue", "wed")})
    stage.run()
    assert ends_at(stage, enrollment) == NOW + 4 * DAY
    stage.clock.go_on(3 * DAY)
    stage.run()
    assert stage.messages(enrollment) == []
    apply(stage, tmp_path, OPEN)  # and back: two open days are over by now
    stage.run()
    assert stage.messages(enrollment) == [("nudge", "accepted")]


def test_a_zone_that_is_set_right_moves_the_end_of_the_wait_with_it(stage: Stage, tmp_path: Path) -> None:
    _, enrollment = waiting(stage, {"days": 1, "at": "09:30"})
    stage.run()
    assert ends_at(stage, enrollment) == datetime(2026, 3, 3, 17, 30, tzinfo=UTC)
    apply(stage, tmp_path, OPEN, zone="America/Denver")
    stage.run()
    assert ends_at(stage, enrollment) == datetime(2026, 3, 3, 16, 30, tzinfo=UTC)


@pytest.mark.parametrize("moved_by", [2 * DAY, -2 * DAY], ids=["later", "earlier"])
def test_a_reminder_goes_by_the_appointments_time_of_now(stage: Stage, moved_by: timedelta) -> None:
    person, enrollment = waiting(stage, {"before": "appointment", "days": 1})
    appointment(stage, person, NOW + 7 * DAY)
    stage.run()
    assert ends_at(stage, enrollment) == NOW + 6 * DAY
    appointment(stage, person, NOW + 7 * DAY + moved_by)
    stage.run()
    assert ends_at(stage, enrollment) == NOW + 6 * DAY + moved_by
    stage.run_for(6 * DAY + moved_by - HOUR)
    assert stage.messages(enrollment) == []


def test_a_reminder_of_an_appointment_that_is_gone_waits_for_staff_and_is_not_sent(stage: Stage) -> None:
    person, enrollment = waiting(stage, {"before": "appointment", "days": 1})
    appointment(stage, person, NOW + 3 * DAY)
    stage.run()
    with stage.store.session.write() as connection:
        connection.execute(t.record.update().values(starts_at=None))  # by a way that tells nobody
    stage.run_for(4 * DAY, step=6 * HOUR)
    assert stage.messages(enrollment) == []
    assert [row["enrollment_id"] for row in stage.world.rows(t.problem, why="trouble")] == [enrollment]


def test_a_paused_wait_counts_its_end_again_and_stays_paused(stage: Stage) -> None:
    person, enrollment = waiting(stage, {"before": "appointment", "days": 1})
    appointment(stage, person, NOW + 7 * DAY)
    stage.run()
    with stage.store.open_uow() as uow:
        pause_enrollments(uow, person, NOW + 3 * DAY, "Dana", NOW)
    appointment(stage, person, NOW + 9 * DAY)
    stage.run()
    assert stage.state(enrollment) == EnrollmentState.PAUSED
    stage.run_for(4 * DAY, step=6 * HOUR)
    assert ends_at(stage, enrollment) == NOW + 8 * DAY


def test_counting_again_without_news_says_nothing_and_changes_no_end(stage: Stage, tmp_path: Path) -> None:
    apply(stage, tmp_path, OPEN)
    person, enrollment = waiting(stage, {"days": 5})
    stage.run()
    before = ends_at(stage, enrollment)
    apply(stage, tmp_path, OPEN | {"sat": [["10:00", "12:00"]]})
    appointment(stage, person, NOW + 7 * DAY)
    stage.run()
    assert ends_at(stage, enrollment) == before
    assert told(stage) == [before.isoformat()]


def test_new_rules_of_a_zone_count_the_waits_there_again_once(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The leap of the zone database: what a computer's update says about a zone is taken in when the engine starts."""
    apply(stage, tmp_path, OPEN)
    _, enrollment = waiting(stage, {"days": 5})
    stage.run()
    zones = ZoneRules(stage.store.open_uow, stage.clock)
    assert zones.look() == ()  # the first time: kept, and nobody is counted again
    assert zones.look() == ()
    version = stage.world.row(t.enrollment, enrollment)["version"]
    monkeypatch.setattr(app.service.zone_rules, "zone_rules", lambda _name, _year: "other rules")
    assert zones.look() == ("America/Los_Angeles",)
    assert stage.world.row(t.enrollment, enrollment)["version"] == version + 1
    assert zones.look() == ()
    stage.run()
    assert ends_at(stage, enrollment) == NOW + 5 * DAY
    assert [row["facts"] for row in stage.world.rows(t.log_entry, event="zones.changed")] == [
        {"zones": "America/Los_Angeles"}
    ]


def test_a_new_year_and_a_new_location_are_no_news_about_those_who_wait(stage: Stage, tmp_path: Path) -> None:
    zones = ZoneRules(stage.store.open_uow, stage.clock)
    assert zones.look() == ()
    apply(stage, tmp_path, OPEN, zone="America/Denver")
    assert zones.look() == ()
    stage.clock.go_on(400 * DAY)
    assert zones.look() == ()
