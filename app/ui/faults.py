"""How an error is shown: in words, never as a traceback. The traceback goes to the log."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from app.domain.errors import StopwellError

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Fault:
    """told: one clear line. hint: what to do; empty when there is nothing. expected: staff can mend it."""

    told: str
    hint: str
    expected: bool


def fault_of(error: BaseException) -> Fault:
    """The words for `error`. What nobody expected is logged with its traceback, and says what that means."""
    if isinstance(error, StopwellError):
        return Fault(error.told, error.hint, expected=True)
    log.error("window.unexpected", exc_info=error)
    return Fault(
        f"Something in Stopwell went wrong ({type(error).__name__}).",
        "Nothing was sent or lost by it. Try again; the log holds the details.",
        expected=False,
    )
