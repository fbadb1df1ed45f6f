"""What came in from outside, as it was read: a text, a call, a mail, an entry of a provider's list. Not judged yet."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class ListName(StrEnum):
    """A provider's lists of addresses that it does not write to, or had trouble with."""

    BOUNCES = "bounces"
    BLOCKS = "blocks"
    INVALID = "invalid_emails"
    SPAM_REPORTS = "spam_reports"
    UNSUBSCRIBES = "unsubscribes"
    GROUP_UNSUBSCRIBES = "group_unsubscribes"


@dataclass(frozen=True, slots=True)
class TextIn:
    """A text that came in. source: the provider's name. key: its id there, which makes a second reading a copy.

    sender, to: E.164. at: the provider's time, UTC. pictures: how many came with it. asked: what the provider took it
    for by words of its own, STOP, START or HELP; empty where it does not say.
    """

    source: str
    key: str
    sender: str
    to: str
    body: str
    at: datetime
    pictures: int = 0
    asked: str = ""


@dataclass(frozen=True, slots=True)
class CallIn:
    """Somebody called our number. Fields as in TextIn. seconds: how long it lasted, 0 when nobody answered."""

    source: str
    key: str
    sender: str
    to: str
    at: datetime
    seconds: int = 0


@dataclass(frozen=True, slots=True)
class MailIn:
    """A mail of the office's mailbox, raw. key: folder, UIDVALIDITY and UID. at: the server's internal date, UTC."""

    source: str
    key: str
    raw: bytes
    at: datetime


@dataclass(frozen=True, slots=True)
class ListedIn:
    """An address that a provider put on one of its lists. key: of list, address and time. at: since when, UTC.

    status: the enhanced status code, such as 5.1.1, "" where there is none. reason: the receiving server's words.
    """

    source: str
    key: str
    list_name: ListName
    address: str
    at: datetime
    status: str = ""
    reason: str = ""


InboundItem = TextIn | CallIn | MailIn | ListedIn
