from __future__ import annotations

import os
import sqlite3

import pytest

from tests.shop import PRACTICE, Shop

MONDAY = "2027-03-01T19:00:00Z"


def test_a_sound_practice_is_told_check_by_check(any_fernhollow: Shop) -> None:
    answer = any_fernhollow.json("doctor")

    assert list(answer)[:3] == ["ok", "checks", "counts"]
    assert answer["ok"] is True
    names = [check["check"] for check in answer["checks"]]
    assert {"folder", "events", "sending", "follow_ups", "log", "zones", "clock", "engine"} <= set(names)
    assert answer["counts"]["journeys"] == 1
    assert all(line.startswith("ok ") for line in any_fernhollow.done("doctor").out.splitlines()[1:-1])


def test_one_is_not_many_in_its_last_line(new_shop: Shop) -> None:
    new_shop.import_people("Name,Email\nAna,ana@example.com\n")

    last = new_shop.done("doctor").out.splitlines()[-1]
    assert last.startswith("1 person, 0 records, 0 journeys, ")
    assert last.endswith(", 2 log lines.")


def test_people_of_an_import_that_was_taken_back_are_not_counted(new_shop: Shop) -> None:
    new_shop.import_people("Name,Email\nAna,ana@example.com\n")
    new_shop.done("import", "undo", "1")

    assert new_shop.json("doctor")["counts"]["people"] == 0


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_a_folder_that_others_can_read_needs_a_look(new_shop: Shop) -> None:
    new_shop.folder.chmod(0o755)

    said = new_shop("doctor", "--json")

    assert said.code == 1
    assert said.json["ok"] is False
    assert "chmod" in said.err
    assert said.err.count("\n") == 1


def test_an_outbox_that_can_not_be_written_pauses_its_channel_and_doctor_and_the_problem_list_say_so(
    fernhollow: Shop,
) -> None:
    fernhollow.done("publish", "New lead")
    fernhollow.import_people("Name,Email,Location\nAna,ana@example.com,Portland\n")
    fernhollow.done("enroll", "New lead", "--person", "1", "--at", MONDAY)
    (fernhollow.folder / "practice-outbox.sqlite").write_bytes(b"no database at all" * 500)

    fernhollow.done("tick", "--at", MONDAY)

    assert "email (offline)" in fernhollow.refused("doctor")
    told = "email is paused: there is no connection to the practice phone."
    assert [each["told"] for each in fernhollow("problems", "--json").json] == [told]
    assert told in fernhollow("problems").out
    (fernhollow.folder / "practice-outbox.sqlite").write_bytes(b"")
    fernhollow.done("tick", "--at", "2027-03-01T19:10:00Z")
    assert [each["state"] for each in fernhollow.json("messages")] == ["accepted"]
    fernhollow.done("doctor")


def _changed(shop: Shop, *statements: str) -> None:
    with sqlite3.connect(shop.folder / "stopwell.sqlite") as file:
        for statement in statements:
            file.execute(statement)
    file.close()


def test_a_log_that_was_changed_after_its_seal_is_found_out(new_shop: Shop) -> None:
    new_shop.done("engine", "--for", "0.1")
    triggers = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'log_entry'"
    with sqlite3.connect(new_shop.folder / "stopwell.sqlite") as file:
        names = [row[0] for row in file.execute(triggers)]
        assert file.execute("SELECT count(*) FROM log_seal").fetchone() == (1,)
    file.close()
    _changed(
        new_shop, *(f"DROP TRIGGER {name}" for name in names), "UPDATE log_entry SET actor = 'nobody' WHERE id = 1"
    )

    assert "The log was changed after it was sealed" in new_shop.refused("doctor")


def test_a_row_that_points_at_nothing_is_found_out(new_shop: Shop) -> None:
    new_shop.import_people("Name,Email\nAna,ana@example.com\n")
    _changed(new_shop, "PRAGMA foreign_keys = OFF", "UPDATE person SET location_id = 99")

    assert "point at rows that are gone: 1, in person" in new_shop.refused("doctor")


def test_a_paused_engine_is_told_and_is_nothing_wrong_by_itself(new_shop: Shop) -> None:
    new_shop.done("pause")

    assert "All sending is paused by" in new_shop.done("doctor").out


def test_without_a_practice_there_is_nothing_to_look_at(shop: Shop) -> None:
    assert "There is no practice in" in shop.refused("doctor")
    shop.done("init", *PRACTICE)
    shop.done("doctor")
