"""A paused channel in words: since when and why, that nothing is lost, how much waits, when it is tried next."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QCoreApplication

from app.domain.reasons import Why
from app.domain.states import Channel
from app.domain.today_lines import ChannelLine
from app.ui.when import time_words
from app.ui.words import Where, capital, channel_word, channels_word, listed, messages_words, why_words

translate = QCoreApplication.translate

_SHOWN = (Channel.EMAIL, Channel.SMS)  # calls are made by staff: they are named only while they are paused


def channel_title(channel: Channel) -> str:
    """What the channel is called as something that works or does not: “Texting”."""
    match channel:
        case Channel.SMS:
            return translate("outage", "Texting")
        case Channel.EMAIL:
            return translate("outage", "Emailing")
        case Channel.CALL:
            return translate("outage", "Calling")


def because_words(line: ChannelLine) -> str:
    """“Twilio refuses the password”, to stand inside a sentence."""
    return why_words(line.why, {"provider": line.provider} if line.provider else {}).removesuffix(".")


def paused_title(line: ChannelLine) -> str:
    """“Texts are paused: Twilio refuses the password.”"""
    told = translate("outage", "{channels} are paused: {because}.")
    because = because_words(line)
    keeps = bool(line.provider) and because.startswith(line.provider)
    because = because if keeps else because[:1].lower() + because[1:]
    return told.format(channels=capital(channels_word(line.channel)), because=because)


def since_words(line: ChannelLine, where: Where) -> str:
    """“Since 10:12 AM PST.”; nothing when it is not known."""
    if line.since is None:
        return ""
    return translate("outage", "Since {time}.").format(time=time_words(line.since, where.zone, where.now))


def waiting_words(line: ChannelLine) -> str:
    """“14 texts are waiting; none are lost and no try is used up.”"""
    if not line.waiting:
        return translate("outage", "Nothing is waiting for it.")
    one = translate("outage", "{messages} is waiting; it is not lost and no try is used up.")
    more = translate("outage", "{messages} are waiting; none are lost and no try is used up.")
    return (one if line.waiting == 1 else more).format(messages=messages_words(line.channel, line.waiting))


def others_words(line: ChannelLine, paused: Collection[Channel]) -> str:
    """“Emails and calls go on.”: what is not held up by it."""
    rest = [channels_word(channel) for channel in (*_SHOWN, Channel.CALL) if channel not in {*paused, line.channel}]
    return translate("outage", "{channels} go on.").format(channels=capital(listed(rest))) if rest else ""


def may_miss_stops(line: ChannelLine) -> bool:
    """Whether a STOP from outside may come in late: what can't be handed over can't be read there either."""
    return line.why in (Why.OFFLINE, Why.BAD_CREDENTIALS) and line.channel is not Channel.CALL


def stops_words(line: ChannelLine) -> str:
    """What it means for stops: by hand at once, by the channel perhaps late."""
    here = translate("outage", "Stop works here at once, as always.")
    if not may_miss_stops(line):
        return here
    asked = translate("outage", "What people answer by {channel} may not be read meanwhile: a STOP can come in late.")
    return f"{asked.format(channel=channel_word(line.channel))} {here}"


def next_try_words(line: ChannelLine, where: Where) -> str:
    """When the provider is asked again by itself."""
    if line.try_at is None:
        return ""
    if line.try_at <= where.now:
        return translate("outage", "The provider is asked again at the next check.")
    time = time_words(line.try_at, where.zone, where.now)
    return translate("outage", "The provider is asked again by itself at {time}.").format(time=time)
