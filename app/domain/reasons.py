"""Every reason that staff can meet: why something is held, ended, cancelled, refused or on the problem list.

A reason without a sentence can't exist: a test checks SENTENCES against Why. Places in braces are filled by name.
The window translates these sentences (ui/words.py); the command line prints them as they stand.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Why(StrEnum):
    """One reason, by its constant name in the database and the log."""

    # holds
    CLOCK_MOVED = "clock_moved"
    SENDING_PAUSED = "sending_paused"
    PAUSED_BY_STAFF = "paused_by_staff"
    WITH_STAFF = "with_staff"
    NO_CONSENT = "no_consent"
    CLINIC_CLOSED = "clinic_closed"
    NEVER_OPEN = "never_open"
    QUIET_HOURS = "quiet_hours"
    ZONE_UNKNOWN = "zone_unknown"
    NEVER_LEGAL = "never_legal"
    RULES_UNREADABLE = "rules_unreadable"
    PHONE_CAP = "phone_cap"
    DAY_CAP = "day_cap"
    WEEK_CAP = "week_cap"
    CHANNEL_PAUSED = "channel_paused"
    EMPTY_VALUE = "empty_value"
    TEMPLATE_BROKEN = "template_broken"
    MESSAGE_IN_HAND = "message_in_hand"
    OVERDUE = "overdue"
    ONE_AT_A_TIME = "one_at_a_time"
    TROUBLE = "trouble"
    NO_UNSUBSCRIBE_GROUP = "no_unsubscribe_group"
    ANSWERS_UNREAD = "answers_unread"
    TRY_AGAIN = "try_again"
    CHECKING = "checking"
    CALL_LIST = "call_list"
    # ends
    REPLY = "reply"
    GOAL = "goal"
    OPT_OUT = "opt_out"
    COMPLAINT = "complaint"
    LAST_STEP = "last_step"
    HARD_BOUNCE = "hard_bounce"
    DISCONNECTED = "disconnected"
    INVALID_ADDRESS = "invalid_address"
    NO_ADDRESS = "no_address"
    ON_DO_NOT_CONTACT_LIST = "on_do_not_contact_list"
    DO_NOT_CONTACT = "do_not_contact"
    DELIVERY_FAILED = "delivery_failed"
    DUPLICATE_PERSON = "duplicate_person"
    STAFF_STOP = "staff_stop"
    SHARED_ADDRESS = "shared_address"
    UNREACHABLE = "unreachable"
    NO_LONGER_TRUE = "no_longer_true"
    JOURNEY_RETIRED = "journey_retired"
    JOURNEY_END = "journey_end"
    EXPIRED = "expired"
    BUDGET_SPENT = "budget_spent"
    ALREADY_SENT = "already_sent"
    IMPORT_UNDONE = "import_undone"
    SKIPPED_BY_STAFF = "skipped_by_staff"
    # messages that do not go
    NO_LONGER_USEFUL = "no_longer_useful"
    FOLLOW_UP_ENDED = "follow_up_ended"
    STOPPED_BEFORE_CALL = "stopped_before_call"
    NOTE_TOO_OLD = "note_too_old"
    NO_LAST_LOOK = "no_last_look"
    ADDRESS_SKIPPED = "address_skipped"
    # answers of providers
    OFFLINE = "offline"
    BAD_CREDENTIALS = "bad_credentials"
    NO_ANSWER = "no_answer"
    REFUSED = "refused"
    BUSY = "busy"
    SENDER_NOT_VERIFIED = "sender_not_verified"
    KEY_TOO_NARROW = "key_too_narrow"
    NO_CREDIT = "no_credit"
    ACCOUNT_SUSPENDED = "account_suspended"
    ACCOUNT_LIMITED = "account_limited"
    NUMBER_NOT_OURS = "number_not_ours"
    NUMBER_NOT_REGISTERED = "number_not_registered"
    CERTIFICATE_WRONG = "certificate_wrong"
    NO_PROVIDER = "no_provider"
    NO_KEY = "no_key"
    NO_KEYRING = "no_keyring"
    NOT_AT_PROVIDER = "not_at_provider"
    UNDELIVERED = "undelivered"
    NOBODY_ANSWERED = "nobody_answered"
    NO_OUTCOME = "no_outcome"
    NUMBER_DOUBTED = "number_doubted"
    ASK_FOR_START = "ask_for_start"
    # inbound
    UNMATCHED = "unmatched"
    WHOSE_REPLY = "whose_reply"
    OTHER_TEXT = "other_text"
    NEEDS_A_LOOK = "needs_a_look"
    UNREADABLE = "unreadable"
    SOURCE_UNREAD = "source_unread"
    RECEIVER_SILENT = "receiver_silent"
    # groups
    GROUP_UNREADABLE = "group_unreadable"


SENTENCES: Mapping[Why, str] = {
    Why.CLOCK_MOVED: "The computer's clock moved; sending is paused until it is right again or someone has looked.",
    Why.SENDING_PAUSED: "All sending is paused.",
    Why.PAUSED_BY_STAFF: "Paused by {by}.",
    Why.WITH_STAFF: "With staff until marked handled.",
    Why.NO_CONSENT: "No consent recorded for marketing by {channel}.",
    Why.CLINIC_CLOSED: "Opens {until}: the clinic is closed.",
    Why.NEVER_OPEN: "{location} has no opening hours in the next year.",
    Why.QUIET_HOURS: "Legal hours from {until}.",
    Why.ZONE_UNKNOWN: "Set their time zone: their number leaves no hour that is legal wherever they may be.",
    Why.NEVER_LEGAL: "The hours of {location} and the legal hours there have none in common in 30 days.",
    Why.RULES_UNREADABLE: "The rules of legal hours can't be read: no text and no call goes out.",
    Why.PHONE_CAP: "Had {count} texts and calls in 24 hours, the most that is legal.",
    Why.DAY_CAP: "Had {count} today, the most a day.",
    Why.WEEK_CAP: "Had {count} this week, the most a week.",
    Why.CHANNEL_PAUSED: "{channel} is paused: {because}.",
    Why.EMPTY_VALUE: "{name} is empty.",
    Why.TEMPLATE_BROKEN: "The template {name} can't be filled in: {because}.",
    Why.MESSAGE_IN_HAND: "Its message is still on its way.",
    Why.OVERDUE: "Overdue since {since}: staff decide.",
    Why.ONE_AT_A_TIME: "Waits until {journey} has ended.",
    Why.TROUBLE: "Something went wrong here; it is on the problem list.",
    Why.NO_UNSUBSCRIBE_GROUP: "Marketing email waits: it has no unsubscribe group at the provider yet.",
    Why.ANSWERS_UNREAD: "They may have answered: nothing new was read from {provider} since {last_read}.",
    Why.TRY_AGAIN: "Try {number} of 3 at {until}: {because}.",
    Why.CHECKING: "Asking the provider whether it went out.",
    Why.CALL_LIST: "On the call list: somebody rings them.",
    Why.REPLY: "They replied.",
    Why.GOAL: "The goal was reached.",
    Why.OPT_OUT: "They asked not to be contacted.",
    Why.COMPLAINT: "They reported a message as spam.",
    Why.LAST_STEP: "Everything was said and nothing came back.",
    Why.HARD_BOUNCE: "The address does not exist.",
    Why.DISCONNECTED: "The number is disconnected or belongs to someone else.",
    Why.INVALID_ADDRESS: "The provider refuses the address.",
    Why.NO_ADDRESS: "There is no address for {channel}.",
    Why.ON_DO_NOT_CONTACT_LIST: "The address is on the do-not-contact list.",
    Why.DO_NOT_CONTACT: "They are not to be contacted at all.",
    Why.DELIVERY_FAILED: "Three tries failed.",
    Why.DUPLICATE_PERSON: "The same person is here twice.",
    Why.STAFF_STOP: "{by} pressed Stop.",
    Why.SHARED_ADDRESS: "Somebody else with this address asked not to be contacted on it.",
    Why.UNREACHABLE: "Three messages in a row could not be delivered to this address.",
    Why.NO_LONGER_TRUE: "The reason for following up is no longer true.",
    Why.JOURNEY_RETIRED: "The journey was retired.",
    Why.JOURNEY_END: "The journey ends here.",
    Why.EXPIRED: "Older than the journey's proven length.",
    Why.BUDGET_SPENT: "The journey's proven most was reached.",
    Why.ALREADY_SENT: "This step was said already.",
    Why.IMPORT_UNDONE: "The import that brought them was taken back.",
    Why.SKIPPED_BY_STAFF: "Staff skipped this step.",
    Why.NO_LONGER_USEFUL: "Too late to be useful.",
    Why.FOLLOW_UP_ENDED: "The follow-up had ended.",
    Why.STOPPED_BEFORE_CALL: "A stop came before it was handed over.",
    Why.NOTE_TOO_OLD: "The computer slept before it was handed over.",
    Why.NO_LAST_LOOK: "The database was away before it was handed over.",
    Why.ADDRESS_SKIPPED: "Skipped: no usable address for {channel}.",
    Why.OFFLINE: "There is no connection to {provider}.",
    Why.BAD_CREDENTIALS: "{provider} refuses the password.",
    Why.NO_ANSWER: "{provider} did not answer.",
    Why.REFUSED: "{provider} refused it ({code}).",
    Why.BUSY: "{provider} asks to wait.",
    Why.SENDER_NOT_VERIFIED: "{provider} does not know the sender's address as yours.",
    Why.KEY_TOO_NARROW: "The key for {provider} lacks a right that it needs.",
    Why.NO_CREDIT: "The account at {provider} has no credit left.",
    Why.ACCOUNT_SUSPENDED: "The account at {provider} is suspended or closed.",
    Why.ACCOUNT_LIMITED: "The account at {provider} may not reach this number: on trial, or shut for its country.",
    Why.NUMBER_NOT_OURS: "{provider} lets nothing go from the sender's number.",
    Why.NUMBER_NOT_REGISTERED: "The sender's number is not registered with the phone companies yet.",
    Why.CERTIFICATE_WRONG: "{provider} can't be reached safely: its certificate is not right.",
    Why.NO_PROVIDER: "Nobody is set up to carry it.",
    Why.NO_KEY: "{provider} has no key on this computer.",
    Why.NO_KEYRING: "The keyring of this computer can't be read, and the key of {provider} is in it.",
    Why.NOT_AT_PROVIDER: "{provider} never had it.",
    Why.UNDELIVERED: "{provider} accepted it and could not deliver it ({code}).",
    Why.NOBODY_ANSWERED: "Nobody answered.",
    Why.NO_OUTCOME: "{provider} did not say how the call ended: it counts as not answered.",
    Why.NUMBER_DOUBTED: "The call could not be connected: the number may be wrong.",
    Why.ASK_FOR_START: "The provider still blocks this number: ask them to text START to {number}.",
    Why.UNMATCHED: "Nobody here has this address.",
    Why.WHOSE_REPLY: "Several people here have the address that it came from: say whose it is.",
    Why.OTHER_TEXT: "{source} sent another text under the same id; both are kept.",
    Why.UNREADABLE: "Something came in from {provider} that could not be read; it is kept as it is.",
    Why.RECEIVER_SILENT: "The receiver hears nobody: {because}.",
    Why.GROUP_UNREADABLE: "The group {group} brings nobody in: {because}.",
    Why.SOURCE_UNREAD: "Nothing new can be read from {provider}: {because}.",
    Why.NEEDS_A_LOOK: "They wrote something that a person has to read; nothing is sent to them.",
}


# what is said instead when there is this fact
_MORE: Mapping[tuple[Why, str], str] = {
    (Why.CLINIC_CLOSED, "closure"): "Opens {until}: the clinic is closed on {closure}.",
}


def told(why: Why, facts: Mapping[str, object] | None = None) -> str:
    """The sentence of `why` with its places filled; a place without a fact is shown as a dash, never as a fault."""
    sentence = _filled(why, facts or {})
    return f"{sentence[:1].upper()}{sentence[1:]}" if _begins_with_provider(why) else sentence


def told_inside(why: Why, facts: Mapping[str, object] | None = None) -> str:
    """The sentence of `why` as a part of another: without its full stop, and small unless it begins with a name."""
    sentence = _filled(why, facts or {}).rstrip(".")
    return sentence if _begins_with_provider(why) else f"{sentence[:1].lower()}{sentence[1:]}"


def provider_words(name: str) -> str:
    """A provider's name as it stands within a sentence; one that is not known as it is."""
    return _PROVIDERS.get(name, name)


_PROVIDERS: Mapping[str, str] = {
    "practice": "the practice phone",
    "desk": "the front desk",
    "twilio": "Twilio",
    "twilio-voice": "Twilio",
    "sendgrid": "SendGrid",
    "imap": "the mailbox",
    "lead-form": "the lead form",
}


def _begins_with_provider(why: Why) -> bool:
    return SENTENCES[why].startswith("{provider}")


def _filled(why: Why, facts: Mapping[str, object]) -> str:
    more = next((sentence for (of, fact), sentence in _MORE.items() if of is why and fact in facts), None)
    provider = facts.get("provider")
    named = {**facts, "provider": provider_words(provider)} if isinstance(provider, str) else facts
    return (more or SENTENCES[why]).format_map(_Dashes(named))


class _Dashes(dict[str, object]):
    def __missing__(self, _key: str) -> str:
        return "–"
