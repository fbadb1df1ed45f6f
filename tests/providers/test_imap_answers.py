from __future__ import annotations

from datetime import UTC, datetime

import pytest

from app.providers.imap_answers import Fetched, Waiting, by_uid, received_at, waiting


def test_the_uid_is_found_on_either_side_of_the_literal() -> None:
    data: list[object] = [
        (b"1 (UID 5 BODY[] {3}", b"one"),
        b")",
        (b"2 (BODY[] {3}", b"two"),
        b" UID 6 FLAGS (\\Seen))",
    ]
    assert {uid: each.literal for uid, each in by_uid(data).items()} == {5: b"one", 6: b"two"}


def test_what_a_mail_says_within_is_no_uid() -> None:
    assert {uid: each.literal for uid, each in by_uid([(b"1 (UID 5 BODY[] {9}", b"UID 77 RF"), b")"]).items()} == {
        5: b"UID 77 RF"
    }


def test_news_about_flags_is_left_out_and_does_not_take_a_mail_away() -> None:
    data: list[object] = [
        b"9 (FLAGS (\\Seen))",
        (b"1 (UID 5 BODY[] {3}", b"one"),
        b")",
        b"1 (UID 5 FLAGS (\\Seen))",
        None,
    ]
    assert {uid: each.literal for uid, each in by_uid(data).items()} == {5: b"one"}


def test_an_empty_or_short_body_may_come_on_the_line_itself_or_not_at_all() -> None:
    data: list[object] = [
        b'1 (UID 5 BODY[] "")',
        b'2 (UID 6 BODY[]<0> "a\\"b\\\\c")',
        b"3 (UID 7 BODY[] NIL)",
        b'4 (UID 8 BODY[HEADER] "x")',
    ]
    assert {uid: each.literal for uid, each in by_uid(data).items()} == {5: b"", 6: b'a"b\\c', 7: None, 8: b"x"}


@pytest.mark.parametrize(
    ("line", "at"),
    [
        (b'INTERNALDATE "17-Jul-2026 02:44:25 -0700"', datetime(2026, 7, 17, 9, 44, 25, tzinfo=UTC)),
        (b'INTERNALDATE " 1-JAN-2026 00:30:00 +0530"', datetime(2025, 12, 31, 19, 0, tzinfo=UTC)),
        (b'INTERNALDATE "31-Feb-2026 00:00:00 +0000"', None),
        (b'INTERNALDATE "01-Jui-2026 00:00:00 +0000"', None),
        (b'INTERNALDATE "01-Jan-0001 00:00:00 +0100"', None),
        (b'INTERNALDATE "01-Jan-2026 00:00:00 +9900"', None),
        (b"UID 5", None),
    ],
)
def test_the_time_that_the_server_got_a_mail(line: bytes, at: datetime | None) -> None:
    assert received_at(line) == at


def test_a_size_that_is_not_told_is_none() -> None:
    assert waiting(5, Fetched(b"1 (UID 5 RFC822.SIZE 4286)", None)) == Waiting(5, 4286, None)
    assert waiting(5, Fetched(b"1 (UID 5)", None)).size_bytes == 0
