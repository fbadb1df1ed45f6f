"""What waits as things stand."""

from __future__ import annotations

from app.domain.going_live import Waiting
from app.store import tables as t
from app.store.unit_of_work import Store
from tests.stage import Stage


def test_what_waits_before_a_practice_goes_live_is_counted(store: Store) -> None:
    stage = Stage(store)
    with store.open_reader() as reads:
        assert reads.waiting(stage.clock.now()) == Waiting(0, 0, 0, 0)
    stage.lead()
    unasked = stage.world.person()
    stage.world.enrollment(unasked, stage.journey, wake_at=stage.clock.now())
    with store.open_reader() as reads:
        assert reads.waiting(stage.clock.now()) == Waiting(going=2, due=2, in_hand=0, without_consent=1)
    stage.tick()
    message = stage.world.rows(t.message)[0]["id"]
    stage.world.sending(message, at=stage.clock.now())
    with store.open_reader() as reads:
        assert reads.waiting(stage.clock.now()).in_hand == 1
