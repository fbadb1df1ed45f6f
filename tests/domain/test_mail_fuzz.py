"""Whatever lies in the mailbox is read: random bytes, mails that were damaged, mails made to be slow or deep."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.mail_inbound import MailKind, classify_mail
from app.domain.mail_parts import DEEPEST, parse_mail
from app.domain.trial_email import try_email

MAILS = [
    file.read_bytes()
    for folder in ("email_inbound", "email_more")
    for file in sorted((Path(__file__).parents[1] / "data" / folder).glob("*.eml"))
]
PIECES = [
    *(b"\r\n", b"\n\n", b"\r", b"\x00", b"\xff\xfe", b"=?utf-8?B?", b"?=", b"=?x?q?=?=", b"--", b"> ", b"<", b"&#"),
    *(b"<!--", b'<a b="', b"Content-Type: multipart/mixed; boundary=b\r\n", b"Content-Transfer-Encoding: base64\r\n"),
    *(
        b"charset=idna",
        b"charset=unicode_escape",
        b"charset=zip",
        b"boundary=",
        b"On 1 Jan 2026 a@b.c wrote:\n",
        b"=\n",
    ),
    *(
        b"Content-Type: message/rfc822\r\n\r\n",
        b"multipart/report; report-type=delivery-status",
        b"Status: 5.",
        b"-- \n",
    ),
    *(b"Date: Mon, 99 Xxx 0000", b"\xed\xa0\x80", "\ud7ff\u202e\ufdd0".encode(), b"<blockquote>", b"</div>", b"\t"),
]
Cut = tuple[int, int, bytes]


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=2_000))
def test_random_bytes_are_read(data: bytes) -> None:
    json.dumps(try_email("x.eml", data), ensure_ascii=False).encode()


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PIECES) | st.binary(max_size=12), max_size=60))
def test_what_is_put_together_from_odd_pieces_is_read(pieces: list[bytes]) -> None:
    json.dumps(try_email("x.eml", b"".join(pieces)), ensure_ascii=False).encode()


@settings(max_examples=500, deadline=None)
@given(
    st.sampled_from(MAILS),
    st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 200), st.sampled_from(PIECES) | st.binary(max_size=8))),
)
def test_a_damaged_mail_is_read(data: bytes, cuts: list[Cut]) -> None:
    for at, length, piece in cuts:
        at %= len(data) + 1
        data = data[:at] + piece + data[at + length :]

    json.dumps(try_email("x.eml", data), ensure_ascii=False).encode()


@pytest.mark.parametrize("keep", [10, 200, 400, 700])
def test_a_mail_that_was_cut_off_is_read(keep: int) -> None:
    for data in MAILS:
        classify_mail(data[:keep])


TEXT = b"From: a@example.com\nSubject: Re: x\n\n"
HTML = b"From: a@example.com\nSubject: Re: x\nContent-Type: text/html\n\n"
NOTICE = b"Return-Path: <>\nFrom: MAILER-DAEMON@x.example\nSubject: failure notice\n\n"
MADE_SLOW: dict[str, Callable[[int], bytes]] = {
    "one long line": lambda n: TEXT + b"a" * n,
    "blank lines": lambda n: TEXT + b"\n" * n + b"x",
    "attributions": lambda n: TEXT + b"On 3 Nov 2026 a\n" * (n // 16),
    "header labels": lambda n: TEXT + b"To: a\n" * (n // 6),
    "open angles": lambda n: HTML + b"<" * n,
    "open tags": lambda n: HTML + b"<a " * (n // 3),
    "open quotes": lambda n: HTML + b'<a b="' * (n // 6),
    "open comments": lambda n: HTML + b"<!--" * (n // 4),
    "open divisions": lambda n: HTML + b"<div>" * (n // 5),
    "a number without end": lambda n: HTML + b"&#" + b"1" * n,
    "encoded words": lambda n: b"Subject: " + b"=?utf-8?q?a" * (n // 11) + b"\n\n",
    "headers": lambda n: b"A: b\n" * (n // 5),
    "parameters": lambda n: b"Content-Type: text/plain" + b"; a=b" * (n // 5) + b"\n\nx",
    "backslashes": lambda n: b'Content-Type: text/plain; a="' + b"\\" * n + b"\n\nx",
    "boundaries": lambda n: b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n" * (n // 4),
    "domain names": lambda n: (
        TEXT.replace(b"\n\n", b"\nContent-Type: text/plain; charset=idna\n\n") + b"xn--a." * (n // 6)
    ),
    "failed users": lambda n: NOTICE + b"user " * (n // 5),
    "our ids": lambda n: NOTICE + b"<sw.1.a@" * (n // 8),
}


@pytest.mark.parametrize("shape", MADE_SLOW)
def test_a_mail_made_to_be_slow_is_read(shape: str) -> None:
    """Of a million bytes: were a step more than linear, this would not end."""
    assert classify_mail(MADE_SLOW[shape](1_000_000)).kind in MailKind


def test_parts_within_parts_end_at_a_depth() -> None:
    data = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(5_000))
    attached = b"Content-Type: message/rfc822\n\n" * 5_000

    part, depth = parse_mail(data), 0
    while part.parts:
        part, depth = part.parts[0], depth + 1
    assert depth == DEEPEST
    assert classify_mail(attached).needs_human


def test_of_ten_megabytes_the_beginning_is_read_and_a_person_is_asked() -> None:
    told = classify_mail(TEXT + b"Thanks!\n\n" + b"x y " * 2_500_000)

    assert told.kind is MailKind.REPLY
    assert told.needs_human
    assert (told.new_text or "").startswith("Thanks!")
