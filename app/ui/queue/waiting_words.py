"""Why a follow-up has no message yet, in one sentence."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from app.domain.lines import QueueLine
from app.domain.states import LIVE, Channel, Contact, EnrollmentState
from app.ui.when import time_words
from app.ui.words import Where, ended_words, hold_words, step_name

translate = QCoreApplication.translate


def why_waiting(line: QueueLine, where: Where) -> str:
    """What stands after the name: “ is at “Wait 2 days” of New lead v4 until …”."""
    step = translate("waiting", " is at {step} of {journey} v{version}").format(
        step=step_name(line.step), journey=line.journey, version=line.version
    )
    if line.state not in LIVE:
        told = translate("waiting", " was in {journey} v{version}, which has ended. {why}")
        why = ended_words(line.end_detail, line.ended_by)
        return told.format(journey=line.journey, version=line.version, why=f"{why}." if why else "").rstrip()
    if line.contact is Contact.WITH_STAFF:
        return translate("waiting", "{at}. A reply is with staff: nothing goes out until it is marked handled.").format(
            at=step
        )
    if line.hold is not None:
        return translate("waiting", "{at}. {why}").format(at=step, why=hold_words(line.hold, where))
    if line.state is EnrollmentState.PAUSED:
        return translate("waiting", "{at}, and is paused by staff.").format(at=step)
    if line.at is None:
        return translate("waiting", "{at}. It goes on at the next check.").format(at=step)
    time = time_words(line.at, where.zone, where.now)
    if line.step.kind in tuple(Channel):
        told = translate("waiting", "{at}. The message is made at {time}: every guard is asked then.")
    else:
        told = translate("waiting", "{at} until {time}. Then it goes on to its next step.")
    return told.format(at=step, time=time)
