"""The heads of the queue: Due now, Later today, then a day each."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from app.ui.list_sections import Part
from app.ui.queue.reading import QueueDays
from app.ui.when import long_day_words

translate = QCoreApplication.translate

DUE_NOW, LATER_TODAY, LATER, TIMELESS = "due_now", "later_today", "later", "timeless"


def parts_of(days: QueueDays) -> tuple[Part, ...]:
    """The heads in order, those without rows too."""
    last = days.days[-1][0] if days.days else days.today
    return (
        Part(DUE_NOW, translate("queue", "Due now"), days.due, days.today),
        Part(LATER_TODAY, translate("queue", "Later today"), days.later_today, days.today),
        *(Part(day.isoformat(), long_day_words(day), count, day) for day, count in days.days),
        Part(LATER, translate("queue", "After {day}").format(day=long_day_words(last)), days.later),
        Part(TIMELESS, translate("queue", "Without a time: somebody has to move them on"), days.timeless),
    )
