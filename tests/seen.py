"""Snapshots for tests of pure code: one of a person in a small journey, in hours, with nothing in the way."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from app.domain.condition import parse_condition
from app.domain.facts import Facts
from app.domain.hours import Hours, parse_hours
from app.domain.ids import (
    EnrollmentId,
    JourneyId,
    JourneyVersionId,
    LocationId,
    MessageId,
    PersonId,
    StepId,
    TemplateVersionId,
)
from app.domain.journey import BranchStep, EmailStep, Ends, EndStep, Journey, SmsStep, Step, WaitStep
from app.domain.snapshot import (
    ConsentSeen,
    EngineSeen,
    EnrollmentSeen,
    JourneySeen,
    Location,
    MessageSeen,
    Person,
    Practice,
    Snapshot,
    TemplateSeen,
)
from app.domain.states import (
    Channel,
    Contact,
    End,
    EnrollmentState,
    JourneyState,
    MessageState,
    Purpose,
    WaitsFor,
)
from app.domain.waits import Calendar
from app.rules_file import shipped_rules

# Monday, 10:00 in Portland
MONDAY_TEN = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)
ENTERED = MONDAY_TEN - timedelta(days=3)


def office_hours(zone: str = "America/Los_Angeles") -> Hours:
    """Monday to Friday, nine to five."""
    week = {day: [["09:00", "17:00"]] for day in ("mon", "tue", "wed", "thu", "fri")}
    return parse_hours(zone, week, [])


def small_journey(**changes: object) -> Journey:
    """Email, wait two days, booked? then won, else a text, then exhausted."""
    steps: list[Step] = [
        EmailStep(StepId("hello"), "hello", StepId("two-days")),
        WaitStep(StepId("two-days"), Calendar(2), StepId("booked")),
        BranchStep(
            StepId("booked"),
            parse_condition({"record": "appointment", "status": "booked", "since": "enrollment"}),
            StepId("won"),
            StepId("nudge"),
        ),
        SmsStep(StepId("nudge"), "nudge", StepId("done")),
        EndStep(StepId("won"), End.CONVERTED),
        EndStep(StepId("done"), End.EXHAUSTED),
    ]
    journey = Journey(
        name="New lead",
        purpose=Purpose.MARKETING,
        ends=Ends(
            replied=True,
            converted=parse_condition({"record": "appointment", "status": "booked", "since": "enrollment"}),
            closed=parse_condition({"field": "person.status", "is": "lost"}),
        ),
        start=StepId("hello"),
        steps={step.id: step for step in steps},
    )
    return replace(journey, **changes)  # type: ignore[arg-type]


def template(name: str, channel: Channel, body: str = "Hi {{ person.first_name }}") -> TemplateSeen:
    """A template's pinned version."""
    subject = "Hello" if channel is Channel.EMAIL else ""
    return TemplateSeen(TemplateVersionId(1), name, channel, Purpose.MARKETING, subject, body)


def person(**changes: object) -> Person:
    """Ana Ruiz, with an email and a number."""
    ana = Person(
        id=PersonId(1),
        version=1,
        location_id=LocationId(1),
        first_name="Ana",
        last_name="Ruiz",
        email="ana@example.com",
        phone="+15035550142",
        contact=Contact.OPEN,
        status="new",
        source="web form",
        tags=frozenset(),
        custom={},
        created_at=ENTERED,
    )
    return replace(ana, **changes)  # type: ignore[arg-type]


def enrollment(**changes: object) -> EnrollmentSeen:
    """Active at the first step, due now."""
    seen = EnrollmentSeen(
        id=EnrollmentId(1),
        version=1,
        state=EnrollmentState.ACTIVE,
        step=StepId("hello"),
        pass_no=1,
        waits_for=WaitsFor.NOTHING,
        entered_at=ENTERED,
        step_entered_at=MONDAY_TEN,
        wake_at=MONDAY_TEN,
        paused_until=None,
        send_budget=2,
        record_id=None,
        hold_why=None,
        hold_until=None,
    )
    return replace(seen, **changes)  # type: ignore[arg-type]


def message(**changes: object) -> MessageSeen:
    """The first step's email, leased."""
    seen = MessageSeen(
        id=MessageId(1),
        version=2,
        enrollment_id=EnrollmentId(1),
        step=StepId("hello"),
        pass_no=1,
        channel=Channel.EMAIL,
        state=MessageState.LEASED,
        attempts=0,
        due_at=MONDAY_TEN,
        useful_until=None,
        stop_requested_at=None,
        possible_duplicate=False,
    )
    return replace(seen, **changes)  # type: ignore[arg-type]


def snapshot(**changes: object) -> Snapshot:
    """Ana at the first step of the small journey, Monday at ten, with nothing in the way."""
    ana = person()
    seen = Snapshot(
        now=MONDAY_TEN,
        engine=EngineSeen(clock_seen_at=MONDAY_TEN - timedelta(minutes=1)),
        practice=Practice("Fernhollow", "US", "OR", "1 Main St, Portland, OR 97201", per_day=2, per_week=6),
        location=Location(
            LocationId(1), "Portland", office_hours(), "+15035550100", "portland@example.com", "1 Main St"
        ),
        person=ana,
        facts=Facts(fields={"person.status": ana.status}, since_enrollment=ENTERED),
        journey=JourneySeen(
            id=JourneyId(1),
            name="New lead",
            state=JourneyState.LIVE,
            version_id=JourneyVersionId(1),
            number=1,
            journey=small_journey(),
            max_days=2,
            templates={"hello": template("hello", Channel.EMAIL), "nudge": template("nudge", Channel.SMS)},
        ),
        enrollment=enrollment(),
        consents=(ConsentSeen(Channel.SMS, Purpose.MARKETING, ENTERED, "web form"),),
        variables={"person": {"first_name": "Ana"}},
        rules=shipped_rules(),
    )
    return replace(seen, **changes)  # type: ignore[arg-type]


def at_step(step: str, **changes: object) -> Snapshot:
    """The same, with the enrollment at `step`; `changes` are the enrollment's."""
    return snapshot(enrollment=enrollment(step=StepId(step), **changes))
