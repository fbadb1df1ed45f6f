"""Settings by mouse and keyboard: accounts, keys that are never shown, tests of connections, and the switch."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.domain.answer import Outage, Works
from app.domain.connection_words import Connection
from app.domain.going_live import Check, Trial
from app.domain.provider_settings import ProviderKind
from app.domain.reasons import Why
from app.domain.secret import Secret, SecretName
from app.domain.secret_place import SecretsUnavailable, Unavailable
from app.ui.faults import Fault
from app.ui.settings.panel import LIVE, SettingsPanel
from tests.fakes import FakeSecrets
from tests.ui.posts import LEFT, Post, cut_in, focusable, texts

ACCOUNT = "AC" + "0" * 31 + "1"
KEY = "a-key-that-nobody-may-see"
SMALL, USUAL = (904, 520), (1092, 720)


@dataclass(slots=True)
class Opened:
    """The section, open, with the keyring behind it."""

    panel: SettingsPanel
    post: Post
    secrets: FakeSecrets
    faults: list[Fault]
    well: list[bool]

    def page(self, kind: ProviderKind) -> QWidget:
        self.panel.show_page(kind.value)
        return self.panel.sender_page(kind)

    def type(self, kind: ProviderKind, **values: str) -> None:
        """Type into the fields of an account as a person does."""
        account = self.panel.sender_page(kind).account
        for key, text in values.items():
            field = account.field("from" if key == "sender" else key)
            assert isinstance(field, QLineEdit)
            field.selectAll()
            QTest.keyClicks(field, text)

    def kept(self) -> object:
        with self.post.stage.store.open_uow() as uow:
            return uow.documents.providers()


@pytest.fixture
def opened(post: Post, qtbot: QtBot) -> Opened:
    panel = SettingsPanel(post.look, post.desk, post.memory)
    secrets = post.desk.acts.settings._secrets
    assert isinstance(secrets, FakeSecrets)
    made = Opened(panel, post, secrets, [], [])
    panel.read_failed.connect(made.faults.append)
    panel.read_well.connect(lambda: made.well.append(True))
    panel.told.connect(post.told.append)
    qtbot.addWidget(panel)
    panel.resize(*USUAL)
    with qtbot.waitExposed(panel):
        panel.show()
    qtbot.waitUntil(lambda: bool(made.well))
    return made


def pressed(page: QWidget, words: str) -> QAbstractButton:
    """The button in view with these words."""
    every = [each for each in page.findChildren(QAbstractButton) if each.isVisible()]
    return next(each for each in every if getattr(getattr(each, "face", None), "words", "") == words)


def said(page: QWidget) -> str:
    """Everything that can be read on the page, or heard of it."""
    every = page.findChildren(QWidget)
    heard = [f"{each.accessibleName()} {each.accessibleDescription()} {each.toolTip()}" for each in every]
    lines = [each.text() for each in every if isinstance(each, QLabel | QLineEdit)]
    return "\n".join([*heard, *lines])


def test_an_account_is_saved_by_the_mouse_and_says_what_was_saved(opened: Opened, qtbot: QtBot) -> None:
    page = opened.page(ProviderKind.TWILIO)
    opened.type(ProviderKind.TWILIO, account_sid=ACCOUNT, sender="(503) 555-0100")

    QTest.mouseClick(pressed(page, "Save"), LEFT)

    qtbot.waitUntil(lambda: "Saved at" in said(page))
    assert "Account SID" in said(page)
    kept = opened.kept()
    assert getattr(kept, "twilio").account_sid == ACCOUNT  # noqa: B009
    assert getattr(kept, "twilio").sender == "+15035550100"  # noqa: B009


def test_enter_saves_too(opened: Opened, qtbot: QtBot) -> None:
    page = opened.page(ProviderKind.SENDGRID)
    opened.type(ProviderKind.SENDGRID, from_email="desk@fernhollow.example", from_name="Fernhollow")
    field = opened.panel.sender_page(ProviderKind.SENDGRID).account.field("from_name")

    QTest.keyClick(field, Qt.Key.Key_Return)

    qtbot.waitUntil(lambda: "Saved at" in said(page))
    assert getattr(opened.kept(), "sendgrid").from_name == "Fernhollow"  # noqa: B009


def test_what_is_wrong_is_told_beside_its_field_and_nothing_is_saved(opened: Opened, qtbot: QtBot) -> None:
    page = opened.page(ProviderKind.TWILIO)
    opened.type(ProviderKind.TWILIO, account_sid="fernhollow", sender="+15035550100")

    QTest.mouseClick(pressed(page, "Save"), LEFT)

    qtbot.waitUntil(lambda: "begins with AC" in said(page))
    account = opened.panel.sender_page(ProviderKind.TWILIO).account
    assert account.texts["account_sid"] == "fernhollow", "what was typed stays"
    assert getattr(opened.kept(), "twilio") is None  # noqa: B009


def test_i16_a_key_goes_to_the_keyring_and_is_nowhere_in_the_window_afterwards(opened: Opened, qtbot: QtBot) -> None:
    page = opened.page(ProviderKind.TWILIO)
    card = opened.panel.sender_page(ProviderKind.TWILIO).key
    assert card.field.echoMode() is QLineEdit.EchoMode.Password
    QTest.keyClicks(card.field, KEY)

    QTest.mouseClick(pressed(page, "Keep"), LEFT)

    qtbot.waitUntil(lambda: "Kept at" in said(page))
    assert opened.secrets.kept == {SecretName.TWILIO_AUTH_TOKEN: Secret(KEY)}
    assert KEY not in said(opened.panel)
    card.field.undo()
    assert KEY not in said(opened.panel)
    with opened.post.stage.store.open_uow() as uow:
        assert KEY not in repr(uow.documents.providers())


def test_a_key_is_taken_out_again(opened: Opened, qtbot: QtBot) -> None:
    opened.secrets.kept[SecretName.TWILIO_AUTH_TOKEN] = Secret(KEY)
    page = opened.page(ProviderKind.TWILIO)
    opened.panel.ask()
    qtbot.waitUntil(lambda: "keyring" in said(page) and len(opened.well) > 1)

    QTest.mouseClick(pressed(page, "Take out"), LEFT)

    qtbot.waitUntil(lambda: "Taken out of the keyring" in said(page))
    assert opened.secrets.kept == {}


def test_without_a_keyring_the_page_says_what_to_do_and_the_key_is_not_lost_in_silence(
    opened: Opened, qtbot: QtBot
) -> None:
    opened.secrets.fault = SecretsUnavailable(Unavailable.NONE)
    page = opened.page(ProviderKind.TWILIO)
    QTest.keyClicks(opened.panel.sender_page(ProviderKind.TWILIO).key.field, KEY)

    QTest.mouseClick(pressed(page, "Keep"), LEFT)

    qtbot.waitUntil(lambda: opened.secrets.fault is not None and opened.secrets.fault.told in said(page))
    assert opened.secrets.fault.hint
    assert opened.secrets.fault.hint in said(page)
    assert KEY not in said(opened.panel)


@pytest.mark.parametrize(
    ("health", "words"),
    [(Works(), "works"), (Outage(Why.BAD_CREDENTIALS, "401"), "(401)"), (Outage(Why.OFFLINE, "timeout"), "reach")],
    ids=["works", "wrong key", "no network"],
)
def test_a_connection_is_tested_and_told_in_words(
    opened: Opened, qtbot: QtBot, health: Works | Outage, words: str
) -> None:
    opened.post.stage.provider.name = "twilio"
    opened.post.stage.provider.health = health
    values = {"account_sid": ACCOUNT, "from": "+15035550100"}
    opened.post.desk.acts.settings.save(ProviderKind.TWILIO, values, by="Dana")
    page = opened.page(ProviderKind.TWILIO)
    opened.panel.ask()
    qtbot.waitUntil(lambda: pressed(page, "Test connection").isEnabled())

    QTest.mouseClick(pressed(page, "Test connection"), LEFT)

    qtbot.waitUntil(lambda: opened.post.stage.provider.tested > 0)
    qtbot.waitUntil(lambda: words in said(page) and pressed(page, "Test connection").isEnabled())


def test_the_list_before_going_live_names_what_is_missing_and_leads_there(opened: Opened, qtbot: QtBot) -> None:
    opened.panel.show_page(LIVE)
    page = opened.panel.live_page

    assert not pressed(page, "Go live…").isEnabled()
    QTest.mouseClick(pressed(page.row(Check.SENDERS), "Set up"), LEFT)

    assert opened.panel.sender_page(ProviderKind.TWILIO).isVisible()


def ready(opened: Opened) -> None:
    """Everything is there for going live."""
    settings = opened.post.desk.acts.settings
    settings.save(ProviderKind.TWILIO, {"account_sid": ACCOUNT, "from": "+15035550100"}, by="Dana")
    opened.secrets.kept[SecretName.TWILIO_AUTH_TOKEN] = Secret(KEY)
    with opened.post.stage.store.open_uow() as uow:
        uow.documents.save_trial(Connection.TWILIO, Trial(opened.post.desk.now()))


def test_the_practice_goes_live_and_back_and_each_is_asked_once_and_told(opened: Opened, qtbot: QtBot) -> None:
    ready(opened)
    switched: list[bool] = []
    opened.panel.switched.connect(lambda: switched.append(True))
    opened.panel.show_page(LIVE)
    page = opened.panel.live_page
    page.confirmed.add(Check.REGISTERED)
    opened.panel.ask()
    qtbot.waitUntil(lambda: pressed(page, "Go live…").isEnabled())

    QTest.mouseClick(pressed(page, "Go live…"), LEFT)
    assert "real people" in said(page.panel)
    QTest.mouseClick(pressed(page.panel, "Go live"), LEFT)

    qtbot.waitUntil(lambda: bool(switched))
    with opened.post.stage.store.open_uow() as uow:
        assert not uow.documents.practice_mode()
    qtbot.waitUntil(lambda: "Live: messages leave this computer" in said(page))

    QTest.mouseClick(pressed(page, "Back to practice mode…"), LEFT)
    QTest.mouseClick(pressed(page.panel, "Back to practice mode"), LEFT)

    qtbot.waitUntil(lambda: len(switched) == 2)
    with opened.post.stage.store.open_uow() as uow:
        assert uow.documents.practice_mode()
    assert [facts.key for facts in opened.post.told] == ["going-live", "going-live"]


@pytest.mark.parametrize("key", [*(kind.value for kind in ProviderKind), LIVE])
def test_everything_that_takes_the_focus_has_a_name(opened: Opened, key: str) -> None:
    opened.panel.show_page(key)

    assert [each for each in focusable(opened.panel) if not each.accessibleName()] == []


@pytest.mark.parametrize("size", [USUAL, SMALL], ids=["usual", "smallest"])
@pytest.mark.parametrize("key", [*(kind.value for kind in ProviderKind), LIVE])
def test_nothing_is_cut_at_130_percent_text(opened: Opened, qtbot: QtBot, key: str, size: tuple[int, int]) -> None:
    opened.post.look.set_text_percent(130)
    opened.panel.resize(*size)
    opened.panel.show_page(key)
    before = len(opened.well)
    opened.panel.ask()
    qtbot.waitUntil(lambda: len(opened.well) > before)

    page = opened.panel.live_page if key == LIVE else opened.panel.sender_page(ProviderKind(key))

    assert texts(page)
    assert cut_in(page.body.parentWidget() or page) == []
