"""Owns the scheduler and its engine thread. The scheduler only knocks: it knows no person and no wake_at."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from app.domain.clock import Clock
from app.domain.errors import StopwellError
from app.engine.once import Once, PassReport
from app.service.changes import Change, Changes
from app.service.workers import Presence

if TYPE_CHECKING:
    from apscheduler.schedulers.background import BackgroundScheduler

log = logging.getLogger(__name__)

TICK_EVERY = timedelta(seconds=60)
SEAL_EVERY = timedelta(hours=1)
SOONEST = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Fault:
    """A job that failed, in words for the status bar. It runs again at its next time."""

    at: datetime
    job: str
    told: str


class Runner:
    """Starts, knocks and stops the engine in this process.

    once: the pass that each tick runs. seal: seals the log's finished days. stopping: shared with the engine's parts;
    once it is set, the message in hand is finished and nothing new is begun. presence: this engine's row among the
    workers; None for an engine that is none of them.
    """

    def __init__(
        self,
        once: Once,
        seal: Callable[[datetime], object],
        clock: Clock,
        changes: Changes,
        stopping: threading.Event,
        *,
        presence: Presence | None = None,
    ) -> None:
        self._once = once
        self._seal = seal
        self._clock = clock
        self._changes = changes
        self._stopping = stopping
        self._presence = presence
        self._scheduler: BackgroundScheduler | None = None
        self._fault: Fault | None = None
        self._last: PassReport | None = None

    @property
    def fault(self) -> Fault | None:
        """The last job that failed, until one of the same name succeeds."""
        return self._fault

    @property
    def last_pass(self) -> PassReport | None:
        """What the last tick did."""
        return self._last

    @property
    def running(self) -> bool:
        """Whether the scheduler knocks."""
        return self._scheduler is not None

    def next_tick_at(self) -> datetime | None:
        """When the next tick is due, UTC; None while not running."""
        job = self._scheduler.get_job("tick") if self._scheduler else None
        at = getattr(job, "next_run_time", None)
        return at.astimezone(UTC) if isinstance(at, datetime) else None

    def start(self) -> None:
        """Begin to knock, the first time at once."""
        from apscheduler.schedulers.background import BackgroundScheduler

        if self._scheduler is not None:
            return
        # late is fine, skipped is not: one run after a closed lid, whatever its age (PLATFORM.md section 7)
        defaults = {"coalesce": True, "max_instances": 1, "misfire_grace_time": None}
        scheduler = BackgroundScheduler(timezone="UTC", job_defaults=defaults)
        now = datetime.now(UTC)
        scheduler.add_job(
            self._tick, "interval", seconds=TICK_EVERY.total_seconds(), id="tick", next_run_time=now, name="tick"
        )
        scheduler.add_job(
            self._seal_log, "interval", seconds=SEAL_EVERY.total_seconds(), id="seal", next_run_time=now, name="seal"
        )
        scheduler.start()
        self._scheduler = scheduler

    def knock(self) -> None:
        """Something changed: tick now rather than within the minute."""
        if self._scheduler is not None and not self._stopping.is_set():
            self._scheduler.modify_job("tick", next_run_time=datetime.now(UTC))

    def stop(self, *, wait: bool) -> None:
        """Finish the message in hand and end. wait: return only when it is finished."""
        self._stopping.set()
        scheduler, self._scheduler = self._scheduler, None
        if scheduler is not None:
            scheduler.shutdown(wait=wait)
        if self._presence is not None:
            self._presence.end()

    def _tick(self) -> None:
        self._run("tick", self._pass)

    def _pass(self) -> None:
        if self._presence is not None:
            self._presence.begin(self._catch_up)
        report = self._once.run()
        self._last = report
        if report.again_at is not None:
            self._come_back(report.again_at)
        busy = report.claimed or report.accepted or report.failed or report.held or report.paused or report.came_in
        self._changes.announce(Change(engine=not busy))

    def _come_back(self, at: datetime) -> None:
        """Tick at `at`, on the engine's clock, rather than within the minute; in a second at the soonest.

        A sender's rate lets one second's worth go at once, so that coming more often would send no more.
        """
        scheduler = self._scheduler
        if scheduler is None or self._stopping.is_set():
            return
        soon = datetime.now(UTC) + max(at - self._clock.now(), SOONEST)
        job = scheduler.get_job("tick")
        if job is not None and soon < job.next_run_time:
            job.modify(next_run_time=soon)

    def _catch_up(self) -> None:
        """Jobs that would wait for longer than they come round: this computer's clock was set back under them."""
        scheduler = self._scheduler
        if scheduler is None or self._stopping.is_set():
            return
        now = datetime.now(UTC)
        for job in scheduler.get_jobs():
            if job.next_run_time > now + job.trigger.interval:
                job.modify(next_run_time=now)

    def _seal_log(self) -> None:
        self._run("seal", lambda: self._seal(self._clock.now()))

    def _run(self, job: str, work: Callable[[], object]) -> None:
        """One job: a fault is logged with its traceback, shown, and the job runs again at its next time."""
        try:
            work()
        except StopwellError as fault:
            log.exception("job.failed", extra={"job": job})
            self._note(Fault(self._clock.now(), job, str(fault)))
        except Exception as fault:
            log.exception("job.failed", extra={"job": job})
            self._note(Fault(self._clock.now(), job, f"{job}: {type(fault).__name__}"))
        else:
            if self._fault is not None and self._fault.job == job:
                self._note(None)

    def _note(self, fault: Fault | None) -> None:
        self._fault = fault
        self._changes.announce(Change(engine=True))
