"""Python's cycle collector, on the UI thread alone.

Left to itself it runs on whichever thread has just made an object. A worker's thread would then destroy widgets that
lie in a cycle, while the UI thread destroys others: each waits for the lock that the other has, and the window stands
still for ever.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

EVERY_MS = 500


class Collector(QObject):
    """While it lives, cycles are collected here, and nowhere else: make it and end it on the UI thread."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    def settle(self) -> None:
        """What there is now stays: it is not looked through again and again, which would take a frame each time."""
        gc.collect()
        gc.freeze()

    def collect(self) -> None:
        """Collect the oldest generation that is full by Python's own measure, and those younger."""
        counts, full = gc.get_count(), gc.get_threshold()
        for generation in (2, 1, 0):
            if counts[generation] > full[generation]:
                gc.collect(generation)
                return

    def end(self) -> None:
        """Let Python collect by itself again: the window is gone, and what stood in it with it."""
        self._timer.stop()
        gc.collect()
        gc.unfreeze()
        gc.enable()
