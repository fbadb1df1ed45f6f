"""The ready journeys: each proven, linted without a warning, and rehearsed in two zones with every answer."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.bootstrap import Builder
from app.domain.proof import Proof
from app.domain.rehearsal import LineKind, RehearsalOrder, Rehearsed
from app.domain.states import Channel, EnrollmentState, Purpose
from app.domain.template import Template
from app.domain.template_lint import lint_template
from app.resources import resource_path
from app.service.library import STARTERS, starter, starters
from app.service.parts import Parts
from app.service.rehearsal import Rehearsal
from tests.shop import PRACTICE, Shop

MONDAY = datetime(2027, 3, 8, 18, 0, tzinfo=UTC)  # the clocks change on the Sunday after
ZONES = {"Portland": "America/Los_Angeles", "Boise": "America/Boise"}
# by which event the journey does its job
GOALS = {"quote-follow-up": "accepted", "invoice-reminder": "paid", "job-closeout": "paid", "review-request": "clicked"}
# the first step that says something
FIRST = {name: next(s.id for s in starter(name).journey.steps.values() if hasattr(s, "template")) for name in STARTERS}


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Parts]:
    """A practice that took the whole library in."""
    shop = Shop(tmp_path_factory.mktemp("library") / "data")
    shop.done("init", *PRACTICE)
    shop.done("apply", resource_path("practice", "sample.yaml"))
    shop.done("library", "add", *STARTERS)
    with Builder({}).open(str(shop.folder)) as opened:
        yield opened


def rehearse(parts: Parts, name: str, location: str, *answers: str) -> Rehearsed:
    order = RehearsalOrder(starter(name).journey.name, location=location, answers=answers, start=MONDAY)
    return Rehearsal(parts.open_reader, parts.open_scratch, parts.clock).run(order)


def sent(run: Rehearsed) -> int:
    return sum(line.kind in (LineKind.SENT, LineKind.CALLED) for line in run.lines)


def test_there_are_eight_and_each_is_there_for_a_reason_of_its_own() -> None:
    assert len(starters()) == 8
    assert len({each.told for each in starters()}) == 8
    files = {path.stem for path in resource_path("journeys").glob("*.yaml")}
    assert files == set(STARTERS)


@pytest.mark.parametrize("name", STARTERS)
def test_each_checks_without_a_problem_or_a_warning(name: str, tmp_path: Path) -> None:
    said = Shop(tmp_path / "none").json("check", *starter(name).files)
    assert (said["ok"], said["problems"]) == (True, [])
    assert said.get("warnings", []) == []


@pytest.mark.parametrize("name", STARTERS)
def test_each_template_is_linted_without_a_warning_and_suits_the_purpose(parts: Parts, name: str) -> None:
    with parts.open_uow() as uow:
        stored = uow.documents.templates()
    for used in starter(name).journey.templates():
        row = stored[used]
        lint = lint_template(Template(used, row.channel, row.purpose, row.subject, row.body))
        assert (lint.problems, lint.warnings) == ((), ())
        assert row.purpose is starter(name).journey.purpose
        if row.channel is Channel.SMS:
            assert "STOP" in row.body
        if row.channel is Channel.EMAIL and row.purpose is Purpose.MARKETING:
            assert "unsubscribe_url" in row.body
            assert "postal_address" in row.body


@pytest.mark.parametrize("location", ZONES)
@pytest.mark.parametrize("name", STARTERS)
def test_who_says_nothing_gets_it_all_within_the_proof_and_then_it_ends(parts: Parts, name: str, location: str) -> None:
    run = rehearse(parts, name, location)
    proof = run.proof
    assert isinstance(proof, Proof)
    assert (run.state, run.zone, run.unused) == (EnrollmentState.EXHAUSTED, ZONES[location], ())
    assert sent(run) == proof.send_budget


@pytest.mark.parametrize("location", ZONES)
@pytest.mark.parametrize("name", STARTERS)
@pytest.mark.parametrize(
    ("what", "end"),
    [
        ("replied", EnrollmentState.REPLIED),
        ("goal", EnrollmentState.CONVERTED),
        ("opted_out", EnrollmentState.OPTED_OUT),
    ],
)
def test_whoever_answers_gets_nothing_more(
    parts: Parts, name: str, location: str, what: str, end: EnrollmentState
) -> None:
    event = GOALS.get(name, "booked") if what == "goal" else what
    run = rehearse(parts, name, location, f"{event}@{FIRST[name]}")
    assert (run.state, sent(run), run.unused) == (end, 1, ())
