"""The queue: who is due when, what holds them back, and the bars of the coming hours."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from app.domain.ids import EnrollmentId
from app.domain.lines import HourBar, QueueCounts, QueueFilter, QueueQuery
from app.domain.reasons import Why
from app.domain.states import Channel, Contact, MessageState, WaitsFor
from app.store import tables as t
from app.store.reads import ReadsDoor
from tests.builders import NOW, World

HOUR = timedelta(hours=1)


def found(world: World, **parts: object) -> list[EnrollmentId]:
    """Ids in the order shown."""
    with world.store.open_reader() as reads:
        return list(reads.queue_ids(QueueQuery(**parts), NOW))  # type: ignore[arg-type]


def queue(world: World) -> dict[str, EnrollmentId]:
    """One follow-up in each situation."""
    journey = world.journey()
    staff = world.person("staff", contact=Contact.WITH_STAFF)
    until = NOW + 3 * HOUR
    follow_ups = {
        "due": world.enrollment(world.person("due"), journey, wake_at=NOW - HOUR),
        "on_its_way": world.enrollment(world.person("way"), journey, waits_for=WaitsFor.MESSAGE),
        "waiting": world.enrollment(world.person("waiting"), journey, wake_at=NOW + HOUR),
        "held": world.enrollment(
            world.person("held"), journey, wake_at=until, hold_why=Why.DAY_CAP.value, hold_until=until
        ),
        "message_held": world.enrollment(world.person("closed"), journey, waits_for=WaitsFor.MESSAGE),
        "retry": world.enrollment(world.person("retry"), journey, waits_for=WaitsFor.MESSAGE),
        "staff": world.enrollment(staff, journey, wake_at=NOW - 2 * HOUR, hold_why=Why.WITH_STAFF.value),
        "paused": world.enrollment(world.person("paused"), journey, state="paused", paused_by="Dana"),
    }
    world.message(follow_ups["on_its_way"], try_at=NOW)
    world.message(follow_ups["message_held"], try_at=NOW + 2 * HOUR, hold_why=Why.CLINIC_CLOSED.value)
    world.message(follow_ups["retry"], try_at=NOW + 4 * HOUR)
    world.end(world.enrollment(world.person("ended"), journey))
    return follow_ups


def test_the_soonest_stands_first_and_what_only_a_person_moves_on_stands_last(world: World) -> None:
    follow_ups = queue(world)
    names = {follow_up: name for name, follow_up in follow_ups.items()}
    in_order = ["staff", "due", "on_its_way", "waiting", "message_held", "held", "retry", "paused"]
    assert [names[i] for i in found(world)] == in_order


def test_each_chip_shows_its_follow_ups_and_the_counts_say_how_many(world: World) -> None:
    follow_ups = queue(world)
    shown = {
        QueueFilter.EVERYTHING: set(follow_ups),
        QueueFilter.DUE_NOW: {"due", "on_its_way"},
        QueueFilter.HELD: {"held", "message_held", "staff", "paused"},
        QueueFilter.WAITING: {"waiting", "retry"},
        QueueFilter.WITH_STAFF: {"staff"},
    }
    for only, names in shown.items():
        assert set(found(world, only=only)) == {follow_ups[name] for name in names}, only
    with world.store.open_reader() as reads:
        assert reads.queue_counts(QueueQuery(), NOW) == QueueCounts(8, 2, 4, 2, 1)
        assert reads.queue_counts(QueueQuery(search="held"), NOW) == QueueCounts(1, 0, 1, 0, 0)
        assert reads.queue_counts(QueueQuery(search="nobody"), NOW) == QueueCounts(0, 0, 0, 0, 0)


def test_a_search_a_location_a_journey_and_a_channel_narrow_it(world: World) -> None:
    bend = world.location("Bend")
    journey, other = world.journey(), world.journey("Other")
    ana, ben = world.person("Ana"), world.person("Ben", location_id=bend)
    emails = world.enrollment(ana, journey)
    texts = world.enrollment(ben, journey, step="nudge")
    waits = world.enrollment(ben, other, step="pause", waits_for=WaitsFor.TIME, wake_at=NOW + HOUR)
    assert found(world, search="ana") == [emails]
    assert found(world, location_id=bend) == [texts, waits]
    assert found(world, journey_id=other.id) == [waits]
    assert found(world, channel=Channel.EMAIL) == [emails]
    assert found(world, channel=Channel.SMS) == [texts]
    assert found(world, channel=Channel.CALL) == []
    assert found(world, location_id=bend, channel=Channel.SMS, only=QueueFilter.WAITING) == []


def test_a_line_says_who_is_where_and_until_when(world: World) -> None:
    journey = world.journey()
    ana = world.person("Ana", last_name="Lopez", phone="+15035550111", email=None)
    follow_up = world.enrollment(ana, journey, waits_for=WaitsFor.MESSAGE)
    message = world.message(follow_up, try_at=NOW + HOUR, hold_why=Why.QUIET_HOURS.value)
    with world.store.open_reader() as reads:
        (line,) = reads.queue([follow_up])
    assert (line.enrollment_id, line.person_id, line.name) == (follow_up, ana, "Ana Lopez")
    assert (line.phone, line.email, line.location, line.zone) == (
        "+15035550111",
        None,
        "Portland",
        "America/Los_Angeles",
    )
    assert (line.journey, line.version, line.contact) == (journey.name, 1, Contact.OPEN)
    assert (line.step.id, line.step.kind, line.step.title, line.step.number, line.step.of) == (
        "hello",
        "email",
        "hello",
        1,
        3,
    )
    assert (line.wake_at, line.at) == (None, NOW + HOUR)
    assert (line.message_id, line.message_state) == (message, MessageState.QUEUED)
    assert line.hold is not None
    assert (line.hold.why, line.hold.until) == (Why.QUIET_HOURS, NOW + HOUR)


def test_a_message_of_an_earlier_step_that_is_still_out_is_not_what_it_waits_for(world: World) -> None:
    follow_up = world.enrollment(world.person(), world.journey(), waits_for=WaitsFor.MESSAGE)
    world.sending(world.message(follow_up))
    with world.store.session.write() as connection:
        connection.execute(t.enrollment.update().values(step="nudge", waits_for="nothing", wake_at=NOW + HOUR))
    assert found(world) == [follow_up]
    with world.store.open_reader() as reads:
        (line,) = reads.queue([follow_up])
    assert (line.message_id, line.at) == (None, NOW + HOUR)


def test_lines_come_in_the_order_of_the_ids_and_the_ended_are_left_out(world: World) -> None:
    journey = world.journey()
    ids = [world.enrollment(world.person(), journey) for _ in range(3)]
    world.end(ids[1])
    with world.store.open_reader() as reads:
        assert [line.enrollment_id for line in reads.queue([ids[2], ids[1], ids[0]])] == [ids[2], ids[0]]


def bars(world: World, now: datetime, hours: int, **parts: object) -> list[HourBar]:
    """The coming hours."""
    with world.store.open_reader() as reads:
        return list(reads.queue_hours(QueueQuery(**parts), now, hours))  # type: ignore[arg-type]


def test_the_bars_count_what_comes_in_each_hour_and_what_is_overdue_in_the_first(world: World) -> None:
    queue(world)
    # 10:30 in Portland; the first hour began at 10:00
    shown = bars(world, NOW + HOUR / 2, 6)
    assert [bar.starts_at for bar in shown] == [NOW + n * HOUR for n in range(6)]
    # `staff` is due and held until somebody has answered: no hour lifts that
    assert [bar.count for bar in shown] == [2, 1, 1, 1, 1, 0]
    assert [bar.count for bar in bars(world, NOW, 3, search="waiting")] == [0, 1, 0]


def test_an_hour_is_striped_only_when_every_location_is_closed_all_of_it(world: World) -> None:
    # Portland closes at 17:00, Bend at 15:00; Monday 14:30 there
    bend = world.location("Bend", hours={"mon": [["09:00", "15:00"]]})
    half_past_two = datetime(2026, 3, 2, 22, 30, tzinfo=UTC)
    assert [bar.all_closed for bar in bars(world, half_past_two, 4)] == [False, False, False, True]
    assert [bar.all_closed for bar in bars(world, half_past_two, 4, location_id=bend)] == [False, True, True, True]


def test_an_hour_is_a_full_one_on_the_clock_of_the_first_location(world: World) -> None:
    with world.store.session.write() as connection:
        connection.execute(t.location.update().values(zone="Asia/Kolkata"))
    # 18:10 UTC is 23:40 there
    (bar,) = bars(world, NOW + timedelta(minutes=10), 1)
    assert bar.starts_at == NOW - timedelta(minutes=30)


def test_without_a_location_nothing_is_striped(world: World) -> None:
    with world.rolled_back() as connection:
        connection.execute(t.location.delete())
        shown = ReadsDoor(connection, world.store.memory).queue_hours(QueueQuery(), NOW, 2)
        assert list(shown) == [HourBar(NOW, 0, False), HourBar(NOW + HOUR, 0, False)]
