"""What a no takes back and what a later yes gives back: consents, and the do-not-contact list (RULES B9, C1, C5)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from app.domain.events import EventKind, InboxEvent
from app.domain.ids import PersonId
from app.domain.states import Channel, Contact
from app.engine.apply_event import apply_event
from app.store import tables as t
from tests.stage import Stage

ANA = "+12025550142"
OTHER = "+12025550143"


def consents(stage: Stage) -> list[tuple[str, str]]:
    """(channel, act) of every row, in the order in which they were written."""
    return [(row["channel"], row["act"]) for row in stage.world.rows(t.consent)]


def standing(stage: Stage, person: PersonId) -> set[Channel]:
    """The channels that the person agrees to now."""
    with stage.store.open_uow() as uow:
        found = uow.people.read(person)
        assert found is not None
        return {seen.channel for seen in uow.consents.standing(found)}


def closed(stage: Stage) -> set[str]:
    """The channels with a standing entry of the do-not-contact list."""
    return {row["channel"] for row in stage.world.rows(t.suppression) if row["lifted_at"] is None}


def test_an_opt_out_takes_the_consent_back_as_a_row_of_its_own(stage: Stage) -> None:
    person, _ = stage.lead(phone=ANA)
    applied = stage.event(EventKind.OPTED_OUT, person, channel=Channel.SMS, text="STOP", happened_at=stage.clock.now())

    assert consents(stage) == [("sms", "given"), ("sms", "revoked")]
    row = stage.world.rows(t.consent)[-1]
    assert (row["address"], row["evidence"], row["wording"]) == (None, f"event {applied.event_id}", "")
    assert standing(stage, person) == set()


def test_an_opt_out_of_email_leaves_the_consent_to_texts(stage: Stage) -> None:
    person, _ = stage.lead(phone=ANA)
    stage.event(EventKind.OPTED_OUT, person, channel=Channel.EMAIL)
    assert standing(stage, person) == {Channel.SMS}


def test_a_wrong_number_ends_the_consent_of_that_number_alone(stage: Stage) -> None:
    """RULES C5."""
    person, _ = stage.lead(phone=ANA)
    stage.event(EventKind.DISCONNECTED, person, channel=Channel.SMS, address=OTHER)
    assert standing(stage, person) == {Channel.SMS}
    stage.event(EventKind.DISCONNECTED, person, channel=Channel.SMS, address=ANA)
    assert standing(stage, person) == set()
    assert stage.world.rows(t.consent)[-1]["address"] == ANA


def test_a_soft_bounce_or_an_answer_takes_nothing_back(stage: Stage) -> None:
    person, _ = stage.lead(phone=ANA)
    for kind in (EventKind.BOUNCED_SOFT, EventKind.AUTO_REPLY, EventKind.REPLIED):
        stage.event(kind, person, channel=Channel.SMS)
    assert consents(stage) == [("sms", "given")]


def test_a_later_start_gives_back_what_the_stop_took(stage: Stage) -> None:
    """RULES B9. The follow-up that had ended stays ended (I3)."""
    person, follow_up = stage.lead(phone=ANA)
    stage.world.consent(person, Channel.CALL)
    stage.event(EventKind.OPTED_OUT, person, channel=Channel.SMS, text="STOP")
    stage.clock.go_on(timedelta(days=3))
    stage.event(EventKind.OPTED_IN, person, channel=Channel.SMS, text="START")

    assert standing(stage, person) == {Channel.SMS}, "they texted; of calls they said nothing"
    assert closed(stage) == {"call"}
    assert stage.state(follow_up) == "opted_out"


def test_a_start_makes_no_consent_that_there_never_was(stage: Stage) -> None:
    person = stage.world.person(phone=ANA)
    stage.event(EventKind.OPTED_OUT, person, channel=Channel.SMS, text="STOP")
    stage.event(EventKind.OPTED_IN, person, channel=Channel.SMS, text="START")
    assert (consents(stage), closed(stage)) == ([], {"call"})


@pytest.mark.parametrize("everything", [False, True])
def test_a_start_that_is_read_after_the_stop_that_followed_it_lifts_nothing(stage: Stage, everything: bool) -> None:
    """Answers are read in any order; what was said last counts."""
    person, _ = stage.lead(phone=ANA)
    channel = None if everything else Channel.SMS
    stage.event(EventKind.OPTED_OUT, person, channel=channel, text="STOP")
    stage.clock.go_on(timedelta(days=3))
    start, stop = stage.clock.now(), stage.clock.now() + timedelta(minutes=5)
    stage.clock.go_on(timedelta(minutes=10))
    stage.event(EventKind.OPTED_OUT, person, channel=channel, text="STOP", happened_at=stop)
    stage.event(EventKind.OPTED_IN, person, channel=channel, text="START", happened_at=start)

    assert {"sms", "call"} <= closed(stage)
    assert standing(stage, person) == set()
    contact = stage.world.row(t.person, person)["contact"]
    assert (contact == Contact.DO_NOT_CONTACT.value) == everything


def test_a_stop_dated_ahead_by_a_wrong_clock_does_not_outlive_a_yes_that_came_after_it_was_read(stage: Stage) -> None:
    person, _ = stage.lead(phone=ANA)
    ahead = stage.clock.now() + timedelta(days=30)
    stage.event(EventKind.OPTED_OUT, person, channel=Channel.SMS, text="STOP", happened_at=ahead)
    stage.clock.go_on(timedelta(days=1))
    stage.event(EventKind.OPTED_IN, person, channel=Channel.SMS, text="START")
    assert closed(stage) == {"call"}


def test_a_stop_that_came_before_anybody_knew_the_number_is_not_older_than_an_older_yes(stage: Stage) -> None:
    with stage.store.open_uow() as uow:
        now = stage.clock.now()
        stop = InboxEvent("test", "1", EventKind.OPTED_OUT, now, now, channel=Channel.SMS, address=ANA, text="STOP")
        assert apply_event(uow, stop, now).unmatched
    person = stage.world.person(phone=ANA)
    before = stage.clock.now() - timedelta(days=1)
    stage.event(EventKind.OPTED_IN, person, channel=Channel.SMS, text="START", happened_at=before)
    assert closed(stage) == {"sms", "call"}
    stage.clock.go_on(timedelta(minutes=1))
    stage.event(EventKind.OPTED_IN, person, channel=Channel.SMS, text="START")
    assert closed(stage) == {"call"}


def test_what_was_agreed_for_an_old_number_is_not_given_back_for_the_new_one(stage: Stage) -> None:
    person = stage.world.person(phone=ANA)
    stage.world.consent(person, address=OTHER)
    stage.event(EventKind.OPTED_OUT, person, channel=Channel.SMS, text="STOP")
    stage.event(EventKind.OPTED_IN, person, channel=Channel.SMS, text="START")
    assert standing(stage, person) == set()
