"""House rules about what is shipped: locks, versions, addresses, links, and a fast start."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import metadata

import pytest

import app
from tests.house.tree import ROOT, name, ours

LOCKS = ("requirements.lock", "requirements-dev.lock")

# Packages that cost tens or hundreds of milliseconds: each loads with the room that owns it.
HEAVY = (
    *("PySide6", "alembic", "apscheduler", "holidays", "keyring", "liquid", "phonenumbers", "psycopg", "pydantic"),
    *("pysqlite3", "sendgrid", "sqlalchemy", "twilio"),
)

# Put together here, so that this file does not name what it forbids.
_HOMES = re.compile(r"(?<![\w.$}*-])/(?:root|work|home|Users)/\w")
_NEIGHBOURS = re.compile(r"\.\./share" + r"d\b|\bshare" + r"d/(?:datasets|contracts|hooks|ui)\b")
_REGISTRIES = re.compile(
    "|".join(re.escape(host) for host in ("pypi" + ".org", "python" + "hosted.org", "deb.debian" + ".org"))
)


def _texts() -> list[tuple[str, str]]:
    """Every file of ours that is text, with its name."""
    texts = []
    for path in ours():
        try:
            texts.append((name(path), path.read_text(encoding="utf-8")))
        except UnicodeDecodeError:
            continue  # a picture, or a data file in another encoding: nothing in it is read as a path
    return texts


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_address(lock: str) -> None:
    assert "://" not in (ROOT / lock).read_text(encoding="utf-8")


@pytest.mark.parametrize("lock", LOCKS)
def test_every_package_in_a_lock_is_pinned_and_hashed(lock: str) -> None:
    # given: one package is a line without indent and its continuation lines
    text = (ROOT / lock).read_text(encoding="utf-8").replace("\\\n", " ")
    packages = [line for line in text.splitlines() if line and not line.startswith(("#", " "))]

    loose = [line.split()[0] for line in packages if "==" not in line or "--hash=sha256:" not in line]

    assert packages
    assert loose == []


def test_what_users_install_is_what_was_tested() -> None:
    pins = [set(re.findall(r"^(\S+==\S+)", (ROOT / lock).read_text(encoding="utf-8"), re.MULTILINE)) for lock in LOCKS]

    assert pins[0] <= pins[1]


def test_versions_agree() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## (\S+)", changes, re.MULTILINE)

    assert newest is not None
    assert newest.group(1) == app.__version__
    assert metadata.version("stopwell") == app.__version__, "run `make setup`"


def test_asking_for_the_version_loads_nothing_heavy() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "app", "--version"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    modules = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}

    assert done.returncode == 0, done.stderr
    assert app.__version__ in done.stdout
    assert "app" in modules
    assert modules.isdisjoint(HEAVY)


def test_no_file_names_a_folder_of_one_machine() -> None:
    named = [(file, found.group()) for file, text in _texts() for found in _HOMES.finditer(text)]

    assert named == []


def test_no_file_names_what_lies_outside_the_repository() -> None:
    named = [(file, found.group()) for file, text in _texts() for found in _NEIGHBOURS.finditer(text)]

    assert named == []


def test_no_file_names_a_package_registry() -> None:
    named = [(file, found.group()) for file, text in _texts() for found in _REGISTRIES.finditer(text)]

    assert named == []


def test_links_in_documents_lead_somewhere() -> None:
    broken = [
        (name(path), target)
        for path in ours()
        if path.suffix == ".md"
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", path.read_text(encoding="utf-8"))
        if "://" not in target and not (path.parent / target).exists()
    ]

    assert broken == []


def test_every_decision_is_in_the_index() -> None:
    folder = ROOT / "docs" / "adr"
    index = (folder / "README.md").read_text(encoding="utf-8")
    records = sorted(path.name for path in folder.glob("[0-9]*.md"))

    assert records
    assert [record for record in records if f"({record})" not in index] == []
    assert [record[:4] for record in records] == [f"{number:04}" for number in range(1, len(records) + 1)]
