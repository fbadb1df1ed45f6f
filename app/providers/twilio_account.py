"""Asks Twilio about itself: whether the account works, and whether our number may do what it is for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from app.domain.answer import Health, Outage, Works
from app.domain.provider_settings import Twilio
from app.domain.reasons import Why
from app.providers.twilio_answers import Failed, Refused
from app.providers.twilio_client import Line, Told
from app.providers.twilio_codes import outage_of

ACTIVE: Final = "active"
_PAGE: Final = 1000  # all numbers of an office in one page


def test_account(line: Line, account: Twilio, ability: str) -> Health:
    """Works, or what is wrong with the account, the key or the number. ability: `sms` or `voice`.

    A standard API key may send and list, but not read the account: it is asked for a list before it is called wrong.
    """
    with line.within():
        told = line.ask(lambda api: api.api.accounts(account.account_sid).fetch())
        if isinstance(told, Refused) and told.status in (401, 403) and account.api_key_sid:
            told = line.ask(lambda api: api.messages.list(limit=1, page_size=1))
        elif isinstance(told, Told) and getattr(told.value, "status", ACTIVE) != ACTIVE:
            return Outage(Why.ACCOUNT_SUSPENDED, _word(getattr(told.value, "status", "")))
        if not isinstance(told, Told):
            return outage_of(told)
        return _number(line, account, ability)


def numbers(line: Line) -> Sequence[Any] | Failed:
    """The account's own numbers, as the client gives them."""
    told = line.ask(lambda api: api.incoming_phone_numbers.list(page_size=_PAGE))
    return told.value if isinstance(told, Told) else told


def _number(line: Line, account: Twilio, ability: str) -> Health:
    """Whether the sender's number is there and able. A service picks its own number, and a short code is not listed."""
    if not account.sender.startswith("+") or (ability == "sms" and account.messaging_service_sid):
        return Works()
    found = numbers(line)
    if isinstance(found, Failed):
        return outage_of(found)
    for each in found:
        if getattr(each, "phone_number", None) == account.sender:
            able = getattr(each, "capabilities", None)
            can = able.get(ability) if isinstance(able, dict) else None
            return Outage(Why.NUMBER_NOT_OURS, f"no {ability}") if can is False else Works()
    return Outage(Why.NUMBER_NOT_OURS, "not in the account")


def _word(status: object) -> str:
    return status if isinstance(status, str) and status.isalpha() else "not active"
