"""queue, messages, why, log, journeys: what waits, what went out, and why."""

from __future__ import annotations

import argparse

from app.cli import shapes
from app.cli.desk import DONE, Desk, find_person
from app.cli.output import counted, local, printable, stamp, write_json, write_json_list, write_table
from app.cli.usage import whole
from app.domain.ids import MessageId, PersonId
from app.domain.lines import JourneyLine, MessageLine, QueueLine, QueueQuery, SentQuery, WhyLines
from app.domain.reasons import provider_words, told
from app.service.groups import GroupLists
from app.service.parts import Parts
from app.service.queues import Lists, Pages

MOST_LOG_LINES = 1_000_000


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Run one command of this family."""
    with desk.open() as parts:
        match args.call:
            case "queue":
                _queue(parts, desk)
            case "messages":
                _messages(parts, desk, args.person)
            case "why":
                _why(parts, desk, MessageId(whole(args.message, "MESSAGE")))
            case "log":
                _log(parts, desk, args.person, min(whole(args.limit, "--limit"), MOST_LOG_LINES))
            case _:
                _journeys(parts, desk)
    return DONE


def _queue(parts: Parts, desk: Desk) -> None:
    lines = Lists(parts.open_reader, parts.clock).queue(QueueQuery())
    if desk.as_json:
        write_json_list(desk.out, (shapes.queue_shape(line) for line in lines))
        return
    headings = ("PERSON", "NAME", "JOURNEY", "STEP", "NEXT", "HELD")
    write_table(desk.out, headings, map(_queue_row, lines), "Nobody is in a journey.")


def _queue_row(line: QueueLine) -> tuple[str, ...]:
    held = shapes.told_hold(line.hold, line.zone) if line.hold else line.message_state or ""
    return (
        str(line.person_id),
        line.name,
        f"{line.journey} v{line.version}",
        line.step.id,
        local(line.at, line.zone),
        held,
    )


def _messages(parts: Parts, desk: Desk, ref: str | None) -> None:
    person_id = find_person(parts, ref) if ref else None
    lines = Lists(parts.open_reader, parts.clock).messages(SentQuery(person_id=person_id))
    if desk.as_json:
        write_json_list(desk.out, (shapes.message_shape(line) for line in lines))
        return
    headings = ("MESSAGE", "PERSON", "NAME", "JOURNEY", "STEP", "BY", "STATE", "WHEN", "WHY")
    write_table(desk.out, headings, map(_message_row, lines), "No message was made yet.")


def _message_row(line: MessageLine) -> tuple[str, ...]:
    journey = f"{line.journey} v{line.version}" if line.journey else "by hand"
    why = line.cancel_reason or (line.hold.why if line.hold else "")
    return (
        str(line.id),
        str(line.person_id),
        line.name,
        journey,
        line.step or "–",
        shapes.CHANNEL_WORDS[line.channel],
        line.state,
        local(line.accepted_at or line.at, line.zone),
        why,
    )


def _why(parts: Parts, desk: Desk, message_id: MessageId) -> None:
    lines = Pages(parts.open_reader, parts.clock).why(message_id)
    if desk.as_json:
        write_json(desk.out, shapes.why_shape(lines))
        return
    _tell_message(desk, lines)
    if lines.trace:
        desk.say("")
        rows = [(each.guard, each.answer, each.saw) for each in lines.trace]
        write_table(desk.out, ("GUARD", "ANSWER", "SAW"), rows, "")
    if lines.attempts:
        desk.say("")
        zone = lines.message.zone
        tries = [
            (
                str(each.number),
                local(each.noted_at, zone),
                each.answer.value,
                each.provider,
                each.provider_id or "",
                each.code,
            )
            for each in lines.attempts
        ]
        write_table(desk.out, ("TRY", "NOTED", "ANSWER", "PROVIDER", "ITS ID", "CODE"), tries, "")


def _tell_message(desk: Desk, lines: WhyLines) -> None:
    line = lines.message
    journey = f"{line.journey} version {line.version}, step {line.step}" if line.journey else "written by hand"
    by = shapes.CHANNEL_WORDS[line.channel]
    desk.say(f"Message {line.id} to {line.name} (person {line.person_id}) by {by}: {line.state}")
    desk.say(f"  {journey}; template {line.template}; to {line.to}")
    if line.accepted_at:
        provider = provider_words(line.provider or "the provider")
        desk.say(f"  accepted {local(line.accepted_at, line.zone)} by {provider} as {line.provider_id}")
    if line.cancel_reason:
        desk.say(f"  {told(line.cancel_reason)}")
    if line.hold:
        desk.say(f"  held: {shapes.told_hold(line.hold, line.zone)}")
    if lines.stop:
        came_in, read = local(lines.stop.happened_at, line.zone), local(lines.stop.received_at, line.zone)
        desk.say(f"  stop: {lines.stop.kind}, came in {came_in}, read {read}")
    if line.subject:
        desk.say(f"  {line.subject}")
    for written in lines.body.splitlines():
        desk.say(f"  | {written}")


def _log(parts: Parts, desk: Desk, ref: str | None, limit: int) -> None:
    person_id: PersonId | None = find_person(parts, ref) if ref else None
    lines = Pages(parts.open_reader, parts.clock).log(person_id, limit)
    if desk.as_json:
        write_json_list(desk.out, map(shapes.logged_shape, lines))
        return
    for line in lines:
        about = [
            f"{name}={value}"
            for name, value in (
                ("person", line.person_id),
                ("enrollment", line.enrollment_id),
                ("message", line.message_id),
                ("attempt", line.attempt_id),
                ("event", line.inbox_event_id),
            )
            if value is not None
        ]
        facts = [f"{name}={value}" for name, value in line.facts.items()]
        by = [f"by {line.actor}"] if line.actor else []
        desk.say(" ".join((stamp(line.at), line.event, *by, *about, *facts)))


def _journeys(parts: Parts, desk: Desk) -> None:
    journeys = Pages(parts.open_reader, parts.clock).journeys()
    idle = {line.journey: line.told() for line in GroupLists(parts.open_uow, parts.open_reader, parts.clock).idle()}
    if desk.as_json:
        write_json_list(desk.out, (shapes.journey_shape(line, idle.get(line.name)) for line in journeys))
        return
    headings = ("JOURNEY", "STATE", "INSIDE", "AT MOST")
    write_table(
        desk.out,
        headings,
        (_journey_row(line, idle.get(line.name, "")) for line in journeys),
        "No journey yet. Write one and: stopwell apply FILE",
    )


def _journey_row(line: JourneyLine, idle: str) -> tuple[str, ...]:
    state = f"{line.state} v{line.version}" if line.version else str(line.state)
    if line.has_draft and line.version:
        state += " and a draft"
    parts = (
        counted(line.emails, "email", "emails"),
        counted(line.texts, "text", "texts"),
        counted(line.calls, "call", "calls"),
    )
    days = f"{line.days:g} {'day' if line.days == 1 else 'days'}"
    most = f"{', '.join(parts)} over {days}" if line.version else "not proven yet"
    return (printable(line.name), state, printable(idle) or str(line.inside), most)
