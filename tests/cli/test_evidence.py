"""`stopwell evidence`: the four facts as they were, the same on both databases (I15)."""

from __future__ import annotations

import json
import stat
from datetime import UTC, datetime
from pathlib import Path

import sqlalchemy as sa

from app.domain.events import EventKind
from app.service.evidence import Evidence
from app.store import tables as t
from app.store.erasing import Erasing
from tests.builders import NOW
from tests.evidence_story import Told, packet_of


def test_i15_the_four_facts_of_a_reply_while_a_text_was_on_its_way(told: Told) -> None:
    """Case 33. What is handed out says exactly what was: it came before, and was read after."""
    packet = packet_of(told)
    [stop] = packet["stops"]

    assert (stop["kind"], stop["source"], stop["event"]) == ("replied", "twilio", 1)
    assert stop["came_in"]["happened_at"] == "2026-03-04T17:59:30.000000Z"
    assert stop["came_in"]["happened_local"] == "2026-03-04T09:59:30.000000-08:00[America/Los_Angeles]"
    assert stop["came_in"]["read_at"] == "2026-03-04T18:00:00.000000Z"
    assert stop["changed"]["changed_at"] == "2026-03-04T18:00:00.000000Z"
    assert [(each["journey"], each["state"], each["step"]) for each in stop["changed"]["ended"]] == [
        ("New lead", "replied", "third"),
        ("Visit", "replied", "visit"),
    ]
    [cancelled] = stop["cancelled"]["messages"]
    assert (cancelled["message"], cancelled["template"], cancelled["reason"]) == (4, "visit", "reply")
    assert cancelled["due_at"] == "2026-03-04T18:00:00.000000Z"
    accepted = stop["accepted"]
    assert [(each["message"], each["accepted_at"]) for each in accepted["before"]] == [
        (2, "2026-03-03T18:00:00.000000Z"),
        (1, "2026-03-02T18:00:00.000000Z"),
    ]
    [after] = accepted["after"]
    assert (after["message"], after["provider"], after["provider_id"]) == (3, "fake", "F3")
    assert (after["accepted_at"], after["after_the_state_changed"]) == ("2026-03-04T18:00:00.000000Z", False)
    assert (accepted["not_known"], accepted["refused"], accepted["before_count"]) == ([], [], 2)


def test_the_facts_are_said_in_plain_sentences_with_the_zone(told: Told) -> None:
    [stop] = packet_of(told)["stops"]

    assert stop["say"] == (
        "A reply reached us on Wed Mar 4, 2026, 9:59:30 AM PST. We stopped 30 seconds later. 1 message that waited was"
        " cancelled. The last text was on its way by then, and went out on Wed Mar 4, 2026, 10:00:00 AM PST."
    )
    assert (
        "came in Wed Mar 4, 2026, 9:59:30 AM PST, and was read Wed Mar 4, 2026, 10:00:00 AM PST"
        in (stop["came_in"]["told"])
    )
    assert stop["cancelled"]["told"] == ("1 message cancelled: email 4 (visit), due Wed Mar 4, 2026, 10:00:00 AM PST.")
    assert "30 seconds after it came in, before we had read it" in stop["accepted"]["told"]


def test_i15_the_packet_holds_every_row_its_guards_and_a_log_that_can_be_checked(told: Told) -> None:
    packet = packet_of(told)

    assert (packet["format"], packet["redacted"], packet["event"]) == ("stopwell.evidence/1", False, None)
    configuration = packet["configuration"]
    assert all(configuration[name] for name in ("app", "schema", "tzdata", "rule_pack"))
    assert [each["journey"] for each in configuration["journey_versions"]] == ["New lead", "Visit"]
    assert all(each["published_at"] and len(each["document_hash"]) == 64 for each in configuration["journey_versions"])
    assert {each["template"] for each in configuration["template_versions"]} == {"hello", "nudge", "third", "visit"}
    [event] = packet["events"]
    assert (event["key"], event["text"], event["payload_hash"]) == (
        "SM0123456789abcdef0123456789abcdef",
        "Tuesday works",
        "ab" * 32,
    )
    assert [len(each["tries"]) for each in packet["messages"]] == [1, 1, 1, 0]
    guards = [line["guard"] for line in packet["messages"][2]["tries"][0]["trace"]]
    assert "not_suppressed" in guards
    assert "follow_up.ended" in [line["event"] for line in packet["follow_ups"][0]["changes"]]
    assert "message.accepted" in [line["event"] for line in packet["log"]]
    assert (packet["seals"]["hold"], packet["seals"]["not_sealed_yet"]) == (True, 0)
    [seal] = packet["seals"]["seals"]
    assert (seal["day"], seal["previous_hash"], len(seal["hash"])) == ("2026-03-04", "", 64)


def test_i15_a_line_of_the_log_that_was_changed_is_told(told: Told) -> None:
    with told.stage.store.session.write() as connection:
        _open_log(connection)
        connection.execute(sa.update(t.log_entry).where(t.log_entry.c.id == 2).values(actor="Mallory"))

    packet = packet_of(told)

    assert packet["seals"]["hold"] is False
    assert [each["holds"] for each in packet["seals"]["seals"]] == [False]
    page = Evidence(told.stage.store.open_reader, told.stage.clock).page(packet)
    assert "does not hold: lines were changed" in page


def _open_log(connection: sa.Connection) -> None:
    if connection.dialect.name == "sqlite":
        names = connection.execute(
            sa.text("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'log_entry'")
        ).scalars()
        for name in list(names):
            connection.execute(sa.text(f'DROP TRIGGER "{name}"'))
    else:
        connection.execute(sa.text("ALTER TABLE log_entry DISABLE TRIGGER USER"))


def test_the_same_evidence_gives_the_same_document(told: Told) -> None:
    evidence = Evidence(told.stage.store.open_reader, told.stage.clock)

    first = evidence.text(evidence.packet(told.person, redact=False))

    assert first == evidence.text(evidence.packet(told.person, redact=False))
    assert json.loads(first) == evidence.packet(told.person, redact=False)


def test_the_file_is_its_owners_alone_and_never_overwrites(told: Told, tmp_path: Path) -> None:
    file, page = tmp_path / "ana.json", tmp_path / "ana.html"

    assert told.shop.json("evidence", "--person", "1", "--out", file) == {"file": str(file), "person": 1, "stops": 1}
    told.shop.done("evidence", "--person", "1", "--out", page)

    assert json.loads(file.read_text(encoding="utf-8"))["format"] == "stopwell.evidence/1"
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert {stat.S_IMODE(each.stat().st_mode) for each in (file, page)} == {0o600}
    before = file.read_bytes()
    assert f"There is a file {file} already." in told.shop.refused("evidence", "--person", "1", "--out", file)
    assert file.read_bytes() == before
    assert sorted(each.name for each in tmp_path.iterdir() if each.suffix != ".sqlite") == [
        "ana.html",
        "ana.json",
        "data",
    ]


def test_whom_and_what_is_not_there_is_said_and_no_file_is_left(told: Told, tmp_path: Path) -> None:
    file = tmp_path / "nobody.json"

    assert "Nobody here is 99." in told.shop.refused("evidence", "--person", "99", "--out", file)
    refused = told.shop.refused("evidence", "--person", "1", "--event", "77", "--out", file)
    assert "Event 77 is no stop of this person. Theirs: 1." in refused
    assert "There is no folder" in told.shop.refused("evidence", "--person", "1", "--out", tmp_path / "x" / "y.json")
    assert not file.exists()
    assert told.shop("evidence", "--person", "1", "--event", "one", "--out", file).code == 2


def test_one_stop_alone_is_about_that_stop(told: Told) -> None:
    told.stage.event(EventKind.OPTED_OUT, told.person, text="STOP")

    both, first = packet_of(told), packet_of(told, "--event", "1")

    assert [each["kind"] for each in both["stops"]] == ["opted_out", "replied"]
    assert [each["kind"] for each in first["stops"]] == ["replied"]
    assert first["stops"][0] == both["stops"][1]
    assert ([each["id"] for each in first["events"]], first["event"]) == ([1], 1)
    assert first["suppressions"] == []
    assert len(both["suppressions"]) == 3


def test_an_erased_person_is_told_by_what_stays(told: Told, tmp_path: Path) -> None:
    told.stage.event(EventKind.OPTED_OUT, told.person)
    with told.stage.store.open_uow() as uow:
        Erasing(uow.connection, uow.memory).people([told.person], told.stage.clock.now(), "Dana")

    packet = packet_of(told)

    assert packet["person"]["erased_at"] == "2026-03-04T18:02:00.000000Z"
    assert {each["body"] for each in packet["messages"]} == {""}
    assert len(packet["stops"]) == 2
    assert [each["hashed"] for each in packet["suppressions"]] == [True] * 3
    told.shop.done("evidence", "--person", "1", "--out", tmp_path / "gone.html")
    assert "Details were erased" in (tmp_path / "gone.html").read_text(encoding="utf-8")


def test_the_reads_of_one_packet_are_as_many_for_two_thousand_messages(told: Told) -> None:
    few = _statements(told)
    with told.stage.store.session.write() as connection:
        rows = [
            {
                "person_id": told.person,
                "location_id": told.stage.world.portland,
                "channel": "sms",
                "body": "See you",
                "due_at": NOW,
                "try_at": NOW,
                "created_at": NOW,
            }
            for _ in range(2000)
        ]
        connection.execute(sa.insert(t.message), rows)

    assert _statements(told) == few
    assert few < 25


def _statements(told: Told) -> int:
    seen: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        seen.append(statement)

    engine = told.stage.store.session._reads
    sa.event.listen(engine, "before_cursor_execute", note)
    try:
        with told.stage.store.open_reader() as reads:
            assert reads.evidence(told.person) is not None
    finally:
        sa.event.remove(engine, "before_cursor_execute", note)
    return sum(statement.startswith("SELECT") for statement in seen)


def test_a_time_with_microseconds_is_kept_whole(told: Told) -> None:
    at = datetime(2026, 3, 5, 18, 0, 0, 123456, tzinfo=UTC)
    told.stage.clock.set(at)
    told.stage.event(EventKind.OPTED_OUT, told.person)

    assert packet_of(told)["stops"][0]["came_in"]["happened_at"] == "2026-03-05T18:00:00.123456Z"


def test_evidence_without_a_file_name_is_a_mistake_of_the_call(told: Told) -> None:
    said = told.shop("evidence", "--person", "1", "--out", "")

    assert (said.code, said.out) == (2, "")
    assert said.err == "--out: name a new file, or - for standard output.\n"
