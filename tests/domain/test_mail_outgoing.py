"""What an email that goes out is called and where its answers go; what it is read back by stands in mail_match.py."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.domain.mail_match import our_message_id, reply_token
from app.domain.mail_outgoing import LONGEST_LOCAL_PART, one_line, outgoing_message_id, reply_address
from app.domain.mail_parts import parse_mail

KEY = "5f0c9d7e1b2a4c3d8e9f0a1b2c3d4e5f"


def test_our_message_id_is_read_back_from_an_answer() -> None:
    told = outgoing_message_id(7, KEY, "desk@example.com")

    assert told == f"<sw.7.{KEY}@example.com>"
    assert our_message_id(f"Re: <other@example.net> {told}") == told


def test_the_reply_address_tells_the_attempt_back() -> None:
    address = reply_address("desk@example.com", KEY, plus_addressing=True)

    assert reply_token(parse_mail(f"To: Desk <{address}>\r\n\r\n".encode())) == KEY


def test_a_mailbox_that_takes_no_plus_gets_none() -> None:
    assert reply_address("desk@example.com", KEY, plus_addressing=False) == "desk@example.com"


def test_an_address_never_grows_longer_than_a_mail_server_takes() -> None:
    for length in range(1, LONGEST_LOCAL_PART + 1):
        local = reply_address("a" * length + "@example.com", KEY, plus_addressing=True).partition("@")[0]
        assert len(local) <= LONGEST_LOCAL_PART
        assert ("+" in local) == (length + 35 <= LONGEST_LOCAL_PART)


@given(st.text())
def test_a_header_is_one_line_whatever_it_is_made_of(text: str) -> None:
    line = one_line(text)

    assert line.splitlines() in ([], [line])
    assert line == line.strip()
    assert one_line(line) == line
