"""What is pressed on the page of an account: save, keep a key, test; each off the UI's thread, told on the page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.domain.errors import DocumentError
from app.domain.problem import Problem
from app.domain.secret import Secret
from app.service.channel_settings import Tested
from app.ui.components.speech import announce
from app.ui.desk import Desk
from app.ui.faults import Fault
from app.ui.icons import Icon
from app.ui.settings.forms import problem_words, values_of
from app.ui.settings.sender_page import SenderPage
from app.ui.when import clock_words

translate = QCoreApplication.translate


class SenderHands(QObject):
    """Signal: `done()`: something is another, so that it is read again."""

    done = Signal()

    def __init__(self, desk: Desk, page: SenderPage) -> None:
        super().__init__(page)
        self._desk = desk
        self._page = page
        self._form = page.form
        page.account.save_wanted.connect(self._on_save)
        page.account.gone_wanted.connect(self._on_gone)
        page.key.key_typed.connect(self._on_key)
        page.key.gone_wanted.connect(self._on_key_gone)
        page.key.test_wanted.connect(self._on_test)

    # the account ------------------------------------------------------------------------------------------------------

    def _on_save(self) -> None:
        page, form, me = self._page, self._form, self._desk.me
        settings, kind = self._desk.acts.settings, form.kind
        values, changed = values_of(form, page.account.texts, page.kept), page.account.changed_words
        page.account.set_busy(True)

        def save() -> Sequence[Problem]:
            try:
                settings.save(kind, values, by=me)
            except DocumentError as refused:
                return refused.problems
            return ()

        self._desk.bridge.write(self, save, partial(self._on_saved, changed), self._on_save_failed)

    def _on_saved(self, changed: Sequence[str], problems: Sequence[Problem]) -> None:
        account = self._page.account
        account.set_busy(False)
        if problems:
            account.told.tell(Icon.INFO, "text2", "")
            account.show_problems(dict(problem_words(self._form, each) for each in reversed(problems)))
            announce(account, translate("settings", "Not saved. Look at the fields that are marked."), assertive=True)
            return
        account.show_problems({})
        account.take_over()
        told = translate("settings", "Saved at {time}: {what}.").format(time=self._time(), what=", ".join(changed))
        self._tell_account(told)

    def _on_gone(self) -> None:
        settings, kind, me = self._desk.acts.settings, self._form.kind, self._desk.me
        self._page.account.keep_typed()
        self._desk.bridge.write(
            self, lambda: settings.save(kind, None, by=me), self._on_taken_away, self._on_save_failed
        )

    def _on_taken_away(self, _changed: bool) -> None:
        told = translate("settings", "Taken away at {time}. Save brings it back as it stands above; its key is kept.")
        self._page.account.show_problems({})
        self._tell_account(told.format(time=self._time()))

    def _on_save_failed(self, fault: Fault) -> None:
        account = self._page.account
        account.set_busy(False)
        account.show_problems({"": f"{fault.told} {fault.hint}".strip()})

    def _tell_account(self, told: str) -> None:
        account = self._page.account
        account.told.tell(Icon.CHECK, "ok", told)
        announce(account, told)
        self.done.emit()

    # the key ----------------------------------------------------------------------------------------------------------

    def _on_key(self, key: Secret) -> None:
        settings, name, me = self._desk.acts.settings, self._form.secret, self._desk.me
        self._page.key.told.tell(Icon.WAIT, "text2", translate("settings", "It is handed to the keyring…"))
        self._desk.bridge.wait_for(
            self, lambda: settings.set_key(name, key, by=me), self._on_key_kept, self._on_key_failed
        )

    def _on_key_kept(self, notes: Sequence[str]) -> None:
        told = translate("settings", "Kept at {time}. It is not shown again.").format(time=self._time())
        self._tell_key(f"{told} {' '.join(notes)}".strip())

    def _on_key_gone(self) -> None:
        settings, name, me = self._desk.acts.settings, self._form.secret, self._desk.me
        self._desk.bridge.wait_for(
            self, lambda: settings.forget_key(name, by=me), self._on_key_taken, self._on_key_failed
        )

    def _on_key_taken(self, gone: bool) -> None:
        told = translate("settings", "Taken out of the keyring at {time}.") if gone else self._none()
        self._tell_key(told.format(time=self._time()))

    def _none(self) -> str:
        return translate("settings", "The keyring held none at {time}.")

    def _on_key_failed(self, fault: Fault) -> None:
        words = f"{fault.told} {fault.hint}".strip()
        self._page.key.told.tell(Icon.INFO, "text2", "")
        self._page.key.show_error(words)
        announce(self._page.key, words, assertive=True)

    def _tell_key(self, told: str) -> None:
        self._page.key.told.tell(Icon.CHECK, "ok", told)
        announce(self._page.key, told)
        self.done.emit()

    # the connection ---------------------------------------------------------------------------------------------------

    def _on_test(self) -> None:
        settings, connection, me = self._desk.acts.settings, self._form.connection, self._desk.me
        if connection is None or self._page.asking:
            return
        self._page.asking = True
        self._page.key.show_asking()
        self._desk.bridge.wait_for(
            self, lambda: settings.test(connection, by=me), self._on_tested, self._on_test_failed
        )

    def _on_tested(self, tested: Tested) -> None:
        self._page.asking = False
        announce(self._page.key, f"{tested.told} {tested.hint}".strip(), assertive=not tested.works)
        self.done.emit()

    def _on_test_failed(self, fault: Fault) -> None:
        self._page.asking = False
        self.done.emit()
        self._page.key.show_test_fault(f"{fault.told} {fault.hint}".strip())

    def _time(self) -> str:
        return clock_words(self._desk.now(), self._page.zone, seconds=True)
