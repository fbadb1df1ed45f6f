"""The word of each state, for chips. Sentences that need a reason, a name or a time come from whoever knows them."""

from __future__ import annotations

from typing import assert_never

from app.ui.components.chips import Chip, ChipKind
from app.ui.icons import Icon


def state_word(kind: ChipKind) -> str:
    """The word that stands for a state when nothing more is known: “Stopped”, “Undelivered”."""
    match kind:
        case ChipKind.ACTIVE:
            return "Active"
        case ChipKind.HELD:
            return "Held"
        case ChipKind.PAUSED:
            return "Paused"
        case ChipKind.WITH_STAFF:
            return "With staff"
        case ChipKind.REPLIED:
            return "Replied"
        case ChipKind.CONVERTED:
            return "Booked"
        case ChipKind.OPTED_OUT:
            return "Opted out"
        case ChipKind.EXHAUSTED:
            return "Exhausted"
        case ChipKind.SUPPRESSED:
            return "Suppressed"
        case ChipKind.STOPPED:
            return "Stopped"
        case ChipKind.CLOSED:
            return "Closed"
        case ChipKind.QUEUED | ChipKind.LEASED:
            return "Waiting"
        case ChipKind.SENDING:
            return "Going out"
        case ChipKind.ACCEPTED:
            return "Accepted"
        case ChipKind.DELIVERED:
            return "Delivered"
        case ChipKind.UNDELIVERED:
            return "Undelivered"
        case ChipKind.FAILED:
            return "Failed"
        case ChipKind.CANCELLED:
            return "Cancelled"
        case ChipKind.RECONCILE:
            return "Checking"
        case ChipKind.YES:
            return "Yes"
        case ChipKind.NO:
            return "No"
        case ChipKind.TAG:
            return "Tag"
    assert_never(kind)


def state_chip(kind: ChipKind, words: str = "", detail: str = "") -> Chip:
    """The chip of a state; `words` says it better where more is known: “Paused by Dana”, “Paid”."""
    return Chip(kind, words or state_word(kind), detail=detail)


def hold_chip(words: str, icon: Icon | None = None, detail: str = "") -> Chip:
    """A hold, dashed: until when or why. `icon`: what holds it, if not a time (KEY a paused channel, ALERT a field)."""
    return Chip(ChipKind.HELD, words, icon, detail)
