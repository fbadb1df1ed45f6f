"""All that is asked of Twilio, and all that the fake answers, against Twilio's own API description."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta

import pytest
import requests

from app.domain.answer import Accepted, Found, Works
from app.engine.inbound_ports import Haul
from tests.contract_files import description
from tests.fake_http import Answer, Request
from tests.fake_twilio import (
    ACCOUNT_PATH,
    API_KEY,
    CALLS,
    KEY_SECRET,
    MESSAGES,
    NUMBERS,
    ROOT,
    SERVICE,
    FakeTwilio,
    stamp,
)
from tests.twilio_parts import NOW, accepted, calls, inbox, listening, note, texts

OFFICIAL = "https://api.twilio.com"


@pytest.fixture
def fake() -> Iterator[FakeTwilio]:
    yield from listening()


def _sent(request: Request) -> requests.Request:
    """As it would have gone to Twilio itself."""
    headers = {name: value for name, value in request.headers.items() if name not in ("host", "content-length")}
    data = request.raw if request.method == "POST" else None
    params = request.query or None
    return requests.Request(request.method, OFFICIAL + request.path, headers=headers, params=params, data=data)


def _came(request: requests.PreparedRequest, answer: Answer) -> requests.Response:
    made = requests.Response()
    made.status_code = answer.status
    made.request = request
    made.url = str(request.url)
    made.headers["Content-Type"] = "application/json"
    made._content = json.dumps(answer.body).encode()
    return made


def check(fake: FakeTwilio, *asked: tuple[str, str]) -> None:
    """Every exchange so far holds to the description, and these (method, path) were among them."""
    from openapi_core.contrib.requests import RequestsOpenAPIRequest, RequestsOpenAPIResponse

    told = description("twilio_messages.json")
    for request, answer in fake.answers:
        sent = _sent(request)
        told.validate_request(RequestsOpenAPIRequest(sent))
        if answer.status < 300:  # it describes no refusals
            came = _came(sent.prepare(), answer)
            told.validate_response(RequestsOpenAPIRequest(sent), RequestsOpenAPIResponse(came))
    assert {(request.method, request.path) for request, _ in fake.answers} >= set(asked)


def test_texts_of_every_kind_hold_to_the_description(fake: FakeTwilio) -> None:
    assert isinstance(texts(fake).send(note(valid_until=NOW + timedelta(hours=2))), Accepted)
    assert isinstance(texts(fake, messaging_service_sid=SERVICE).send(note(body="Hi Zoë 🙂 & co")), Accepted)
    assert isinstance(texts(fake, KEY_SECRET, api_key_sid=API_KEY).send(note()), Accepted)
    check(fake, ("POST", MESSAGES))


def test_calls_hold_to_the_description(fake: FakeTwilio) -> None:
    assert isinstance(calls(fake).send(note(body="Hi Zoë & co")), Accepted)
    sid = str(fake.calls[0]["sid"])
    done = {"status": "completed", "answered_by": "machine_end_beep", "duration": "31", "start_time": stamp(fake.now)}
    fake.becomes[sid] = [{**done, "end_time": stamp(fake.now + 31), "price": "-0.013"}]
    assert isinstance(calls(fake).find(note()), Found)
    assert len(calls(fake).statuses([accepted(sid)])) == 1
    check(fake, ("POST", CALLS), ("GET", CALLS), ("GET", f"{ROOT}/Calls/{sid}.json"))


def test_look_ups_through_pages_and_statuses_hold_to_the_description(fake: FakeTwilio) -> None:
    said = texts(fake).send(note())
    assert isinstance(said, Accepted)
    for number in range(120):
        fake.by_hand(f"Another {number}", at=fake.now + 1)
    assert isinstance(texts(fake).find(note()), Found)
    fake.becomes[said.provider_id] = [{"status": "undelivered", "error_code": 30006, "error_message": "Landline"}]
    assert len(texts(fake).statuses([accepted(said.provider_id)])) == 1
    check(fake, ("GET", MESSAGES), ("GET", f"{ROOT}/Messages/{said.provider_id}.json"))
    assert any("PageToken" in request.query for request in fake.of(MESSAGES))


def test_what_comes_in_is_read_by_the_description(fake: FakeTwilio) -> None:
    for number in range(120):
        fake.text_in(f"{number}")
    fake.call_in()
    haul = inbox(fake).read(None, NOW)
    assert isinstance(haul, Haul)
    assert len(haul.items) == 121
    check(fake, ("GET", MESSAGES), ("GET", CALLS), ("GET", NUMBERS))


def test_a_test_of_the_connection_holds_to_the_description(fake: FakeTwilio) -> None:
    assert texts(fake).test() == Works()
    assert texts(fake, KEY_SECRET, api_key_sid=API_KEY).test() == Works()
    check(fake, ("GET", ACCOUNT_PATH), ("GET", NUMBERS), ("GET", MESSAGES))
