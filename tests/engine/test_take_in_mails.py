"""Mails as they come in: which message and whose they are, and what each makes of the person and the follow-up."""

from __future__ import annotations

from datetime import timedelta

import pytest

from app.domain.events import Applied
from app.engine.hold import mark_handled
from app.store import tables as t
from tests.builders import Published, journey_document
from tests.outside import key_of, letter, mail, message_id_of, raw_of, report, sent, take
from tests.stage import Stage

ANA = "ana@work.example"
PRIVATE = "ana.private@example.net"
FAMILY = "family@example.com"


def mailed(stage: Stage, raw: str | bytes) -> Applied:
    return take(stage, mail(raw, stage.clock.now()))


def events(stage: Stage) -> list[tuple[str, str]]:
    return [(row["kind"], row["state"]) for row in stage.world.rows(t.inbox_event)]


def closed(stage: Stage) -> dict[tuple[str, str], str]:
    return {(row["channel"], row["address_key"]): row["why"] for row in stage.world.rows(t.suppression)}


def contact(stage: Stage, person: int) -> str:
    return str(stage.world.row(t.person, person)["contact"])


def state(stage: Stage, message: int) -> tuple[str, str | None, str]:
    row = stage.world.row(t.message, message)
    return row["state"], row["reason"], row["reason_code"]


def mails(stage: Stage) -> Published:
    """Four mails, five days apart."""
    steps: dict[str, dict[str, object]] = {}
    for number in range(4):
        steps[f"mail{number}"] = {"do": "email", "template": f"mail{number}", "next": f"wait{number}"}
        steps[f"wait{number}"] = {"do": "wait", "for": {"days": 5}, "next": f"mail{number + 1}"}
    steps["wait3"]["next"] = "done"
    steps["done"] = {"do": "end", "as": "exhausted"}
    return stage.world.journey("Mails", journey_document("Mails", steps=steps, purpose="care"))


def test_an_answer_from_another_address_is_hers_by_the_thread(stage: Stage) -> None:
    """Case 34: once by In-Reply-To; the new address is noted, and her main one stays."""
    ana, follow_up = stage.lead(email=ANA)
    stage.run()
    ours = message_id_of(stage, sent(stage, follow_up))

    done = mailed(stage, letter(PRIVATE, "Yes, Tuesday works", headers=f"In-Reply-To: {ours}\n"))

    (event,) = stage.world.rows(t.inbox_event)
    assert (done.person_id, stage.state(follow_up), contact(stage, ana)) == (ana, "replied", "with_staff")
    assert (event["address"], event["text"]) == (PRIVATE, "Yes, Tuesday works")
    assert stage.world.row(t.person, ana)["email"] == ANA


def test_an_id_of_ours_in_references_alone_is_enough(stage: Stage) -> None:
    """Case 34: In-Reply-To names a mail that nobody here knows."""
    ana, follow_up = stage.lead(email=ANA)
    stage.run()
    ours = message_id_of(stage, sent(stage, follow_up))
    thread = (
        f"In-Reply-To: <unknown@elsewhere.example>\nReferences: <a@elsewhere.example> {ours} <b@elsewhere.example>\n"
    )
    assert mailed(stage, letter(PRIVATE, "Yes", headers=thread)).person_id == ana
    assert stage.state(follow_up) == "replied"


@pytest.mark.parametrize("address", ["care+r.{key}@in.example.com", "care-r.{key}@in.example.com"])
def test_the_token_of_the_reply_address_is_enough(stage: Stage, address: str) -> None:
    """Case 34, for a program that answers without any reference."""
    ana, follow_up = stage.lead(email=ANA)
    stage.run()
    to = address.format(key=key_of(stage, sent(stage, follow_up)).upper())
    assert mailed(stage, letter(PRIVATE, "Yes", to=to)).person_id == ana
    assert stage.state(follow_up) == "replied"


def test_the_id_that_the_provider_gave_is_enough(stage: Stage) -> None:
    """A provider that puts its own Message-ID in place of ours begins it with the id that it accepted it by."""
    stage.provider.name = "sendgrid"
    ana, follow_up = stage.lead(email=ANA)
    stage.run()
    given = stage.world.row(t.message, sent(stage, follow_up))["provider_id"]
    thread = f"In-Reply-To: <{given}@geopod-ismtpd-1>\n"
    assert mailed(stage, letter(PRIVATE, "Yes", headers=thread)).person_id == ana


def test_a_token_that_no_message_went_out_with_names_nobody(stage: Stage) -> None:
    """Another practice's, or a made-up one: only a key of an attempt of ours counts, and no number of a message."""
    _, follow_up = stage.lead(email=ANA)
    stage.run()
    thread = f"In-Reply-To: <sw.{sent(stage, follow_up)}.0123456789abcdef@mail.example.com>\n"
    assert mailed(stage, letter(PRIVATE, "Yes", headers=thread)).unmatched
    assert stage.state(follow_up) == "active"


def test_a_fresh_mail_is_hers_by_its_sender(stage: Stage) -> None:
    ana, follow_up = stage.lead(email=ANA)
    stage.run()
    assert mailed(stage, letter(ANA.upper(), "Do you open on Saturdays?", subject="A question")).person_id == ana
    assert stage.state(follow_up) == "replied"


def test_a_mail_of_nobody_s_is_listed_with_its_bytes(stage: Stage) -> None:
    stage.lead(email=ANA)
    raw = letter("stranger@example.net", "Hello, is this the dentist?")
    done = mailed(stage, raw)
    assert (done.unmatched, events(stage)) == (True, [("replied", "unmatched")])
    assert raw_of(stage) == {done.event_id: mail(raw, stage.clock.now()).raw}
    assert len(stage.world.rows(t.person)) == 1


def test_a_shared_mailbox_in_the_thread_and_outside_it(stage: Stage) -> None:
    """Case 36: in the thread it is B's, and A is held; a fresh mail holds both, and is listed."""
    a, first = stage.lead(email=FAMILY, first_name="A")
    b, second = stage.lead(email=FAMILY, first_name="B")
    stage.run()
    ours = message_id_of(stage, sent(stage, second))

    assert mailed(stage, letter(FAMILY, "Yes please", headers=f"In-Reply-To: {ours}\n")).person_id == b
    assert (stage.state(second), stage.state(first)) == ("replied", "active")
    assert (contact(stage, a), contact(stage, b)) == ("with_staff", "with_staff")

    assert mailed(stage, letter(FAMILY, "And one more thing")).unmatched
    assert stage.state(first) == "active"
    assert {row["email"] for row in stage.world.rows(t.person)} == {FAMILY}


def test_an_absence_note_ends_nothing_and_its_date_is_noted(stage: Stage) -> None:
    """Case 26."""
    ana, follow_up = stage.lead(email=ANA)
    stage.run()
    ours = message_id_of(stage, sent(stage, follow_up))
    headers = f"Auto-Submitted: auto-replied\nIn-Reply-To: {ours}\n"
    mailed(stage, letter(ANA, "I am away, back on 8 September.", subject="Automatic reply: Hello", headers=headers))
    (event,) = stage.world.rows(t.inbox_event)
    assert (event["kind"], event["note"], event["person_id"]) == ("auto_reply", "back on 2026-09-08", ana)
    assert (stage.state(follow_up), contact(stage, ana)) == ("active", "open")


def test_copies_of_our_own_mail_are_nobody_s_answer(stage: Stage) -> None:
    """Case 29: out of the Sent folder, with In-Reply-To ours; and a blind copy in the inbox."""
    _, follow_up = stage.lead(email=ANA)
    stage.run()
    ours = message_id_of(stage, sent(stage, follow_up))
    mailed(stage, letter("portland@example.com", "Just following up", to=ANA, headers=f"In-Reply-To: {ours}\n"))
    copy = letter("portland@example.com", "Hi Ana", to=ANA).replace("Message-ID: ", f"Message-ID: {ours}\nX-Was: ")
    mailed(stage, copy)
    assert events(stage) == [("other", "set_aside"), ("other", "set_aside")]
    assert (stage.state(follow_up), stage.world.rows(t.problem), raw_of(stage)) == ("active", [], {})


def test_robots_that_answer_robots_make_no_message_and_no_alarm(stage: Stage) -> None:
    """Case 31: twenty automatic answers and three reports in ten minutes from one address."""
    _, follow_up = stage.lead(email=ANA)
    stage.run()
    message = sent(stage, follow_up)
    before = len(stage.provider.taken)
    for number in range(20):
        stage.clock.go_on(timedelta(seconds=25))
        headers = f"Auto-Submitted: auto-replied\nX-No: {number}\n"
        mailed(stage, letter(ANA, f"Ticket {number} was opened", subject="Automatic reply", headers=headers))
    for _ in range(3):
        stage.clock.go_on(timedelta(seconds=25))
        mailed(stage, report("4.2.2", ANA, message_id_of(stage, message)))
    stage.run()
    assert len(stage.provider.taken) == before
    assert len(stage.world.rows(t.problem)) == 1
    assert stage.state(follow_up) == "active"


def test_robots_of_nobody_are_on_no_list_at_all(stage: Stage) -> None:
    """Case 31, from an address that nobody has: kept, and set aside."""
    for number in range(20):
        mailed(stage, letter("noreply@desk.example", f"Ticket {number}", headers="Auto-Submitted: auto-replied\n"))
    assert set(events(stage)) == {("auto_reply", "set_aside")}
    assert stage.world.rows(t.problem) == []


def test_a_full_mailbox_is_no_end_and_the_third_in_a_row_is(stage: Stage) -> None:
    """Case 51: 4.2.2 once; on three steps; never an opt-out."""
    ana, follow_up = stage.lead(mails(stage), email=ANA)
    seen = []
    for _ in range(3):
        stage.run()
        message = sent(stage, follow_up)
        stage.clock.go_on(timedelta(minutes=5))
        mailed(stage, report("4.2.2", ANA, message_id_of(stage, message)))
        seen.append((state(stage, message), stage.state(follow_up)))
        stage.run_for(timedelta(days=7), timedelta(hours=6))
    failed = ("undelivered", "undelivered", "4.2.2")
    assert seen == [(failed, "active"), (failed, "active"), (failed, "suppressed")]
    row = stage.world.row(t.enrollment, follow_up)
    assert (row["end_detail"], closed(stage)) == ("unreachable", {("email", ANA): "unreachable"})
    assert [kind for kind, _ in events(stage)] == ["bounced_soft", "bounced_soft", "bounced_soft", "bounced"]
    assert contact(stage, ana) == "open"


def test_a_delivery_in_between_begins_the_count_anew(stage: Stage) -> None:
    """Case 51: three in thirty days, with none delivered between."""
    _, follow_up = stage.lead(mails(stage), email=ANA)
    for status, action in (("4.2.2", "failed"), ("4.2.2", "failed"), ("2.0.0", "delivered"), ("4.2.2", "failed")):
        stage.run()
        stage.clock.go_on(timedelta(minutes=5))
        mailed(stage, report(status, ANA, message_id_of(stage, sent(stage, follow_up)), action=action))
        stage.run_for(timedelta(days=7), timedelta(hours=6))
    states = [state for _, state in stage.messages(follow_up)]
    assert states == ["undelivered", "undelivered", "delivered", "undelivered"]
    assert closed(stage) == {}


def test_refusals_for_what_a_mail_says_never_close_an_address(stage: Stage) -> None:
    """RULES B15: three of them are three faults of ours."""
    ana, follow_up = stage.lead(mails(stage), email=ANA)
    for _ in range(3):
        stage.run()
        stage.clock.go_on(timedelta(minutes=5))
        mailed(stage, report("5.7.1", ANA, message_id_of(stage, sent(stage, follow_up))))
        with stage.store.open_uow() as uow:
            mark_handled(uow, ana, "Dana", stage.clock.now())
        stage.run_for(timedelta(days=7), timedelta(hours=6))
    assert [state for _, state in stage.messages(follow_up)][:3] == ["undelivered"] * 3
    assert closed(stage) == {}


def test_a_delay_is_not_the_end_of_a_message(stage: Stage) -> None:
    _, follow_up = stage.lead(email=ANA)
    stage.run()
    message = sent(stage, follow_up)
    mailed(stage, report("4.4.1", ANA, message_id_of(stage, message), action="delayed"))
    assert state(stage, message)[0] == "accepted"


def test_an_address_that_is_gone_ends_the_follow_up(stage: Stage) -> None:
    """Case 51: 5.1.1 once."""
    _, follow_up = stage.lead(email=ANA)
    stage.run()
    message = sent(stage, follow_up)
    mailed(stage, report("5.1.1", ANA, message_id_of(stage, message)))
    assert state(stage, message) == ("undelivered", "hard_bounce", "5.1.1")
    assert stage.state(follow_up) == "suppressed"
    assert closed(stage) == {("email", ANA): "hard_bounce"}


def test_a_refusal_for_what_it_says_is_shown_and_closes_nothing(stage: Stage) -> None:
    """RULES B15: 5.7.x is the message's fault or ours, so a person looks."""
    ana, follow_up = stage.lead(email=ANA)
    stage.run()
    mailed(stage, report("5.7.1", ANA, message_id_of(stage, sent(stage, follow_up))))
    assert (stage.state(follow_up), contact(stage, ana), closed(stage)) == ("active", "with_staff", {})


def test_a_bounce_of_where_it_was_forwarded_is_about_the_address_that_we_mailed(stage: Stage) -> None:
    """Case 53: tied to our message; hers is the one suppressed, and not the target."""
    _, follow_up = stage.lead(email="ana@example.com")
    stage.run()
    ours = message_id_of(stage, sent(stage, follow_up))
    mailed(stage, report("5.1.1", "ana@example.com", ours, final="x9@forward.example"))
    assert closed(stage) == {("email", "ana@example.com"): "hard_bounce"}
    assert stage.state(follow_up) == "suppressed"


@pytest.mark.parametrize("about", ["", "<sw.1.0123456789abcdef@mail.example.com>", "<other@example.net>"])
def test_a_bounce_that_no_id_ties_to_us_is_listed_and_touches_nobody(stage: Stage, about: str) -> None:
    """Case 53, the second half. Staff can still say whose it is."""
    from app.engine.apply_event import match_event

    ana, follow_up = stage.lead(email="ana@example.com")
    stage.run()
    done = mailed(stage, report("5.1.1", "ana@example.com", about, final="x9@forward.example"))
    assert (done.unmatched, events(stage)) == (True, [("bounced", "unmatched")])
    assert (closed(stage), stage.state(follow_up), contact(stage, ana)) == ({}, "active", "open")
    assert done.event_id is not None
    with stage.store.open_uow() as uow:
        match_event(uow, done.event_id, ana, "Dana", stage.clock.now())
    assert (stage.state(follow_up), list(closed(stage))) == ("suppressed", [("email", "ana@example.com")])


def test_a_mail_in_two_folders_or_read_by_two_computers_is_one_event(stage: Stage) -> None:
    """What servers add on the way, and a mailbox that was numbered anew, make no second one."""
    stage.lead(email=ANA)
    raw = letter(ANA, "Yes please\n", number="one")
    first = take(stage, mail(raw, stage.clock.now(), key="INBOX 7 12"))
    other = take(stage, mail("Received: from mx\nX-Label: x\n" + raw, stage.clock.now(), key="Archive 9 3"))
    again = take(stage, mail(raw.replace("Yes please\n", "Yes please  \n"), stage.clock.now(), key="INBOX 8 1"))
    assert (first.duplicate, other.duplicate, again.duplicate) == (False, True, True)
    assert (first.event_id, len(raw_of(stage))) == (other.event_id, 1)


def test_mails_with_one_message_id_and_other_words_are_two(stage: Stage) -> None:
    """Some programs give every mail the same one: neither a second answer nor a stop may be lost to that."""
    stage.lead(email=ANA)
    mailed(stage, letter(ANA, "Thanks, see you there", number="always-this"))
    mailed(stage, letter(ANA, "Please stop emailing me", number="always-this"))
    assert [kind for kind, _ in events(stage)] == ["replied", "opted_out"]
    assert ("email", ANA) in closed(stage)


def test_mails_that_tell_neither_id_nor_date_are_told_apart_by_where_they_lie(stage: Stage) -> None:
    bare = f"From: {ANA}\n\nok\n"
    now = stage.clock.now()
    done = [take(stage, mail(bare, now, key=key)).duplicate for key in ("INBOX 7 1", "INBOX 7 2", "INBOX 7 1")]
    assert done == [False, False, True]


def test_a_very_long_mail_is_kept_by_its_beginning(stage: Stage) -> None:
    stage.lead(email=ANA)
    mailed(stage, letter(ANA, "Yes\n" + "x" * 2_100_000))
    (row,) = stage.world.rows(t.inbox_raw)
    assert (row["cut"], len(row["raw"])) == (True, 2_000_000)
    assert len(stage.world.rows(t.inbox_event)[0]["text"]) == 20_000


def test_a_complaint_ends_email_and_a_mail_to_the_unsubscribe_address_does(stage: Stage) -> None:
    """RULES B15; whatever the second one says."""
    _, first = stage.lead(email=ANA)
    _, second = stage.lead(email="ben@example.com")
    stage.run()
    abuse = report("5.0.0", ANA, message_id_of(stage, sent(stage, first)))
    abuse = abuse.replace("report-type=delivery-status", "report-type=feedback-report")
    abuse = abuse.replace("message/delivery-status", "message/feedback-report").replace(
        "Reporting-MTA: dns; mx.example.net\n\n", f"Feedback-Type: abuse\nOriginal-Rcpt-To: {ANA}\n"
    )
    mailed(stage, abuse)
    key = key_of(stage, sent(stage, second))
    mailed(stage, letter("ben@example.com", "This mail was made by a button.", to=f"unsub+{key}@in.example.com"))
    assert [kind for kind, _ in events(stage)] == ["complained", "opted_out"]
    assert (stage.state(first), stage.state(second)) == ("opted_out", "opted_out")
    assert closed(stage) == {("email", ANA): "complaint", ("email", "ben@example.com"): "opt_out"}


def test_who_had_left_and_writes_to_come_back_stays_closed_until_staff_confirm(stage: Stage) -> None:
    ana, _ = stage.lead(email=ANA)
    mailed(stage, letter(ANA, "unsubscribe"))
    mailed(stage, letter(ANA, "Please put me back on the list"))
    assert [kind for kind, _ in events(stage)] == ["opted_out", "opted_in"]
    assert (contact(stage, ana), ("email", ANA) in closed(stage)) == ("with_staff", True)


def test_a_calendar_answer_is_noted_with_its_visit(stage: Stage) -> None:
    ana, follow_up = stage.lead(email=ANA)
    calendar = (
        "BEGIN:VCALENDAR\nMETHOD:REPLY\nBEGIN:VEVENT\nUID:visit-7\nATTENDEE;PARTSTAT=DECLINED:mailto:a\nEND:VEVENT"
    )
    raw = letter(ANA, calendar).replace("text/plain; charset=utf-8", "text/calendar; method=REPLY")
    mailed(stage, raw)
    (event,) = stage.world.rows(t.inbox_event)
    assert (event["kind"], event["note"], event["person_id"]) == ("other", "calendar DECLINED visit-7", ana)
    assert (stage.state(follow_up), contact(stage, ana)) == ("active", "with_staff")


def test_an_erased_person_s_thread_leads_to_nobody_and_their_mail_is_gone(stage: Stage) -> None:
    from app.store.erasing import Erasing

    ana, follow_up = stage.lead(email=ANA)
    stage.run()
    ours = message_id_of(stage, sent(stage, follow_up))
    mailed(stage, letter(ANA, "My knee hurts", headers=f"In-Reply-To: {ours}\n"))
    assert len(raw_of(stage)) == 1
    with stage.store.open_uow() as uow:
        Erasing(uow.connection, uow.memory).people([ana], stage.clock.now(), "Dana")
    assert raw_of(stage) == {}
    assert mailed(stage, letter(ANA, "Are you there?", headers=f"In-Reply-To: {ours}\n")).unmatched
