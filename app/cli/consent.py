"""consent show, give, revoke: what a person agreed to, with its proof."""

from __future__ import annotations

import argparse

from app.cli.desk import DONE, Desk, find_person, staff
from app.cli.output import local, write_json, write_table
from app.cli.person_shape import consent_shape
from app.cli.shapes import CHANNEL_WORDS
from app.cli.usage import instant
from app.domain.consent import Agreed, ConsentDone, ConsentWay
from app.domain.ids import PersonId
from app.domain.person_lines import ConsentLine
from app.domain.states import Channel
from app.service.consents import Consents
from app.service.parts import Parts
from app.service.queues import Pages


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Run one command of this family."""
    at = instant(args.at, "--at") if args.call != "show" and args.at else None
    with desk.open() as parts:
        person_id = find_person(parts, args.person)
        consents = Consents(parts.open_uow, parts.clock)
        match args.call:
            case "give":
                way = ConsentWay(args.way)
                agreed = Agreed(_channels(args), way, args.wording, args.evidence, at, args.lift)
                _tell(desk, person_id, consents.give(person_id, agreed, by=staff()))
            case "revoke":
                consents.take_back(person_id, _channels(args), by=staff(), how=args.how, at=at)
                _told_back(desk, person_id, _channels(args))
            case _:
                _show(desk, parts, person_id)
    return DONE


def _channels(args: argparse.Namespace) -> tuple[Channel, ...]:
    return tuple(dict.fromkeys(Channel(each) for each in args.channel))


def _tell(desk: Desk, person_id: PersonId, done: ConsentDone) -> None:
    for warning in done.warnings:
        desk.complain(warning)
    if desk.as_json:
        write_json(desk.out, {"person": person_id, "given": done.given, "lifted": done.lifted})
        return
    desk.say(f"Recorded: they agree to marketing by {_by(done.given)}.")
    if done.lifted:
        desk.say(f"Lifted: they may be reached by {_by(done.lifted)} again.")


def _told_back(desk: Desk, person_id: PersonId, channels: tuple[Channel, ...]) -> None:
    if desk.as_json:
        write_json(desk.out, {"person": person_id, "revoked": channels})
    else:
        desk.say(f"Recorded: no more marketing by {_by(channels)}. Other messages go on.")


def _by(channels: tuple[Channel, ...]) -> str:
    return ", ".join(CHANNEL_WORDS[channel] for channel in channels)


def _show(desk: Desk, parts: Parts, person_id: PersonId) -> None:
    page = Pages(parts.open_reader, parts.clock).person(person_id)
    if desk.as_json:
        write_json(desk.out, {"person": person_id, "consents": [consent_shape(each) for each in page.consents]})
        return
    rows = [_row(each, page.line.zone) for each in page.consents]
    write_table(desk.out, ("WHEN", "WHAT", "FOR", "BY", "HOW", "PROOF", "RECORDED BY"), rows, "No consent is recorded.")


def _row(line: ConsentLine, zone: str) -> tuple[str, ...]:
    act = "agreed" if line.act == "given" else "took it back"
    proof = "; ".join(part for part in (line.wording, line.evidence) if part)
    return (
        local(line.at, zone),
        act,
        line.purpose.value,
        CHANNEL_WORDS[line.channel],
        line.how,
        proof,
        line.recorded_by,
    )
