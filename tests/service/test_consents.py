"""Consent by hand: what has to be there before it is recorded, what goes on then, and a no that a later yes lifts."""

from __future__ import annotations

from datetime import timedelta

import pytest

from app.domain.consent import Agreed, ConsentDone, ConsentWay
from app.domain.errors import OperatorError
from app.domain.events import EventKind
from app.domain.ids import PersonId
from app.domain.states import Channel
from app.service.consents import Consents
from app.service.events import Events, Told
from app.store import tables as t
from app.store.unit_of_work import Store
from tests.stage import Stage

PAPER = Agreed((Channel.SMS,), ConsentWay.PAPER, "I agree to texts from Fernhollow", "folder 3, page 12")


@pytest.fixture
def stage(store: Store) -> Stage:
    """A practice, an engine, a told clock."""
    return Stage(store)


def give(stage: Stage, person: PersonId, agreed: Agreed = PAPER) -> ConsentDone:
    """Dana records it."""
    return Consents(stage.store.open_uow, stage.clock).give(person, agreed, by="Dana")


def sent(stage: Stage, follow_up: int) -> list[str]:
    """The steps that were said."""
    return [row["step"] for row in stage.world.rows(t.message, enrollment_id=follow_up) if row["accepted_at"]]


def test_a_consent_is_kept_with_all_that_was_said_of_it(stage: Stage) -> None:
    """RULES C1."""
    person = stage.world.person(phone="+12025550142")
    yesterday = stage.clock.now() - timedelta(days=1)
    done = give(
        stage, person, Agreed((Channel.SMS, Channel.CALL), ConsentWay.PAPER, "the words", "folder 3", yesterday)
    )

    assert done == ConsentDone((Channel.SMS, Channel.CALL))
    rows = stage.world.rows(t.consent)
    assert [(row["channel"], row["purpose"], row["act"], row["address"]) for row in rows] == [
        ("sms", "marketing", "given", "+12025550142"),
        ("call", "marketing", "given", "+12025550142"),
    ]
    row = rows[0]
    assert (row["how"], row["wording"], row["evidence"]) == ("signed paper", "the words", "folder 3")
    assert (row["recorded_by"], row["at"], row["recorded_at"]) == ("Dana", yesterday, stage.clock.now())
    logged = [row for row in stage.world.rows(t.log_entry) if row["event"] == "consent.given"]
    assert [row["facts"] for row in logged] == [
        {"channel": "sms", "purpose": "marketing"},
        {"channel": "call", "purpose": "marketing"},
    ], "ids and facts, no words of theirs"


def test_a_text_held_for_want_of_consent_goes_on_by_itself(stage: Stage) -> None:
    person = stage.world.person(phone="+12025550142")
    follow_up = stage.world.enrollment(person, stage.journey, wake_at=stage.clock.now())
    stage.run()
    stage.run_for(timedelta(days=3))
    assert sent(stage, follow_up) == ["hello"]
    long_ago = stage.clock.now() - timedelta(days=300)
    give(stage, person, Agreed((Channel.SMS,), ConsentWay.WEB_FORM, "I agree", "form 12", long_ago))
    stage.run()
    assert sent(stage, follow_up) == ["hello", "nudge"]


@pytest.mark.parametrize(
    ("agreed", "told"),
    [
        (Agreed((), ConsentWay.PAPER, "w"), "Say what they agreed to"),
        (Agreed((Channel.SMS,), ConsentWay.PAPER), "needs its proof"),
        (Agreed((Channel.SMS,), ConsentWay.PAPER, "  ", " "), "needs its proof"),
        (Agreed((Channel.EMAIL,), ConsentWay.PAPER, "w"), "no email address"),
    ],
)
def test_what_is_missing_is_said_and_nothing_is_recorded(stage: Stage, agreed: Agreed, told: str) -> None:
    person = stage.world.person(phone="+12025550142", email=None)
    with pytest.raises(OperatorError, match=told):
        give(stage, person, agreed)
    assert stage.world.rows(t.consent) == []


def test_nobody_agreed_in_the_future_and_nobody_is_nobody(stage: Stage) -> None:
    person = stage.world.person()
    ahead = Agreed((Channel.SMS,), ConsentWay.PAPER, "w", at=stage.clock.now() + timedelta(minutes=1))
    with pytest.raises(OperatorError, match="in the future"):
        give(stage, person, ahead)
    with pytest.raises(OperatorError, match="no person 999"):
        give(stage, PersonId(999))


@pytest.mark.parametrize(
    ("way", "warned"), [(ConsentWay.PHONE, True), (ConsentWay.IN_PERSON, True), (ConsentWay.TEXT, False)]
)
def test_a_spoken_yes_to_marketing_texts_is_recorded_with_a_word_about_the_law(
    stage: Stage, way: ConsentWay, warned: bool
) -> None:
    """RULES C3."""
    done = give(stage, stage.world.person(), Agreed((Channel.SMS,), way, "they said yes"))
    assert bool(done.warnings) == warned


def test_a_no_is_lifted_only_by_a_later_yes_with_proof_and_on_purpose(stage: Stage) -> None:
    """RULES B9: evidence, and a second confirmation. Nothing is recorded by halves."""
    person, _ = stage.lead(phone="+12025550142")
    stage.clock.go_on(timedelta(days=1))
    stage.event(EventKind.OPTED_OUT, person, channel=Channel.SMS, text="STOP")
    before = stage.clock.now() - timedelta(hours=1)
    stage.clock.go_on(timedelta(days=2))
    rows = len(stage.world.rows(t.consent))

    with pytest.raises(OperatorError, match="asked for no more on"):
        give(stage, person)
    with pytest.raises(OperatorError, match="asked for no more on") as no_proof:
        give(stage, person, Agreed((Channel.SMS,), ConsentWay.PAPER, "the words", lift=True))
    assert "proof" in no_proof.value.hint
    with pytest.raises(OperatorError, match="asked for no more on") as too_old:
        give(stage, person, Agreed((Channel.SMS,), ConsentWay.PAPER, "w", "folder 3", before, lift=True))
    assert "before that" in too_old.value.hint
    assert len(stage.world.rows(t.consent)) == rows
    assert all(row["lifted_at"] is None for row in stage.world.rows(t.suppression))

    done = give(stage, person, Agreed((Channel.SMS,), ConsentWay.PAPER, "w", "folder 3", lift=True))
    assert (done.given, done.lifted) == ((Channel.SMS,), (Channel.SMS,))
    lifted = [row for row in stage.world.rows(t.suppression) if row["lifted_at"] is not None]
    assert [(row["channel"], row["lift_evidence"]) for row in lifted] == [("sms", "signed paper. w. folder 3")]


def test_lift_alone_lifts_nothing_that_was_not_named(stage: Stage) -> None:
    person, _ = stage.lead(phone="+12025550142")
    stage.event(EventKind.OPTED_OUT, person)
    stage.clock.go_on(timedelta(days=1))
    give(stage, person, Agreed((Channel.SMS,), ConsentWay.PAPER, "w", "folder 3", lift=True))
    standing = {row["channel"] for row in stage.world.rows(t.suppression) if row["lifted_at"] is None}
    assert standing == {"email", "call"}
    assert stage.world.row(t.person, person)["contact"] == "open"


def test_a_consent_taken_back_holds_the_texts_and_closes_no_address(stage: Stage) -> None:
    person, follow_up = stage.lead(phone="+12025550142")
    stage.run()
    consents = Consents(stage.store.open_uow, stage.clock)
    consents.take_back(person, (Channel.SMS,), by="Dana", how="said so at the desk")
    stage.run_for(timedelta(days=3))
    assert (sent(stage, follow_up), stage.state(follow_up)) == (["hello"], "active")
    assert stage.world.rows(t.suppression) == []
    with pytest.raises(OperatorError, match="no such consent"):
        consents.take_back(person, (Channel.SMS,), by="Dana", how="again")
    with pytest.raises(OperatorError, match="how they took it back"):
        consents.take_back(person, (Channel.SMS,), by="Dana", how=" ")


def test_a_yes_typed_in_that_is_older_than_the_no_is_refused_and_not_swallowed(stage: Stage) -> None:
    person, _ = stage.lead(phone="+12025550142")
    stage.event(EventKind.OPTED_OUT, person, channel=Channel.SMS)
    events = Events(stage.store.open_uow, stage.clock)
    earlier = stage.clock.now() - timedelta(days=1)
    with pytest.raises(OperatorError, match="asked for no more after that"):
        events.take_in(person, Told(EventKind.OPTED_IN, at=earlier, text="signed form", channel=Channel.SMS), by="Dana")
    assert [row["kind"] for row in stage.world.rows(t.inbox_event)] == ["opted_out"]
