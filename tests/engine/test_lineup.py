"""One pass goes by one line-up; what became of a message is asked of whom its note names, and of nobody else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

import pytest

from app.domain.answer import Found, LookUp, Outage, Unknown
from app.domain.reasons import Why
from app.domain.states import Channel
from app.engine.lineup_ports import Lineup
from app.engine.ports import AttemptNote, Sender
from app.store import tables as t
from app.store.unit_of_work import Store
from tests.fakes import FakeProvider
from tests.stage import Stage

PAST_THE_LEASE = timedelta(minutes=2)


class Office:
    """A stage whose engine asks for its line-up at each pass."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.asked = 0
        self.old = self.provider("old")
        self.new = self.provider("new")
        self.lineup = Lineup.of(dict.fromkeys(Channel, self.old))
        self.once = replace(stage.once, lineup=self._asked)

    def provider(self, name: str) -> FakeProvider:
        provider = FakeProvider(self.stage.clock)
        provider.name = name
        return provider

    def changes_to(self, provider: FakeProvider, *, knows: Mapping[str, Sender] | None = None) -> None:
        lineup = Lineup.of(dict.fromkeys(Channel, provider))
        self.lineup = replace(lineup, by_name={**lineup.by_name, **(knows or {})})

    def cut_off(self) -> None:
        """A message goes out, and nobody knows what came of it."""
        self.old.script = lambda _note: Unknown(Why.NO_ANSWER)
        self.stage.lead()
        self.once.run()

    def _asked(self) -> Lineup:
        self.asked += 1
        return self.lineup


@pytest.fixture
def office(store: Store) -> Office:
    return Office(Stage(store))


def test_a_pass_asks_once_and_goes_by_the_answer_to_its_end(office: Office) -> None:
    def change_in_the_middle(_note: AttemptNote) -> None:
        office.changes_to(office.new)

    for _ in range(3):
        office.stage.lead()
    office.old.script = change_in_the_middle
    office.once.run()

    assert (office.asked, len(office.old.taken), len(office.new.taken)) == (1, 3, 0)
    assert {row["provider"] for row in office.stage.world.rows(t.attempt)} == {"old"}


def test_once_a_line_up_is_no_longer_in_force_nothing_more_leaves_by_it(office: Office) -> None:
    """Back in practice mode: what is in hand is finished, and the rest stays queued for the next pass."""
    in_force = [True]
    office.lineup = replace(office.lineup, in_force=lambda: in_force[0])
    for _ in range(3):
        office.stage.lead()

    def change_in_the_middle(_note: AttemptNote) -> None:
        in_force[0] = False

    office.old.script = change_in_the_middle
    office.once.run()
    assert len(office.old.taken) == 1

    office.changes_to(office.new)
    office.once.run()

    assert (len(office.old.taken), len(office.new.taken)) == (1, 2)


def test_the_next_pass_goes_by_what_is_in_force_then(office: Office) -> None:
    office.changes_to(office.new)
    office.stage.lead()
    office.once.run()

    assert (len(office.old.taken), len(office.new.taken)) == (0, 1)


def test_i13_what_became_of_a_message_is_asked_of_whom_its_note_names(office: Office) -> None:
    office.cut_off()
    office.old.look_up = lambda note: Found("OLD-1", note.noted_at)
    office.new.look_up = lambda _note: pytest.fail("it was never handed to this one")
    office.changes_to(office.new, knows={"old": office.old})
    office.stage.clock.go_on(PAST_THE_LEASE)
    office.once.run()

    [message] = office.stage.world.rows(t.message)
    assert (message["state"], message["provider_id"]) == ("accepted", "OLD-1")
    assert office.new.taken == []


def test_i13_of_a_provider_that_is_gone_nobody_can_know_and_it_is_marked_when_it_is_tried_again(
    office: Office,
) -> None:
    office.cut_off()
    office.new.look_up = lambda _note: pytest.fail("it was never handed to this one")
    office.changes_to(office.new)
    for _ in range(4):
        office.stage.clock.go_on(PAST_THE_LEASE)
        office.once.run()
    assert [row["state"] for row in office.stage.world.rows(t.message)] == ["sending"]
    assert office.new.taken == []

    for _ in range(3):
        office.stage.clock.go_on(PAST_THE_LEASE)
        office.once.run()
    [message] = office.stage.world.rows(t.message)
    assert (message["state"], message["possible_duplicate"]) == ("accepted", True)
    assert len(office.new.taken) == 1


def test_i13_a_question_that_can_not_be_put_for_want_of_a_key_is_no_answer(office: Office) -> None:
    office.cut_off()
    keyless = office.provider("old")
    no_key: LookUp = Outage(Why.NO_KEY)
    keyless.look_up = lambda _note: no_key
    keyless.health = Outage(Why.NO_KEY)
    office.changes_to(keyless)
    for _ in range(20):
        office.stage.clock.go_on(PAST_THE_LEASE)
        office.once.run()

    assert [row["state"] for row in office.stage.world.rows(t.message)] == ["sending"]


def test_answers_that_were_not_written_are_kept_over_a_change(office: Office) -> None:
    office.once.deliver.kept.clear()
    first = office.once._lined_up().deliver.kept
    office.changes_to(office.new)

    assert office.once._lined_up().deliver.kept is first


def test_i12_what_is_left_to_other_computers_is_taken_by_them_and_rests_for_nobody(office: Office) -> None:
    keyless = office.provider("old")
    keyless.health = Outage(Why.NO_KEY)
    office.lineup = Lineup(True, {}, {}, elsewhere={Channel.EMAIL: keyless})
    office.stage.lead()
    office.once.run()
    office.stage.clock.go_on(timedelta(minutes=9))
    office.once.run()
    assert [row["paused_why"] for row in office.stage.world.rows(t.channel_state)] == [None] * 3

    office.stage.run()  # the computer that has the key

    assert len(office.stage.provider.taken) == 1
    office.stage.clock.go_on(timedelta(minutes=9))
    office.once.run()
    assert [row["paused_why"] for row in office.stage.world.rows(t.channel_state)] == [None] * 3


def test_i12_what_no_computer_takes_is_said_after_a_while(office: Office) -> None:
    keyless = office.provider("old")
    keyless.health = Outage(Why.NO_KEY)
    office.lineup = Lineup(True, {}, {}, elsewhere={Channel.EMAIL: keyless})
    office.stage.lead()
    office.once.run()
    office.stage.clock.go_on(timedelta(minutes=10))
    office.once.run()

    [email] = office.stage.world.rows(t.channel_state, channel="email")
    assert (email["paused_why"], email["provider"]) == ("no_key", "old")
    [problem] = office.stage.world.rows(t.problem)
    assert problem["why"] == "channel_paused"
    assert [(row["state"], row["attempts"]) for row in office.stage.world.rows(t.message)] == [("queued", 0)]
