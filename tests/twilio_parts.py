"""What tests of Twilio are made of: a fake that listens, its settings, notes, and a clock at the fake's own time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from app.domain.ids import AttemptId, EnrollmentId, LocationId, MessageId, PersonId
from app.domain.provider_settings import Twilio
from app.domain.secret import Secret
from app.domain.states import Channel, Purpose
from app.engine.ports import AcceptedNote, AttemptNote
from app.providers.twilio_calls import TwilioCalls
from app.providers.twilio_client import Limits
from app.providers.twilio_inbox import TwilioInbox
from app.providers.twilio_texts import TwilioTexts
from tests.fake_twilio import ACCOUNT, ANA, OURS, TOKEN, FakeTwilio
from tests.fakes import ToldClock

NOW = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)
A_KEY = "5f0c9d7e1b2a4c3d8e9f0a1b2c3d4e5f"
# for what never answers: long enough for a busy machine to connect, short enough to wait for
IMPATIENT = Limits(timeout_s=0.3)


def listening() -> Iterator[FakeTwilio]:
    """A Twilio of one test's own, for its fixture."""
    made = FakeTwilio()
    yield made
    made.close()


def account(fake: FakeTwilio, **parts: Any) -> Twilio:
    """The practice's settings for the fake."""
    return Twilio(**({"account_sid": ACCOUNT, "sender": OURS, "base_url": fake.url} | parts))


def texts(
    fake: FakeTwilio, token: str = TOKEN, limits: Limits | None = None, clock: ToldClock | None = None, **parts: Any
) -> TwilioTexts:
    """The sender of texts."""
    return TwilioTexts(account(fake, **parts), Secret(token), clock or ToldClock(NOW), limits)


def calls(fake: FakeTwilio, token: str = TOKEN, limits: Limits | None = None, **parts: Any) -> TwilioCalls:
    """The sender of calls."""
    return TwilioCalls(account(fake, **parts), Secret(token), ToldClock(NOW), limits)


def inbox(
    fake: FakeTwilio, token: str = TOKEN, limits: Limits | None = None, clock: ToldClock | None = None, **parts: Any
) -> TwilioInbox:
    """The source."""
    return TwilioInbox(account(fake, **parts), Secret(token), clock or ToldClock(NOW), limits)


def note(**parts: Any) -> AttemptNote:
    """A care text to Ana, unless told otherwise."""
    given: dict[str, Any] = {
        "attempt_id": AttemptId(1),
        "message_id": MessageId(7),
        "person_id": PersonId(1),
        "enrollment_id": None,
        "location_id": LocationId(1),
        "key": A_KEY,
        "number": 1,
        "channel": Channel.SMS,
        "to": ANA,
        "subject": "",
        "body": "Hi Ana, see you on Tuesday.",
        "noted_at": NOW,
        "provider": "twilio",
        "purpose": Purpose.CARE,
        "valid_until": None,
    }
    return AttemptNote(**(given | parts))


def accepted(provider_id: str, **parts: Any) -> AcceptedNote:
    """A text that was accepted under `provider_id`."""
    given: dict[str, Any] = {
        "message_id": MessageId(7),
        "person_id": PersonId(1),
        "enrollment_id": EnrollmentId(1),
        "location_id": LocationId(1),
        "key": A_KEY,
        "provider": "twilio",
        "provider_id": provider_id,
        "channel": Channel.SMS,
        "to": ANA,
        "accepted_at": NOW,
    }
    return AcceptedNote(**(given | parts))
