"""What needs somebody today, as lines: replies, paused channels, counts, what goes out next, and the pulse."""

from __future__ import annotations

from datetime import timedelta

from app.domain.events import EventKind
from app.domain.reasons import Why
from app.domain.states import Channel, Contact
from app.domain.today_lines import ChannelLine, Pulse, TodayCounts
from app.engine.ports import LogLine, ProblemNote
from tests.builders import NOW, World

HOUR = timedelta(hours=1)


def pulse(world: World) -> Pulse:
    with world.store.open_reader() as reads:
        return reads.pulse()


def counts(world: World, location: str = "") -> TodayCounts:
    with world.store.open_reader() as reads:
        places = {place.name: place.id for place in reads.locations(NOW)}
        return reads.today_counts(places[location] if location else None, world.now)


def test_replies_stand_newest_first_with_what_was_last_said(world: World) -> None:
    old = world.person("Old", contact=Contact.WITH_STAFF, with_staff_since=NOW - HOUR)
    new = world.person("New", contact=Contact.WITH_STAFF)
    world.person("Open")
    world.event(new, text="Yes please", channel=Channel.SMS)
    world.event(new, EventKind.OPENED, text="")
    with world.store.open_reader() as reads:
        found = reads.replies(None)

    assert [line.person.id for line in found] == [new, old]
    assert [line.event.text if line.event else None for line in found] == ["Yes please", None]


def test_replies_of_one_location_alone(world: World) -> None:
    bend = world.location("Bend")
    world.person("Ana", contact=Contact.WITH_STAFF)
    there = world.person("Ben", contact=Contact.WITH_STAFF, location_id=bend)
    with world.store.open_reader() as reads:
        assert [line.person.id for line in reads.replies(bend)] == [there]


def test_a_paused_channel_says_since_when_and_how_much_waits_for_it(world: World) -> None:
    journey = world.journey()
    why = Why.CHANNEL_PAUSED.value
    world.enrollment(world.person(), journey, step="nudge", hold_why=why, hold_facts={"channel": "sms"})
    world.message(world.enrollment(world.person(), journey, step="nudge"), hold_why=Why.CHANNEL_PAUSED.value)
    world.message(world.enrollment(world.person(), journey, step="nudge"), hold_why=Why.DAY_CAP.value)
    world.message(world.enrollment(world.person(), journey))
    with world.store.open_uow() as uow:
        uow.engine.pause_channel(Channel.SMS, Why.BAD_CREDENTIALS, "Twilio", NOW, NOW + HOUR)
    with world.store.open_reader() as reads:
        found = reads.channels()

    assert found == [ChannelLine(Channel.SMS, Why.BAD_CREDENTIALS, NOW, "Twilio", NOW + HOUR, waiting=2)]


def test_what_goes_out_next_stands_at_a_message_and_nothing_holds_it(world: World) -> None:
    journey = world.journey()
    later = world.enrollment(world.person("Later"), journey, wake_at=NOW + HOUR)
    first = world.enrollment(world.person("First"), journey, wake_at=NOW)
    world.enrollment(world.person("Waits"), journey, step="pause", wake_at=NOW)
    world.enrollment(world.person("Held"), journey, wake_at=NOW, hold_why=Why.DAY_CAP.value)
    world.enrollment(world.person("Staff", contact=Contact.WITH_STAFF), journey, wake_at=NOW)
    with world.store.open_reader() as reads:
        assert [line.enrollment_id for line in reads.going_out(None, 6)] == [first, later]
        assert [line.enrollment_id for line in reads.going_out(None, 1)] == [first]


def test_counts_tell_each_kind_and_a_paused_channel_once(world: World) -> None:
    journey = world.journey()
    world.person("Ana", contact=Contact.WITH_STAFF)
    late = world.person("Ben")
    world.enrollment(late, journey, hold_why=Why.OVERDUE.value)
    with world.store.open_uow() as uow:
        uow.engine.pause_channel(Channel.SMS, Why.OFFLINE, "Twilio", NOW, NOW + HOUR)
        uow.log.problem([ProblemNote(NOW, Why.CHANNEL_PAUSED, facts={"channel": "sms"})])
        uow.log.problem([ProblemNote(NOW, Why.CHANNEL_PAUSED, facts={"channel": "email"})])
        uow.log.problem([ProblemNote(NOW, Why.TROUBLE, late)])

    assert counts(world) == TodayCounts(replies=1, overdue=1, problems=3)
    assert counts(world).all == 5


def test_counts_of_a_location_leave_out_other_peoples_and_keep_what_is_nobodys(world: World) -> None:
    world.location("Bend")
    world.person("Ana", contact=Contact.WITH_STAFF)
    ben = world.person("Ben")
    with world.store.open_uow() as uow:
        uow.log.problem([ProblemNote(NOW, Why.TROUBLE, ben), ProblemNote(NOW, Why.CLOCK_MOVED)])

    assert counts(world, "Bend") == TodayCounts(replies=0, overdue=0, problems=1)


def test_an_inbox_event_is_read_by_its_id(world: World) -> None:
    event_id = world.event(None, text="ok see you then", channel=Channel.SMS, address="+19715550188")
    with world.store.open_reader() as reads:
        (line,) = reads.inbox([event_id])
        assert reads.inbox([]) == []
    assert (line.text, line.address) == ("ok see you then", "+19715550188")


def test_the_pulse_moves_with_the_log_the_problems_the_inbox_the_engine_and_a_channel(world: World) -> None:
    seen = [pulse(world)]
    assert pulse(world) == seen[0], "nothing happened"

    def moved(part: str) -> bool:
        seen.append(pulse(world))
        return bool(getattr(seen[-2], part) != getattr(seen[-1], part))

    with world.store.open_uow() as uow:
        uow.log.add([LogLine(NOW, "person.handled", "Dana")])
    assert moved("rows")
    with world.store.open_uow() as uow:
        uow.log.problem([ProblemNote(NOW, Why.CLOCK_MOVED)])
    assert moved("rows")
    with world.store.open_reader() as reads:
        open_ones = [line.id for line in reads.problems()]
    with world.store.open_uow() as uow:
        uow.log.solve(open_ones, NOW, "Dana")
    assert moved("rows")
    world.event(None, text="who is this")
    assert moved("rows")
    with world.store.open_uow() as uow:
        uow.engine.pause(Why.SENDING_PAUSED, "Dana", NOW)
    assert moved("engine")
    with world.store.open_uow() as uow:
        uow.engine.pause_channel(Channel.SMS, Why.OFFLINE, "Twilio", NOW, NOW)
    assert moved("engine")
    with world.store.open_uow() as uow:
        uow.engine.pause_channel(Channel.SMS, Why.OFFLINE, "Twilio", NOW, NOW + HOUR)
    assert moved("engine"), "when it is tried next is shown too"
