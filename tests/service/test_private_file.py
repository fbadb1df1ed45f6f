"""A new private file is there whole or not at all, and never takes the place of another."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from app.domain.errors import OperatorError
from app.service.private_file import check_new, write_new


def test_a_new_file_is_its_owners_alone_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        write_new(tmp_path / "new.json", "täglich\n")
    finally:
        os.umask(before)

    assert (tmp_path / "new.json").read_bytes() == "täglich\n".encode()
    assert stat.S_IMODE((tmp_path / "new.json").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["new.json"]


def test_a_text_that_can_not_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(UnicodeEncodeError):
        write_new(tmp_path / "new.json", "half a letter \ud800")

    assert list(tmp_path.iterdir()) == []


def test_what_is_there_stays_whatever_it_is(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")

    for name in ("file", "folder", "nowhere", "file/in-it", "missing/in-it"):
        with pytest.raises(OperatorError):
            check_new(tmp_path / name)
        with pytest.raises(OperatorError):
            write_new(tmp_path / name, "theirs")

    assert (tmp_path / "file").read_text(encoding="utf-8") == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder", "nowhere"]
