"""A practice in which a reply came while a text was with the provider, and the command line on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from app.domain.answer import Answer, Unknown
from app.domain.events import EventKind
from app.domain.ids import PersonId
from app.domain.reasons import Why
from app.domain.states import Channel
from app.engine.ports import AttemptNote
from app.store.seals import seal_log
from app.store.session import Session, sqlite_url
from app.store.unit_of_work import Store
from tests.builders import journey_document
from tests.databases import BOTH, migrated
from tests.shop import Shop
from tests.stage import Stage

Steps = dict[str, dict[str, object]]
THREE: Steps = {
    "hello": {"do": "email", "template": "hello", "next": "first-wait"},
    "first-wait": {"do": "wait", "for": {"days": 1}, "next": "nudge"},
    "nudge": {"do": "sms", "template": "nudge", "next": "second-wait"},
    "second-wait": {"do": "wait", "for": {"days": 1}, "next": "third"},
    "third": {"do": "sms", "template": "third", "next": "done"},
    "done": {"do": "end", "as": "exhausted"},
}
VISIT: Steps = {"visit": {"do": "email", "template": "visit", "next": "over"}, "over": {"do": "end", "as": "exhausted"}}


@dataclass(frozen=True, slots=True)
class Told:
    """A practice in which things happened, and the command line on it."""

    stage: Stage
    shop: Shop
    person: PersonId


@pytest.fixture(params=BOTH)
def told(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Told]:
    """Two messages accepted; a reply while the third is with the provider and another waits; found there later."""
    shop = Shop(tmp_path / "data")
    shop.folder.mkdir(mode=0o700)
    url = sqlite_url(shop.folder / "stopwell.sqlite")
    if request.param == "postgresql":
        url = request.getfixturevalue("postgres_url")
        shop = Shop(shop.folder, {"STOPWELL_DATABASE": url})
    migrated(url)
    session = Session(url)
    stage = Stage(Store(session))
    yield Told(stage, shop, tell_story(stage))
    session.dispose()


def tell_story(stage: Stage) -> PersonId:
    journey = stage.world.journey("New lead", journey_document("New lead", steps=THREE))
    person, _ = stage.lead(journey, first_name="Ana", last_name="Diaz")
    stage.run()  # Monday 10:00: the email
    stage.clock.go_on(timedelta(days=1))
    stage.run()  # Tuesday 10:00: the first text
    stage.clock.go_on(timedelta(days=1))

    def answer_lost(note: AttemptNote) -> Answer:
        stage.provider.take(note)
        now = stage.clock.now()
        stage.event(
            EventKind.REPLIED,
            person,
            happened_at=now - timedelta(seconds=30),
            channel=Channel.SMS,
            text="Tuesday works",
            source="twilio",
            key="SM0123456789abcdef0123456789abcdef",
            payload_hash="ab" * 32,
        )
        return Unknown(Why.NO_ANSWER)

    stage.tick()  # Wednesday 10:00: the second text is queued, and then one of another journey
    care = stage.world.journey("Visit", journey_document("Visit", steps=VISIT, purpose="care"))
    stage.world.enrollment(person, care, wake_at=stage.clock.now())
    stage.tick()
    stage.provider.script = answer_lost
    stage.deliver()
    stage.provider.script = lambda _note: None
    stage.clock.go_on(timedelta(minutes=2))
    stage.run()  # found at the provider
    seal_log(stage.store.session, stage.clock.now())
    return person


def packet_of(told: Told, *more: str) -> dict[str, Any]:
    """The packet that the command line writes to standard output."""
    said = told.shop.done("evidence", "--person", "#1", "--out", "-", *more)
    found: dict[str, Any] = said.json
    return found
