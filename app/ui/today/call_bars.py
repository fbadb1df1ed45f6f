"""What the bar says when it was noted how a call went: what followed, and what a guard would have said."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QCoreApplication

from app.domain.call_lines import CallLine
from app.domain.call_outcome import known_outcome
from app.domain.verdict import Hold, Pass
from app.engine.calls import CallNoted, CallOver
from app.ui.call_words import outcome_name, outcome_words
from app.ui.components.bar_facts import BarFacts, BarKind
from app.ui.components.labels import Run
from app.ui.icons import Icon
from app.ui.people.whom import nameless
from app.ui.when import time_words
from app.ui.words import Where, end_word, listed, many, step_name, why_words

translate = QCoreApplication.translate


def call_bar(line: CallLine, now: datetime, done: CallNoted | CallOver) -> BarFacts:
    """What came of pressing an outcome. now: on whose day times are told."""
    where = Where(line.zone, now)
    name = line.name or nameless(line.person_id)
    if isinstance(done, CallOver):
        return _over(line, name, done, where)
    title = translate("calls", "{name}: {outcome}.").format(name=name, outcome=outcome_words(done.outcome))
    runs = [Run(each) for each in _followed(line, done, where) if each]
    warned = done.against is not None or done.too_late is not None
    beside = tuple(Run(f"{run.words} ") for run in runs)
    return BarFacts(f"call-{line.message_id}", BarKind.WARN if warned else BarKind.NOTE, title, beside, icon=Icon.CALL)


def _over(line: CallLine, name: str, over: CallOver, where: Where) -> BarFacts:
    """Somebody was quicker: what is so now."""
    row = over.row
    outcome = known_outcome(row.outcome)
    if outcome is None or row.over_at is None:
        told = translate("calls", "This call is over already.")
    else:
        told = translate("calls", "{who} noted “{outcome}”, {time}.").format(
            who=row.over_by or translate("calls", "Somebody"),
            outcome=outcome_name(outcome),
            time=time_words(row.over_at, where.zone, where.now),
        )
    title = translate("calls", "{name}: somebody was quicker.").format(name=name)
    return BarFacts(f"call-{line.message_id}", BarKind.WARN, title, (Run(told),), icon=Icon.CALL)


def _followed(line: CallLine, done: CallNoted, where: Where) -> list[str]:
    told = [_although(done, where)]
    applied = done.applied
    if applied is not None and applied.ended:
        ended = listed([f"{each.journey} ({end_word(each.end)})" for each in applied.ended])
        told.append(translate("calls", "Ended: {journeys}.").format(journeys=ended))
        if applied.cancelled:
            told.append(
                many(
                    len(applied.cancelled),
                    translate("calls", "1 waiting message was cancelled."),
                    translate("calls", "{count} waiting messages were cancelled."),
                )
            )
    if applied is not None and applied.suppressed:
        told.append(translate("calls", "This number is not called or texted again."))
    if done.again_at is not None:
        time = time_words(done.again_at, where.zone, where.now)
        told.append(translate("calls", "Again {time}.").format(time=time))
    if done.next_step is not None:
        step = step_name(line.way.next) if done.next_step == line.way.next.id else done.next_step
        told.append(translate("calls", "Goes on: {step}.").format(step=step))
    return told


def _although(done: CallNoted, where: Where) -> str:
    if done.too_late is not None:
        told = translate("calls", "The call had been cancelled meanwhile; what was said is kept.")
        return f"{told} {why_words(done.too_late, {'by': translate('calls', 'Somebody')}, where)}"
    if done.against is None or isinstance(done.against, Pass):
        return ""
    until: dict[str, str] = {}
    if isinstance(done.against, Hold) and done.against.until is not None:
        until = {"until": time_words(done.against.until, where.zone, where.now)}
    told = translate("calls", "It is kept as made, though it would not have been let through now:")
    return f"{told} {why_words(done.against.why, {**done.against.facts, **until}, where)}"
