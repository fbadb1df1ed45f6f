"""Who carries what: by mode, settings and keys, and somebody who says so where one of them is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.domain.answer import Answer, Health, LookUp, Outage, Permanent
from app.domain.delivery_status import Delivered, DeliveryStatus, Undelivered
from app.domain.provider_settings import Connections, Imap, Providers, Sendgrid, Twilio
from app.domain.reasons import Why
from app.domain.secret import Secret, SecretName
from app.domain.secret_place import SecretsUnavailable, Unavailable
from app.domain.states import Channel
from app.engine.inbound_ports import Haul, Mark
from app.engine.ports import AcceptedNote, AttemptNote, Follower
from app.providers.discreet import DiscreetSource, discreet_sender
from app.providers.lineup import Lineups
from app.providers.practice import PracticeOutbox
from tests.fakes import FakeSecrets, ToldClock

WHOLE = Providers(
    Twilio("AC01", "+15035550100", "http://127.0.0.1:1"),
    Sendgrid("desk@example.com", "Desk", "http://127.0.0.1:1"),
    Imap("127.0.0.1", "desk", 1, "INBOX", False),
)
AT = datetime(2027, 1, 11, 18, 42, tzinfo=UTC)
KEYS = {name: Secret(f"{name.value}-0a1b") for name in SecretName}


class Kept:
    """Settings that a test changes."""

    def __init__(self, now: Connections) -> None:
        self.now = now

    def connections(self) -> Connections:
        return self.now

    def stamp(self) -> str:
        return self.now.stamp


class Practice:
    """A practice whose settings and keys a test changes."""

    def __init__(self, folder: Path) -> None:
        clock = ToldClock(AT)
        self.secrets = FakeSecrets(KEYS)
        self.kept = Kept(Connections(live=True, providers=WHOLE, stamp="1"))
        outbox = PracticeOutbox(folder / "outbox.sqlite", clock)
        self.lineups = Lineups(self.kept, self.secrets, outbox, clock, lambda text: text.replace("0a1b", "…"))

    def names(self) -> dict[str, str]:
        return {channel.value: sender.name for channel, sender in self.lineups().senders.items()}


@pytest.fixture
def practice(tmp_path: Path) -> Practice:
    return Practice(tmp_path)


def test_in_practice_mode_the_practice_outbox_takes_everything_and_nothing_is_read(practice: Practice) -> None:
    practice.kept.now = replace(practice.kept.now, live=False)
    practice.secrets.fault = SecretsUnavailable(Unavailable.LOCKED)  # nobody asks it

    lineup = practice.lineups()

    assert not lineup.live
    assert practice.names() == {"email": "practice", "sms": "practice", "call": "practice"}
    assert (list(lineup.by_name), list(lineup.sources)) == (["practice"], [])


def test_live_each_channel_has_its_provider_and_what_comes_in_is_read(practice: Practice) -> None:
    lineup = practice.lineups()

    assert lineup.live
    assert practice.names() == {"email": "sendgrid", "sms": "twilio", "call": "twilio-voice"}
    assert set(lineup.by_name) == {"practice", "sendgrid", "twilio", "twilio-voice"}
    assert {source.name for source in lineup.sources} == {"twilio", "sendgrid", "imap"}


def test_i12_a_channel_without_settings_has_nobody_and_says_so(practice: Practice) -> None:
    practice.kept.now = replace(practice.kept.now, providers=Providers())
    lineup = practice.lineups()

    assert {sender.test() for sender in lineup.senders.values()} == {Outage(Why.NO_PROVIDER)}
    assert (list(lineup.by_name), list(lineup.sources)) == (["practice"], [])


def test_i12_a_provider_without_its_key_says_so_under_its_own_name(practice: Practice) -> None:
    practice.secrets.kept.clear()
    lineup = practice.lineups()

    assert practice.names() == {"email": "sendgrid", "sms": "twilio", "call": "twilio-voice"}
    assert {sender.test() for sender in lineup.senders.values()} == {Outage(Why.NO_KEY)}
    assert {source.test() for source in lineup.sources} == {Outage(Why.NO_KEY)}


def test_case_153_a_keyring_that_can_not_be_read_is_told_and_nothing_breaks(practice: Practice) -> None:
    practice.secrets.fault = SecretsUnavailable(Unavailable.LOCKED)

    assert {each.test() for each in practice.lineups().senders.values()} == {Outage(Why.NO_KEYRING, "locked")}


def test_a_key_that_is_given_is_taken_the_next_time(practice: Practice) -> None:
    key = practice.secrets.kept.pop(SecretName.SENDGRID_API_KEY)
    assert practice.lineups().senders[Channel.EMAIL].test() == Outage(Why.NO_KEY)

    practice.secrets.kept[SecretName.SENDGRID_API_KEY] = key

    assert practice.lineups().senders[Channel.EMAIL].test() != Outage(Why.NO_KEY)


def test_as_long_as_nothing_changes_it_is_the_same_people(practice: Practice) -> None:
    first = practice.lineups()
    again = practice.lineups()
    assert [again.senders[channel] is first.senders[channel] for channel in Channel] == [True] * 3

    practice.secrets.kept[SecretName.SENDGRID_API_KEY] = Secret("another")
    changed = practice.lineups()

    assert changed.senders[Channel.SMS] is first.senders[Channel.SMS]
    assert changed.senders[Channel.EMAIL] is not first.senders[Channel.EMAIL]


def test_the_keyring_is_asked_anew_when_somebody_changed_something_in_whichever_process(practice: Practice) -> None:
    practice.lineups()
    practice.lineups()
    assert practice.secrets.looked_again == 0

    practice.kept.now = replace(practice.kept.now, stamp="2")
    practice.lineups()
    practice.lineups()

    assert practice.secrets.looked_again == 1


def test_a_lineup_says_when_it_is_no_longer_the_one_in_force(practice: Practice) -> None:
    lineup = practice.lineups()
    assert lineup.in_force()

    practice.kept.now = replace(practice.kept.now, live=False, stamp="2")

    assert not lineup.in_force()


def test_who_would_carry_live_can_be_asked_before(practice: Practice) -> None:
    practice.kept.now = replace(practice.kept.now, live=False)

    assert practice.lineups.as_if_live().live
    assert set(practice.lineups.as_if_live().by_name) == {"practice", "sendgrid", "twilio", "twilio-voice"}
    assert not practice.lineups().live


def test_on_a_database_that_others_share_what_has_no_key_here_is_left_to_them(
    practice: Practice, tmp_path: Path
) -> None:
    outbox = PracticeOutbox(tmp_path / "outbox.sqlite", ToldClock(AT))
    shared = Lineups(practice.kept, practice.secrets, outbox, ToldClock(AT), str, shared=True)
    del practice.secrets.kept[SecretName.TWILIO_AUTH_TOKEN]
    lineup = shared()

    assert set(lineup.senders) == {Channel.EMAIL}
    assert {channel: sender.name for channel, sender in lineup.elsewhere.items()} == {
        Channel.SMS: "twilio",
        Channel.CALL: "twilio-voice",
    }
    practice.kept.now = replace(practice.kept.now, providers=Providers())
    assert set(shared().senders) == set(Channel)  # what nobody is set up for is nobody's anywhere
    assert shared().elsewhere == {}


class Repeats:
    """A provider that repeats the key that it was given in whatever it says."""

    name = "repeats"
    channels = frozenset({Channel.SMS})
    rate: float | None = 2.0
    every = timedelta(minutes=1)
    code = "no: 0a1b"

    def send(self, note: AttemptNote) -> Answer:
        return Permanent(Why.REFUSED, self.code, bad_address=True)

    def find(self, note: AttemptNote) -> LookUp:
        return Outage(Why.REFUSED, self.code)

    def test(self) -> Health:
        return Outage(Why.REFUSED, self.code)

    def statuses(self, notes: Sequence[AcceptedNote]) -> Mapping[str, DeliveryStatus]:
        outage = Outage(Why.BUSY, self.code)
        return {"a": Undelivered(AT, Why.UNDELIVERED, self.code, outage=outage), "b": Delivered(AT)}

    def read(self, mark: Mark | None, now: datetime) -> Haul | Outage:
        return Outage(Why.REFUSED, self.code)


def test_i16_a_provider_that_repeats_a_key_does_not_bring_it_to_anybody() -> None:
    def hide(text: str) -> str:
        return text.replace("0a1b", "…")

    sender, source = discreet_sender(Repeats(), hide), DiscreetSource(Repeats(), hide)

    assert (sender.name, sender.rate) == ("repeats", 2.0)
    assert sender.send(None) == Permanent(Why.REFUSED, "no: …", bad_address=True)  # type: ignore[arg-type]
    assert sender.find(None) == sender.test() == source.test() == Outage(Why.REFUSED, "no: …")  # type: ignore[arg-type]
    assert source.read(None, AT) == Outage(Why.REFUSED, "no: …")
    assert isinstance(sender, Follower)
    assert sender.statuses([]) == {
        "a": Undelivered(AT, Why.UNDELIVERED, "no: …", outage=Outage(Why.BUSY, "no: …")),
        "b": Delivered(AT),
    }


def test_a_sender_that_follows_nothing_still_follows_nothing(tmp_path: Path) -> None:
    outbox = PracticeOutbox(tmp_path / "outbox.sqlite", ToldClock(AT))
    assert not isinstance(discreet_sender(outbox, str), Follower)
