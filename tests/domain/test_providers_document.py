"""The providers document: what it may say, and what is told when it is wrong."""

from __future__ import annotations

import pytest

from app.domain.documents import RawDocument, read_documents
from app.domain.errors import DocumentError
from app.domain.providers_document import (
    Imap,
    ProviderKind,
    Providers,
    Receiver,
    Sendgrid,
    Twilio,
    read_providers,
)

PROVIDERS = """format: stopwell.providers/1
twilio: {account_sid: AC0123, from: "+15035550100", base_url: "http://127.0.0.1:8123"}
sendgrid: {from_email: desk@example.com, from_name: Fernhollow PT}
imap: {host: imap.example.com, user: desk@example.com}
"""


def one(text: str) -> RawDocument:
    [raw] = read_documents(text, "setup.yaml")
    return raw


def problems(text: str) -> list[str]:
    with pytest.raises(DocumentError) as refused:
        read_providers(one(text))
    return [problem.told() for problem in refused.value.problems]


def test_providers_are_read() -> None:
    assert read_providers(one(PROVIDERS)) == Providers(
        Twilio("AC0123", "+15035550100", "http://127.0.0.1:8123"),
        Sendgrid("desk@example.com", "Fernhollow PT", ""),
        Imap("imap.example.com", "desk@example.com", 993, "INBOX", True),
    )


def test_providers_are_read_with_everything_that_can_be_said() -> None:
    whole = """format: stopwell.providers/1
twilio: {account_sid: AC01, from: "+15035550100", messaging_service_sid: MG02, api_key_sid: SK03}
sendgrid: {from_email: desk@example.com, from_name: Desk, reply_to: Answers@Example.com, unsubscribe_group: 4711}
imap: {host: imap.example.com, user: desk, also: [Junk, Filed], address: answers@example.com, plus_addressing: true}
receiver: {port: 8787, public_url: "https://in.example.com/x/", location: Portland}
"""
    assert read_providers(one(whole)) == Providers(
        Twilio("AC01", "+15035550100", "", messaging_service_sid="MG02", api_key_sid="SK03"),
        Sendgrid("desk@example.com", "Desk", "", reply_to="answers@example.com", unsubscribe_group=4711),
        Imap("imap.example.com", "desk", 993, "INBOX", True, ("Junk", "Filed"), "answers@example.com", True),
        Receiver(port=8787, host="127.0.0.1", public_url="https://in.example.com/x", location="Portland"),
    )


def test_a_kind_named_without_anything_is_to_be_taken_away() -> None:
    told = read_providers(one("format: stopwell.providers/1\nimap:\nreceiver: null\n"))
    assert told == Providers(gone=frozenset({ProviderKind.IMAP, ProviderKind.RECEIVER}))


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1:8123", "http://127.9.8.7", "http://localhost:1/x", "http://[::1]:99", "https://api.example.com"],
)
def test_a_base_url_is_https_or_this_machine(url: str) -> None:
    providers = read_providers(one(PROVIDERS.replace("http://127.0.0.1:8123", url)))
    assert providers.twilio is not None
    assert providers.twilio.base_url == url.rstrip("/")


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://api.example.com", "http is only for this machine itself"),
        ("http://10.0.0.1", "http is only for this machine itself"),
        ("http://127.0.0.1.example.com", "http is only for this machine itself"),
        ("http://localhost.example.com", "http is only for this machine itself"),
        ("ftp://127.0.0.1", "should be a web address of a host"),
        ("127.0.0.1:8123", "should be a web address of a host"),
        ("https://", "should be a web address of a host"),
        ("https://example.com:99999", "should be a web address of a host"),
        ("https://[::1", "should be a web address of a host"),
        ("https://user:pw@example.com", "should be a web address of a host"),
        ("https://example.com/?key=1", "should be a web address of a host"),
        ("file:///etc/passwd", "should be a web address of a host"),
    ],
)
def test_any_other_base_url_is_refused(url: str, words: str) -> None:
    found = problems(PROVIDERS.replace("http://127.0.0.1:8123", url))
    assert any(words in told for told in found), found
    assert "twilio.base_url" in found[0]


@pytest.mark.parametrize(
    ("line", "to", "path"),
    [
        ("twilio: {", "twilio: {auth_token: 0a1b2c3d, ", "twilio.auth_token"),
        ("sendgrid: {", "sendgrid: {api_key: SG.0a1b2c3d, ", "sendgrid.api_key"),
        ("imap: {", "imap: {password: 0a1b2c3d, ", "imap.password"),
    ],
)
def test_i16_a_secret_in_the_document_is_refused_without_repeating_it(line: str, to: str, path: str) -> None:
    [told] = problems(PROVIDERS.replace(line, to))
    assert f"{path}: a secret does not belong in a document." in told
    assert "STOPWELL_TWILIO_AUTH_TOKEN" in told
    assert "0a1b2c3d" not in told


@pytest.mark.parametrize(
    ("line", "to", "words"),
    [
        ("account_sid: AC0123", "account_sid: 0123", "twilio.account_sid: 0123 is not an account's name."),
        ("account_sid: AC0123, ", "", "twilio.account_sid: account_sid is missing."),
        ("from:", "form:", "twilio.form: unknown key form. Did you mean from?"),
        ("from_email: desk@example.com", "from_email: desk", "desk is not an email address."),
        (
            "user: desk@example.com}",
            "user: desk, tls: false}",
            "setup.yaml:4 imap: without TLS the password could be read",
        ),
        ("from:", "messaging_service_sid: AC1, from:", "messaging_service_sid: AC1 is not a Messaging Service."),
        ("from:", "api_key_sid: 0a1b, from:", "twilio.api_key_sid: this is not an API key's name."),
        ("from_email:", "unsubscribe_group: 0, from_email:", "sendgrid.unsubscribe_group: 0 should be at least 1."),
        ("from_email:", "reply_to: desk, from_email:", "sendgrid.reply_to: desk is not an email address."),
        ("user: desk@example.com}", "user: desk, port: 99999}", "imap.port: 99999 should be at most 65535."),
        ("twilio:", "twillio:", "twillio: unknown key twillio. Did you mean twilio?"),
    ],
)
def test_wrong_providers_are_told(line: str, to: str, words: str) -> None:
    found = problems(PROVIDERS.replace(line, to))
    assert any(words in told for told in found), found


def test_a_mailbox_on_this_machine_may_go_without_tls() -> None:
    local = PROVIDERS.replace("host: imap.example.com", "tls: false, port: 1143, host: 127.0.0.1")
    providers = read_providers(one(local))
    assert providers.imap == Imap("127.0.0.1", "desk@example.com", 1143, "INBOX", False)


def test_providers_without_any_are_refused() -> None:
    assert "no provider in here." in problems("format: stopwell.providers/1\n")[0]


@pytest.mark.parametrize("junk", ["[]", "{}", "3", "true", "x", "[{a: [b]}]", "{a: {b: c}}"])
@pytest.mark.parametrize("kind", [kind.value for kind in ProviderKind])
def test_any_other_value_of_a_kind_is_refused_with_words(kind: str, junk: str) -> None:
    assert all(told.startswith("setup.yaml:2 ") for told in problems(f"format: stopwell.providers/1\n{kind}: {junk}\n"))
