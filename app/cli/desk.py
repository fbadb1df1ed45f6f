"""What every command works at: the practice it opens, where it writes, and how it says that something went wrong."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import TextIO

from app.cli.output import printable
from app.cli.usage import UsageError
from app.domain.errors import OperatorError, StopwellError
from app.domain.ids import PersonId
from app.service.parts import Opening, Parts

DONE, REFUSED, USAGE = 0, 1, 2
DEBUG_VARIABLE = "STOPWELL_DEBUG"


@dataclass(frozen=True, slots=True)
class Desk:
    """One call of the command line. data: what --data said, or None. as_json: answer in JSON."""

    opening: Opening
    out: TextIO
    err: TextIO
    data: str | None
    as_json: bool

    def open(self, at: datetime | None = None, *, real_time: bool = False) -> AbstractContextManager[Parts]:
        """The practice. at: a made-up time (practice mode only). real_time: the machine's, not a made-up one."""
        return self.opening.open(self.data, at, real_time=real_time)

    def say(self, line: str) -> None:
        """One line of the answer, for people."""
        self.out.write(f"{printable(line)}\n")

    def complain(self, line: str) -> None:
        """One line on the error stream."""
        self.err.write(f"{printable(self.opening.hide(line)).strip()}\n")

    def guarded(self, call: Callable[[], int]) -> int:
        """Run `call` and give the exit code. Whatever goes wrong is one clear line, never a traceback."""
        try:
            code = call()
            self.out.flush()
        except BrokenPipeError:  # `| head` has seen enough
            let_go_of_stdout(self.out)
            return DONE
        except UsageError as exc:
            self.complain(str(exc))
            return USAGE
        except StopwellError as exc:
            self.complain(self._told(exc))
            return REFUSED
        except KeyboardInterrupt:
            self.complain("Stopped. What was not finished was not begun.")
            return REFUSED
        except OSError as exc:
            self.complain(_told_by_system(exc))
            if exc.filename is None:  # no file of ours: it is the answer that nobody takes
                let_go_of_stdout(self.out)
            return REFUSED
        except Exception as exc:  # noqa: BLE001 (the one door: a bug ends as one line, and its traceback in the log)
            self.complain(self._told_as_fault(exc))
            return REFUSED
        return code

    def _told_as_fault(self, fault: Exception) -> str:
        self._debug(fault)
        file = self.opening.note_fault(self.data, fault)
        where = f"Where it went wrong is in {file}." if file else f"Set {DEBUG_VARIABLE}=1 to see where."
        return f"Something went wrong inside Stopwell ({type(fault).__name__}). {where}"

    def _told(self, error: StopwellError) -> str:
        self._debug(error.__cause__)
        told = error.told.strip()
        if error.hint and not told.endswith((".", "!", "?", "…")):
            told = f"{told}."
        return f"{told} {error.hint}".strip()

    def _debug(self, fault: BaseException | None) -> None:
        """The traceback for whoever asked for it, without a secret (I16)."""
        if fault is not None and os.environ.get(DEBUG_VARIABLE):
            self.err.write(self.opening.hide("".join(traceback.format_exception(fault))))


def _told_by_system(error: OSError) -> str:
    """An error of the file system: which file, and what the system says about it."""
    said = error.strerror or str(error) or type(error).__name__
    return f"{error.filename}: {said}." if error.filename else f"The answer can't be written: {said}."


def let_go_of_stdout(out: TextIO) -> None:
    """Point the process's output at nothing, or Python complains about it once more at its end, and exits with 120."""
    if out is sys.stdout:
        os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())


def staff() -> str:
    """Who works at this command line, as the log names them: the name they logged in by."""
    from getpass import getuser

    try:
        return getuser()
    except (OSError, KeyError, ImportError):  # no account of that number on this machine
        return "command line"


def find_person(parts: Parts, ref: str) -> PersonId:
    """The one person that REF means. Raises UsageError when it is blank, OperatorError for nobody, or several."""
    if not ref.strip():
        raise UsageError("Say whom: an id, an email or a phone number.")
    with parts.open_uow() as uow:
        found = uow.office.find_person(ref)
    if len(found) == 1:
        return found[0]
    if not found:
        raise OperatorError(
            f"Nobody here is {ref}.", "Give an id, an email or a phone number; stopwell people lists them."
        )
    ids = ", ".join(str(each) for each in found[:10])
    raise OperatorError(f"{ref} fits {len(found)} people.", f"Name one by its id: {ids}.")
