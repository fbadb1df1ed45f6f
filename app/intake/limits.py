"""How much may come in, and how fast: a body is read up to its limit, a door lets so many through a minute."""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field


class TooLarge(Exception):
    """The body is longer than this door takes."""


async def read_body(chunks: AsyncIterator[bytes], most: int) -> bytes:
    """The whole body, read no further than `most` bytes whatever was announced. Raises TooLarge."""
    parts: list[bytes] = []
    size = 0
    async for chunk in chunks:
        size += len(chunk)
        if size > most:
            raise TooLarge
        parts.append(chunk)
    return b"".join(parts)


@dataclass
class Turnstile:
    """Lets `burst` through at once and then `per_minute`. seconds: a clock that only goes forward. Any thread."""

    per_minute: float
    burst: float
    seconds: Callable[[], float] = time.monotonic
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _left: float = field(init=False, repr=False)
    _at: float = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._left, self._at = self.burst, self.seconds()

    def wait_s(self) -> float:
        """0.0 when one may pass, which counts it; else how many seconds until the next may."""
        with self._lock:
            now = self.seconds()
            rate = self.per_minute / 60
            self._left = min(self.burst, self._left + (now - self._at) * rate)
            self._at = now
            if self._left >= 1:
                self._left -= 1
                return 0.0
            return (1 - self._left) / rate
