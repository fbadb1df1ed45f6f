"""try: the data sets in, one JSON line a case out, with the data sets' own keys. No database is read."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.shop import DATA, Shop

LISTS = DATA / "leads_csv"


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize(
    ("what", "file", "keys"),
    [
        ("hours", "hours.jsonl", {"expected_open": "open", "next_open": "next_open", "closes_at": "closes_at"}),
        ("waits", "delays.jsonl", {"expected_due": "due", "expected_send": "send"}),
    ],
)
def test_every_expected_value_of_a_data_set_comes_out(shop: Shop, what: str, file: str, keys: dict[str, str]) -> None:
    cases = lines((DATA / file).read_text(encoding="utf-8"))

    answers = lines(shop.done("try", what, DATA / file).out)

    assert [answer["id"] for answer in answers] == [case["id"] for case in cases]
    wrong = [
        (case["id"], key)
        for case, answer in zip(cases, answers, strict=True)
        for key, told in keys.items()
        if key in case and answer[told] != case[key]
    ]
    assert wrong == []
    assert not shop.folder.exists()


def test_every_text_of_the_data_set_comes_out_with_its_class(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    cases = lines((DATA / "sms_replies.jsonl").read_text(encoding="utf-8"))

    answers = lines(shop.done("try", "sms", DATA / "sms_replies.jsonl").out)

    assert [(each["id"], each["expected"]) for each in answers] == [(each["id"], each["expected"]) for each in cases]
    assert set(answers[0]) == {"id", "expected", "needs_human", "channels", "why"}
    assert not shop.folder.exists()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'{"id": "x", "text": "stop calling me"}\n')))
    [told] = lines(shop.done("try", "sms", "-").out)
    assert (told["expected"], told["channels"]) == ("opt_out", ["call"])


@pytest.mark.parametrize(
    ("case", "told"),
    [
        ('{"id": "x"}', "text"),
        ('{"id": "x", "text": 5}', "text"),
        ('{"id": "x", "text": "a", "state": "gone"}', "Known are subscribed, opted_out"),
        ('{"id": "x", "text": "a", "prompt": 7}', "prompt"),
    ],
)
def test_a_text_that_is_no_case_is_told(shop: Shop, case: str, told: str) -> None:
    assert told in shop.refused("try", "sms", shop.write("cases.jsonl", case))


def test_a_folder_of_lists_comes_out_a_line_a_file(shop: Shop) -> None:
    answers = lines(shop.done("try", "people", LISTS).out)

    files = sorted(path for path in LISTS.iterdir() if path.suffix != ".json")
    assert [answer["file"] for answer in answers] == [path.name for path in files]
    for path, answer in zip(files, answers, strict=True):
        expected = json.loads(path.with_name(f"{path.name}.expected.json").read_text(encoding="utf-8"))
        for key in ("encoding", "delimiter", "header_line", "date_order", "blank_rows", "counts", "contacts"):
            assert answer[key] == expected[key], (path.name, key)


def test_the_country_may_be_given(shop: Shop) -> None:
    file = shop.write("p.csv", "Name,Phone\nAna Diaz,020 7946 0018\n")

    assert lines(shop.done("try", "people", file, "--region", "GB").out)[0]["contacts"][0]["phone"] == "+442079460018"
    assert lines(shop.done("try", "people", file).out)[0]["default_region"] == "US"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{not json", "is not JSON"),
        ("[1]", "is not a JSON object"),
        ("\xff".encode("latin-1").decode("latin-1"), "is not JSON"),
        ('{"id": "x", "zone": "Mars/Base", "weekly_hours": {}, "at": "2027-01-01T00:00:00Z"}', "Mars/Base"),
        ('{"id": "x"}', "is missing"),
    ],
)
def test_a_line_that_is_no_case_is_told_and_the_others_are_tried(shop: Shop, line: str, told: str) -> None:
    good = (DATA / "hours.jsonl").read_text(encoding="utf-8").splitlines()[0]

    said = shop("try", "hours", shop.write("cases.jsonl", f"{line}\n\n{good}\n"))

    assert said.code == 1
    assert said.err.count("\n") == 1
    assert told in said.err
    answers = lines(said.out)
    assert len(answers) == 2
    assert answers[1]["id"] == "hd001"


def test_a_list_that_is_none_is_told_and_the_others_are_tried(shop: Shop, tmp_path: Path) -> None:
    folder = tmp_path / "lists"
    folder.mkdir()
    (folder / "a.csv").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    (folder / "b.csv").write_text("Name,Email\nAna,ana@example.com\n", encoding="utf-8")

    said = shop("try", "people", folder)

    assert said.code == 1
    assert "a.csv is a picture" in said.err
    assert [answer["file"] for answer in lines(said.out)] == ["a.csv", "b.csv"]


@pytest.mark.parametrize("make", [lambda path: path / "nowhere", lambda path: path])
def test_nothing_to_try_is_one_clear_line(shop: Shop, tmp_path: Path, make: Callable[[Path], Path]) -> None:
    shop.refused("try", "people", make(tmp_path))
    shop.refused("try", "hours", make(tmp_path))
