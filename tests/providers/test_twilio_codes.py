"""Every code that is known: what it means when a text or a call is refused, and when it comes later."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from app.domain.answer import Answer, Outage, Permanent, Transient
from app.domain.delivery_status import Undelivered
from app.domain.reasons import Why
from app.providers.twilio_answers import Refused
from app.providers.twilio_codes import CODES, EVERYBODY, answer_to_create, undelivered

AT = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def refused(code: int) -> Permanent:
    return Permanent(Why.REFUSED, str(code))


def bad(code: int) -> Permanent:
    return Permanent(Why.REFUSED, str(code), bad_address=True)


# as PROVIDERS.md sections 3 and 7 class them
AT_CREATE: dict[int, Answer] = {
    21610: Permanent(Why.OPT_OUT, "21610", opted_out=True),
    **{code: bad(code) for code in (21211, 21217, 21614, 21265, 21268, 21635, 30005, 30006)},
    **{code: refused(code) for code in (21201, 21205, 21214, 21408, 21602, 21612, 21617)},
    **{code: refused(code) for code in (30004, 30007, 30036, 30450)},
    **{code: Outage(Why.BUSY, str(code)) for code in (20429, 21611, 30001, 63038)},
    **{code: Transient(Why.REFUSED, str(code)) for code in (30003, 30008, 30410)},
    20003: Outage(Why.BAD_CREDENTIALS, "20003"),
    20006: Outage(Why.KEY_TOO_NARROW, "20006"),
    70051: Outage(Why.KEY_TOO_NARROW, "70051"),
    20404: Outage(Why.REFUSED, "20404"),
    **{code: Outage(Why.ACCOUNT_SUSPENDED, str(code)) for code in (20005, 30002)},
    **{code: Outage(Why.ACCOUNT_LIMITED, str(code)) for code in (21215, 21216, 21219, 21608)},
    **{code: Outage(Why.NUMBER_NOT_OURS, str(code)) for code in (21210, 21212, 21213, 21606, 21659, 21660, 21661)},
    **{code: Outage(Why.NUMBER_NOT_REGISTERED, str(code)) for code in (30032, 30034)},
}


@pytest.mark.parametrize("code", sorted(AT_CREATE))
def test_each_code_of_a_refusal_is_taken_for_what_it_is(code: int) -> None:
    assert answer_to_create(Refused(400, code)) == AT_CREATE[code]


def test_no_code_is_left_out_here() -> None:
    assert AT_CREATE.keys() == CODES.keys() | EVERYBODY.keys()
    assert not CODES.keys() & EVERYBODY.keys()


@pytest.mark.parametrize("status", [400, 402, 409, 410, 422, 451])
def test_a_code_that_is_not_known_fails_its_message_alone_and_judges_nobody(status: int) -> None:
    assert answer_to_create(Refused(status, 29999)) == Permanent(Why.REFUSED, "29999")


@pytest.mark.parametrize(
    ("status", "answer"),
    [
        (401, Outage(Why.BAD_CREDENTIALS, "29999")),
        (403, Outage(Why.KEY_TOO_NARROW, "29999")),
        (404, Outage(Why.REFUSED, "29999")),
        (407, Outage(Why.OFFLINE, "29999")),
        (408, Transient(Why.NO_ANSWER, "29999", MINUTE)),
        (429, Outage(Why.BUSY, "29999", MINUTE)),
    ],
)
def test_where_the_code_is_not_known_the_status_says_whom_it_is_about(status: int, answer: Answer) -> None:
    assert answer_to_create(Refused(status, 29999, MINUTE)) == answer


@pytest.mark.parametrize("status", [400, 403])
def test_a_known_code_weighs_more_than_the_status(status: int) -> None:
    """A country that is not open comes as 403 too, and is one number's matter."""
    assert answer_to_create(Refused(status, 21408)) == refused(21408)


# what a code that comes later says beside that the text did not arrive
LATER: dict[int, Undelivered] = {
    21610: Undelivered(AT, Why.OPT_OUT, "21610", opted_out=True),
    **{code: Undelivered(AT, Why.UNDELIVERED, str(code), bad_address=True) for code in (30005, 30006, 21614)},
    **{code: Undelivered(AT, Why.UNDELIVERED, str(code)) for code in (30003, 30004, 30007, 30008, 30036, 30410, 30450)},
    29999: Undelivered(AT, Why.UNDELIVERED, "29999"),
    30001: Undelivered(AT, Why.UNDELIVERED, "30001", outage=Outage(Why.BUSY, "30001")),
    30002: Undelivered(
        AT, Why.UNDELIVERED, "30002", outage=Outage(Why.ACCOUNT_SUSPENDED, "30002", timedelta(hours=24))
    ),
    **{
        code: Undelivered(
            AT,
            Why.UNDELIVERED,
            str(code),
            outage=Outage(Why.NUMBER_NOT_REGISTERED, str(code), timedelta(hours=24)),
        )
        for code in (30032, 30034)
    },
}


@pytest.mark.parametrize("code", sorted(LATER))
def test_each_code_that_comes_later_is_taken_for_what_it_is(code: int) -> None:
    assert undelivered(code, "undelivered", AT, {}) == LATER[code]


def test_without_a_code_the_status_is_told() -> None:
    assert undelivered(None, "canceled", AT, {}) == Undelivered(AT, Why.UNDELIVERED, "canceled")
