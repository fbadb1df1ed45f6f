"""What the tests of the outbound edge share: a real mail server, where there is one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.dovecot import Box, Dovecot, NoDovecot


@pytest.fixture(scope="session")
def dovecot() -> Iterator[Dovecot]:
    """The session's mail server; without one the test is skipped, and says how to get one."""
    missing = ""
    try:
        server = Dovecot.start()
    except NoDovecot as exc:
        missing = str(exc)
    if missing:
        pytest.skip(missing)
    yield server
    server.stop()


@pytest.fixture
def box(dovecot: Dovecot) -> Box:
    """An empty mailbox of a test's own."""
    return dovecot.box()
