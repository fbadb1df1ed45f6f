""" "Why did this go out?": the sentence, the guards, the tries, the text, and that it follows what happens."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.domain.answer import Permanent, Transient
from app.domain.events import EventKind
from app.domain.ids import MessageId, PersonId
from app.domain.reasons import Why
from app.domain.states import Channel
from app.store import tables as t
from app.ui.people.trace import TraceView
from app.ui.sent.trace_panel import TracePanel
from app.ui.words import Where
from tests.ui.posts import LEFT, Post, button, texts


@pytest.fixture
def trace(post: Post, qtbot: QtBot) -> TracePanel:
    """The panel, with no message chosen."""
    panel = TracePanel(post.look, post.desk, post.presses)
    qtbot.addWidget(panel)
    panel.resize(404, 680)
    panel.read_failed.connect(post.faults.append)
    with qtbot.waitExposed(panel):
        panel.show()
    return panel


def message_of(post: Post, person_id: PersonId) -> MessageId:
    """The newest message to someone."""
    return MessageId(post.stage.world.rows(t.message, person_id=person_id)[-1]["id"])


def show(trace: TracePanel, post: Post, qtbot: QtBot, person_id: PersonId, title: str) -> list[str]:
    """Show someone's newest message; everything that stands in the panel once its title does."""
    trace.show_message(message_of(post, person_id))
    qtbot.waitUntil(lambda: trace.accessibleName() == title)
    return texts(trace)


def test_what_went_out_shows_every_guard_in_order_and_the_try(trace: TracePanel, post: Post, qtbot: QtBot) -> None:
    ana, _ = post.stage.lead(first_name="Ana")
    post.stage.run()

    told = show(trace, post, qtbot, ana, "Why did this go out?")

    assert trace.sentence.startswith("Ana")
    assert trace.sentence.endswith("v1, and every guard, asked at 10:00:00 AM PST, said yes.")
    first = told.index("22 guards, all passed")
    assert told[first + 1] == "what each one saw"
    guards = told[first + 2 : first + 2 + 2 * 22]
    assert guards[:4] == ["Clock is right", "in step with the last check", "Sending is not paused", "running"]
    assert guards[::2][-3:] == ["Clinic hours", "Legal hours there", "Emails are working"]
    assert told[-4:] == [
        "1 try",
        "F1",
        "Noted 10:00:00 AM PST, handed over 0 ms later",
        "Fake accepted it 10:00:00 AM PST",
    ]


def test_of_what_did_not_go_out_the_guard_that_said_no_stands_first(
    trace: TracePanel, post: Post, qtbot: QtBot
) -> None:
    ana, _ = post.stage.lead(first_name="Ana")
    post.stage.tick()
    post.stage.world.suppress(Channel.EMAIL, post.stage.world.row(t.person, ana)["email"])
    post.stage.deliver()

    told = show(trace, post, qtbot, ana, "Why did this not go out?")

    assert trace.sentence.endswith("The address is on the do-not-contact list.")
    first = told.index("6 guards asked, the last one said no")
    assert told[first + 2 : first + 5] == ["Not on a do-not-contact list", "it is on the list", "Clock is right"]
    assert "No try was made" in told


def test_a_stop_that_came_first_is_told_with_who_pressed_it(trace: TracePanel, post: Post, qtbot: QtBot) -> None:
    ana, _ = post.stage.lead(first_name="Ana")
    post.stage.tick()
    post.stage.clock.go_on(timedelta(seconds=7))
    post.stage.event(EventKind.STOPPED, ana)

    told = show(trace, post, qtbot, ana, "Why did this not go out?")

    assert "was cancelled at 10:00:07 AM PST." in trace.sentence
    assert "Dana pressed Stop at 10:00:07 AM PST" in told


def test_a_held_message_says_until_when(trace: TracePanel, post: Post, qtbot: QtBot) -> None:
    post.stage.clock.go_on(timedelta(hours=7, minutes=-1))  # 16:59, a minute before closing
    ana, _ = post.stage.lead(first_name="Ana")
    post.stage.tick()
    post.stage.clock.go_on(timedelta(minutes=2))
    post.stage.deliver()

    told = show(trace, post, qtbot, ana, "Why does this wait?")

    assert trace.sentence.endswith("is held. Opens Tue 9:00 AM PST: the clinic is closed.")
    assert "Opens Tue 9:00 AM PST: the clinic is closed" in told
    assert "No try yet" in told
    assert not button(trace, "Show text").isEnabled()
    assert button(trace, "Show text").toolTip() == "It is filled in when it goes out, from what is true then."


def test_a_message_that_waits_for_its_time_has_no_answers_yet(trace: TracePanel, post: Post, qtbot: QtBot) -> None:
    ana, _ = post.stage.lead(first_name="Ana")
    post.stage.tick()

    told = show(trace, post, qtbot, ana, "Why does this wait?")

    assert trace.sentence.endswith("waits for 10:00:00 AM PST. Every guard is asked then, on what is true then.")
    assert "No guard has been asked yet." in told


def test_tries_that_failed_are_told_with_the_providers_code_at_the_end(
    trace: TracePanel, post: Post, qtbot: QtBot
) -> None:
    answers = iter((Transient(Why.BUSY, "429"), Permanent(Why.REFUSED, "30005")))
    post.stage.provider.script = lambda _note: next(answers)
    ana, _ = post.stage.lead(first_name="Ana")
    post.stage.run()
    post.stage.clock.go_on(timedelta(hours=1))
    post.stage.run()

    told = show(trace, post, qtbot, ana, "Why did this not go out?")

    assert "2 tries" in told
    assert "10:00:00 AM PST: Fake asks to wait." in told
    assert "11:00:00 AM PST: Fake refused it (30005)." in told
    assert trace.sentence.endswith("Fake refused it (30005).")


def test_it_follows_what_happens_to_its_message(trace: TracePanel, post: Post, qtbot: QtBot) -> None:
    ana, _ = post.stage.lead(first_name="Ana")
    post.stage.tick()
    show(trace, post, qtbot, ana, "Why does this wait?")

    post.happens(post.stage.deliver)

    qtbot.waitUntil(lambda: trace.accessibleName() == "Why did this go out?")


def test_a_message_on_its_way_says_so(trace: TracePanel, post: Post, qtbot: QtBot) -> None:
    ana, _ = post.stage.lead(first_name="Ana")
    post.stage.tick()
    told: list[str] = []

    def look_in() -> None:
        show(trace, post, qtbot, ana, "Where is this?")
        told.append(trace.sentence)

    post.stage.at("deliver.permitted", look_in)
    post.stage.deliver()
    post.stage.disarm()

    assert told[0].endswith(": Email “hello” is on its way.")


def test_an_answer_about_a_message_that_is_not_asked_for_any_more_is_dropped(
    trace: TracePanel, post: Post, qtbot: QtBot
) -> None:
    ana, ben, cleo = (post.stage.lead(first_name=name)[0] for name in ("Ana", "Ben", "Cleo"))
    post.stage.run()
    post.line.turns, begun = threading.Semaphore(0), post.line.asked

    trace.show_message(message_of(post, ana))
    qtbot.waitUntil(lambda: post.line.asked == begun + 1)
    trace.show_message(message_of(post, ben))
    trace.show_message(message_of(post, cleo))
    post.line.turns.release()  # the answer about Ana comes, and the next question goes out

    qtbot.waitUntil(lambda: post.line.asked == begun + 2)
    assert trace.sentence.startswith("Choose a message")
    post.line.turns.release()
    qtbot.waitUntil(lambda: trace.sentence.startswith("Cleo"))
    assert post.line.asked == begun + 2, "nobody asked about Ben"


# what can be done -----------------------------------------------------------------------------------------------------


def test_show_text_shows_what_went_out_as_plain_text_and_hides_it_again(
    trace: TracePanel, post: Post, qtbot: QtBot
) -> None:
    ana, _ = post.stage.lead(first_name="Ana <b>")
    post.stage.run()
    show(trace, post, qtbot, ana, "Why did this go out?")
    assert not trace.text.isVisible()

    QTest.mouseClick(button(trace, "Show text"), LEFT)

    assert trace.text.isVisible()
    assert trace.text.body == "Hi Ana < b>"  # plain words stay plain: no tag is made of a name
    QTest.keyClick(button(trace, "Hide text"), Qt.Key.Key_Space)
    assert not trace.text.isVisible()


def test_copy_takes_the_whole_trace_as_text(trace: TracePanel, post: Post, qtbot: QtBot) -> None:
    ana, _ = post.stage.lead(first_name="Ana")
    post.stage.run()
    show(trace, post, qtbot, ana, "Why did this go out?")

    QTest.mouseClick(button(trace, "Copy"), LEFT)

    copied = QGuiApplication.clipboard().text().splitlines()
    assert copied[0] == "Why did this go out?"
    assert copied[1] == trace.sentence
    assert "22 guards, all passed" in copied
    assert "  yes  Clinic hours: open" in copied
    assert "1 try (F1)" in copied
    assert copied[-1] == "  Fake accepted it 10:00:00 AM PST"


def test_stop_stops_the_person_and_turns_quiet(trace: TracePanel, post: Post, qtbot: QtBot) -> None:
    ana, enrollment = post.stage.lead(first_name="Ana")
    post.stage.run()
    show(trace, post, qtbot, ana, "Why did this go out?")
    stop = button(trace, "Stop")
    assert stop.accessibleName().startswith("Stop all follow-up for Ana")
    before = stop.face

    QTest.mouseClick(stop, LEFT)

    qtbot.waitUntil(lambda: stop.face != before)
    assert post.stage.state(enrollment) == "stopped"
    assert not stop.isDown()


def test_no_message_and_a_message_that_is_gone_have_nothing_to_press(
    trace: TracePanel, post: Post, qtbot: QtBot
) -> None:
    assert trace.sentence == "Choose a message to see why it went out, or why it did not."
    assert not any(each.isVisible() for each in (trace._stop, trace._open, trace._copy))

    trace.show_message(MessageId(4711))

    qtbot.waitUntil(lambda: "is not kept any more" in trace.sentence)


def test_when_reading_fails_what_stood_there_stays(trace: TracePanel, post: Post, qtbot: QtBot) -> None:
    ana, _ = post.stage.lead(first_name="Ana")
    ben, _ = post.stage.lead(first_name="Ben")
    post.stage.run()
    show(trace, post, qtbot, ana, "Why did this go out?")
    post.line.cut = True

    trace.show_message(message_of(post, ben))

    qtbot.waitUntil(lambda: len(post.faults) == 1)
    assert trace.sentence.startswith("Ana")
    post.line.cut = False
    trace.show_message(message_of(post, ben))
    qtbot.waitUntil(lambda: trace.sentence.startswith("Ben"))


def test_the_same_trace_stands_under_an_entry_of_the_timeline(post: Post, qtbot: QtBot) -> None:
    ana, _ = post.stage.lead(first_name="Ana")
    post.stage.run()
    with post.stage.store.open_reader() as reads:
        why = reads.why(message_of(post, ana))
    assert why is not None

    view = TraceView(post.look, why, Where(why.message.zone, post.stage.clock.now()))
    qtbot.addWidget(view)
    view.show()

    assert {"22 guards, all passed", "1 try", "F1"} <= set(texts(view))
