"""What a person asks for in a mail: its new text, and a subject of their own, read by the policy for texts.

The question is the same as for a text (text_reply.py). Only what is particular to mail is added here: a subject, a
typed name under the words, a few languages, and that a request without a named channel is about email.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.domain.mail_absence import folded
from app.domain.mail_decode import sender_name
from app.domain.mail_other_languages import asks_to_end
from app.domain.mail_parts import Part
from app.domain.states import Channel
from app.domain.text_reply import ReplyKind, TextReply, read_text

_ANSWERS = re.compile(
    r"\s*(?:(?:re|aw|antw|antwort|rv|res|sv|vs|odp|fwd?|wg|tr|i|r|enc|doorst)\s?(?:\[\d{1,3}\])?\s?[:：]\s*){1,20}",
    re.IGNORECASE,
)
_ASKED_BEFORE = re.compile(  # of folded text: an earlier request may have been missed
    r"\b(?:asked|told|requested|wrote|written|said|tried|unsubscribed|opted out) (?:\w+ ){0,4}?(?:already|before"
    r"|twice|again|\w+ times)"
    r"|\balready (?:asked|told|requested|wrote|written|said|tried|unsubscribed|opted out)|(?:second|third|fourth"
    r"|last|nth) time"
    r"|how many times|still (?:getting|receiving|get|receive)|ya (?:les|os|le|te)? ?(?:pedi|dije|solicite|escribi)"
    r"|(?:segunda|tercera) vez"
    r"|deja (?:demande|dit|ecrit)|(?:deuxieme|troisieme|enieme) fois|(?:schon|bereits) (?:\w+ ){0,3}(?:gebeten"
    r"|geschrieben|gesagt|abgemeldet)"
    r"|zum (?:zweiten|dritten) mal"
)
_MOST_SUBJECT_CHARS = 500
_KEYWORD_WORDS = 2


@dataclass(frozen=True, slots=True)
class Asked:
    """kind: REPLY, OPT_OUT, or OPT_IN of somebody who had opted out. channels: what an opt-out revokes, else none."""

    kind: ReplyKind
    needs_human: bool
    channels: tuple[Channel, ...] = ()


def asked_in(mail: Part, subject: str, new_text: str, *, opted_out: bool) -> Asked:
    """What the writer of a human mail asks for. opted_out: whether they had opted out before."""
    subject = subject[:_MOST_SUBJECT_CHARS]
    bare = _ANSWERS.sub("", subject, count=1).strip()
    is_own_subject = bare == subject.strip() and not mail.raw("in-reply-to").strip()
    if not new_text:
        return _in_subject_alone(bare, is_own_subject, opted_out)
    words = _without_name(new_text, sender_name(mail.raw("from")))
    said = read_text(words, opted_out=opted_out)
    if said.kind is ReplyKind.OPT_OUT:
        return _asked(said, opted_out, said.needs_human or bool(_ASKED_BEFORE.search(folded(words))))
    if said.kind is ReplyKind.REPLY and asks_to_end(folded(words)):
        return Asked(ReplyKind.OPT_OUT, needs_human=True, channels=(Channel.EMAIL,))
    if said.kind is ReplyKind.REPLY and is_own_subject and bare:
        titled = read_text(bare, opted_out=opted_out)
        whole = titled if not titled.needs_human else read_text(f"{bare}.\n{new_text}", opted_out=opted_out)
        if titled.kind is whole.kind is ReplyKind.OPT_OUT:
            return _asked(whole, opted_out, needs_human=True)
    return _asked(said, opted_out, said.needs_human, asks="?" in new_text)


def _in_subject_alone(bare: str, is_own_subject: bool, opted_out: bool) -> Asked:
    """Of a mail without text. Under an answer the subject is ours, unless it was changed to a keyword."""
    if bare and (is_own_subject or len(bare.split()) <= _KEYWORD_WORDS):
        titled = read_text(bare, opted_out=opted_out)
        if titled.kind is ReplyKind.OPT_OUT:
            return _asked(titled, opted_out, titled.needs_human or not is_own_subject)
    return Asked(ReplyKind.REPLY, needs_human=True)


def _asked(said: TextReply, opted_out: bool, needs_human: bool, asks: bool = False) -> Asked:
    match said.kind:
        case ReplyKind.OPT_OUT:
            channels = said.channels or frozenset({Channel.EMAIL})
            return Asked(said.kind, needs_human, tuple(channel for channel in Channel if channel in channels))
        case ReplyKind.OPT_IN if opted_out:
            return Asked(said.kind, needs_human=True)
        case ReplyKind.REPLY:
            return Asked(said.kind, needs_human or asks)
        case _:  # START or HELP as a whole mail: no command here, somebody answers
            return Asked(ReplyKind.REPLY, needs_human=True)


def _without_name(text: str, name: str) -> str:
    """`text` without a last line that is no more than the sender's name."""
    first, _, last = text.rpartition("\n")
    words = set(name.casefold().split())
    return first if first.strip() and words.issuperset(last.casefold().replace(",", " ").split()) else text
