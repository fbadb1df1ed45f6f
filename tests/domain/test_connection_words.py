"""Each way in which a connection fails is told in words that the front desk understands, with the provider's code."""

from __future__ import annotations

import pytest

from app.domain.connection_words import Connection, connection_words
from app.domain.mailbox_fault import MailboxFault, mailbox_code
from app.domain.reasons import Why

T, S, M = Connection.TWILIO, Connection.SENDGRID, Connection.IMAP

WORDS = {
    "wrong token": (T, Why.BAD_CREDENTIALS, "20003", "Twilio refuses the account or its token (20003).", "Auth Token"),
    "revoked key": (S, Why.BAD_CREDENTIALS, "401", "SendGrid refuses the key: it is mistyped, or was deleted", "new"),
    "no key at all": (S, Why.BAD_CREDENTIALS, "not a key", "What was given is no key of SendGrid.", "whole key"),
    "key too narrow": (S, Why.KEY_TOO_NARROW, "mail.send", "The key lacks a right at SendGrid", "named"),
    "unverified": (S, Why.SENDER_NOT_VERIFIED, "403 from", "SendGrid does not know the sender's address", "Verify"),
    "unconfirmed": (
        S,
        Why.SENDER_NOT_VERIFIED,
        "403 from, not confirmed yet",
        "The sender's address waits to be confirmed (403 from).",
        "Open the mail that SendGrid sent",
    ),
    "not ours": (T, Why.NUMBER_NOT_OURS, "not in the account", "The sender's number is not in this account", "Copy"),
    "no texts": (T, Why.NUMBER_NOT_OURS, "no sms", "The sender's number can't send texts.", "Choose a number"),
    "unregistered": (T, Why.NUMBER_NOT_REGISTERED, "30034", "not registered with the phone companies", "10DLC"),
    "suspended": (T, Why.ACCOUNT_SUSPENDED, "20005", "The account at Twilio is suspended or closed (20005).", "Sign"),
    "trial": (T, Why.ACCOUNT_LIMITED, "21608", "The account at Twilio is a trial one", "Upgrade"),
    "no such account": (T, Why.REFUSED, "20404", "There is no such account at Twilio (20404).", "Account SID"),
    "no group": (
        S,
        Why.NO_UNSUBSCRIBE_GROUP,
        "400 asm",
        "SendGrid does not know the unsubscribe group",
        "Suppressions",
    ),
    "no network": (T, Why.OFFLINE, "NewConnectionError", "Twilio can't be reached", "internet"),
    "no name": (S, Why.OFFLINE, "gaierror", "SendGrid can't be found: this computer is offline, or", "internet"),
    "proxy": (T, Why.OFFLINE, "proxy", "Twilio can't be reached: the proxy", "network"),
    "tls": (T, Why.CERTIFICATE_WRONG, "certificate", "can't prove to be it (certificate).", "date right"),
    "slow": (S, Why.NO_ANSWER, "ReadTimeout", "SendGrid did not answer in time (ReadTimeout).", "Nothing is lost"),
    "too much": (
        T,
        Why.BUSY,
        "20429",
        "Twilio asks to wait: it was asked too much at once (20429).",
        "Nothing is lost",
    ),
    "no credit": (S, Why.NO_CREDIT, "401", "The account at SendGrid has no credit left (401).", "Pay"),
    "no key here": (T, Why.NO_KEY, "", "There is no key for Twilio on this computer.", "Keys and connections"),
    "no password here": (M, Why.NO_KEY, "", "There is no password for the mailbox on this computer.", "Type"),
    "no keyring": (T, Why.NO_KEYRING, "locked", "The keyring of this computer is locked.", "Unlock it"),
    "mailbox password": (
        M,
        Why.BAD_CREDENTIALS,
        mailbox_code(MailboxFault.WRONG_PASSWORD, "AUTHENTICATIONFAILED"),
        "The mailbox refuses the user name or the password (AUTHENTICATIONFAILED).",
        "app password",
    ),
    "mailbox name": (M, Why.OFFLINE, mailbox_code(MailboxFault.NO_SUCH_HOST), "no mail server of this name", "name"),
    "mailbox tls": (
        M,
        Why.CERTIFICATE_WRONG,
        mailbox_code(MailboxFault.CERTIFICATE_NAME),
        "The mail server proves to be another one",
        "name",
    ),
}


@pytest.mark.parametrize(("connection", "why", "code", "told", "hint"), WORDS.values(), ids=WORDS.keys())
def test_what_fails_is_told_in_plain_words(connection: Connection, why: Why, code: str, told: str, hint: str) -> None:
    words = connection_words(connection, why, code)

    assert told in words.told
    assert hint in words.hint
    assert words.told.endswith(".")


@pytest.mark.parametrize("connection", Connection)
@pytest.mark.parametrize("why", Why)
def test_there_is_something_to_say_about_every_reason_there_is(connection: Connection, why: Why) -> None:
    words = connection_words(connection, why, "x1")

    assert words.told
    assert words.hint
    assert "{" not in words.told + words.hint
