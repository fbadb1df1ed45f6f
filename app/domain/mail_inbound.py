"""What an inbound mail is. One pure decision, in the order of the policy; never raises, whatever the bytes.

Reports come first, since a bounce may look like an answer. What people wrote comes last; only their new text counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from app.domain.mail_absence import return_date
from app.domain.mail_automatic import CHALLENGE, automatic_subtype
from app.domain.mail_bounces import DELIVERED, Bounce, Fault, judge, plain_notice
from app.domain.mail_calendar import CalendarReply, calendar_reply
from app.domain.mail_cut import is_cut, is_stand_in
from app.domain.mail_lists import DOMAIN_REPORT, LIST_MAIL, is_domain_report, is_list_mail
from app.domain.mail_match import (
    MailMatch,
    answered_message_id,
    from_address,
    is_to_unsubscribe,
    our_message_id,
    own_message_id,
    reply_token,
)
from app.domain.mail_parts import Part, parse_mail
from app.domain.mail_quotes import typed
from app.domain.mail_reports import (
    Report,
    complained_address,
    deliveries,
    find_report,
    read_address,
    reported_message_id,
)
from app.domain.mail_request import asked_in
from app.domain.mail_text import MailText, mail_text
from app.domain.states import Channel


class MailKind(StrEnum):
    """What a mail is to a follow-up."""

    REPLY = "reply"
    OPT_OUT = "opt_out"
    OPT_IN = "opt_in"
    AUTO_REPLY = "auto_reply"
    BOUNCE_HARD = "bounce_hard"
    BOUNCE_SOFT = "bounce_soft"
    COMPLAINT = "complaint"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class InboundMail:
    """What a mail is. new_text: what a person typed, "" for a human mail without text, None for machines' mail.

    subtype: a finer word for people and tests, "" without one. needs_human: somebody must act, answer or look.
    opt_out_channels: what an opt-out or a complaint revokes. return_date: the day that an absence note names.
    """

    kind: MailKind
    match: MailMatch
    needs_human: bool = False
    new_text: str | None = None
    subtype: str = ""
    bounce: Bounce | None = None
    opt_out_channels: tuple[Channel, ...] = ()
    return_date: date | None = None
    calendar: CalendarReply | None = None


def classify_mail(raw: bytes, own_addresses: frozenset[str] = frozenset(), *, opted_out: bool = False) -> InboundMail:
    """What a raw mail is. own_addresses: lower case, those that we send from: their mail is never an answer.

    opted_out: whether the sender has opted out before, which makes a wish to come back an opt-in.
    """
    mail = parse_mail(raw)
    subject = mail.read("subject")
    report = find_report(mail)
    if report is not None:
        return _reported(mail, report)
    text = mail_text(mail)
    if is_stand_in(mail):  # its words are ours
        return InboundMail(MailKind.OTHER, MailMatch(), needs_human=True, new_text=text.lines, subtype="not_given")
    fault = plain_notice(mail, subject, text.lines)
    if fault is not None:
        match = MailMatch(answered_message_id(mail) or our_message_id(text.lines), recipient=fault.recipient)
        return _bounced(fault, match)
    match = MailMatch(answered_message_id(mail), reply_token(mail), from_address(mail))
    if own_message_id(mail) is not None or match.sender in own_addresses:
        return InboundMail(MailKind.OTHER, match, subtype="own_copy")
    written = typed(text.lines)
    if is_to_unsubscribe(mail):
        return InboundMail(MailKind.OPT_OUT, match, new_text=written.new_text, opt_out_channels=(Channel.EMAIL,))
    automatic = automatic_subtype(mail, subject, written.new_text or text.lines)
    if automatic is not None:
        return _automatic(mail, match, automatic, text)
    answer = calendar_reply(mail)
    if answer is not None:
        needs_human = answer.partstat != "ACCEPTED"
        return InboundMail(MailKind.OTHER, match, needs_human, subtype="calendar_reply", calendar=answer)
    if is_domain_report(mail, subject):
        return InboundMail(MailKind.OTHER, match, subtype=DOMAIN_REPORT)
    if is_list_mail(mail) and match.message_id is None and match.token is None:
        return InboundMail(MailKind.OTHER, match, subtype=LIST_MAIL)
    return _written(mail, match, subject, written.new_text, text, opted_out)


def _reported(mail: Part, report: Report) -> InboundMail:
    about = reported_message_id(report) or answered_message_id(mail) or our_message_id(report.told)
    match report.kind:
        case "feedback-report":
            match = MailMatch(about, recipient=complained_address(report))
            if report.field("feedback-type").strip().lower() == "abuse":
                return InboundMail(MailKind.COMPLAINT, match, subtype="abuse", opt_out_channels=(Channel.EMAIL,))
            return InboundMail(MailKind.OTHER, match, subtype="feedback")
        case "delivery-status":
            return _delivery_report(mail, report, about)
        case "disposition-notification":
            match = MailMatch(about, recipient=read_address(report) or from_address(mail))
            return InboundMail(MailKind.OTHER, match, subtype="read_receipt")
        case _:
            return InboundMail(MailKind.OTHER, MailMatch(about, sender=from_address(mail)), subtype="report")


def _delivery_report(mail: Part, report: Report, about: str | None) -> InboundMail:
    """By the worst that it says about a recipient; a report without a readable part by its words."""
    told = deliveries(report)
    failed = [each for each in told if each.action not in DELIVERED]
    if told and not failed:
        match = MailMatch(about, recipient=told[0].recipient)
        return InboundMail(MailKind.OTHER, match, subtype=f"dsn_{_PAST.get(told[0].action, told[0].action)}")
    faults = [judge(each, report.told) for each in failed]
    if not faults:
        fault = plain_notice(mail, mail.read("subject"), report.told)
        if fault is None:
            match = MailMatch(about, recipient=None)
            return InboundMail(MailKind.OTHER, match, needs_human=True, subtype="dsn_unreadable")
        faults = [fault]
    worst = max(faults, key=lambda fault: (fault.is_hard, fault.needs_human, fault.bounce.action == "failed"))
    return _bounced(worst, MailMatch(about, recipient=worst.recipient))


_PAST = {"delivered": "success"}


def _bounced(fault: Fault, match: MailMatch) -> InboundMail:
    kind = MailKind.BOUNCE_HARD if fault.is_hard else MailKind.BOUNCE_SOFT
    return InboundMail(kind, match, fault.needs_human, bounce=fault.bounce)


def _automatic(mail: Part, match: MailMatch, subtype: str, text: MailText) -> InboundMail:
    return InboundMail(
        MailKind.AUTO_REPLY,
        match,
        needs_human=subtype == CHALLENGE,  # what waits there for a click is held, and only a person may give it
        subtype=subtype,
        return_date=return_date(text.lines, mail.raw("date")),
    )


def _written(mail: Part, match: MailMatch, subject: str, new_text: str, text: MailText, opted_out: bool) -> InboundMail:
    asked = asked_in(mail, subject, new_text, opted_out=opted_out)
    kind = MailKind(asked.kind.value)
    unread = kind is not MailKind.OPT_OUT and (text.attached or text.is_cut or is_cut(mail))
    return InboundMail(kind, match, asked.needs_human or unread, new_text, opt_out_channels=asked.channels)
