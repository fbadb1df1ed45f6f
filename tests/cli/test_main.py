from __future__ import annotations

import io
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import TextIO

import pytest

from app import __version__
from app.bootstrap import Builder
from app.cli.main import CHANNELS, KINDS, run
from app.domain.errors import OperatorError, StoreError
from app.domain.events import EventKind
from app.domain.states import Channel
from app.service.parts import Parts

COMMANDS = (
    *("demo", "init", "apply", "check", "publish", "retire", "holidays", "library", "rehearse", "import", "enroll"),
    *("event", "stop", "hold", "resume", "consent", "unmatched", "match", "set-aside", "calls", "call"),
    *("tasks", "task", "handled"),
    *("tick", "engine", "workers", "sources", "pause", "unpause", "try-channel"),
    *("keys", "test-connection", "checklist", "live", "practice"),
    *("people", "person", "queue", "messages", "why", "evidence", "overdue", "problems", "log", "journeys"),
    *("groups", "group"),
    *("try", "doctor"),
    *("sequences", "sequence", "journey", "ai"),
)


class ClosedOffice:
    """An office whose door does what a test wants: everything that may go wrong before a command begins."""

    def __init__(self, on_open: Callable[[], AbstractContextManager[Parts]] | None = None) -> None:
        self._on_open = on_open
        self.asked: list[str] = []

    def is_made(self, data: str | None) -> bool:
        return False

    def open(
        self, data: str | None, at: datetime | None = None, *, real_time: bool = False
    ) -> AbstractContextManager[Parts]:
        self.asked.append(f"open {data} {at}")
        assert self._on_open is not None, "this command opens nothing"
        return self._on_open()

    def open_engine(self, data: str | None) -> AbstractContextManager[Parts]:
        return self.open(data)

    def make(self, data: str | None) -> AbstractContextManager[Parts]:
        return self.open(data)

    def window(self, data: str | None) -> int:
        self.asked.append(f"window {data}")
        return 0

    def demo(self, data: str | None, out: TextIO) -> int:
        self.asked.append(f"demo {data}")
        return 0

    def hide(self, text: str) -> str:
        return text

    def note_fault(self, data: str | None, fault: Exception) -> Path | None:
        return Path("/data/stopwell.log") if data else None


def called(*argv: str, office: ClosedOffice | None = None) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    code = run(argv, office or ClosedOffice(), out, err)
    return code, out.getvalue(), err.getvalue()


def failing(fault: BaseException) -> ClosedOffice:
    def fail() -> AbstractContextManager[Parts]:
        raise fault

    return ClosedOffice(fail)


def test_the_version_is_told() -> None:
    assert called("--version") == (0, f"stopwell {__version__}\n", "")
    assert called("--data", "x", "--version") == (0, f"stopwell {__version__}\n", "")


def test_the_version_loads_nothing_heavy() -> None:
    heavy = (
        "sqlalchemy",
        "pydantic",
        "PySide6",
        "liquid",
        "phonenumbers",
        "yaml",
        "alembic",
        "apscheduler",
        "platformdirs",
    )
    code = (
        "import sys; from app.__main__ import main; code = main(['--version']); "
        f"print(code, [name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)

    assert done.stdout == f"stopwell {__version__}\n0 []\n"


def test_without_a_command_the_window_opens() -> None:
    office = ClosedOffice()

    assert called(office=office)[0] == 0
    assert called("--data", "here", office=office)[0] == 0
    assert office.asked == ["window None", "window here"]


def test_the_data_folder_may_stand_before_or_after_the_command() -> None:
    office = failing(OperatorError("no"))

    called("--data", "before", "people", office=office)
    called("people", "--data", "after", office=office)
    assert office.asked == ["open before None", "open after None"]


def test_help_lists_every_command_and_nothing_that_is_not_there() -> None:
    code, out, err = called("--help")

    listed = [line.split()[0] for line in out.splitlines() if line.startswith("    ") and line[4] != " "]
    assert (code, err) == (0, "")
    assert tuple(listed) == COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_helps_itself(command: str) -> None:
    code, out, err = called(command, "--help")

    assert (code, err) == (0, "")
    assert out.startswith(f"usage: stopwell {command}")


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (["enrol", "New lead"], "enrol is not known; did you mean enroll?"),
        (["people", "--jsn"], "unrecognized arguments: --jsn"),
        (["enroll"], "the following arguments are required: JOURNEY"),
        (["enroll", "New lead"], "one of the arguments --person --group is required"),
        (["event", "bookd", "--person", "1"], "bookd is not known; did you mean booked?"),
        (["publish", "x", "--move", "--finish"], "not allowed with argument"),
        (["import", "peeple", "x.csv"], "peeple is not known; did you mean people?"),
        (["import"], "the following arguments are required: WHAT"),
        (["stop"], "the following arguments are required: --person"),
    ],
)
def test_a_mistake_in_the_command_line_is_one_line_and_exit_code_two(argv: list[str], told: str) -> None:
    code, out, err = called(*argv)

    assert (code, out) == (2, "")
    assert told in err
    assert err.count("\n") == 1
    assert "--help" in err


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (["tick", "--at", "tomorrow"], "--at: tomorrow is not a time"),
        (["engine", "--for", "-3"], "--for: -3 is not a number of seconds"),
        (["hold", "--person", "1", "--until", "soon"], "--until: soon is not a time"),
        (["import", "people", "x.csv", "--map", "Email"], "--map: Email is not COLUMN=FIELD"),
        (["import", "undo", "last"], "ID: last is not a whole number"),
    ],
)
def test_a_wrong_value_is_told_before_anything_is_opened(argv: list[str], told: str) -> None:
    code, out, err = called(*argv)

    assert (code, out) == (2, "")
    assert err.startswith(told)
    assert err.count("\n") == 1


def test_what_staff_can_mend_is_one_line_with_the_way_out() -> None:
    office = failing(OperatorError("There is no practice in /x", "Make one: stopwell init"))

    assert called("people", office=office) == (1, "", "There is no practice in /x. Make one: stopwell init\n")


def test_a_database_that_can_not_be_used_is_one_line() -> None:
    office = failing(StoreError("/x/stopwell.sqlite: the disk is full.", "Free some space."))

    assert called("people", office=office) == (1, "", "/x/stopwell.sqlite: the disk is full. Free some space.\n")


def test_what_the_system_refuses_is_one_line_that_names_the_file() -> None:
    office = failing(PermissionError(13, "Permission denied", "/x/stopwell.sqlite"))

    assert called("people", office=office) == (1, "", "/x/stopwell.sqlite: Permission denied.\n")


def test_a_fault_of_ours_is_one_line_and_never_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STOPWELL_DEBUG", raising=False)

    code, out, err = called("people", "--data", "x", office=failing(ZeroDivisionError("Ana Diaz")))
    assert (code, out) == (1, "")
    assert err == (
        "Something went wrong inside Stopwell (ZeroDivisionError). Where it went wrong is in /data/stopwell.log.\n"
    )
    assert "STOPWELL_DEBUG=1" in called("people", office=failing(ZeroDivisionError()))[2]


def test_whoever_looks_for_a_fault_may_see_the_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STOPWELL_DEBUG", "1")

    assert "Traceback" in called("people", office=failing(ZeroDivisionError("x")))[2]


def test_ctrl_c_ends_a_command_without_a_traceback() -> None:
    code, out, err = called("people", office=failing(KeyboardInterrupt()))

    assert (code, out) == (1, "")
    assert err.count("\n") == 1


@pytest.mark.parametrize("what", ["people", "records"])
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_an_import_that_is_told_to_end_is_taken_back_as_by_ctrl_c(what: str, name: str) -> None:
    if not hasattr(signal, name):
        pytest.skip("a signal of POSIX")
    before = signal.getsignal(getattr(signal, name))

    def told_to_end() -> AbstractContextManager[Parts]:
        signal.raise_signal(getattr(signal, name))
        raise AssertionError("the signal came too late")

    code, out, err = called("import", what, "x.csv", office=ClosedOffice(told_to_end))

    assert (code, out) == (1, "")
    assert err.startswith("Stopped.")
    assert signal.getsignal(getattr(signal, name)) is before


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    assert called("people", office=failing(BrokenPipeError()))[0] == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("argv", [["--version"], ["people"]])
def test_an_answer_that_can_not_be_written_is_one_line(argv: list[str], tmp_path: Path) -> None:
    done = _process(argv, tmp_path, stdout="/dev/full")

    assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="a shell's way of closing a stream")
@pytest.mark.parametrize("argv", [["--version"], ["journeys"]])
def test_a_stream_that_is_closed_is_no_fault(argv: list[str], tmp_path: Path) -> None:
    closed_out = _process(argv, tmp_path, stdout="&-")
    closed_err = _process(argv, tmp_path, stderr="&-")

    assert (closed_out.returncode, closed_out.stderr) == (0, "")
    assert closed_err.returncode == 0
    assert closed_err.stdout


def _process(
    argv: list[str], tmp_path: Path, stdout: str = "&1", stderr: str = "&2"
) -> subprocess.CompletedProcess[str]:
    """One command in a process of its own at a new practice, its streams led elsewhere by the shell."""
    folder = tmp_path / "data"
    if not folder.exists():
        run(["init", "--practice", "Fernhollow", "--zone", "UTC", "--data", str(folder)], Builder({}), *_nowhere())
    command = shlex.join(
        [sys.executable, "-m", "app", *argv, *([] if argv == ["--version"] else ["--data", str(folder)])]
    )
    return subprocess.run(
        ["sh", "-c", f"{command} >{stdout} 2>{stderr}"],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        timeout=60,
        check=False,
    )


def _nowhere() -> tuple[io.StringIO, io.StringIO]:
    return io.StringIO(), io.StringIO()


def test_a_fault_that_keeps_even_the_folder_from_being_found_is_one_line(tmp_path: Path) -> None:
    out, err = io.StringIO(), io.StringIO()

    code = run(["people", "--data", "~nobody-of-that-name/x"], Builder({}), out, err)

    assert (code, out.getvalue(), err.getvalue().count("\n")) == (1, "", 1)


def test_the_words_of_the_command_line_are_the_words_of_the_domain() -> None:
    assert set(KINDS) == {kind.value for kind in EventKind} - {"stopped", "other"}
    assert set(CHANNELS) == {channel.value for channel in Channel}


def test_the_command_line_speaks_utf_8_whatever_the_locale(tmp_path: Path) -> None:
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "en_US.ISO-8859-1", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "app", "people", "--data", str(tmp_path / "Zoë 山田")],
        capture_output=True,
        env=environment,
        cwd=Path(__file__).parents[2],
        timeout=60,
        check=False,
    )

    assert done.returncode == 1
    assert "There is no practice in" in done.stderr.decode("utf-8")
    assert "Zoë" in done.stderr.decode("utf-8") or "Zo" in done.stderr.decode("utf-8")


def test_without_a_screen_the_window_says_so_and_names_the_commands(tmp_path: Path) -> None:
    out, err = io.StringIO(), io.StringIO()

    code = run(["--data", str(tmp_path / "data")], Builder({}), out, err)

    assert (code, out.getvalue()) == (1, "")
    assert "There is no screen here" in err.getvalue()
    assert err.getvalue().count("\n") == 1
    assert not (tmp_path / "data").exists()
