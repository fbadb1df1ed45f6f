"""Going live: what has to be there before messages leave this computer, asked of facts; pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from app.domain.connection_words import Connection, connection_words
from app.domain.provider_settings import Providers
from app.domain.reasons import Why
from app.domain.secret import SecretName


class Check(StrEnum):
    """One line of the list, by its word in commands."""

    SENDERS = "senders"
    KEYS = "keys"
    CONNECTIONS = "connections"
    REGISTERED = "registered"
    UNSUBSCRIBE_GROUP = "unsubscribe-group"
    POSTAL_ADDRESS = "postal-address"
    HOURS = "hours"
    ANSWERS = "answers"
    CONSENT = "consent"
    WAITING = "waiting"


@dataclass(frozen=True, slots=True)
class CheckItem:
    """One line of the list. what: its title. told: how it stands. hint: what to do, empty when nothing is.

    required: nothing goes live while it is not ok. asks: nobody here can see it, so that a person says it is so.
    """

    check: Check
    what: str
    ok: bool
    told: str
    hint: str = ""
    required: bool = True
    asks: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """A location, as far as it matters: whether it ever opens, and whether it has an address of its own."""

    name: str
    opens: bool
    address: bool


@dataclass(frozen=True, slots=True)
class Trial:
    """The last test of a connection since its settings or its key changed. why, code: what failed; None: it works."""

    at: datetime
    why: Why | None = None
    code: str = ""


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits as things stand. going: follow-ups under way. due: follow-ups and messages whose time has come.

    in_hand: messages on their way to a provider. without_consent: people under way with a number and no consent to
    marketing texts.
    """

    going: int
    due: int
    in_hand: int
    without_consent: int


@dataclass(frozen=True, slots=True)
class Readiness:
    """Everything the list is asked of. keys: those that there are. keyring: why they can't be read, empty for nothing.

    confirmed: what a person said is so.
    """

    providers: Providers
    keys: Collection[SecretName]
    keyring: str
    trials: Mapping[Connection, Trial]
    address: bool
    places: Sequence[Place]
    waiting: Waiting
    confirmed: Collection[Check] = field(default_factory=tuple)

    @property
    def connections(self) -> tuple[Connection, ...]:
        """Those that are set up."""
        settings = {
            Connection.TWILIO: self.providers.twilio,
            Connection.SENDGRID: self.providers.sendgrid,
            Connection.IMAP: self.providers.imap,
        }
        return tuple(connection for connection in Connection if settings[connection] is not None)


def checklist(seen: Readiness) -> tuple[CheckItem, ...]:
    """Every line that applies to what is set up, in the order in which one goes through them."""
    items = [_senders(seen)]
    if seen.connections:
        items += [_keys(seen), _connections(seen)]
    if seen.providers.twilio is not None:
        items.append(_registered(seen))
    if seen.providers.sendgrid is not None:
        items += [_group(seen), _answers(seen)]
    return (*items, _address(seen), _hours(seen), _consent(seen), _waiting(seen))


def missing(items: Sequence[CheckItem]) -> tuple[CheckItem, ...]:
    """What keeps the practice from going live."""
    return tuple(item for item in items if item.required and not item.ok)


def _senders(seen: Readiness) -> CheckItem:
    carried = [
        *(["texts and calls by Twilio"] if seen.providers.twilio else []),
        *(["email by SendGrid"] if seen.providers.sendgrid else []),
    ]
    if not carried:
        hint = "Fill in Twilio for texts and calls, SendGrid for email, or both."
        return CheckItem(Check.SENDERS, "Somebody carries messages", False, "No provider is set up yet.", hint)
    told = f"Set up: {' and '.join(carried)}."
    left = "email" if seen.providers.sendgrid is None else "texts and calls"
    hint = f"Without a provider {left} will wait." if len(carried) == 1 else ""
    return CheckItem(Check.SENDERS, "Somebody carries messages", True, told, hint)


def _keys(seen: Readiness) -> CheckItem:
    title = "Keys"
    lacking = [each for each in seen.connections if each.secret not in seen.keys]
    if not lacking:
        return CheckItem(Check.KEYS, title, True, "Every connection has its key on this computer.")
    if seen.keyring:
        return CheckItem(Check.KEYS, title, False, seen.keyring, "Mend the keyring, then look again.")
    names = ", ".join(each.secret.value for each in lacking)
    return CheckItem(Check.KEYS, title, False, f"Missing: {names}.", "Give them under Keys and connections.")


def _connections(seen: Readiness) -> CheckItem:
    title = "Connections tested"
    for each in seen.connections:
        trial = seen.trials.get(each)
        if trial is None:
            told = f"{each.called} was not tested since its settings or its key changed."
            return CheckItem(Check.CONNECTIONS, title, False, told, "Test the connection.")
        if trial.why is not None:
            words = connection_words(each, trial.why, trial.code)
            return CheckItem(Check.CONNECTIONS, title, False, words.told, words.hint)
    tested = ", ".join(
        f"{each.called[:1].lower()}{each.called[1:]}" if each is Connection.IMAP else each.called
        for each in seen.connections
    )
    oldest = min(seen.trials[each].at for each in seen.connections)
    return CheckItem(
        Check.CONNECTIONS, title, True, f"Tested and working: {tested}, since {oldest:%Y-%m-%d %H:%M} UTC."
    )


def _registered(seen: Readiness) -> CheckItem:
    title = "Number registered"
    if Check.REGISTERED in seen.confirmed:
        return CheckItem(Check.REGISTERED, title, True, "Said to be registered with the phone companies.", asks=True)
    told = "Texts from a number that is not registered are not delivered, and Stopwell can't see whether yours is."
    hint = "Look in Twilio's console (A2P 10DLC, or toll-free verification), and confirm it here."
    return CheckItem(Check.REGISTERED, title, False, told, hint, asks=True)


def _group(seen: Readiness) -> CheckItem:
    title = "Unsubscribe group"
    if seen.providers.sendgrid is not None and seen.providers.sendgrid.unsubscribe_group is not None:
        told = f"Group {seen.providers.sendgrid.unsubscribe_group} takes whoever wants no more email."
        return CheckItem(Check.UNSUBSCRIBE_GROUP, title, True, told)
    told = "Without one nobody could leave, so marketing email would be held."
    hint = "Make one at SendGrid, under Suppressions, Unsubscribe Groups, and save its number."
    return CheckItem(Check.UNSUBSCRIBE_GROUP, title, False, told, hint)


def _answers(seen: Readiness) -> CheckItem:
    title = "Answers to email"
    if seen.providers.imap is not None:
        return CheckItem(Check.ANSWERS, title, True, "The mailbox that answers come to is read.")
    told = "No mailbox is set up, so an answer to an email would stop nothing."
    return CheckItem(Check.ANSWERS, title, False, told, "Fill in the mailbox that answers come to.")


def _address(seen: Readiness) -> CheckItem:
    title = "Postal address"
    without = [place.name for place in seen.places if not place.address]
    if seen.address or (seen.places and not without):
        return CheckItem(Check.POSTAL_ADDRESS, title, True, "It stands in every marketing email.")
    told = "There is none, and a marketing email has to name one."
    required = seen.providers.sendgrid is not None
    return CheckItem(Check.POSTAL_ADDRESS, title, False, told, "Write it into the practice's document.", required)


def _hours(seen: Readiness) -> CheckItem:
    title = "Opening hours"
    shut = [place.name for place in seen.places if not place.opens]
    if seen.places and not shut:
        many = "location has" if len(seen.places) == 1 else "locations have"
        return CheckItem(Check.HOURS, title, True, f"{len(seen.places)} {many} opening hours.")
    told = f"Never open: {', '.join(shut)}." if shut else "There is no location."
    return CheckItem(Check.HOURS, title, False, told, "Give each location its opening hours: messages go out in them.")


def _consent(seen: Readiness) -> CheckItem:
    title = "Consent"
    count = seen.waiting.without_consent
    if count == 0:
        return CheckItem(Check.CONSENT, title, True, "Everybody under way may be texted.", required=False)
    who = "1 person" if count == 1 else f"{count:,} people"
    told = f"{who} under way with a number and no consent to marketing texts: those texts are held."
    hint = "Record how and when they agreed; nothing has to be done for email and for care."
    return CheckItem(Check.CONSENT, title, False, told, hint, required=False)


def _waiting(seen: Readiness) -> CheckItem:
    going, due = seen.waiting.going, seen.waiting.due
    if going == 0 and due == 0:
        return CheckItem(Check.WAITING, "What goes out first", True, "Nothing waits.", required=False)
    told = f"{going:,} under way; {due:,} due now would go out at once, within hours and caps."
    hint = "Look at the queue first: from then on real people get it." if due else ""
    return CheckItem(Check.WAITING, "What goes out first", True, told, hint, required=False)
