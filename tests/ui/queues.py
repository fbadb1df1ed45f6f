"""The section Queue with three people in it, for its tests."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from pytestqt.qtbot import QtBot

from app.domain.ids import EnrollmentId
from app.store import tables as t
from app.ui.queue.panel import QueuePanel
from tests.builders import NOW
from tests.ui.posts import Post, row_of, words

DUE, PERSON, STEP, LOCATION, HELD, STOP = range(6)
HOUR = timedelta(hours=1)


@pytest.fixture
def queue(post: Post, qtbot: QtBot) -> QueuePanel:
    """Ana is due, Ben in two hours, Cleo the day after tomorrow; all in New lead, none held."""
    for name, wake_at in (("Ana", NOW), ("Ben", NOW + 2 * HOUR), ("Cleo", NOW + 48 * HOUR)):
        enroll(post, name, wake_at)
    return open_queue(post, qtbot, rows=6)


def enroll(post: Post, name: str, wake_at: datetime, **person: object) -> EnrollmentId:
    """Someone in New lead."""
    world = post.stage.world
    person_id = world.person(name, **person)  # type: ignore[arg-type]
    world.consent(person_id)
    return world.enrollment(person_id, post.stage.journey, wake_at=wake_at)


def open_queue(post: Post, qtbot: QtBot, *, rows: int) -> QueuePanel:
    """The panel, once it has that many rows, heads among them."""
    panel = QueuePanel(post.look, post.desk, post.presses, post.memory, post.gate)
    post.show(qtbot, panel, rows)
    return panel


def state(post: Post, name: str) -> str:
    """How someone's only follow-up stands in the database."""
    person = post.stage.world.rows(t.person, first_name=name)[0]
    return str(post.stage.world.rows(t.enrollment, person_id=person["id"])[0]["state"])


def held(panel: QueuePanel, name: str) -> str:
    return words(panel.model.cell(row_of(panel.table, name), HELD))[0]
