"""A journey survives its document, saving changes nothing, and no data at all makes the reader raise."""

from __future__ import annotations

import json
from datetime import time, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.condition import Condition, parse_condition
from app.domain.documents import RawDocument, read_documents
from app.domain.durations import duration_document, parse_duration, told_duration
from app.domain.errors import DocumentError
from app.domain.ids import StepId
from app.domain.journey import (
    BranchStep,
    CallBy,
    CallStep,
    EmailStep,
    Ends,
    EndStep,
    Enter,
    EntryPer,
    Journey,
    OnBadAddress,
    RepeatStep,
    SendHours,
    SmsStep,
    SplitStep,
    Step,
    TaskStep,
    WaitForStep,
    WaitStep,
    Way,
)
from app.domain.journey_format import read_journey
from app.domain.journey_write import write_journey
from app.domain.states import End, Purpose
from app.domain.waits import BusinessDays, Calendar, Elapsed, RelativeToRecord, Wait

START = Path(__file__).parents[2] / "resources" / "journeys" / "new-lead.yaml"


def read(text: str) -> Journey:
    return read_journey(read_documents(text)[0])


def test_the_written_document_begins_with_what_ends_it() -> None:
    written = write_journey(read(START.read_text()))
    assert list(written) == ["format", "name", "purpose", "ends", "enter", "start", "steps"]
    assert read_journey(RawDocument(written)) == read(START.read_text())
    assert read(json.dumps(written)) == read(START.read_text())


def test_opening_and_saving_unchanged_gives_the_same_document_every_time() -> None:
    once = write_journey(read(START.read_text().replace('at: "09:30"', 'at: "19:00"')))
    again = once
    for _ in range(3):
        again = write_journey(read_journey(RawDocument(again)))
    assert again == once
    assert json.dumps(again) == json.dumps(once)


@pytest.mark.parametrize(
    ("document", "length", "words"),
    [
        ({"days": 3}, timedelta(days=3), "3 days"),
        ({"weeks": 1, "hours": 12}, timedelta(days=7, hours=12), "7 days 12 hours"),
        ({"minutes": 90}, timedelta(minutes=90), "1 hour 30 minutes"),
        ({"hours": 0.5}, timedelta(minutes=30), "30 minutes"),
        ({"days": 1}, timedelta(days=1), "1 day"),
    ],
)
def test_a_length_of_time_is_read_told_and_written(document: dict[str, object], length: timedelta, words: str) -> None:
    assert parse_duration(document) == length
    assert told_duration(length) == words
    assert parse_duration(duration_document(length)) == length


_waits: st.SearchStrategy[Wait] = st.one_of(
    st.builds(Elapsed, st.builds(timedelta, minutes=st.integers(1, 60 * 24 * 30))),
    st.builds(Calendar, st.integers(1, 400), st.none() | st.builds(time, st.integers(0, 23), st.integers(0, 59))),
    st.builds(BusinessDays, st.integers(1, 50), st.none() | st.just(time(9, 30))),
    st.builds(
        RelativeToRecord,
        st.sampled_from(["appointment", "job"]),
        st.booleans(),
        st.builds(Calendar, st.integers(1, 9), st.none() | st.just(time(8, 0)))
        | st.builds(Elapsed, st.builds(timedelta, hours=st.integers(1, 99))),
    ),
)
_lengths = st.builds(timedelta, minutes=st.integers(1, 60 * 24 * 300))
_conditions: st.SearchStrategy[Condition] = st.sampled_from(
    [
        parse_condition({"record": "appointment", "status": "booked", "since": "enrollment"}),
        parse_condition({"any": [{"tag": "evenings"}, {"not": {"event": "replied", "since": {"days": 3}}}]}),
        parse_condition({"field": "person.status", "is": "lost"}),
    ]
)
_templates = st.text("abc é-", min_size=1, max_size=8).map(str.strip).filter(bool)
_contact = {
    "hours": st.sampled_from(SendHours),
    "useless_after": st.none() | _lengths,
    "on_bad_address": st.sampled_from(OnBadAddress),
}


@st.composite
def _journeys(draw: st.DrawFn) -> Journey:
    names = [
        StepId(name)
        for name in draw(st.lists(st.text("ab1é_-", min_size=1, max_size=6), min_size=1, max_size=8, unique=True))
    ]
    to = st.sampled_from(names)
    steps = {name: draw(_step(name, to)) for name in names}
    ends = Ends(draw(st.booleans()), draw(st.none() | _conditions), draw(st.none() | _conditions))
    enter = st.builds(Enter, st.none() | _templates, st.sampled_from(EntryPer), st.none() | st.integers(1, 3660))
    entry, priority = draw(st.none() | enter), draw(st.integers(0, 100))
    return Journey(draw(_templates), draw(st.sampled_from(Purpose)), ends, draw(to), steps, entry, priority)


def _step(name: StepId, to: st.SearchStrategy[StepId]) -> st.SearchStrategy[Step]:
    own = st.just(name)
    tries = st.sampled_from([(1, None), (3, timedelta(hours=4)), (2, timedelta(days=1, minutes=7))])
    return st.one_of(
        st.builds(EmailStep, own, _templates, to, **_contact),
        st.builds(SmsStep, own, _templates, to, **_contact),
        tries.flatmap(
            lambda t: st.builds(
                CallStep, own, _templates, to, st.sampled_from(CallBy), st.just(t[0]), st.just(t[1]), **_contact
            )
        ),
        st.builds(TaskStep, own, st.text("abc \n", min_size=1, max_size=20), to, st.none() | _waits),
        st.builds(WaitStep, own, _waits, to),
        st.builds(WaitForStep, own, _conditions, _waits, to, to),
        st.builds(BranchStep, own, _conditions, to, to),
        st.builds(lambda a, b: SplitStep(name, (Way(30, a), Way(70, b))), to, to),
        st.builds(RepeatStep, own, st.integers(2, 10), to, to),
        st.builds(EndStep, own, st.sampled_from([End.CONVERTED, End.EXHAUSTED, End.CLOSED])),
    )


@given(_journeys())
def test_a_journey_survives_its_document(journey: Journey) -> None:
    written = write_journey(journey)
    assert read_journey(RawDocument(written)) == journey
    assert read(json.dumps(written)) == journey


_junk = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=4)
    | st.sampled_from(["email", "end", "a", "converted"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["a", "b", "do", "template", "next", "if", "for", "up_to", "ways", "as", "times", "yes", "replied"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=15,
)


@given(st.fixed_dictionaries({"ends": _junk, "steps": _junk, "enter": _junk, "start": _junk, "name": _junk}))
def test_any_data_at_all_is_a_journey_or_refused_with_words(parts: dict[str, object]) -> None:
    raw = RawDocument({"format": "stopwell.journey/1", "purpose": "care", **parts})
    try:
        read_journey(raw)
    except DocumentError as refused:
        told = [problem.problem for problem in refused.problems]
    else:
        told = ["read"]
    assert all(told)
