"""Texts through the official client against a Twilio on this machine: every kind of answer, provoked for real."""

from __future__ import annotations

import gzip
import json
import logging
import os
import socket
import ssl
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from requests.exceptions import ConnectionError as RequestsConnectionError
from urllib3 import HTTPSConnectionPool
from urllib3.connection import HTTPConnection
from urllib3.exceptions import MaxRetryError, NameResolutionError

from app.domain.answer import Absent, Accepted, Answer, Found, Outage, Permanent, Unknown, Works
from app.domain.provider_settings import Twilio
from app.domain.reasons import Why
from app.domain.secret import Secret
from app.providers.twilio_answers import Unreached, failed
from app.providers.twilio_client import TALKATIVE, Limits
from app.providers.twilio_codes import answer_to_create
from app.providers.twilio_texts import TwilioTexts
from tests import fake_http as real_life
from tests.certificates import Authority
from tests.fake_http import Fault, says, taken_but
from tests.fake_twilio import (
    ACCOUNT,
    ANA,
    API_KEY,
    KEY_SECRET,
    MESSAGES,
    NUMBERS,
    OTHER,
    OURS,
    SERVICE,
    TOKEN,
    FakeTwilio,
)
from tests.fakes import ToldClock
from tests.twilio_parts import IMPATIENT, NOW, listening, note, texts

FIRST = "SM" + "0" * 31 + "1"


@pytest.fixture
def fake() -> Iterator[FakeTwilio]:
    yield from listening()


def test_what_is_taken_is_accepted_under_its_id_at_twilio_s_own_time(fake: FakeTwilio) -> None:
    fake.now += 3
    assert texts(fake).send(note()) == Accepted(FIRST, NOW + timedelta(seconds=3))
    assert [request.body for request in fake.of(MESSAGES)] == [
        {"To": ANA, "From": OURS, "Body": "Hi Ana, see you on Tuesday."}
    ]


def test_with_a_messaging_service_the_service_picks_the_number(fake: FakeTwilio) -> None:
    assert texts(fake, messaging_service_sid=SERVICE).send(note()) == Accepted(FIRST, NOW)
    sent = fake.of(MESSAGES)[0].body
    assert (sent["MessagingServiceSid"], "From" in sent) == (SERVICE, False)


def test_an_api_key_logs_in_for_the_account(fake: FakeTwilio) -> None:
    assert isinstance(texts(fake, KEY_SECRET, api_key_sid=API_KEY).send(note()), Accepted)
    assert fake.requests[0].path == MESSAGES


@pytest.mark.parametrize(
    ("valid_for", "life_time_s"),
    [(timedelta(hours=2, milliseconds=900), "7200"), (timedelta(hours=11), "36000"), (timedelta(0), "1")],
)
def test_a_text_lives_no_longer_in_twilio_s_queue_than_it_may_arrive(
    fake: FakeTwilio, valid_for: timedelta, life_time_s: str
) -> None:
    texts(fake).send(note(valid_until=NOW + valid_for))
    assert fake.of(MESSAGES)[0].body["ValidityPeriod"] == life_time_s


# by what happens to the request: what the sender says; every row of PROVIDERS section 1
NOBODY_KNOWS: dict[str, tuple[Fault, Answer]] = {
    "a server's fault": (says(500, {"code": 20500}), Unknown(Why.NO_ANSWER, "500")),
    "a gateway's page": (says(503, "<html>"), Unknown(Why.NO_ANSWER, "503")),
    "a redirect": (says(302, "", {"Location": "http://127.0.0.1:1/"}), Unknown(Why.NO_ANSWER, "302")),
    "no JSON": (says(201, "<html>welcome to the hotel</html>"), Unknown(Why.NO_ANSWER, "unreadable")),
    "JSON of another shape": (says(201, ["no", "text"]), Unknown(Why.NO_ANSWER, "unreadable")),
    "no id": (says(201, {"status": "queued"}), Unknown(Why.NO_ANSWER, "no id")),
    "no body": (says(201), Unknown(Why.NO_ANSWER, "no id")),
    "a hang-up": (real_life.hangs_up, Unknown(Why.NO_ANSWER, "ConnectionError")),
    "a reset": (real_life.resets, Unknown(Why.NO_ANSWER, "ConnectionError")),
    "half an answer": (real_life.cuts_short, Unknown(Why.NO_ANSWER, "ChunkedEncodingError")),
}


@pytest.mark.parametrize("what", NOBODY_KNOWS)
def test_i13_what_may_have_arrived_is_unknown_and_is_found_when_it_did(fake: FakeTwilio, what: str) -> None:
    fault, answer = NOBODY_KNOWS[what]
    sender = texts(fake)
    fake.fail(MESSAGES, fault)
    assert sender.send(note()) == answer
    assert sender.find(note()) == Absent(sure=False)
    fake.fail(MESSAGES, taken_but(fault))
    assert sender.send(note()) == answer
    assert sender.find(note()) == Found(FIRST, NOW)


@pytest.mark.parametrize("fault", [real_life.keeps_silent, real_life.drips])
def test_i13_no_answer_in_time_is_unknown(fake: FakeTwilio, fault: Fault) -> None:
    fake.fail(MESSAGES, fault)
    answer = texts(fake, limits=Limits(timeout_s=0.3, whole_s=0.3)).send(note())
    assert isinstance(answer, Unknown)
    assert answer.why is Why.NO_ANSWER


REFUSED: dict[str, tuple[Fault, Answer]] = {
    "a wrong key": (says(401, {"code": 20003}), Outage(Why.BAD_CREDENTIALS, "20003")),
    "a wrong key, told by a proxy": (says(401, "<html>"), Outage(Why.BAD_CREDENTIALS, "401")),
    "a key without the right": (says(403, {"code": 70051}), Outage(Why.KEY_TOO_NARROW, "70051")),
    "another account": (says(404, {"code": 20404}), Outage(Why.REFUSED, "20404")),
    "too much at once": (says(429, {"code": 20429}), Outage(Why.BUSY, "20429")),
    "too much, with a time": (
        says(429, {"code": 20429}, {"Retry-After": "3600"}),
        Outage(Why.BUSY, "20429", timedelta(hours=1)),
    ),
    "too much, with a day that nobody reads": (
        says(429, {"code": 20429}, {"Retry-After": "Wed, 04 Mar 2026 07:28:00 GMT"}),
        Outage(Why.BUSY, "20429"),
    ),
    "as new answers are worded": (
        says(400, {"type": "about:blank", "title": "no", "status": 400, "code": 21610}),
        Permanent(Why.OPT_OUT, "21610", opted_out=True),
    ),
    "a code that nobody knows": (says(400, {"code": 29999}), Permanent(Why.REFUSED, "29999")),
    "no code at all": (says(400, "<html>"), Permanent(Why.REFUSED, "400")),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_refused_surely_did_not_arrive(fake: FakeTwilio, what: str) -> None:
    fault, answer = REFUSED[what]
    fake.fail(MESSAGES, fault)
    assert texts(fake).send(note()) == answer


def test_a_refusal_by_the_books_is_told_by_its_code(fake: FakeTwilio) -> None:
    """The person left at the provider (B4), the number is a landline, our number is not ours."""
    fake.refuses = {ANA: (400, 21610)}
    assert texts(fake).send(note()) == Permanent(Why.OPT_OUT, "21610", opted_out=True)
    fake.refuses = {ANA: (400, 21614)}
    assert texts(fake).send(note()) == Permanent(Why.REFUSED, "21614", bad_address=True)
    fake.refuses = {}
    assert texts(fake, sender=OTHER).send(note()) == Outage(Why.NUMBER_NOT_OURS, "21606")
    assert texts(fake, "another-token").send(note()) == Outage(Why.BAD_CREDENTIALS, "20003")
    assert fake.texts == []


def test_i12_nobody_listening_is_an_outage_and_nothing_arrived() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # not listening: whoever knocks is refused
        settings = Twilio(ACCOUNT, OURS, f"http://127.0.0.1:{taken.getsockname()[1]}")
        sender = TwilioTexts(settings, Secret(TOKEN), ToldClock(NOW))
        refused = Outage(Why.OFFLINE, "NewConnectionError")
        assert (sender.send(note()), sender.find(note()), sender.test()) == (refused, refused, refused)


def test_i12_a_name_that_nobody_knows_is_an_outage() -> None:
    """As the client raises it; asked for real, the question would leave this machine."""
    unknown = NameResolutionError("api.twilio.com", HTTPConnection("api.twilio.com"), socket.gaierror())
    fault = RequestsConnectionError(MaxRetryError(HTTPSConnectionPool("api.twilio.com"), "/", unknown))
    told = failed(fault, {})
    assert told == Unreached(Why.OFFLINE, "NameResolutionError")
    assert answer_to_create(told) == Outage(Why.OFFLINE, "NameResolutionError")


@pytest.mark.parametrize(
    "base_url", ["https://twilio.example.com", "https://api.twilio.com.example.com", "http://api.twilio.com"]
)
def test_i16_a_token_goes_to_twilio_alone(fake: FakeTwilio, base_url: str) -> None:
    assert texts(fake, base_url=base_url).send(note()) == Outage(Why.OFFLINE, "not an address of Twilio")


def test_i12_a_line_where_nobody_picks_up_is_an_outage() -> None:
    """A full queue of knocks: the next one gets no answer at all."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen(0)
        where = server.getsockname()
        knocks = [socket.socket() for _ in range(3)]
        try:
            for each in knocks:
                each.setblocking(False)
                each.connect_ex(where)
            settings = Twilio(ACCOUNT, OURS, f"http://127.0.0.1:{where[1]}")
            answer = TwilioTexts(settings, Secret(TOKEN), ToldClock(NOW), IMPATIENT).send(note())
        finally:
            for each in knocks:
                each.close()
    assert answer == Outage(Why.OFFLINE, "ConnectTimeout")


def test_i12_a_certificate_that_nobody_signed_is_an_outage(tmp_path: Path) -> None:
    certificate = Authority(tmp_path).issue()
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate.cert, certificate.key)
    fake = FakeTwilio(tls)
    try:
        sender = texts(fake)
        wrong = Outage(Why.CERTIFICATE_WRONG, "certificate")
        assert (sender.send(note()), sender.find(note()), sender.test()) == (wrong, wrong, wrong)
        assert fake.requests == []
    finally:
        fake.close()


def test_a_line_without_tls_where_there_should_be_is_not_taken_for_silence(fake: FakeTwilio) -> None:
    """Its request may be anywhere by then, as far as can be told: never tried again blindly."""
    sender = texts(fake, base_url=fake.url.replace("http:", "https:"))
    assert sender.send(note()) == Unknown(Why.NO_ANSWER, "SSLError")
    assert sender.test() == Outage(Why.NO_ANSWER, "SSLError")


@pytest.mark.parametrize("token", ["", "wrong\nkey", "schlüssel", "two words"])
def test_i16_a_token_that_can_t_stand_in_a_header_is_refused_before_it_is_told(fake: FakeTwilio, token: str) -> None:
    assert texts(fake, token).send(note()) == Outage(Why.BAD_CREDENTIALS, "not a token")
    assert fake.requests == []


def test_neither_the_region_of_the_environment_nor_its_proxy_has_a_say(
    fake: FakeTwilio, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"TWILIO_REGION": "ie1", "TWILIO_EDGE": "dublin", "HTTP_PROXY": "http://127.0.0.1:1"}.items():
        monkeypatch.setitem(os.environ, name, value)
    assert isinstance(texts(fake).send(note()), Accepted)


def test_i16_the_client_writes_down_neither_numbers_nor_keys(
    fake: FakeTwilio, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    sender = texts(fake)
    sender.send(note())
    sender.find(note())
    assert not [record for record in caplog.records if record.name.startswith(TALKATIVE)]
    assert not [word for word in (TOKEN, ANA[1:], "Tuesday") if word in caplog.text]


def test_many_threads_share_one_sender(fake: FakeTwilio) -> None:
    """As the engine does with several in flight: each gets the answer to its own."""
    sender = texts(fake)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda number: sender.send(note(body=f"Text {number}")), range(40)))
    known = {row["sid"]: row["body"] for row in fake.texts}
    told = [known[answer.provider_id] for answer in answers if isinstance(answer, Accepted)]
    assert told == [f"Text {number}" for number in range(40)]


def test_after_half_a_minute_of_silence_a_fresh_connection_is_taken(fake: FakeTwilio) -> None:
    """One that the other side closed meanwhile would look like a text whose outcome nobody knows."""
    clock = ToldClock(NOW)
    sender = texts(fake, clock=clock)
    sender.send(note())
    sender.send(note())
    clock.go_on(timedelta(seconds=31))
    sender.send(note())
    ports = [request.port for request in fake.of(MESSAGES)]
    assert ports[0] == ports[1] != ports[2]


def test_an_account_that_works_with_our_number_in_it_works(fake: FakeTwilio) -> None:
    assert texts(fake).test() == Works()
    assert texts(fake, KEY_SECRET, api_key_sid=API_KEY).test() == Works()
    assert texts(fake, sender="12345").test() == Works()  # a short code is not among the numbers
    assert texts(fake, sender=OTHER, messaging_service_sid=SERVICE).test() == Works()
    assert fake.texts == []


def test_what_is_wrong_with_an_account_is_told(fake: FakeTwilio) -> None:
    assert texts(fake, "another-token").test() == Outage(Why.BAD_CREDENTIALS, "20003")
    assert texts(fake, "another-secret", api_key_sid=API_KEY).test() == Outage(Why.BAD_CREDENTIALS, "20003")
    assert texts(fake, sender=OTHER).test() == Outage(Why.NUMBER_NOT_OURS, "not in the account")
    fake.numbers[OTHER] = {"sms": False, "voice": True}
    assert texts(fake, sender=OTHER).test() == Outage(Why.NUMBER_NOT_OURS, "no sms")
    fake.fail(NUMBERS, says(503))
    assert texts(fake).test() == Outage(Why.NO_ANSWER, "503")
    fake.status = "suspended"
    assert texts(fake).test() == Outage(Why.ACCOUNT_SUSPENDED, "suspended")


def test_a_test_that_gets_no_answer_gives_up(fake: FakeTwilio) -> None:
    fake.fail(f"/2010-04-01/Accounts/{ACCOUNT}.json", real_life.keeps_silent)
    assert texts(fake, limits=IMPATIENT).test() == Outage(Why.NO_ANSWER, "ReadTimeout")


def test_a_packed_answer_is_unpacked(fake: FakeTwilio) -> None:
    def packed(talk: real_life._Talk, request: real_life.Request) -> None:
        body = gzip.compress(json.dumps(fake.answer(request).body).encode())
        head = f"HTTP/1.1 201 Created\r\nContent-Encoding: gzip\r\nContent-Length: {len(body)}\r\n\r\n"
        talk.wfile.write(head.encode() + body)

    fake.fail(MESSAGES, packed)
    assert texts(fake).send(note(body="Hi " * 400)) == Accepted(FIRST, NOW)
