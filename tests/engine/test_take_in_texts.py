"""Texts and calls as they come in: what each makes of the person, their follow-ups and the do-not-contact list."""

from __future__ import annotations

from datetime import timedelta

import pytest

from app.domain.events import Applied
from app.domain.inbound import CallIn
from app.domain.states import Channel
from app.store import tables as t
from tests.outside import OUR_NUMBER, take, text
from tests.stage import Stage

ANA = "+12025550143"
STRANGER = "+12025550199"


def texted(stage: Stage, sender: str, body: str, **parts: int) -> Applied:
    return take(stage, text(sender, body, stage.clock.now(), **parts))  # type: ignore[arg-type]


def kinds(stage: Stage) -> list[str]:
    return [row["kind"] for row in stage.world.rows(t.inbox_event)]


def closed(stage: Stage) -> set[tuple[str, str]]:
    return {(row["channel"], row["address_key"]) for row in stage.world.rows(t.suppression) if row["lifted_at"] is None}


@pytest.mark.parametrize(
    "body", ["Stop, thanks!", "please stop", "STOP!!", "Stop texting me", "stop pls 🙏", " Stop\n", "lose my number"]
)
def test_a_polite_stop_ends_everything_by_phone(stage: Stage, body: str) -> None:
    """Case 1. And case 10: no keyword is needed."""
    ana, follow_up = stage.lead(phone=ANA)
    stage.run()

    done = texted(stage, ANA, body)

    assert (done.person_id, stage.state(follow_up), kinds(stage)) == (ana, "opted_out", ["opted_out"])
    assert {("sms", ANA), ("call", ANA)} <= closed(stage)
    assert all(state != "queued" for _, state in stage.messages(follow_up))


@pytest.mark.parametrize("word", ["STOP", "stopall", "Stop All", "UNSUBSCRIBE", "end", "QUIT", "REVOKE", "optout"])
def test_a_keyword_alone_is_an_opt_out(stage: Stage, word: str) -> None:
    """Case 3."""
    _, follow_up = stage.lead(phone=ANA)
    texted(stage, ANA, word)
    assert (stage.state(follow_up), ("sms", ANA) in closed(stage)) == ("opted_out", True)


@pytest.mark.parametrize("body", ["Ya no me manden cobros dobles", "Para mañana está bien", "Liked “Reply STOP”"])
def test_what_only_looks_like_an_opt_out_closes_nothing(stage: Stage, body: str) -> None:
    """Case 6. And case 8: words of ours that are quoted never decide."""
    _, follow_up = stage.lead(phone=ANA)
    texted(stage, ANA, body)
    assert (kinds(stage), stage.state(follow_up), closed(stage)) == (["replied"], "replied", set())


def test_an_opt_out_of_everything_closes_every_channel_and_one_that_names_email_that_alone(stage: Stage) -> None:
    ana, _ = stage.lead(phone=ANA, email="ana@example.com")
    ben, _ = stage.lead(phone="+12025550144", email="ben@example.com")

    texted(stage, ANA, "Take me off everything: calls, texts, emails, mail")
    texted(stage, "+12025550144", "Please stop emailing me")

    assert stage.world.row(t.person, ana)["contact"] == "do_not_contact"
    assert stage.world.row(t.person, ben)["contact"] == "open"
    assert closed(stage) == {
        ("sms", ANA),
        ("call", ANA),
        ("email", "ana@example.com"),
        ("email", "ben@example.com"),
    }


def test_an_answer_holds_the_person_for_staff_and_ends_the_follow_up(stage: Stage) -> None:
    ana, follow_up = stage.lead(phone=ANA)
    texted(stage, ANA, "Can I come on Tuesday?")
    assert stage.state(follow_up) == "replied"
    assert stage.world.row(t.person, ana)["contact"] == "with_staff"


def test_a_picture_without_words_is_an_answer_that_a_person_looks_at(stage: Stage) -> None:
    _, follow_up = stage.lead(phone=ANA)
    texted(stage, ANA, "", pictures=2)
    (event,) = stage.world.rows(t.inbox_event)
    assert (event["kind"], event["needs_human"], event["note"]) == ("replied", True, "2 pictures")
    assert stage.state(follow_up) == "replied"


def test_yes_and_start_of_somebody_who_never_left_are_an_answer_and_no_new_beginning(stage: Stage) -> None:
    """Case 23, the first half."""
    _, follow_up = stage.lead(phone=ANA)
    texted(stage, ANA, "Yes")
    texted(stage, ANA, "Can I start on Monday?")
    assert (kinds(stage), stage.state(follow_up)) == (["replied", "replied"], "replied")


@pytest.mark.parametrize("word", ["START", "unstop"])
def test_start_lifts_the_block_of_texts_with_the_text_as_its_evidence(stage: Stage, word: str) -> None:
    """Case 23, the second half."""
    stage.lead(phone=ANA)
    texted(stage, ANA, "STOP")
    stage.clock.go_on(timedelta(days=7))
    texted(stage, ANA, word)

    assert kinds(stage) == ["opted_out", "opted_in"]
    assert closed(stage) == {("call", ANA)}
    (lifted,) = [row for row in stage.world.rows(t.suppression) if row["lifted_at"] is not None]
    assert (lifted["channel"], lifted["lift_evidence"]) == ("sms", word)


def test_a_bare_yes_after_a_stop_keeps_the_block_until_staff_confirm(stage: Stage) -> None:
    """Case 23. The address stays closed, and somebody is asked to look."""
    ana, _ = stage.lead(phone=ANA)
    texted(stage, ANA, "STOP")
    texted(stage, ANA, "YES")

    (_, event) = stage.world.rows(t.inbox_event)
    assert (event["kind"], event["needs_human"]) == ("opted_in", True)
    assert ("sms", ANA) in closed(stage)
    assert stage.world.row(t.person, ana)["contact"] == "with_staff"


def test_a_yes_at_a_number_that_only_failed_is_an_answer(stage: Stage) -> None:
    """A dead number is no opt-out: YES from it can't bring anybody back."""
    from app.domain.reasons import Why

    stage.lead(phone=ANA)
    stage.world.suppress(Channel.SMS, ANA, Why.DISCONNECTED)
    texted(stage, ANA, "yes")
    assert kinds(stage) == ["replied"]


def test_an_answer_to_our_question_needs_nobody_by_our_last_text(stage: Stage) -> None:
    """The last text to that number is read from the outbox, not remembered."""
    steps = {
        "ask": {"do": "sms", "template": "ask", "next": "done"},
        "done": {"do": "end", "as": "exhausted"},
    }
    from tests.builders import journey_document

    stage.world.template("ask", Channel.SMS, "Can you make Tuesday at 3? Reply C to confirm.")
    stage.lead(stage.world.journey("Ask", journey_document("Ask", steps=steps)), phone=ANA)
    stage.run()
    stage.clock.go_on(timedelta(minutes=3))
    texted(stage, ANA, "C")
    (event,) = stage.world.rows(t.inbox_event)
    assert (event["kind"], event["needs_human"]) == ("replied", False)


def test_help_ends_nothing_and_a_person_looks(stage: Stage) -> None:
    ana, follow_up = stage.lead(phone=ANA)
    texted(stage, ANA, "HELP")
    assert (kinds(stage), stage.state(follow_up)) == (["other"], "active")
    assert stage.world.row(t.person, ana)["contact"] == "with_staff"


def test_what_a_telephone_answers_by_itself_ends_nothing(stage: Stage) -> None:
    ana, follow_up = stage.lead(phone=ANA)
    texted(stage, ANA, "I'm driving with Focus turned on. I'll see your message when I get where I'm going.")
    assert (kinds(stage), stage.state(follow_up)) == (["auto_reply"], "active")
    assert stage.world.row(t.person, ana)["contact"] == "open"


def test_a_stop_from_a_number_that_two_share_reaches_both(stage: Stage) -> None:
    """Case 15, through the text itself."""
    _, first = stage.lead(phone=ANA)
    _, second = stage.lead(phone=ANA)
    texted(stage, ANA, "STOP")
    stage.run_for(timedelta(days=5))
    assert not [taken for taken in stage.provider.taken if taken.channel is Channel.SMS]
    assert stage.state(first) == "opted_out"
    assert [row["kind"] for row in stage.world.rows(t.inbox_event)] == ["opted_out", "opted_out"]
    assert [taken.channel for taken in stage.provider.taken] == [Channel.EMAIL]
    assert stage.state(second) != "active"


def test_a_second_number_is_the_person_s_too(stage: Stage) -> None:
    ana, follow_up = stage.lead(phone=ANA, alt_phone=STRANGER)
    done = texted(stage, STRANGER, "stop")
    assert (done.person_id, stage.state(follow_up)) == (ana, "opted_out")
    assert {("sms", ANA), ("sms", STRANGER)} <= closed(stage)


def test_a_stranger_s_text_is_listed_and_makes_nobody(stage: Stage) -> None:
    """Case 38, the first half."""
    stage.lead(phone=ANA)
    done = texted(stage, STRANGER, "who is this?")
    assert (done.unmatched, done.person_id, len(stage.world.rows(t.person))) == (True, None, 1)
    assert [row["why"] for row in stage.world.rows(t.problem)] == ["unmatched"]
    assert stage.provider.taken == []


def test_a_wrong_number_silences_the_number_and_asks_the_desk(stage: Stage) -> None:
    """Case 38, the second half."""
    maria, follow_up = stage.lead(phone=ANA, first_name="Maria")
    texted(stage, ANA, "wrong number, I'm not Maria")
    stage.run_for(timedelta(days=5))
    assert stage.state(follow_up) == "suppressed"
    assert {("sms", ANA), ("call", ANA)} == closed(stage)
    assert stage.world.row(t.person, maria)["contact"] == "with_staff"
    assert "disconnected" in [row["why"] for row in stage.world.rows(t.problem)]
    assert not [taken for taken in stage.provider.taken if taken.channel is Channel.SMS]


def test_a_stranger_s_stop_closes_the_number_all_the_same(stage: Stage) -> None:
    done = texted(stage, STRANGER, "STOP")
    assert (done.unmatched, ("sms", STRANGER) in closed(stage)) == (True, True)


def test_a_text_from_a_number_of_ours_is_kept_and_is_nobody_s_answer(stage: Stage) -> None:
    done = texted(stage, OUR_NUMBER, "STOP")
    (event,) = stage.world.rows(t.inbox_event)
    assert (event["kind"], event["state"], done.unmatched) == ("other", "set_aside", False)
    assert (closed(stage), stage.world.rows(t.problem)) == (set(), [])


def test_the_same_text_read_twice_is_one_event_whatever_its_blanks(stage: Stage) -> None:
    stage.lead(phone=ANA)
    now = stage.clock.now()
    first = take(stage, text(ANA, "Yes  please", now, key="SM1"))
    second = take(stage, text(ANA, "Yes please ", now, key="SM1"))
    emptied = take(stage, text(ANA, "", now, key="SM1"))
    assert (first.duplicate, second.duplicate, emptied.duplicate) == (False, True, True)
    assert kinds(stage) == ["replied"]


def test_what_no_database_keeps_is_left_out_of_a_text(stage: Stage) -> None:
    """A NUL, and half of a surrogate pair."""
    stage.lead(phone=ANA)
    texted(stage, ANA, "st\x00op \ud83d")
    (event,) = stage.world.rows(t.inbox_event)
    assert (event["kind"], event["text"]) == ("opted_out", "stop ")


@pytest.mark.parametrize("sender", ["", "Anonymous", "12345", "+", "+266696687"])
def test_a_sender_that_is_no_number_is_listed(stage: Stage, sender: str) -> None:
    stage.lead(phone=ANA)
    assert texted(stage, sender, "STOP").unmatched


def test_a_call_to_us_is_an_answer_that_a_person_returns(stage: Stage) -> None:
    ana, follow_up = stage.lead(phone=ANA)
    done = take(stage, CallIn("twilio", "CA1", ANA, OUR_NUMBER, stage.clock.now(), seconds=0))
    (event,) = stage.world.rows(t.inbox_event)
    assert (done.person_id, stage.state(follow_up)) == (ana, "replied")
    assert (event["channel"], event["note"], event["needs_human"]) == ("call", "called us; nobody answered", True)
    assert stage.world.row(t.person, ana)["contact"] == "with_staff"
    assert take(stage, CallIn("twilio", "CA1", ANA, OUR_NUMBER, stage.clock.now(), seconds=60)).duplicate
