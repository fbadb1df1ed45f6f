"""The one file that builds things: a data folder's store, clock and providers. No logic; heavy imports where used."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from datetime import datetime

    from app.data_folder import DataFolder
    from app.domain.clock import Clock
    from app.domain.provider_settings import Receiver
    from app.domain.secret import Secret, SecretName
    from app.known_secrets import KnownSecrets
    from app.service.parts import Parts
    from app.service.receiving import Receiving
    from app.store.unit_of_work import Store

REST_S = 0.001  # after each of the engine's commits on SQLite, so that another process gets its turn (ADR 0002)


class Builder:
    """Opens practices: implements service.parts.Opening. environment: where settings such as STOPWELL_DATA are."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._environment = environment
        self._hidden: KnownSecrets | None = None
        self._given: dict[SecretName, Secret] = {}

    def is_made(self, data: str | None) -> bool:
        """Whether there is a practice to open."""
        from app.data_folder import is_made

        return is_made(self._folder(data))

    @contextmanager
    def open(self, data: str | None, at: datetime | None = None, *, real_time: bool = False) -> Iterator[Parts]:
        """An existing practice. at: a made-up time, UTC; only in practice mode. real_time: not a made-up one."""
        from app.data_folder import check_made

        folder = self._folder(data)
        check_made(folder)
        with self._opened(folder) as store:
            clock = _clock_of_command(_look(folder, store), at, store, real_time=real_time)
            yield self._parts(folder, store, clock, made_up_clock=at is not None)

    @contextmanager
    def open_engine(self, data: str | None) -> Iterator[Parts]:
        """An existing practice for an engine that runs on: on the real time, and alone on its folder's SQLite file."""
        from app.data_folder import check_made, engine_lock

        folder = self._folder(data)
        check_made(folder)
        with engine_lock(folder), self._opened(folder) as store:
            _look(folder, store)
            parts = self._parts(folder, store, _real_clock(store))
            with _receiving(parts):
                yield parts

    @contextmanager
    def make(self, data: str | None) -> Iterator[Parts]:
        """A new, empty data folder, taken away again when the `with` fails. Raises OperatorError when one is there."""
        from app.data_folder import keep_server, make_folder, making_lock, take_away_folder

        folder = self._folder(data)
        _check_free(folder)
        is_new = make_folder(folder)
        try:
            with making_lock(folder):
                _check_free(folder)  # again: another may have been quicker
                with self._begun(folder) as parts:
                    yield parts
                keep_server(folder)
        except BaseException:
            if is_new:
                take_away_folder(folder)
            raise

    @contextmanager
    def _begun(self, folder: DataFolder) -> Iterator[Parts]:
        """A database for a new practice: there whole at the end, or not at all."""
        from app.data_folder import make_private_file, take_away_database

        try:
            if folder.server is None:
                make_private_file(folder.sqlite_file)
            with self._opened(folder) as store:
                yield self._parts(folder, store, _real_clock(store))
        except BaseException:  # Ctrl+C too
            take_away_database(folder)
            raise

    def note_fault(self, data: str | None, fault: Exception) -> Path | None:
        """Write an unexpected error to the data folder's log; the file, or None when there is no folder."""
        import logging

        from app.domain.errors import StopwellError
        from app.log_file import log_to

        try:
            folder = self._folder(data)
            there = folder.path.is_dir()
        except (StopwellError, OSError):
            return None
        if not there:
            return None
        with log_to(folder.log_file, self.hide):
            logging.getLogger("app.cli").error("command.failed", exc_info=fault)
        return folder.log_file

    def _folder(self, data: str | None) -> DataFolder:
        from app.data_folder import find_folder, passwords_of

        folder = find_folder(data, self._environment)
        for password in passwords_of(folder.server):
            self._known().add(password)
        return folder

    def hide(self, text: str) -> str:
        """`text` without any secret that was read or given here (I16)."""
        return text if self._hidden is None else self._hidden.hide(text)

    def _known(self) -> KnownSecrets:
        """What to hide. The first call takes the environment's secrets: before anything is opened or written."""
        if self._hidden is None:
            from app.given_secrets import take_given
            from app.known_secrets import KnownSecrets

            self._hidden = KnownSecrets()
            self._given = take_given(self._environment, self._hidden)
        return self._hidden

    @contextmanager
    def _opened(self, folder: DataFolder) -> Iterator[Store]:
        """The folder's database, brought up to date, with its log; closed at the end."""
        from app.data_folder import make_path
        from app.log_file import log_to
        from app.providers.system_clock import SystemClock
        from app.rules_file import rules_of
        from app.store.migrate import bring_up_to_date
        from app.store.session import Session, sqlite_url
        from app.store.unit_of_work import Store

        _arm_for_tests(self._environment)
        make_path(folder.path)  # a worker on a server may have none yet
        with log_to(folder.log_file, self.hide):
            session = Session(folder.server or sqlite_url(folder.sqlite_file))
            try:
                bring_up_to_date(session, SystemClock().now())
                yield Store(session, rules_of(folder.path))
            finally:
                session.dispose()

    def _parts(self, folder: DataFolder, store: Store, clock: Clock, *, made_up_clock: bool = False) -> Parts:
        from app.data_folder import make_private_file
        from app.providers.keyring_secrets import KeyringSecrets
        from app.providers.lineup import Lineups
        from app.providers.practice import PracticeOutbox
        from app.service.parts import Parts
        from app.store.connections import ConnectionsKept
        from app.store.scratch import scratch_store
        from app.store.seals import seal_log
        from app.store.server_clock import ServerClock
        from app.store.soundness import Soundness

        make_private_file(folder.practice_outbox)
        outbox = PracticeOutbox(folder.practice_outbox, clock)
        known = self._known()
        kept = ConnectionsKept(store)
        secrets = KeyringSecrets(kept.practice_id, self._given, known)
        lineups = Lineups(kept, secrets, outbox, clock, self.hide, shared=folder.server is not None)
        return Parts(
            folder=folder.path,
            database=folder.told_database(),
            server=folder.server is not None,
            clock=clock,
            made_up_clock=made_up_clock,
            open_uow=store.open_uow,
            open_engine_uow=partial(store.open_uow, REST_S),
            open_groups_uow=partial(store.open_uow, REST_S),
            open_reader=store.open_reader,
            lineup=lineups,
            as_if_live=lineups.as_if_live,
            stopped_since_note=store.stops_since_note,
            seal=partial(seal_log, store.session),
            soundness=Soundness(store.session),
            open_scratch=partial(scratch_store, store),
            rules=store.memory.rules,
            secrets=secrets,
            clock_ahead=clock.ahead if isinstance(clock, ServerClock) else None,
        )

    def window(self, data: str | None) -> int:
        """Open the window; the exit code. Raises OperatorError when there is no screen, or Qt can't be loaded."""
        import sys

        from app.cli.desk import staff
        from app.domain.errors import OperatorError
        from app.ui.screen_check import why_no_window

        missing = why_no_window(sys.platform, self._environment)
        if missing is not None:
            raise OperatorError(missing)
        try:
            from app.ui.run import WindowOpening, run_window
        except ImportError as exc:
            raise OperatorError(
                f"The window can't be opened: {exc}.", "Install that library; README says which."
            ) from exc
        folder = self._folder(data)
        return run_window(WindowOpening(folder.path, staff(), partial(self.open_engine, data)))

    def demo(self, data: str | None, out: TextIO) -> int:
        """Open the window on a made-up practice, or without a screen tell on `out` what goes out; the exit code."""
        import sys

        from app.demo_folder import demo_path, without_the_real_one
        from app.ui.screen_check import why_no_window

        path = demo_path(data)
        apart = Builder(without_the_real_one(self._environment))
        no_window = why_no_window(sys.platform, self._environment)
        if no_window is None:
            out.write("Making the made-up practice, which takes a few seconds…\n")
            out.flush()
        if not apart.make_demo(path) and no_window is not None:
            out.write("The made-up practice is open in another Stopwell; this is how it stands.\n")
        if no_window is None:
            return apart.window(str(path))
        from app.cli.demo import tell_demo

        with apart.open(str(path)) as parts:
            tell_demo(parts, out, why_no_window=no_window)
        return 0

    def make_demo(self, path: Path) -> bool:
        """The made-up practice in `path`, anew; False when another Stopwell has it open, which is left as it is."""
        from app.data_folder import DataFolder, engine_lock, make_path, make_private_file
        from app.demo_folder import clear, mark
        from app.domain.errors import OperatorError
        from app.providers.system_clock import StoryClock, SystemClock
        from app.service.demo import Demo, demo_files

        folder = DataFolder(path)
        make_path(path)
        try:
            with engine_lock(folder):
                clear(path)
                mark(folder)
                make_private_file(folder.sqlite_file)
                now = SystemClock().now()
                clock = StoryClock(now)
                with self._opened(folder) as store:
                    parts = self._parts(folder, store, clock, made_up_clock=True)
                    Demo(parts, clock.set, now).tell(demo_files())
        except OperatorError:
            if (path / "made-up-practice").exists() and folder.sqlite_file.exists():
                return False
            raise
        return True


def _check_free(folder: DataFolder) -> None:
    """Raises OperatorError when the folder has a practice. A server is asked when the first rows are written."""
    from app.data_folder import is_made, taken
    from app.store.migrate import holds_practice
    from app.store.session import Session, sqlite_url

    if folder.server is not None or not is_made(folder):
        return
    session = Session(sqlite_url(folder.sqlite_file))
    try:
        if holds_practice(session):
            raise taken(folder)
    finally:
        session.dispose()


@contextmanager
def _receiving(parts: Parts) -> Iterator[None]:
    """While open, the receiver listens, where the practice has set one. That it can't is told, and stops nothing."""
    from contextlib import ExitStack

    with ExitStack() as stack:
        with parts.open_uow() as uow:
            settings = uow.documents.providers().receiver
        if settings is not None:
            from app.intake.server import receive

            stack.enter_context(receive(_doors(parts), settings))
        yield


def _doors(parts: Parts) -> Receiving:
    from app.providers.signatures import ProviderSignatures
    from app.service.delivery_news import DeliveryNews
    from app.service.intake import Intake
    from app.service.leads import Leads
    from app.service.receiving import Receiving

    def settings() -> Receiver | None:
        with parts.open_uow() as uow:
            return uow.documents.providers().receiver

    return Receiving(
        settings=settings,
        intake=Intake(parts.open_uow, parts.clock),
        leads=Leads(parts.open_uow, parts.clock),
        news=DeliveryNews(parts.open_uow, parts.clock),
        secrets=parts.secrets,
        signatures=ProviderSignatures(),
        clock=parts.clock,
        open_uow=parts.open_uow,
    )


@dataclass(frozen=True, slots=True)
class _Seen:
    """What decides which clock a practice is on. stands_at: the made-up time of the last tick, None for a real one.

    nobody_reached: practice mode, or providers that are stand-ins on this machine.
    """

    nobody_reached: bool
    stands_at: datetime | None


def _look(folder: DataFolder, store: Store) -> _Seen:
    """Raises OperatorError for a database without a practice: a server's, before init."""
    from app.domain.errors import OperatorError

    with store.open_uow() as uow:
        if uow.documents.practice() is None:
            hint = "Make one: stopwell init --practice NAME --zone ZONE."
            raise OperatorError(f"There is no practice in {folder.told_database()}.", hint)
        engine = uow.engine.read()
        nobody_reached = uow.documents.practice_mode() or uow.documents.providers().on_this_machine
        return _Seen(nobody_reached, engine.clock_seen_at if engine.clock_made_up else None)


def _real_clock(store: Store) -> Clock:
    """The time by which everybody on this database goes: its server's, or for a file this machine's (ADR 0019)."""
    from app.providers.system_clock import SystemClock
    from app.store.server_clock import ServerClock

    return SystemClock() if store.session.is_sqlite else ServerClock(SystemClock(), store.session.asking_time)


def _clock_of_command(seen: _Seen, at: datetime | None, store: Store, *, real_time: bool) -> Clock:
    """The time that one command sees: `at`, or the made-up time at which the practice stands, or the real one.

    real_time: the real one wherever the practice stands, for what takes it back from a made-up time.
    """
    from app.domain.errors import OperatorError
    from app.providers.system_clock import FixedClock

    if at is not None:
        if not seen.nobody_reached:
            told = "A made-up time is for practice mode, or for providers on this machine."
            raise OperatorError(told, "Leave --at out.")
        return FixedClock(at)
    if seen.stands_at is not None and seen.nobody_reached and not real_time:
        return FixedClock(seen.stands_at)
    return _real_clock(store)


def _arm_for_tests(environment: Mapping[str, str]) -> None:
    """Let a test's child process be killed at a checkpoint: POINT, or POINT:N for the Nth time it is reached."""
    point = environment.get("STOPWELL_TEST_KILL_AT", "")
    if environment.get("STOPWELL_TEST_HOOKS") != "1" or not point:
        return
    import signal
    from itertools import count
    from typing import cast, get_args

    from app.engine import checkpoints

    name, _, nth = point.partition(":")
    if name not in get_args(checkpoints.Checkpoint):
        raise ValueError(f"there is no checkpoint {name}")
    times = count(1)

    def kill() -> None:
        if next(times) >= int(nth or "1"):
            os.kill(os.getpid(), signal.SIGKILL)

    checkpoints.arm(cast("checkpoints.Checkpoint", name), kill)
