"""How much may come in and how fast, and what whoever knocks too hard is told."""

from __future__ import annotations

import http.client
import socket

import pytest

from app.domain.errors import OperatorError, StoreError
from app.domain.provider_settings import Receiver
from app.intake.limits import Turnstile
from app.intake.server import receive, receiver
from app.intake.web import FORM_BYTES, LEADS_A_MINUTE
from app.service.leads import Leads
from app.store import tables as t
from tests.intake.conftest import LEAD_TOKEN, Knocker


def test_a_turnstile_lets_a_burst_through_and_then_so_many_a_minute() -> None:
    at = [0.0]
    turnstile = Turnstile(60, 3, lambda: at[0])

    assert [turnstile.wait_s() for _ in range(4)] == [0.0, 0.0, 0.0, 1.0]
    at[0] = 2.0
    assert [turnstile.wait_s() for _ in range(3)] == [0.0, 0.0, 1.0]
    at[0] = 1_000.0
    assert [turnstile.wait_s() for _ in range(4)] == [0.0, 0.0, 0.0, 1.0]


def test_too_many_leads_at_once_are_told_when_to_come_again(knocker: Knocker) -> None:
    answers = [knocker.lead({"email": f"p{each}@example.com"}) for each in range(int(LEADS_A_MINUTE / 2) + 8)]

    refused = [answer for answer in answers if answer.status == 429]
    assert refused
    assert int(refused[0].headers["retry-after"]) >= 1
    assert len(knocker.world.rows(t.person)) == len(answers) - len(refused)


def test_strangers_who_knock_at_the_form_s_door_use_up_none_of_its_turns(knocker: Knocker) -> None:
    refused = {knocker.lead({"email": "x@example.com"}, token="guessed").status for _ in range(int(LEADS_A_MINUTE) + 1)}

    assert refused == {401}
    assert knocker.lead({"email": "ana@example.com"}).status == 201


@pytest.mark.parametrize("announced", [True, False])
def test_a_body_beyond_the_limit_is_not_read(knocker: Knocker, announced: bool) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", knocker.port, timeout=20)
    headers = {"Authorization": f"Bearer {LEAD_TOKEN}"}
    body = b"x" * (FORM_BYTES + 1)

    connection.request("POST", "/leads", body if announced else iter([body]), headers, encode_chunked=not announced)

    assert connection.getresponse().status == 413
    connection.close()


@pytest.mark.parametrize("path", ["/", "/people", "/docs", "/openapi.json", "/leads/../people", "/leads/", "/twilio"])
def test_there_is_nothing_else_to_be_found(knocker: Knocker, path: str) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", knocker.port, timeout=20)
    connection.request("GET", path)
    answer = connection.getresponse()

    assert answer.status == 404
    assert answer.getheader("server") is None
    connection.close()


@pytest.mark.expects_warning("receiver.failed")
@pytest.mark.parametrize("fault", [StoreError("the database is locked"), RuntimeError("nobody thought of this")])
def test_i13_what_could_not_be_written_is_not_answered_as_if_it_were(
    knocker: Knocker, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    def breaks(*_: object, **__: object) -> object:
        raise fault

    monkeypatch.setattr(Leads, "take", breaks)

    answer = knocker.lead({"email": "ana@example.com"})

    assert answer.status == (503 if isinstance(fault, StoreError) else 500)
    assert b"nobody thought" not in answer.body


@pytest.mark.expects_warning("receiver.silent")
def test_a_port_that_is_taken_is_told_and_stops_nothing(knocker: Knocker) -> None:
    receiving = knocker.receiving

    with pytest.raises(OperatorError, match="can't listen on"), receiver(receiving, "127.0.0.1", knocker.port):
        pass
    with receive(receiving, Receiver(port=knocker.port)):
        assert [row["why"] for row in knocker.world.rows(t.problem) if row["solved_at"] is None] == ["receiver_silent"]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with receive(receiving, Receiver(port=port)):
        assert [row["why"] for row in knocker.world.rows(t.problem) if row["solved_at"] is None] == []
