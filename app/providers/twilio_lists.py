"""Twilio's lists of texts and calls, page by page, newest first, as plain values. Decides nothing about them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final

from app.providers.twilio_answers import Failed
from app.providers.twilio_client import Line, Told

PAGE_SIZE: Final = 100
INBOUND: Final = "inbound"
FROM_API: Final = "outbound-api"


class Listed(StrEnum):
    """The two lists, by the client's names for them."""

    TEXTS = "messages"
    CALLS = "calls"


@dataclass(frozen=True, slots=True)
class Row:
    """A text or a call as Twilio tells it; empty where it does not say. Times: its own, UTC, in whole seconds.

    started: when a text was sent or a call began; None while it waits. service: the Messaging Service that sent it.
    """

    listed: Listed
    sid: str
    direction: str
    sender: str
    to: str
    status: str
    created: datetime | None
    started: datetime | None
    updated: datetime | None
    body: str = ""
    service: str = ""
    pictures: int = 0
    seconds: int = 0
    answered_by: str = ""
    error_code: int | None = None
    segments: str = ""
    price: str = ""
    currency: str = ""

    @property
    def at(self) -> datetime | None:
        """The time that it is listed by."""
        return self.started or self.created


@dataclass(frozen=True, slots=True)
class Page:
    """One page. next_url: where the list goes on, None at its end. read_at: by Twilio's own clock."""

    rows: Sequence[Row]
    next_url: str | None
    read_at: datetime | None


def pages(
    line: Line, listed: Listed, to: str, has_time: Callable[[], bool], begin: str | None = None
) -> Iterator[Page | Failed | None]:
    """The pages of what went or came to the number `to`. A failure is the last; so is None, when time is up.

    begin: a page's address that an earlier reading kept; None for the newest.
    """
    url = begin
    first = True
    while first or url is not None:
        if not first and not has_time():
            yield None
            return
        page = _page(line, listed, to, url)
        yield page
        if not isinstance(page, Page):
            return
        url, first = page.next_url, False


def row_of(instance: Any, listed: Listed) -> Row:
    """One text or call as the client gives it."""
    of = _Fields(instance)
    return Row(
        listed=listed,
        sid=of.text("sid"),
        direction=of.text("direction"),
        sender=of.text("from_") or of.text("_from"),  # a text's and a call's name for it
        to=of.text("to"),
        status=of.text("status"),
        created=of.time("date_created"),
        started=of.time("date_sent") or of.time("start_time"),
        updated=of.time("end_time") or of.time("date_updated"),
        body=of.text("body"),
        service=of.text("messaging_service_sid"),
        pictures=of.number("num_media") or 0,
        seconds=of.number("duration") or 0,
        answered_by=of.text("answered_by"),
        error_code=of.number("error_code"),
        segments=of.text("num_segments"),
        price=of.text("price"),
        currency=of.text("price_unit"),
    )


def _page(line: Line, listed: Listed, to: str, url: str | None) -> Page | Failed:
    def question(api: Any) -> tuple[list[Any], str | None]:
        resource = getattr(api, listed.value)
        page = resource.page(to=to, page_size=PAGE_SIZE) if url is None else resource.get_page(url)
        return list(page), page.next_page_url

    told = line.ask(question)
    if not isinstance(told, Told):
        return told
    instances, next_url = told.value
    return Page([row_of(each, listed) for each in instances], next_url, told.at)


class _Fields:
    """The fields of one of the client's objects; what has another type than described counts as not said."""

    def __init__(self, instance: Any) -> None:
        self._instance = instance

    def text(self, name: str) -> str:
        value = getattr(self._instance, name, None)
        return value if isinstance(value, str) else ""

    def number(self, name: str) -> int | None:
        value = getattr(self._instance, name, None)
        if isinstance(value, str) and value.isascii() and value.isdigit():
            return int(value)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def time(self, name: str) -> datetime | None:
        value = getattr(self._instance, name, None)
        return value.astimezone(UTC) if isinstance(value, datetime) and value.tzinfo is not None else None
