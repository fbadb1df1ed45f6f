"""Inbound mail: each case of the two folders of mails, and the order in which it is decided."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.domain.mail_inbound import MailKind, classify_mail
from app.domain.trial_email import try_email

DATA = Path(__file__).parents[1] / "data"
FOLDERS = (DATA / "email_inbound", DATA / "email_more")
CASES = [
    (folder / row["file"], row)
    for folder in FOLDERS
    for row in map(json.loads, (folder / "expected.jsonl").read_text(encoding="utf-8").splitlines())
]
OURS = "<sw.7.abc123@mail.maplestreetdental.example>"


def named(value: object) -> str | None:
    return value.stem if isinstance(value, Path) else None


def one_blank(text: str | None) -> str | None:
    return None if text is None else " ".join(text.split())


@pytest.mark.parametrize(("file", "expected"), CASES, ids=named)
def test_a_mail_is_what_its_case_says(file: Path, expected: dict[str, Any]) -> None:
    """Cases 8, 26, 29, 34, 41, 51 and 53 are among them."""
    told: dict[str, Any] = try_email(file.name, file.read_bytes())

    assert told["expected"] == expected["expected"], expected["why"]
    if expected["new_text"] is not None:
        assert one_blank(told["new_text"]) == one_blank(expected["new_text"])
    for key in ("bounce", "return_date", "calendar"):
        assert told[key] == expected.get(key), key
    assert {key: told["match"].get(key) for key in expected["match"]} == expected["match"]
    if "opt_out_channels" in expected:
        assert sorted(told["opt_out_channels"]) == sorted(expected["opt_out_channels"])
    if "subtype" in expected:
        assert told["subtype"] == expected["subtype"]


def test_nothing_that_needs_a_person_is_kept_from_one() -> None:
    """Of a miss nobody would learn; a false alarm costs a look."""
    missed = [
        file.name
        for file, row in CASES
        if row.get("needs_human") and not try_email(file.name, file.read_bytes())["needs_human"]
    ]

    assert missed == []


def test_every_mail_in_the_folders_has_its_row() -> None:
    for folder in FOLDERS:
        files = {file.name for file in folder.glob("*.eml")}
        assert files == {file.name for file, _ in CASES if file.parent == folder}


def mail(text: str = "", **headers: str) -> bytes:
    stated = {"From": "Ana Diaz <ana@example.com>", "To": "care@maplestreetdental.example", "Subject": "Re: Your visit"}
    stated |= {name.replace("_", "-"): value for name, value in headers.items()}
    return ("".join(f"{name}: {value}\r\n" for name, value in stated.items()) + "\r\n" + text).encode()


def test_only_mail_to_the_unsubscribe_address_is_an_opt_out_whatever_it_says() -> None:
    to_unsubscribe = classify_mail(mail("Please keep me", To="unsub+77@in.maplestreetdental.example"))
    to_us = classify_mail(mail("Please keep me"))

    assert (to_unsubscribe.kind, to_us.kind) == (MailKind.OPT_OUT, MailKind.REPLY)


def test_an_automatic_message_is_no_opt_out_even_if_it_says_stop() -> None:
    automatic = classify_mail(mail("STOP", Auto_Submitted="auto-replied"))
    typed = classify_mail(mail("STOP", Auto_Submitted="no"))

    assert (automatic.kind, typed.kind) == (MailKind.AUTO_REPLY, MailKind.OPT_OUT)
    assert automatic.new_text is None


def test_precedence_alone_makes_neither_a_list_nor_a_machine() -> None:
    assert classify_mail(mail("See you", Precedence="bulk")).kind is MailKind.REPLY
    assert classify_mail(mail("See you", Precedence="list")).subtype == "list_mail"


def test_a_copy_of_our_own_mail_is_no_answer() -> None:
    """Case 29."""
    sent = classify_mail(mail("Just following up", Message_ID=OURS, In_Reply_To="<sw.6.abc@mail.example.com>"))
    by_hand = mail("Just following up", From="Desk <Care@MapleStreetDental.example>", In_Reply_To=OURS)

    assert (sent.kind, sent.subtype) == (MailKind.OTHER, "own_copy")
    assert classify_mail(by_hand, frozenset({"care@maplestreetdental.example"})).subtype == "own_copy"
    assert classify_mail(by_hand).kind is MailKind.REPLY


def test_an_answer_is_tied_to_our_message_by_references_alone() -> None:
    """Case 34."""
    told = classify_mail(mail("Hi", In_Reply_To="<x@example.net>", References=f"{OURS} <x@example.net>"))

    assert told.match.message_id == OURS
    assert told.match.sender == "ana@example.com"


@pytest.mark.parametrize(
    ("text", "needs_human"),
    [
        ("I have asked twice already. No more emails.", True),
        ("Ich habe schon zweimal gebeten: keine E-Mails mehr", True),
        ("No more emails please", False),
    ],
)
def test_a_request_that_was_made_before_goes_to_a_person(text: str, needs_human: bool) -> None:
    told = classify_mail(mail(text))

    assert (told.kind, told.needs_human) == (MailKind.OPT_OUT, needs_human)


def test_who_comes_back_opts_in_only_after_an_opt_out() -> None:
    assert classify_mail(mail("START"), opted_out=True).kind is MailKind.OPT_IN
    assert classify_mail(mail("START")).kind is MailKind.REPLY
    assert classify_mail(mail("START")).needs_human


@pytest.mark.parametrize(
    "subject", ["=?x-made-up?B?SGk=?=", "=?utf-8?B?b?=", "=?utf-8?Q?=ZZ?=", "=?utf-8?X?a?=", "=?" * 50, "\x00\x01"]
)
def test_an_odd_subject_blocks_nothing(subject: str) -> None:
    """Case 41."""
    assert classify_mail(mail("Tuesday works", Subject=subject)).new_text == "Tuesday works"


def test_a_mail_with_something_attached_goes_to_a_person() -> None:
    body = '--b\r\n\r\nThanks!\r\n--b\r\nContent-Type: image/png; name="a.png"\r\n\r\nx\r\n--b--\r\n'
    attached = classify_mail(mail(body, Content_Type="multipart/mixed; boundary=b"))

    assert (attached.kind, attached.needs_human) == (MailKind.REPLY, True)
    assert not classify_mail(mail("Thanks!")).needs_human


def test_a_bounce_is_never_an_answer_though_it_names_our_message() -> None:
    body = "--b\r\nContent-Type: message/delivery-status\r\n\r\nFinal-Recipient: rfc822; ana@example.com\r\n" + (
        "Action: failed\r\nStatus: 5.1.1\r\n\r\n--b--\r\n"
    )
    told = classify_mail(mail(body, Content_Type="multipart/report; boundary=b", In_Reply_To=OURS))

    assert (told.kind, told.match.message_id, told.match.recipient) == (
        MailKind.BOUNCE_HARD,
        OURS,
        "ana@example.com",
    )


def test_a_delivery_report_that_tells_nothing_goes_to_a_person() -> None:
    told = classify_mail(mail("", Content_Type='multipart/report; report-type="delivery-status"; boundary=b'))

    assert (told.kind, told.needs_human) == (MailKind.OTHER, True)
