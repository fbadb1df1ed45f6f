"""tick, engine, workers, pause, unpause: the engine at work without a window."""

from __future__ import annotations

import argparse
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from types import FrameType

from app.cli.desk import DONE, Desk, staff
from app.cli.output import stamp, write_json, write_json_line
from app.cli.shapes import tick_shape
from app.cli.usage import instant, seconds
from app.domain.reasons import told
from app.domain.workers import WorkerLine
from app.engine.once import PassReport
from app.service.changes import Change, Changes
from app.service.engine_room import EngineSwitch, build_runner, run_once
from app.service.runner import Fault, Runner
from app.service.workers import who_works

LOOK_EVERY_S = 0.5  # Windows delivers Ctrl+C to a waiting thread only between waits


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Run one command of this family."""
    match args.call:
        case "tick":
            at = instant(args.at, "--at") if args.at else None
            with desk.open(at, real_time=at is None) as parts:
                report = run_once(parts)
            if desk.as_json:
                write_json(desk.out, tick_shape(report))
            else:
                desk.say(_told_pass(report))
        case "engine":
            _engine(desk, seconds(args.seconds, "--for") if args.seconds else None)
        case "workers":
            with desk.open(real_time=True) as parts:
                lines, now = who_works(parts.open_uow), parts.clock.now()
            _tell_workers(desk, lines, now)
        case "pause":
            with desk.open() as parts:
                changed = EngineSwitch(parts.open_uow, parts.clock).pause(by=staff())
            _tell_switch(desk, paused=True, changed=changed)
        case _:
            # whoever lets it go on has looked at the clock of this machine, and that is what counts from now on
            with desk.open(real_time=True) as parts:
                changed = EngineSwitch(parts.open_uow, parts.clock).resume(by=staff())
            _tell_switch(desk, paused=False, changed=changed)
    return DONE


def _engine(desk: Desk, for_s: float | None) -> None:
    """Work until the time is up or TERM or INT comes; then finish the message in hand."""
    stopping = threading.Event()
    with _told_to_end(stopping), desk.opening.open_engine(desk.data) as parts:
        changes = Changes()
        runner = build_runner(parts, changes, stopping)
        teller = _Teller(desk, runner, stopping)
        changes.listen(teller.hear)
        if not desk.as_json:
            desk.say(f"The engine runs on {parts.folder}; Ctrl+C ends it.")
            desk.out.flush()
        runner.start()
        try:
            ends_at = None if for_s is None else time.monotonic() + for_s
            while not stopping.wait(LOOK_EVERY_S if ends_at is None else min(LOOK_EVERY_S, _left(ends_at))):
                if ends_at is not None and not _left(ends_at):
                    break
        finally:
            runner.stop(wait=True)


def _left(ends_at: float) -> float:
    return max(0.0, ends_at - time.monotonic())


@contextmanager
def _told_to_end(stopping: threading.Event) -> Iterator[None]:
    """While open, TERM and INT set `stopping` instead of cutting the work off."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread can be told by a signal
        return

    def end(_signal: int, _frame: FrameType | None) -> None:
        stopping.set()

    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Teller:
    """Tells every pass that did something, and every fault once."""

    def __init__(self, desk: Desk, runner: Runner, stopping: threading.Event) -> None:
        self._desk = desk
        self._runner = runner
        self._stopping = stopping
        self._told_pass: PassReport | None = None
        self._told_fault: Fault | None = None

    def hear(self, _change: Change) -> None:
        report, fault = self._runner.last_pass, self._runner.fault
        try:
            if report is not None and report is not self._told_pass:
                self._told_pass = report
                self._tell(report)
            if fault is not None and (self._told_fault is None or fault.told != self._told_fault.told):
                self._desk.complain(f"{stamp(fault.at)} {fault.told}")
            self._told_fault = fault
        except BrokenPipeError:  # whoever listened has gone; nobody asked this engine to go on unheard
            self._stopping.set()

    def _tell(self, report: PassReport) -> None:
        did = report.claimed or report.accepted or report.failed or report.ended or report.problems
        if not did and report.paused is None:
            return
        if self._desk.as_json:
            write_json_line(self._desk.out, tick_shape(report))
        else:
            self._desk.say(_told_pass(report))
        self._desk.out.flush()


def _told_pass(report: PassReport) -> str:
    if report.paused is not None:
        return f"{stamp(report.at)}  {told(report.paused)} To go on: stopwell unpause"
    figures = ("claimed", "queued", "accepted", "held", "ended", "failed", "problems")
    counts = {name: int(getattr(report, name)) for name in figures}
    said = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    return f"{stamp(report.at)}  {said or 'nothing is due'}"


def _tell_workers(desk: Desk, lines: Sequence[WorkerLine], now: datetime) -> None:
    if desk.as_json:
        write_json(desk.out, [_worker_shape(line, now) for line in lines])
        return
    for line in lines:
        state = "not heard of since" if line.silent(now) else "at work, last heard of"
        since = f"{line.host} (process {line.pid}), since {stamp(line.started_at.replace(microsecond=0))}"
        desk.say(f"{since}: {state} {stamp(line.seen_at.replace(microsecond=0))}")
    if not lines:
        desk.say("No engine is at work on this practice.")


def _worker_shape(line: WorkerLine, now: datetime) -> dict[str, object]:
    return {
        "worker": line.token,
        "host": line.host,
        "pid": line.pid,
        "started_at": line.started_at,
        "seen_at": line.seen_at,
        "lease_until": line.lease_until,
        "at_work": not line.silent(now),
    }


def _tell_switch(desk: Desk, *, paused: bool, changed: bool) -> None:
    if desk.as_json:
        write_json(desk.out, {"paused": paused, "changed": changed})
        return
    now = "All sending is paused" if paused else "Sending goes on"
    desk.say(f"{now}." if changed else f"{now}, as it was.")
