"""sources: where what comes in is read, in words, as JSON, and as an exit code."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from app.data_folder import DataFolder
from app.domain.answer import Outage
from app.domain.mailbox_fault import MailboxFault, mailbox_code
from app.domain.reasons import Why
from app.store.session import Session, sqlite_url
from app.store.unit_of_work import Store
from tests.shop import Shop

AT = datetime(2026, 11, 2, 17, 30, tzinfo=UTC)


def stand(shop: Shop, name: str, fault: Outage | None = None, read_at: datetime | None = AT) -> None:
    """A source stands like this, as the engine leaves it."""
    session = Session(sqlite_url(DataFolder(shop.folder).sqlite_file))
    with Store(session).open_uow() as uow:
        if read_at is not None:
            uow.marks.read_to(name, {"at": 1}, read_at, whole=True)
        if fault is not None:
            uow.marks.failed(name, fault, AT)
    session.dispose()


def test_a_practice_that_reads_nothing_says_so(new_shop: Shop) -> None:
    assert new_shop.done("sources").out.startswith("Nothing is read from outside")
    assert new_shop.json("sources") == []


def test_what_works_says_when_it_was_read_last(new_shop: Shop) -> None:
    stand(new_shop, "twilio")
    stand(new_shop, "imap")
    assert new_shop.done("sources").out == (
        "The mailbox: last read 2026-11-02T17:30:00Z; it is read no longer\n"
        "Twilio: last read 2026-11-02T17:30:00Z; it is read no longer\n"
    )


@pytest.mark.parametrize(
    ("name", "fault", "told"),
    [
        ("twilio", Outage(Why.OFFLINE, "ENETUNREACH"), "There is no connection to Twilio (ENETUNREACH)."),
        ("sendgrid", Outage(Why.BAD_CREDENTIALS), "SendGrid refuses the password."),
        (
            "imap",
            Outage(Why.BAD_CREDENTIALS, mailbox_code(MailboxFault.WRONG_PASSWORD, "AUTHENTICATIONFAILED")),
            "The mailbox refuses the user name or the password (AUTHENTICATIONFAILED).",
        ),
    ],
)
def test_what_can_not_be_read_says_since_when_and_why(new_shop: Shop, name: str, fault: Outage, told: str) -> None:
    stand(new_shop, name, fault)
    said = new_shop("sources")
    assert (said.code, said.err) == (1, "")
    assert f"Can't be read since 2026-11-02T17:30:00Z: {told}" in said.out
    (shape,) = new_shop("sources", "--json").json
    assert list(shape) == ["source", "polled", "read_at", "tried_at", "failing_since", "fault"]
    assert shape["fault"] == {"why": fault.why.value, "code": fault.code, "told": told}


def test_what_was_never_read_says_so(new_shop: Shop) -> None:
    stand(new_shop, "twilio", Outage(Why.OFFLINE), read_at=None)
    assert "Twilio: never read whole" in new_shop("sources").out
