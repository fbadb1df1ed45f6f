"""One person's page, worked by mouse and by keys on a real SQLite file."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.domain.events import EventKind
from app.domain.ids import EnrollmentId, PersonId
from app.domain.states import Contact
from app.store import tables as t
from app.ui.people.person_page import PersonPage
from app.ui.people.timeline import TimelineRow
from tests.builders import Published, journey_document
from tests.ui.desks import LEFT, ME, Front

PAID = {"record": "invoice", "status": "paid", "since": "enrollment"}


def lead(
    front: Front, name: str = "Ana", journey: Published | None = None, *, in_hours: float = 1, **columns: object
) -> tuple[PersonId, EnrollmentId]:
    """Someone in a journey (New lead when none is given) who wakes in some hours."""
    person_id = front.world.person(name, **columns)  # type: ignore[arg-type]
    front.world.consent(person_id)
    wake_at = front.stage.clock.now() + timedelta(hours=in_hours)
    return person_id, front.world.enrollment(person_id, journey or front.stage.journey, wake_at=wake_at)


def state(front: Front, enrollment_id: EnrollmentId) -> str:
    return str(front.world.row(t.enrollment, enrollment_id)["state"])


def words(widget: QWidget) -> str:
    """Everything a widget says."""
    said = [each.accessibleName() or each.text() for each in widget.findChildren(QLabel)]
    said += [each.accessibleName() for each in widget.findChildren(QWidget) if each.accessibleName()]
    return " | ".join(said)


def top(widget: QWidget, text: str) -> int:
    """How far down in a widget a text stands."""
    said = next(
        each
        for each in widget.findChildren(QWidget)
        if text in (each.accessibleName(), each.text() if isinstance(each, QLabel) else "")
    )
    return said.mapTo(widget, QPoint(0, 0)).y()


@pytest.fixture
def page(front: Front) -> PersonPage:
    """The page of Ana, who is in New lead; Bob stands below her in the list."""
    ana, _ = lead(front)
    lead(front, "Bob", in_hours=2)
    front.open()
    front.choose("Ana")
    return front.open_page(ana)


# what it shows --------------------------------------------------------------------------------------------------------


def test_the_head_tells_who_where_and_what_time_it_is_there(front: Front, qtbot: QtBot) -> None:
    boise = front.world.location("Boise", "America/Boise")
    ana, _ = lead(front, tags=("evenings",), location_id=boise, phone="+12085550117", source="web form")
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
    ana, _ = lead(front, in_hours=0)
    front.stage.run()
    front.open()
    page = front.open_page(ana)
    timeline = page.body.timeline
    assert timeline is not None

    link = next(each for each in timeline.findChildren(QWidget) if "Why did this go out?" in each.accessibleName())
    QTest.mouseClick(link, LEFT)

    qtbot.waitUntil(lambda: "19 guards, all passed" in words(timeline))
    assert "1 try" in words(timeline)
    QTest.mouseClick(link, LEFT)
    qtbot.waitUntil(lambda: "19 guards" not in " ".join(words(each) for each in timeline.findChildren(TimelineRow)))


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


def test_someone_who_was_erased_has_only_that_told(front: Front, qtbot: QtBot) -> None:
    ana, enrollment_id = lead(front)
    front.world.end(enrollment_id)
    lead(front, "Bob")
    with front.store.session.write() as connection:
        gone = {"first_name": "", "last_name": "", "email": None, "phone": None, "erased_at": front.stage.clock.now()}
        connection.execute(t.person.update().where(t.person.c.id == ana).values(gone))
    front.open()

    page = front.open_page(ana)

    assert "Details were erased on today" in words(page) or "Details were erased on Mar 2" in words(page)
    assert not page.acts.opt_out.isEnabled()


# acting ---------------------------------------------------------------------------------------------------------------


def test_stop_by_mouse_and_by_s(page: PersonPage, front: Front, qtbot: QtBot) -> None:
    QTest.mouseClick(page.acts.stop, LEFT)

    front.wait_for_bar("Stopped: Ana")
    qtbot.waitUntil(lambda: not page.acts.hold.isEnabled())
    assert page.acts.hold.toolTip() == "Nothing is running, so there is nothing to hold."
    front.key(Qt.Key.Key_Down)
    bob = front.people.model.ids[front.row("Bob")]
    front.page_of(bob)
    qtbot.waitUntil(lambda: page.name.startswith("Bob"))


def test_hold_takes_a_number_and_enter(page: PersonPage, front: Front, qtbot: QtBot) -> None:
    front.key("h")
    qtbot.waitUntil(page.hold_panel.isVisible)
    front.key("2")
    front.key(Qt.Key.Key_Return)

    front.wait_for_bar("Held until Thu Mar 5, 10:00 AM PST: Ana")
    enrollment = front.world.rows(t.enrollment)[0]
    assert enrollment["state"] == "paused"
    assert enrollment["paused_until"] == datetime(2026, 3, 5, 18, tzinfo=UTC)
    assert not page.hold_panel.isVisible()


def test_hold_until_the_next_opening_is_the_next_day_while_open(page: PersonPage, front: Front, qtbot: QtBot) -> None:
    front.press(page.acts, "Hold…")
    qtbot.waitUntil(page.hold_panel.isVisible)
    front.key("1")
    front.key(Qt.Key.Key_Return)

    front.wait_for_bar("Held until Tue Mar 3, 9:00 AM PST")


def test_hold_until_a_date_lifts_when_the_clinic_opens_that_day(page: PersonPage, front: Front, qtbot: QtBot) -> None:
    front.key("h")
    qtbot.waitUntil(page.hold_panel.isVisible)
    front.key("4")
    front.key(Qt.Key.Key_Return)

    front.wait_for_bar("Held until Mon Mar 16, 9:00 AM PDT")  # the clock is set forward in between


def test_hold_until_it_is_lifted_and_resume_by_the_same_key(page: PersonPage, front: Front, qtbot: QtBot) -> None:
    front.key("h")
    qtbot.waitUntil(page.hold_panel.isVisible)
    front.key("5")
    front.key(Qt.Key.Key_Return)
    front.wait_for_bar("Held until somebody resumes it: Ana")
    qtbot.waitUntil(lambda: page.acts.hold.face.words == "Resume")

    front.key("h")

    front.wait_for_bar("Resumed: Ana")
    assert front.world.rows(t.enrollment)[0]["state"] == "active"


def test_escape_closes_a_panel_and_changes_nothing(page: PersonPage, front: Front, qtbot: QtBot) -> None:
    front.key("h")
    qtbot.waitUntil(page.hold_panel.isVisible)

    front.key(Qt.Key.Key_Escape)

    assert not page.hold_panel.isVisible()
    assert front.section.currentWidget() is page
    assert front.world.rows(t.enrollment)[0]["state"] == "active"


def test_booked_ends_the_follow_up_converted(front: Front, qtbot: QtBot) -> None:
    booked = {"when": {"record": "appointment", "status": "booked", "since": "enrollment"}}
    journey = front.world.journey("Care", journey_document("Care", converted=booked))
    ana, enrollment_id = lead(front, journey=journey)
    front.open()
    page = front.open_page(ana)
    assert page.acts.booked.face.words == "Booked"

    front.key("b")

    front.wait_for_bar("Booked: Ana")
    assert state(front, enrollment_id) == "converted"


def test_the_button_has_the_word_of_the_journeys_goal(front: Front, qtbot: QtBot) -> None:
    journey = front.world.journey("Bill", journey_document("Bill", converted={"when": PAID}))
    ana, enrollment_id = lead(front, journey=journey)
    front.open()
    page = front.open_page(ana)

    front.press(page.acts, "Paid")

    front.wait_for_bar("Paid: Ana")
    assert state(front, enrollment_id) == "converted"
    assert [row["kind"] for row in front.world.rows(t.record)] == ["invoice"]


def test_opt_out_of_texts_closes_calls_too_and_leaves_email(page: PersonPage, front: Front, qtbot: QtBot) -> None:
    front.key("o")
    qtbot.waitUntil(page.opt_out_panel.isVisible)
    assert "A no to texts is a no to calls too" in words(page.opt_out_panel)

    front.key(Qt.Key.Key_Return)

    front.wait_for_bar("Opted out: Ana")
    assert sorted(row["channel"] for row in front.world.rows(t.suppression)) == ["call", "sms"]
    assert front.world.rows(t.enrollment)[0]["state"] == "opted_out"


def test_numbers_choose_what_they_opt_out_of(page: PersonPage, front: Front, qtbot: QtBot) -> None:
    front.key("o")
    qtbot.waitUntil(page.opt_out_panel.isVisible)
    front.key("1")  # not texts and calls
    front.key("2")  # emails

    front.key(Qt.Key.Key_Return)

    front.wait_for_bar("Opted out: Ana")
    assert [row["channel"] for row in front.world.rows(t.suppression)] == ["email"]


def test_opting_out_of_everything_is_not_to_be_contacted(page: PersonPage, front: Front, qtbot: QtBot) -> None:
    front.key("o")
    qtbot.waitUntil(page.opt_out_panel.isVisible)
    front.key("2")
    front.key(Qt.Key.Key_Return)

    front.wait_for_bar("Opted out: Ana")
    assert front.world.rows(t.person)[0]["contact"] == Contact.DO_NOT_CONTACT.value
    assert len(front.world.rows(t.suppression)) == 3


def test_letters_typed_into_a_note_stop_nobody(page: PersonPage, front: Front, qtbot: QtBot) -> None:
    front.key("o")
    qtbot.waitUntil(page.opt_out_panel.isVisible)
    note = page.opt_out_panel.note
    note.setFocus()

    QTest.keyClicks(note, "she asked so")

    assert note.text() == "she asked so"
    assert front.world.rows(t.enrollment)[0]["state"] == "active"


def test_start_again_is_a_new_follow_up_with_a_reason(page: PersonPage, front: Front, qtbot: QtBot) -> None:
    assert not page.acts.start_again.isEnabled()
    front.key("s")
    front.wait_for_bar("Stopped: Ana")
    qtbot.waitUntil(page.acts.start_again.isEnabled)

    front.press(page.acts, "Start again…")
    qtbot.waitUntil(page.start_again_panel.isVisible)
    front.key(Qt.Key.Key_Return)
    assert "Say why they are started again." in words(page.start_again_panel)
    QTest.keyClicks(page.start_again_panel.reason, "she called back")
    front.key(Qt.Key.Key_Return)

    front.wait_for_bar("Started: Ana")
    mine = [row for row in front.world.rows(t.enrollment) if row["person_id"] == page.person_id]
    assert [row["state"] for row in mine] == ["stopped", "active"]
    assert mine[1]["reason"] == "she called back"
    assert mine[1]["entered_by"] == ME


def test_after_an_opt_out_start_again_asks_for_the_recorded_consent(
    page: PersonPage, front: Front, qtbot: QtBot
) -> None:
    front.key("o")
    qtbot.waitUntil(page.opt_out_panel.isVisible)
    front.key(Qt.Key.Key_Return)
    front.wait_for_bar("Opted out: Ana")
    qtbot.waitUntil(page.acts.start_again.isEnabled)
    front.press(page.acts, "Start again…")
    qtbot.waitUntil(page.start_again_panel.isVisible)
    panel = page.start_again_panel

    QTest.keyClicks(panel.reason, "signed up again")
    front.key(Qt.Key.Key_Return)
    assert "Say what they agreed to, how and when." in words(panel)
    assert len(front.world.rows(t.enrollment)) == 2
    front.stage.clock.go_on(timedelta(minutes=1))
    QTest.keyClicks(panel.consent, "Ticked the box on paper, March 2")
    front.key(Qt.Key.Key_Return)

    front.wait_for_bar("Started: Ana")
    assert all(row["lifted_at"] is not None for row in front.world.rows(t.suppression))


def test_mark_handled_is_there_only_while_a_reply_waits(page: PersonPage, front: Front, qtbot: QtBot) -> None:
    assert not page.acts.handled.isVisible()
    assert page.person_id is not None
    front.stage.reply(page.person_id)
    front.engine_passes()
    qtbot.waitUntil(page.acts.handled.isVisible)
    assert "With staff" in words(page.header)

    front.key("d")

    front.wait_for_bar("Handled: Ana")
    qtbot.waitUntil(lambda: not page.acts.handled.isVisible())
    assert front.world.rows(t.person)[0]["contact"] == Contact.OPEN.value


def test_stop_this_one_ends_one_follow_up_of_two(front: Front, qtbot: QtBot) -> None:
    ana, first = lead(front)
    other = front.world.journey("Quote", journey_document("Quote"))
    second = front.world.enrollment(ana, other, wake_at=front.stage.clock.now() + timedelta(days=1))
    front.open()
    page = front.open_page(ana)

    front.press(page.body, "Stop Quote")

    front.wait_for_bar("Stopped: Ana")
    assert state(front, second) == "stopped"
    assert state(front, first) == "active"
    qtbot.waitUntil(lambda: page.body.card(f"running-{second}") is None)


# following ------------------------------------------------------------------------------------------------------------


def test_the_page_follows_the_engine(front: Front, qtbot: QtBot) -> None:
    ana, _ = lead(front, in_hours=0)
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
