"""What a text that came in asks for: the policy of opt-outs, rule by rule, in its order. Pure and deterministic.

The rules are those of the data sets (docs/replies.md tells them). A miss of an opt-out is worse than a false alarm, so
what a reasonable reader could take as "stop messaging me", with nothing about a visit, is an opt-out.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from app.domain.states import Channel
from app.domain.text_reply_keywords import Keyword, KeywordRead, read_keyword
from app.domain.text_reply_plain import Plain
from app.domain.text_reply_quotes import own_words, reaction
from app.domain.text_reply_small_talk import answers_prompt, is_courtesy, is_end_sign, is_glad, is_stop_sign
from app.domain.text_reply_wishes import Wishes, read_wishes


class ReplyKind(StrEnum):
    """What the sender asks for; a REPLY asks for nothing about messages, and ends follow-ups like any answer."""

    OPT_OUT = "opt_out"
    OPT_IN = "opt_in"
    HELP = "help"
    REPLY = "reply"


@dataclass(frozen=True, slots=True)
class TextReply:
    """needs_human: staff must act, answer, or say what was meant. why: the rule that decided, in words.

    channels: what is revoked, where the text itself names it; None leaves it to the practice's setting.
    automatic: a telephone wrote it, and not its owner. wrong_number: its owner is not the person that is meant.
    """

    kind: ReplyKind
    needs_human: bool
    why: str
    channels: frozenset[Channel] | None = None
    automatic: bool = False
    wrong_number: bool = False


def read_text(text: str, *, opted_out: bool = False, prompt: str | None = None) -> TextReply:
    """What `text` asks for. opted_out: the sender had said stop before. prompt: our last text to them, if any.

    Of a text over 4,000 characters the two ends are read, and a person is asked for.
    """
    doubted = reaction(text)
    if doubted is not None:
        return TextReply(ReplyKind.REPLY, doubted, "a reaction that quotes our text")
    own, quoted = own_words(text, prompt)
    if quoted and not own.words:
        return TextReply(ReplyKind.REPLY, True, "only our own words, quoted")
    if not own.words:
        return _without_words(own)
    keyword = read_keyword(own)
    if keyword is not None and (keyword.keyword is not Keyword.YES or opted_out):
        return _keyword(keyword, own)
    wishes = read_wishes(own)
    told = _told_by_wishes(wishes, own, opted_out)
    if told is not None:
        return told
    return _plain_reply(own, wishes, quoted, prompt)


def _without_words(own: Plain) -> TextReply:
    if is_stop_sign(own.signs):
        return TextReply(ReplyKind.OPT_OUT, False, "a stop sign alone")
    if is_end_sign(own.signs):
        return TextReply(ReplyKind.OPT_OUT, True, "a sign of refusal alone")
    if is_glad(own.signs):
        return TextReply(ReplyKind.REPLY, False, "a friendly sign")
    return TextReply(ReplyKind.REPLY, True, "no text")


def _keyword(read: KeywordRead, own: Plain) -> TextReply:
    told = f"the whole text is a keyword: {read.written[:20]}"
    doubt = not read.sure or (own.asks and read.keyword is Keyword.STOP and len(own.words) > 1)
    match read.keyword:
        case Keyword.STOP:
            return TextReply(ReplyKind.OPT_OUT, doubt, told)
        case Keyword.CANCEL:
            return TextReply(ReplyKind.OPT_OUT, True, f"{told}; an appointment may be meant")
        case Keyword.START:
            return TextReply(ReplyKind.OPT_IN, doubt, told)
        case Keyword.YES:  # staff confirm it before anything goes out again
            return TextReply(ReplyKind.OPT_IN, True, f"{told}, from somebody who had opted out")
        case Keyword.HELP:
            return TextReply(ReplyKind.HELP, doubt, told)


def _told_by_wishes(wishes: Wishes, own: Plain, opted_out: bool) -> TextReply | None:
    if opted_out and wishes.returns and not wishes.ends:
        return TextReply(ReplyKind.OPT_IN, True, "somebody who had opted out asks to come back")
    if wishes.broken:
        return TextReply(ReplyKind.OPT_OUT, True, "could not unsubscribe", wishes.channels_named)
    if wishes.stranger:
        return TextReply(ReplyKind.OPT_OUT, True, "not the person that is meant", wishes.channels, wrong_number=True)
    if wishes.dispute:
        return TextReply(ReplyKind.OPT_OUT, True, "says that they never agreed", wishes.channels)
    if wishes.abuse:
        return TextReply(ReplyKind.OPT_OUT, True, "a complaint about the messages", wishes.channels)
    if wishes.death and (wishes.ends or not wishes.visits):
        return TextReply(ReplyKind.OPT_OUT, True, "somebody died", wishes.channels)
    if wishes.ends:
        doubt = wishes.visits or wishes.contrast or bool(wishes.limited) or not own.whole or wishes.other_question
        return TextReply(ReplyKind.OPT_OUT, doubt, "asks not to be contacted", wishes.channels)
    if wishes.placed:
        return TextReply(ReplyKind.OPT_OUT, True, "refuses this number or place", wishes.channels_named)
    if wishes.limited:
        return TextReply(ReplyKind.REPLY, True, "sets a limit, not an end")
    return None


def _plain_reply(own: Plain, wishes: Wishes, quoted: bool, prompt: str | None) -> TextReply:
    if wishes.kept and not quoted:
        return TextReply(ReplyKind.REPLY, wishes.visits or own.asks or not wishes.about, "asks that it should go on")
    if wishes.automatic:
        return TextReply(ReplyKind.REPLY, False, "sent by a telephone, not by a person", automatic=True)
    if answers_prompt(own, prompt):
        return TextReply(ReplyKind.REPLY, False, "answers our question")
    if own.whole and not quoted and is_courtesy(own):
        return TextReply(ReplyKind.REPLY, False, "courtesy")
    return TextReply(ReplyKind.REPLY, True, "an answer that a person should read")
