"""How the reader of an email leaves: by the provider's hosted page where there is one, by a mail to the office else.

Stopwell serves no page of its own: an office behind a router has no address that the world could reach (RULES B11).
"""

from __future__ import annotations

from typing import Final

# SendGrid puts the reader's own address of the hosted page in its place, in the body alone
HOSTED_PAGE: Final = "<%asm_group_unsubscribe_raw_url%>"
_ESCAPED: Final = "&lt;%asm_group_unsubscribe_raw_url%&gt;"


class HostedPage(str):
    """The place of the hosted page's address, which stays as it is in HTML too: whoever fills it must find it again."""

    __slots__ = ()

    def __html__(self) -> str:
        return str(self)


def unsubscribe_url(*, hosted: bool, email: str | None) -> str:
    """What the variable of this name holds. email: the location's; without it and the hosted page there is nothing."""
    if hosted:
        return HostedPage(HOSTED_PAGE)
    return by_mail(email) if email else ""


def by_mail(address: str) -> str:
    """A link that writes to `address`; what comes in by it is read as an opt-out (mail_inbound.py)."""
    return f"mailto:{address}?subject=unsubscribe"


def with_page(body: str) -> str:
    """`body` with the place of the hosted page as the provider looks for it, where a filter has escaped it."""
    return body.replace(_ESCAPED, HOSTED_PAGE)


def names_page(body: str) -> bool:
    """Whether the hosted page's address belongs somewhere in `body`."""
    return HOSTED_PAGE in body or _ESCAPED in body


def without_page(body: str, link: str) -> str:
    """`body` with `link` where the hosted page's address would be."""
    return with_page(body).replace(HOSTED_PAGE, link)
