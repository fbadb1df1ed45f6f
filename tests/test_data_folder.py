from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from app.data_folder import (
    DataFolder,
    check_made,
    engine_lock,
    find_folder,
    is_made,
    keep_server,
    make_folder,
    make_private_file,
    making_lock,
    readable_by_others,
    take_away_folder,
)
from app.domain.errors import OperatorError

SERVER = "postgresql://desk@db.example/fernhollow"


def test_the_folder_is_what_data_says_then_the_environment_then_the_users_own(tmp_path: Path) -> None:
    environment = {"STOPWELL_DATA": str(tmp_path / "named")}

    assert find_folder(str(tmp_path / "given"), environment).path == tmp_path / "given"
    assert find_folder(None, environment).path == tmp_path / "named"
    assert find_folder(None, {}).path.name == "stopwell"


def test_a_server_comes_from_the_environment_or_from_the_folders_settings(tmp_path: Path) -> None:
    (tmp_path / "stopwell.toml").write_text(f'database = "{SERVER}"\n', encoding="utf-8")

    assert find_folder(str(tmp_path), {}).server == SERVER
    assert find_folder(str(tmp_path), {"STOPWELL_DATABASE": "postgresql:///other"}).server == "postgresql:///other"


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ('databse = "x"', "unknown key databse. Did you mean database?"),
        ("database = 3", "database is not a URL"),
        ("database = ", "is not well formed"),
        ('database = "postgresql://desk:secret@db.example/x"', "holds a password"),
        ('database = "mysql://db.example/x"', "begins with mysql://"),
        ('database = "fernhollow"', "is not a URL"),
        ('database = "postgresql://desk:secret@db.example:port/x"', "can't be read"),
        ('database = "postgresql://desk:secret@[::1/x"', "can't be read"),
    ],
)
def test_wrong_settings_are_one_clear_line_that_never_shows_a_password(
    tmp_path: Path, settings: str, told: str
) -> None:
    (tmp_path / "stopwell.toml").write_text(settings, encoding="utf-8")

    with pytest.raises(OperatorError) as refused:
        find_folder(str(tmp_path), {})

    assert told in str(refused.value)
    assert "secret" not in str(refused.value)


def test_a_folder_that_is_no_folder_has_no_settings(tmp_path: Path) -> None:
    file = tmp_path / "letter.odt"
    file.write_text("")

    with pytest.raises(OperatorError, match="is not a folder"):
        check_made(find_folder(str(file), {}))


def test_settings_that_can_not_be_reached_are_told_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "stopwell.toml").mkdir()

    with pytest.raises(OperatorError, match=r"stopwell.toml can't be read: Is a directory. Give this account"):
        find_folder(str(tmp_path), {})


@pytest.mark.parametrize("name", ["", "  "])
def test_an_empty_name_never_ends_at_the_users_own_practice(name: str) -> None:
    with pytest.raises(OperatorError, match="--data names no folder"):
        find_folder(name, {"STOPWELL_DATA": "/somewhere"})


def test_a_home_folder_that_there_is_not_is_told() -> None:
    with pytest.raises(OperatorError, match="~nobody-of-that-name/x begins with a home folder that there is not"):
        find_folder("~nobody-of-that-name/x", {})
    with pytest.raises(OperatorError, match="begins with a home folder that there is not"):
        find_folder(None, {"STOPWELL_DATA": "~nobody-of-that-name/x"})


def test_a_database_in_words_has_no_password() -> None:
    folder = DataFolder(Path("/somewhere"), "postgresql://desk:secret@db.example/fernhollow")

    assert folder.told_database() == "PostgreSQL database fernhollow on db.example"


def test_nothing_to_open_says_how_to_begin(tmp_path: Path) -> None:
    with pytest.raises(OperatorError, match=r"There is no practice in .* stopwell init"):
        check_made(DataFolder(tmp_path))

    (tmp_path / "file").write_text("")
    with pytest.raises(OperatorError, match="is not a folder"):
        check_made(DataFolder(tmp_path / "file"))

    check_made(DataFolder(tmp_path / "nowhere", SERVER))


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_a_new_folder_and_its_files_are_their_owners_alone(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "a" / "new")

    assert make_folder(folder)
    make_private_file(folder.sqlite_file)

    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700
    assert stat.S_IMODE(folder.sqlite_file.stat().st_mode) == 0o600
    assert readable_by_others(folder) == ()
    folder.sqlite_file.chmod(0o644)
    assert readable_by_others(folder) == (), "nobody else gets into the folder"
    folder.path.chmod(0o755)
    assert readable_by_others(folder) == (folder.path, folder.sqlite_file)


def test_a_folder_with_other_files_is_not_taken(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "taken")
    make_folder(folder)
    folder.log_file.write_text("")
    folder.sqlite_file.write_text("")
    assert not make_folder(folder), "a folder with our own log, and what an init that was cut off left, may be taken"

    (folder.path / "letters.odt").write_text("")
    with pytest.raises(OperatorError, match="holds other files"):
        make_folder(folder)


def test_a_folder_that_can_not_be_made_is_told_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(OperatorError, match=r"file/new can't be made: Not a directory. .* --data"):
        make_folder(DataFolder(tmp_path / "file" / "new"))


def test_an_empty_database_file_is_no_practice(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    folder.sqlite_file.write_text("")

    assert not is_made(folder)
    with pytest.raises(OperatorError, match="stopwell init"):
        check_made(folder)


def test_a_new_folder_that_came_to_nothing_goes_and_one_with_anything_in_it_stays(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "new")
    make_folder(folder)
    with (
        making_lock(folder),
        pytest.raises(OperatorError, match="Another Stopwell is at work in"),
        making_lock(folder),
    ):
        pass

    folder.log_file.write_text("something went wrong")
    take_away_folder(folder)
    assert folder.path.exists()

    folder.log_file.unlink()
    take_away_folder(folder)
    assert not folder.path.exists()


def test_a_server_is_kept_in_the_folder_only_without_a_password(tmp_path: Path) -> None:
    with_password = DataFolder(tmp_path, "postgresql://desk:secret@db.example/x")
    without = DataFolder(tmp_path, SERVER)

    assert not keep_server(with_password)
    assert keep_server(without)
    assert find_folder(str(tmp_path), {}).server == SERVER


def test_only_one_engine_runs_on_a_folder_and_a_server_takes_many(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)

    with engine_lock(folder):
        with pytest.raises(OperatorError, match="Another Stopwell runs the engine on"), engine_lock(folder):
            pass
        with engine_lock(DataFolder(tmp_path, SERVER)), engine_lock(DataFolder(tmp_path, SERVER)):
            pass
    with engine_lock(folder):
        pass
