"""The server's time: whatever this computer's clock says, and with hardly a question."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

import pytest
import sqlalchemy as sa

from app.domain.errors import StoreError
from app.providers.system_clock import SystemClock
from app.store.server_clock import ServerClock
from app.store.session import Session
from tests.builders import NOW

WRONG = NOW - timedelta(hours=3)  # what this computer believes


class Machine:
    """A computer with two clocks of its own, and a server that is `way` away."""

    def __init__(self) -> None:
        self.wall = WRONG
        self.passed_s = 1000.0
        self.server = NOW
        self.way = timedelta()
        self.asked = 0
        self.away = False
        self.aside: list[Callable[[], None]] = []

    def now(self) -> datetime:
        return self.wall

    def monotonic_s(self) -> float:
        return self.passed_s

    def go_on(self, by: timedelta, *, missed_by: str = "") -> None:
        """Time passes. missed_by: `wall` or `monotonic`: the clock that does not notice."""
        self.server += by
        self.wall += by if missed_by != "wall" else timedelta()
        self.passed_s += by.total_seconds() if missed_by != "monotonic" else 0.0

    @contextmanager
    def asking(self) -> Iterator[Callable[[], datetime]]:
        if self.away:
            raise StoreError("The PostgreSQL server can't be reached.")

        def ask() -> datetime:
            self.asked += 1
            self.go_on(self.way / 2)
            looked = self.server
            self.go_on(self.way / 2)
            return looked

        yield ask

    def clock(self) -> ServerClock:
        return ServerClock(self, self.asking, self.aside.append)


@pytest.fixture
def machine() -> Machine:
    return Machine()


def test_the_time_is_the_servers_with_half_of_the_way_taken_off(machine: Machine) -> None:
    machine.way = timedelta(seconds=0.4)
    clock = machine.clock()
    assert clock.now() == machine.server
    assert clock.ahead() == -timedelta(hours=3)
    machine.go_on(timedelta(seconds=10))
    assert clock.now() == machine.server


def test_a_thousand_looks_within_half_a_minute_ask_nothing(machine: Machine) -> None:
    clock = machine.clock()
    asked = machine.asked
    for _ in range(1000):
        machine.go_on(timedelta(milliseconds=29))
        clock.now()
        clock.monotonic_s()
    assert machine.asked == asked
    assert machine.aside == []


def test_after_half_a_minute_of_use_the_server_is_asked_aside_and_once(machine: Machine) -> None:
    clock = machine.clock()
    machine.go_on(timedelta(seconds=31))
    machine.server += timedelta(seconds=2)  # it was corrected meanwhile
    asked = machine.asked
    assert clock.now() == machine.server - timedelta(seconds=2)
    clock.now()
    assert (machine.asked, len(machine.aside)) == (asked, 1)
    machine.aside.pop()()
    assert clock.now() == machine.server
    assert machine.aside == []


@pytest.mark.parametrize("by", [timedelta(days=20), -timedelta(hours=5), timedelta(seconds=1)])
def test_a_clock_that_is_set_here_changes_nothing_but_that_the_server_is_asked_at_once(
    machine: Machine, by: timedelta
) -> None:
    clock = machine.clock()
    asked = machine.asked
    machine.wall += by
    machine.server += timedelta(seconds=4)
    assert clock.now() == machine.server
    assert machine.asked > asked
    assert machine.aside == []


def test_a_machine_that_was_frozen_from_outside_has_the_right_time_at_its_first_look(machine: Machine) -> None:
    clock = machine.clock()
    machine.go_on(timedelta(minutes=7), missed_by="monotonic")
    assert clock.now() == machine.server


@pytest.mark.parametrize("missed_by", ["wall", "monotonic"])
def test_i6_seconds_count_a_freeze_whichever_clock_has_missed_it(machine: Machine, missed_by: str) -> None:
    clock = machine.clock()
    noted_s = clock.monotonic_s()
    machine.go_on(timedelta(minutes=2), missed_by=missed_by)
    assert clock.monotonic_s() - noted_s == pytest.approx(120.0)


def test_seconds_never_go_back_however_the_clock_is_set(machine: Machine) -> None:
    clock = machine.clock()
    seen = clock.monotonic_s()
    for by in (timedelta(hours=1), -timedelta(hours=2), timedelta(minutes=3), timedelta()):
        machine.wall += by
        machine.go_on(timedelta(seconds=1))
        assert clock.monotonic_s() >= seen + 1
        seen = clock.monotonic_s()


def test_while_the_server_is_away_the_last_measurement_stands_and_it_is_not_asked_at_every_look(
    machine: Machine,
) -> None:
    clock = machine.clock()
    machine.away = True
    machine.wall += timedelta(days=1)
    assert clock.now() == machine.server
    machine.go_on(timedelta(seconds=4))
    assert clock.now() == machine.server
    machine.away = False
    asked = machine.asked
    clock.now()
    assert machine.asked == asked
    machine.go_on(timedelta(seconds=1))
    clock.now()
    assert machine.asked > asked


def test_a_measurement_aside_that_fails_is_tried_again(machine: Machine) -> None:
    clock = machine.clock()
    machine.go_on(timedelta(seconds=31))
    machine.away = True
    clock.now()
    machine.aside.pop()()
    clock.now()
    assert machine.aside == []
    machine.go_on(timedelta(seconds=5))
    assert clock.now() == machine.server
    assert len(machine.aside) == 1


def test_a_server_that_can_not_be_asked_at_the_start_is_told(machine: Machine) -> None:
    machine.away = True
    with pytest.raises(StoreError, match="can't be reached"):
        machine.clock()


class Behind(SystemClock):
    """A computer whose clock is seven minutes late."""

    def now(self) -> datetime:
        return super().now() - timedelta(minutes=7)


def test_a_real_server_is_asked_beside_every_transaction(postgres_database_url: str) -> None:
    session = Session(postgres_database_url)
    clock = ServerClock(Behind(), session.asking_time)
    with session.write() as connection:
        before = connection.scalar(sa.text("SELECT clock_timestamp()"))
        here = clock.now()
        after = connection.scalar(sa.text("SELECT clock_timestamp()"))
    slack = timedelta(seconds=0.2)
    assert before - slack <= here <= after + slack
    assert here.utcoffset() == timedelta()
    assert abs(clock.ahead() + timedelta(minutes=7)) < slack
    session.dispose()


def test_a_database_that_is_not_there_is_one_clear_line(postgres_database_url: str) -> None:
    session = Session(postgres_database_url.replace("/store", "/gone"))
    with pytest.raises(StoreError, match="There is no such database"):
        ServerClock(SystemClock(), session.asking_time)
    session.dispose()
