"""Whoever takes too long to say what they want keeps nobody else out."""

from __future__ import annotations

import socket

import pytest

from app.intake.patience import PatientProtocol
from app.intake.server import MOST_AT_ONCE
from tests.intake.conftest import Knocker

BEGUN = b"POST /twilio/messages HTTP/1.1\r\nHost: x\r\n"
HALF = BEGUN + b"Content-Length: 1000\r\n\r\nFrom="


@pytest.mark.parametrize("said", [b"", BEGUN, HALF], ids=["nothing", "half a head", "half a body"])
def test_those_who_never_finish_lose_their_connection_and_others_are_answered(
    knocker: Knocker, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    monkeypatch.setattr(PatientProtocol, "whole_within_s", 0.05)
    slow = [socket.create_connection(("127.0.0.1", knocker.port), timeout=20) for _ in range(MOST_AT_ONCE)]
    for each in slow:
        each.sendall(said)
    for each in slow:
        with each:
            assert _rest(each) in (b"", b"503")
    monkeypatch.undo()

    assert knocker.lead({"email": "ana@example.com"}).status == 201


def _rest(talk: socket.socket) -> bytes:
    """What was answered until the connection ended: nothing, or the status."""
    told = b""
    try:
        while more := talk.recv(4096):
            told += more
    except ConnectionResetError:
        pass
    return told[9:12]
