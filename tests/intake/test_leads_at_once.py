"""The same lead many times at once: a web page's user presses twice, a proxy tries again. One person comes of it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from app.store import tables as t
from tests.intake.conftest import Knocker

AT_ONCE = 15  # within the burst that the door lets through
ANA = {"name": "Ana Gomez", "email": "ana@example.com", "phone": "(503) 555-0143", "message": "A crown, please"}


@pytest.mark.parametrize("own_ids", [False, True], ids=["the same sending", "sendings of their own"])
def test_a_lead_that_comes_many_times_at_once_is_one_person(knocker: Knocker, own_ids: bool) -> None:
    leads = [{**ANA, "id": f"form-{n}"} if own_ids else ANA for n in range(AT_ONCE)]

    with ThreadPoolExecutor(AT_ONCE) as pool:
        replies = list(pool.map(knocker.lead, leads))

    assert {reply.status for reply in replies} <= {200, 201}
    assert len({reply.told["id"] for reply in replies}) == (AT_ONCE if own_ids else 1)
    [ana] = knocker.world.rows(t.person)
    assert {row["person_id"] for row in knocker.world.rows(t.inbox_event)} == {ana["id"]}
    assert len(knocker.world.rows(t.inbox_event)) == (AT_ONCE if own_ids else 1)
