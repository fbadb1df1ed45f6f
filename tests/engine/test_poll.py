"""Reading what came in: before anything goes out, each item once, and one that is broken holds up no other."""

from __future__ import annotations

from datetime import timedelta

import pytest

from app.domain.answer import Outage
from app.domain.inbound import TextIn
from app.domain.reasons import Why
from app.domain.states import Channel
from app.engine import take_in as module
from app.engine.checkpoints import at
from app.engine.inbound_ports import Source
from app.engine.poll import PollCount, PollInbound
from app.engine.take_in_mail import take_mail
from app.engine.take_in_text import take_text
from app.store import tables as t
from tests.outside import FakeSource, letter, mail, message_id_of, polling, raw_of, sent, text, text_first, with_sources
from tests.stage import Stage

ANA = "+12025550143"
DOWN = Outage(Why.OFFLINE, "no route")
MINUTE = timedelta(minutes=1)


def numbers(how_many: int) -> list[str]:
    return [f"+1503{5550000 + number:07d}" for number in range(how_many)]


def problems(stage: Stage) -> list[str]:
    return [row["why"] for row in stage.world.rows(t.problem) if row["solved_at"] is None]


def events(stage: Stage) -> list[str]:
    return [row["kind"] for row in stage.world.rows(t.inbox_event)]


def test_more_than_a_page_is_read_whole_before_anything_goes_out(stage: Stage) -> None:
    """Case 45: 130 texts, pages of 50; the oldest is a STOP and lies on the last page."""
    ana, follow_up = stage.lead(text_first(stage), phone=ANA)
    source = FakeSource(page=50)
    now = stage.clock.now()
    source.bring(*(text(number, "hello", now) for number in numbers(129)), text(ANA, "STOP", now - timedelta(days=1)))
    report = with_sources(stage, source).run()

    assert (report.came_in, len(events(stage)), len(source.read_at)) == (130, 130, 3)
    assert (stage.state(follow_up), stage.provider.taken) == ("opted_out", [])
    assert stage.world.row(t.person, ana)["contact"] == "open"

    stage.clock.go_on(MINUTE)
    assert (stage.run().came_in, len(events(stage))) == (0, 130)


def test_an_answer_that_came_before_the_step_is_read_before_it(stage: Stage) -> None:
    """Case 33: due at ten, answered at two minutes to, last read at five to."""
    _, follow_up = stage.lead(email="ana@example.com")
    mailbox = FakeSource("imap")
    with_sources(stage, mailbox).run()
    first = sent(stage, follow_up)
    due = stage.world.row(t.enrollment, follow_up)["wake_at"]
    stage.clock.set(due - timedelta(minutes=5))
    stage.run()
    headers = f"In-Reply-To: {message_id_of(stage, first)}\n"
    mailbox.bring(mail(letter("ana@example.com", "Yes, gladly", headers=headers), due - timedelta(minutes=2)))
    stage.clock.set(due)
    report = stage.run()

    assert (report.accepted, stage.state(follow_up)) == (0, "replied")
    stage.run_for(timedelta(days=5))
    assert [taken.channel for taken in stage.provider.taken] == [Channel.EMAIL]
    (event,) = stage.world.rows(t.inbox_event)
    assert (event["happened_at"], event["received_at"]) == (due - timedelta(minutes=2), due)


def test_i17_one_broken_mail_keeps_no_other_from_being_read(stage: Stage) -> None:
    """Case 41: a made-up charset, half an encoding, and an opt-out behind them; read five times."""
    _, first = stage.lead(email="ana@example.com")
    _, last = stage.lead(email="ben@example.com")
    mailbox = FakeSource("imap")
    now = stage.clock.now()
    mailbox.bring(
        mail(letter("ana@example.com", "Yes please"), now),
        mail(letter("odd@example.net", "Hello", subject="=?x-made-up?B?SGk=?="), now),
        mail(letter("odder@example.net", "Hello", subject="=?utf-8?B?b?="), now),
        mail(letter("ben@example.com", "Stop emailing me"), now),
    )
    poll = polling(stage, mailbox, eager=True)
    counts = [poll.run().new for _ in range(5)]

    assert (counts, events(stage)) == ([4, 0, 0, 0, 0], ["replied", "replied", "replied", "opted_out"])
    assert (stage.state(first), stage.state(last)) == ("replied", "opted_out")
    assert problems(stage) == ["unmatched", "unmatched"]


@pytest.mark.expects_warning("take_in.failed")
def test_i17_what_makes_the_reading_fail_is_kept_as_it_came_and_listed(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case 41, the fault that nobody thought of: kept raw, shown, and never read again."""

    def breaks(uow: object, item: object, now: object) -> object:
        if b"odd@example.net" in item.raw:  # type: ignore[attr-defined]
            take_mail(uow, item, now)  # type: ignore[arg-type]
            raise RuntimeError("nobody thought of this")
        return take_mail(uow, item, now)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "take_mail", breaks)
    _, follow_up = stage.lead(email="ben@example.com")
    mailbox = FakeSource("imap")
    odd = mail(letter("odd@example.net", "Hello"), stage.clock.now())
    mailbox.bring(odd, mail(letter("ben@example.com", "Stop emailing me"), stage.clock.now()))
    poll = polling(stage, mailbox, eager=True)

    assert [poll.run().new for _ in range(3)] == [2, 0, 0]
    kept, applied = stage.world.rows(t.inbox_event)
    assert (kept["kind"], kept["state"], kept["needs_human"]) == ("other", "unmatched", True)
    assert raw_of(stage)[kept["id"]] == odd.raw
    assert (applied["kind"], stage.state(follow_up)) == ("opted_out", "opted_out")
    assert problems(stage) == ["unreadable"]


@pytest.mark.expects_warning("take_in.failed")
@pytest.mark.expects_warning("poll.not_kept")
def test_what_can_not_even_be_kept_comes_again_and_is_said(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is dropped (I17): the mark stays before it, the others are taken in, and the source counts as unread."""
    broken = [True]

    def breaks(uow: object, item: TextIn, now: object) -> object:
        if broken[0] and item.body == "odd":
            raise RuntimeError("nobody thought of this")
        return take_text(uow, item, now)  # type: ignore[arg-type]

    def keeps_nothing(*_: object) -> object:
        raise RuntimeError("nor of this")

    monkeypatch.setattr(module, "take_text", breaks)
    monkeypatch.setattr(module, "keep_unreadable", keeps_nothing)
    _, follow_up = stage.lead(phone=ANA)
    source = FakeSource()
    source.bring(text("+12025550177", "odd", stage.clock.now()), text(ANA, "STOP", stage.clock.now()))
    poll = polling(stage, source, eager=True)

    assert poll.run() == PollCount(asked=1, new=1, stuck=1)
    assert (stage.state(follow_up), problems(stage)) == ("opted_out", ["source_unread"])
    broken[0] = False
    assert poll.run() == PollCount(asked=1, new=1)
    assert (source.marks, problems(stage)) == ([None, None], ["unmatched"])


def test_each_reading_begins_where_the_last_one_ended(stage: Stage) -> None:
    source = FakeSource(page=2)
    source.bring(*(text(number, "Hello", stage.clock.now()) for number in numbers(3)))
    polling(stage, source, eager=True).run()
    polling(stage, source, eager=True).run()
    assert source.marks == [None, {"given": 2}, {"given": 3}]


def test_a_source_is_asked_as_often_as_it_is_worth(stage: Stage) -> None:
    source = FakeSource(every=timedelta(minutes=5))
    poll = polling(stage, source)
    for _ in range(11):
        poll.run()
        stage.clock.go_on(MINUTE)
    assert len(source.read_at) == 3
    assert polling(stage, source, eager=True).run().asked == 1


def test_a_pass_that_comes_round_a_little_early_reads_all_the_same(stage: Stage) -> None:
    """Passes are a minute apart by one clock and a source is worth a minute by another: none waits for the next."""
    source = FakeSource(every=MINUTE)
    poll = polling(stage, source)
    for _ in range(5):
        poll.run()
        stage.clock.go_on(MINUTE - timedelta(milliseconds=3))

    assert len(source.read_at) == 5


def test_two_engines_ask_a_source_once_between_them(stage: Stage) -> None:
    source = FakeSource()
    one, two = polling(stage, source), polling(stage, source)
    assert (one.run().asked, two.run().asked) == (1, 0)


def test_a_source_that_fails_is_said_once_and_takes_everything_when_it_is_back(stage: Stage) -> None:
    """Case 43, as far as the engine goes: since when, other work goes on, and the next good reading takes all once."""
    _, follow_up = stage.lead(phone=ANA)
    source = FakeSource("imap")
    once = with_sources(stage, source)
    once.run()
    worked = stage.clock.now()
    source.fault = DOWN
    for _ in range(5):
        stage.clock.go_on(MINUTE)
        once.run()
    (problem,) = stage.world.rows(t.problem)
    assert (problem["why"], problem["facts"]["because"]) == ("source_unread", "offline")
    assert (problem["facts"]["since"], problem["facts"]["provider"]) == (worked.isoformat(), "imap")
    assert len(stage.provider.taken) == 1, "what could go out did"

    source.fault = None
    source.bring(*(mail(letter(f"n{number}@example.net", "Hello"), worked) for number in range(3)))
    stage.clock.go_on(MINUTE)
    assert once.run().came_in == 3
    assert "source_unread" not in problems(stage)
    assert stage.state(follow_up) == "active"
    told = [row["event"] for row in stage.world.rows(t.log_entry) if row["event"].startswith("source.")]
    assert told == ["source.failed", "source.works"]


def test_a_source_that_fails_for_another_reason_is_said_anew(stage: Stage) -> None:
    source = FakeSource("imap")
    poll = polling(stage, source, eager=True)
    for fault in (DOWN, DOWN, Outage(Why.BAD_CREDENTIALS), Outage(Why.BAD_CREDENTIALS)):
        source.fault = fault
        poll.run()
    assert len(stage.world.rows(t.problem)) == 2
    assert problems(stage) == ["source_unread"]


def test_a_computer_without_the_key_says_nothing_while_another_one_reads(stage: Stage) -> None:
    """Two engines on one practice, of which one has no key: neither the log nor the problem list grows by it."""
    with_key, without = FakeSource("imap"), FakeSource("imap")
    without.fault = Outage(Why.NO_KEY)
    for _ in range(5):
        polling(stage, with_key, eager=True).run()
        polling(stage, without, eager=True).run()
        stage.clock.go_on(MINUTE)
    assert (stage.world.rows(t.problem), stage.world.rows(t.log_entry)) == ([], [])
    stage.clock.go_on(timedelta(minutes=10))
    polling(stage, without, eager=True).run()
    assert problems(stage) == ["source_unread"]


@pytest.mark.expects_warning("poll.source_raised")
def test_a_source_that_raises_is_one_that_could_not_be_read(stage: Stage) -> None:
    class Raises(FakeSource):
        def read(self, mark: object, now: object) -> object:  # type: ignore[override]
            raise OSError("gone")

    other = FakeSource("twilio")
    other.bring(text(ANA, "Hello", stage.clock.now()))
    count = polling(stage, Raises("imap"), other).run()  # type: ignore[arg-type]
    assert (count.failed, count.new) == (1, 1)


def test_a_source_that_is_taken_out_of_the_settings_is_no_problem_any_more(stage: Stage) -> None:
    source = FakeSource("imap")
    source.fault = DOWN
    sources: list[Source] = [source]
    poll = PollInbound(stage.store.open_uow, lambda: sources, stage.clock, eager=True)
    poll.run()
    assert problems(stage) == ["source_unread"]
    sources.clear()
    poll.run()
    assert problems(stage) == []


@pytest.mark.parametrize("point", ["poll.item_written", "poll.before_mark"])
def test_i13_an_end_in_the_middle_of_a_reading_loses_nothing_and_doubles_nothing(stage: Stage, point: str) -> None:
    source = FakeSource(page=10)
    source.bring(*(text(number, "Hello", stage.clock.now()) for number in numbers(25)))
    poll = polling(stage, source, eager=True)

    def dies() -> None:
        raise KeyboardInterrupt

    for _ in range(3):
        with at(point, dies), pytest.raises(KeyboardInterrupt):  # type: ignore[arg-type]
            poll.run()
    poll.run()
    assert len(events(stage)) == 25


def test_out_of_order_late_and_changing_pages_store_each_once(stage: Stage) -> None:
    """The provider's list shifts under the reading: the same ones come again, in any order."""
    items = [text(number, "Hello", stage.clock.now(), key=f"SM-{number}") for number in numbers(40)]
    source = FakeSource(page=7)
    for part in (items[10:20], items[:25], list(reversed(items)), items[5:6]):
        source.items = list(part)
        source.bring(*part)
        polling(stage, source, eager=True).run()
        with stage.store.open_uow() as uow:
            uow.marks.read_to("twilio", {"given": 0}, stage.clock.now(), whole=True)
    assert sorted(row["key"] for row in stage.world.rows(t.inbox_event)) == sorted(item.key for item in items)


def test_what_comes_in_is_read_while_all_sending_is_paused(stage: Stage) -> None:
    _, follow_up = stage.lead(phone=ANA)
    source = FakeSource()
    once = with_sources(stage, source)
    with stage.store.open_uow() as uow:
        uow.engine.pause(Why.SENDING_PAUSED, "Dana", stage.clock.now())
    source.bring(text(ANA, "STOP", stage.clock.now()))
    assert once.run().paused is Why.SENDING_PAUSED
    assert stage.state(follow_up) == "opted_out"


def test_a_made_up_time_reads_too(stage: Stage) -> None:
    """`tick --at` runs everything at its time, one that lies behind the last reading included."""
    source = FakeSource()
    once = with_sources(stage, source)
    once.run()
    stage.clock.set(stage.clock.now() - timedelta(days=3))
    source.bring(text(ANA, "Hello", stage.clock.now()))
    assert once.run(made_up_clock=True).came_in == 1
