"""Texts through Twilio: hands over, looks up, follows. It decides nothing about a message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from app.domain.answer import Accepted, Answer, Health, LookUp, Unknown
from app.domain.clock import Clock
from app.domain.delivery_status import Delivered, DeliveryStatus, NotYet
from app.domain.provider_settings import Twilio
from app.domain.reasons import Why
from app.domain.secret import Secret
from app.domain.states import Channel
from app.engine.ports import AcceptedNote, AttemptNote
from app.providers.twilio_account import test_account
from app.providers.twilio_client import Limits, Line, Told
from app.providers.twilio_codes import answer_to_create, undelivered
from app.providers.twilio_finding import find
from app.providers.twilio_following import follow
from app.providers.twilio_lists import Listed, Row, row_of
from app.providers.twilio_matching import same_words

# what Twilio takes as a life time: from one second to ten hours
SHORTEST_S: Final = 1
LONGEST_S: Final = 36_000
_ARRIVED: Final = frozenset({"delivered", "read"})
_LOST: Final = frozenset({"undelivered", "failed", "canceled"})


class TwilioTexts:
    """Sender and Follower for texts."""

    name = "twilio"
    channels = frozenset({Channel.SMS})
    rate: float | None = 1.0  # a long number sends one segment a second; Twilio would queue the rest

    def __init__(self, account: Twilio, token: Secret, clock: Clock, limits: Limits | None = None) -> None:
        """limits: of time, those of the ports when not given."""
        self._account = account
        self._clock = clock
        self._line = Line(account, token, clock, limits)

    def send(self, note: AttemptNote) -> Answer:
        """Hand one text over, with the time within which it may still arrive (RULES F10)."""
        given: dict[str, object] = {"to": note.to, "body": note.body}
        if self._account.messaging_service_sid:
            given["messaging_service_sid"] = self._account.messaging_service_sid
        else:
            given["from_"] = self._account.sender
        if note.valid_until is not None:
            given["validity_period"] = life_time_s(note.valid_until - self._clock.now())
        told = self._line.ask(lambda api: api.messages.create(**given))
        if not isinstance(told, Told):
            return answer_to_create(told)
        row = row_of(told.value, Listed.TEXTS)
        if not row.sid:
            return Unknown(Why.NO_ANSWER, "no id")
        return Accepted(row.sid, row.created or told.at or self._clock.now())

    def find(self, note: AttemptNote) -> LookUp:
        """Whether Twilio has this attempt's text: the same numbers, time and words."""
        return find(
            self._line, self._account, self._clock, note, Listed.TEXTS, lambda row: same_words(row.body, note.body)
        )

    def statuses(self, notes: Sequence[AcceptedNote]) -> Mapping[str, DeliveryStatus]:
        """What became of these texts, by the key of each, as far as could be asked in the time there is."""
        return follow(self._line, notes, Listed.TEXTS, lambda row: status_of(row, self._clock.now()))

    def test(self) -> Health:
        """Whether the account works and the number may send texts."""
        return test_account(self._line, self._account, "sms")


def life_time_s(left: timedelta) -> int:
    """The whole seconds for which Twilio may keep a text in its queue."""
    return min(max(int(left.total_seconds()), SHORTEST_S), LONGEST_S)


def status_of(row: Row, now: datetime) -> DeliveryStatus:
    """What a text's row says. `sent` can be the last there ever is: not every carrier reports back."""
    at = row.updated or now
    if row.status in _ARRIVED:
        return Delivered(at, _billed(row))
    if row.status in _LOST:
        return undelivered(row.error_code, row.status, at, _billed(row))
    return NotYet()


def _billed(row: Row) -> Mapping[str, str]:
    told = {"segments": row.segments, "price": row.price, "currency": row.currency if row.price else ""}
    return {name: value for name, value in told.items() if value and value != "0"}
