"""How far an opt-out reaches and how long it lasts: the cases of that chapter that take the whole engine.

Case 15: test_shared_addresses.py. Cases 19 and 25: test_status.py. Case 21 has nothing to try: Stopwell serves no
unsubscribe link of its own; the email provider's hosted page does (RULES B11).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

from app.domain.events import EventKind
from app.domain.states import Channel
from app.service.import_people import PeopleImport, PeopleOrder
from app.store import tables as t
from tests.builders import journey_document
from tests.stage import Stage

Steps = Mapping[str, Mapping[str, object]]

TWO_EMAILS: Steps = {
    "hello": {"do": "email", "template": "hello", "next": "pause"},
    "pause": {"do": "wait", "for": {"days": 1}, "next": "again"},
    "again": {"do": "email", "template": "again", "next": "done"},
    "done": {"do": "end", "as": "exhausted"},
}
TEXT_ONLY: Steps = {
    "nudge": {"do": "sms", "template": "nudge", "next": "done"},
    "done": {"do": "end", "as": "exhausted"},
}


def test_case_11_after_an_unsubscribe_no_email_goes_by_any_path_and_texts_do(stage: Stage) -> None:
    """Case 11. A test send is no path of this version; a message written by hand is."""
    care = stage.world.journey("Care", journey_document("Care", steps=TWO_EMAILS, purpose="care"))
    texts = stage.world.journey("Texts", journey_document("Texts", steps=TEXT_ONLY, purpose="care"))
    person, marketing = stage.lead(stage.world.journey("Mail", journey_document("Mail", steps=TWO_EMAILS)))
    second = stage.world.enrollment(person, care)
    stage.event(EventKind.OPTED_OUT, person, channel=Channel.EMAIL)
    assert [stage.state(each) for each in (marketing, second)] == ["opted_out", "opted_out"]
    later = stage.world.enrollment(person, care, entry_key="again")
    by_text = stage.world.enrollment(person, texts)
    by_hand = stage.world.manual_message(person, Channel.EMAIL)
    stage.run_for(timedelta(days=10), timedelta(hours=12))
    stage.run()
    assert [taken.channel for taken in stage.provider.taken] == [Channel.SMS]
    assert stage.messages(by_text) == [("nudge", "accepted")]
    assert stage.world.row(t.enrollment, later)["ended_by_guard"] == "not_suppressed"
    message = stage.world.row(t.message, by_hand)
    assert (message["state"], message["trace"][-1]["guard"]) == ("cancelled", "not_suppressed")


def test_case_13_a_sheet_that_says_active_and_agreed_brings_nobody_back(stage: Stage, tmp_path: Path) -> None:
    """Case 13."""
    person, _ = stage.lead(email="ana@example.com")
    stage.event(EventKind.OPTED_OUT, person, channel=Channel.EMAIL)
    file = tmp_path / "people.csv"
    row = stage.world.row(t.person, person)
    file.write_text(
        "First name,Last name,Email,Phone,Status,Consent\n"
        f"{row['first_name']},{row['last_name']},ANA@Example.com,{row['phone']},active,yes\n"
    )
    order = PeopleOrder(file, "Dana", consent="they agreed")
    report = PeopleImport(stage.store.open_uow, stage.clock).run(order)
    assert [(note.line, note.code) for note in report.notes] == [(2, "do_not_contact_stays")]
    assert [entry["lifted_at"] for entry in stage.world.rows(t.suppression)] == [None]
    drawn = stage.world.journey("Mail", journey_document("Mail", steps=TWO_EMAILS))
    again = stage.world.enrollment(person, drawn, wake_at=stage.clock.now())
    stage.run_for(timedelta(days=2), timedelta(hours=12))
    assert stage.state(again) == "suppressed"
    assert stage.provider.taken == []


def test_case_17_one_leaves_and_the_other_two_get_the_next_step_on_time(stage: Stage) -> None:
    """Case 17."""
    drawn = stage.world.journey("Mail", journey_document("Mail", steps=TWO_EMAILS))
    leads = [stage.lead(drawn) for _ in range(3)]
    stage.run()
    stage.event(EventKind.OPTED_OUT, leads[1][0], channel=Channel.EMAIL)
    stage.run_for(timedelta(days=1, hours=1), timedelta(hours=1))
    steps = [[step for step, _ in stage.messages(enrollment)] for _, enrollment in leads]
    assert steps == [["hello", "again"], ["hello"], ["hello", "again"]]
    second = [row for row in stage.world.rows(t.message) if row["step"] == "again"]
    first = [row for row in stage.world.rows(t.message) if row["step"] == "hello"]
    assert {row["accepted_at"] for row in second} == {first[0]["accepted_at"] + timedelta(days=1)}
    assert [stage.state(enrollment) for _, enrollment in leads] == ["exhausted", "opted_out", "exhausted"]
