"""Email through the official client against a SendGrid on this machine: every kind of answer, provoked for real."""

from __future__ import annotations

import logging
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from app.domain.answer import Accepted, Answer, Outage, Permanent, Unknown, Works
from app.domain.provider_settings import Sendgrid
from app.domain.reasons import Why
from app.domain.secret import Secret
from app.domain.states import Purpose
from app.providers.sendgrid_client import Limits
from app.providers.sendgrid_email import SendgridEmail
from app.providers.sendgrid_wire import _trusting_the_system
from tests import fake_http as real_life
from tests.certificates import Authority, Certificate
from tests.fake_http import Fault, says
from tests.fake_sendgrid import FROM, GROUP, KEY, FakeSendgrid
from tests.fakes import ToldClock
from tests.sendgrid_parts import IMPATIENT, NOW, email, listening, note

SEND = "/v3/mail/send"
MARKETING = Purpose.MARKETING


@pytest.fixture
def fake() -> Iterator[FakeSendgrid]:
    yield from listening()


def test_what_is_taken_is_accepted_under_its_id_at_sendgrid_s_own_time(fake: FakeSendgrid) -> None:
    fake.now += 3
    assert email(fake).send(note()) == Accepted("fakeId0000000000000001", NOW + timedelta(seconds=3))
    assert [mail["personalizations"][0]["to"] for mail in fake.mails] == [[{"email": "ana@example.com"}]]


def test_a_taken_mail_without_an_id_is_looked_up_and_not_believed(fake: FakeSendgrid) -> None:
    fake.fail(SEND, says(202))
    assert email(fake).send(note()) == Unknown(Why.NO_ANSWER, "202")


def _reset_in(seconds: int) -> dict[str, str]:
    return {"X-RateLimit-Limit": "600", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(1_772_474_400 + seconds)}


def _error(message: str, field: str | None = None) -> dict[str, object]:
    return {"errors": [{"message": message, "field": field, "help": None}]}


SAID: dict[str, tuple[Fault, Answer]] = {
    "a mail that is wrong": (
        says(400, _error("The content is required.", "content")),
        Permanent(Why.REFUSED, "400 content"),
    ),
    "an address that is none": (
        says(400, _error("Does not contain a valid address.", "personalizations.0.to.0.email")),
        Permanent(Why.INVALID_ADDRESS, "400 personalizations.0.to.0.email", bad_address=True),
    ),
    "a wrong key, in words that name something invalid": (
        says(401, _error("API key is invalid, expired or revoked: invalid email")),
        Outage(Why.BAD_CREDENTIALS, "401"),
    ),
    "no credit": (says(401, _error("Maximum credits exceeded")), Outage(Why.NO_CREDIT, "401")),
    "a key without the right": (says(403, _error("access forbidden")), Outage(Why.KEY_TOO_NARROW, "403")),
    "a sender that is not known": (
        says(403, _error("The from address does not match a verified Sender Identity.", "from")),
        Outage(Why.SENDER_NOT_VERIFIED, "403 from"),
    ),
    "a sender that is malformed": (
        says(400, _error("The from email does not contain a valid address.", "from.email")),
        Outage(Why.REFUSED, "400 from.email"),
    ),
    "a group that is gone": (
        says(400, _error("The asm group ID is not valid.", "asm.group_id")),
        Outage(Why.NO_UNSUBSCRIBE_GROUP, "400 asm.group_id"),
    ),
    "a page of HTML": (says(413, "<html><h1>413 Request Entity Too Large</h1>"), Permanent(Why.REFUSED, "413")),
    "another kind of body": (says(415, _error("Content-Type should be JSON.")), Permanent(Why.REFUSED, "415")),
    "a wait until a time": (
        says(429, _error("too many requests"), _reset_in(37)),
        Outage(Why.BUSY, "429", timedelta(seconds=37)),
    ),
    "a wait until a time that has passed": (
        says(429, _error("too many requests"), _reset_in(-5)),
        Outage(Why.BUSY, "429", timedelta(seconds=1)),
    ),
    "a wait of so many seconds": (
        says(429, "slow down", {"Retry-After": "12"}),
        Outage(Why.BUSY, "429", timedelta(seconds=12)),
    ),
    "a wait of nonsense": (
        says(429, None, {"Retry-After": "9" * 5000, "X-RateLimit-Reset": "9" * 5000}),
        Outage(Why.BUSY, "429"),
    ),
    "a wait without a time": (says(429, None), Outage(Why.BUSY, "429")),
    "nothing there": (says(404, "<html>not here"), Outage(Why.REFUSED, "404")),
    "trouble of its own": (says(500, _error("internal error")), Unknown(Why.NO_ANSWER, "500")),
    "a gateway's trouble": (says(502, "<html>bad gateway"), Unknown(Why.NO_ANSWER, "502")),
    "a service that is away": (says(503, None), Unknown(Why.NO_ANSWER, "503")),
    "a sandbox that nobody asked for": (says(200), Unknown(Why.NO_ANSWER, "200")),
    "somewhere else": (says(302, None, {"Location": "https://example.com/"}), Unknown(Why.NO_ANSWER, "302")),
    "a hang-up": (real_life.hangs_up, Unknown(Why.NO_ANSWER, "RemoteDisconnected")),
    "a reset": (real_life.resets, Unknown(Why.NO_ANSWER, "ConnectionResetError")),
    "half an answer": (real_life.cuts_short, Unknown(Why.NO_ANSWER, "IncompleteRead")),
}


@pytest.mark.parametrize("case", SAID)
def test_every_answer_is_one_of_three_kinds(fake: FakeSendgrid, case: str) -> None:
    """Case 136: a refused key is never a wrong address, whatever its words say."""
    fault, answer = SAID[case]
    fake.fail(SEND, fault)
    assert email(fake).send(note()) == answer


def test_no_answer_in_time_is_unknown(fake: FakeSendgrid) -> None:
    fake.fail(SEND, real_life.keeps_silent)
    assert email(fake, limits=IMPATIENT).send(note()) == Unknown(Why.NO_ANSWER, "TimeoutError")


def test_an_answer_that_drips_for_ever_is_given_up(fake: FakeSendgrid) -> None:
    """Every read of it ends in time; only the whole does not."""
    fake.fail(SEND, real_life.drips)
    said = email(fake, limits=Limits(timeout_s=20, whole_s=0.3)).send(note())
    assert isinstance(said, Unknown)


def test_a_redirect_takes_the_key_nowhere(fake: FakeSendgrid) -> None:
    other = FakeSendgrid()
    try:
        fake.fail(SEND, says(302, None, {"Location": f"{other.url}/v3/mail/send"}))
        assert isinstance(email(fake).send(note()), Unknown)
        assert other.requests == []
    finally:
        other.close()


def test_nobody_listening_is_surely_not_accepted(fake: FakeSendgrid) -> None:
    gone = email(fake)
    fake.close()
    assert gone.send(note()) == Outage(Why.OFFLINE, "ConnectionRefusedError")


def test_a_name_that_is_not_found_is_surely_not_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_name(*_: object, **__: object) -> object:
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(socket, "getaddrinfo", no_name)
    real = SendgridEmail(Sendgrid(FROM, "Fernhollow", ""), Secret(KEY), ToldClock(NOW))
    assert real.send(note()) == Outage(Why.OFFLINE, "gaierror")


def test_an_address_that_takes_no_connection_is_surely_not_accepted(fake: FakeSendgrid) -> None:
    """A full queue of connections drops the next one in silence: a connect that times out."""
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        waiting = [socket.socket() for _ in range(8)]
        for each in waiting:
            each.setblocking(False)
            each.connect_ex(full.getsockname())
        url = f"http://127.0.0.1:{full.getsockname()[1]}"
        said = email(fake, limits=IMPATIENT, base_url=url).send(note())
        for each in waiting:
            each.close()
    assert said == Outage(Why.OFFLINE, "TimeoutError")


@pytest.fixture
def trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Authority]:
    """An authority that this computer trusts for as long as the test lasts."""
    made = Authority(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(made.file))
    _trusting_the_system.cache_clear()
    yield made
    _trusting_the_system.cache_clear()


def encrypted(certificate: Certificate) -> FakeSendgrid:
    """A SendGrid that speaks TLS with this certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate.cert, certificate.key)
    return FakeSendgrid(context)


def test_an_encrypted_line_carries_it(trusted: Authority) -> None:
    fake = encrypted(trusted.issue())
    try:
        assert isinstance(email(fake).send(note()), Accepted)
        fake.fail(SEND, real_life.hangs_up)
        assert email(fake).send(note()) == Unknown(Why.NO_ANSWER, "RemoteDisconnected")
        fake.fail(SEND, real_life.drips)
        assert isinstance(email(fake, limits=Limits(whole_s=0.5)).send(note()), Unknown)
        assert email(fake).test() == Works()
    finally:
        fake.close()


@pytest.mark.parametrize("case", ["expired", "self_signed", "another host"])
def test_a_certificate_that_is_not_right_is_surely_not_accepted_and_told(trusted: Authority, case: str) -> None:
    fake = encrypted(
        trusted.issue(hosts=["mail.example.com"])
        if case == "another host"
        else trusted.issue(expired=case == "expired", self_signed=case == "self_signed")
    )
    try:
        assert email(fake).send(note()) == Outage(Why.CERTIFICATE_WRONG, "SSLCertVerificationError")
        assert email(fake).find(note()) == Outage(Why.CERTIFICATE_WRONG, "SSLCertVerificationError")
        assert fake.requests == []
    finally:
        fake.close()


def test_a_line_without_tls_where_there_should_be_is_no_line(fake: FakeSendgrid) -> None:
    said = email(fake, base_url=fake.url.replace("http:", "https:")).send(note())
    assert isinstance(said, Outage)
    assert said.why is Why.OFFLINE


@pytest.mark.parametrize("key", ["", "SG.line\nend", "SG.zoë", "two words"])
def test_i16_what_can_be_no_key_goes_nowhere_and_is_told_nowhere(
    fake: FakeSendgrid, key: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    assert email(fake, key=key).send(note()) == Outage(Why.BAD_CREDENTIALS, "not a key")
    assert fake.requests == []
    assert not key or key not in caplog.text


def test_i16_neither_key_nor_mail_is_logged_however_much_is_logged(
    fake: FakeSendgrid, caplog: pytest.LogCaptureFixture
) -> None:
    logging.getLogger("python_http_client").setLevel(logging.DEBUG)
    logging.getLogger("python_http_client.client").setLevel(logging.DEBUG)
    caplog.set_level(logging.DEBUG)
    fake.fail(SEND, says(400, _error("The subject is required.", "subject")))
    sender = email(fake)
    assert isinstance(sender.send(note()), Permanent)
    assert isinstance(sender.send(note()), Accepted)
    assert sender.test() == Works()
    for told in (KEY, "ana@example.com", "see you on Tuesday", "Bearer"):
        assert told not in caplog.text


def test_i16_a_key_goes_to_sendgrid_and_this_machine_alone(fake: FakeSendgrid) -> None:
    said = email(fake, base_url="https://sendgrid.example.com").send(note())
    assert said == Outage(Why.OFFLINE, "not an address of SendGrid")


def test_a_proxy_is_passed_by_on_this_machine(fake: FakeSendgrid, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert isinstance(email(fake).send(note()), Accepted)


def test_the_european_host_is_sendgrid_too(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def no_name(*address: object, **_: object) -> object:
        asked.append(address[0])
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    for name in ("https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(socket, "getaddrinfo", no_name)
    europe = Sendgrid(FROM, "Fernhollow", "https://api.eu.sendgrid.com")
    assert SendgridEmail(europe, Secret(KEY), ToldClock(NOW)).send(note()) == Outage(Why.OFFLINE, "gaierror")
    assert asked == ["api.eu.sendgrid.com"]


def test_sixteen_at_once_are_sixteen_mails(fake: FakeSendgrid) -> None:
    sender = email(fake)
    said: list[Answer] = []
    keys = [f"{number:032x}" for number in range(16)]
    threads = [threading.Thread(target=lambda key=key: said.append(sender.send(note(key=key)))) for key in keys]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({each.provider_id for each in said if isinstance(each, Accepted)}) == 16
    assert sorted(mail["personalizations"][0]["custom_args"]["stopwell_attempt"] for mail in fake.mails) == keys


def test_marketing_without_an_unsubscribe_group_is_not_handed_over(fake: FakeSendgrid) -> None:
    """RULES B11."""
    assert email(fake, unsubscribe_group=None).send(note(purpose=MARKETING)) == Outage(Why.NO_UNSUBSCRIBE_GROUP)
    assert fake.requests == []
    assert isinstance(email(fake, unsubscribe_group=None).send(note()), Accepted)
    assert isinstance(email(fake).send(note(purpose=MARKETING)), Accepted)


def test_a_working_account_works_and_nothing_is_sent(fake: FakeSendgrid) -> None:
    assert email(fake).test() == Works()
    assert fake.mails == []
    trial = fake.of(SEND)[-1].body
    assert trial["mail_settings"] == {"sandbox_mode": {"enable": True}}
    assert (trial["from"]["email"], trial["asm"]) == (FROM, {"group_id": GROUP})


def _narrow(fake: FakeSendgrid) -> None:
    fake.scopes.remove("mail.send")


def _unverified(fake: FakeSendgrid) -> None:
    fake.verified.clear()


def _unconfirmed(fake: FakeSendgrid) -> None:
    fake.verified.clear()
    fake.waiting.add(FROM)


def _no_group(fake: FakeSendgrid) -> None:
    fake.groups.clear()


TESTED: dict[str, tuple[Callable[[FakeSendgrid], None], Outage]] = {
    "no right to send": (_narrow, Outage(Why.KEY_TOO_NARROW, "mail.send")),
    "sender unknown": (_unverified, Outage(Why.SENDER_NOT_VERIFIED, "403 from")),
    "sender not confirmed": (_unconfirmed, Outage(Why.SENDER_NOT_VERIFIED, "403 from, not confirmed yet")),
    "group gone": (_no_group, Outage(Why.NO_UNSUBSCRIBE_GROUP, "400 asm.group_id")),
    "busy": (lambda fake: fake.fail("/v3/scopes", says(429, None)), Outage(Why.BUSY, "429")),
    "in trouble": (lambda fake: fake.fail(SEND, says(503, None)), Outage(Why.NO_ANSWER, "503")),
    "hangs up": (
        lambda fake: fake.fail("/v3/scopes", real_life.hangs_up),
        Outage(Why.NO_ANSWER, "RemoteDisconnected"),
    ),
}


@pytest.mark.parametrize("case", TESTED)
def test_what_is_wrong_with_an_account_is_told_apart(fake: FakeSendgrid, case: str) -> None:
    spoil, outage = TESTED[case]
    spoil(fake)
    assert email(fake).test() == outage
    assert fake.mails == []


def test_a_wrong_key_is_told_by_the_test(fake: FakeSendgrid) -> None:
    assert email(fake, key="SG.another").test() == Outage(Why.BAD_CREDENTIALS, "401")


def test_a_key_that_may_not_tell_its_rights_is_tried_all_the_same(fake: FakeSendgrid) -> None:
    fake.fail("/v3/scopes", says(403, _error("access forbidden")))
    assert email(fake).test() == Works()


def test_a_silent_provider_ends_the_test_in_time(fake: FakeSendgrid) -> None:
    fake.fail("/v3/scopes", real_life.keeps_silent)
    assert email(fake, limits=IMPATIENT).test() == Outage(Why.NO_ANSWER, "TimeoutError")
