"""A disk that is full, at whichever write it comes: no call without its note, no answer lost, and it is said (C8)."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import timedelta

import pytest

from app.domain.answer import CannotKnow, LookUp
from app.domain.errors import StoreError
from app.engine.ports import AttemptNote
from app.store import tables as t
from app.store.session import Session
from app.store.unit_of_work import Store
from tests.stage import Stage

PEOPLE = 40
NO_LIMIT = 1_073_741_823  # SQLite's own


class Disk:
    """The disk under a SQLite file, as far as its engine can tell: full when the file may not grow by a page."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def fill(self, room: int = 0) -> None:
        """From now on there is room for `room` pages more."""
        with self._session.write() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            connection.exec_driver_sql(f"PRAGMA max_page_count={pages + room}")

    def make_room(self) -> None:
        """As much as anybody wants."""
        with self._session.write() as connection:
            connection.exec_driver_sql(f"PRAGMA max_page_count={NO_LIMIT}")


@pytest.fixture
def stage(sqlite_database_url: str) -> Iterator[Stage]:
    """On SQLite: a PostgreSQL server keeps its own disk."""
    session = Session(sqlite_database_url)
    yield Stage(Store(session))
    session.dispose()


def cannot_be_asked(_note: AttemptNote) -> LookUp:
    return CannotKnow(ever=True)


@pytest.mark.parametrize("room", [0, 1, 2])
@pytest.mark.parametrize("fills_in", ["the lease", "a call"])
def test_i7_i13_a_disk_that_fills_up_while_messages_go_out_sends_nothing_unnoted_and_loses_no_answer(
    stage: Stage, room: int, fills_in: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The provider can't be asked, so that nothing but the books can know. It ends with one clear line."""
    for _ in range(PEOPLE):
        stage.lead()
    stage.provider.look_up = cannot_be_asked
    caplog.set_level(logging.ERROR, "app.engine.deliver")  # that it keeps answers is told or not, as the pages fall
    disk = Disk(stage.store.session)
    stage.tick()

    def fills(_note: AttemptNote) -> None:
        if len(stage.provider.asked) == 2:
            disk.fill(room)

    if fills_in == "a call":
        stage.provider.script = fills
    else:
        stage.at("deliver.leased", lambda: disk.fill(room))
    with pytest.raises(StoreError, match="The disk is full") as told:
        stage.deliver()
    stage.provider.script = lambda _note: None
    assert "nothing was lost" in str(told.value)
    went_out = stage.provider.messages()
    assert len(went_out) < PEOPLE, "the disk was never full"
    assert set(went_out) <= {row["message_id"] for row in stage.world.rows(t.attempt)}, "a call without its note"

    if fills_in == "the lease":
        stage.disarm()
    disk.make_room()
    for _ in range(3):
        stage.run()
        stage.clock.go_on(timedelta(minutes=2))
    assert sorted(stage.provider.messages()) == sorted(row["id"] for row in stage.world.rows(t.message, step="hello"))
    assert not any(row["possible_duplicate"] for row in stage.world.rows(t.message))
    stage.balanced()
