"""What the bar says after the other acts: a hold, a booking, an opt-out, a new start; and when one failed."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QCoreApplication

from app.domain.consent import ConsentDone
from app.domain.events import Applied, EventKind
from app.domain.states import Channel
from app.engine.hold import Held
from app.service.enrolling import Enrolled
from app.ui.components.bar_facts import BarButton, BarFacts, BarKind
from app.ui.components.labels import Run
from app.ui.faults import Fault
from app.ui.icons import Icon
from app.ui.people.stop_bar import FACTS, START_AGAIN
from app.ui.people.whom import Whom
from app.ui.when import clock_words, time_words
from app.ui.words import channels_word, end_word, listed, many

translate = QCoreApplication.translate

RESUME, TRY_AGAIN = "resume", "try_again"


def goal_word(kind: EventKind) -> str:
    """What a goal event is called on its button: “Booked”, “Paid”, “Accepted”."""
    match kind:
        case EventKind.PAID:
            return translate("acts", "Paid")
        case EventKind.ACCEPTED:
            return translate("acts", "Accepted")
        case EventKind.COMPLETED:
            return translate("acts", "Completed")
        case EventKind.CONVERTED:
            return translate("acts", "Goal reached")
        case _:
            return translate("acts", "Booked")


def event_bar(whom: Whom, kind: EventKind, applied: Applied, now: datetime) -> BarFacts:
    """A booking, an opt-out, a reply told by staff: what it ended, what it cancelled."""
    head = translate("acts", "Opted out") if kind is EventKind.OPTED_OUT else goal_word(kind)
    time = clock_words(applied.changed_at or now, whom.zone, seconds=True)
    lines: list[tuple[Run, ...]] = [(Run(_ended_words(applied)),)]
    if applied.cancelled:
        told = many(
            len(applied.cancelled),
            translate("acts", "1 waiting message was cancelled."),
            translate("acts", "{count} waiting messages were cancelled."),
        )
        lines.append((Run(told),))
    if applied.suppressed:
        channels = listed([channels_word(channel) for channel in applied.suppressed])
        lines.append(
            (Run(translate("acts", "No {channels} from now on, whatever the journey.").format(channels=channels)),)
        )
    again = BarButton(f"{START_AGAIN}:{whom.id}", translate("acts", "Start again…"), Icon.AGAIN, "A")
    return BarFacts(
        key=f"act-{applied.event_id}",
        kind=BarKind.STOP if applied.ended else BarKind.NOTE,
        title=translate("acts", "{head}: {name}, {time}.").format(head=head, name=whom.name, time=time),
        lines=tuple(lines),
        buttons=(BarButton(f"{FACTS}:{whom.id}", translate("acts", "Show the facts"), Icon.EYE), again)
        if applied.ended
        else (),
        icon=_icon(kind),
    )


def held_bar(whom: Whom, held: Held, until: datetime | None, now: datetime) -> BarFacts:
    """A hold: until when, and how it is lifted."""
    if not held.of:
        return _note(
            whom, translate("acts", "Nothing is running for {name}, so nothing was held.").format(name=whom.name)
        )
    when = (
        translate("acts", "until {time}").format(time=time_words(until, whom.zone, now))
        if until is not None
        else translate("acts", "until somebody resumes it")
    )
    title = translate("acts", "Held {when}: {name}.").format(when=when, name=whom.name)
    told = translate("acts", "Then it goes on where it stood. Nothing is lost, and a stop still works at once.")
    resume = BarButton(f"{RESUME}:{whom.id}", translate("acts", "Resume"), Icon.STATE_ACTIVE, "H")
    return _note(whom, title, told, (resume,), Icon.STATE_PAUSED)


def resumed_bar(whom: Whom, held: Held) -> BarFacts:
    """Held ones go on."""
    if not held.changed:
        return _note(whom, translate("acts", "Nothing was paused for {name}.").format(name=whom.name))
    title = translate("acts", "Resumed: {name}.").format(name=whom.name)
    told = translate("acts", "It goes on where it stood; every guard is asked again before anything goes out.")
    return _note(whom, title, told, icon=Icon.STATE_ACTIVE)


def handled_bar(whom: Whom, handled: bool) -> BarFacts:
    """A reply was dealt with."""
    if not handled:
        return _note(whom, translate("acts", "Nothing waited for staff at {name}.").format(name=whom.name))
    title = translate("acts", "Handled: {name}.").format(name=whom.name)
    return _note(whom, title, translate("acts", "What was held for it goes on."), icon=Icon.CHECK)


def started_bar(whom: Whom, enrolled: Enrolled) -> BarFacts:
    """A new follow-up."""
    title = translate("acts", "Started: {name} in {journey}.").format(name=whom.name, journey=enrolled.journey)
    told = translate("acts", "A new follow-up, from its first step. The old one stays ended.")
    return _note(whom, title, told, icon=Icon.AGAIN)


def consent_bar(whom: Whom, done: ConsentDone) -> BarFacts:
    """A consent that was recorded, and what it lifted."""
    title = translate("acts", "Consent recorded: {name}.").format(name=whom.name)
    given = listed([channels_word(channel) for channel in done.given])
    told = translate("acts", "Marketing {channels} may go out; what was held for it goes on.").format(channels=given)
    if done.lifted:
        lifted = listed([channels_word(channel) for channel in done.lifted])
        more = translate("acts", "They may be reached by {channels} again.").format(channels=lifted)
        told = f"{told} {more}"
    return _note(whom, title, told, icon=Icon.CHECK)


def failed_bar(whom: Whom, what: str, fault: Fault) -> BarFacts:
    """An act that was not done, and why. It stays until it is right or closed."""
    return BarFacts(
        key=failed_key(whom),
        kind=BarKind.ERROR,
        title=what,
        beside=(Run(f"{fault.told} {fault.hint}".strip()),),
        buttons=(BarButton(TRY_AGAIN, translate("acts", "Try again"), Icon.AGAIN),),
    )


def failed_key(whom: Whom) -> str:
    """The key of a person's error bar: the next act that succeeds takes it away."""
    return f"failed-{whom.id}"


def opted_out_words(channels: tuple[Channel, ...]) -> str:
    """“Opt out of texts and calls”."""
    named = listed([channels_word(channel) for channel in channels])
    return translate("acts", "Opt out of {channels}").format(channels=named or "…")


def _note(
    whom: Whom, title: str, told: str = "", buttons: tuple[BarButton, ...] = (), icon: Icon | None = None
) -> BarFacts:
    beside = (Run(told),) if told else ()
    return BarFacts(f"act-{whom.id}", BarKind.NOTE, title, beside, buttons=buttons, icon=icon)


def _ended_words(applied: Applied) -> str:
    if not applied.ended:
        return translate("acts", "It is noted. No follow-up ends by it.")
    ends = [
        translate("acts", "{journey} ended: {end}").format(journey=each.journey, end=end_word(each.end))
        for each in applied.ended
    ]
    return f"{listed(ends)}."


def _icon(kind: EventKind) -> Icon:
    return Icon.STATE_OPTOUT if kind is EventKind.OPTED_OUT else Icon.STATE_CONVERTED
