"""Says something to screen readers that no focus change would tell."""

from __future__ import annotations

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget


def announce(widget: QWidget, words: str, *, assertive: bool = False) -> None:
    """Announces words; `assertive` interrupts what is being read: errors and stops."""
    event = QAccessibleAnnouncementEvent(widget, words)
    level = QAccessible.AnnouncementPoliteness
    event.setPoliteness(level.Assertive if assertive else level.Polite)
    QAccessible.updateAccessibility(event)
