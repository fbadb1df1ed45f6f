"""The one way between threads: reads and writes run on pools, their results come back on the UI thread.

Two readers, one writer (presses keep their order), and three for what waits for the world outside: a provider that
takes its time, the keyring, a slow disk. Work captures values, never widgets. A result whose owner is gone is dropped.
Changes of the engine arrive here too, gathered, at most every 250 ms.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

import shiboken6
from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from app.service.changes import Change, Changes
from app.ui.faults import Fault, fault_of

_T = TypeVar("_T")

GATHER_MS = 250


class Bridge(QObject):
    """Lives on the UI thread. failed: a fault nobody asked to hear of. changed: what committed transactions touched."""

    failed = Signal(object)  # Fault
    changed = Signal(object)  # Change
    _back = Signal(object)  # Callable[[], None], run on the UI thread
    _news = Signal(object)  # Change, from any thread

    def __init__(self, changes: Changes, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._readers = ThreadPoolExecutor(2, thread_name_prefix="read")
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="write")
        self._outside = ThreadPoolExecutor(3, thread_name_prefix="outside")
        self._changes = changes
        self._open = True
        self._gathered: Change | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(GATHER_MS)
        self._timer.timeout.connect(self._tell)
        # queued, always: work that is over before its callback is added would else come back inside `read` itself
        self._back.connect(self._run, Qt.ConnectionType.QueuedConnection)
        self._news.connect(self._gather)
        self._end_listening = changes.listen(self._news.emit)

    def read(
        self,
        owner: QObject,
        work: Callable[[], _T],
        then: Callable[[_T], None],
        failed: Callable[[Fault], None] | None = None,
    ) -> None:
        """Run `work` on a reader; give its result to `then` on the UI thread, unless `owner` is gone by then."""
        self._submit(self._readers, owner, work, then, failed)

    def write(
        self,
        owner: QObject,
        work: Callable[[], _T],
        then: Callable[[_T], None],
        failed: Callable[[Fault], None] | None = None,
    ) -> None:
        """Run `work` on the writer, after those pressed before it. Announces a change once it has committed."""

        def committed() -> _T:
            result = work()
            self._changes.announce(Change())
            return result

        self._submit(self._writer, owner, committed, then, failed)

    def wait_for(
        self,
        owner: QObject,
        work: Callable[[], _T],
        then: Callable[[_T], None],
        failed: Callable[[Fault], None] | None = None,
    ) -> None:
        """Run `work` that may take long, as a provider's answer, the keyring or a slow disk: no list, no Stop waits."""
        self._submit(self._outside, owner, work, then, failed)

    def tell(self, change: Change) -> None:
        """Something was committed elsewhere: told with the rest, gathered. On the UI thread."""
        self._gather(change)

    def close(self) -> None:
        """Finish what is in hand and start nothing new."""
        self._open = False
        self._end_listening()
        self._timer.stop()
        self._readers.shutdown(wait=True, cancel_futures=True)
        self._writer.shutdown(wait=True)
        self._outside.shutdown(wait=True, cancel_futures=True)

    def _submit(
        self,
        pool: ThreadPoolExecutor,
        owner: QObject,
        work: Callable[[], _T],
        then: Callable[[_T], None],
        failed: Callable[[Fault], None] | None,
    ) -> None:
        if not self._open:
            return

        def deliver(future: Future[_T]) -> None:
            if self._open and not future.cancelled():
                self._back.emit(lambda: self._finish(owner, future, then, failed))

        pool.submit(work).add_done_callback(deliver)

    def _finish(
        self,
        owner: QObject,
        future: Future[_T],
        then: Callable[[_T], None],
        failed: Callable[[Fault], None] | None,
    ) -> None:
        if not shiboken6.isValid(owner):
            return
        error = future.exception()
        if error is None:
            then(future.result())
        elif failed is not None:
            failed(fault_of(error))
        else:
            self.failed.emit(fault_of(error))

    @Slot(object)
    def _run(self, call: Callable[[], None]) -> None:
        call()

    @Slot(object)
    def _gather(self, change: Change) -> None:
        before = self._gathered
        if before is None:
            self._gathered = change
        else:
            named = before.persons | change.persons if before.persons and change.persons else frozenset()
            self._gathered = Change(named, engine=before.engine and change.engine)
        if not self._timer.isActive():
            self._timer.start()

    @Slot()
    def _tell(self) -> None:
        gathered, self._gathered = self._gathered, None
        if gathered is not None:
            self.changed.emit(gathered)
