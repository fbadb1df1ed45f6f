"""The page of one account: what it is for, the account, its key, the test of the connection."""

from __future__ import annotations

from app.domain.provider_settings import Settings
from app.ui.components.labels import label
from app.ui.look import Look
from app.ui.measures import Space, Type
from app.ui.settings.account_card import AccountCard
from app.ui.settings.forms import FormSpec, texts_of
from app.ui.settings.key_card import KeyCard
from app.ui.settings.parts import PageColumn
from app.ui.settings.seen import SettingsSeen
from app.ui.settings.words import TestSeen
from app.ui.words import Where


class SenderPage(PageColumn):
    """What is pressed is told by its two cards. asking: the provider is being asked. kept: the account as read."""

    def __init__(self, look: Look, form: FormSpec) -> None:
        super().__init__(look, form.title)
        self.form = form
        self.asking = False
        self.kept: Settings | None = None
        self.zone = "UTC"
        self.account = AccountCard(look, form)
        self.key = KeyCard(look, form)
        head = label(form.title, Type.PANEL)
        lead = label(form.lead, Type.BODY, "text2", wraps=True)
        self.body.addWidget(head)
        self.body.addSpacing(-Space.M)
        self.body.addWidget(lead)
        self.body.addWidget(self.account)
        self.body.addWidget(self.key)
        self.body.addStretch(1)

    def show_seen(self, seen: SettingsSeen, where: Where) -> None:
        """As it stands. What somebody is typing stays, and so does what is being asked."""
        form, standing = self.form, seen.standing
        self.kept = kept = standing.providers.of(form.kind)
        self.zone = seen.zone
        self.account.show_texts(texts_of(form, kept), seen.locations, there=kept is not None)
        if form.connection is None:
            self.key.show_key(standing.secrets, standing.secrets.held.get(form.secret))
            return
        connection = seen.of(form.connection)
        self.key.show_key(standing.secrets, connection.key)
        if not self.asking:
            self.key.show_test(TestSeen(connection, where))
