from __future__ import annotations

import logging
import os
import stat
from pathlib import Path

import pytest

from app.log_file import bare_traceback, log_to

log = logging.getLogger("app.somewhere")


def _fail(email: str, who: str) -> None:
    try:
        raise KeyError(email)
    except KeyError as inner:
        raise ValueError(who) from inner


@pytest.mark.expects_warning("job.failed")
def test_a_traceback_is_logged_with_its_places_and_without_what_it_choked_on(tmp_path: Path) -> None:
    with log_to(tmp_path / "stopwell.log"):
        try:
            _fail("ana" + "@example.com", "no row for " + "Ana" + " Diaz, " + "+1503" + "5550142")
        except ValueError:
            log.exception("job.failed")

    text = (tmp_path / "stopwell.log").read_text(encoding="utf-8")
    assert "ERROR app.somewhere: job.failed" in text
    assert "_fail" in text
    assert "KeyError" in text
    assert "ValueError" in text
    for private in ("Ana Diaz", "15035550142", "ana@example.com"):
        assert private not in text


@pytest.mark.expects_warning("sent to")
def test_an_address_that_slipped_into_a_line_is_taken_out(tmp_path: Path) -> None:
    with log_to(tmp_path / "stopwell.log"):
        log.warning("sent to %s and %s", "+15035550142", "ana.diaz@example.com")

    assert "sent to [number] and [address]" in (tmp_path / "stopwell.log").read_text(encoding="utf-8")


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_the_log_is_its_owners_alone_and_is_made_only_when_there_is_something_to_say(tmp_path: Path) -> None:
    file = tmp_path / "stopwell.log"
    with log_to(file):
        assert not file.exists()
        log.info("schema.brought_up_to_date")

    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_log_that_can_not_be_written_stops_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with log_to(tmp_path / "no such folder" / "stopwell.log"):
        log.info("tick.done")

    assert capfd.readouterr() == ("", "")


def test_an_error_that_is_its_own_cause_is_told_once() -> None:
    error = ValueError("x")
    error.__cause__ = error

    assert bare_traceback(error).count("ValueError") == 1
