"""enroll from the command line: who may enter, once for each reason, and how somebody starts again."""

from __future__ import annotations

import pytest

from tests.shop import Shop

CLOSEOUT = """
format: stopwell.group/1
name: finished-jobs
match: {record: job, status: complete}
---
format: stopwell.template/1
name: thanks
channel: email
purpose: care
subject: Thank you
body: "Hi {{ person.first_name }}, thank you for having us."
---
format: stopwell.journey/1
name: Closeout
purpose: care
ends: {replied: true, converted: never, closed: {when: {record: job, status: cancelled}}}
enter: {group: finished-jobs, per: job, again: never}
start: thanks
steps:
  thanks: {do: email, template: thanks, next: done}
  done: {do: end, as: exhausted}
"""


@pytest.fixture
def live(fernhollow: Shop) -> Shop:
    """New lead is live, and Ana, Bo and Cleo are here."""
    fernhollow.done("publish", "New lead")
    text = "Name,Email,Status,Location\nAna Diaz,ana@example.com,new,Portland\nBo Chen,bo@example.com,new,New York\n"
    fernhollow.import_people(text + "Cleo Roe,cleo@example.com,old,Portland\n")
    return fernhollow


def test_one_person_is_started_once(live: Shop) -> None:
    answer = live.json("enroll", "New lead", "--person", "ana@example.com")

    assert answer == {
        "journey": "New lead",
        "version": 1,
        "started": [{"person": 1, "enrollment": 1}],
        "refused": [],
    }
    assert "is in this journey already" in live.refused("enroll", "New lead", "--person", "ana@example.com")
    assert len(live.json("queue")) == 1


def test_starting_again_needs_a_reason_and_is_a_new_enrollment(live: Shop) -> None:
    live.done("enroll", "New lead", "--person", "1")
    live.done("stop", "--person", "1")

    assert "say why: --reason" in live.refused("enroll", "New lead", "--person", "1")
    live.done("enroll", "New lead", "--person", "1", "--reason", "stopped by mistake")

    states = [each["state"] for each in live.json("person", "1")["enrollments"]]
    assert sorted(states) == ["active", "stopped"]


def test_after_an_opt_out_starting_again_needs_recorded_consent(live: Shop) -> None:
    live.done("enroll", "New lead", "--person", "1")
    live.done("event", "opted_out", "--person", "1", "--channel", "email")

    assert "Record their consent first" in live.refused("enroll", "New lead", "--person", "1", "--reason", "again")
    live.done("event", "opted_in", "--person", "1", "--text", "signed form, 3 March")
    live.done("enroll", "New lead", "--person", "1", "--reason", "again")


def test_who_is_not_to_be_contacted_is_not_started(live: Shop) -> None:
    live.done("event", "opted_out", "--person", "1")

    assert "is not to be contacted" in live.refused("enroll", "New lead", "--person", "1")


def test_a_group_is_asked_of_everyone_and_running_it_again_starts_nobody_twice(live: Shop) -> None:
    group = "format: stopwell.group/1\nname: new-ones\nmatch: {field: person.status, is: new}\n"
    live.done("apply", live.write("group.yaml", group))

    first = live.json("enroll", "New lead", "--group", "new-ones")
    second = live.json("enroll", "New lead", "--group", "new-ones")

    assert [each["person"] for each in first["started"]] == [1, 2] or [each["person"] for each in first["started"]] == [
        2,
        1,
    ]
    assert second["started"] == []
    assert {each["reason"] for each in second["refused"]} == {"is in this journey already."}
    assert "Did you mean new-ones?" in live.refused("enroll", "New lead", "--group", "new-one")


def test_of_a_group_those_who_are_not_to_be_contacted_are_told(live: Shop) -> None:
    group = "format: stopwell.group/1\nname: everyone\nmatch: {field: person.email, empty: false}\n"
    live.done("apply", live.write("group.yaml", group))
    live.done("event", "opted_out", "--person", "1")

    answer = live.json("enroll", "New lead", "--group", "everyone")

    assert {each["person"] for each in answer["started"]} == {2, 3}
    assert answer["refused"] == [{"person": 1, "reason": "is not to be contacted."}]


def test_a_closeout_is_one_a_job_however_often_the_group_is_asked(live: Shop) -> None:
    """The sixteen emails: the condition stays true for ever, and each job is thanked for once (I2)."""
    live.done("apply", live.write("closeout.yaml", CLOSEOUT))
    live.done("publish", "Closeout")
    jobs = "Person,Kind,Status,External id\nana@example.com,job,complete,J-1\nbo@example.com,job,scheduled,J-2\n"
    live.done("import", "records", live.write("jobs.csv", jobs))

    for day in range(1, 6):
        live.done("enroll", "Closeout", "--group", "finished-jobs", "--at", f"2027-03-{day:02}T18:00:00Z")
        live.done("tick", "--at", f"2027-03-{day:02}T18:00:00Z")
    jobs = "Person,Kind,Status,External id\nana@example.com,job,complete,J-3\n"
    live.done("import", "records", live.write("jobs.csv", jobs))
    live.done("enroll", "Closeout", "--group", "finished-jobs", "--at", "2027-03-08T18:00:00Z")
    live.done("tick", "--at", "2027-03-08T18:00:00Z")

    sent = [(each["person"], each["accepted_at"]) for each in live.json("messages")]
    assert sorted(sent) == [(1, "2027-03-01T18:00:00Z"), (1, "2027-03-08T18:00:00Z")]
    assert {each["state"] for each in live.json("person", "1")["enrollments"]} == {"exhausted"}


def test_by_hand_a_closeout_is_started_for_the_jobs_that_its_group_matches(live: Shop) -> None:
    live.done("apply", live.write("closeout.yaml", CLOSEOUT))
    live.done("publish", "Closeout")

    assert "has no job that this journey is about" in live.refused("enroll", "Closeout", "--person", "1")


def test_a_draft_takes_in_nobody(fernhollow: Shop) -> None:
    fernhollow.import_people("Name,Email,Location\nAna Diaz,ana@example.com,Portland\n")

    assert "Publish it first" in fernhollow.refused("enroll", "New lead", "--person", "1")
    assert "Did you mean New lead?" in fernhollow.refused("enroll", "New leed", "--person", "1")


def test_who_may_come_back_is_let_in_when_the_days_are_over(live: Shop) -> None:
    """CASES 106."""
    text = CLOSEOUT.replace("per: job, again: never", "per: person, again: {after_days: 90}")
    text = text.replace("match: {record: job, status: complete}", "match: {field: person.status, is: new}")
    live.done("apply", live.write("back.yaml", text))
    live.done("publish", "Closeout")
    live.done("enroll", "Closeout", "--group", "finished-jobs", "--at", "2027-01-01T18:00:00Z")
    live.done("tick", "--at", "2027-01-04T19:00:00Z")

    early = live.json("enroll", "Closeout", "--group", "finished-jobs", "--at", "2027-03-20T18:00:00Z")
    late = live.json("enroll", "Closeout", "--group", "finished-jobs", "--at", "2027-04-06T18:00:00Z")

    assert early["started"] == []
    assert "takes them again from 2027-04-04" in early["refused"][0]["reason"]
    assert {each["person"] for each in late["started"]} == {1, 2}
