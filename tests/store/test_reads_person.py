"""Everything about one person: follow-ups, the last stop's four facts, what they can be reached by, the timeline."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from decimal import Decimal

import pytest

from app.domain.condition import Condition, parse_condition
from app.domain.events import EventKind, InboxEvent
from app.domain.ids import EnrollmentId, MessageId, PersonId
from app.domain.person_lines import PersonPage
from app.domain.reasons import Why
from app.domain.states import Channel, Contact, End, EnrollmentState, MessageState, Purpose, WaitsFor
from app.engine.apply_event import apply_event
from app.engine.ports import LogLine
from app.store import tables as t
from app.store.reads_steps import goal_word
from tests.builders import NOW, Published, World, journey_document

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)


def page(world: World, person_id: PersonId) -> PersonPage:
    """Their page."""
    with world.store.open_reader() as reads:
        found = reads.person(person_id, NOW)
    assert found is not None
    return found


def apply(
    world: World,
    person_id: PersonId,
    kind: EventKind = EventKind.REPLIED,
    *,
    came_in: datetime = NOW,
    read: datetime | None = None,
    channel: Channel | None = None,
    text: str = "",
) -> None:
    """Something happened, and was read later."""
    at = read or came_in
    event = InboxEvent(
        "test", f"{kind}-{came_in}", kind, came_in, at, person_id=person_id, channel=channel, text=text, actor="Dana"
    )
    with world.store.open_uow() as uow:
        apply_event(uow, event, at)


def sends(world: World, person_id: PersonId, journey: Published) -> tuple[EnrollmentId, MessageId]:
    """A follow-up that waits for its message."""
    follow_up = world.enrollment(person_id, journey, waits_for=WaitsFor.MESSAGE)
    return follow_up, world.message(follow_up)


def test_nobody_has_no_page(world: World) -> None:
    with world.store.open_reader() as reads:
        assert reads.person(PersonId(999), NOW) is None


def test_the_page_holds_what_is_known_of_them(world: World) -> None:
    ana = world.person(
        "Ana",
        last_name="Lopez",
        phone_ext="7",
        alt_phone="+15035550122",
        status="lead",
        source="web form",
        custom={"shoe": "38"},
        tags=("vip", "evenings"),
    )
    world.record(ana, "quote", "sent", external_id="Q-1", label="Roof", amount=Decimal("12.5"), due_on=date(2026, 4, 1))
    world.consent(ana, how="web form")
    seen = page(world, ana)
    assert (seen.first_name, seen.last_name, seen.line.name) == ("Ana", "Lopez", "Ana Lopez")
    assert (seen.phone_ext, seen.alt_phone, seen.status, seen.source) == ("7", "+15035550122", "lead", "web form")
    assert (seen.tags, dict(seen.custom)) == (("evenings", "vip"), {"shoe": "38"})
    assert (seen.created_at, seen.erased_at, seen.outcome, seen.stop) == (NOW, None, None, None)
    (record,) = seen.records
    assert (record.kind, record.external_id, record.amount, record.due_on) == (
        "quote",
        "Q-1",
        "12.50",
        date(2026, 4, 1),
    )
    (consent,) = seen.consents
    assert (consent.channel, consent.purpose, consent.act, consent.how) == (
        Channel.SMS,
        Purpose.MARKETING,
        "given",
        "web form",
    )


def test_a_follow_up_shows_where_it_stands_and_what_it_may_still_send(world: World) -> None:
    journey = world.journey()
    document = journey_document(journey.name, converted={"when": {"record": "invoice", "status": "paid"}})
    with world.store.open_uow() as uow:
        proof = {"emails": 1, "texts": 1, "calls": 0, "days": 2.5, "ends": ["exhausted"]}
        version_id = uow.documents.publish(journey.id, document, proof, 2, 2.5, journey.templates, "Dana", NOW)
    ana = world.person("Ana")
    follow_up = world.enrollment(
        ana, journey, waits_for=WaitsFor.MESSAGE, journey_version_id=version_id, reason="asked for it"
    )
    world.accepted(world.message(follow_up))
    with world.store.session.write() as connection:
        connection.execute(t.enrollment.update().values(step="pause", waits_for="time", wake_at=NOW + HOUR))
    (line,) = page(world, ana).enrollments
    assert (line.id, line.journey, line.version, line.purpose) == (follow_up, journey.name, 2, Purpose.MARKETING)
    assert (line.state, line.step.id, line.done) == (EnrollmentState.ACTIVE, "pause", 1)
    assert [step.id for step in line.steps] == ["hello", "pause", "nudge", "done"]
    assert [(step.number, step.of) for step in line.steps] == [(1, 3), (2, 3), (3, 3), (3, 3)]
    assert dict(line.sent) == {Channel.EMAIL: 1, Channel.SMS: 0, Channel.CALL: 0}
    assert dict(line.most) == {Channel.EMAIL: 1, Channel.SMS: 1, Channel.CALL: 0}
    assert (line.days, line.goal_word, line.reason, line.wake_at) == (2.5, "Paid", "asked for it", NOW + HOUR)


def test_the_running_stand_before_the_ended_and_next_holds_the_running_alone(world: World) -> None:
    ana = world.person("Ana")
    first, second, third, fourth = (world.journey(name) for name in ("One", "Two", "Three", "Four"))
    world.end(world.enrollment(ana, first))
    world.now += HOUR
    world.end(world.enrollment(ana, second))
    world.enrollment(ana, third, wake_at=NOW + 9 * HOUR)
    world.enrollment(ana, fourth, wake_at=NOW + 5 * HOUR)
    seen = page(world, ana)
    assert [line.journey for line in seen.enrollments] == ["Four", "Three", "Two", "One"]
    assert [line.journey for line in seen.next] == ["Four", "Three"]


@pytest.mark.parametrize(
    ("condition", "word"),
    [
        ({"record": "appointment", "status": "booked", "since": "enrollment"}, "Booked"),
        ({"record": "invoice", "status": ["sent", "paid"]}, "Paid"),
        ({"record": "quote", "status": "accepted"}, "Accepted"),
        ({"record": "job", "status": "complete"}, "Done"),
        ({"event": "booked", "since": "enrollment"}, "Booked"),
        ({"event": "opened"}, "Done"),
        ({"any": [{"tag": "won"}, {"all": [{"record": "quote", "status": "accepted"}]}]}, "Accepted"),
        ({"not": {"record": "quote", "status": "accepted"}}, "Done"),
    ],
)
def test_the_goal_s_word_is_what_is_to_happen(condition: dict[str, object], word: str) -> None:
    parsed: Condition = parse_condition(condition)
    assert goal_word(parsed) == word


def test_a_journey_without_a_goal_is_done() -> None:
    assert goal_word(None) == "Done"


def test_the_outcome_is_the_strongest_fact_whichever_came_first(world: World) -> None:
    ana, ben = world.person("Ana"), world.person("Ben")
    journey = world.journey()
    for person_id, kinds in (
        (ana, (EventKind.REPLIED, EventKind.BOOKED)),
        (ben, (EventKind.BOOKED, EventKind.REPLIED)),
    ):
        sends(world, person_id, journey)
        for n, kind in enumerate(kinds):
            apply(world, person_id, kind, came_in=NOW + n * MINUTE)
    assert page(world, ana).outcome is End.CONVERTED
    assert page(world, ben).outcome is End.CONVERTED
    carla = world.person("Carla")
    world.end(world.enrollment(carla, journey), EnrollmentState.EXHAUSTED, Why.LAST_STEP)
    assert page(world, carla).outcome is End.EXHAUSTED


def test_i8_the_four_facts_of_a_stop(world: World) -> None:
    # given: one message accepted before, one waiting, in two follow-ups
    ana = world.person("Ana")
    _, went = sends(world, ana, world.journey("One"))
    world.accepted(went, at=NOW)
    _, waits = sends(world, ana, world.journey("Two"))
    # when: the reply came in a minute later and was read half a minute after that
    came_in, read = NOW + MINUTE, NOW + MINUTE + MINUTE / 2
    apply(world, ana, came_in=came_in, read=read, channel=Channel.SMS, text="call me")
    # then
    stop = page(world, ana).stop
    assert stop is not None
    assert (stop.kind, stop.end, stop.channel, stop.actor) == ("replied", End.REPLIED, Channel.SMS, "Dana")
    assert (stop.came_in_at, stop.read_at, stop.changed_at) == (came_in, read, read)
    assert [line.id for line in stop.cancelled] == [waits]
    assert [line.id for line in stop.accepted_before] == [went]
    assert (stop.accepted_after, stop.unknown) == ((), ())


def test_what_was_with_the_provider_when_the_stop_came_is_unknown_until_the_provider_says(world: World) -> None:
    ana = world.person("Ana")
    _, message = sends(world, ana, world.journey())
    world.sending(message)
    apply(world, ana, came_in=NOW + MINUTE)
    stop = page(world, ana).stop
    assert stop is not None
    assert [line.id for line in stop.unknown] == [message]
    # the provider had taken it before the stop came in
    world.move_message(message, MessageState.ACCEPTED, accepted_at=NOW + MINUTE / 2)
    before = page(world, ana).stop
    assert before is not None
    assert ([line.id for line in before.accepted_before], before.accepted_after, before.unknown) == ([message], (), ())


def test_what_the_provider_took_after_the_stop_came_in_is_told_apart(world: World) -> None:
    ana = world.person("Ana")
    _, message = sends(world, ana, world.journey())
    world.sending(message)
    apply(world, ana, came_in=NOW + MINUTE, read=NOW + 2 * MINUTE)
    world.move_message(message, MessageState.ACCEPTED, accepted_at=NOW + 3 * MINUTE)
    stop = page(world, ana).stop
    assert stop is not None
    assert ([line.id for line in stop.accepted_after], stop.accepted_before, stop.unknown) == ([message], (), ())


def test_what_the_provider_took_before_we_had_read_the_stop_came_after_it_all_the_same(world: World) -> None:
    ana = world.person("Ana")
    _, message = sends(world, ana, world.journey())
    world.accepted(message, at=NOW + 2 * MINUTE)
    apply(world, ana, came_in=NOW + MINUTE, read=NOW + 3 * MINUTE)
    stop = page(world, ana).stop
    assert stop is not None
    assert ([line.id for line in stop.accepted_after], stop.accepted_before) == ([message], ())
    (after,) = stop.accepted_after
    assert after.accepted_at is not None
    assert stop.changed_at is not None
    assert after.accepted_at < stop.changed_at, "nobody knew of the stop by then"


def test_the_facts_of_a_stop_are_about_the_follow_ups_that_it_ended(world: World) -> None:
    ana = world.person("Ana")
    old, long_ago = sends(world, ana, world.journey("Old"))
    world.accepted(long_ago)
    world.end(old)
    _, message = sends(world, ana, world.journey("New"))
    world.accepted(message)
    apply(world, ana, came_in=NOW + MINUTE)
    stop = page(world, ana).stop
    assert stop is not None
    assert [line.id for line in stop.accepted_before] == [message]


def test_the_last_stop_is_the_newest_event_that_stops_anything(world: World) -> None:
    ana = world.person("Ana")
    _, message = sends(world, ana, world.journey())
    apply(world, ana, EventKind.STOPPED, came_in=NOW)
    apply(world, ana, EventKind.OPENED, came_in=NOW + 2 * HOUR)
    first = page(world, ana).stop
    assert first is not None
    assert first.kind == "stopped"
    apply(world, ana, EventKind.OPTED_OUT, came_in=NOW + HOUR, channel=Channel.EMAIL)
    last = page(world, ana).stop
    assert last is not None
    assert (last.kind, last.end, last.changed_at) == ("opted_out", End.OPTED_OUT, NOW + HOUR)
    assert (last.cancelled, last.accepted_before) == ((), ())
    assert page(world, ana).outcome is End.OPTED_OUT
    assert world.row(t.message, message)["state"] == "cancelled"


def test_a_message_of_a_follow_up_that_goes_on_is_not_held_against_the_stop(world: World) -> None:
    # an opt-out from texts leaves a journey of emails alone
    ana = world.person("Ana")
    steps = {"hello": {"do": "email", "template": "hello", "next": "end"}, "end": {"do": "end", "as": "exhausted"}}
    emails = world.journey("Emails", journey_document("Emails", steps=steps))
    _, message = sends(world, ana, emails)
    apply(world, ana, EventKind.OPTED_OUT, came_in=NOW, channel=Channel.SMS)
    world.accepted(message, at=NOW + HOUR)
    stop = page(world, ana).stop
    assert stop is not None
    assert (stop.accepted_after, stop.unknown, stop.cancelled) == ((), (), ())


def test_suppressions_are_those_of_every_address_they_have(world: World) -> None:
    ana = world.person("Ana", email="ana@example.com", phone="+15035550111", alt_phone="+15035550122")
    ben = world.person("Ben", phone="+15035550111", email=None)
    world.suppress(Channel.EMAIL, "ana@example.com", Why.HARD_BOUNCE)
    world.suppress(Channel.SMS, "+15035550111")
    world.suppress(Channel.CALL, "+15035550122")
    world.suppress(Channel.EMAIL, "else@example.com")
    with world.store.open_uow() as uow:
        uow.people.lift_suppression(Channel.CALL, "+15035550122", "signed form", NOW)
    told = {(line.channel, line.address, line.why) for line in page(world, ana).suppressions}
    assert told == {
        (Channel.EMAIL, "ana@example.com", Why.HARD_BOUNCE),
        (Channel.SMS, "+15035550111", Why.OPT_OUT),
    }
    assert [line.channel for line in page(world, ben).suppressions] == [Channel.SMS]


def test_an_entry_for_an_address_they_no_longer_have_is_still_theirs(world: World) -> None:
    ana = world.person("Ana", email="old@example.com")
    apply(world, ana, EventKind.BOUNCED, channel=Channel.EMAIL)
    with world.store.session.write() as connection:
        connection.execute(t.person.update().values(email="new@example.com"))
    (entry,) = page(world, ana).suppressions
    assert (entry.address, entry.why) == ("old@example.com", Why.HARD_BOUNCE)


def test_the_timeline_tells_each_thing_once_newest_first(world: World) -> None:
    ana = world.person("Ana", source="web form")
    follow_up, message = sends(world, ana, world.journey("One"))
    with world.store.open_uow() as uow:
        uow.log.add([LogLine(NOW, "follow_up.started", "Dana", person_id=ana, enrollment_id=follow_up)])
        uow.log.add([LogLine(NOW, "message.queued", person_id=ana, enrollment_id=follow_up)])
    world.accepted(message, at=NOW + MINUTE)
    with world.store.open_uow() as uow:
        uow.log.add([LogLine(NOW + MINUTE, "attempt.noted", person_id=ana, message_id=message)])
    apply(world, ana, came_in=NOW + HOUR, channel=Channel.SMS, text="call me")
    told = page(world, ana).timeline
    assert [line.event for line in told] == [
        "follow_up.ended",
        "event.replied",
        "message.accepted",
        "follow_up.started",
        "person.added",
    ]
    ended, replied, accepted, started, added = told
    assert (ended.journey, ended.version, ended.actor) == ("One", 1, "Dana")
    assert (replied.channel, replied.text, replied.at) == (Channel.SMS, "call me", NOW + HOUR)
    assert (accepted.message_id, accepted.message_state, accepted.template) == (message, MessageState.ACCEPTED, "hello")
    assert (accepted.channel, accepted.journey, accepted.text) == (Channel.EMAIL, "One", "Hello")
    assert (started.journey, started.facts) == ("One", {})
    assert added.facts == {"source": "web form", "import": None}


def test_what_waits_to_go_out_is_not_history_unless_it_was_written_by_hand(world: World) -> None:
    ana = world.person("Ana")
    sends(world, ana, world.journey())
    by_hand = world.manual_message(ana)
    told = page(world, ana).timeline
    assert [line.message_id for line in told if line.message_id] == [by_hand]


def test_the_timeline_holds_the_newest_two_hundred(world: World) -> None:
    ana = world.person("Ana")
    with world.store.open_uow() as uow:
        uow.log.add([LogLine(NOW + n * MINUTE, "person.noted", person_id=ana, facts={"n": n}) for n in range(230)])
    told = page(world, ana).timeline
    assert len(told) == 200
    assert (told[0].facts, told[-1].facts) == ({"n": 229}, {"n": 30})


def test_an_erased_person_still_has_a_page(world: World) -> None:
    ana = world.person("", last_name="", email=None, phone=None, erased_at=NOW, contact=Contact.OPEN)
    seen = page(world, ana)
    assert (seen.line.name, seen.erased_at) == ("", NOW)
