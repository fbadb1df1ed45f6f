"""All that is asked of SendGrid, and all that the fake answers, against SendGrid's own API description."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import requests

from app.domain.answer import Accepted, Found, Works
from app.domain.provider_settings import Imap
from app.domain.secret import Secret
from app.domain.states import Purpose
from app.domain.unsubscribe import HOSTED_PAGE
from app.providers.sendgrid_email import SendgridEmail
from tests.contract_files import description
from tests.fake_http import Answer, Request
from tests.fake_sendgrid import KEY, FakeSendgrid
from tests.fakes import ToldClock
from tests.sendgrid_parts import NOW, accepted, account, email, listening, lists, note

OFFICIAL = "https://api.sendgrid.com"
MAILBOX = Imap("imap.example.com", "office", 993, "INBOX", tls=True, plus_addressing=True)


@pytest.fixture
def fake() -> Iterator[FakeSendgrid]:
    yield from listening()


def _sent(request: Request) -> requests.Request:
    """As it would have gone to SendGrid itself."""
    headers = {name: value for name, value in request.headers.items() if name not in ("host", "content-length")}
    body: dict[str, Any] = {} if request.body is None else {"data": request.raw}
    return requests.Request(
        request.method, OFFICIAL + request.path, headers=headers, params=request.query or None, **body
    )


def _came(request: requests.PreparedRequest, answer: Answer) -> requests.Response:
    made = requests.Response()
    made.status_code = answer.status
    made.request = request
    made.url = str(request.url)
    made.headers["Content-Type"] = "application/json"
    made._content = b"" if answer.body is None else json.dumps(answer.body).encode()
    return made


def check(fake: FakeSendgrid, *, paths: set[str]) -> None:
    """Every exchange so far holds to the description, and `paths` were among them."""
    from openapi_core.contrib.requests import RequestsOpenAPIRequest, RequestsOpenAPIResponse

    told = description("sendgrid.json")
    for request, answer in fake.answers:
        sent = _sent(request)
        told.validate_request(RequestsOpenAPIRequest(sent))
        if answer.body is not None:
            came = _came(sent.prepare(), answer)
            told.validate_response(RequestsOpenAPIRequest(sent), RequestsOpenAPIResponse(came))
    asked = {request.path for request, _ in fake.answers}
    assert {path for path in paths if any(each.startswith(path) for each in asked)} == paths


def test_mails_of_every_kind_hold_to_the_description(fake: FakeSendgrid) -> None:
    sender = SendgridEmail(account(fake), Secret(KEY), ToldClock(NOW), MAILBOX)
    for body in ("Hi Ana", "<p>Hi Zoë</p>", f"Leave: {HOSTED_PAGE}"):
        for purpose in Purpose:
            assert isinstance(sender.send(note(body=body, purpose=purpose)), Accepted)
    check(fake, paths={"/v3/mail/send"})


def test_a_test_of_the_connection_holds_to_the_description(fake: FakeSendgrid) -> None:
    assert email(fake).test() == Works()
    fake.verified.clear()
    email(fake).test()
    check(fake, paths={"/v3/scopes", "/v3/mail/send", "/v3/verified_senders"})


def test_look_ups_and_statuses_hold_to_the_description(fake: FakeSendgrid) -> None:
    sender = email(fake)
    said = sender.send(note())
    assert isinstance(said, Accepted)
    assert sender.find(note()) == Found(said.provider_id, NOW)
    bounce = {"event": "bounce", "type": "bounce", "status": "5.1.1", "reason": "550 no such user"}
    fake.becomes(0, "bounced", bounce)
    assert len(sender.statuses([accepted(said.provider_id)])) == 1
    check(fake, paths={"/v3/logs", "/v3/logs/"})


def test_readings_of_the_lists_hold_to_the_description(fake: FakeSendgrid) -> None:
    for name in fake.lists:
        fake.list_entry(name, f"{name}@example.com")
    fake.group_entry("left@example.com")
    source = lists(fake)
    first = source.read(None, NOW)
    assert not hasattr(first, "why")
    source.read(first.mark, NOW)
    assert source.test() == Works()
    check(fake, paths={"/v3/suppression/", "/v3/asm/suppressions"})


def test_the_check_finds_what_breaks_the_description(fake: FakeSendgrid) -> None:
    """Else it would say nothing."""
    from openapi_core.exceptions import OpenAPIError

    email(fake).send(note())
    fake.answers[0][0].raw = b'{"personalizations": [{"to": "ana@example.com"}]}'
    with pytest.raises(OpenAPIError):
        check(fake, paths=set())
