"""Going live and back: on a real store, with everything there and with something missing."""

from __future__ import annotations

import pytest

from app.domain.connection_words import Connection
from app.domain.errors import OperatorError
from app.domain.going_live import Check, Trial
from app.domain.provider_settings import Providers, Twilio
from app.domain.secret import Secret, SecretName
from app.service.going_live import GoingLive
from app.store import tables as t
from app.store.unit_of_work import Store
from tests.fakes import FakeSecrets
from tests.stage import Stage


class Office:
    """A practice with everything there for texts."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.secrets = FakeSecrets({SecretName.TWILIO_AUTH_TOKEN: Secret("0a1b2c3d")})
        self.going_live = GoingLive(stage.store.open_uow, stage.store.open_reader, self.secrets, stage.clock)
        now = stage.clock.now()
        with stage.store.open_uow() as uow:
            uow.documents.save_providers(Providers(Twilio("AC01", "+15035550100", "")), now)
            uow.documents.save_trial(Connection.TWILIO, Trial(now))

    def is_live(self) -> bool:
        with self.stage.store.open_uow() as uow:
            return not uow.documents.practice_mode()

    def events(self) -> list[str]:
        return [row["event"] for row in self.stage.world.rows(t.log_entry) if row["event"].startswith("practice.")]


@pytest.fixture
def office(store: Store) -> Office:
    return Office(Stage(store))


def test_with_everything_there_the_practice_goes_live_once(office: Office) -> None:
    switched = office.going_live.go_live(by="Dana", confirmed=[Check.REGISTERED])

    assert (switched.live, switched.changed, office.is_live()) == (True, True, True)
    assert not office.going_live.go_live(by="Dana").changed  # what was confirmed stays so
    assert office.events() == ["practice.live"]


def test_while_something_is_missing_it_stays_in_practice_mode_and_each_thing_is_named(office: Office) -> None:
    office.secrets.kept.clear()
    with pytest.raises(OperatorError) as refused:
        office.going_live.go_live(by="Dana")
    assert "Missing: twilio-auth-token." in refused.value.told
    assert "Texts from a number that is not registered" in refused.value.told
    assert (office.is_live(), office.events()) == (False, [])


def test_another_number_has_to_be_confirmed_anew(office: Office) -> None:
    office.going_live.go_live(by="Dana", confirmed=[Check.REGISTERED])
    office.going_live.go_to_practice(by="Dana")
    now = office.stage.clock.now()
    with office.stage.store.open_uow() as uow:
        uow.documents.save_providers(Providers(Twilio("AC01", "+15035550199", "")), now)
        uow.documents.save_trial(Connection.TWILIO, Trial(now))

    with pytest.raises(OperatorError, match="not registered"):
        office.going_live.go_live(by="Dana")


def test_back_in_practice_mode_it_is_said_what_is_on_its_way_and_what_goes_on(office: Office) -> None:
    office.going_live.go_live(by="Dana", confirmed=[Check.REGISTERED])
    office.stage.lead()
    office.stage.tick()
    office.stage.world.sending(office.stage.world.rows(t.message)[0]["id"], at=office.stage.clock.now())

    switched = office.going_live.go_to_practice(by="Dana")

    assert (switched.live, switched.changed, office.is_live()) == (False, True, False)
    assert "1 message is on the way to the provider and can't be called back." in switched.told
    assert "1 under way go on here" in switched.told
    assert not office.going_live.go_to_practice(by="Dana").changed
