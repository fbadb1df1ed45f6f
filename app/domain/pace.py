"""How fast: the wait before the next attempt of one message."""

from __future__ import annotations

import hashlib
from datetime import timedelta

# DESIGN section 4. Spread by up to a fifth, so that a provider that is back is not met by all at once
BACKOFF = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30))
SPREAD = 0.2


def backoff(attempts: int, key: str, asked: timedelta | None = None) -> timedelta:
    """The wait after the `attempts`-th try (1 to 3) of one message.

    key: any text that differs between messages; the same key gives the same spread, so that a run can be repeated.
    asked: the provider's Retry-After, which is never undercut.
    """
    base = BACKOFF[min(max(attempts, 1), len(BACKOFF)) - 1]
    share = int.from_bytes(hashlib.sha256(f"{key}:{attempts}".encode()).digest()[:4]) / 2**32
    spread = base * (1 + SPREAD * share)
    return max(spread, asked) if asked is not None else spread
