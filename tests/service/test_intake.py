"""What is handed to us is taken in once, told after the commit, and never lost where it can't be read."""

from __future__ import annotations

import pytest

from app.domain.errors import Collision
from app.engine import take_in as module
from app.engine.take_in_text import take_text
from app.service.changes import Change, Changes
from app.service.intake import Intake
from app.store import tables as t
from app.store.unit_of_work import Store
from tests.builders import NOW, World
from tests.fakes import ToldClock
from tests.outside import text


def test_it_is_taken_in_once_and_told_after_the_commit(store: Store, world: World) -> None:
    ana = world.person(phone="+12025550143")
    changes, told = Changes(), list[tuple[Change, int]]()
    changes.listen(lambda change: told.append((change, len(world.rows(t.inbox_event)))))
    intake = Intake(store.open_uow, ToldClock(NOW), changes)
    item = text("+12025550143", "Hello", NOW)

    assert (intake.take(item).person_id, intake.take(item).duplicate) == (ana, True)
    assert told == [(Change(), 1)]


@pytest.mark.expects_warning("take_in.failed")
def test_what_can_not_be_read_is_kept(store: Store, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: object) -> object:
        raise RuntimeError("nobody thought of this")

    monkeypatch.setattr(module, "take_text", breaks)
    done = Intake(store.open_uow, ToldClock(NOW)).take(text("+12025550143", "Hello", NOW))
    (event,) = world.rows(t.inbox_event)
    assert (done.unmatched, event["text"], event["note"]) == (True, "Hello", "could not be read")


def test_two_that_met_half_way_are_taken_in_all_the_same(
    store: Store, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = [2]

    def collides(uow: object, item: object, now: object) -> object:
        if left[0]:
            left[0] -= 1
            raise Collision("two desks changed the same rows at once")
        return take_text(uow, item, now)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "take_text", collides)
    Intake(store.open_uow, ToldClock(NOW)).take(text("+12025550143", "Hello", NOW))
    assert len(world.rows(t.inbox_event)) == 1
