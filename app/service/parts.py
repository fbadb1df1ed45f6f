"""What services are made of, and what the command line may open. bootstrap builds it; nobody below it knows a store."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Protocol, TextIO

from app.domain.clock import Clock
from app.domain.legal_hours_rules import RulesRead
from app.domain.soundness import Finding
from app.engine.lineup_ports import Lineup
from app.engine.office_ports import OpenOfficeUow, OpenReader
from app.engine.ports import OpenUow, StopsSinceNote
from app.engine.rehearse import OpenScratch
from app.service.secrets import Secrets


class Soundness(Protocol):
    """Examines the database."""

    def findings(self, now: datetime) -> tuple[Finding, ...]:
        """Every check, in order."""
        ...

    def counts(self) -> Mapping[str, int]:
        """How many rows there are of each family."""
        ...


@dataclass(frozen=True, slots=True)
class Parts:
    """One practice, open. Built once for a data folder; used from any thread.

    folder: the data folder. database: the database in words, without a password. server: it is a PostgreSQL one.
    made_up_clock: `clock` shows a made-up time (`tick --at`), which the engine takes as the truth.
    open_engine_uow: rests after each commit, so that another process gets its turn. open_groups_uow: so too.
    lineup: who hands over and what is polled, as mode, settings and keys are now. as_if_live: as it would be live.
    secrets: the practice's keys on this computer; never asked on the UI's thread.
    seal: chains the hashes of the log's finished days, as of an instant (I15).
    open_scratch: a copy to rehearse in, which is thrown away.
    rules: gives the legal hours, as their rule pack was read.
    clock_ahead: how far this computer's clock is ahead of the server's, which `clock` shows; None without a server.
    """

    folder: Path
    database: str
    server: bool
    clock: Clock
    made_up_clock: bool
    open_uow: OpenOfficeUow
    open_engine_uow: OpenUow
    open_groups_uow: OpenOfficeUow
    open_reader: OpenReader
    lineup: Callable[[], Lineup]
    as_if_live: Callable[[], Lineup]
    stopped_since_note: StopsSinceNote
    seal: Callable[[datetime], object]
    soundness: Soundness
    open_scratch: OpenScratch
    rules: Callable[[], RulesRead]
    secrets: Secrets
    clock_ahead: Callable[[], timedelta] | None = None


class Opening(Protocol):
    """The ways to open a practice. data: what --data said, or None for STOPWELL_DATA or the default folder."""

    def is_made(self, data: str | None) -> bool:
        """Whether there is a practice to open. Raises OperatorError for settings that can't be read."""
        ...

    def open(
        self, data: str | None, at: datetime | None = None, *, real_time: bool = False
    ) -> AbstractContextManager[Parts]:
        """An existing practice. at: a made-up time, UTC; only in practice mode. real_time: not a made-up one that was
        reached, but the machine's.

        Raises OperatorError when there is none or `at` is not allowed, StoreError for a database that can't be used.
        """
        ...

    def open_engine(self, data: str | None) -> AbstractContextManager[Parts]:
        """An existing practice for an engine that runs on: alone on its folder, its clock going. Raises as `open`."""
        ...

    def make(self, data: str | None) -> AbstractContextManager[Parts]:
        """A new, empty data folder, taken away again when the `with` fails. Raises OperatorError when it is taken."""
        ...

    def window(self, data: str | None) -> int:
        """Open the window; the exit code."""
        ...

    def demo(self, data: str | None, out: TextIO) -> int:
        """Open the window on a made-up practice, or without a screen tell on `out` what goes out; the exit code."""
        ...

    def hide(self, text: str) -> str:
        """`text` without any secret that is known here (I16)."""
        ...

    def note_fault(self, data: str | None, fault: Exception) -> Path | None:
        """Write an unexpected error to the data folder's log; the log file, or None when there is no folder for it."""
        ...
