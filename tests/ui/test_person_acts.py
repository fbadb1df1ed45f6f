"""What is done on one person's page, by mouse and by keys, on a real SQLite file."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.domain.consent import ConsentWay
from app.domain.ids import EnrollmentId
from app.domain.states import Channel, Contact
from app.store import tables as t
from app.ui.people.person_page import PersonPage
from tests.builders import journey_document
from tests.ui.desks import LEFT, ME, Front, words

PAID = {"record": "invoice", "status": "paid", "since": "enrollment"}


def state(front: Front, enrollment_id: EnrollmentId) -> str:
    return str(front.world.row(t.enrollment, enrollment_id)["state"])


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
    assert page.body.hasFocus()  # where it was before the panel came


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
    ana, enrollment_id = front.lead(journey=journey)
    front.open()
    page = front.open_page(ana)
    assert page.acts.booked.face.words == "Booked"

    front.key("b")

    front.wait_for_bar("Booked: Ana")
    assert state(front, enrollment_id) == "converted"


def test_the_button_has_the_word_of_the_journeys_goal(front: Front, qtbot: QtBot) -> None:
    journey = front.world.journey("Bill", journey_document("Bill", converted={"when": PAID}))
    ana, enrollment_id = front.lead(journey=journey)
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
    assert "Say where the proof of it is kept." in words(panel)
    assert len(front.world.rows(t.enrollment)) == 2
    front.stage.clock.go_on(timedelta(minutes=1))
    QTest.keyClicks(panel.consent.evidence, "Form 12, folder of March")
    front.key(Qt.Key.Key_Return)
    assert "tick the box if it did" in words(panel), "the second word (RULES B9)"
    assert len(front.world.rows(t.enrollment)) == 2
    QTest.keyClick(panel.consent.later, Qt.Key.Key_Space)
    front.key(Qt.Key.Key_Return)

    front.wait_for_bar("Started: Ana")
    assert all(row["lifted_at"] is not None for row in front.world.rows(t.suppression))


def test_a_consent_is_recorded_from_the_page_and_what_was_held_for_it_goes_on(
    page: PersonPage, front: Front, qtbot: QtBot
) -> None:
    front.press(page.body, "Record consent of Ana Nr1")
    panel = page.consent_panel
    qtbot.waitUntil(panel.isVisible)
    QTest.keyClicks(panel, "2")
    assert panel.chosen() == (Channel.SMS, Channel.CALL)
    front.key(Qt.Key.Key_Return)
    assert "Say where the proof of it is kept." in words(panel)
    QTest.keyClicks(panel.fields.wording, "I agree to texts and calls")
    front.key(Qt.Key.Key_Return)

    front.wait_for_bar("Consent recorded: Ana")
    rows = [row for row in front.world.rows(t.consent) if row["recorded_by"] == ME]
    assert [(row["channel"], row["act"], row["how"], row["wording"]) for row in rows] == [
        ("sms", "given", "web form", "I agree to texts and calls"),
        ("call", "given", "web form", "I agree to texts and calls"),
    ]


def test_a_no_stands_in_the_panel_and_a_yes_before_it_lifts_nothing(
    page: PersonPage, front: Front, qtbot: QtBot
) -> None:
    """RULES B9."""
    front.key("o")
    qtbot.waitUntil(page.opt_out_panel.isVisible)
    front.key(Qt.Key.Key_Return)
    front.wait_for_bar("Opted out: Ana")
    qtbot.waitUntil(page.acts.start_again.isEnabled)
    front.press(page.body, "Record consent of Ana Nr1")
    panel = page.consent_panel
    qtbot.waitUntil(panel.isVisible)
    assert "they asked for no more texts" in words(panel)
    panel.fields.choose_day(-3)
    QTest.keyClicks(panel.fields.evidence, "an old form")
    QTest.keyClick(panel.fields.later, Qt.Key.Key_Space)
    front.key(Qt.Key.Key_Return)

    front.wait_for_bar("consent was not recorded")
    assert all(row["lifted_at"] is None for row in front.world.rows(t.suppression))


def test_a_spoken_yes_brings_up_what_the_law_wants(page: PersonPage, front: Front, qtbot: QtBot) -> None:
    front.press(page.body, "Record consent of Ana Nr1")
    panel = page.consent_panel
    qtbot.waitUntil(panel.isVisible)
    assert not panel.law.isVisible()
    panel.fields.choose_way(ConsentWay.PHONE)
    assert panel.law.isVisible()
    front.key(Qt.Key.Key_Escape)
    assert not panel.isVisible()


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
    ana, first = front.lead()
    other = front.world.journey("Quote", journey_document("Quote"))
    second = front.world.enrollment(ana, other, wake_at=front.stage.clock.now() + timedelta(days=1))
    front.open()
    page = front.open_page(ana)

    front.press(page.body, "Stop Quote")

    front.wait_for_bar("Stopped: Ana")
    assert state(front, second) == "stopped"
    assert front.bar is not None
    assert front.bar.spoken.endswith("Nothing else of Quote will go out.")  # New lead goes on
    qtbot.waitUntil(page.body.hasFocus)  # the button is gone, and letters still mean this person
    assert state(front, first) == "active"
    qtbot.waitUntil(lambda: page.body.card(f"running-{second}") is None)
