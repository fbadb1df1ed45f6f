"""`stopwell try email`: what the app makes of a raw mail, in the words of the data sets. Nothing is stored."""

from __future__ import annotations

from app.domain.mail_inbound import InboundMail, MailKind, classify_mail
from app.domain.mail_match import MailMatch

_ABOUT_A_RECIPIENT = frozenset({MailKind.BOUNCE_HARD, MailKind.BOUNCE_SOFT, MailKind.COMPLAINT})


def try_email(file_name: str, data: bytes) -> dict[str, object]:
    """What a raw mail is, with the keys of `expected.jsonl`; what does not apply to its kind is None."""
    mail = classify_mail(data)
    return {
        "file": file_name,
        "expected": mail.kind.value,
        "subtype": mail.subtype or None,
        "needs_human": mail.needs_human,
        "new_text": mail.new_text,
        "match": _match(mail.match, mail),
        "bounce": None if mail.bounce is None else {"action": mail.bounce.action, "status": mail.bounce.status},
        "opt_out_channels": [channel.value for channel in mail.opt_out_channels],
        "return_date": None if mail.return_date is None else mail.return_date.isoformat(),
        "calendar": None if mail.calendar is None else {"uid": mail.calendar.uid, "partstat": mail.calendar.partstat},
    }


def _match(match: MailMatch, mail: InboundMail) -> dict[str, str | None]:
    if match.recipient is not None or mail.kind in _ABOUT_A_RECIPIENT:
        return {"message_id": match.message_id, "recipient": match.recipient}
    return {"message_id": match.message_id, "token": match.token, "sender": match.sender}
