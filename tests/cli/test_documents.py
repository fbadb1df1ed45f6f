from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tests.shop import FERNHOLLOW, PRACTICE, Shop

RESOURCES = Path(__file__).parents[2] / "resources"

JOURNEY = """
format: stopwell.journey/1
name: {name}
purpose: care
ends: {{replied: true, converted: never, closed: never}}
start: first
steps:
  first: {{do: email, template: note, next: done}}
  done: {{do: end, as: exhausted}}
"""
NOTE = """
format: stopwell.template/1
name: note
channel: email
purpose: care
subject: A note
body: "Hi {{ person.first_name }}, this is a note."
"""


def test_init_makes_a_practice_with_one_location_and_says_how_to_change_it(shop: Shop) -> None:
    said = shop.done("init", *PRACTICE)

    assert "Fernhollow is made in" in said.out
    assert "Monday to Friday 09:00 to 17:00, America/Los_Angeles" in said.out
    assert "stopwell apply FILE" in said.out
    assert shop.json("journeys") == []


def test_init_answers_in_json(shop: Shop) -> None:
    made = shop.json("init", *PRACTICE)

    assert made["practice"] == "Fernhollow"
    assert made["zone"] == "America/Los_Angeles"
    assert made["practice_mode"] is True
    assert made["folder"] == str(shop.folder)


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_what_init_makes_is_readable_by_its_owner_alone(shop: Shop) -> None:
    shop.done("init", *PRACTICE)

    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (shop.folder, *shop.folder.iterdir())}
    assert modes.pop("data") == 0o700
    assert set(modes.values()) == {0o600}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--practice", "X", "--zone", "America/NewYork"), "Did you mean America/New_York?"),
        (("--practice", "X", "--zone", "PST"), "America/Los_Angeles"),
        (("--practice", "  ", "--zone", "UTC"), "The practice has no name"),
        (("--practice", "Fern\nhollow", "--zone", "UTC"), "holds a line break or a control character"),
        (("--practice", "X", "--zone", "UTC", "--country", "Narnia"), "country"),
    ],
)
def test_a_practice_that_can_not_be_made_leaves_nothing_behind(
    shop: Shop, arguments: tuple[str, ...], told: str
) -> None:
    assert told in shop.refused("init", *arguments)
    assert not shop.folder.exists()


def test_init_takes_no_folder_that_holds_something(new_shop: Shop, tmp_path: Path) -> None:
    before = (new_shop.folder / "stopwell.sqlite").read_bytes()
    assert "There is a practice in" in new_shop.refused("init", *PRACTICE)
    assert (new_shop.folder / "stopwell.sqlite").read_bytes() == before

    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "ana.odt").write_text("")
    assert "holds other files" in Shop(tmp_path / "letters").refused("init", *PRACTICE)
    assert [path.name for path in (tmp_path / "letters").iterdir()] == ["ana.odt"]


def test_a_set_is_taken_in_whatever_its_order_and_the_same_again_changes_nothing(new_shop: Shop) -> None:
    first = new_shop.json("apply", FERNHOLLOW)
    again = new_shop.json("apply", FERNHOLLOW)

    assert {each["name"]: each["changed"] for each in first["applied"]} == dict.fromkeys(
        ("Fernhollow", "Portland", "New York", "hello", "nudge", "last", "New lead"), True
    )
    assert not any(each["changed"] for each in again["applied"])
    assert first["ok"] is again["ok"] is True


def test_the_location_that_init_made_gives_way_to_the_practices_own(new_shop: Shop) -> None:
    said = new_shop.done("apply", FERNHOLLOW)

    assert "The location Main, which init made, is gone" in said.out
    assert "Main" not in new_shop.done("apply", FERNHOLLOW).out


def test_the_first_location_stays_when_people_belong_to_it(new_shop: Shop) -> None:
    new_shop.import_people("Name,Email\nAna Diaz,ana@example.com\n")

    new_shop.done("apply", FERNHOLLOW)

    assert new_shop.json("person", "ana@example.com")["location"] == "Main"


def test_documents_are_one_transaction_over_several_files_with_every_problem_at_its_line(new_shop: Shop) -> None:
    good = new_shop.write("good.yaml", NOTE)
    bad = new_shop.write("bad.yaml", JOURNEY.format(name="Bad").replace("note, next", "nota, next") + "extra: 1\n")

    said = new_shop("apply", good, bad, "--json")

    assert said.code == 1
    assert said.err.count("\n") == 1
    assert said.err.startswith(f"Nothing was applied. {bad}:10 ")
    assert said.json["ok"] is False
    assert [problem["line"] for problem in said.json["problems"]] == [10]
    assert all(problem["file"] == str(bad) for problem in said.json["problems"])
    assert new_shop.refused("publish", "Bad").startswith("There is no journey Bad")
    again = new_shop("check", bad, "--json").json
    assert not any("called note" in problem["problem"] for problem in again["problems"])


def test_what_is_stored_already_may_be_named(new_shop: Shop) -> None:
    new_shop.done("apply", new_shop.write("note.yaml", NOTE))

    assert new_shop.json("check", new_shop.write("journey.yaml", JOURNEY.format(name="Note")))["ok"] is True
    new_shop.done("apply", new_shop.write("journey.yaml", JOURNEY.format(name="Note")))


def test_check_proves_without_a_practice_and_saves_nothing(shop: Shop) -> None:
    checked = shop.json("check", FERNHOLLOW)

    assert checked["ok"] is True
    assert checked["problems"] == []
    assert {key: checked["proof"][key] for key in ("emails", "texts", "calls", "days")} == {
        "emails": 1,
        "texts": 2,
        "calls": 0,
        "days": 5,
    }
    assert "exhausted" in checked["proof"]["ends"]
    assert not shop.folder.exists()


def test_what_this_version_does_nothing_with_yet_is_kept_and_said(new_shop: Shop) -> None:
    text = (
        NOTE
        + "---\n"
        + JOURNEY.format(name="Note").replace("start:", "enter: {group: web}\nstart:")
        + "---\n{format: stopwell.group/1, name: web, match: {tag: web}, enroll: {journey: Note}}\n"
        + "---\n{format: stopwell.sequence/1, name: Old, steps: [{day: 0, channel: sms, body: Hi}]}\n"
    )

    said = new_shop.done("apply", new_shop.write("all.yaml", text)).out

    assert "stopwell enroll" not in said, "groups bring people in by themselves"
    assert "an old sequence is kept and sends nothing." in said
    assert "group web: saved" in said


def test_check_tells_what_is_wrong_and_ends_with_one(new_shop: Shop) -> None:
    file = new_shop.write("loop.yaml", NOTE + "---" + JOURNEY.format(name="Loop").replace("next: done", "next: first"))

    said = new_shop("check", file, "--json")

    assert said.code == 1
    assert said.json["ok"] is False
    assert said.json["proof"] is None
    assert set(said.json["problems"][0]) == {"file", "path", "line", "problem", "hint"}
    assert "goes round without a limit" in said.err


def test_a_line_to_copy_stands_at_the_end_of_what_is_told(new_shop: Shop) -> None:
    file = new_shop.write("plain.yaml", "name: Fernhollow\ncaps: {per_day: 1}\n")

    assert new_shop.refused("check", file).endswith("The first line should be format: stopwell.practice/1")


PROVIDERS = """format: stopwell.providers/1
twilio: {account_sid: AC0123, from: "(503) 555-0100"}
receiver: {port: 8787, location: Portland}
"""


def test_providers_are_kept_and_the_same_again_changes_nothing(fernhollow: Shop) -> None:
    file = fernhollow.write("providers.yaml", PROVIDERS)

    assert fernhollow.json("check", file)["ok"] is True
    assert [each["changed"] for each in fernhollow.json("apply", file)["applied"]] == [True]
    assert [each["changed"] for each in fernhollow.json("apply", file)["applied"]] == [False]


def test_what_providers_say_is_not_in_the_log(fernhollow: Shop) -> None:
    fernhollow.done("apply", fernhollow.write("providers.yaml", PROVIDERS))

    last = fernhollow.json("log")[0]
    assert (last["event"], last["facts"]) == ("document.applied", {"format": "stopwell.providers/1"})


@pytest.mark.parametrize(
    ("line", "to", "told"),
    [
        (
            "(503) 555-0100",
            "Fernhollow",
            "providers.yaml:2 twilio.from: Fernhollow is not a number that can be answered",
        ),
        ("Portland}", "Portlend}", "receiver.location: there is no location called Portlend. Did you mean Portland?"),
    ],
)
def test_providers_that_fit_nothing_here_are_refused(fernhollow: Shop, line: str, to: str, told: str) -> None:
    file = fernhollow.write("providers.yaml", PROVIDERS.replace(line, to))

    assert told in fernhollow.refused("apply", file)


def test_the_sample_practice_is_kept_whole_and_its_email_has_its_short_name_and_its_booking_link(shop: Shop) -> None:
    shop.done("init", *PRACTICE)
    sample = (RESOURCES / "practice" / "sample.yaml", *sorted((RESOURCES / "templates").glob("*.yaml")))

    applied = shop.json("apply", *sample, RESOURCES / "journeys" / "new-lead.yaml")
    shop.done("publish", "New lead")
    shop.import_people("Name,Email,Location\nAna Diaz,ana@example.com,Bend\n")
    shop.done("enroll", "New lead", "--person", "ana@example.com")
    shop.done("tick", "--at", "2026-11-03T10:00-08:00")

    assert applied["warnings"] == []
    assert not any(each["changed"] for each in shop.json("apply", *sample)["applied"])
    (sent,) = shop.json("messages")
    hello = shop.json("why", str(sent["id"]))["message"]
    assert hello["subject"] == "Your first visit at Fernhollow PT"
    assert '<a href="https://fernhollow.example/bend">pick a time here</a>' in hello["body"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is empty"),
        ("\x00\x01", "control character"),
        ("format: stopwell.journey/1\nname: [", "bad.yaml:"),
        ("name: x\n", "isn't a Stopwell document"),
        ("format: stopwell.jurney/1\n", "format: stopwell.journey/1"),
        ("format: stopwell.location/1\nname: X\nzone: Mars/Base\nhours: {mon: [['09:00', '17:00']]}\n", "Mars/Base"),
        ("format: stopwell.location/1\nname: X\nzone: UTC\nhours: {mon: []}\n", "no opening hours"),
        ("format: stopwell.location/1\nname: X\nzone: UTC\nhours: 9 to 5\n", "hours"),
        ("format: stopwell.practice/1\nname: X\ncaps: {per_day: lots}\n", "caps.per_day"),
        ("format: stopwell.practice/1\nname: X\nnmae: Y\n", "Did you mean name?"),
        (
            "format: stopwell.location/1\nname: X\nzone: UTC\nphone: call us\nhours: {mon: [['09:00', '17:00']]}\n",
            "call us is not a phone number",
        ),
    ],
)
def test_a_bad_document_is_one_clear_line_that_names_the_file(new_shop: Shop, text: str, told: str) -> None:
    file = new_shop.write("bad.yaml", text)

    for command in ("check", "apply"):
        line = new_shop.refused(command, file)
        assert told in line
        assert "bad.yaml" in line
    assert [each["name"] for each in new_shop.json("apply", FERNHOLLOW)["applied"] if not each["changed"]] == []


@pytest.mark.parametrize("name", ["nowhere.yaml", "."])
def test_a_file_that_is_not_there_is_one_clear_line(new_shop: Shop, name: str) -> None:
    line = new_shop.refused("apply", new_shop.folder.parent / name)

    assert "There is no file" in line or "is a folder" in line


def test_publishing_makes_a_draft_live_and_the_same_again_changes_nothing(fernhollow: Shop) -> None:
    published = fernhollow.json("publish", "New lead")
    again = fernhollow.json("publish", "New lead")

    assert (published["version"], published["changed"]) == (1, True)
    assert published["proof"]["texts"] == 2
    assert (again["version"], again["changed"]) == (1, False)
    assert fernhollow.json("journeys")[0]["state"] == "live"


def test_an_unknown_journey_is_told_with_the_nearest(fernhollow: Shop) -> None:
    for command in ("publish", "retire"):
        assert "Did you mean New lead?" in fernhollow.refused(command, "New leed")


def test_new_words_are_used_only_after_publishing_again(fernhollow: Shop) -> None:
    fernhollow.done("publish", "New lead")
    text = FERNHOLLOW.read_text(encoding="utf-8").replace("shall we find you a time?", "shall we find a time?")

    said = fernhollow.done("apply", fernhollow.write("new.yaml", text))

    assert "New lead goes on with the words it was published with" in said.out
    assert fernhollow.json("publish", "New lead")["version"] == 2


def test_publishing_over_people_asks_what_happens_to_them(fernhollow: Shop) -> None:
    fernhollow.done("publish", "New lead")
    fernhollow.import_people("Name,Email,Location\nAna Diaz,ana@example.com,Portland\n")
    fernhollow.done("enroll", "New lead", "--person", "ana@example.com")
    text = FERNHOLLOW.read_text(encoding="utf-8").replace("days: 3", "days: 4")
    fernhollow.done("apply", fernhollow.write("new.yaml", text))

    assert "1 person is inside New lead, version 1. Say what happens" in fernhollow.refused("publish", "New lead")
    assert "--finish-rest goes with --move" in fernhollow("publish", "New lead", "--finish-rest").err
    published = fernhollow.json("publish", "New lead", "--finish")
    assert (published["version"], published["finishing"]) == (2, 1)
    assert fernhollow.json("person", "ana@example.com")["enrollments"][0]["version"] == 1


def test_people_move_to_a_new_version_and_the_sheet_says_so_before(fernhollow: Shop) -> None:
    fernhollow.done("publish", "New lead")
    fernhollow.import_people("Name,Email,Location\nAna Diaz,ana@example.com,Portland\n")
    fernhollow.done("enroll", "New lead", "--person", "ana@example.com")
    text = FERNHOLLOW.read_text(encoding="utf-8").replace("days: 3", "days: 4")
    fernhollow.done("apply", fernhollow.write("new.yaml", text))

    said = fernhollow.done("publish", "New lead", "--dry-run").out
    assert "Nothing is changed yet" in said
    assert "version 1, hello (email): 1 person; the step stays as it is" in said
    assert "Ana Diaz, at hello: finishing" in said
    assert "--move: 1 person moves to version 2" in said
    sheet = fernhollow.json("publish", "New lead", "--dry-run")
    assert (sheet["version"], sheet["inside"], sheet["stay"]) == (2, 1, [])
    assert sheet["choices"]["move"] == {"finish": 0, "move": 1, "refused": False}
    assert fernhollow.json("journeys")[0]["version"] == 1
    assert "1 person was moved to it." in fernhollow.done("publish", "New lead", "--move").out
    assert fernhollow.json("person", "ana@example.com")["enrollments"][0]["version"] == 2


def test_who_can_not_move_is_named_with_the_way_out(fernhollow: Shop) -> None:
    fernhollow.done("publish", "New lead")
    fernhollow.import_people("Name,Email,Location\nAna Diaz,ana@example.com,Portland\n")
    fernhollow.done("enroll", "New lead", "--person", "ana@example.com")
    text = FERNHOLLOW.read_text(encoding="utf-8").replace("hello: {do", "hi: {do").replace("start: hello", "start: hi")
    fernhollow.done("apply", fernhollow.write("new.yaml", text))

    assert "Ana Diaz, at hello, which it no longer has" in fernhollow.done("publish", "New lead", "--dry-run").out
    refused = fernhollow.refused("publish", "New lead", "--move")
    assert "1 person can't move to the new version of New lead: Ana Diaz (at hello, which it no longer has)" in refused
    assert "--finish-rest" in refused
    published = fernhollow.json("publish", "New lead", "--move", "--finish-rest")
    assert (published["version"], published["moved"], published["finishing"]) == (2, 0, 1)


def test_a_journey_with_a_task_is_published(new_shop: Shop) -> None:
    text = (
        NOTE
        + "---"
        + JOURNEY.format(name="Ring").replace(
            "next: done}", "next: task}\n  task: {do: task, note: Call them, up_to: {days: 2}, next: done}"
        )
    )

    new_shop.done("apply", new_shop.write("ring.yaml", text))

    new_shop.done("publish", "Ring")
    assert new_shop.json("journeys")[0]["state"] == "live"


def test_a_retired_journey_takes_in_nobody_and_can_be_published_again(fernhollow: Shop) -> None:
    fernhollow.done("publish", "New lead")
    fernhollow.import_people("Name,Email,Location\nAna Diaz,ana@example.com,Portland\n")

    assert fernhollow.json("retire", "New lead") == {"journey": "New lead", "changed": True, "finishing": 0}
    assert fernhollow.json("retire", "New lead")["changed"] is False
    assert "is retired" in fernhollow.refused("enroll", "New lead", "--person", "ana@example.com")
    assert fernhollow.json("publish", "New lead")["version"] == 2
    fernhollow.done("enroll", "New lead", "--person", "ana@example.com")


def test_a_draft_that_was_never_live_can_not_be_retired(fernhollow: Shop) -> None:
    assert "was never published" in fernhollow.refused("retire", "New lead")


def test_marketing_email_from_a_place_without_an_address_is_told_before_it_is_held(fernhollow: Shop) -> None:
    text = """
format: stopwell.location/1
name: Boise
zone: America/Boise
hours: {mon: [["09:00", "17:00"]]}
"""
    fernhollow.done("apply", fernhollow.write("boise.yaml", text))

    assert "Boise has no email, so its marketing emails" in fernhollow.done("publish", "New lead").out
