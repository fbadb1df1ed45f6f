"""What to do about each thing on the problem list, in one sentence, and the command that does it.

A test finds every reason that is ever put on the list, and asks for its remedy here. Places in braces are filled by
name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from app.domain.reasons import Why

# by the reason's own word: a reason may be told of here before anything puts it on the list
_SENTENCES: Final[Mapping[str, str]] = {
    "account_limited": "Upgrade the account at the provider or open the country there, then try the channel.",
    "account_suspended": "Ask the provider what is the matter with the account, then try the channel.",
    "already_sent": "Nothing has to be sent again: the provider had it after all. Look whether they got it once.",
    "ask_for_start": "Ask them to text START to the number, for nobody else can lift what the provider blocks.",
    "answers_unread": "Mend what keeps answers from being read; what waits goes out then.",
    "bad_credentials": "Give the provider's present key or password, then try the channel.",
    "certificate_wrong": "Set this computer's date right and look who listens in on its network, then try the channel.",
    "channel_paused": "Look at what the provider says, mend it there, then try the channel; what waits goes out then.",
    "clock_moved": "Set the computer's clock right, then let sending go on.",
    "complaint": "Nothing has to be done: they get no more of it.",
    "delivery_failed": "Look whether the address is right, then write or call them by another way.",
    "disconnected": "Ask for their present number by email, and put it in with an import.",
    "do_not_contact": "Nothing has to be done: they are not contacted any more.",
    "duplicate_person": "Keep one of the two, and mark the other as lost.",
    "empty_value": "Fill in {name} for this person, or publish the template without it; the message goes out then.",
    "expired": "Look what held it for so long, and start them again if they still should hear from you.",
    "group_unreadable": "Write its rule anew and apply it; what changed about people meanwhile is looked at then.",
    "hard_bounce": "Ask for their present email by phone, and put it in with an import.",
    "invalid_address": "Correct the address with an import; to go on, start them again.",
    "key_too_narrow": "Give the key the right that it lacks, or make a new one with it; then try the channel.",
    "needs_a_look": "Read what they wrote and answer them; then mark it as handled.",
    "no_outcome": "Ask them, or look at the provider, whether the call reached them.",
    "number_doubted": "Look whether the number is right; call it yourself, or ask for their number by email.",
    "never_legal": "Widen the location's opening hours, or write to them by email.",
    "never_open": "Give the location opening hours; what waits goes out in the first of them.",
    "no_address": "Put in an address for this channel with an import.",
    "no_answer": "Ask them, or the provider, whether it arrived before you write again.",
    "no_consent": "Ask how and when they agreed and record it, or let the message go by stopping the follow-up.",
    "no_credit": "Pay the provider or raise the plan, then try the channel.",
    "no_key": "Give its key under Keys and connections, or by stopwell keys set; what waits goes out then.",
    "no_keyring": "Unlock or install the keyring, then try the channel; what waits goes out then.",
    "no_provider": "Set up a provider for it under Senders, or go back to practice mode; what waits goes out then.",
    "no_unsubscribe_group": "Make an unsubscribe group at the provider and save its number; what waits goes then.",
    "not_at_provider": "Nothing has to be done: it is tried again by itself.",
    "number_not_ours": "Look in the settings whether the sender's number is right, then try the channel.",
    "number_not_registered": "Register the number at the provider; once that is through, try the channel.",
    "offline": "Look whether this computer is on the network, then try the channel.",
    "on_do_not_contact_list": "Nothing has to be done: the address is not contacted any more.",
    "opt_out": "Nothing has to be done: they asked not to be contacted, and are not.",
    "other_text": "Read both texts and say which one counts.",
    "overdue": "Decide for each: send it, skip it, or give it another time.",
    "receiver_silent": "Give the receiver a port that is free, then close Stopwell and open it again.",
    "refused": "Look up the provider's code {code}, and write or call them by another way.",
    "rules_unreadable": "Mend rules.yaml in the data folder or take it away; without one, install Stopwell again.",
    "sender_not_verified": "Verify the sender's address or its domain at the provider, then try the channel.",
    "shared_address": "Ask which of them may be contacted there, and give the other an address of their own.",
    "source_unread": "Look at what it says and mend it there; what came in meanwhile is read then.",
    "template_broken": "Correct the template {name} and publish the journey again; the message goes out then.",
    "trouble": "Mend what it says; it is tried again every hour by itself, or stop the follow-up.",
    "undelivered": "Look whether the address is right, then write or call them by another way.",
    "unreachable": "Ask for their present email by phone, and put it in with an import.",
    "unreadable": "Look at it where it came in, then say whose it is, or that it is nobody's.",
    "unmatched": "Say whose it is, or that it is nobody's.",
    "whose_reply": "Say which of them it is from.",
    "zone_unknown": "Set their time zone, so that their legal hours are known; what waits goes out in them.",
}
_OF_OUTAGE: Final = frozenset(
    {Why.BAD_CREDENTIALS, Why.OFFLINE, Why.CERTIFICATE_WRONG}
    | {Why.KEY_TOO_NARROW, Why.NO_CREDIT, Why.SENDER_NOT_VERIFIED}
    | {Why.ACCOUNT_LIMITED, Why.ACCOUNT_SUSPENDED, Why.NUMBER_NOT_OURS, Why.NUMBER_NOT_REGISTERED}
    | {Why.NO_KEY, Why.NO_KEYRING, Why.NO_PROVIDER}
)

_COMMANDS: Final[Mapping[str, str]] = {
    "already_sent": "stopwell why {message}",
    "channel_paused": "stopwell try-channel {channel}",
    "clock_moved": "stopwell unpause",
    "delivery_failed": "stopwell why {message}",
    "disconnected": "stopwell import people FILE",
    "empty_value": "stopwell import people FILE",
    "expired": "stopwell person {person}",
    "group_unreadable": "stopwell apply FILE",
    "hard_bounce": "stopwell import people FILE",
    "invalid_address": "stopwell import people FILE",
    "needs_a_look": "stopwell handled --person {person}",
    "no_outcome": "stopwell why {message}",
    "number_doubted": "stopwell person {person}",
    "never_legal": "stopwell apply FILE",
    "never_open": "stopwell apply FILE",
    "no_address": "stopwell import people FILE",
    "no_answer": "stopwell why {message}",
    "no_consent": 'stopwell consent give --person REF --channel sms --way paper --evidence "where it is kept"',
    "no_unsubscribe_group": "stopwell apply FILE",
    "overdue": "stopwell overdue",
    "refused": "stopwell why {message}",
    "source_unread": "stopwell sources",
    "unreachable": "stopwell import people FILE",
    "unreadable": "stopwell unmatched",
    "template_broken": "stopwell apply FILE",
    "undelivered": "stopwell why {message}",
    "zone_unknown": "stopwell person {person} --zone ZONE",
    "unmatched": "stopwell unmatched",
    "whose_reply": "stopwell unmatched",
}
_LOOK_AT_PERSON: Final = "stopwell person {person}"
_LOOK_AT_ALL: Final = "stopwell doctor"


def has_remedy(why: Why) -> bool:
    """Whether there is a sentence of its own for `why`."""
    return why.value in _SENTENCES


def remedy(why: Why, facts: Mapping[str, object] | None = None) -> str:
    """What to do about it, one or two short sentences.

    A channel that rests is told by what made it rest. For a reason that is never on the list: to look, and decide.
    """
    given = facts or {}
    because = given.get("because")
    if why is Why.CHANNEL_PAUSED and because in _OF_OUTAGE:
        why = Why(str(because))
    sentence = _SENTENCES.get(why.value, "Look at it, and decide what comes next.")
    return sentence.format_map(_Named(given))


def command(why: Why, person: int | None, message: int | None, facts: Mapping[str, object] | None = None) -> str:
    """The command that mends it, or shows what it is about. person, message: ids that the problem names."""
    line = _COMMANDS.get(why.value, _LOOK_AT_PERSON)
    ids = {"person": person, "message": message, "channel": (facts or {}).get("channel")}
    if any(f"{{{name}}}" in line and number is None for name, number in ids.items()):
        line = _LOOK_AT_PERSON if person is not None else _LOOK_AT_ALL
    return line.format(**ids)


class _Named(dict[str, object]):
    """A place without a fact reads as the thing itself: `the template` rather than a gap."""

    def __missing__(self, key: str) -> str:
        return {"name": "what is missing", "code": ""}.get(key, "–")
