"""What every test gets: an environment that touches nothing of this machine's own, and a log that stays quiet."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

# One place for the databases: a session's template is made once, whoever asks for it first.
from tests.databases import (  # noqa: F401
    database_url,
    postgres_database_url,
    postgres_pool,
    shared_world,
    sqlite_database_url,
    sqlite_template,
    store,
    world,
)

if TYPE_CHECKING:
    from tests.postgres import PostgresServer

# `ci` is the default: the same examples at every run, so that a red build means a changed product. `search` looks
# for new ones: `make test HYPOTHESIS_PROFILE=search`.
settings.register_profile("ci", derandomize=True, deadline=None, max_examples=60, database=None)
settings.register_profile("search", deadline=None, max_examples=2_000)

_own_folders: list[str] = []


def pytest_configure(config: pytest.Config) -> None:
    """Turn the environment away from the real keyring, the real data folder and the real screen."""
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
    for name in [name for name in os.environ if name.startswith("STOPWELL_")]:
        if not name.startswith("STOPWELL_TEST_") and name != "STOPWELL_CONTRACTS":
            del os.environ[name]
    # A test that needs a keyring sets an in-memory one; any other that reaches for it fails.
    os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    own = tempfile.mkdtemp(prefix="stopwell-test-home-")
    _own_folders.append(own)
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        os.environ[name] = str(Path(own, name.lower()))


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove what `pytest_configure` made."""
    while _own_folders:
        shutil.rmtree(_own_folders.pop())


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what asks for PostgreSQL, so that `-m "not postgres"` leaves it out."""
    for item in items:
        if "postgres_server" in getattr(item, "fixturenames", ()):
            item.add_marker("postgres")


class _Warnings(logging.Handler):
    """Keeps what the product logs at WARNING or above."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@pytest.fixture(autouse=True)
def quiet_log(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fails a test whose log holds a warning it did not announce, or lacks one that it did.

    A test announces one with `@pytest.mark.expects_warning("part of the line")`, as often as it needs.
    """
    heard = _Warnings()
    log = logging.getLogger("app")
    log.addHandler(heard)
    yield
    if heard not in log.handlers:
        pytest.fail("The test took away the handler that listens for warnings.", pytrace=False)
    log.removeHandler(heard)
    announced = [str(mark.args[0]) for mark in request.node.iter_markers("expects_warning")]
    told = [record.getMessage() for record in heard.records]
    missing = [text for text in announced if not any(text in line for line in told)]
    unexpected = [
        f"{record.levelname} {record.name}: {line}"
        for record, line in zip(heard.records, told, strict=True)
        if not any(text in line for text in announced)
    ]
    if unexpected:
        pytest.fail("Unexpected in the log:\n  " + "\n  ".join(unexpected), pytrace=False)
    if missing:
        pytest.fail("Announced, but never logged:\n  " + "\n  ".join(missing), pytrace=False)


@pytest.fixture
def tmp_data_dir(tmp_path: Path) -> Path:
    """An empty data folder that only its owner can read."""
    folder = tmp_path / "stopwell-data"
    folder.mkdir(mode=0o700)
    return folder


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """The session's PostgreSQL server, started when the first test asks. Without one the test fails, never skips."""
    from tests.postgres import NoPostgres, PostgresServer

    missing = ""
    try:
        server = PostgresServer.start()
    except NoPostgres as exc:
        missing = str(exc)
    if missing:
        pytest.fail(f"{missing}\nThe locked packages hold one: run `make setup`.", pytrace=False)
    yield server
    server.stop()


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """The URL of a fresh, empty PostgreSQL database; it is dropped after the test."""
    name = postgres_server.fresh_name()
    yield postgres_server.create_database(name)
    postgres_server.drop_database(name)
