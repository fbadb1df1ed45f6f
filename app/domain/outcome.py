"""The outcome that pages and reports show: the strongest fact, whichever came first (DESIGN section 6, Stop)."""

from __future__ import annotations

from collections.abc import Iterable

from app.domain.states import End

STRENGTH: tuple[End, ...] = (
    End.OPTED_OUT,
    End.CONVERTED,
    End.REPLIED,
    End.CLOSED,
    End.STOPPED,
    End.SUPPRESSED,
    End.EXHAUSTED,
)


def strongest(facts: Iterable[End]) -> End | None:
    """The strongest of `facts`, or None when there are none. The order of arrival plays no part."""
    seen = set(facts)
    return next((end for end in STRENGTH if end in seen), None)
