"""tasks, task: what journeys ask staff to do, and that it is done."""

from __future__ import annotations

import argparse

from app.cli.desk import DONE, Desk, staff
from app.cli.output import local, printable, write_json, write_json_list, write_table
from app.cli.shapes import Shape
from app.cli.usage import whole
from app.domain.ids import EnrollmentId
from app.domain.task_lines import TaskLine
from app.service.tasks import Tasks


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Run one command of this family."""
    with desk.open() as parts:
        tasks = Tasks(parts.open_uow, parts.open_reader, parts.clock)
        if args.call == "tasks":
            _list(desk, tasks)
            return DONE
        done = tasks.done(EnrollmentId(whole(args.task, "TASK")), by=staff())
    if desk.as_json:
        write_json(desk.out, {"task": done.enrollment_id, "person": done.person_id, "next": done.next})
    else:
        desk.say(f"Done: {done.note}. {done.journey} goes on at {done.next}.")
    return DONE


def _list(desk: Desk, tasks: Tasks) -> None:
    lines = tasks.lines()
    if desk.as_json:
        write_json_list(desk.out, [_shape(line) for line in lines])
        return
    rows = [
        (
            str(line.enrollment_id),
            local(line.until, line.zone),
            printable(line.name),
            line.location,
            printable(line.note),
            printable(f"{line.journey}, {line.step}") + (", held" if line.paused else ""),
        )
        for line in lines
    ]
    write_table(desk.out, ("TASK", "UNTIL", "NAME", "LOCATION", "TO DO", "JOURNEY, STEP"), rows, "No task waits.")


def _shape(line: TaskLine) -> Shape:
    return {
        "task": line.enrollment_id,
        "person": line.person_id,
        "name": line.name,
        "location": line.location,
        "journey": line.journey,
        "step": line.step,
        "note": line.note,
        "since": line.since,
        "until": line.until,
        "paused": line.paused,
    }
