"""PostgreSQL: engines that start in the same moment seal the log in the same moment; it gets one seal a day."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from app.engine.ports import LogLine
from app.store import tables as t
from app.store.seals import Seal, check_seals, seal_log
from app.store.session import Session
from app.store.unit_of_work import Store
from tests.blocked import wait_until_blocked
from tests.builders import NOW
from tests.stage import Stage


@pytest.fixture
def stage(postgres_database_url: str) -> Iterator[Stage]:
    session = Session(postgres_database_url)
    yield Stage(Store(session))
    session.dispose()


def test_i15_two_engines_that_seal_at_once_make_one_seal_over_every_line(stage: Stage) -> None:
    made: list[Seal | None] = []
    faults: list[Exception] = []

    def seal() -> None:
        try:
            made.append(seal_log(stage.store.session, NOW))
        except Exception as fault:  # noqa: BLE001 -- shown by the assertion below
            faults.append(fault)

    threads = [threading.Thread(target=seal) for _ in range(2)]
    with stage.store.open_uow() as uow:
        uow.log.add([LogLine(NOW, "engine.resumed", "Dana")])
        uow.flush()
        for thread in threads:
            thread.start()
        wait_until_blocked(stage.store, 2)
    for thread in threads:
        thread.join()

    assert faults == []
    assert sorted(seal is None for seal in made) == [False, True]
    assert len(stage.world.rows(t.log_seal)) == 1
    checked = check_seals(stage.store.session)
    assert (checked.whole, checked.unsealed) == (True, 0)
