"""The whole way to live, by commands, against providers on this machine: nothing in between is made up but they."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fake_http import Answer, Request, says
from tests.fake_sendgrid import GROUP, KEY, FakeSendgrid
from tests.fake_twilio import ACCOUNT, OURS, TOKEN, FakeTwilio
from tests.imap_server import PASSWORD, USER, ImapServer
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
