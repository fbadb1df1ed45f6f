"""What a provider says later about what it accepted, and an opt-out that it knew of before we did."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta

import pytest

from app.domain.answer import Answer, Permanent
from app.domain.delivery_status import Delivered, DeliveryStatus, NotYet, Undelivered
from app.domain.events import EventKind
from app.domain.ids import EnrollmentId, MessageId, PersonId
from app.domain.reasons import Why
from app.domain.states import Channel
from app.engine.ports import AcceptedNote, AttemptNote
from app.engine.record import Result
from app.engine.status import StatusCheck, take_refusals
from app.store import tables as t
from tests.builders import journey_document
from tests.fakes import FakeProvider
from tests.stage import Stage

Steps = Mapping[str, Mapping[str, object]]

TEXT_ONLY: Steps = {
    "nudge": {"do": "sms", "template": "nudge", "next": "pause"},
    "pause": {"do": "wait", "for": {"days": 1}, "next": "again"},
    "again": {"do": "sms", "template": "again", "next": "done"},
    "done": {"do": "end", "as": "exhausted"},
}
TEXT_THEN_EMAIL: Steps = {
    "nudge": {"do": "sms", "template": "nudge", "on_bad_address": "skip", "next": "pause"},
    "pause": {"do": "wait", "for": {"days": 1}, "next": "hello"},
    "hello": {"do": "email", "template": "hello", "next": "done"},
    "done": {"do": "end", "as": "exhausted"},
}

Says = Callable[[AcceptedNote], DeliveryStatus]


class Following(FakeProvider):
    """A provider that says later what became of a message, as `says` says."""

    says: Says = staticmethod(lambda _note: NotYet())
    questions: list[list[str]]

    def statuses(self, notes: Sequence[AcceptedNote]) -> Mapping[str, DeliveryStatus]:
        self.questions.append([note.to for note in notes])
        return {note.key: self.says(note) for note in notes}


def follow(stage: Stage, says: Says) -> StatusCheck:
    """The part that asks, at a provider which says that."""
    provider = Following(stage.clock)
    provider.questions = []
    provider.says = says
    return StatusCheck(stage.store.open_uow, {Channel.SMS: provider, Channel.EMAIL: provider}, stage.clock)


def questions(check: StatusCheck) -> list[list[str]]:
    provider = check.senders[Channel.SMS]
    assert isinstance(provider, Following)
    return provider.questions


def texted(stage: Stage, steps: Steps | None = None) -> tuple[PersonId, EnrollmentId]:
    """Somebody whose first text was accepted."""
    name = f"J{len(stage.world.rows(t.journey))}"
    drawn = stage.world.journey(name, journey_document(name, steps=steps or TEXT_ONLY))
    person, enrollment = stage.lead(drawn)
    stage.run()
    assert stage.messages(enrollment)[0][1] == "accepted"
    return person, enrollment


def test_what_arrived_is_delivered_and_the_follow_up_goes_on_as_it_was(stage: Stage) -> None:
    _, enrollment = texted(stage)
    check = follow(stage, lambda _note: Delivered(stage.clock.now()))
    assert check.run().delivered == 1
    assert stage.messages(enrollment) == [("nudge", "delivered")]
    assert [line["message_id"] for line in stage.world.rows(t.log_entry, event="message.delivered")]
    assert stage.state(enrollment) == "active"
    assert check.run().asked == 0, "what is final is not asked about again"


def test_what_did_not_arrive_is_undelivered_with_its_reason_on_the_problem_list(stage: Stage) -> None:
    _, enrollment = texted(stage)
    said = Undelivered(stage.clock.now(), Why.UNDELIVERED, "30008")
    assert follow(stage, lambda _note: said).run().undelivered == 1
    row = stage.world.rows(t.message)[0]
    assert (row["state"], row["reason"], row["reason_code"]) == ("undelivered", "undelivered", "30008")
    assert [(p["why"], p["facts"]["code"]) for p in stage.world.rows(t.problem)] == [("undelivered", "30008")]
    assert stage.state(enrollment) == "active"


@pytest.mark.parametrize(("steps", "state"), [(TEXT_ONLY, "suppressed"), (TEXT_THEN_EMAIL, "active")])
def test_case_47_a_landline_is_not_texted_again_and_on_bad_address_says_how_it_goes_on(
    stage: Stage, steps: Steps, state: str
) -> None:
    """Case 47."""
    _, enrollment = texted(stage, steps)
    said = Undelivered(stage.clock.now(), Why.UNDELIVERED, "30006", bad_address=True)
    follow(stage, lambda _note: said).run()
    assert stage.state(enrollment) == state
    assert [(row["channel"], row["why"]) for row in stage.world.rows(t.suppression)] == [("sms", "invalid_address")]
    stage.run_for(timedelta(days=3), timedelta(hours=6))
    texts = [taken for taken in stage.provider.taken if taken.channel is Channel.SMS]
    assert len(texts) == 1


def refused(note: AttemptNote) -> Answer | None:
    return Permanent(Why.OPT_OUT, "21610", opted_out=True) if note.channel is Channel.SMS else None


def opted_out_for_good(stage: Stage, enrollment: EnrollmentId, other: EnrollmentId, attempts: int) -> None:
    assert (stage.state(enrollment), stage.state(other)) == ("opted_out", "opted_out")
    assert {(row["channel"], row["why"]) for row in stage.world.rows(t.suppression)} == {
        ("sms", "opt_out"),
        ("call", "opt_out"),
    }
    stage.run_for(timedelta(days=4), timedelta(hours=6))
    assert len(stage.world.rows(t.attempt)) == attempts
    waiting = [row for row in stage.world.rows(t.message) if row["state"] in ("queued", "leased", "sending")]
    assert waiting == []


def test_case_19_a_text_refused_because_they_opted_out_there_is_an_opt_out_that_we_missed(stage: Stage) -> None:
    """Case 19, at once."""
    drawn = stage.world.journey(document=journey_document(steps=TEXT_ONLY))
    person, enrollment = stage.lead(drawn)
    other = stage.world.enrollment(
        person, stage.world.journey("Other", journey_document("Other", steps=TEXT_ONLY, purpose="care"))
    )
    stage.provider.script = refused
    stage.run()
    first = stage.world.rows(t.message)[0]
    assert (first["state"], first["reason"], first["reason_code"]) == ("failed", "opt_out", "21610")
    assert [row["kind"] for row in stage.world.rows(t.inbox_event)] == ["opted_out"]
    assert stage.world.rows(t.problem) == [], "an opt-out is no fault"
    opted_out_for_good(stage, enrollment, other, attempts=1)


def test_case_19_the_status_that_tells_of_it_later_does_the_same(stage: Stage) -> None:
    """Case 19, later."""
    person, enrollment = texted(stage)
    other = stage.world.enrollment(
        person, stage.world.journey("Other", journey_document("Other", steps=TEXT_ONLY, purpose="care"))
    )
    stage.tick()
    said = Undelivered(stage.clock.now(), Why.OPT_OUT, "21610", opted_out=True)
    check = follow(stage, lambda _note: said)
    check.run()
    assert [row["state"] for row in stage.world.rows(t.message)] == ["undelivered", "cancelled"]
    opted_out_for_good(stage, enrollment, other, attempts=1)
    assert check.run().asked == 0


def test_case_25_a_new_consent_at_the_desk_and_a_provider_that_still_blocks_is_one_try_and_one_plain_line(
    stage: Stage,
) -> None:
    """Case 25."""
    person = stage.world.person()
    stage.event(EventKind.OPTED_OUT, person, channel=Channel.SMS, text="STOP")
    stage.clock.go_on(timedelta(days=1))
    for channel in (Channel.SMS, Channel.CALL):
        stage.event(EventKind.OPTED_IN, person, channel=channel, text="Signed form, March 3")
    stage.world.consent(person)
    drawn = stage.world.journey(document=journey_document(steps=TEXT_ONLY))
    enrollment = stage.world.enrollment(person, drawn, wake_at=stage.clock.now())
    stage.provider.script = refused
    stage.run_for(timedelta(days=3), timedelta(hours=6))
    assert len(stage.world.rows(t.attempt)) == 1
    assert stage.state(enrollment) == "opted_out"
    standing = [row["channel"] for row in stage.world.rows(t.suppression) if row["lifted_at"] is None]
    assert sorted(standing) == ["call", "sms"]
    problems = stage.world.rows(t.problem)
    assert [(row["why"], row["facts"]["number"]) for row in problems] == [("ask_for_start", "+15035550100")]


def test_what_is_not_known_yet_is_asked_again_later_and_less_and_less(stage: Stage) -> None:
    texted(stage)
    check = follow(stage, lambda _note: NotYet())
    asked_at = []
    began = stage.clock.now()
    for _ in range(64):
        if check.run().asked:
            asked_at.append((stage.clock.now() - began) // timedelta(minutes=1))
        stage.clock.go_on(timedelta(minutes=1))
    assert asked_at == [0, 1, 3, 7, 15, 31, 63]
    stage.clock.go_on(timedelta(days=3))
    assert check.run().asked == 0, "nobody says anything new about one that old"


def test_the_oldest_is_asked_about_first_and_another_provider_s_are_left_alone(stage: Stage) -> None:
    first, _ = texted(stage)
    stage.clock.go_on(timedelta(minutes=1))
    second, _ = texted(stage)
    check = follow(stage, lambda _note: NotYet())
    check.run()
    numbers = [stage.world.row(t.person, person)["phone"] for person in (first, second)]
    assert questions(check) == [numbers]
    elsewhere = follow(stage, lambda _note: NotYet())
    elsewhere.senders[Channel.SMS].name = elsewhere.senders[Channel.EMAIL].name = "somebody else"
    stage.clock.go_on(timedelta(hours=1))
    assert elsewhere.run().asked == 0


def test_a_sender_that_can_say_nothing_later_is_never_asked(stage: Stage) -> None:
    texted(stage)
    before = stage.world.rows(t.message)
    assert StatusCheck(stage.store.open_uow, {Channel.SMS: stage.provider}, stage.clock).run().asked == 0
    assert stage.world.rows(t.message) == before


@pytest.mark.expects_warning("status.sender_raised")
def test_a_provider_that_raises_is_asked_again_and_loses_nothing(stage: Stage) -> None:
    _, enrollment = texted(stage)

    def raises(_note: AcceptedNote) -> DeliveryStatus:
        raise ConnectionError

    follow(stage, raises).run()
    assert stage.messages(enrollment) == [("nudge", "accepted")]
    stage.clock.go_on(timedelta(minutes=2))
    assert follow(stage, lambda _note: Delivered(stage.clock.now())).run().delivered == 1


def test_two_workers_that_ask_at_once_ask_once(stage: Stage) -> None:
    texted(stage)
    said = []
    inner = follow(stage, lambda _note: NotYet())

    def another_asks(_note: AcceptedNote) -> DeliveryStatus:
        said.append(inner.run().asked)
        return Delivered(stage.clock.now())

    assert follow(stage, another_asks).run().delivered == 1
    assert said == [0]


def test_case_19_a_crash_between_the_opt_out_and_its_refusal_loses_neither_and_tries_nothing_again(
    stage: Stage,
) -> None:
    """Case 19. The opt-out is written first, so what is left is a message that was asked to stop."""
    stage.provider.name = "practice"  # as the note has it
    drawn = stage.world.journey(document=journey_document(steps=TEXT_ONLY))
    _, enrollment = stage.lead(drawn)
    stage.tick()
    message = MessageId(stage.world.rows(t.message)[0]["id"])
    note = stage.world.sending(message, at=stage.clock.now())
    said = Permanent(Why.OPT_OUT, "21610", opted_out=True)
    result = Result(note, said, stage.clock.now(), stage.clock.now())
    for _ in range(2):  # the second time as after a restart: a copy
        take_refusals(stage.store.open_uow, [result], stage.clock)
    assert stage.state(enrollment) == "opted_out"
    assert stage.messages(enrollment) == [("nudge", "sending")]
    stage.run_for(timedelta(hours=2), timedelta(minutes=10))
    assert stage.messages(enrollment) == [("nudge", "cancelled")]
    assert stage.provider.asked == []
    assert len(stage.world.rows(t.inbox_event)) == 1


@pytest.mark.parametrize("in_flight", [1, 4])
def test_case_19_refusals_in_the_middle_of_a_window_end_only_their_own(stage: Stage, in_flight: int) -> None:
    """Case 19."""
    many = Stage(stage.store, in_flight=in_flight, world=stage.world)
    drawn = many.world.journey(document=journey_document(steps=TEXT_ONLY))
    leads = [many.lead(drawn) for _ in range(6)]
    blocked = {many.world.row(t.person, leads[number][0])["phone"] for number in (1, 4)}
    many.provider.script = lambda note: refused(note) if note.to in blocked else None
    many.run()
    states = [many.state(enrollment) for _, enrollment in leads]
    assert states == ["active", "opted_out", "active", "active", "opted_out", "active"]
    many.balanced()


def test_what_was_put_off_under_a_clock_that_ran_ahead_is_asked_about_when_it_is_right(stage: Stage) -> None:
    """Case 77: a bounce would else be known as late as the clock had run ahead."""
    _, enrollment = texted(stage)
    told_at = stage.clock.now()
    stage.clock.go_on(timedelta(days=2))
    stage.tick()
    asked = follow(stage, lambda _note: NotYet())
    asked.run()
    assert len(questions(asked)) == 1
    stage.clock.set(told_at + timedelta(minutes=10))
    stage.tick()
    with stage.store.open_uow() as uow:
        uow.engine.resume("Dana", stage.clock.now())

    follow(stage, lambda note: Delivered(note.accepted_at)).run()

    assert stage.messages(enrollment)[0] == ("nudge", "delivered")
