"""Senders, keys and connections: what is saved, what is tested, and what never shows."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from app.domain.answer import Health, Outage, Works
from app.domain.connection_words import Connection
from app.domain.errors import DocumentError, OperatorError
from app.domain.provider_settings import ProviderKind, Twilio
from app.domain.reasons import Why
from app.domain.secret import Secret, SecretName
from app.domain.secret_place import HeldIn, SecretsUnavailable, Unavailable
from app.domain.states import Channel
from app.engine.inbound_ports import Haul, Mark
from app.engine.lineup_ports import Lineup
from app.service.channel_settings import ChannelSettings
from app.store import tables as t
from app.store.unit_of_work import Store
from tests.fakes import FakeProvider, FakeSecrets
from tests.stage import Stage

TWILIO = {"account_sid": "AC01", "from": "(503) 555-0100"}
TOKEN = SecretName.TWILIO_AUTH_TOKEN


class Inbox:
    """A source that says what a test wants."""

    every = timedelta(minutes=1)

    def __init__(self, name: str) -> None:
        self.name = name
        self.health: Health = Works()

    def read(self, mark: Mark | None, now: object) -> Haul:
        return Haul((), mark or {})

    def test(self) -> Health:
        return self.health


class Office:
    """Settings on a stage, with providers that say what a test wants."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.secrets = FakeSecrets()
        self.texts = self._provider("twilio", Channel.SMS)
        self.calls = self._provider("twilio-voice", Channel.CALL)
        self.email = self._provider("sendgrid", Channel.EMAIL)
        self.inboxes = {name: Inbox(name) for name in ("twilio", "sendgrid", "imap")}
        senders = {Channel.SMS: self.texts, Channel.CALL: self.calls, Channel.EMAIL: self.email}
        self.lineup = Lineup(
            True, senders, {sender.name: sender for sender in senders.values()}, list(self.inboxes.values())
        )
        self.settings = ChannelSettings(
            stage.store.open_uow, stage.store.open_reader, self.secrets, lambda: self.lineup, stage.clock
        )

    def _provider(self, name: str, channel: Channel) -> FakeProvider:
        provider = FakeProvider(self.stage.clock)
        provider.name, provider.channels = name, frozenset({channel})
        return provider

    def live(self) -> None:
        with self.stage.store.open_uow() as uow:
            uow.documents.set_practice_mode(False)

    def events(self) -> list[str]:
        return [row["event"] for row in self.stage.world.rows(t.log_entry) if row["actor"] == "Dana"]

    def stamp(self) -> object:
        return {row["key"]: row["value"] for row in self.stage.world.rows(t.setting)}["lineup"]

    def paused(self) -> dict[Channel, Why | None]:
        with self.stage.store.open_uow() as uow:
            return {channel: seen.paused_why for channel, seen in uow.engine.channels().items()}


@pytest.fixture
def office(store: Store) -> Office:
    made = Office(Stage(store))
    made.settings.save(ProviderKind.TWILIO, TWILIO, by="Dana")
    return made


# ---- settings


def test_settings_are_saved_by_the_keys_of_a_document_and_shown_as_they_are_kept(office: Office) -> None:
    assert office.settings.read().providers.twilio == Twilio("AC01", "+15035550100", "")
    assert not office.settings.save(ProviderKind.TWILIO, {**TWILIO, "base_url": "", "api_key_sid": None}, by="Dana")
    assert office.events() == ["connection.saved"]


def test_wrong_settings_are_told_at_their_place_and_change_nothing(office: Office) -> None:
    wrong = {"account_sid": "0123", "from": "+15035550100"}
    with pytest.raises(DocumentError) as refused:
        office.settings.save(ProviderKind.TWILIO, wrong, by="Dana")
    assert [problem.path for problem in refused.value.problems] == ["twilio.account_sid"]
    with pytest.raises(DocumentError) as refused:
        office.settings.save(ProviderKind.TWILIO, {"account_sid": "AC01", "from": "Fernhollow"}, by="Dana")
    assert [problem.path for problem in refused.value.problems] == ["twilio.from"]
    assert office.settings.read().providers.twilio == Twilio("AC01", "+15035550100", "")


def test_settings_are_taken_away(office: Office) -> None:
    assert office.settings.save(ProviderKind.TWILIO, None, by="Dana")
    assert office.settings.read().providers.twilio is None


# ---- keys


def test_i16_a_key_is_kept_in_the_keyring_and_nowhere_else(office: Office) -> None:
    before = office.stamp()
    assert office.settings.set_key(TOKEN, Secret("0a1b2c3d4e5f"), by="Dana") == ()

    assert office.secrets.kept == {TOKEN: Secret("0a1b2c3d4e5f")}
    assert office.settings.read().secrets.held == {TOKEN: HeldIn.KEYRING}
    assert office.stamp() != before  # every engine asks for its keys anew
    for table in t.METADATA.tables.values():
        assert "0a1b2c3d4e5f" not in repr(office.stage.world.rows(table))


def test_case_155_blanks_at_the_ends_are_left_out_with_a_note(office: Office) -> None:
    notes = office.settings.set_key(TOKEN, Secret("  0a1b2c3d \n"), by="Dana")

    assert office.secrets.kept == {TOKEN: Secret("0a1b2c3d")}
    assert notes == ("Blanks before or behind it were left out.",)


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        (TOKEN, "  "),
        (TOKEN, "0a1b 2c3d"),
        (TOKEN, "0a1bä"),
        (SecretName.IMAP_PASSWORD, "two\nlines"),
        (SecretName.LEAD_FORM_TOKEN, "0a1b2c"),
    ],
)
def test_what_can_not_be_a_key_is_refused_without_repeating_it(office: Office, name: SecretName, typed: str) -> None:
    with pytest.raises(OperatorError) as refused:
        office.settings.set_key(name, Secret(typed), by="Dana")
    assert typed not in str(refused.value) or not typed.strip()
    assert office.secrets.kept == {}


def test_a_password_may_hold_whatever_one_can_type(office: Office) -> None:
    office.settings.set_key(SecretName.IMAP_PASSWORD, Secret("grün & blau ☂"), by="Dana")
    assert office.secrets.kept[SecretName.IMAP_PASSWORD] == Secret("grün & blau ☂")


def test_case_153_a_keyring_that_takes_nothing_is_told_and_nothing_is_written_elsewhere(office: Office) -> None:
    office.secrets.fault = SecretsUnavailable(Unavailable.NONE)
    with pytest.raises(SecretsUnavailable, match="GNOME Keyring"):
        office.settings.set_key(TOKEN, Secret("0a1b2c3d4e5f"), by="Dana")
    assert office.events() == ["connection.saved"]
    assert office.settings.read().secrets.fault is office.secrets.fault


def test_a_key_is_forgotten(office: Office) -> None:
    office.settings.set_key(TOKEN, Secret("0a1b2c3d"), by="Dana")

    assert office.settings.forget_key(TOKEN, by="Dana")
    assert not office.settings.forget_key(TOKEN, by="Dana")
    assert office.events() == ["connection.saved", "key.set", "key.forgotten"]


# ---- tests of connections


def test_a_connection_that_works_is_kept_with_its_time_until_its_key_or_settings_change(office: Office) -> None:
    tested = office.settings.test(Connection.TWILIO, by="Dana")
    assert (tested.works, tested.told, tested.at) == (True, "Twilio works.", office.stage.clock.now())
    assert office.settings.read().connections[0].tested == tested

    office.settings.set_key(TOKEN, Secret("0a1b2c3d"), by="Dana")
    assert office.settings.read().connections[0].tested is None

    office.settings.test(Connection.TWILIO, by="Dana")
    office.settings.save(ProviderKind.TWILIO, {**TWILIO, "account_sid": "AC99"}, by="Dana")
    assert office.settings.read().connections[0].tested is None


def _fails_texts(office: Office, outage: Outage) -> None:
    office.texts.health = outage


def _fails_reading(office: Office, outage: Outage) -> None:
    office.inboxes["twilio"].health = outage


@pytest.mark.parametrize("fails", [_fails_texts, _fails_reading])
def test_whatever_part_of_an_account_fails_is_told(office: Office, fails: Callable[[Office, Outage], None]) -> None:
    fails(office, Outage(Why.BAD_CREDENTIALS, "20003"))

    tested = office.settings.test(Connection.TWILIO, by="Dana")

    assert not tested.works
    assert tested.told == "Twilio refuses the account or its token (20003)."
    assert "console" in tested.hint
    assert office.settings.read().connections[0].failing == tested


@pytest.mark.expects_warning("connection.test_raised")
def test_a_provider_that_raises_has_not_said_that_it_works(office: Office) -> None:
    def broken() -> Health:
        raise RuntimeError("a bug")

    office.calls.test = broken  # type: ignore[method-assign]
    assert not office.settings.test(Connection.TWILIO, by="Dana").works


def test_what_is_not_set_up_says_so(office: Office) -> None:
    tested = office.settings.test(Connection.IMAP, by="Dana")
    assert (tested.works, tested.told) == (False, "The mailbox is not set up.")


def test_in_practice_mode_a_test_opens_and_closes_no_channel(office: Office) -> None:
    office.texts.health = Outage(Why.BAD_CREDENTIALS, "20003")
    office.settings.test(Connection.TWILIO, by="Dana")
    assert set(office.paused().values()) == {None}


def test_i12_live_a_test_that_works_lets_the_channel_go_on_at_once(office: Office) -> None:
    office.live()
    office.texts.health = Outage(Why.BAD_CREDENTIALS)
    office.settings.test(Connection.TWILIO, by="Dana")
    assert office.paused()[Channel.SMS] is Why.BAD_CREDENTIALS
    assert office.paused()[Channel.EMAIL] is None

    office.texts.health = Works()
    office.settings.test(Connection.TWILIO, by="Dana")

    assert office.paused()[Channel.SMS] is None


def test_i12_a_key_that_is_missing_on_this_computer_pauses_no_channel_for_the_others(office: Office) -> None:
    office.live()
    office.texts.health = Outage(Why.NO_KEY)

    assert not office.settings.test(Connection.TWILIO, by="Dana").works
    assert set(office.paused().values()) == {None}


def test_i12_a_key_that_is_given_is_tried_at_the_next_pass(office: Office) -> None:
    office.live()
    office.texts.health = Outage(Why.BAD_CREDENTIALS)
    office.settings.test(Connection.TWILIO, by="Dana")
    office.settings.set_key(TOKEN, Secret("0a1b2c3d"), by="Dana")

    with office.stage.store.open_uow() as uow:
        assert uow.engine.channels()[Channel.SMS].try_at == office.stage.clock.now()


def test_what_fails_while_it_is_read_is_told_where_connections_are_shown(office: Office) -> None:
    with office.stage.store.open_uow() as uow:
        uow.marks.turn("twilio", timedelta(0), office.stage.clock.now())
        uow.marks.failed("twilio", Outage(Why.OFFLINE, "NameResolutionError"), office.stage.clock.now())

    failing = office.settings.read().connections[0].failing

    assert failing is not None
    assert failing.told.startswith("Twilio can't be found: this computer is offline")
