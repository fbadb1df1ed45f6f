"""The demo without a window: what went out at the made-up practice, what did not, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TextIO

from app.cli.output import counted, local
from app.cli.shapes import CHANNEL_WORDS, told_end, told_hold
from app.domain.lines import MessageLine, PeopleQuery, QueueQuery, SentQuery, WhyLines
from app.domain.person_lines import EnrollmentLine, PersonPage
from app.domain.reasons import told
from app.domain.states import TERMINAL, EnrollmentState, MessageState
from app.service.parts import Parts
from app.service.queues import Lists, Pages

STILL_AHEAD = 8  # follow-ups shown of those that wait


def tell_demo(parts: Parts, out: TextIO, *, why_no_window: str) -> None:
    """Tell the whole story on `out`, oldest first. why_no_window: the sentence that begins it."""
    lists = Lists(parts.open_reader, parts.clock)
    pages = Pages(parts.open_reader, parts.clock)
    out.write(f"{why_no_window}\n")
    out.write("The same made-up practice runs without one. Practice mode: nothing leaves this computer.\n\n")
    messages = sorted(lists.messages(SentQuery()), key=lambda line: (line.at, line.id))
    out.write("What went out, or was stopped before it did, and why\n")
    for line in messages:
        out.write(f"  {_told(line, pages.why(line.id))}\n")
    out.write("\nHow follow-ups ended\n")
    everyone = [pages.person(line.id) for line in lists.people(PeopleQuery())]
    for page in everyone:
        for enrollment in page.enrollments:
            if enrollment.state in TERMINAL:
                out.write(f"  {_ended(page, enrollment)}\n")
    out.write("\nWhat waits now\n")
    waiting = list(lists.queue(QueueQuery()))
    for queued in waiting[:STILL_AHEAD]:
        held = f" Held: {told_hold(queued.hold, queued.zone)}" if queued.hold else ""
        out.write(f"  {local(queued.at, queued.zone)}  {queued.name}, {queued.journey}: {queued.step.title}.{held}\n")
    if len(waiting) > STILL_AHEAD:
        out.write(f"  and {len(waiting) - STILL_AHEAD} more\n")
    out.write(f"\n{_sum(messages, everyone)}\n")
    out.write(f"Look around: stopwell --data {parts.folder} people | queue | messages | why MESSAGE\n")


def _told(line: MessageLine, why: WhyLines) -> str:
    head = (
        f"{local(line.at, line.zone)}  {CHANNEL_WORDS[line.channel]} “{line.template}” to {line.name}, {line.location}"
    )
    match line.state:
        case MessageState.ACCEPTED | MessageState.DELIVERED:
            return f"{head}: accepted. All {len(why.trace)} guards passed."
        case MessageState.CANCELLED if line.cancel_reason is not None:
            return f"{head}: cancelled. {told(line.cancel_reason)}"
        case MessageState.FAILED if line.cancel_reason is not None:
            return f"{head}: failed. {told(line.cancel_reason)}"
        case _:
            held = f" {told_hold(line.hold, line.zone)}" if line.hold else ""
            return f"{head}: waits.{held}"


def _ended(page: PersonPage, enrollment: EnrollmentLine) -> str:
    when = local(enrollment.ended_at, page.line.zone)
    sent = sum(enrollment.sent.values())
    said = counted(sent, "message", "messages")
    return (
        f"{when}  {page.line.name}, {enrollment.journey}: {enrollment.state.value} after {said}. {told_end(enrollment)}"
    )


def _sum(messages: Iterable[MessageLine], everyone: Iterable[PersonPage]) -> str:
    states = Counter(line.state for line in messages)
    accepted = states[MessageState.ACCEPTED] + states[MessageState.DELIVERED]
    ended = [each for page in everyone for each in page.enrollments if each.state in TERMINAL]
    stopped = [each for each in ended if each.state is not EnrollmentState.EXHAUSTED]
    unsaid = sum(sum(each.most.values()) - sum(each.sent.values()) for each in stopped)
    return (
        f"{counted(accepted, 'message', 'messages')} went out, each once. "
        f"{counted(len(ended), 'follow-up has', 'follow-ups have')} ended; "
        f"{counted(unsaid, 'message', 'messages')} never went out because someone had answered, booked or stopped."
    )
