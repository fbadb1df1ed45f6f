"""The nineteen guards of DESIGN section 6, in order. Each is a pure function from a snapshot to a verdict.

Asked by the tick before a message is queued, and again on live rows in the transaction that marks it `sending` (I6).
To add one: a function, its place in GUARDS, a Why with its sentence, a test.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, time, timedelta

from app.domain.condition import holds
from app.domain.journey import CONTACT_STEPS, ContactStep, OnBadAddress, SendHours
from app.domain.reasons import Why
from app.domain.snapshot import Snapshot
from app.domain.states import (
    FINAL_MESSAGE_STATES,
    LIVE,
    Channel,
    Contact,
    End,
    EnrollmentState,
    JourneyState,
    MessageState,
    Purpose,
)
from app.domain.verdict import Answered, Ends, Hold, Pass, Skip, Trace, Verdict

Guard = Callable[[Snapshot], Verdict]

CLOCK_JUMP = timedelta(days=31)  # DESIGN section 6: further than this the engine pauses
CLOCK_SLACK = timedelta(minutes=2)  # NTP corrections step a clock back by seconds
EXPIRY_GRACE = timedelta(days=90)  # DESIGN section 7, backstop

# how long before closing a message may still be handed over (RULES F9)
CLOSING_GUARD = {Channel.SMS: timedelta(minutes=5), Channel.CALL: timedelta(minutes=15), Channel.EMAIL: timedelta(0)}


def ask(seen: Snapshot, guards: Sequence[tuple[str, Guard]]) -> Trace:
    """Ask `guards` in order until one does not pass. The trace holds every answer, that one included."""
    lines: list[Answered] = []
    for name, guard in guards:
        verdict = guard(seen)
        lines.append(Answered(name, _word(verdict), verdict.saw))
        if not isinstance(verdict, Pass):
            return Trace(tuple(lines), verdict)
    return Trace(tuple(lines), Pass())


def _word(verdict: Verdict) -> str:
    match verdict:
        case Pass():
            return "pass"
        case Hold(why=why):
            return f"hold: {why.value}"
        case Ends(end=end, why=why):
            return f"end {end.value}: {why.value}"
        case Skip(why=why):
            return f"skip: {why.value}"


def clock_verdict(last: datetime | None, now: datetime) -> Pass | Hold:
    """Whether `now` is believable after `last`, the latest instant that any tick has seen (None: no tick yet)."""
    if last is None:
        return Pass("first look")
    if now < last - CLOCK_SLACK:
        return Hold(None, Why.CLOCK_MOVED, saw="went back")
    if now > last + CLOCK_JUMP:
        return Hold(None, Why.CLOCK_MOVED, saw="went forward by more than 31 days")
    return Pass("in step with the last check")


def clock_sane(seen: Snapshot) -> Verdict:
    """The clock has not gone back, nor forward by more than 31 days, since any tick last looked."""
    return clock_verdict(seen.engine.clock_seen_at, seen.now)


def engine_running(seen: Snapshot) -> Verdict:
    """Nobody has paused all sending."""
    if seen.engine.paused_why is not None:
        return Hold(None, seen.engine.paused_why, {"by": seen.engine.paused_by}, saw="paused")
    return Pass("running")


def journey_live(seen: Snapshot) -> Verdict:
    """The journey is live, or retired with those inside finishing; a follow-up past its backstop ends."""
    if seen.journey is None or seen.enrollment is None:
        return Pass("written by hand")
    if seen.journey.state is JourneyState.DRAFT:
        return Hold(None, Why.TROUBLE, saw="draft")
    oldest = seen.enrollment.entered_at + timedelta(days=seen.journey.max_days) + EXPIRY_GRACE
    if seen.now > oldest:
        return Ends(End.CLOSED, Why.EXPIRED, saw=f"entered {seen.enrollment.entered_at.date().isoformat()}")
    return Pass(f"{seen.journey.state.value}, version {seen.journey.number}")


def enrollment_active(seen: Snapshot) -> Verdict:
    """The follow-up is running."""
    if seen.enrollment is None:
        return Pass("written by hand")
    if seen.enrollment.state is EnrollmentState.PAUSED:
        return Hold(seen.enrollment.paused_until, Why.PAUSED_BY_STAFF, saw="paused")
    if seen.enrollment.state not in LIVE:
        return Skip(Why.FOLLOW_UP_ENDED, saw=seen.enrollment.state.value)
    return Pass(f"{seen.enrollment.state.value}, step {seen.enrollment.step}")


def person_contactable(seen: Snapshot) -> Verdict:
    """The person may be contacted at all."""
    if seen.person.contact is Contact.DO_NOT_CONTACT:
        return Ends(End.OPTED_OUT, Why.DO_NOT_CONTACT, saw="do not contact")
    return Pass(seen.person.contact.value)


def not_suppressed(seen: Snapshot) -> Verdict:
    """The address is not on the do-not-contact list for this channel (I10)."""
    channel = _channel(seen)
    if channel not in seen.suppressed:
        return Pass("no entry for this address")
    if _skips_bad_address(seen):
        return Skip(Why.ADDRESS_SKIPPED, {"channel": channel.value}, saw="entry found, step may be skipped")
    return Ends(End.SUPPRESSED, Why.ON_DO_NOT_CONTACT_LIST, saw="entry found")


def no_stop_waiting(seen: Snapshot) -> Verdict:
    """No stop has been stored that is not applied yet."""
    if seen.unread_stops:
        return Hold(None, Why.FOLLOW_UP_ENDED, saw=f"{seen.unread_stops} not applied")
    return Pass("none waiting")


def goal_not_reached(seen: Snapshot) -> Verdict:
    """The journey's converted condition does not hold yet."""
    goal = seen.journey.journey.ends.converted if seen.journey else None
    if goal is not None and holds(goal, seen.facts, seen.now):
        return Ends(End.CONVERTED, Why.GOAL, saw="goal reached")
    return Pass("not reached" if goal is not None else "no goal")


def still_true(seen: Snapshot) -> Verdict:
    """The journey's closed condition does not hold."""
    closed = seen.journey.journey.ends.closed if seen.journey else None
    if closed is not None and holds(closed, seen.facts, seen.now):
        return Ends(End.CLOSED, Why.NO_LONGER_TRUE, saw="closed")
    return Pass("still true" if closed is not None else "no condition")


def consent_given(seen: Snapshot) -> Verdict:
    """Marketing texts and automated calls have a consent row; care needs only the address itself (RULES C)."""
    channel = _channel(seen)
    purpose = seen.journey.journey.purpose if seen.journey else Purpose.CARE
    if purpose is Purpose.CARE or channel is Channel.EMAIL:
        return Pass(f"not needed for {purpose.value} by {channel.value}")
    if not seen.person.address(channel):
        return Pass("there is no address to agree for")  # the next guard ends or skips it for that
    for consent in seen.consents:
        if consent.channel is channel and consent.purpose is Purpose.MARKETING:
            return Pass(f"given {consent.given_at.date().isoformat()}")
    return Hold(None, Why.NO_CONSENT, {"channel": channel.value}, saw="none recorded")


def address_usable(seen: Snapshot) -> Verdict:
    """The person has an address for this channel."""
    channel = _channel(seen)
    if seen.person.address(channel):
        return Pass("there is one")
    if _skips_bad_address(seen):
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
    """Fewer messages than the caps of the practice, a local day and seven days (RULES A5)."""
    hours = seen.location.hours
    today = hours.local(seen.now).date()
    sent_today = [at for at in seen.sent_at if hours.local(at).date() == today]
    if len(sent_today) >= seen.practice.per_day:
        tomorrow = _next_local_midnight(seen)
        return Hold(tomorrow, Why.DAY_CAP, {"count": _messages(len(sent_today))}, saw=f"{len(sent_today)} today")
    week_ago = seen.now - timedelta(days=7)
    sent_in_week = sorted(at for at in seen.sent_at if at > week_ago)
    if len(sent_in_week) >= seen.practice.per_week:
        lifts = sent_in_week[len(sent_in_week) - seen.practice.per_week] + timedelta(days=7)
        return Hold(lifts, Why.WEEK_CAP, {"count": _messages(len(sent_in_week))}, saw=f"{len(sent_in_week)} in 7 days")
    return Pass(f"{len(sent_today)} today, at most {seen.practice.per_day}")


def clinic_hours(seen: Snapshot) -> Verdict:
    """The location is open, and stays open long enough (RULES F4, F9). Closed at the closing instant."""
    step = _contact_step(seen)
    if step is not None and step.hours is SendHours.ANY:
        return Pass("any hours")
    guard = CLOSING_GUARD[_channel(seen)]
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


def legal_hours(seen: Snapshot) -> Verdict:
    """The outer limit of texts and calls: 8:00 to 21:00 on the location's clock (47 CFR 64.1200(c)(1); RULES A1)."""
    if _channel(seen) is Channel.EMAIL:
        return Pass("none for email")
    local = seen.location.hours.local(seen.now)
    if 8 <= local.hour < 21:
        return Pass("8:00 to 21:00")
    return Hold(_next_local_hour(seen, 8), Why.QUIET_HOURS, saw=f"{local:%H:%M} there")


def channel_working(seen: Snapshot) -> Verdict:
    """The channel's provider is not paused by its breaker (I12)."""
    channel = _channel(seen)
    state = seen.channels.get(channel)
    if state is not None and state.paused_why is not None:
        if state.try_at is not None and seen.now >= state.try_at:
            return Pass("paused, and due to be tried again")
        facts = {"channel": channel.value, "because": state.paused_why.value}
        return Hold(state.try_at, Why.CHANNEL_PAUSED, facts, saw=f"paused: {state.paused_why.value}")
    return Pass("working")


LIFE_GUARDS: tuple[tuple[str, Guard], ...] = (
    ("clock_sane", clock_sane),
    ("engine_running", engine_running),
    ("journey_live", journey_live),
    ("enrollment_active", enrollment_active),
    ("person_contactable", person_contactable),
)

TRUTH_GUARDS: tuple[tuple[str, Guard], ...] = (
    ("no_stop_waiting", no_stop_waiting),
    ("goal_not_reached", goal_not_reached),
    ("still_true", still_true),
)

MESSAGE_GUARDS: tuple[tuple[str, Guard], ...] = (
    ("consent_given", consent_given),
    ("address_usable", address_usable),
    ("not_said_already", not_said_already),
    ("budget_left", budget_left),
    ("still_useful", still_useful),
    ("nobody_handling", nobody_handling),
    ("not_too_often", not_too_often),
    ("clinic_hours", clinic_hours),
    ("legal_hours", legal_hours),
    ("channel_working", channel_working),
)

# asked whenever an enrollment wakes, whatever its step
WAKE_GUARDS = LIFE_GUARDS + TRUTH_GUARDS
# asked for a message, in this order (DESIGN section 6)
GUARDS = (*LIFE_GUARDS, ("not_suppressed", not_suppressed), *TRUTH_GUARDS, *MESSAGE_GUARDS)


def _contact_step(seen: Snapshot) -> ContactStep | None:
    if seen.enrollment is None or seen.journey is None:
        return None
    step = seen.journey.journey.steps.get(seen.enrollment.step)
    return step if isinstance(step, CONTACT_STEPS) else None


def _channel(seen: Snapshot) -> Channel:
    if seen.message is not None:
        return seen.message.channel
    step = _contact_step(seen)
    if step is None:
        raise ValueError("a message guard needs a message or a step that makes one")
    return step.channel


def _skips_bad_address(seen: Snapshot) -> bool:
    step = _contact_step(seen)
    return step is not None and step.on_bad_address is OnBadAddress.SKIP


def useful_until(seen: Snapshot) -> datetime | None:
    """The last instant at which the message of the step in hand is of use; None: no limit."""
    step = _contact_step(seen)
    if step is None or step.useless_after is None or seen.enrollment is None:
        return None
    return seen.enrollment.step_entered_at + step.useless_after


def _next_local_midnight(seen: Snapshot) -> datetime:
    local = seen.location.hours.local(seen.now)
    tomorrow = local.date() + timedelta(days=1)
    return datetime.combine(tomorrow, time(0), tzinfo=local.tzinfo).astimezone(UTC)


def _next_local_hour(seen: Snapshot, hour: int) -> datetime:
    local = seen.location.hours.local(seen.now)
    day = local.date() if local.hour < hour else local.date() + timedelta(days=1)
    return datetime.combine(day, time(hour), tzinfo=local.tzinfo).astimezone(UTC)


def _messages(count: int) -> str:
    return "1 message" if count == 1 else f"{count} messages"
