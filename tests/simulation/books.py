"""The books of one play: every invariant that can be seen from outside, asked of the database and the provider's list.

They are asked after every event, and once more right before each call. What is wrong is raised as a Breach.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa

from app.domain.events import InboxEvent
from app.domain.hours import Hours
from app.domain.ids import EnrollmentId
from app.domain.reasons import Why
from app.domain.states import MAX_ATTEMPTS
from app.engine.ports import AttemptNote
from app.store import tables as t
from app.store.seals import check_seals, seal_log
from app.store.unit_of_work import Store
from tests.simulation.asked import Asked, Versions
from tests.simulation.late import Late
from tests.simulation.provider import MoodyProvider

LIVE = ("active", "paused")
WAITING = ("queued", "leased")
MAY_LAST = frozenset({Why.NO_CONSENT, Why.DAY_CAP, Why.WEEK_CAP})
GONE = ("accepted", "delivered", "undelivered")
COUNTED = ("open", "accepted", "transient", "permanent", "not_found", "unknown")

_ENROLLMENTS = sa.select(
    *(t.enrollment.c[name] for name in ("id", "person_id", "journey_id", "entry_key", "state", "step", "pass_no")),
    *(t.enrollment.c[name] for name in ("waits_for", "wake_at", "hold_why", "ended_at", "end_detail", "send_budget")),
    *(t.enrollment.c[name] for name in ("ended_by_guard", "ended_by_event_id")),
    *(t.enrollment.c[name] for name in ("journey_version_id", "hold_until", "paused_until")),
).order_by(t.enrollment.c.id)
_MESSAGES = sa.select(
    *(t.message.c[name] for name in ("id", "enrollment_id", "step", "pass_no", "state", "attempts", "channel")),
    *(t.message.c[name] for name in ("accepted_at", "possible_duplicate", "hold_why", "try_at", "reason")),
    *(t.message.c.stop_requested_at, t.message.c.noted_at),
).order_by(t.message.c.id)
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
_CAME_IN = sa.select(t.inbox_event.c.key, t.inbox_event.c.applied_at, t.inbox_event.c.state)
_ERASED_AFTER_ALL = (
    sa.select(t.person.c.id)
    .join(t.message, t.message.c.person_id == t.person.c.id)
    .where(t.person.c.erased_at.is_not(None), t.message.c.noted_at.is_not(None))
    .limit(1)
)
_ATTEMPTS = sa.select(
    *(t.attempt.c[name] for name in ("id", "message_id", "key", "answer", "noted_at")),
).order_by(t.attempt.c.id)
_GIVEN_BACK = sa.select(t.log_entry.c.attempt_id).where(t.log_entry.c.event == "attempt.given_back")


class Breach(AssertionError):
    """An invariant does not hold."""


@dataclass(slots=True)
class Books:
    """What must be so. paused: whom staff paused, and until when; open_at: says when the location's hours change."""

    store: Store
    provider: MoodyProvider
    drawn: Versions = field(init=False)
    asked: Asked = field(init=False)
    late: Late = field(init=False)
    paused: dict[EnrollmentId, datetime | None] = field(default_factory=dict)
    _ended: dict[int, tuple[object, ...]] = field(default_factory=dict)
    _waits: dict[int, tuple[str, datetime]] = field(default_factory=dict)
    _on: dict[int, Mapping[str, Any]] = field(default_factory=dict)
    _shortest: dict[int, timedelta] = field(default_factory=dict)
    _attempts_of_ended: dict[int, int] = field(default_factory=dict)
    _events: set[str] = field(default_factory=set)
    _logged: int = 0
    _latest: datetime = _LONG_AGO

    def __post_init__(self) -> None:
        self.drawn = Versions(self.store)
        self.asked = Asked(self.store)
        self.late = Late(self.store, self.asked, self.drawn)

    def open_at(self, hours: Hours) -> None:
        """From now on the location opens at these."""
        self.asked.open_at(hours)

    def heard(self, event: InboxEvent) -> None:
        """This was taken in: it must never be lost, and an opt-out counts for the address, whoever has it."""
        self._events.add(event.key)
        self.asked.heard(event)

    def check(self, now: datetime) -> None:
        """Everything that must hold after every event."""
        self._latest = max(self._latest, now)
        enrollments, messages, attempts = self._read()
        given_back = self._given_back()
        attempts = [{**row, "counts": row["id"] not in given_back} for row in attempts]
        by_id = {row["id"]: row for row in enrollments}
        of_message: defaultdict[int, list[Mapping[str, Any]]] = defaultdict(list)
        for attempt in attempts:
            of_message[attempt["message_id"]].append(attempt)
        self._follow_ups(enrollments, messages)
        self.late.look(enrollments, messages)
        self._stay_silent(enrollments, messages, of_message)
        self._moved(enrollments, messages, now)
        self._kept()
        for message in messages:
            self._message(message, by_id[message["enrollment_id"]], of_message[message["id"]])
        self._provider(messages, attempts)

    def at_rest(self) -> None:
        """What must hold besides when every worker is done and nothing is due (I13)."""
        _, messages, attempts = self._read()
        hanging = [row["id"] for row in messages if row["state"] in ("leased", "sending")]
        _must("I13", not hanging, f"messages {hanging} were left on their way")
        _must("I13", all(row["answer"] != "open" for row in attempts), "an attempt has no answer")
        taken = self.provider.times_taken()
        for row in messages:
            gone = row["state"] in GONE
            can_not_know = row["possible_duplicate"] or row["reason"] in ("no_answer", "already_sent")
            told = f"message {row['id']} is {row['state']}, and the provider has it {taken[row['id']]} times"
            _must("I13", gone == bool(taken[row["id"]]) or can_not_know, told)

    def whole(self, now: datetime) -> None:
        """The log is what it was when it was sealed, and its lines are all there (I15)."""
        seal_log(self.store.session, now)
        found = check_seals(self.store.session)
        _must("I15", found.whole and not found.unsealed, f"the log's seals do not hold: {found}")
        ended = sa.select(t.log_entry.c.enrollment_id).where(t.log_entry.c.event == "follow_up.ended")
        with self.store.session.read() as connection:
            told = set(connection.execute(ended).scalars())
        untold = self._ended.keys() - told
        _must("I15", not untold, f"follow-ups {sorted(untold)} ended without a line in the log")

    def nobody_forgotten(self) -> None:
        """After days without trouble whoever is still in a journey waits for what only staff can mend (I13)."""
        enrollments, messages, _ = self._read()
        held = {row["enrollment_id"]: row["hold_why"] for row in messages if row["state"] == "queued"}
        live = [row for row in enrollments if row["state"] in LIVE]
        others = Counter(row["person_id"] for row in live if row["journey_id"] in self.asked.marketing)
        for row in live:
            why = held.get(row["id"], row["hold_why"])
            turn = why == Why.ONE_AT_A_TIME and others[row["person_id"]] > 1
            told = f"follow-up {row['id']} stands at {row['step']}, held for {why}"
            _must("I13", turn or why in MAY_LAST, told)

    def call(self, note: AttemptNote, now: datetime) -> None:
        """What must hold at the moment of a call, on live rows (I6, I7, I10)."""
        with self.store.session.read() as connection:
            message = connection.execute(sa.select(t.message).where(t.message.c.id == note.message_id)).mappings().one()
            asked = sa.select(t.attempt).where(t.attempt.c.id == note.attempt_id)
            attempt = connection.execute(asked).mappings().one_or_none()
            closed = connection.execute(
                sa.select(t.suppression.c.id).where(
                    t.suppression.c.channel == note.channel.value,
                    t.suppression.c.address_key == note.to,
                    t.suppression.c.lifted_at.is_(None),
                )
            ).all()
        if attempt is None:
            raise Breach("I7: called before its note was written down")
        noted = (message["state"], attempt["answer"], attempt["key"]) == ("sending", "open", note.key)
        _must("I7", noted, f"called without its note: {message['state']}, {attempt['answer']}")
        _must("I6", message["stop_requested_at"] is None, "called although a stop came before")
        _must("I10", not closed, "called although the address is suppressed")
        wrong = self.asked.wrong(note, dict(message)) or self.late.told(note)
        _must("I6", not wrong, wrong)
        _must("I13", now - attempt["noted_at"] <= timedelta(seconds=15), "called on a note that had grown old")

    # one by one

    def _follow_ups(self, enrollments: Sequence[Mapping[str, Any]], messages: Sequence[Mapping[str, Any]]) -> None:
        live = Counter((row["person_id"], row["journey_id"]) for row in enrollments if row["state"] in LIVE)
        _must("I1", all(count == 1 for count in live.values()), "somebody is in a journey twice")
        entries = Counter((row["person_id"], row["journey_id"], row["entry_key"]) for row in enrollments)
        _must("I2", all(count == 1 for count in entries.values()), "somebody entered twice for the same reason")
        said = Counter(message["enrollment_id"] for message in messages)
        on_their_way = {
            (row["enrollment_id"], row["step"], row["pass_no"])
            for row in messages
            if row["state"] in (*WAITING, "sending")
        }
        for row in enrollments:
            _must("I5", said[row["id"]] <= row["send_budget"], f"follow-up {row['id']} said more than was proven")
            self._shortest[row["id"]] = min(
                self._shortest.get(row["id"], timedelta(days=99)), self.drawn.pause(row["journey_version_id"])
            )
            if row["state"] not in LIVE:
                self._stays_ended(row)
                continue
            waits = (row["id"], row["step"], row["pass_no"]) in on_their_way
            wakes = row["state"] == "paused" or row["wake_at"] is not None or waits
            _must("I13", wakes, f"nothing would ever wake follow-up {row['id']}")
            self._waits_to_the_end(row)
            if self._is_paused(row["id"]):
                _must("I9", row["state"] == "paused", f"follow-up {row['id']} was paused by staff and runs")
        self._waited(messages)

    def _stays_ended(self, row: Mapping[str, Any]) -> None:
        why = (row["ended_by_guard"] is not None) != (row["ended_by_event_id"] is not None)
        _must("I15", why and bool(row["end_detail"]), f"follow-up {row['id']} ended without a reason")
        ended = (row["state"], row["step"], row["ended_at"], row["end_detail"])
        _must("I3", self._ended.setdefault(row["id"], ended) == ended, f"follow-up {row['id']} came back")

    def _waits_to_the_end(self, row: Mapping[str, Any]) -> None:
        step, until = self._waits.get(row["id"], (row["step"], self._latest))
        _must(
            "step", row["step"] == step or until <= self._latest, f"follow-up {row['id']} left its wait at {step} early"
        )
        if row["waits_for"] != "time":
            self._waits.pop(row["id"], None)
        elif row["hold_why"] is None:
            self._waits[row["id"]] = (row["step"], row["wake_at"])

    def _is_paused(self, enrollment_id: EnrollmentId) -> bool:
        """Whether staff paused it and neither resumed it nor lived to see the date, by a clock that may go back."""
        until = self.paused.get(enrollment_id, self._latest)
        return until is None or until > self._latest

    def _waited(self, messages: Sequence[Mapping[str, Any]]) -> None:
        """The text of a New lead comes two days after its email, whatever happened in between."""
        at = {(row["enrollment_id"], row["step"]): row["accepted_at"] for row in messages if row["accepted_at"]}
        for (enrollment_id, step), then in at.items():
            first = at.get((enrollment_id, "hello"))
            if step == "nudge" and first is not None:
                waited, shortest = then - first, self._shortest[enrollment_id]
                short = shortest > timedelta(0) and waited < shortest - timedelta(hours=2)
                _must("step", not short, f"a wait of {shortest} lasted {waited}")

    def _stay_silent(
        self,
        enrollments: Sequence[Mapping[str, Any]],
        messages: Sequence[Mapping[str, Any]],
        of_message: Mapping[int, Sequence[Mapping[str, Any]]],
    ) -> None:
        """After a stop nothing more is noted, so nothing is accepted but what was on its way before (I8)."""
        noted: Counter[int] = Counter()
        for message in messages:
            noted[message["enrollment_id"]] += len(of_message[message["id"]])
        for row in enrollments:
            if row["state"] not in LIVE:
                then = self._attempts_of_ended.setdefault(row["id"], noted[row["id"]])
                _must("I8", noted[row["id"]] == then, f"follow-up {row['id']} has ended and was tried again")

    def _moved(
        self, enrollments: Sequence[Mapping[str, Any]], messages: Sequence[Mapping[str, Any]], now: datetime
    ) -> None:
        """On another version: the budget is what was said and the worst case from there; other waits stay (I5)."""
        said = Counter(message["enrollment_id"] for message in messages)
        here = {(message["enrollment_id"], message["step"], message["pass_no"]) for message in messages}
        for row in enrollments:
            version, before = row["journey_version_id"], self._on.get(row["id"])
            self._on[row["id"]] = row
            if before is None or before["journey_version_id"] == version:
                continue
            if before["step"] != row["step"]:
                continue  # it has walked on since; what was so at the move can't be seen any more
            again = (row["id"], row["step"], row["pass_no"]) in here
            most = said[row["id"]] + self.drawn.rest(version, row["step"]) - again
            _must("I5", row["send_budget"] == most, f"follow-up {row['id']} moved with a wrong send budget")
            waits = {before["waits_for"], row["waits_for"]} == {"time"} and before["hold_why"] == row["hold_why"]
            if waits:
                retimed = self.drawn.retimed(before["journey_version_id"], version, row["step"])
                told = f"follow-up {row['id']} moved, and its wait was{' not' * retimed} counted again"
                over = row["wake_at"] <= now  # and was over at an earlier move in the same instant
                _must("step", retimed == (before["wake_at"] != row["wake_at"]) or (retimed and over), told)

    def _kept(self) -> None:
        """The log only grows, and whatever came in is there (I15, I17)."""
        with self.store.session.read() as connection:
            lines = connection.scalar(sa.select(sa.func.count()).select_from(t.log_entry)) or 0
            erased = connection.scalar(_ERASED_AFTER_ALL)
            events = {row.key: row for row in connection.execute(_CAME_IN)}
        _must("I15", lines >= self._logged, "the log has lost lines")
        self._logged = lines
        _must("I15", not erased, f"{erased} was written to, and is gone without a trace")
        lost = self._events - events.keys()
        _must("I17", not lost, f"{lost} came in and is nowhere")
        open_ones = [key for key in self._events if events[key].applied_at is None and events[key].state != "unmatched"]
        _must("I17", not open_ones, f"{open_ones} came in and had no effect, and is on no list")

    def _message(
        self, row: Mapping[str, Any], enrollment: Mapping[str, Any], attempts: Sequence[Mapping[str, Any]]
    ) -> None:
        named = f"message {row['id']} ({row['step']}, {row['state']})"
        if row["state"] in WAITING:
            _must("I8", enrollment["state"] in LIVE, f"{named} waits in a follow-up that is {enrollment['state']}")
        if row["state"] in (*WAITING, "sending") and enrollment["state"] in LIVE:
            _must("I11", enrollment["step"] == row["step"], f"{named} is tried while its follow-up is further on")
        unanswered = sum(attempt["answer"] == "open" for attempt in attempts)
        _must("I7", unanswered == (row["state"] == "sending"), f"{named} has {unanswered} open attempts")
        counted = sum(attempt["answer"] in COUNTED and attempt["counts"] for attempt in attempts)
        _must("I12", row["attempts"] == counted, f"{named} counts {row['attempts']} attempts and had {counted}")
        _must("I11", counted <= MAX_ATTEMPTS, f"{named} was tried {counted} times")

    def _provider(self, messages: Sequence[Mapping[str, Any]], attempts: Sequence[Mapping[str, Any]]) -> None:
        keys = {attempt["key"] for attempt in attempts}
        # a row of failures is the provider's fault as a whole, and was put back as an outage or given back (I12)
        excused = {row["key"] for row in attempts if row["answer"] == "outage" or not row["counts"]}
        taken = self.provider.times_taken()
        for row in messages:
            most = 2 if row["possible_duplicate"] else 1
            _must("I13", taken[row["id"]] <= most, f"message {row['id']} was taken {taken[row['id']]} times")
            if row["state"] in GONE:
                _must("I13", taken[row["id"]] > 0, f"message {row['id']} is accepted, and the provider never had it")
        _must("I7", self.provider.taken.keys() <= keys, "the provider has an attempt that was never noted")
        tried = Counter(call.message_id for call in self.provider.calls if call.counted and call.key not in excused)
        _must("I11", all(count <= MAX_ATTEMPTS for count in tried.values()), f"called too often: {tried}")
        by_key = Counter(call.key for call in self.provider.calls)
        _must("I7", all(count == 1 for count in by_key.values()), "one attempt was handed over twice")

    def _given_back(self) -> frozenset[int]:
        """The tries that count no more, as the log says (I12)."""
        with self.store.session.read() as connection:
            return frozenset(connection.execute(_GIVEN_BACK).scalars())

    def _read(self) -> tuple[Sequence[Mapping[str, Any]], ...]:
        with self.store.session.read() as connection:
            return tuple(
                [dict(row) for row in connection.execute(asked).mappings()]
                for asked in (_ENROLLMENTS, _MESSAGES, _ATTEMPTS)
            )


def _must(invariant: str, holds: bool, told: str) -> None:
    if not holds:
        raise Breach(f"{invariant}: {told}")
