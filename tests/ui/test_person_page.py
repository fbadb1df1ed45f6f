"""One person's page, worked by mouse and by keys on a real SQLite file."""

from __future__ import annotations

from datetime import timedelta

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.domain.events import EventKind
from app.domain.lines import PeopleFilter
from app.store import tables as t
from app.ui.look import Look
from app.ui.people.person_page import PersonPage
from app.ui.people.timeline import TimelineRow
from tests.builders import journey_document
from tests.ui.desks import LEFT, Front, words
from tests.ui.posts import cut_in

PAID = {"record": "invoice", "status": "paid", "since": "enrollment"}


def top(widget: QWidget, text: str) -> int:
    """How far down in a widget a text stands."""
    said = next(
        each
        for each in widget.findChildren(QWidget)
        if text in (each.accessibleName(), each.text() if isinstance(each, QLabel) else "")
    )
    return said.mapTo(widget, QPoint(0, 0)).y()


# what it shows --------------------------------------------------------------------------------------------------------


def test_the_head_tells_who_where_and_what_time_it_is_there(front: Front, qtbot: QtBot) -> None:
    boise = front.world.location("Boise", "America/Boise")
    ana, _ = front.lead(tags=("evenings",), location_id=boise, phone="+12085550117", source="web form")
    front.open()

    page = front.open_page(ana)

    told = words(page.header)
    assert page.name.startswith("Ana")
    assert "Boise, 11:00 AM MST there now" in told
    assert "(208) 555-0117" in told
    assert "evenings" in told
    assert "web form" in told
    assert "Active in 1 journey" in told


def test_what_runs_shows_its_steps_what_is_next_and_what_it_may_still_send(page: PersonPage, front: Front) -> None:
    running = next(each.id for each in page._facts.enrollments) if page._facts else None
    card = page.body.card(f"running-{running}")
    assert card is not None

    told = words(card)
    assert "New lead" in told
    assert "Email “hello”, today 11:00 AM PST" in told
    assert "Sent so far | nothing" in told
    assert "they reply or opt out" in told
    assert "Step 1 of 4: Email “hello”." in told


def test_the_timeline_tells_what_is_next_now_and_the_days(page: PersonPage, front: Front, qtbot: QtBot) -> None:
    timeline = page.body.timeline
    assert timeline is not None

    assert top(timeline, "Next") < top(timeline, "Now, 10:00 AM PST") < top(timeline, "Mon Mar 2")


def test_why_a_message_went_out_opens_in_place_with_every_guard(front: Front, qtbot: QtBot) -> None:
    ana, _ = front.lead(in_hours=0)
    front.stage.run()
    front.open()
    page = front.open_page(ana)
    timeline = page.body.timeline
    assert timeline is not None

    link = next(each for each in timeline.findChildren(QWidget) if "Why did this go out?" in each.accessibleName())
    QTest.mouseClick(link, LEFT)

    qtbot.waitUntil(lambda: "22 guards, all passed" in words(timeline))
    assert "1 try" in words(timeline)
    front.key("w")
    qtbot.waitUntil(lambda: not any("22 guards" in words(each) for each in timeline.findChildren(TimelineRow)))
    front.key("w")
    qtbot.waitUntil(lambda: "22 guards, all passed" in words(timeline))
    QTest.mouseClick(link, LEFT)
    qtbot.waitUntil(lambda: "22 guards" not in " ".join(words(each) for each in timeline.findChildren(TimelineRow)))


def test_after_a_stop_the_four_facts_stand_on_top_and_can_be_copied(
    page: PersonPage, front: Front, qtbot: QtBot
) -> None:
    front.key("s")
    qtbot.waitUntil(lambda: page.body.card("stop-True") is not None)

    card = page.body.card("stop-True")
    assert card is not None
    told = words(card)
    assert "1. Stop came in | 10:00:00 AM PST | Today, Dana pressed Stop" in told
    journey = front.stage.journey.name
    assert f"2. State changed | 10:00:00 AM PST | {journey}: active to stopped" in told
    assert "3. Cancelled | Nothing was waiting" in told
    assert "4. Already accepted | Nothing" in told
    front.press(card, "Copy the four facts")
    copied = QGuiApplication.clipboard().text()
    assert copied.count("\n") == 4
    assert copied.endswith("Nothing has gone out since.")


def test_nothing_is_said_to_be_silent_since_when_they_were_started_again(front: Front, qtbot: QtBot) -> None:
    ana, _ = front.lead()
    front.stage.event(EventKind.STOPPED, ana)
    front.stage.clock.go_on(timedelta(hours=1))
    other = front.world.journey("Quote", journey_document("Quote"))
    again = front.world.enrollment(ana, other, wake_at=front.stage.clock.now())
    front.stage.run()
    front.world.end(again)
    front.open()
    front.people.filters.set_filter(PeopleFilter.ALL)

    page = front.open_page(ana)

    card = page.body.card("stop-True")
    assert card is not None
    assert "We stopped writing to you today at 10:00 AM." in words(card)
    assert "since" not in words(card)


def test_someone_who_was_erased_has_only_that_told(front: Front, qtbot: QtBot) -> None:
    ana, enrollment_id = front.lead()
    front.world.end(enrollment_id)
    front.lead("Bob")
    with front.store.session.write() as connection:
        gone = {"first_name": "", "last_name": "", "email": None, "phone": None, "erased_at": front.stage.clock.now()}
        connection.execute(t.person.update().where(t.person.c.id == ana).values(gone))
    front.open()

    page = front.open_page(ana)

    assert "Details were erased on today" in words(page) or "Details were erased on Mar 2" in words(page)
    assert not page.acts.opt_out.isEnabled()


# room, names ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(1280, 800), (960, 600), (1920, 1080)], ids=["usual", "smallest", "large"])
@pytest.mark.parametrize("panel", ["", "hold", "opt_out"])
def test_nothing_is_cut_at_130_percent_text(
    front: Front, look: Look, qtbot: QtBot, panel: str, size: tuple[int, int]
) -> None:
    look.set_text_percent(130)
    ana, _ = front.lead(tags=("evenings",), source="web form")
    front.open()
    front.window.resize(*size)
    page = front.open_page(ana)
    if panel:
        page.acts.want(panel)
        qtbot.waitUntil(lambda: any(each.isVisible() for each in (page.hold_panel, page.opt_out_panel)))

    inside = page.body.widget()
    assert inside is not None
    qtbot.waitUntil(lambda: cut_in(page.header) == [] and cut_in(page.acts) == [])
    qtbot.waitUntil(lambda: cut_in(inside) == [])


# following ------------------------------------------------------------------------------------------------------------


def test_the_page_follows_the_engine(front: Front, qtbot: QtBot) -> None:
    ana, _ = front.lead(in_hours=0)
    front.open()
    page = front.open_page(ana)
    timeline = page.body.timeline
    assert timeline is not None
    assert "accepted by the provider" not in words(timeline)

    front.engine_passes()

    qtbot.waitUntil(lambda: "accepted by the provider" in words(timeline))


def test_a_reply_that_comes_in_shows_by_itself(page: PersonPage, front: Front, qtbot: QtBot) -> None:
    assert page.person_id is not None
    front.stage.event(EventKind.REPLIED, page.person_id, actor="", text="Not now, thanks")
    front.engine_passes()

    qtbot.waitUntil(lambda: "“Not now, thanks”" in words(page.body))
    assert front.world.rows(t.enrollment)[0]["state"] == "replied"


def test_arrows_and_j_and_k_walk_the_list_one_came_from(page: PersonPage, front: Front, qtbot: QtBot) -> None:
    ana = page.person_id
    assert ana is not None
    assert "1 of 2" in words(page.header)

    front.key(Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: page.name.startswith("Bob"))
    assert "2 of 2" in words(page.header)
    front.key(Qt.Key.Key_Down)  # the last one stays
    front.key("k")
    front.page_of(ana)
    qtbot.waitUntil(lambda: page.name.startswith("Ana"))
    QTest.mouseClick(page.header.down, LEFT)
    qtbot.waitUntil(lambda: page.name.startswith("Bob"))
    front.key(Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: front.section.currentWidget() is front.people)
    assert front.people.table.currentIndex().row() == 1


def test_while_somebody_else_is_being_read_no_key_acts(page: PersonPage, front: Front, qtbot: QtBot) -> None:
    bob = front.people.model.ids[front.row("Bob")]
    page.show_person(bob, (2, 2))
    assert not page.acts.isEnabled()

    front.key("s")  # Bob isn't in view yet, and Ana isn't meant

    front.page_of(bob)
    assert {row["state"] for row in front.world.rows(t.enrollment)} == {"active"}


def test_the_focus_stays_where_it_was_while_the_page_follows(page: PersonPage, front: Front, qtbot: QtBot) -> None:
    page.acts.opt_out.setFocus()

    front.engine_passes()

    assert QApplication.focusWidget() is page.acts.opt_out
