"""One message as SendGrid's mail/send takes it: one person, two parts, our ids, no tracking. Pure.

Written as plain values, not by the vendor's Mail class: that one refuses a text that looks like a key of theirs, and
quotes names with a comma in them.
"""

from __future__ import annotations

from typing import Final

from app.domain.mail_outgoing import one_line, outgoing_message_id, reply_address
from app.domain.mail_two_parts import two_parts
from app.domain.provider_settings import Imap, Sendgrid
from app.domain.states import Purpose
from app.domain.template import looks_like_html
from app.domain.unsubscribe import by_mail, names_page, without_page
from app.engine.ports import AttemptNote

ATTEMPT_ARG: Final = "stopwell_attempt"
# stands in no mail: without it SendGrid would add a line of its own under every body
_NO_FOOTER: Final = "[stopwell-no-footer]"


def needs_group(note: AttemptNote, account: Sendgrid) -> bool:
    """Whether it may not go out: marketing without a page to leave by (RULES B11)."""
    return note.purpose is Purpose.MARKETING and account.unsubscribe_group is None


def mail_of(note: AttemptNote, account: Sendgrid, mailbox: Imap | None) -> dict[str, object]:
    """The body of POST /v3/mail/send for one attempt. mailbox: where answers are read; None without one.

    Raises ValueError for a marketing mail that has no unsubscribe group.
    """
    if needs_group(note, account):
        raise ValueError("a marketing mail without an unsubscribe group")
    replies_to = reply_to(note.key, account, mailbox)
    page = account.unsubscribe_group is not None and (note.purpose is Purpose.MARKETING or names_page(note.body))
    body = note.body if page else without_page(note.body, by_mail(replies_to))
    subject = one_line(note.subject)
    parts = two_parts(body, is_html=looks_like_html(body), instead=subject)
    headers = {
        "Message-ID": outgoing_message_id(note.message_id, note.key, account.from_email),
        "X-Stopwell-Attempt": note.key,
        "Auto-Submitted": "auto-generated",
    }
    if not page:
        headers["List-Unsubscribe"] = f"<{by_mail(replies_to)}>"
    mail: dict[str, object] = {
        "personalizations": [{"to": [{"email": note.to}], "custom_args": {ATTEMPT_ARG: note.key}}],
        "from": _sender(account),
        "reply_to": {"email": replies_to, "name": one_line(account.from_name)},
        "subject": subject,
        "content": [
            {"type": "text/plain", "value": parts.text},
            {"type": "text/html", "value": parts.html},
        ],
        "headers": headers,
        "tracking_settings": _tracking(page=page),
    }
    return mail | ({"asm": {"group_id": account.unsubscribe_group}} if page else {})


def trial_of(account: Sendgrid) -> dict[str, object]:
    """A mail that SendGrid checks and does not send (its sandbox), with our real sender and unsubscribe group."""
    group = account.unsubscribe_group
    mail: dict[str, object] = {
        "personalizations": [{"to": [{"email": account.from_email}]}],
        "from": _sender(account),
        "subject": "Stopwell: is this sender known?",
        "content": [{"type": "text/plain", "value": "Nobody gets this."}],
        "mail_settings": {"sandbox_mode": {"enable": True}},
    }
    return mail | ({"asm": {"group_id": group}} if group is not None else {})


def reply_to(key: str, account: Sendgrid, mailbox: Imap | None) -> str:
    """Where the answer to one attempt goes. key: the attempt's."""
    office = account.reply_to or (mailbox.address if mailbox else "") or account.from_email
    return reply_address(office, key, plus_addressing=mailbox is not None and mailbox.plus_addressing)


def _sender(account: Sendgrid) -> dict[str, str]:
    return {"email": account.from_email, "name": one_line(account.from_name)}


def _tracking(*, page: bool) -> dict[str, object]:
    """No link is rewritten and no image added: scanners click and open, so it would say nothing.

    page: the hosted page is in the body. Then SendGrid adds List-Unsubscribe with its https address, and
    List-Unsubscribe-Post, which it does for subscription tracking alone.
    """
    leaving: dict[str, object] = {"enable": True, "substitution_tag": _NO_FOOTER} if page else {"enable": False}
    return {
        "click_tracking": {"enable": False, "enable_text": False},
        "open_tracking": {"enable": False},
        "subscription_tracking": leaving,
        "ganalytics": {"enable": False},
    }
