"""What parts of a condition say against each other, and nothing that could be true after all."""

from __future__ import annotations

import pytest

from app.domain.condition import holds, parse_condition
from app.domain.condition_tree import AllOf, AnyOf, Not
from app.domain.contradiction import never_true
from tests.drawn_conditions import NOW, Draw

BOOKED = {"record": "appointment", "status": "booked"}
LOST = {"field": "person.status", "is": "lost"}
OPEN = {"field": "person.status", "is": "Open"}


@pytest.mark.parametrize(
    "condition",
    [
        {"all": [LOST, OPEN]},
        {"all": [LOST, {"not": LOST}]},
        {"all": [LOST, {"field": "person.status", "is_not": "LOST "}]},
        {"all": [{"tag": "vip"}, {"not": {"tag": "VIP"}}]},
        {"all": [BOOKED, {"not": BOOKED}]},
        {"all": [BOOKED | {"count": {"at_least": 3}}, BOOKED | {"count": {"at_most": 1}}]},
        {"all": [LOST, {"field": "person.status", "empty": True}]},
        {"all": [{"field": "person.status", "in": ["a", "b"]}, {"field": "person.status", "in": ["c", "d"]}]},
        {"all": [{"field": "person.custom.size", "less": 3}, {"field": "person.custom.size", "more": 3}]},
        {"all": [{"field": "person.custom.size", "is": 7}, {"field": "person.custom.size", "less": 7}]},
        {
            "all": [
                {"field": "person.custom.on", "before": "2027-01-01"},
                {"field": "person.custom.on", "after": "2027-06-01"},
            ]
        },
        {"all": [{"any": [LOST, OPEN]}, {"field": "person.status", "empty": True}]},
        {"all": [{"not": {"any": [LOST, {"tag": "x"}]}}, {"any": [LOST, {"tag": "x"}]}]},
        {"any": [{"all": [LOST, OPEN]}, {"all": [{"tag": "x"}, {"not": {"tag": "x"}}]}]},
        {"all": [{"event": "clicked"}, {"not": {"event": "clicked"}}]},
    ],
)
def test_what_rules_itself_out_is_seen(condition: dict[str, object]) -> None:
    assert never_true(parse_condition(condition))


@pytest.mark.parametrize(
    "condition",
    [
        {"any": [LOST, OPEN]},
        {"all": [LOST, {"field": "person.source", "is": "open"}]},
        {"all": [BOOKED, {"record": "appointment", "status": "missed"}]},
        {"all": [BOOKED, {"not": BOOKED | {"since": "enrollment"}}]},
        {"all": [{"field": "person.custom.size", "is": 7}, {"field": "person.custom.size", "is": "7.0"}]},
        {"all": [{"field": "person.custom.size", "less": 4}, {"field": "person.custom.size", "more": 3}]},
        {"all": [{"field": "person.status", "in": ["a", "b"]}, {"field": "person.status", "in": ["B", "c"]}]},
        {"any": [{"all": [LOST, OPEN]}, {"tag": "x"}]},
        {"not": {"all": [LOST, OPEN]}},
        {"all": [{"event": "clicked"}, {"not": {"event": "opened"}}]},
    ],
)
def test_what_may_be_true_is_let_be(condition: dict[str, object]) -> None:
    assert not never_true(parse_condition(condition))


def test_nothing_that_is_true_of_anybody_is_called_impossible() -> None:
    draw = Draw(20_27)
    people = [draw.facts() for _ in range(60)]
    seen = 0
    for _ in range(3_000):
        one, other = draw.condition(2), draw.condition(2)
        for condition in (one, AllOf((one, other)), AllOf((one, Not(one))), AnyOf((AllOf((one, other)), Not(other)))):
            if never_true(condition):
                seen += 1
                assert not any(holds(condition, facts, NOW) for facts in people), condition
    assert seen > 2_000
