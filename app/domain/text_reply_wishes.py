"""The wishes about messages in a text: what was found, in whichever language, and how far it reaches."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from app.domain.states import Channel
from app.domain.text_reply_english import ENGLISH
from app.domain.text_reply_french import FRENCH
from app.domain.text_reply_grammar import Grammar
from app.domain.text_reply_keywords import NO_NAMES
from app.domain.text_reply_patterns import Span, masked
from app.domain.text_reply_plain import Plain
from app.domain.text_reply_spanish import SPANISH

GRAMMARS = (ENGLISH, SPANISH, FRENCH)
_LIST = r"(?:(?:,|and|or|nor|y|o|ni|et|ou|and or|no|e) ){0,3}"
_CHANNELS = {
    Channel.SMS: re.compile(rf"(?<= )(?:{'|'.join(each.sms for each in GRAMMARS)}) "),
    Channel.EMAIL: re.compile(rf"(?<= )(?:{'|'.join(each.email for each in GRAMMARS)}|email|mail|correo|courriel) "),
    Channel.CALL: re.compile(rf"(?<= )(?:{'|'.join(each.call for each in GRAMMARS)}|call|phone) "),
}
_ANY_CHANNEL = (
    "|".join("|".join((each.sms, each.email, each.call)) for each in GRAMMARS) + "|text|phone|email|call|mail"
)
_MORE = re.compile(
    rf"{_LIST}(?:(?:by|via|par|por) )?(?:{_ANY_CHANNEL}) "
    r"(?!me |us |is |are |ok|fine |good |instead |works? |son |esta|si |ca |c |oui |va |sont |about )"
)
_BY = re.compile(rf"(?<= )(?:by|via|through|over|par|por) (?=(?:{_ANY_CHANNEL}) )")
_FORMAL = re.compile(rf"{_BY.pattern}|(?<= )consent ")
_ALL = frozenset(Channel)
_WINDOW = 400  # characters before and after a request that may limit it
_BREAK = re.compile(r" (?:,|but|and|so|pero|y|mais|et|now) ")
_TURN = re.compile(
    r" (?:,|but|and|so|because|pero|y|mais|et)(?: ,| so| but| and| please| just| then)? "
    r"(?:i|ill|im|ive|we|you|my|see|call|email|thanks|thank|he|she|its|it|nos|ya|je|on|merci|gracias|me|si|"
    r"confirm\w{0,4}) "
)
_CONTRACTED = (
    ("do not", "dont"), ("don t", "dont"), ("does not", "doesnt"), ("did not", "didnt"), ("can not", "cant"),
    ("cannot", "cant"), ("will not", "wont"), ("is not", "isnt"), ("are not", "arent"), ("was not", "wasnt"),
    ("have not", "havent"), ("could not", "couldnt"), ("i am", "im"), ("no one", "noone"), ("i have", "ive"),
)  # fmt: skip
_BUSY = re.compile(r"(?<= )(?:im|i am|were|estoy|je suis|suis) (?:still |just )?(?:at|in|en|au) \w++ ")


@dataclass(frozen=True, slots=True)
class Wishes:
    """ends, placed, limited: how many requests without a limit, for a number or place, with another limit.

    channels: what the text names; a text that only speaks of texts names nothing, and None leaves it to the practice.
    channels_named: the same, but texts count as named too.
    """

    ends: int
    placed: int
    limited: int
    kept: bool
    about: bool
    broken: bool
    stranger: bool
    dispute: bool
    death: bool
    abuse: bool
    returns: bool
    automatic: bool
    visits: bool
    contrast: bool
    other_question: bool
    channels: frozenset[Channel] | None
    channels_named: frozenset[Channel] | None


def read_wishes(text: Plain) -> Wishes:
    """Everything that the text says about being contacted."""
    whole = _contracted(text.folded)
    kept = [span for grammar in GRAMMARS for span in grammar["kept"].spans(whole) if _unframed(whole, span, grammar)]
    folded = masked(whole, kept)
    found = _joined(span for grammar in GRAMMARS for span in grammar["requests"].spans(folded))
    weak = _joined(span for grammar in GRAMMARS for span in grammar["weak"].spans(folded))
    if not _within("visits", masked(folded, [*found, *weak])):
        found = _joined([*found, *weak])
    ends, placed, limited = _by_reach(folded, found)
    rest = masked(folded, found)
    named = _named(folded, [*ends, *placed])
    contrast = any(grammar[name].within(folded) for grammar in GRAMMARS for name in ("contrasts", "insteads"))
    insteads = [span for grammar in GRAMMARS for span in grammar["insteads"].spans(folded)]
    if insteads and not found:
        ends, named = insteads, frozenset({Channel.SMS})
    everything = any(grammar["everything"].within(folded) for grammar in GRAMMARS)
    if everything and not (contrast and named):
        named = _ALL
    return Wishes(
        ends=len(ends),
        placed=len(placed),
        limited=len(limited),
        kept=bool(kept),
        about=_within("about", whole),
        broken=_within("broken", folded),
        stranger=_within("strangers", folded) or _denies_name(text),
        dispute=_within("disputes", folded),
        death=_within("deaths", folded),
        abuse=_within("abuses", folded),
        returns=_within("returns", whole),
        automatic=_within("automatic", folded),
        visits=_within("visits", rest),
        contrast=contrast,
        other_question=" ? " in rest and any("?" in piece for piece in _asked(rest)),
        channels=None if not named or (named == {Channel.SMS} and not (contrast or _FORMAL.search(folded))) else named,
        channels_named=named or _named(folded, [(0, len(folded))]) or None,
    )


def _contracted(folded: str) -> str:
    """English contractions written one way."""
    for long, short in _CONTRACTED:
        folded = folded.replace(f" {long} ", f" {short} ")
    return folded


def _within(name: str, folded: str) -> bool:
    return any(grammar[name].within(folded) for grammar in GRAMMARS)


def _unframed(whole: str, span: Span, grammar: Grammar) -> bool:
    before = whole[: span[0]].rsplit(" ", 2)
    return len(before) < 2 or before[-2] not in grammar.frames


def _joined(spans: Iterable[Span]) -> list[Span]:
    """Spans that overlap as one, in order."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _by_reach(folded: str, requests: list[Span]) -> tuple[list[Span], list[Span], list[Span]]:
    ends: list[Span] = []
    placed: list[Span] = []
    limited: list[Span] = []
    for span in requests:
        sentence, near = _sentence(folded, span)
        if _BUSY.search(sentence) or _within("exceptions", sentence) or _within("limits", near):
            limited.append(span)
        elif _within("places", sentence):
            placed.append(span)
        else:
            ends.append(span)
    return ends, placed, limited


def _sentence(folded: str, span: Span) -> tuple[str, str]:
    """The sentence round a request, and as much of it as speaks of the request itself."""
    start = max(folded.rfind(" . ", 0, span[0] + 1), folded.rfind(" ? ", 0, span[0] + 1))
    stops = [at for mark in (" . ", " ? ") if (at := folded.find(mark, span[1] - 1)) >= 0]
    start = max(start + 2 if start >= 0 else 0, span[0] - 1 - _WINDOW)
    stop = min(min(stops, default=len(folded)) + 1, span[1] + _WINDOW)
    before = [found.end() - 1 for found in _BREAK.finditer(folded, start, span[0])]
    after = _TURN.search(folded, span[1] - 1, stop)
    return folded[start:stop], folded[max(before, default=start) : after.start() + 1 if after else stop]


def _named(folded: str, spans: list[Span]) -> frozenset[Channel]:
    """The channels that requests name: in their own words, in a list that follows, and after `by`."""
    named: set[Channel] = set()
    for start, end in spans:
        clause = min((at for mark in (" . ", " ? ") if (at := folded.find(mark, end - 1)) >= 0), default=len(folded))
        named |= _channels_in(folded, start, end)
        for found in _BY.finditer(folded, start, min(clause, end + _WINDOW)):
            named |= _channels_in(folded, found.start(), found.end())
    return frozenset(named)


def _channels_in(folded: str, start: int, end: int) -> set[Channel]:
    while more := _MORE.match(folded, end):
        end = more.end()
    told = f" {folded[start:end]} "
    return {channel for channel, words in _CHANNELS.items() if words.search(told)}


def _asked(rest: str) -> list[str]:
    return [piece for piece in rest.replace("?", "?\n").split("\n") if "#" not in piece]


_DENIALS = frozenset(
    {("im", "not"), ("am", "not"), ("is", "not"), ("its", "not"), ("thats", "not"), ("this", "isnt"), ("that", "isnt")}
    | {("no", "soy"), ("no", "es"), ("suis", "pas"), ("est", "pas")}
)
_AFTER_NAMES = frozenset(["number", "phone", "cell", "anymore", "sorry", "but", "and", "you", "please"])


def _denies_name(text: Plain) -> bool:
    """I'm not Maria; this isn't Carla's phone; no soy Ana; je ne suis pas Luc: a name, as names are written."""
    words = text.words
    for at in text.names:
        if (
            words[max(0, at - 2) : at] not in _DENIALS
            or words[at] in NO_NAMES
            or words[at].removesuffix("s") in NO_NAMES
        ):
            continue
        after = at + 1
        while after in text.names and after < at + 3:
            after += 1
        if after >= len(words) or after in text.apart or words[after] in _AFTER_NAMES:
            return True
    return False
