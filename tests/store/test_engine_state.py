"""The engine's own state: pause, breakers, the clock's high-water mark, and what going on wakes."""

from __future__ import annotations

from datetime import timedelta

from app.domain.reasons import Why
from app.domain.snapshot import ChannelSeen, EngineSeen
from app.domain.states import Channel
from app.store import tables as t
from tests.builders import LATER, NOW, World

TOMORROW = NOW + timedelta(days=1)


def test_a_new_engine_runs_and_has_seen_no_clock(world: World) -> None:
    with world.store.open_uow() as uow:
        assert uow.engine.read() == EngineSeen()


def test_a_pause_is_the_first_one_s(world: World) -> None:
    with world.store.open_uow() as uow:
        assert uow.engine.pause(Why.SENDING_PAUSED, "Dana", NOW)
        assert not uow.engine.pause(Why.CLOCK_MOVED, "", LATER)
        seen = uow.engine.read()

    assert seen == EngineSeen(Why.SENDING_PAUSED, "Dana", NOW, None)


def test_going_on_trusts_the_clock_and_wakes_what_was_held_for_the_pause(world: World) -> None:
    journey = world.journey()

    def held(why: str) -> tuple[int, int]:
        enrollment = world.enrollment(world.person(), journey, hold_why=why, wake_at=TOMORROW)
        return enrollment, world.message(enrollment, hold_why=why, try_at=TOMORROW)

    for_pause, for_hours = held("sending_paused"), held("clinic_closed")
    with world.store.open_uow() as uow:
        uow.engine.saw_clock(NOW + timedelta(minutes=1))
        assert not uow.engine.resume("Dana", NOW)
        uow.engine.pause(Why.SENDING_PAUSED, "Dana", NOW)
        assert uow.engine.resume("Dana", NOW)
        assert uow.engine.read() == EngineSeen(clock_seen_at=NOW)

    assert [world.row(t.enrollment, each[0])["wake_at"] for each in (for_pause, for_hours)] == [NOW, TOMORROW]
    assert [world.row(t.message, each[1])["try_at"] for each in (for_pause, for_hours)] == [NOW, TOMORROW]


def test_going_on_after_the_clock_had_moved_has_all_that_is_held_asked_again(world: World) -> None:
    """Also where its mark was never raised to a time that nobody could believe: holds were written by it."""
    journey = world.journey()
    enrollment = world.enrollment(world.person(), journey, hold_why="clinic_closed", wake_at=TOMORROW)
    message = world.message(enrollment, hold_why="try_again", try_at=NOW + timedelta(days=40))
    with world.store.open_uow() as uow:
        uow.engine.saw_clock(NOW)
        uow.engine.pause(Why.CLOCK_MOVED, "", NOW)
        assert uow.engine.resume("", NOW)

    assert world.row(t.enrollment, enrollment)["wake_at"] == NOW
    assert world.row(t.message, message)["try_at"] == NOW


def test_the_high_water_mark_only_rises_unless_the_clock_is_trusted(world: World) -> None:
    with world.store.open_uow() as uow:
        marks = []
        for at in (LATER, NOW):
            uow.engine.saw_clock(at)
            marks.append(uow.engine.read().clock_seen_at)
        uow.engine.trust_clock(NOW, made_up=True)
        marks.append(uow.engine.read().clock_seen_at)
        assert uow.engine.read().clock_made_up

    assert marks == [LATER, LATER, NOW]


def test_i12_a_channel_is_paused_once_and_what_it_held_is_woken(world: World) -> None:
    def held(step: str) -> int:
        enrollment = world.enrollment(world.person(), world.journey(), step=step)
        return world.message(enrollment, step=step, hold_why="channel_paused", try_at=TOMORROW)

    text, email = held("nudge"), held("hello")
    waiting = world.enrollment(world.person(), world.journey(), hold_why="channel_paused", wake_at=TOMORROW)
    with world.store.open_uow() as uow:
        assert not uow.engine.resume_channel(Channel.SMS, NOW)
        assert uow.engine.pause_channel(Channel.SMS, Why.OFFLINE, "twilio", NOW, NOW)
        assert not uow.engine.pause_channel(Channel.SMS, Why.BAD_CREDENTIALS, "twilio", LATER, TOMORROW)
    seen = world.seen(waiting).channels

    with world.store.open_uow() as uow:
        assert uow.engine.resume_channel(Channel.SMS, LATER)

    assert seen[Channel.SMS] == ChannelSeen(Why.BAD_CREDENTIALS, NOW, "twilio", TOMORROW)
    assert seen[Channel.EMAIL] == ChannelSeen()
    assert world.row(t.message, text)["try_at"] == LATER
    assert world.row(t.message, email)["try_at"] == TOMORROW
    assert world.row(t.enrollment, waiting)["wake_at"] == LATER
    assert world.seen(waiting).channels[Channel.SMS].paused_why is None
