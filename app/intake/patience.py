"""How long one who knocks may take: a request that is not whole in time loses its connection.

Uvicorn waits for ever for the rest of a request, and counts its connections: whoever opened enough of them and said
nothing would keep everybody else out.
"""

from __future__ import annotations

import asyncio
from typing import Final

from uvicorn.protocols.http.h11_impl import H11Protocol

WHOLE_WITHIN_S: Final = 20.0  # from the connection, or the answer before; a provider's batch takes a second or two


class PatientProtocol(H11Protocol):
    """One connection, which is closed when it lets us wait for longer than `whole_within_s`."""

    whole_within_s = WHOLE_WITHIN_S
    _limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Time runs from here."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is waited for any more."""
        self._stop_waiting()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """And anew for the next request."""
        super().on_response_complete()
        self._wait()

    def _wait(self) -> None:
        self._stop_waiting()
        if not self.transport.is_closing():
            self._limit = self.loop.call_later(self.whole_within_s, self._end)

    def _stop_waiting(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None

    def _end(self) -> None:
        if not self._answers():
            self.transport.abort()

    def _answers(self) -> bool:
        """Whether a whole request is here, and its answer not yet gone."""
        if self.cycle is None:  # until the first request; uvicorn's types don't say so
            return False  # type: ignore[unreachable]
        return not self.cycle.more_body and not self.cycle.response_complete
