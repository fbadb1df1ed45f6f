"""The whole way to live, by commands, against providers on this machine: nothing in between is made up but they."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import keyring.backends.fail
import pytest

from tests.certificates import Authority
from tests.fake_http import Answer, Request, hangs_up, says, taken_but
from tests.fake_sendgrid import GROUP, KEY, FakeSendgrid
from tests.fake_twilio import ACCOUNT, MESSAGES, OURS, TOKEN, FakeTwilio
from tests.imap_server import PASSWORD, USER, ImapServer
from tests.keyrings import this_keyring
from tests.shop import FERNHOLLOW, PRACTICE, Shop

MONDAY = "2026-03-02T18:00:00Z"  # 10:00 in Portland, which is when the fakes live
KEYS = {"STOPWELL_SENDGRID_API_KEY": KEY, "STOPWELL_TWILIO_AUTH_TOKEN": TOKEN, "STOPWELL_IMAP_PASSWORD": PASSWORD}


class Live:
    """A practice with its providers on this machine."""

    def __init__(self, folder: Path) -> None:
        self.sendgrid, self.twilio, self.mailbox = FakeSendgrid(), FakeTwilio(), ImapServer()
        self.shop = Shop(folder, KEYS)
        self.shop.done("init", *PRACTICE)
        self.shop.done("apply", FERNHOLLOW)
        self.shop.done("apply", self.shop.write("providers.yaml", self._providers()))

    def _providers(self) -> str:
        return f"""format: stopwell.providers/1
twilio: {{account_sid: {ACCOUNT}, from: "{OURS}", base_url: "{self.twilio.url}"}}
sendgrid:
  {{from_email: desk@example.com, from_name: Fernhollow, unsubscribe_group: {GROUP}, base_url: "{self.sendgrid.url}"}}
imap: {{host: 127.0.0.1, port: {self.mailbox.port}, user: {USER}, tls: false}}
"""

    def close(self) -> None:
        self.sendgrid.close()
        self.twilio.close()

    def tested(self) -> None:
        for connection in ("twilio", "sendgrid", "imap"):
            assert self.shop.json("test-connection", connection)["works"] is True

    def goes_live(self) -> None:
        self.tested()
        self.shop.done("live", "--confirm", "registered")

    def people(self, count: int = 1) -> None:
        self.shop.done("publish", "New lead")
        rows = "".join(f"Person {n},p{n}@example.com,Portland\n" for n in range(count))
        self.shop.import_people("Name,Email,Location\n" + rows)
        group = "format: stopwell.group/1\nname: everyone\nmatch: {field: person.email, empty: false}\n"
        self.shop.done("apply", self.shop.write("group.yaml", group))
        self.shop.done("enroll", "New lead", "--group", "everyone", "--at", MONDAY)


def as_usual(talk: Any, request: Request) -> Answer:
    """Between faults."""
    answer: Answer = talk.fake.answer(request)
    return answer


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    made = Live(tmp_path / "data")
    with made.mailbox:
        yield made
    made.close()


def test_from_an_empty_folder_to_a_real_email_and_back(live: Live) -> None:
    live.people()
    assert "was not tested" in live.shop.refused("live")
    live.goes_live()
    assert live.shop.json("checklist")["ready"] is True

    live.shop.done("tick", "--at", MONDAY)

    [mail] = live.sendgrid.mails
    assert mail["personalizations"][0]["to"][0]["email"] == "p0@example.com"
    assert live.shop.json("messages")[0]["provider_id"]
    assert live.shop.json("practice")["changed"] is True
    live.people(2)
    live.shop.done("tick", "--at", MONDAY)
    assert len(live.sendgrid.mails) == 1


def test_case_136_a_key_that_is_refused_pauses_the_channel_and_uses_up_nobody_s_tries(live: Live) -> None:
    live.goes_live()
    live.people(12)
    live.sendgrid.key = "SG.another"
    live.shop.done("tick", "--at", MONDAY)

    messages = live.shop.json("messages")
    assert [(each["state"], each["attempts"]) for each in messages] == [("queued", 0)] * 12
    assert live.sendgrid.mails == []
    [problem] = [each for each in live.shop("problems", "--json").json if each["why"] == "channel_paused"]
    assert "SendGrid refuses" in problem["told"]
    tested = live.shop("test-connection", "sendgrid", "--json").json
    assert "SendGrid refuses the key" in tested["told"]

    live.sendgrid.key = KEY
    assert live.shop.json("test-connection", "sendgrid")["works"] is True
    live.shop.done("tick", "--at", MONDAY)

    assert len(live.sendgrid.mails) == 12
    assert {each["state"] for each in live.shop.json("messages")} == {"accepted"}


def _wrong_key(live: Live) -> None:
    live.sendgrid.key = "SG.another"


def _narrow_key(live: Live) -> None:
    live.sendgrid.scopes.remove("mail.send")


def _unverified(live: Live) -> None:
    live.sendgrid.verified.clear()


def _unconfirmed(live: Live) -> None:
    _unverified(live)
    live.sendgrid.waiting.add("desk@example.com")


def _wrong_token(live: Live) -> None:
    live.twilio.logins.clear()


def _suspended(live: Live) -> None:
    live.twilio.status = "suspended"
    live.twilio.fail(f"POST {MESSAGES}", *[says(403, {"code": 20005, "message": "Account not active"})] * 9)


def _active(live: Live) -> None:
    live.twilio.status = "active"
    live.twilio.faults.clear()


def _number_gone(live: Live) -> None:
    live.twilio.numbers.clear()


def _number_can_not_text(live: Live) -> None:
    live.twilio.numbers[OURS]["sms"] = False


def _no_network(live: Live) -> None:
    live.sendgrid.close()
    live.sendgrid = FakeSendgrid()  # elsewhere: nobody listens where the settings say


def _no_such_mailbox_password(live: Live) -> None:
    live.mailbox.script = lambda command, _: b"NO [AUTHENTICATIONFAILED] wrong" if "LOGIN" in command else None


_FAILS: dict[str, tuple[Callable[[Live], None], str, str]] = {
    "wrong key": (_wrong_key, "sendgrid", "SendGrid refuses the key: it is mistyped, or was deleted there (401"),
    "key without scope": (_narrow_key, "sendgrid", "The key lacks a right at SendGrid that is needed (mail.send)."),
    "unverified sender": (_unverified, "sendgrid", "SendGrid does not know the sender's address as yours (403"),
    "unconfirmed sender": (_unconfirmed, "sendgrid", "The sender's address waits to be confirmed (403"),
    "wrong token": (_wrong_token, "twilio", "Twilio refuses the account or its token (20003)."),
    "suspended": (_suspended, "twilio", "The account at Twilio is suspended or closed (suspended)."),
    "number not ours": (_number_gone, "twilio", "The sender's number is not in this account at Twilio."),
    "number without texts": (_number_can_not_text, "twilio", "The sender's number can't send texts."),
    "no network": (_no_network, "sendgrid", "SendGrid can't be reached"),
    "mailbox": (_no_such_mailbox_password, "imap", "The mailbox refuses the user name or the password"),
}


@pytest.mark.parametrize(("breaks", "connection", "told"), _FAILS.values(), ids=_FAILS.keys())
def test_i12_whatever_fails_is_told_in_plain_words_and_loses_nothing(
    live: Live, breaks: Callable[[Live], None], connection: str, told: str
) -> None:
    live.goes_live()
    live.people(3)
    breaks(live)

    live.shop.done("tick", "--at", MONDAY)
    said = live.shop("test-connection", connection, "--json")

    assert (said.code, said.json["works"]) == (1, False)
    assert said.json["told"].startswith(told)
    assert said.json["hint"]
    messages = live.shop.json("messages")
    if connection == "sendgrid":
        assert [(each["state"], each["attempts"]) for each in messages] == [("queued", 0)] * 3
    else:  # what has nothing to do with email keeps no email
        assert [each["state"] for each in messages] == ["accepted"] * 3


TEXT_ONLY = """format: stopwell.template/1
name: note
channel: sms
purpose: care
body: "Fernhollow: your visit is noted. Reply STOP to end."
---
format: stopwell.journey/1
name: Note
purpose: care
ends: {replied: true, converted: never, closed: never}
start: note
steps:
  note: {do: sms, template: note, next: done}
  done: {do: end, as: exhausted}
"""


def _texted(live: Live, *numbers: int) -> None:
    live.shop.done("apply", live.shop.write("note.yaml", TEXT_ONLY))
    live.shop.done("publish", "Note")
    rows = "".join(f"Person {n},+150355501{n:02},Portland\n" for n in numbers)
    live.shop.import_people("Name,Phone,Location\n" + rows)
    for n in numbers:
        live.shop.done("enroll", "Note", "--person", f"+150355501{n:02}", "--at", MONDAY)


def _again(live: Live, **new: FakeSendgrid | FakeTwilio) -> None:
    """The providers as they were, or others in their places."""
    for name, fake in new.items():
        setattr(live, name, fake)
    live.shop.done("apply", live.shop.write("providers.yaml", live._providers()))


def _twilio_away(live: Live) -> None:
    live.twilio.close()


def _twilio_with_another_s_certificate(live: Live) -> None:
    made = Authority(live.shop.folder.parent).issue()
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(made.cert, made.key)
    live.twilio.close()
    _again(live, twilio=FakeTwilio(tls))


_MENDED: dict[str, tuple[Callable[[Live], None], Callable[[Live], None]]] = {
    "wrong token": (_wrong_token, lambda live: live.twilio.logins.update({ACCOUNT: TOKEN})),
    "suspended": (_suspended, _active),
    "no network": (_twilio_away, lambda live: _again(live, twilio=FakeTwilio())),
    "certificate": (_twilio_with_another_s_certificate, lambda live: _again(live, twilio=FakeTwilio())),
}


@pytest.mark.parametrize(("breaks", "mends"), _MENDED.values(), ids=_MENDED.keys())
def test_i12_texts_wait_while_twilio_fails_and_each_goes_once_when_it_is_mended(
    live: Live, breaks: Callable[[Live], None], mends: Callable[[Live], None]
) -> None:
    """Nobody's tries are used, nobody is suppressed, and what is wrong stands on the problem list."""
    live.goes_live()
    _texted(live, 40, 41, 42)
    breaks(live)
    for hour in (18, 19, 20):
        live.shop.done("tick", "--at", f"2026-03-02T{hour}:01:00Z")

    messages = live.shop.json("messages")
    assert {(each["state"], each["attempts"]) for each in messages} <= {("queued", 0)}
    assert len(messages) == 3
    told = [each["told"] for each in live.shop("problems", "--json").json if each["why"] == "channel_paused"]
    assert len(told) == 1
    assert all(live.shop.json("person", str(n))["suppressions"] == [] for n in (1, 2, 3))

    mends(live)
    live.shop.done("try-channel", "sms")
    live.shop.done("tick", "--at", "2026-03-02T20:31:00Z")
    assert live.twilio.texts == [], "the clinic has its lunch"
    for minute in (31, 32, 33, 34):
        live.shop.done("tick", "--at", f"2026-03-02T21:{minute}:00Z")
    assert sorted(str(row["to"]) for row in live.twilio.texts) == ["+15035550140", "+15035550141", "+15035550142"]
    assert {(each["state"], each["attempts"]) for each in live.shop.json("messages")} == {("accepted", 1)}
    assert live.shop("problems", "--json").json == []


def test_a_certificate_that_is_not_the_provider_s_is_told_and_no_key_goes_there(live: Live, tmp_path: Path) -> None:
    made = Authority(tmp_path).issue()
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(made.cert, made.key)
    with_tls = FakeSendgrid(tls)
    text = f"""format: stopwell.providers/1
sendgrid: {{from_email: desk@example.com, from_name: Fernhollow, base_url: "{with_tls.url}"}}
"""
    live.shop.done("apply", live.shop.write("tls.yaml", text))
    said = live.shop("test-connection", "sendgrid", "--json")
    with_tls.close()

    assert said.json["told"].startswith("What answers in the place of SendGrid can't prove to be it")
    assert with_tls.requests == []


def test_case_153_live_without_a_keyring_everything_waits_and_says_what_to_do(live: Live) -> None:
    live.goes_live()
    live.people()
    with this_keyring(keyring.backends.fail.Keyring()):  # type: ignore[no-untyped-call]
        keyless = Shop(live.shop.folder)
        keyless.done("tick", "--at", MONDAY)
        shown = keyless("checklist", "--json").json
        problems = keyless("problems", "--json").json

    assert [(each["state"], each["attempts"]) for each in live.shop.json("messages")] == [("queued", 0)]
    assert any("the keyring of this computer can't be read" in each["told"] for each in problems)
    [keys] = [item for item in shown["items"] if item["check"] == "keys"]
    assert "GNOME Keyring" in keys["told"]
    live.shop.done("try-channel", "email")
    live.shop.done("tick", "--at", MONDAY)
    assert len(live.sendgrid.mails) == 1


def test_case_138_what_is_too_much_waits_for_as_long_as_the_provider_says(live: Live) -> None:
    live.goes_live()
    live.people(10)
    live.sendgrid.fail("POST /v3/mail/send", *[as_usual] * 4, says(429, {"errors": []}, {"Retry-After": "3600"}))
    live.shop.done("tick", "--at", MONDAY)

    assert len(live.sendgrid.mails) == 4
    states = [(each["state"], each["attempts"]) for each in live.shop.json("messages")]
    assert sorted(set(states)) == [("accepted", 1), ("queued", 0)]
    live.sendgrid.now += 3 * 60
    live.shop.done("tick", "--at", "2026-03-02T18:30:00Z")
    assert len(live.sendgrid.mails) == 4

    live.shop.done("tick", "--at", "2026-03-02T19:01:00Z")

    assert len(live.sendgrid.mails) == 10


def test_i12_a_number_that_is_not_registered_is_told_and_the_rest_waits(live: Live) -> None:
    """30034 comes only after acceptance: the first text shows it, and no other is lost to it."""
    live.goes_live()
    _texted(live, 40)
    live.shop.done("tick", "--at", MONDAY)
    [taken] = live.twilio.texts
    live.twilio.becomes[taken["sid"]] = [{"status": "undelivered", "error_code": 30034}]
    live.shop.done("tick", "--at", "2026-03-02T18:03:00Z")
    _texted(live, 41, 42, 43)
    live.shop.done("tick", "--at", "2026-03-02T18:30:00Z")

    assert len(live.twilio.texts) == 1
    held = [each["hold"]["told"] for each in live.shop.json("queue")]
    assert len(held) == 3
    assert all("not registered" in each for each in held)
    told = [each["told"] for each in live.shop("problems", "--json").json if each["why"] == "channel_paused"]
    assert any("registered" in each for each in told), told
    live.shop.done("try-channel", "sms")
    for minute in (40, 41, 42):
        live.shop.done("tick", "--at", f"2026-03-02T18:{minute}:00Z")
    assert len(live.twilio.texts) == 4


def test_i13_a_provider_that_takes_a_mail_and_never_answers_is_asked_and_the_mail_goes_once(live: Live) -> None:
    """Case 69. Until that is known the message says so, and no attempt is lost or made twice."""
    live.goes_live()
    live.people()
    live.sendgrid.fail("POST /v3/mail/send", taken_but(hangs_up))
    live.shop.done("tick", "--at", MONDAY)
    [message] = live.shop.json("messages")
    assert message["state"] == "sending"

    for minute in (2, 4, 8, 12):
        live.sendgrid.now += 120
        live.shop.done("tick", "--at", f"2026-03-02T18:{minute:02}:00Z")
    [message] = live.shop.json("messages")
    assert (message["state"], message["attempts"]) == ("accepted", 1)
    assert len(live.sendgrid.mails) == 1


def test_i12_a_key_that_is_gone_pauses_its_channel_and_what_comes_later_brings_it_back(live: Live) -> None:
    live.goes_live()
    live.people()
    keyless = Shop(live.shop.folder, {name: key for name, key in KEYS.items() if "SENDGRID" not in name})
    keyless.done("tick", "--at", MONDAY)

    [message] = live.shop.json("messages")
    assert (message["state"], message["attempts"]) == ("queued", 0)
    assert any("SendGrid" in each["told"] for each in live.shop("problems", "--json").json)
    live.shop.done("try-channel", "email")
    live.shop.done("tick", "--at", MONDAY)
    assert len(live.sendgrid.mails) == 1


def test_a_made_up_time_is_refused_where_somebody_could_be_reached(live: Live) -> None:
    live.goes_live()
    real = "format: stopwell.providers/1\nsendgrid: {from_email: desk@example.com, from_name: Fernhollow}\n"
    live.shop.done("apply", live.shop.write("real.yaml", real))

    assert "made-up time" in live.shop.refused("tick", "--at", MONDAY)
