"""The pages of Settings, for pictures: empty and filled, working and failing, in practice mode and live."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.domain.connection_words import Connection
from app.domain.going_live import Check, Trial
from app.domain.provider_settings import ProviderKind
from app.domain.reasons import Why
from app.domain.secret import Secret, SecretName
from app.domain.secret_place import HeldIn, SecretPlace, SecretsUnavailable, Unavailable
from app.ui.settings.panel import LIVE, SettingsPanel

if TYPE_CHECKING:
    from tools.practice_screens import PracticeWindow

_ACCOUNT = "AC" + "0" * 31 + "1"


class PictureSecrets:
    """A keyring in memory. fault: what it says instead of opening."""

    def __init__(self) -> None:
        self.kept: dict[SecretName, Secret] = {}
        self.fault: SecretsUnavailable | None = None

    def read(self, name: SecretName) -> Secret | None:
        """What it keeps."""
        return self.kept.get(name)

    def write(self, name: SecretName, secret: Secret) -> None:
        """Keep it."""
        if self.fault is not None:
            raise self.fault
        self.kept[name] = secret

    def forget(self, name: SecretName) -> bool:
        """Keep it no longer."""
        return self.kept.pop(name, None) is not None

    def place(self) -> SecretPlace:
        """Everything it keeps."""
        held = dict.fromkeys(self.kept, HeldIn.KEYRING)
        return SecretPlace("" if self.fault else "GNOME Keyring", self.fault, {} if self.fault else held)

    def look_again(self) -> None:
        """Nothing is remembered."""


def _panel(window: PracticeWindow) -> SettingsPanel:
    made = window.window.section_widget("settings")
    assert isinstance(made, SettingsPanel)
    return made


def _show(window: PracticeWindow, page: str) -> None:
    from tools.practice_screens import settle

    _panel(window).show_page(page)
    _panel(window).ask()
    settle()


def _fill(window: PracticeWindow, *, tested: bool = True) -> None:
    settings, by = window.desk.acts.settings, window.desk.me
    settings.save(ProviderKind.TWILIO, {"account_sid": _ACCOUNT, "from": "(503) 555-0100"}, by=by)
    email = {"from_email": "desk@fernhollow.example", "from_name": "Fernhollow PT", "unsubscribe_group": 4711}
    settings.save(ProviderKind.SENDGRID, email, by=by)
    mailbox = {"host": "imap.fernhollow.example", "user": "desk@fernhollow.example", "also": ["Junk", "Archive"]}
    settings.save(ProviderKind.IMAP, mailbox, by=by)
    for name in (SecretName.TWILIO_AUTH_TOKEN, SecretName.SENDGRID_API_KEY, SecretName.IMAP_PASSWORD):
        window.secrets.kept[name] = Secret("opens nothing")
    if tested:
        for connection in Connection:
            _tried(window, connection, None)


def _tried(window: PracticeWindow, connection: Connection, why: Why | None, code: str = "") -> None:
    with window.desk.acts.settings._open_uow() as uow:
        uow.documents.save_trial(connection, Trial(window.desk.now(), why, code))


def _twilio(window: PracticeWindow) -> None:
    _fill(window)
    _show(window, ProviderKind.TWILIO)


def _twilio_empty(window: PracticeWindow) -> None:
    _show(window, ProviderKind.TWILIO)


def _no_keyring(window: PracticeWindow) -> None:
    window.secrets.fault = SecretsUnavailable(Unavailable.NONE)
    _show(window, ProviderKind.TWILIO)


def _email_refused(window: PracticeWindow) -> None:
    _fill(window)
    _tried(window, Connection.SENDGRID, Why.BAD_CREDENTIALS, "401")
    _show(window, ProviderKind.SENDGRID)


def _mailbox(window: PracticeWindow) -> None:
    _fill(window, tested=False)
    _show(window, ProviderKind.IMAP)


def _wrong(window: PracticeWindow) -> None:
    from PySide6.QtWidgets import QLineEdit

    from tools.practice_screens import settle

    _show(window, ProviderKind.TWILIO)
    account = _panel(window).sender_page(ProviderKind.TWILIO).account
    for key, text in (("account_sid", "fernhollow"), ("from", "Fernhollow"), ("api_key_sid", "AC01")):
        field = account.field(key)
        assert isinstance(field, QLineEdit)
        field.setText(text)
    account.save_wanted.emit()
    settle()


def _receiver(window: PracticeWindow) -> None:
    _show(window, ProviderKind.RECEIVER)


def _live_missing(window: PracticeWindow) -> None:
    _show(window, LIVE)


def _live_ready(window: PracticeWindow) -> None:
    _fill(window)
    page = _panel(window).live_page
    page.confirmed.add(Check.REGISTERED)
    _show(window, LIVE)
    page.panel.open_for(live=True, first="")
    page.panel.close_panel()
    page._on_switch()


def _live(window: PracticeWindow) -> None:
    _fill(window)
    window.desk.acts.settings.go_live(by=window.desk.me, confirmed=[Check.REGISTERED])
    window.shell.feed.read()
    _show(window, LIVE)


PAGES: dict[str, Callable[[PracticeWindow], None]] = {
    "twilio": _twilio,
    "twilio-empty": _twilio_empty,
    "twilio-wrong": _wrong,
    "no-keyring": _no_keyring,
    "email-refused": _email_refused,
    "mailbox": _mailbox,
    "receiver": _receiver,
    "going-live-missing": _live_missing,
    "going-live-ready": _live_ready,
    "going-live": _live,
}
