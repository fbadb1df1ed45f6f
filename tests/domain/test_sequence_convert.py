from __future__ import annotations

from app.domain.journey import Ends, EndStep, WaitStep, exits
from app.domain.journey_format import read_journey
from app.domain.practice_documents import Sequence, SequenceStep
from app.domain.proof import Proof, prove
from app.domain.sequence_convert import Conversion, convert
from app.domain.states import Channel, Purpose
from app.domain.waits import Calendar

CHOSEN = Conversion("Old", Purpose.CARE, Ends(replied=True))


def test_each_gap_is_a_wait_at_the_same_local_time_and_a_day_keeps_its_order() -> None:
    sequence = Sequence(
        "Old",
        (
            SequenceStep(1, Channel.EMAIL, "a", "", ""),
            SequenceStep(1, Channel.EMAIL, "b", "", ""),
            SequenceStep(4, Channel.CALL, "c", "", ""),
        ),
    )

    journey = read_journey(convert(sequence, CHOSEN, ()).journey)

    path, at = [], journey.start
    while not isinstance(journey.steps[at], EndStep):
        path.append(str(at))
        [at] = exits(journey.steps[at])
    assert path == ["wait-until-day-1", "day-1-email", "day-1-email-2", "wait-until-day-4", "day-4-call"]
    waits = [step.wait for step in journey.steps.values() if isinstance(step, WaitStep)]
    assert waits == [Calendar(1), Calendar(3)]
    proof = prove(journey)
    assert isinstance(proof, Proof)
    assert (proof.emails, proof.calls, proof.days) == (2, 1, 4)


def test_words_written_in_the_sequence_become_templates_under_names_that_are_free() -> None:
    sequence = Sequence("Old: welcome!", (SequenceStep(0, Channel.EMAIL, "", "Hello", "Hi"),))

    converted = convert(sequence, CHOSEN, {"old-welcome-day-0-email"})

    [template] = converted.templates
    assert template.data == {
        "format": "stopwell.template/1",
        "name": "old-welcome-day-0-email-2",
        "channel": "email",
        "purpose": "care",
        "subject": "Hello",
        "body": "Hi",
    }
