"""Settings of providers as they are kept: what goes in comes out, and a document adds to what is there."""

from __future__ import annotations

import json

import pytest

from app.domain.provider_settings import (
    Imap,
    ProviderKind,
    Providers,
    Receiver,
    Sendgrid,
    Twilio,
    kept_providers,
    read_kept_providers,
)

TWILIO = Twilio("AC01", "+15035550100", "http://127.0.0.1:8123", "MG02", "SK03")
SENDGRID = Sendgrid("desk@example.com", "Desk", "", "answers@example.com", 4711)
IMAP = Imap("imap.example.com", "desk", 993, "INBOX", True, ("Junk",), "answers@example.com", True)
RECEIVER = Receiver(8787, "0.0.0.0", "https://in.example.com", "Portland")
WHOLE = Providers(TWILIO, SENDGRID, IMAP, RECEIVER)


@pytest.mark.parametrize("providers", [WHOLE, Providers(), Providers(sendgrid=Sendgrid("d@example.com", "D", ""))])
def test_what_is_kept_is_read_back_the_same(providers: Providers) -> None:
    assert read_kept_providers(json.loads(json.dumps(kept_providers(providers)))) == providers


def test_nothing_kept_is_nobody() -> None:
    assert read_kept_providers(None) == Providers()


@pytest.mark.parametrize(
    "kept", ["twilio", {"twilio": {"account_sid": 7}}, {"imap": {"host": "h"}}, {"receiver": {"port": "8787"}}]
)
def test_what_was_never_kept_is_refused(kept: object) -> None:
    with pytest.raises(ValueError, match="kept"):
        read_kept_providers(kept)


def test_a_document_changes_what_it_names_and_nothing_else() -> None:
    other = Twilio("AC99", "+15035550199", "")
    assert WHOLE.with_document(Providers(twilio=other)) == Providers(other, SENDGRID, IMAP, RECEIVER)


def test_a_document_takes_away_what_it_names_without_anything() -> None:
    told = Providers(gone=frozenset({ProviderKind.IMAP, ProviderKind.RECEIVER}))
    assert WHOLE.with_document(told) == Providers(TWILIO, SENDGRID)
