"""What tests of SendGrid are made of: a fake that listens, its settings, notes, and a clock at the fake's own time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from app.domain.ids import AttemptId, EnrollmentId, LocationId, MessageId, PersonId
from app.domain.provider_settings import Sendgrid
from app.domain.secret import Secret
from app.domain.states import Channel, Purpose
from app.engine.ports import AcceptedNote, AttemptNote
from app.providers.sendgrid_client import Limits
from app.providers.sendgrid_email import SendgridEmail
from app.providers.sendgrid_lists import SendgridLists
from tests.fake_http import Answer, Request, _Talk
from tests.fake_sendgrid import FROM, GROUP, KEY, FakeSendgrid
from tests.fakes import ToldClock

NOW = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)
A_KEY = "5f0c9d7e1b2a4c3d8e9f0a1b2c3d4e5f"
# for what never answers: long enough for a busy machine to connect, short enough to wait for
IMPATIENT = Limits(timeout_s=0.3)


def as_always(talk: _Talk, request: Request) -> Answer:
    """No fault this time."""
    return talk.fake.answer(request)


def listening() -> Iterator[FakeSendgrid]:
    """A SendGrid of one test's own, for its fixture."""
    made = FakeSendgrid()
    yield made
    made.close()


def account(fake: FakeSendgrid, **parts: Any) -> Sendgrid:
    """The practice's settings for the fake."""
    given: dict[str, Any] = {
        "from_email": FROM,
        "from_name": "Fernhollow",
        "base_url": fake.url,
        "unsubscribe_group": GROUP,
    }
    return Sendgrid(**(given | parts))


def email(fake: FakeSendgrid, key: str = KEY, limits: Limits | None = None, **parts: Any) -> SendgridEmail:
    """The sender."""
    return SendgridEmail(account(fake, **parts), Secret(key), ToldClock(NOW), limits=limits)


def lists(fake: FakeSendgrid, key: str = KEY, limits: Limits | None = None, **parts: Any) -> SendgridLists:
    """The source."""
    return SendgridLists(account(fake, **parts), Secret(key), ToldClock(NOW), limits)


def note(**parts: Any) -> AttemptNote:
    """A care mail to Ana, unless told otherwise."""
    given: dict[str, Any] = {
        "attempt_id": AttemptId(1),
        "message_id": MessageId(7),
        "person_id": PersonId(1),
        "enrollment_id": None,
        "location_id": LocationId(1),
        "key": A_KEY,
        "number": 1,
        "channel": Channel.EMAIL,
        "to": "ana@example.com",
        "subject": "Your visit",
        "body": "Hi Ana,\n\nsee you on Tuesday.",
        "noted_at": NOW,
        "provider": "sendgrid",
        "purpose": Purpose.CARE,
        "valid_until": None,
    }
    return AttemptNote(**(given | parts))


def accepted(provider_id: str, **parts: Any) -> AcceptedNote:
    """A message that was accepted under `provider_id`."""
    given: dict[str, Any] = {
        "message_id": MessageId(7),
        "person_id": PersonId(1),
        "enrollment_id": EnrollmentId(1),
        "location_id": LocationId(1),
        "key": A_KEY,
        "provider": "sendgrid",
        "provider_id": provider_id,
        "channel": Channel.EMAIL,
        "to": "ana@example.com",
        "accepted_at": NOW,
    }
    return AcceptedNote(**(given | parts))
