"""Case 145: the PostgreSQL server goes away under two workers, and comes back."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from app.domain.errors import StoreError
from app.engine.ports import AttemptNote
from app.store import tables as t
from app.store.session import Session
from app.store.unit_of_work import Store
from tests.databases import migrated
from tests.postgres import PostgresServer
from tests.stage import Stage

pytestmark = pytest.mark.postgres


@pytest.fixture
def server() -> Iterator[PostgresServer]:
    """A server of this test's own, for it goes down."""
    own = PostgresServer.start()
    yield own
    own.stop()


@pytest.mark.expects_warning("deliver.results_kept")
@pytest.mark.parametrize("in_flight", [1, 16])
def test_i13_a_server_that_goes_away_in_the_middle_of_a_call_is_one_clear_line_and_then_everything_goes_on(
    server: PostgresServer, in_flight: int
) -> None:
    url = server.create_database("practice")
    migrated(url)
    session = Session(url)
    stage = Stage(Store(session), in_flight=in_flight)
    another = stage.another()
    for _ in range(40):
        stage.lead()
    went: list[int] = []

    def goes_away(note: AttemptNote) -> None:
        if len(stage.provider.taken) >= 5 and not went:
            went.append(note.message_id)
            server.go_down()

    stage.provider.script = goes_away
    for engine in (stage.once, another):
        with pytest.raises(StoreError, match=r"server can't be reached|shutting down or starting up"):
            engine.run()
    assert went

    server.come_up()
    for _ in range(4):
        stage.clock.go_on(timedelta(minutes=10))
        for engine in (stage.once, another):
            engine.run()

    assert {row["state"] for row in stage.world.rows(t.message)} == {"accepted"}
    assert len(stage.provider.messages()) == 40
    stage.balanced()
    session.dispose()
