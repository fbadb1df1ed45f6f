"""The status bar, locations, problems, the log and the journeys, as lines."""

from __future__ import annotations

from datetime import timedelta

from app.domain.events import EventKind
from app.domain.ids import LocationId
from app.domain.lines import EngineLine, LocationLine
from app.domain.reasons import Why
from app.domain.states import Channel, End, EnrollmentState, JourneyState, WaitsFor
from app.engine.ports import LogLine, ProblemNote
from app.store import tables as t
from app.store.reads import ReadsDoor
from tests.builders import NOW, World, journey_document

HOUR = timedelta(hours=1)


def test_the_status_bar_of_a_practice_at_rest(world: World) -> None:
    with world.store.open_reader() as reads:
        assert reads.engine(NOW) == EngineLine(
            practice="Fernhollow",
            practice_mode=True,
            paused_why=None,
            paused_by="",
            paused_at=None,
            waiting=0,
            due=0,
            channels={Channel.EMAIL: None, Channel.SMS: None, Channel.CALL: None},
            zone="America/Los_Angeles",
            problems=0,
        )


def test_the_status_bar_counts_who_waits_and_what_is_due_and_says_what_is_paused(world: World) -> None:
    journey = world.journey()
    world.enrollment(world.person(), journey)
    world.enrollment(world.person(), journey, wake_at=NOW + HOUR)
    world.message(world.enrollment(world.person(), journey, waits_for=WaitsFor.MESSAGE))
    world.end(world.enrollment(world.person(), journey))
    with world.store.open_uow() as uow:
        uow.engine.pause(Why.SENDING_PAUSED, "Dana", NOW)
        uow.engine.pause_channel(Channel.SMS, Why.OFFLINE, "twilio", NOW, NOW)
        uow.log.problem([ProblemNote(NOW, Why.CLOCK_MOVED)])
        uow.documents.set_practice_mode(False)
    with world.store.open_reader() as reads:
        bar = reads.engine(NOW)
    assert (bar.waiting, bar.due, bar.problems, bar.practice_mode) == (3, 2, 1, False)
    assert (bar.paused_why, bar.paused_by, bar.paused_at) == (Why.SENDING_PAUSED, "Dana", NOW)
    assert bar.channels[Channel.SMS] is Why.OFFLINE


def test_the_status_bar_stands_before_there_is_a_practice(world: World) -> None:
    with world.rolled_back() as connection:
        connection.execute(t.practice.delete())
        connection.execute(t.location.delete())
        bar = ReadsDoor(connection, world.store.memory).engine(NOW)
        assert (bar.practice, bar.practice_mode, bar.zone) == ("", True, "UTC")


def test_a_location_says_whether_it_is_open_and_when_it_opens(world: World) -> None:
    closed = world.location("Bend", hours={"tue": [["09:00", "17:00"]]})
    never = world.location("Nowhere", hours={"mon": []})
    world.location("Old", archived=True)
    with world.store.open_reader() as reads:
        lines = list(reads.locations(NOW))
    zone = "America/Los_Angeles"
    assert lines == [
        LocationLine(closed, "Bend", zone, False, NOW + timedelta(hours=23)),
        LocationLine(never, "Nowhere", zone, False, None),
        LocationLine(LocationId(world.portland), "Portland", zone, True, NOW),
    ]


def test_problems_are_the_open_ones_newest_first_with_the_name(world: World) -> None:
    ana = world.person("Ana", last_name="Lopez")
    event = world.event(None, EventKind.REPLIED)
    with world.store.open_uow() as uow:
        uow.log.problem([ProblemNote(NOW, Why.EMPTY_VALUE, person_id=ana, facts={"name": "first_name"})])
        uow.log.problem([ProblemNote(NOW + HOUR, Why.UNMATCHED, inbox_event_id=event)])
        uow.log.problem([ProblemNote(NOW, Why.CLOCK_MOVED)])
    with world.store.open_reader() as reads:
        listed = reads.problems()
    assert [(line.why, line.name) for line in listed] == [
        (Why.UNMATCHED, None),
        (Why.CLOCK_MOVED, None),
        (Why.EMPTY_VALUE, "Ana Lopez"),
    ]
    assert listed[0].inbox_event_id == event
    assert dict(listed[2].facts) == {"name": "first_name"}
    with world.store.open_uow() as uow:
        uow.log.solve([line.id for line in listed], NOW, "Dana")
    with world.store.open_reader() as reads:
        assert list(reads.problems()) == []


def test_the_log_comes_newest_first_about_one_person_or_everything(world: World) -> None:
    ana, ben = world.person("Ana"), world.person("Ben")
    with world.store.open_uow() as uow:
        uow.log.add(
            [
                LogLine(NOW, "person.noted", "Dana", person_id=ana, facts={"n": 1}),
                LogLine(NOW, "person.noted", person_id=ben),
                LogLine(NOW, "engine.paused"),
            ]
        )
    with world.store.open_reader() as reads:
        everything = reads.log(None, 10)
        assert [line.event for line in everything] == ["engine.paused", "person.noted", "person.noted"]
        assert len(reads.log(None, 2)) == 2
        (hers,) = reads.log(ana, 10)
    assert (hers.person_id, hers.actor, hers.at, dict(hers.facts)) == (ana, "Dana", NOW, {"n": 1})


def test_a_journey_says_what_it_may_send_and_how_those_inside_fared(world: World) -> None:
    journey = world.journey("New lead")
    proof = {"emails": 2, "texts": 1, "calls": 1, "days": 12.0, "ends": []}
    with world.store.open_uow() as uow:
        document = journey_document("New lead")
        uow.documents.publish(journey.id, document, proof, 4, 12.0, journey.templates, "Dana", NOW)
        uow.documents.save_draft("New lead", journey_document("New lead", purpose="care"), NOW)
        uow.documents.save_draft("Later", journey_document("Later"), NOW)
    world.enrollment(world.person(), journey)
    world.enrollment(world.person(), journey, state="paused")
    world.end(world.enrollment(world.person(), journey))
    world.end(world.enrollment(world.person(), journey), EnrollmentState.EXHAUSTED, Why.LAST_STEP)
    with world.store.open_reader() as reads:
        later, new_lead = reads.journeys()
    assert (later.name, later.state, later.version, later.has_draft) == ("Later", JourneyState.DRAFT, None, True)
    assert (later.emails, later.days, later.inside, dict(later.ended)) == (0, 0.0, 0, {})
    assert (new_lead.state, new_lead.version, new_lead.has_draft) == (JourneyState.LIVE, 2, True)
    assert (new_lead.emails, new_lead.texts, new_lead.calls, new_lead.days) == (2, 1, 1, 12.0)
    assert (new_lead.inside, dict(new_lead.ended)) == (2, {End.STOPPED: 1, End.EXHAUSTED: 1})
