"""Names in a condition that nothing has are told with their path and the nearest one."""

from __future__ import annotations

import pytest

from app.domain.check import KnownNames, check_documents
from app.domain.condition import parse_condition
from app.domain.condition_names import doubtful_names
from app.domain.errors import DocumentError

GROUP = "{format: stopwell.group/1, name: back, match: %s}"


def told(rule: object, *journeys: str) -> list[str]:
    return [problem.told() for problem in doubtful_names(parse_condition(rule), "match", journeys)]


def test_a_journey_that_there_is_not_is_told_with_the_nearest_one() -> None:
    rule = {"any": [{"tag": "vip"}, {"not": {"journey": "New led", "ended": "exhausted"}}]}
    assert told(rule, "New lead", "Care") == [
        "match.any.1.not.journey: no journey is called New led. Did you mean New lead?"
    ]
    assert told({"journey": "x", "ended": "stopped"}) == [
        "match.journey: no journey is called x. As long as there is none, this is never true."
    ]
    assert told({"journey": " new LEAD", "ended": "stopped"}, "New lead") == []


def test_a_status_that_looks_mistyped_is_told_and_one_of_the_practice_s_own_is_not() -> None:
    assert told({"record": "appointment", "status": ["booked", "mised"]}) == [
        "match.status: mised is not a usual status of a record of kind appointment. Did you mean missed?"
    ]
    assert told({"record": "appointment", "status": "waiting for insurance"}) == []


def test_check_tells_them_of_groups_and_of_journeys_and_refuses_nothing() -> None:
    group = GROUP % "{journey: New led, ended: exhausted}"
    result = check_documents({"a.yaml": group.encode()}, KnownNames(journeys=("New lead",)))
    assert result.problems == ()
    assert [problem.path for problem in result.warnings] == ["match.journey"]
    journey = """
format: stopwell.journey/1
name: One
purpose: care
ends: {replied: true, converted: {when: {record: appointment, status: bookd}}, closed: never}
start: asked
steps:
  asked: {do: branch, if: {journey: One, ended: stopped}, yes: done, no: done}
  done: {do: end, as: exhausted}
"""
    result = check_documents({"a.yaml": journey.encode()}, None)
    assert [problem.path for problem in result.warnings if "usual" in problem.problem] == ["ends.converted.when.status"]


def test_the_nearest_word_is_told_for_since_too() -> None:
    with pytest.raises(DocumentError) as refused:
        parse_condition({"record": "job", "since": "enrolment"})
    assert refused.value.problems[0].told() == 'since: "enrolment" is not known here. Did you mean enrollment?'
