"""Start journey, pressed more than once: one follow-up comes of it."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from app.domain.errors import OperatorError
from app.domain.ids import PersonId
from app.domain.lines import QueueQuery
from app.service.enrolling import Enrolled, Enrolling
from app.service.parts import Parts
from app.service.queues import Lists
from tests.shop import Shop

ANA = PersonId(1)


@pytest.fixture
def enrolling(shop: Shop, parts: Parts) -> Enrolling:
    """New lead is live, and Ana is here."""
    shop.done("publish", "New lead")
    shop.import_people("Name,Email,Location\nAna Diaz,ana@example.com,Portland\n")
    return Enrolling(parts.open_uow, parts.open_reader, parts.clock)


@pytest.mark.parametrize("reason", ["", "she asked for it"])
def test_i1_start_journey_pressed_twice_at_once_starts_one_and_tells_the_second(
    enrolling: Enrolling, parts: Parts, reason: str
) -> None:
    """CASES 59: two presses in the same instant, and Enter after them."""
    together = threading.Barrier(2)
    started: list[Enrolled] = []
    told: list[str] = []

    def press(wait: Callable[[], object]) -> None:
        wait()
        try:
            started.append(enrolling.enroll_person("New lead", ANA, by="dana", reason=reason))
        except OperatorError as refused:
            told.append(refused.told)

    presses = [threading.Thread(target=press, args=(lambda: together.wait(60),)) for _ in range(2)]
    for each in presses:
        each.start()
    for each in presses:
        each.join(60)
    press(lambda: None)

    assert [len(each.started) for each in started] == [1]
    assert told == ["Ana Diaz (person 1) is in this journey already."] * 2
    assert len(list(Lists(parts.open_reader, parts.clock).queue(QueueQuery()))) == 1
