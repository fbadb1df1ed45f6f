"""Automated calls through Twilio: dials, speaks the script to whoever or whatever answers, tells how it ended.

Words are spoken after a machine's greeting; what is said can't hang on who answers (PROVIDERS.md section 7).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from app.domain.answer import Accepted, Answer, Health, LookUp, Permanent, Unknown
from app.domain.call_outcome import CallOutcome
from app.domain.clock import Clock
from app.domain.delivery_status import CallEnded, DeliveryStatus, NotYet
from app.domain.provider_settings import Twilio
from app.domain.reasons import Why
from app.domain.secret import Secret
from app.domain.states import Channel
from app.engine.ports import AcceptedNote, AttemptNote
from app.providers.twilio_account import test_account
from app.providers.twilio_client import Limits, Line, Told
from app.providers.twilio_codes import answer_to_create
from app.providers.twilio_finding import find
from app.providers.twilio_following import follow
from app.providers.twilio_lists import Listed, Row, row_of

LONGEST_TWIML: Final = 4_000
RINGS_S: Final = 25
LASTS_S: Final = 300  # longer than any script is spoken; a machine that never hangs up is not paid for longer
TOO_LONG: Final = "script too long"
_HUMAN: Final = "human"
_FAX: Final = "fax"


class TwilioCalls:
    """Sender and Follower for calls that are made by themselves."""

    name = "twilio-voice"
    channels = frozenset({Channel.CALL})
    rate: float | None = 1.0  # Twilio begins one call a second and queues the rest

    def __init__(self, account: Twilio, token: Secret, clock: Clock, limits: Limits | None = None) -> None:
        """limits: of time, those of the ports when not given."""
        self._account = account
        self._clock = clock
        self._line = Line(account, token, clock, limits)

    def send(self, note: AttemptNote) -> Answer:
        """Have one call made."""
        spoken = twiml_of(note.body)
        if len(spoken) > LONGEST_TWIML:
            return Permanent(Why.REFUSED, TOO_LONG)
        given: dict[str, object] = {
            "to": note.to,
            "from_": self._account.sender,
            "twiml": spoken,
            "timeout": RINGS_S,
            "time_limit": LASTS_S,
            "machine_detection": "DetectMessageEnd",
        }
        told = self._line.ask(lambda api: api.calls.create(**given))
        if not isinstance(told, Told):
            return answer_to_create(told)
        row = row_of(told.value, Listed.CALLS)
        if not row.sid:
            return Unknown(Why.NO_ANSWER, "no id")
        return Accepted(row.sid, row.created or told.at or self._clock.now())

    def find(self, note: AttemptNote) -> LookUp:
        """Whether Twilio has this attempt's call: the same numbers and time. Calls have no words to compare."""
        return find(self._line, self._account, self._clock, note, Listed.CALLS, lambda _row: True)

    def statuses(self, notes: Sequence[AcceptedNote]) -> Mapping[str, DeliveryStatus]:
        """How these calls ended, by the key of each, as far as could be asked in the time there is."""
        return follow(self._line, notes, Listed.CALLS, lambda row: call_status_of(row, self._clock.now()))

    def test(self) -> Health:
        """Whether the account works and the number may call."""
        return test_account(self._line, self._account, "voice")


def twiml_of(script: str) -> str:
    """The script as Twilio speaks it, a breath between its lines. Names and signs are escaped."""
    from twilio.twiml.voice_response import VoiceResponse

    response: Any = VoiceResponse()
    for number, line in enumerate(filter(None, (line.strip() for line in script.splitlines()))):
        if number:
            response.pause(length=1)
        response.say(line)
    return str(response)


def call_status_of(row: Row, now: datetime) -> DeliveryStatus:
    """What a call's row says. Who answered an answered call is Twilio's guess, right in about nine of ten."""
    at = row.updated or now
    match row.status:
        case "completed":
            return _answered(row, at)
        case "busy" | "no-answer" | "canceled":
            return CallEnded(CallOutcome.NO_ANSWER, at, row.status)
        case "failed":
            return CallEnded(CallOutcome.DISCONNECTED, at, row.status, unsure=True)
        case _:
            return NotYet()


def _answered(row: Row, at: datetime) -> CallEnded:
    by = row.answered_by
    if by == _HUMAN:
        return CallEnded(CallOutcome.REACHED, at, by)
    if by.startswith("machine"):
        return CallEnded(CallOutcome.VOICEMAIL, at, by)
    # something took the call: a person may have heard it all
    return CallEnded(CallOutcome.NO_ANSWER, at, by or "completed", unsure=by != _FAX)
