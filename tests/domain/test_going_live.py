"""What has to be there before messages leave this computer."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from app.domain.connection_words import Connection
from app.domain.going_live import Check, Place, Readiness, Trial, Waiting, checklist, missing
from app.domain.provider_settings import Imap, Providers, Sendgrid, Twilio
from app.domain.reasons import Why
from app.domain.secret import SecretName

AT = datetime(2027, 1, 11, 18, 42, tzinfo=UTC)
READY = Readiness(
    providers=Providers(
        Twilio("AC01", "+15035550100", ""),
        Sendgrid("desk@example.com", "Desk", "", unsubscribe_group=4711),
        Imap("imap.example.com", "desk", 993, "INBOX", True),
    ),
    keys=tuple(SecretName),
    keyring="",
    trials=dict.fromkeys(Connection, Trial(AT)),
    address=True,
    places=(Place("Portland", opens=True, address=False),),
    waiting=Waiting(going=12, due=3, in_hand=0, without_consent=0),
    confirmed=(Check.REGISTERED,),
)
EMAIL_ONLY = replace(READY, providers=replace(READY.providers, twilio=None))
TEXTS_ONLY = replace(READY, providers=Providers(twilio=READY.providers.twilio))


def lacking(seen: Readiness) -> list[str]:
    return [item.check.value for item in missing(checklist(seen))]


@pytest.mark.parametrize("seen", [READY, EMAIL_ONLY, TEXTS_ONLY, replace(TEXTS_ONLY, address=False)])
def test_with_everything_there_nothing_is_missing(seen: Readiness) -> None:
    assert lacking(seen) == []


@pytest.mark.parametrize(
    ("seen", "names"),
    [
        (replace(READY, providers=Providers()), ["senders"]),
        (replace(READY, keys=()), ["keys"]),
        (replace(READY, trials={}), ["connections"]),
        (replace(READY, trials={**READY.trials, Connection.IMAP: Trial(AT, Why.OFFLINE)}), ["connections"]),
        (replace(READY, confirmed=()), ["registered"]),
        (replace(EMAIL_ONLY, confirmed=()), []),
        (
            replace(READY, providers=replace(READY.providers, sendgrid=Sendgrid("d@example.com", "D", ""))),
            ["unsubscribe-group"],
        ),
        (replace(READY, providers=replace(READY.providers, imap=None)), ["answers"]),
        (replace(READY, address=False), ["postal-address"]),
        (replace(READY, places=()), ["hours"]),
        (replace(READY, places=(Place("Bend", opens=False, address=True),)), ["hours"]),
    ],
)
def test_each_thing_that_is_missing_is_named(seen: Readiness, names: list[str]) -> None:
    assert lacking(seen) == names
    assert all(item.told and item.hint for item in missing(checklist(seen)))


def test_a_location_s_own_address_is_enough() -> None:
    places = (Place("Portland", opens=True, address=True), Place("Bend", opens=True, address=True))
    assert lacking(replace(READY, address=False, places=places)) == []


def test_how_many_would_get_something_at_once_is_told() -> None:
    [item] = [item for item in checklist(READY) if item.check is Check.WAITING]
    assert item.told == "12 under way; 3 due now would go out at once, within hours and caps."


def test_missing_consent_is_told_and_keeps_nobody_from_going_live() -> None:
    seen = replace(READY, waiting=replace(READY.waiting, without_consent=1200))
    [item] = [item for item in checklist(seen) if item.check is Check.CONSENT]
    assert "1,200 people under way" in item.told
    assert lacking(seen) == []


def test_a_keyring_that_can_not_be_read_is_told_as_that() -> None:
    [item] = missing(checklist(replace(READY, keys=(), keyring="The keyring of this computer is locked.")))
    assert item.told == "The keyring of this computer is locked."
