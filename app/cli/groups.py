"""groups, group: which groups there are, who is in, who came and left; and what publishing says of those who are in."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence

from app.cli.desk import DONE, Desk
from app.cli.output import counted, local, local_iso, printable, write_json, write_json_list, write_table
from app.domain.group_lines import GroupLine, GroupPage, MemberLine
from app.service.groups import AlreadyIn, GroupLists

_TOLD = 10


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Run one command of this family."""
    with desk.open() as parts:
        lists = GroupLists(parts.open_uow, parts.open_reader, parts.clock)
        if args.call == "groups":
            _groups(desk, lists.groups())
        else:
            _group(desk, lists.group(args.group))
    return DONE


def _groups(desk: Desk, lines: Sequence[GroupLine]) -> None:
    if desk.as_json:
        write_json_list(desk.out, map(_shape, lines))
        return
    headings = ("GROUP", "IN NOW", "CAME IN 7 DAYS", "JOURNEYS")
    write_table(desk.out, headings, map(_row, lines), "No group yet. Write one and: stopwell apply FILE")


def _row(line: GroupLine) -> tuple[str, ...]:
    members = str(line.members) if line.complete else f"{line.members}, being looked at"
    return (printable(line.name), members, str(line.entered), ", ".join(map(printable, line.journeys)) or "–")


def _group(desk: Desk, page: GroupPage) -> None:
    if desk.as_json:
        shape = {**_shape(page.line), "sample": _stays(page.members), "history": _stays(page.history)}
        write_json(desk.out, shape)
        return
    line = page.line
    desk.say(f"{printable(line.name)}: {printable(line.rule) or 'its rule can not be read; see stopwell problems'}")
    entered = counted(line.entered, "came", "came")
    desk.say(f"{counted(line.members, 'person is', 'people are')} in it; {entered} in the last 7 days.")
    if not line.complete:
        desk.say("Everybody is still being looked at for its rule; the next tick goes on.")
    for journey in line.journeys:
        desk.say(f"Whoever comes in enters {printable(journey)}.")
    if line.waiting:
        desk.say(f"{counted(line.waiting, 'person waits', 'people wait')} to be let in again, or for their turn.")
    if page.members:
        desk.say("In it now, the newest first:")
        for each in page.members[:_TOLD]:
            desk.say(f"  person {each.person_id} {printable(each.name)}, since {local(each.entered_at, each.zone)}")
        if line.members > _TOLD:
            desk.say(f"  and {line.members - _TOLD} more")
    left = [each for each in page.history if each.left_at is not None]
    if left:
        desk.say("Who left, the newest first:")
        for each in left[:_TOLD]:
            stay = f"from {local(each.entered_at, each.zone)} to {local(each.left_at, each.zone)}"
            desk.say(f"  person {each.person_id} {printable(each.name)}, in it {stay}")


def _shape(line: GroupLine) -> dict[str, object]:
    return {
        "id": line.id,
        "name": line.name,
        "rule": line.rule,
        "members": line.members,
        "entered_7_days": line.entered,
        "journeys": list(line.journeys),
        "waiting": line.waiting,
        "complete": line.complete,
    }


def _stays(lines: Sequence[MemberLine]) -> list[Mapping[str, object]]:
    return [
        {
            "person": each.person_id,
            "name": each.name,
            "entered_at": each.entered_at,
            "left_at": each.left_at,
            "entered_local": local_iso(each.entered_at, each.zone),
        }
        for each in lines
    ]


def already_lines(journey: str, already: Sequence[AlreadyIn]) -> Iterator[str]:
    """What publishing says of those who are in the journey's groups: they enter only when somebody says so."""
    for each in already:
        group, found = printable(each.group), each.found
        if not found.count:
            yield f"Nobody is in the group {group} now; whoever comes in enters."
            continue
        more = f" and {found.count - len(found.sample)} more" if found.count > len(found.sample) else ""
        names = ", ".join(map(printable, found.sample))
        people = counted(found.count, "person is", "people are")
        yield f"{people} in the group {group} already: {names}{more}."
        if each.existing:
            yield "The group says that they enter too, at the next tick."
            continue
        yield "They are not started by publishing; whoever comes in from now on is."
        if each.each:
            most = counted(found.count * each.each, "message", "messages")
            yield f'To start them too ({most} at most): stopwell enroll "{journey}" --group "{each.group}"'


def already_shape(already: Sequence[AlreadyIn]) -> list[dict[str, object]]:
    """The same as JSON."""
    return [
        {
            "group": each.group,
            "members": each.found.count,
            "sample": list(each.found.sample),
            "messages_at_most": each.found.count * each.each,
            "existing_enter": each.existing,
        }
        for each in already
    ]
