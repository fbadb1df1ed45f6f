"""A problem in words: whose it is, what happened, what it means. What to do about it is told by domain/remedies.py."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from app.domain.lines import InboxEventLine
from app.domain.reasons import Why, provider_words
from app.domain.states import Channel
from app.ui.people.whom import nameless
from app.ui.today.things import Trouble
from app.ui.when import time_words
from app.ui.words import Where, address_words, capital, channels_word, message_words, why_words

translate = QCoreApplication.translate

_WORDS_MISSING = frozenset({Why.EMPTY_VALUE, Why.TEMPLATE_BROKEN})
_NOT_YET = frozenset({Why.NO_CONSENT, Why.NEVER_OPEN, Why.NO_UNSUBSCRIBE_GROUP})
_ADDRESS = frozenset({Why.HARD_BOUNCE, Why.DISCONNECTED, Why.INVALID_ADDRESS, Why.NO_ADDRESS, Why.DUPLICATE_PERSON})


def problem_title(trouble: Trouble, country: str) -> str:
    """Whose problem it is: a person, an address that nobody has, a channel, or what is about everybody."""
    if trouble.person is not None:
        return trouble.person.name or nameless(trouble.person.id)
    if trouble.event is not None and trouble.event.address:
        return address_words(trouble.event.address, country)
    match trouble.line.why:
        case Why.CHANNEL_PAUSED:
            return capital(_channels(trouble))
        case Why.SOURCE_UNREAD:
            return capital(provider_words(trouble.line.facts.get("provider", "")))
        case Why.CLOCK_MOVED:
            return translate("today", "The clock")
        case Why.UNMATCHED | Why.WHOSE_REPLY:
            return translate("today", "A sender without an address")
        case _:
            return translate("today", "The whole practice")


def problem_place(trouble: Trouble) -> str:
    """Beside the name: the location, or that nobody has this address."""
    if trouble.person is not None:
        return trouble.person.location
    if trouble.line.why is Why.WHOSE_REPLY:
        return translate("today", "several people")
    return translate("today", "no match") if trouble.line.why is Why.UNMATCHED else translate("today", "all locations")


def happened(trouble: Trouble, where: Where) -> str:
    """What happened, in one line, without its time."""
    why = trouble.line.why
    if why is Why.UNMATCHED:
        return _unmatched(trouble.event)
    if why is Why.WHOSE_REPLY and trouble.event is not None and trouble.event.text:
        told = translate("today", "“{text}” from an address that several people have")
        return told.format(text=_one_line(trouble.event.text))
    if why is Why.CHANNEL_PAUSED:
        because = trouble.line.facts.get("because", "")
        told = why_words(Why(because), trouble.line.facts).removesuffix(".") if because in tuple(Why) else ""
        was = translate("today", "{channels} were paused").format(channels=capital(_channels(trouble)))
        return translate("today", "{was}: {because}.").format(was=was, because=_small(told)) if told else f"{was}."
    told = why_words(why, trouble.line.facts, where)
    return told if trouble.message is None else f"{_message(trouble)}: {_small(told)}"


def happened_when(trouble: Trouble, where: Where) -> str:
    """What happened and since when, as a sentence."""
    time = time_words(trouble.line.at, where.zone, where.now)
    return translate("today", "{time}: {what}").format(time=capital(time), what=_small(happened(trouble, where)))


def means(trouble: Trouble) -> str:
    """What it means for whoever waits: what is lost, what stands still, what goes on."""
    why, running = trouble.line.why, trouble.person.running if trouble.person is not None else 0
    match why:
        case Why.UNMATCHED:
            return translate("today", "No follow-up was stopped by it: nobody here has this address.")
        case Why.WHOSE_REPLY:
            return translate("today", "Everybody who has this address is held until somebody says whose it is.")
        case Why.CHANNEL_PAUSED:
            return translate("today", "It works again: what waited was asked again and goes out. Nothing was lost.")
        case Why.SOURCE_UNREAD:
            return translate("today", "What came in there is read later: none of it is lost, and Stop works here.")
        case Why.CLOCK_MOVED:
            return translate("today", "All sending rests until somebody resumes it. Nothing is lost, and Stop works.")
        case Why.TROUBLE if running:
            return translate("today", "Only this follow-up stands still. Nothing of it is lost, and the others go on.")
        case _ if why in _WORDS_MISSING and running:
            return translate("today", "The message is held, and goes out by itself once that is put right.")
        case _ if why in _NOT_YET and running:
            return translate("today", "The message is held: not sent, and not dropped either.")
        case _ if why in _ADDRESS:
            return translate("today", "Nothing more is sent to that address.")
        case _ if running:
            return translate("today", "Their follow-up goes on or waits; the page says which. Nothing else is held up.")
        case _ if trouble.person is not None:
            return translate("today", "Nothing is running for them any more. Nothing else is held up.")
        case _:
            return translate("today", "Nothing is lost, and everything else goes on.")


def _unmatched(event: InboxEventLine | None) -> str:
    if event is None:
        return why_words(Why.UNMATCHED)
    if event.channel is Channel.EMAIL:
        from_whom = translate("today", "from an email address we don’t know")
    elif event.address:
        from_whom = translate("today", "from a number we don’t know")
    else:
        from_whom = translate("today", "and it does not say from whom")
    if event.text:
        return translate("today", "“{text}” {from_whom}").format(text=_one_line(event.text), from_whom=from_whom)
    return translate("today", "Something came in {from_whom}").format(from_whom=from_whom)


def _message(trouble: Trouble) -> str:
    message = trouble.message
    return capital(message_words(message.channel, message.template)) if message is not None else ""


def _channels(trouble: Trouble) -> str:
    channel = trouble.line.facts.get("channel", "")
    return channels_word(Channel(channel)) if channel in tuple(Channel) else translate("today", "messages")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _small(words: str) -> str:
    """As the second half of a sentence; names that begin it keep their capital."""
    first = words.split(" ", 1)[0]
    return words if first.isupper() or not first[1:].islower() else words[:1].lower() + words[1:]
