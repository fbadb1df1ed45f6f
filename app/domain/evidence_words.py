"""Evidence in plain sentences: the four facts of a stop, one to say aloud, and what the timeline tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from app.domain.call_outcome import DESK, OUTCOME_WORDS, known_outcome
from app.domain.evidence import AttemptFacts, EventFacts, FollowUpFacts, MessageFacts, Stopped
from app.domain.reasons import SENTENCES, Why
from app.domain.states import AttemptAnswer, MessageState

CHANNELS: Final[Mapping[str, str]] = {"email": "email", "sms": "text", "call": "call"}
EVENTS: Final[Mapping[str, str]] = {
    "replied": "a reply",
    "booked": "a booking",
    "paid": "a payment",
    "accepted": "an acceptance",
    "completed": "the end of the work",
    "converted": "word that the goal was reached",
    "closed": "word that there is nothing to follow up any more",
    "opted_out": "a wish not to be contacted",
    "opted_in": "a wish to be contacted again",
    "complained": "a report of spam",
    "bounced": "word that the address does not exist",
    "bounced_soft": "word that the mailbox can't take mail now",
    "disconnected": "word that the number is out of use",
    "auto_reply": "an automatic reply",
    "stopped": "a press of Stop by staff",
    "opened": "word that a message was opened",
    "clicked": "word that a link was followed",
    "other": "a note",
}
_ANSWERS: Final[Mapping[str, str]] = {
    AttemptAnswer.OPEN.value: "its outcome is not known yet",
    AttemptAnswer.ACCEPTED.value: "the provider accepted it",
    AttemptAnswer.TRANSIENT.value: "the provider did not take it this time",
    AttemptAnswer.PERMANENT.value: "the provider refused it for good",
    AttemptAnswer.OUTAGE.value: "the provider took nothing from anybody",
    AttemptAnswer.NOT_MADE.value: "it was not made after all",
    AttemptAnswer.NOT_FOUND.value: "the provider was asked and never had it",
    AttemptAnswer.UNKNOWN.value: "the provider did not say what became of it",
}
_LISTED: Final = 5
_AT_ONCE: Final = timedelta(seconds=60)


def clock(at: datetime | None, zone: str) -> str:
    """An instant as people write it, on the clock of `zone`: Wed Jan 13, 2027, 9:30:05 AM PST. A dash for None."""
    if at is None:
        return "–"
    there = at.astimezone(ZoneInfo(zone))
    return f"{there:%a %b} {there.day}, {there.year}, {_time(there)}"


def _time(there: datetime) -> str:
    return f"{there.hour % 12 or 12}:{there:%M:%S} {'AM' if there.hour < 12 else 'PM'} {there:%Z}"


def length(later: datetime, earlier: datetime) -> str:
    """How long from `earlier` to `later` in words: 35 seconds, 2 hours 5 minutes, 3 days 1 hour."""
    left = max(0, round((later - earlier).total_seconds()))
    parts = []
    for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)):
        count, left = divmod(left, size)
        if count:
            parts.append(counted(count, unit))
    return " ".join(parts[:2]) or "less than a second"


def counted(count: int, one: str) -> str:
    """`1 message`, `2 messages`."""
    return f"{count:,} {one}" if count == 1 else f"{count:,} {one}s"


def why_in_words(word: str | None) -> str:
    """The sentence of a stored reason, without its places; the word itself when it has some or is none of ours."""
    if word is None:
        return ""
    sentence = SENTENCES[Why(word)] if word in set(Why) else word
    return word.replace("_", " ") if "{" in sentence else sentence


def message_name(message: MessageFacts) -> str:
    """How a message is called in a sentence: text 12 (nudge)."""
    channel = CHANNELS.get(message.channel, message.channel)
    return f"{channel} {message.id} ({message.template})" if message.template else f"{channel} {message.id}"


def four_facts(stop: Stopped, zone: str) -> tuple[str, str, str, str]:
    """When it came in, when the state changed, what was cancelled, what the provider had accepted."""
    return (_came_in(stop, zone), _changed(stop, zone), _cancelled(stop, zone), _accepted(stop, zone))


def said_aloud(stop: Stopped, zone: str) -> str:
    """The same in two or three sentences that can be said on the telephone."""
    event = stop.event
    sentences = [f"{_sentence(EVENTS.get(event.kind, event.kind))} reached us on {clock(event.happened_at, zone)}."]
    if stop.ended and stop.changed_at is not None:
        after = length(stop.changed_at, event.happened_at)
        sentences.append(f"We stopped {after} later.")
    kept = len(stop.cancelled)
    was = "was" if kept == 1 else "were"
    waited = f"{counted(kept, 'message')} that waited {was} cancelled." if kept else "No message was waiting by then."
    sentences.append(waited)
    sentences.append(_last_words(stop, zone))
    return " ".join(sentences)


def _last_words(stop: Stopped, zone: str) -> str:
    if stop.unknown:
        return "One message was on its way at that moment, and the provider is still being asked about it."
    if stop.accepted_after:
        last = stop.accepted_after[0]
        word = CHANNELS.get(last.channel, last.channel)
        return f"The last {word} was on its way by then, and went out on {clock(last.accepted_at, zone)}."
    if stop.accepted_before:
        last = stop.accepted_before[0]
        word = CHANNELS.get(last.channel, last.channel)
        return f"The last {word} before that went out on {clock(last.accepted_at, zone)}."
    return "Nothing had gone out before that."


def _came_in(stop: Stopped, zone: str) -> str:
    event = stop.event
    what = _sentence(EVENTS.get(event.kind, event.kind))
    by = f" by {CHANNELS.get(event.channel, event.channel)}" if event.channel else ""
    read = clock(event.received_at, zone)
    return f"{what}{by} came in {clock(event.happened_at, zone)}, and was read {read}."


def _changed(stop: Stopped, zone: str) -> str:
    if not stop.ended:
        applied = f" It was written down {clock(stop.changed_at, zone)}." if stop.changed_at else ""
        return f"No follow-up was ended by it: none was running that it ends.{applied}"
    names = "; ".join(f"{each.journey} version {each.version} ended as {each.state}" for each in stop.ended)
    after = length(stop.changed_at, stop.event.happened_at) if stop.changed_at else ""
    return f"State changed {clock(stop.changed_at, zone)}, {after} after it came in: {names}."


def _cancelled(stop: Stopped, zone: str) -> str:
    if not stop.cancelled:
        return "Nothing was waiting to go out, so nothing was cancelled."
    due = _listed([f"{message_name(each)}, due {clock(each.due_at, zone)}" for each in stop.cancelled])
    return f"{counted(len(stop.cancelled), 'message')} cancelled: {due}."


def _accepted(stop: Stopped, zone: str) -> str:
    before, after = stop.accepted_before, stop.accepted_after
    sentences = []
    if before:
        last = before[0]
        sentences.append(
            f"The provider had accepted {counted(len(before), 'message')} before the stop came in, the last one"
            f" {clock(last.accepted_at, zone)}: {message_name(last)}."
        )
    else:
        sentences.append("The provider had accepted nothing before the stop came in.")
    if after:
        told = _listed([f"{message_name(each)}, accepted {_late(each, stop, zone)}" for each in after])
        sentences.append(f"After the stop came in it accepted {counted(len(after), 'message')}: {told}.")
    else:
        sentences.append("After the stop came in it accepted nothing.")
    if stop.not_accepted:
        told = _listed([message_name(each) for each in stop.not_accepted])
        sentences.append(f"It refused {told}, which was with it when the stop came.")
    if stop.unknown:
        told = _listed([message_name(each) for each in stop.unknown])
        sentences.append(f"Not known yet, the provider is being asked: {told}.")
    return " ".join(sentences)


def _late(message: MessageFacts, stop: Stopped, zone: str) -> str:
    at = message.accepted_at
    if at is None:
        return "–"
    told = f"{clock(at, zone)}, {length(at, stop.event.happened_at)} after it came in"
    if stop.changed_at is None:
        return told
    return f"{told}, {'after' if at > stop.changed_at else 'before'} we had read it and stopped"


def _listed(parts: Sequence[str]) -> str:
    more = len(parts) - _LISTED
    told = "; ".join(parts[:_LISTED])
    return f"{told}; and {more} more" if more > 0 else told


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


# the timeline


def told_event(event: EventFacts) -> str:
    """An inbox event: what it was, by whom, and what they wrote."""
    by = f", by {event.actor}" if event.actor else ""
    channel = f" by {CHANNELS.get(event.channel, event.channel)}" if event.channel else ""
    words = f": “{event.text or event.note}”" if event.text or event.note else ""
    return f"{_sentence(EVENTS.get(event.kind, event.kind))}{channel} came in{by}{words}"


def told_entry(follow_up: FollowUpFacts) -> str:
    """A follow-up began."""
    by = f", started by {follow_up.entered_by}" if follow_up.entered_by else ""
    return f"Follow-up {follow_up.id} began: {follow_up.journey} version {follow_up.version}{by}"


def told_end(follow_up: FollowUpFacts) -> str:
    """A follow-up ended, and why."""
    because = why_in_words(follow_up.end_detail)
    return f"Follow-up {follow_up.id} ended as {follow_up.state} at step {follow_up.step}. {because}".strip()


def told_try(attempt: AttemptFacts, message: MessageFacts) -> str:
    """One try and what came of it."""
    if attempt.provider == DESK:
        to = f" to {message.to_address}" if message.to_address else ""
        return f"{_sentence(message_name(message))}{to}: somebody at the front desk made it"
    provider_id = f" as {attempt.provider_id}" if attempt.provider_id else ""
    code = f" ({attempt.code})" if attempt.code else ""
    said = _ANSWERS.get(attempt.answer, attempt.answer)
    to = f" to {message.to_address}" if message.to_address else ""
    told = f"Try {attempt.number} of {message_name(message)}{to} by {attempt.provider}: {said}{provider_id}{code}"
    return f"{told}{_heard_late(attempt, message)}"


def _heard_late(attempt: AttemptFacts, message: MessageFacts) -> str:
    accepted_at, heard_at = message.accepted_at, attempt.answered_at
    if attempt.answer != AttemptAnswer.ACCEPTED.value or accepted_at is None or heard_at is None:
        return ""
    late = heard_at - accepted_at
    return f"; we heard of it {length(heard_at, accepted_at)} later" if late > _AT_ONCE else ""


def told_outcome(message: MessageFacts) -> str:
    """What became of a message that was not accepted, or was heard of again afterwards."""
    name = _sentence(message_name(message))
    outcome = known_outcome(message.reason_code)
    if outcome is not None:
        return f"{name} ended: {OUTCOME_WORDS[outcome]}"
    match message.state:
        case MessageState.CANCELLED.value:
            return f"{name} was cancelled. {why_in_words(message.reason)}".strip()
        case MessageState.FAILED.value:
            return f"{name} failed. {why_in_words(message.reason)}".strip()
        case MessageState.UNDELIVERED.value:
            return f"{name} was not delivered. {why_in_words(message.reason)}".strip()
        case _:
            return f"{name} was delivered"
