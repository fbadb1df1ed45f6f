"""What the steps of a journey say in the timeline: waits, branches, tasks, splits, repeats, what was passed over."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from PySide6.QtCore import QCoreApplication

from app.domain.person_lines import TimelineLine
from app.ui.components.labels import Run
from app.ui.icons import Icon
from app.ui.people.timeline_entry import Entry, at_step_words, why_of
from app.ui.theme import Tone
from app.ui.when import time_words
from app.ui.words import Where

translate = QCoreApplication.translate


def _task_asked(line: TimelineLine, where: Where) -> Entry:
    words = translate("timeline", "Asked staff to do something")
    until = str(line.facts.get("until", ""))
    if until:
        time = time_words(datetime.fromisoformat(until), where.zone, where.now)
        words = translate("timeline", "Asked staff to do something by {time}").format(time=time)
    return Entry(line.at, Icon.CHECK, Tone.NEUTRAL, (Run(words),), at_step_words(line))


def _task_done(line: TimelineLine, _where: Where) -> Entry:
    words = translate("timeline", "{who} did it").format(who=line.actor or translate("timeline", "Staff"))
    return Entry(line.at, Icon.CHECK, Tone.OK, (Run(words),), at_step_words(line))


def _task_not_done(line: TimelineLine, _where: Where) -> Entry:
    return Entry(
        line.at, Icon.WAIT, Tone.SAND, (Run(translate("timeline", "Went on without it")),), at_step_words(line)
    )


def _waited_for(line: TimelineLine, _where: Where) -> Entry:
    came = line.facts.get("answer") == "yes"
    words = (
        translate("timeline", "What it waited for came") if came else translate("timeline", "It did not come in time")
    )
    return Entry(line.at, Icon.BRANCH, Tone.NEUTRAL, (Run(words),), at_step_words(line))


def _split(line: TimelineLine, _where: Where) -> Entry:
    words = translate("timeline", "Sent one of several ways: {step}").format(step=line.facts.get("to", "–"))
    return Entry(line.at, Icon.BRANCH, Tone.NEUTRAL, (Run(words),), at_step_words(line))


def _repeated(line: TimelineLine, _where: Where) -> Entry:
    words = translate("timeline", "At a repeat, goes on at {step}").format(step=line.facts.get("to", "–"))
    return Entry(line.at, Icon.REPEAT, Tone.NEUTRAL, (Run(words),), at_step_words(line))


def _waiting(line: TimelineLine, where: Where) -> Entry:
    until = str(line.facts.get("until", ""))
    words = translate("timeline", "Waits")
    if until:
        time = time_words(datetime.fromisoformat(until), where.zone, where.now)
        words = translate("timeline", "Waits until {time}").format(time=time)
    return Entry(line.at, Icon.WAIT, Tone.NEUTRAL, (Run(words),), at_step_words(line))


def _branched(line: TimelineLine, _where: Where) -> Entry:
    answer = line.facts.get("answer", line.facts.get("to", ""))
    words = translate("timeline", "Asked which way to go")
    if answer:
        words = translate("timeline", "Asked which way to go: {answer}").format(answer=answer)
    return Entry(line.at, Icon.BRANCH, Tone.NEUTRAL, (Run(words),), at_step_words(line))


def _skipped(line: TimelineLine, where: Where) -> Entry:
    step = str(line.facts.get("step", "–"))
    words = translate("timeline", "Step “{step}” was passed over").format(step=step)
    return Entry(line.at, Icon.RIGHT, Tone.NEUTRAL, (Run(words),), why_of(line, where))


STEPS: Mapping[str, Callable[[TimelineLine, Where], Entry]] = {
    "step.skipped": _skipped,
    "step.waiting": _waiting,
    "step.branched": _branched,
    "step.waited_for": _waited_for,
    "step.split": _split,
    "step.repeated": _repeated,
    "task.asked": _task_asked,
    "task.done": _task_done,
    "task.not_done": _task_not_done,
}
