"""Template: the words of an email, a text or a call, filled from live values in strict Liquid (DESIGN section 8).

A value that turns up empty is not sent around: `render` refuses and names it. What is wrong with a template before it
is ever sent: template_lint.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from app.domain.sms_length import Encoding, SmsLength, sms_segments
from app.domain.states import Channel, Purpose

__all__ = [
    "CUSTOM_VARIABLES",
    "VARIABLES",
    "Encoding",
    "Refused",
    "Rendered",
    "SmsLength",
    "Template",
    "kept_plain",
    "looks_like_html",
    "render",
    "sms_segments",
    "variables_read",
]

VARIABLES: tuple[str, ...] = (
    "person.first_name",
    "person.last_name",
    "person.full_name",
    "person.email",
    "person.phone",
    "person.status",
    "person.source",
    "person.tags",
    "location.name",
    "location.phone",
    "location.email",
    "location.postal_address",
    "location.website",
    "location.booking_url",
    "location.zone",
    "practice.name",
    "practice.short_name",
    "practice.postal_address",
    "practice.website",
    *(
        f"{kind}.{part}"
        for kind in ("appointment", "job", "quote", "invoice")
        for part in ("date", "time", "label", "status", "amount", "due_date", "number")
    ),
    "unsubscribe_url",
    "today",
)
CUSTOM_VARIABLES = "person.custom."

_HTML = re.compile(
    r"<(?:!doctype|/?(?:html|body|p|br|a|b|i|strong|em|div|span|table|ul|ol|li|h[1-6]|img)\b)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Template:
    """The words of one message. subject: of an email; empty for others. body: an email's may be HTML."""

    name: str
    channel: Channel
    purpose: Purpose
    subject: str
    body: str

    @property
    def html(self) -> bool:
        """Whether the body is HTML, in which values are escaped. Only an email's can be."""
        return self.channel is Channel.EMAIL and looks_like_html(self.body)


@dataclass(frozen=True, slots=True)
class Rendered:
    """The text as it would go out."""

    text: str


@dataclass(frozen=True, slots=True)
class Refused:
    """Why nothing goes out.

    empty: the variables that came out empty, by name; then that is the only reason. line: 1-based, of the template.
    """

    because: str
    empty: tuple[str, ...] = ()
    line: int | None = None


def render(source: str, variables: Mapping[str, object], *, html: bool | None = None) -> Rendered | Refused:
    """The filled text, or why not: an empty or unknown value, a fault in the template.

    html: escape the values; None decides by the looks of `source`. Values are text, numbers, lists and mappings.
    """
    from app.domain.liquid_engine import TemplateFault, fill, parse

    escape = looks_like_html(source) if html is None else html
    try:
        text, empty = fill(parse(source, html=escape), variables)
    except TemplateFault as fault:
        return Refused(fault.because, line=fault.line)
    if empty:
        return Refused(f"{', '.join(empty)} {'is' if len(empty) == 1 else 'are'} empty.", empty)
    return Rendered(text)


def variables_read(source: str) -> tuple[str, ...]:
    """Dotted paths of the variables that a template reads from outside, each once, in order of first use.

    Its own names (assigned, captured, of loops) are left out. Empty for a template that can't be parsed.
    """
    from app.domain.liquid_engine import TemplateFault, parse

    try:
        parsed = parse(source, html=False)
    except TemplateFault:
        return ()
    read = parsed.template.analyze().globals
    return tuple(dict.fromkeys(str(variable) for found in read.values() for variable in found))


def looks_like_html(source: str) -> bool:
    """Whether `source` has HTML elements in it."""
    return _HTML.search(source) is not None


def kept_plain(text: str) -> str:
    """`text` so that nobody takes it for HTML: of plain words, a value with a tag in it must not make a document."""
    return _HTML.sub(lambda tag: f"< {tag[0][1:]}", text)
