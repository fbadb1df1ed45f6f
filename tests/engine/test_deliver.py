from __future__ import annotations

from datetime import timedelta

import pytest

from app.domain.answer import Absent, CannotKnow, Outage, Permanent, Transient, Unknown, Works
from app.domain.guards import GUARDS
from app.domain.ids import EnrollmentId
from app.domain.reasons import Why
from app.domain.states import Channel
from app.engine.ports import AttemptNote
from app.store import tables as t
from tests.builders import journey_document
from tests.stage import Stage


def attempts(stage: Stage) -> list[tuple[int, str]]:
    return [(row["number"], row["answer"]) for row in stage.world.rows(t.attempt)]


def test_i6_i7_an_attempt_and_its_trace_are_on_disk_before_the_provider_is_called(stage: Stage) -> None:
    stage.lead()
    seen: list[tuple[str, str, int]] = []

    def look(note: AttemptNote) -> None:
        attempt = stage.world.row(t.attempt, note.attempt_id)
        message = stage.world.row(t.message, note.message_id)
        seen.append((message["state"], attempt["answer"], len(attempt["trace"])))

    stage.provider.script = look
    stage.run()
    assert seen == [("sending", "open", len(GUARDS))]


def test_a_rendered_message_goes_to_the_persons_live_address(stage: Stage) -> None:
    person, _ = stage.lead(first_name="Zoë")
    stage.tick()
    with stage.store.session.write() as connection:
        connection.execute(t.person.update().where(t.person.c.id == person).values(email="new@example.com"))
    stage.deliver()
    assert [(taken.to, taken.body) for taken in stage.provider.taken] == [("new@example.com", "Hi Zoë")]


def test_i11_a_transient_failure_is_tried_three_times_and_then_the_follow_up_ends(stage: Stage) -> None:
    _, enrollment = stage.lead()
    stage.provider.script = lambda _note: Transient(Why.BUSY, "429")
    stage.run()
    for _ in range(10):
        stage.clock.go_on(timedelta(minutes=40))
        stage.run()
    assert attempts(stage) == [(1, "transient"), (2, "transient"), (3, "transient")]
    assert stage.messages(enrollment) == [("hello", "failed")]
    row = stage.world.row(t.enrollment, enrollment)
    assert (row["state"], row["end_detail"]) == ("suppressed", "delivery_failed")
    assert [problem["why"] for problem in stage.world.rows(t.problem)] == ["delivery_failed"]


def test_i11_a_retry_is_the_same_message_and_not_the_next_step(stage: Stage) -> None:
    _, enrollment = stage.lead()
    answers = [Transient(Why.BUSY, "429"), None]
    stage.provider.script = lambda _note: answers.pop(0) if answers else None
    stage.run()
    assert stage.provider.taken == []
    stage.clock.go_on(timedelta(minutes=2))
    stage.run()
    assert stage.messages(enrollment) == [("hello", "accepted")]
    assert attempts(stage) == [(1, "transient"), (2, "accepted")]
    stage.balanced()


def test_a_refused_address_ends_the_follow_up_at_once_and_staff_see_it(stage: Stage) -> None:
    _, enrollment = stage.lead()
    stage.provider.script = lambda _note: Permanent(Why.REFUSED, "21211", bad_address=True)
    stage.run()
    row = stage.world.row(t.enrollment, enrollment)
    assert (row["state"], row["end_detail"]) == ("suppressed", "invalid_address")
    assert attempts(stage) == [(1, "permanent")]


def test_i12_an_outage_uses_up_nobodys_attempts_and_pauses_the_channel(stage: Stage) -> None:
    enrollments = [stage.lead()[1] for _ in range(5)]
    stage.provider.script = lambda _note: Outage(Why.OFFLINE)
    stage.run()
    rows = stage.world.rows(t.message)
    assert [(row["state"], row["attempts"]) for row in rows] == [("queued", 0)] * 5
    assert len(stage.provider.asked) == 1, "the channel rests after the first call that failed for everyone"
    stage.provider.health = Outage(Why.OFFLINE)
    for _ in range(30):
        stage.clock.go_on(timedelta(minutes=5))
        stage.run()
    assert (len(stage.provider.asked), stage.provider.tested) == (1, 30), "no message is the test of the provider"
    assert [row["attempts"] for row in stage.world.rows(t.message)] == [0] * 5
    stage.provider.script = lambda _note: None
    stage.provider.health = Works()
    stage.clock.go_on(timedelta(minutes=5))
    stage.run()
    assert [row["event"] for row in stage.world.rows(t.log_entry) if row["event"].startswith("channel")] == [
        "channel.paused",
        "channel.tested",
        "channel.resumed",
    ]
    assert [stage.messages(each) for each in enrollments] == [[("hello", "accepted")]] * 5
    stage.balanced()


def test_i13_an_unknown_outcome_is_looked_up_and_found_and_never_sent_again(stage: Stage) -> None:
    _, enrollment = stage.lead()

    def answer_lost(note: AttemptNote) -> Unknown:
        stage.provider.take(note)
        return Unknown(Why.NO_ANSWER)

    stage.provider.script = answer_lost
    stage.run()
    assert stage.messages(enrollment) == [("hello", "sending")]
    stage.provider.script = lambda _note: None
    stage.clock.go_on(timedelta(seconds=61))
    stage.run()
    assert stage.messages(enrollment) == [("hello", "accepted")]
    stage.balanced()


def test_i13_an_unknown_outcome_that_the_provider_never_had_is_tried_again(stage: Stage) -> None:
    _, enrollment = stage.lead()
    stage.provider.script = lambda _note: Unknown(Why.NO_ANSWER)
    stage.run()
    stage.provider.script = lambda _note: None
    stage.clock.go_on(timedelta(seconds=61))
    stage.run()
    assert stage.messages(enrollment) == [("hello", "accepted")]
    assert attempts(stage) == [(1, "not_found"), (2, "accepted")]
    assert not stage.world.rows(t.message)[0]["possible_duplicate"]
    stage.balanced()


def test_i13_a_list_that_lags_is_asked_five_times_before_absent_is_believed(stage: Stage) -> None:
    _, enrollment = stage.lead()
    stage.provider.script = lambda _note: Unknown(Why.NO_ANSWER)
    stage.provider.look_up = lambda _note: Absent(sure=False)
    stage.run()
    stage.provider.script = lambda _note: None
    stage.clock.go_on(timedelta(seconds=61))
    looked = 0
    for _ in range(10):
        stage.run()
        looked += 1
        if stage.messages(enrollment) == [("hello", "accepted")]:
            break
        stage.clock.go_on(timedelta(minutes=2))
    assert looked == 5
    stage.balanced()


def test_i13_a_provider_that_cannot_be_asked_is_tried_again_once_and_it_is_said(stage: Stage) -> None:
    _, enrollment = stage.lead()
    stage.provider.script = lambda _note: Unknown(Why.NO_ANSWER)
    stage.provider.look_up = lambda _note: CannotKnow(ever=True)
    stage.run()
    for _ in range(6):
        stage.clock.go_on(timedelta(seconds=61))
        stage.run()
    message = stage.world.rows(t.message)[0]
    assert (message["state"], message["possible_duplicate"]) == ("failed", True)
    assert len(stage.provider.asked) == 2
    assert stage.state(enrollment) == "suppressed"


@pytest.mark.expects_warning("deliver.sender_raised")
def test_a_sender_that_raises_is_an_unknown_outcome_and_never_a_blind_retry(stage: Stage) -> None:
    """Case 61: the fourth of ten raises inside the provider call."""
    for _ in range(10):
        stage.lead()

    def fourth_raises(_note: AttemptNote) -> None:
        if len(stage.provider.asked) == 4:
            raise RuntimeError("library fault")

    stage.provider.script = fourth_raises
    stage.run()
    assert len(stage.provider.taken) == 9
    for _ in range(5):
        stage.clock.go_on(timedelta(minutes=2))
        stage.run()
    assert len(stage.provider.taken) == 10
    stage.balanced()


def test_an_empty_value_holds_the_message_in_the_problem_list_and_says_which(stage: Stage) -> None:
    _, enrollment = stage.lead(first_name="")
    stage.run()
    assert stage.provider.taken == []
    row = stage.world.rows(t.message)[0]
    assert (row["state"], row["hold_why"]) == ("queued", "empty_value")
    problems = stage.world.rows(t.problem)
    assert [(problem["why"], problem["facts"]["name"]) for problem in problems] == [
        ("empty_value", "person.first_name")
    ]
    assert stage.state(enrollment) == "active"


def text_of(stage: Stage, characters: int) -> EnrollmentId:
    """Somebody whose first message is a text of so many characters: "Hi " and their name."""
    journey = stage.world.journey(document=journey_document(start="nudge"))
    return stage.lead(journey, first_name="A" * (characters - 3))[1]


def test_a_text_of_sixteen_hundred_characters_goes_out_whole(stage: Stage) -> None:
    text_of(stage, 1_600)
    stage.run()
    assert [len(taken.body) for taken in stage.provider.taken] == [1_600]


def test_a_longer_text_is_held_in_the_problem_list_and_says_why(stage: Stage) -> None:
    enrollment = text_of(stage, 1_601)
    stage.run()
    assert stage.provider.taken == []
    message = stage.world.rows(t.message)[0]
    assert (message["state"], message["hold_why"]) == ("queued", "template_broken")
    told = {"name": "nudge", "because": "it is longer than 1,600 characters"}
    assert [(problem["why"], problem["facts"]) for problem in stage.world.rows(t.problem)] == [
        ("template_broken", told)
    ]
    assert stage.state(enrollment) == "active"


def test_i10_a_suppressed_address_is_refused_at_the_last_moment_and_the_trace_says_so(stage: Stage) -> None:
    person, enrollment = stage.lead()
    stage.tick()
    stage.world.suppress(Channel.EMAIL, stage.world.row(t.person, person)["email"])
    stage.deliver()
    assert stage.provider.taken == []
    assert stage.state(enrollment) == "suppressed"
    message = stage.world.rows(t.message)[0]
    assert (message["state"], message["reason"]) == ("cancelled", "on_do_not_contact_list")
    assert message["trace"][-1]["guard"] == "not_suppressed"


def test_closing_time_is_asked_again_at_hand_over(stage: Stage) -> None:
    """Case 87: nothing asked for permission at or after 17:00:00 goes; the rest is held to the next opening."""
    _, enrollment = stage.lead()
    stage.tick()
    stage.clock.set(stage.clock.now() + timedelta(hours=7))  # 17:00:00
    stage.deliver()
    assert stage.provider.taken == []
    row = stage.world.rows(t.message)[0]
    assert (row["state"], row["hold_why"]) == ("queued", "clinic_closed")
    stage.run_for(timedelta(hours=17), timedelta(minutes=20))
    assert stage.messages(enrollment) == [("hello", "accepted")]


def test_a_note_that_grew_old_while_the_machine_slept_is_not_handed_over(stage: Stage) -> None:
    _, enrollment = stage.lead()
    stage.tick()
    stage.at("deliver.before_call", lambda: stage.clock.go_on(timedelta(seconds=16)))
    stage.deliver()
    stage.disarm()
    assert attempts(stage)[0] == (1, "not_made")
    assert stage.messages(enrollment) == [("hello", "accepted")]
    assert len(stage.provider.taken) == 1


def test_sixteen_in_flight_say_everything_once(stage: Stage) -> None:
    crowd = Stage(stage.store, in_flight=16, world=stage.world)
    for _ in range(50):
        crowd.lead(stage.journey)
    crowd.run()
    assert len(crowd.provider.taken) == 50
    crowd.balanced()


def test_two_messages_for_one_person_are_never_in_one_window_so_that_the_caps_hold(stage: Stage) -> None:
    with stage.store.session.write() as connection:
        connection.execute(t.practice.update().values(per_day=1))
    crowd = Stage(stage.store, in_flight=16, world=stage.world)
    person, _ = crowd.lead(stage.journey)
    for name in ("Second", "Third"):
        crowd.world.enrollment(person, crowd.world.journey(name))
    crowd.run()
    assert len(crowd.provider.taken) == 1
