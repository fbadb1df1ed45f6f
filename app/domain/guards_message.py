"""Guards about one message: address, consent, budget, use, caps, the location's hours, the channel.

Each is a pure function from a snapshot to a verdict. Their order: guards.py. The recipient's legal hours:
legal_hours.py.
"""

from __future__ import annotations

from datetime import timedelta

from app.domain.guard_parts import (
    channel_of,
    contact_step,
    made_by_staff,
    next_local_midnight,
    skips_bad_address,
    useful_until,
)
from app.domain.journey import SendHours
from app.domain.legal_hours_cap import phone_cap
from app.domain.reasons import Why
from app.domain.remaining import other_way_left
from app.domain.snapshot import Snapshot
from app.domain.states import FINAL_MESSAGE_STATES, Channel, Contact, End, MessageState, Purpose
from app.domain.verdict import Ends, Hold, Pass, Skip, Verdict

# how long before closing a message may still be handed over (RULES F9)
CLOSING_GUARD = {Channel.SMS: timedelta(minutes=5), Channel.CALL: timedelta(minutes=15), Channel.EMAIL: timedelta(0)}


def not_suppressed(seen: Snapshot) -> Verdict:
    """The address is not on the do-not-contact list for this channel (I10).

    Where somebody else with the same address closed it, the follow-up goes past the step as long as it has another way
    to say something; what they closed themselves ends it.
    """
    channel = channel_of(seen)
    if channel not in seen.suppressed:
        return Pass("no entry for this address")
    if skips_bad_address(seen):
        return Skip(Why.ADDRESS_SKIPPED, {"channel": channel.value}, saw="entry found, step may be skipped")
    if channel in seen.shared_closed and _has_another_way(seen):
        return Skip(Why.SHARED_ADDRESS, {"channel": channel.value}, saw="entry of somebody else with it")
    return Ends(End.SUPPRESSED, Why.ON_DO_NOT_CONTACT_LIST, saw="entry found")


def _has_another_way(seen: Snapshot) -> bool:
    if seen.enrollment is None or seen.journey is None:
        return False
    return other_way_left(seen.journey.journey, seen.enrollment.step, seen.suppressed)


def consent_given(seen: Snapshot) -> Verdict:
    """Marketing texts and automated calls have a consent row; care needs only the address itself (RULES C)."""
    channel = channel_of(seen)
    purpose = seen.journey.journey.purpose if seen.journey else Purpose.CARE
    if purpose is Purpose.CARE or channel is Channel.EMAIL:
        return Pass(f"not needed for {purpose.value} by {channel.value}")
    if made_by_staff(seen):
        return Pass("not needed for a call that somebody makes themselves")
    if not seen.person.address(channel):
        return Pass("there is no address to agree for")  # the next guard ends or skips it for that
    for consent in seen.consents:
        if consent.channel is channel and consent.purpose is Purpose.MARKETING:
            return Pass(f"given {consent.given_at.date().isoformat()}")
    return Hold(None, Why.NO_CONSENT, {"channel": channel.value}, saw="none recorded")


def address_usable(seen: Snapshot) -> Verdict:
    """The person has an address for this channel."""
    channel = channel_of(seen)
    if seen.person.address(channel):
        return Pass("there is one")
    if skips_bad_address(seen):
        return Skip(Why.ADDRESS_SKIPPED, {"channel": channel.value}, saw="none, step may be skipped")
    return Ends(End.SUPPRESSED, Why.NO_ADDRESS, {"channel": channel.value}, saw="none")


def not_said_already(seen: Snapshot) -> Verdict:
    """This step's message does not exist yet in this pass, but for the one in hand (I4)."""
    if seen.enrollment is None:
        return Pass("written by hand")
    same = [s for step, no, s in seen.said if step == seen.enrollment.step and no == seen.enrollment.pass_no]
    mine = 1 if seen.message is not None else 0
    if len(same) > mine:
        final = all(state in FINAL_MESSAGE_STATES or state is MessageState.ACCEPTED for state in same)
        if final:
            return Skip(Why.ALREADY_SENT, saw="said before")
        return Hold(None, Why.MESSAGE_IN_HAND, saw="another copy on its way")
    return Pass("not said before")


def budget_left(seen: Snapshot) -> Verdict:
    """The journey's proven most is not spent (I5)."""
    if seen.enrollment is None:
        return Pass("written by hand")
    used = len(seen.said) - (1 if seen.message is not None else 0)
    if used >= seen.enrollment.send_budget:
        return Ends(End.CLOSED, Why.BUDGET_SPENT, saw=f"{used} of {seen.enrollment.send_budget}")
    return Pass(f"{used + 1} of at most {seen.enrollment.send_budget}")


def still_useful(seen: Snapshot) -> Verdict:
    """The message is not older than its step's `useless_after`."""
    until = seen.message.useful_until if seen.message else useful_until(seen)
    if until is None:
        return Pass("no limit")
    if seen.now > until:
        return Skip(Why.NO_LONGER_USEFUL, saw=f"useful until {until.isoformat()}")
    return Pass("in time")


def nobody_handling(seen: Snapshot) -> Verdict:
    """No reply of this person waits for staff."""
    if seen.person.contact is Contact.WITH_STAFF:
        return Hold(None, Why.WITH_STAFF, saw="open reply")
    return Pass("no open reply")


def not_too_often(seen: Snapshot) -> Verdict:
    """Fewer messages than the caps of the practice, a day and seven days, and of the law, by phone (RULES A5)."""
    hours = seen.location.hours
    today = hours.local(seen.now).date()
    sent_today = [at for at in seen.sent_at if hours.local(at).date() == today]
    if len(sent_today) >= seen.practice.per_day:
        tomorrow = next_local_midnight(seen)
        return Hold(tomorrow, Why.DAY_CAP, {"count": _messages(len(sent_today))}, saw=f"{len(sent_today)} today")
    week_ago = seen.now - timedelta(days=7)
    sent_in_week = sorted(at for at in seen.sent_at if at > week_ago)
    if len(sent_in_week) >= seen.practice.per_week:
        lifts = sent_in_week[len(sent_in_week) - seen.practice.per_week] + timedelta(days=7)
        return Hold(lifts, Why.WEEK_CAP, {"count": _messages(len(sent_in_week))}, saw=f"{len(sent_in_week)} in 7 days")
    too_many_by_phone = phone_cap(seen)
    if too_many_by_phone is not None:
        return too_many_by_phone
    return Pass(f"{len(sent_today)} today, at most {seen.practice.per_day}")


def clinic_hours(seen: Snapshot) -> Verdict:
    """The location is open, and stays open long enough (RULES F4, F9). Closed at the closing instant."""
    step = contact_step(seen)
    if step is not None and step.hours is SendHours.ANY:
        return Pass("any hours")
    guard = CLOSING_GUARD[channel_of(seen)]
    hours = seen.location.hours
    if hours.send_ok(seen.now, guard):
        return Pass("open")
    opens = hours.next_send(seen.now, guard)
    if opens is None:
        return Hold(None, Why.NEVER_OPEN, {"location": seen.location.name}, saw="no opening in a year")
    today = hours.local(seen.now).date()
    if hours.closure_on(today) is None:
        return Hold(opens, Why.CLINIC_CLOSED, saw="closed")
    return Hold(opens, Why.CLINIC_CLOSED, {"closure": f"{today}"}, saw=f"closed on {today}")


def channel_working(seen: Snapshot) -> Verdict:
    """The channel's provider is not paused by its breaker (I12), which a test of the provider alone closes.

    A call that the front desk makes needs none.
    """
    if made_by_staff(seen):
        return Pass("staff make it themselves")
    channel = channel_of(seen)
    state = seen.channels.get(channel)
    if state is not None and state.paused_why is not None:
        facts = {"channel": channel.value, "because": state.paused_why.value}
        return Hold(state.try_at, Why.CHANNEL_PAUSED, facts, saw=f"paused: {state.paused_why.value}")
    return Pass("working")


def _messages(count: int) -> str:
    return "1 message" if count == 1 else f"{count} messages"
