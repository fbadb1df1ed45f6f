"""Each wrong engine is caught, most of them by a seed that is known. The right one plays those seeds elsewhere."""

from __future__ import annotations

from pathlib import Path

from tests.simulation.faults import FAULTS
from tests.simulation.pool import Outcome, Task, play_all
from tests.simulation.test_simulation import BY_DEFAULT, of_a_run

MOST = 100  # seeds to look at, where the known one does not catch it any more


def test_each_planted_fault_is_caught_and_the_failure_names_its_seed(sqlite_template: Path) -> None:
    known = [Task([fault.caught_by], name) for name, fault in FAULTS.items()]
    caught = {outcome.task.fault: outcome for outcome in play_all(sqlite_template, known) if outcome.breaches}
    missed = [Task(range(MOST), name) for name in FAULTS if name not in caught]
    caught |= {outcome.task.fault: outcome for outcome in play_all(sqlite_template, missed) if outcome.breaches}

    assert FAULTS.keys() - caught.keys() == set(), f"unnoticed for {MOST} seeds"
    assert all(_named(outcome) for outcome in caught.values())


def test_the_right_engine_plays_the_same_seeds_in_every_run_of_the_suite() -> None:
    """Else a seed could catch whatever is played."""
    assert {fault.caught_by for fault in FAULTS.values()} <= set(of_a_run(BY_DEFAULT))
    assert MOST <= BY_DEFAULT


def _named(outcome: Outcome) -> bool:
    (seed, told), *_ = outcome.breaches
    return told.startswith(f"seed {seed}, ")
