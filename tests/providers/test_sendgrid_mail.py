"""A mail as it is handed to SendGrid: its ids, its ways out, both parts; and read again as a mail program reads it."""

from __future__ import annotations

import re
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import formataddr
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.mail_inbound import MailKind, classify_mail
from app.domain.mail_match import our_message_id
from app.domain.provider_settings import Imap, Sendgrid
from app.domain.states import Channel, Purpose
from app.domain.unsubscribe import HOSTED_PAGE
from app.engine.ports import AttemptNote
from app.providers.sendgrid_mail import mail_of, needs_group, reply_to
from tests.fake_sendgrid import FROM, GROUP
from tests.sendgrid_parts import A_KEY, note

ACCOUNT = Sendgrid(FROM, "Fernhollow", "", unsubscribe_group=GROUP)
NO_GROUP = Sendgrid(FROM, "Fernhollow", "")
PLUS = Imap("imap.example.com", "office", 993, "INBOX", tls=True, plus_addressing=True)
PLAIN = Imap("imap.example.com", "office", 993, "INBOX", tls=True)
TAGGED = f"desk+r.{A_KEY}@example.com"
MARKETING = Purpose.MARKETING


def made(given: AttemptNote, account: Sendgrid = ACCOUNT, mailbox: Imap | None = PLUS) -> dict[str, Any]:
    """The mail of a note."""
    return dict(mail_of(given, account, mailbox))


def parts(mail: dict[str, Any]) -> tuple[str, str]:
    """Its text and its HTML."""
    text, html = mail["content"]
    assert (text["type"], html["type"]) == ("text/plain", "text/html")
    return text["value"], html["value"]


def delivered(mail: dict[str, Any]) -> EmailMessage:
    """The mail as a mail program gets it: written as SendGrid writes it, sent as bytes, and parsed again."""
    message = EmailMessage(policy=policy.SMTP)
    message["From"] = formataddr((mail["from"]["name"], mail["from"]["email"]))
    message["Reply-To"] = formataddr((mail["reply_to"]["name"], mail["reply_to"]["email"]))
    message["To"] = mail["personalizations"][0]["to"][0]["email"]
    message["Subject"] = mail["subject"]
    for name, value in mail["headers"].items():
        message[name] = value
    text, html = parts(mail)
    message.set_content(text)
    message.add_alternative(html, subtype="html")
    raw = message.as_bytes()
    assert max(len(line) for line in raw.split(b"\r\n")) <= 998
    return BytesParser(policy=policy.default).parsebytes(raw)


def test_every_mail_carries_our_ids_and_asks_robots_to_keep_quiet() -> None:
    """RULES B16 and B17; Case 31: robots are not answered, and ours says what it is."""
    mail = made(note())
    assert mail["personalizations"] == [
        {"to": [{"email": "ana@example.com"}], "custom_args": {"stopwell_attempt": A_KEY}}
    ]
    assert mail["headers"]["Message-ID"] == f"<sw.7.{A_KEY}@example.com>"
    assert mail["headers"]["X-Stopwell-Attempt"] == A_KEY
    assert mail["headers"]["Auto-Submitted"] == "auto-generated"
    assert mail["from"] == {"email": FROM, "name": "Fernhollow"}
    assert our_message_id(mail["headers"]["Message-ID"]) == mail["headers"]["Message-ID"]


def test_nothing_is_tracked_and_no_list_of_sendgrid_is_passed_by() -> None:
    for purpose in Purpose:
        mail = made(note(purpose=purpose))
        tracking = mail["tracking_settings"]
        assert tracking["click_tracking"] == {"enable": False, "enable_text": False}
        assert tracking["open_tracking"] == {"enable": False}
        assert "mail_settings" not in mail
        assert "categories" not in mail


@pytest.mark.parametrize(
    ("account", "mailbox", "told"),
    [
        (ACCOUNT, None, FROM),
        (ACCOUNT, PLAIN, FROM),
        (ACCOUNT, PLUS, TAGGED),
        (Sendgrid(FROM, "F", "", reply_to="office@example.org"), PLAIN, "office@example.org"),
        (Sendgrid(FROM, "F", "", reply_to="office@example.org"), PLUS, f"office+r.{A_KEY}@example.org"),
        (Sendgrid("already+tagged@example.com", "F", ""), PLUS, "already+tagged@example.com"),
        (Sendgrid("a-desk-with-a-name-far-too-long@example.com", "F", ""), PLUS, None),
    ],
)
def test_answers_go_to_the_office_with_the_attempt_s_key_where_the_mailbox_takes_it(
    account: Sendgrid, mailbox: Imap | None, told: str | None
) -> None:
    assert reply_to(A_KEY, account, mailbox) == (told or account.from_email)


def test_a_mailbox_s_own_address_is_where_answers_go() -> None:
    own = Imap("imap.example.com", "office", 993, "INBOX", tls=True, address="inbox@example.net", plus_addressing=True)
    assert reply_to(A_KEY, ACCOUNT, own) == f"inbox+r.{A_KEY}@example.net"


def test_marketing_leaves_by_the_provider_s_page_in_both_parts() -> None:
    """RULES B11: one click, at a page that takes it without a login; SendGrid adds the headers for its own page."""
    mail = made(note(purpose=MARKETING, body=f"Hi Ana,\n\nLeave: {HOSTED_PAGE}"))
    assert mail["asm"] == {"group_id": GROUP}
    assert mail["tracking_settings"]["subscription_tracking"]["enable"] is True
    assert mail["tracking_settings"]["subscription_tracking"]["substitution_tag"] not in "".join(parts(mail))
    assert "List-Unsubscribe" not in mail["headers"]
    text, html = parts(mail)
    assert f"Leave: {HOSTED_PAGE}" in text
    assert f'<a href="{HOSTED_PAGE}">' in html


def test_marketing_that_has_no_page_can_t_be_made() -> None:
    assert needs_group(note(purpose=MARKETING), NO_GROUP)
    with pytest.raises(ValueError, match="without an unsubscribe group"):
        mail_of(note(purpose=MARKETING), NO_GROUP, None)


def test_care_leaves_by_a_mail_that_is_read_as_an_opt_out_of_this_very_person() -> None:
    mail = made(note())
    assert "asm" not in mail
    assert mail["tracking_settings"]["subscription_tracking"] == {"enable": False}
    assert mail["headers"]["List-Unsubscribe"] == f"<mailto:{TAGGED}?subject=unsubscribe>"
    assert "List-Unsubscribe-Post" not in mail["headers"], "there is no https address to post to"

    by_click = f"From: ana@example.com\r\nTo: {TAGGED}\r\nSubject: unsubscribe\r\n\r\n".encode()
    read = classify_mail(by_click, frozenset({FROM}))
    assert (read.kind, read.match.token, read.opt_out_channels) == (MailKind.OPT_OUT, A_KEY, (Channel.EMAIL,))


def test_care_that_names_the_page_leaves_by_it_too() -> None:
    assert made(note(body=f"<p>Hi</p><a href='{HOSTED_PAGE}'>Leave</a>"))["asm"] == {"group_id": GROUP}
    assert made(note(body="<p>Hi</p>&lt;%asm_group_unsubscribe_raw_url%&gt;"))["asm"] == {"group_id": GROUP}


def test_where_the_page_has_gone_meanwhile_nobody_reads_its_place() -> None:
    mail = made(note(body=f"Leave: {HOSTED_PAGE}"), NO_GROUP)
    assert "asm" not in mail
    assert "asm_group" not in "".join(parts(mail))
    assert f"Leave: mailto:{TAGGED}?subject=unsubscribe" in parts(mail)[0]


def test_plain_words_become_plain_html_and_html_becomes_plain_words() -> None:
    text, html = parts(made(note(body="Hi <Ana> & Bo,\nhttps://example.com/a?b=1&c=2.\n\nBye")))
    assert text == "Hi <Ana> & Bo,\nhttps://example.com/a?b=1&c=2.\n\nBye"
    link = '<a href="https://example.com/a?b=1&amp;c=2">https://example.com/a?b=1&amp;c=2</a>.'
    assert f"<p>Hi &lt;Ana&gt; &amp; Bo,<br>\n{link}</p>\n<p>Bye</p>" in html
    assert "<img" not in html

    body = '<p>Hi Ana</p><ul><li>one</li><li>two</li></ul><a href="https://example.com/book">Book</a>'
    text, html = parts(made(note(body=body)))
    assert text == "Hi Ana\n\n- one\n- two\nBook (https://example.com/book)"
    assert body in html
    assert html.startswith("<!doctype html>")


def test_a_whole_document_stays_as_it_is() -> None:
    body = "<!doctype html><html><head><title>No</title><style>p {}</style></head><body><p>Hi</p></body></html>"
    assert parts(made(note(body=body))) == ("Hi", body)


def test_a_picture_alone_still_has_words() -> None:
    assert parts(made(note(body='<p><img src="https://example.com/a.png"></p>')))[0] == "Your visit"


WICKED = "Ana\r\nBcc: all@example.com\n\nX-Evil: 1\u2028\x00\x0b"


def test_no_name_or_subject_brings_a_header_along() -> None:
    account = Sendgrid(FROM, f"Fern{WICKED}", "", unsubscribe_group=GROUP)
    mail = made(note(subject=f"Hi {WICKED}"), account)
    read = delivered(mail)
    assert read["Bcc"] is None
    assert read["X-Evil"] is None
    assert read["Subject"] == "Hi Ana Bcc: all@example.com X-Evil: 1"
    assert read["From"].addresses[0].addr_spec == FROM


def test_names_and_words_of_every_alphabet_arrive_as_they_were() -> None:
    account = Sendgrid(FROM, "Zahnärzte «Straße», 医院", "", unsubscribe_group=GROUP)
    body = "Liebe Zoë,\n\nbis Dienstag – 👩‍⚕️ wartet.\nשלום"
    read = delivered(made(note(subject="Zoë, Ihr Termin 🦷", body=body), account))
    assert read["From"].addresses[0].display_name == "Zahnärzte «Straße», 医院"
    assert read["Subject"] == "Zoë, Ihr Termin 🦷"
    text, html = read.iter_parts()
    assert text.get_content().replace("\r\n", "\n").strip() == body
    assert "👩‍⚕️ wartet.<br>" in html.get_content()


@pytest.mark.parametrize("body", ["word " * 1000, "é" * 5000, f"<p>{'word ' * 1000}</p>", f"<p>{'x' * 5000}</p>"])
def test_no_line_is_longer_than_a_mail_server_takes(body: str) -> None:
    for part in parts(made(note(body=body))):
        assert max(len(line.encode()) for line in part.split("\n")) <= 998
    delivered(made(note(body=body)))


@given(subject=st.text(min_size=1, max_size=200), name=st.text(min_size=1, max_size=80), body=st.text(min_size=1))
def test_whatever_the_words_a_mail_reads_back_with_our_headers_alone(subject: str, name: str, body: str) -> None:
    read = delivered(made(note(subject=subject, body=body), Sendgrid(FROM, name, "", unsubscribe_group=GROUP)))
    ours = {"From", "Reply-To", "To", "Subject", "Message-ID", "X-Stopwell-Attempt", "Auto-Submitted"}
    ours |= {"List-Unsubscribe", "MIME-Version", "Content-Type"}
    assert set(read.keys()) <= ours
    assert read["Message-ID"] == f"<sw.7.{A_KEY}@example.com>"
    assert len(list(read.iter_parts())) == 2


@given(st.text(alphabet=st.sampled_from("<>/%&; \"'=apbrhef\n-!"), max_size=120))
def test_whatever_the_markup_both_parts_have_words_and_the_page_stays_whole(markup: str) -> None:
    body = f'<p>{markup}</p>\n<p><a href="{HOSTED_PAGE}">Leave</a></p>'
    text, html = parts(made(note(body=body, purpose=MARKETING)))
    assert text
    assert html.count(HOSTED_PAGE) == 1
    assert re.search(r"asm_group", html)
