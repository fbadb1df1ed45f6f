"""Two engines read the same at once, and the receiver is handed it too: each thing is taken in once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from app.domain.inbound import TextIn
from app.service.intake import Intake
from app.store import tables as t
from app.store.unit_of_work import Store
from tests.outside import FakeSource, polling, text
from tests.stage import Stage


def at_once(*works: Callable[[], object]) -> None:
    """Run them in threads of their own, from one starting line. Raises what one of them raised."""
    start = threading.Barrier(len(works))

    def run(work: Callable[[], object]) -> None:
        start.wait()
        work()

    with ThreadPoolExecutor(len(works)) as pool:
        for done in [pool.submit(run, work) for work in works]:
            done.result()


def test_i8_two_engines_and_the_receiver_take_each_text_in_once(store: Store) -> None:
    """Families with one number among them: the same people are wanted by all three, in whatever order they come."""
    stage = Stage(store)
    numbers = [f"+1202555017{each}" for each in range(8)]
    follow_ups = [stage.lead(phone=number)[1] for number in numbers for _ in range(2)]
    now = stage.clock.now()
    items: list[TextIn] = [text(number, "STOP", now, key=f"SM-{number}") for number in numbers]
    first, second = FakeSource(page=3), FakeSource(page=5)
    first.bring(*items)
    second.bring(*reversed(items))
    intake = Intake(store.open_uow, stage.clock)

    at_once(
        polling(stage, first, eager=True).run,
        polling(stage, second, eager=True).run,
        lambda: [intake.take(item) for item in items[4:] + items[:4]],
    )
    stage.clock.go_on(timedelta(minutes=1))
    for source in (first, second):  # what collided for good comes again
        with store.open_uow() as uow:
            uow.marks.read_to("twilio", {"given": 0}, stage.clock.now(), whole=True)
        polling(stage, source, eager=True).run()

    own = [row["key"] for row in stage.world.rows(t.inbox_event) if " person " not in row["key"]]
    assert sorted(own) == sorted(item.key for item in items)
    assert len(stage.world.rows(t.inbox_event)) == 2 * len(items)
    assert {stage.state(follow_up) for follow_up in follow_ups} == {"opted_out", "active"}
    assert stage.world.rows(t.problem) == []
    stage.run_for(timedelta(days=4))
    assert not [taken for taken in stage.provider.taken if taken.channel.value == "sms"]
