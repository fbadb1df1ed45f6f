"""try email: a folder of raw mails in, one JSON line a mail out, with the data set's own keys. No database is read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.shop import DATA, Shop

MAILS = DATA / "email_inbound"


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def one_blank(text: str | None) -> str | None:
    return None if text is None else " ".join(text.split())


def test_a_folder_of_mails_comes_out_a_line_a_mail_with_every_key_of_the_data_set(shop: Shop) -> None:
    cases = lines((MAILS / "expected.jsonl").read_text(encoding="utf-8"))

    answers = lines(shop.done("try", "email", MAILS).out)

    assert [answer["file"] for answer in answers] == sorted(case["file"] for case in cases)
    told = {answer["file"]: answer for answer in answers}
    assert {key for case in cases for key in case} - {"why"} == set(answers[0])
    for case in cases:
        answer = told[case["file"]]
        assert (answer["expected"], one_blank(answer["new_text"])) == (case["expected"], one_blank(case["new_text"]))
    assert not shop.folder.exists()


def test_one_mail_may_be_tried_whatever_its_name(shop: Shop, tmp_path: Path) -> None:
    file = tmp_path / "mail.txt"
    file.write_bytes(b"From: ana@example.com\r\nSubject: Re: x\r\n\r\nSTOP\r\n")

    assert shop.json("try", "email", file)["expected"] == "opt_out"


def test_a_mail_that_is_none_at_all_is_tried_too_and_the_output_is_sound(shop: Shop, tmp_path: Path) -> None:
    """Case 41."""
    (tmp_path / "a.eml").write_bytes(bytes(range(256)))
    (tmp_path / "b.EML").write_bytes(b"")
    (tmp_path / "notes.txt").write_text("no mail", encoding="utf-8")

    answers = lines(shop.done("try", "email", tmp_path).out)

    assert [(answer["file"], answer["expected"]) for answer in answers] == [("a.eml", "reply"), ("b.EML", "reply")]


def test_a_folder_without_mail_is_one_clear_line(shop: Shop, tmp_path: Path) -> None:
    assert "no mail" in shop.refused("try", "email", tmp_path)
    shop.refused("try", "email", tmp_path / "nowhere")
