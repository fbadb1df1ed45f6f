"""Machine-readable reports about mail: delivery (RFC 3464), feedback (RFC 5965), disposition (RFC 8098). Reading only.

What a status means for an address is decided in mail_bounces.py.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.domain.mail_decode import addresses
from app.domain.mail_match import our_message_id
from app.domain.mail_parts import Part, parse_headers

_REPORT_PARTS = {
    "message/delivery-status": "delivery-status",
    "message/global-delivery-status": "delivery-status",
    "message/feedback-report": "feedback-report",
    "message/disposition-notification": "disposition-notification",
    "message/global-disposition-notification": "disposition-notification",
}
_RETURNED_HEADERS = ("text/rfc822-headers", "message/rfc822-headers", "message/global-headers")
_BLOCKS = re.compile(r"\n[ \t]*\n")
_MOST_BLOCKS = 200

Fields = dict[str, str]


@dataclass(frozen=True, slots=True)
class Report:
    """One report. kind: its report-type in lower case. blocks: the groups of fields of its machine-readable part.

    told: the text for people. returned: the headers of the mail that it is about, as far as they came back.
    """

    kind: str
    blocks: tuple[Fields, ...]
    told: str
    returned: Fields

    def field(self, name: str) -> str:
        """The first field of that name, "" without it."""
        return next((block[name] for block in self.blocks if name in block), "")


def find_report(mail: Part) -> Report | None:
    """The report that the mail is, also inside of what a gateway wraps around it; None for a mail that attaches one."""
    for part in mail.walk():
        if part.kind == "multipart/report":
            return _report(part, part.parameter("report-type").strip().lower())
    bare = next((part for part in mail.walk() if part.kind in _REPORT_PARTS), None)
    if bare is not None and (not mail.raw("return-path").strip(" <>") or mail.has("x-failed-recipients")):
        return _report(mail, _REPORT_PARTS[bare.kind])
    return None


def _report(whole: Part, kind: str) -> Report:
    blocks: tuple[Fields, ...] = ()
    told, returned = "", Fields()
    for part in whole.walk():
        if part.kind in _REPORT_PARTS and not blocks:
            kind = kind or _REPORT_PARTS[part.kind]
            blocks = _blocks(part.text())
        elif part.kind in _RETURNED_HEADERS:
            returned = returned or dict(reversed(parse_headers(part.text())))
        elif part.kind in ("message/rfc822", "message/global") and part.parts:
            returned = returned or dict(reversed(part.parts[0].headers))
        elif part.kind.startswith("text/") and not part.is_attached:
            told = told or part.text()
    return Report(kind, blocks, told, returned)


def _blocks(text: str) -> tuple[Fields, ...]:
    read = (dict(reversed(parse_headers(block))) for block in _BLOCKS.split(text.strip(), _MOST_BLOCKS))
    return tuple(block for block in read if block)


@dataclass(frozen=True, slots=True)
class Delivery:
    """What a report says about one recipient. action: lower case, "" when not told. recipient: the one we mailed."""

    action: str
    status: str
    diagnostic: str
    recipient: str | None


def deliveries(report: Report) -> tuple[Delivery, ...]:
    """Each recipient of a delivery report, in order."""
    return tuple(
        Delivery(
            action=block.get("action", "").split(";")[0].split("(")[0].strip().lower(),
            status=block.get("status", ""),
            diagnostic=block.get("diagnostic-code", ""),
            recipient=mailed_address(report, block),
        )
        for block in report.blocks
        if block.keys() & {"action", "status", "final-recipient", "original-recipient"}
    )


def mailed_address(report: Report, block: Fields) -> str | None:
    """The address that we mailed. The final recipient may be where that was forwarded to, so it comes last."""
    ours = our_message_id(report.returned.get("message-id", "")) is not None
    sent_to = addresses(report.returned.get("to", "")) if ours else ()
    final = _first_address(block.get("final-recipient", ""))
    if len(sent_to) > 1 and final in sent_to:
        return final
    return _first_address(block.get("original-recipient", "")) or (sent_to[0] if sent_to else None) or final


def complained_address(report: Report) -> str | None:
    """Whose complaint a feedback report tells, None when the address was taken out."""
    stated = (report.field("original-rcpt-to"), report.returned.get("to", ""), report.field("removal-recipient"))
    return next(filter(None, map(_first_address, stated)), None)


def read_address(report: Report) -> str | None:
    """Whose read receipt it is."""
    stated = (report.field("original-recipient"), report.field("final-recipient"))
    return next(filter(None, map(_first_address, stated)), None)


def reported_message_id(report: Report) -> str | None:
    """Our Message-ID of the mail that the report is about."""
    stated = (report.field("original-message-id"), report.field("x-original-message-id"))
    return our_message_id(report.returned.get("message-id", ""), *stated)


def _first_address(value: str) -> str | None:
    found = addresses(value.rpartition(";")[2])
    return found[0] if found else None
