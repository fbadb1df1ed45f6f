"""Lists of records: appointments, jobs, quotes and invoices out of a spreadsheet."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import OperatorError
from app.domain.ids import PersonId
from app.domain.people_dates import DateOrder, read_time
from app.domain.people_file import mend_file
from app.domain.people_text import Note
from app.domain.person import PersonRef
from app.domain.record import RECORD_STATUSES, RecordKind, normalise_status, read_kind, status_hint
from app.domain.records_csv import RecordsFile, read_records
from app.domain.records_row import RecordReason

HEADINGS = "Person,Kind,Status,External ID,Label,Starts at,Amount,Due on"


def records(*rows: str, headings: str = HEADINGS, **mapping: str) -> RecordsFile:
    return read_records("\n".join([headings, *rows]).encode(), "records.csv", "US", mapping)


def test_a_record_is_read_with_all_that_it_says() -> None:
    file = records("ana@example.com,Appointment,Booked,A-1,first,2026-05-06 10:00,80,")

    (draft,) = file.drafts
    assert (draft.line, draft.person) == (2, PersonRef(email="ana@example.com"))
    assert (draft.kind, draft.status, draft.external_id) == (RecordKind.APPOINTMENT, "booked", "A-1")
    assert (draft.label, draft.amount, draft.due_on) == ("first", Decimal("80.00"), None)
    assert (draft.starts_at, draft.starts_at_local) == (None, datetime(2026, 5, 6, 10, 0))  # noqa: DTZ001
    assert draft.warnings == ()


def test_a_time_with_an_offset_is_an_instant_and_one_without_is_a_wall_time() -> None:
    file = records(
        "#7,appointment,booked,A-1,,2026-05-06T10:00:00-07:00,,",
        "7,appointment,booked,A-2,,2026-05-06T17:00Z,,",
        "7,appointment,booked,A-3,,05/16/2026 3:30 pm,,",
    )

    assert [draft.person for draft in file.drafts] == [PersonRef(id=PersonId(7))] * 3
    assert [draft.starts_at for draft in file.drafts] == [datetime(2026, 5, 6, 17, tzinfo=UTC)] * 2 + [None]
    assert file.drafts[2].starts_at_local == datetime(2026, 5, 16, 15, 30)  # noqa: DTZ001


def test_day_and_time_may_stand_in_two_columns() -> None:
    file = records(
        "212-555-0142,visit,done,1,05/16/2026,9:15 AM",
        headings="Mobile,Type,Status,Appointment ID,Date,Time",
    )

    assert file.drafts[0].person == PersonRef(phone="+12125550142")
    assert file.drafts[0].starts_at_local == datetime(2026, 5, 16, 9, 15)  # noqa: DTZ001


def test_all_ways_to_name_the_person_are_read_together() -> None:
    file = records(
        "Ana Diaz,ana@example.com,212-555-0142 x3,job,scheduled,J-1",
        headings="Client,Email,Phone,Kind,Status,Job ID",
    )

    assert file.drafts[0].person == PersonRef(email="ana@example.com", phone="+12125550142", phone_ext="3")


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (",appointment,booked,A-1,,2026-05-06 10:00,,", RecordReason.NO_PERSON),
        ("Ana Diaz,appointment,booked,A-1,,2026-05-06 10:00,,", RecordReason.BAD_PERSON),
        ("ana@example.com,appointmint,booked,A-1,,,,", RecordReason.BAD_KIND),
        ("ana@example.com,quote,,Q-1,,,,", RecordReason.NO_STATUS),
        ("ana@example.com,quote,sent,,,,,", RecordReason.NO_EXTERNAL_ID),
        ("ana@example.com,appointment,booked,A-1,,2026-02-30 10:00,,", RecordReason.BAD_DATE),
        ("ana@example.com,appointment,booked,A-1,,2026-05-06 25:00,,", RecordReason.BAD_DATE),
        ("ana@example.com,appointment,booked,A-1,,03/04/2026 10:00,,", RecordReason.AMBIGUOUS_DATE),
        ("ana@example.com,invoice,sent,I-1,,,,03/04/2026", RecordReason.AMBIGUOUS_DATE),
        ("ana@example.com,appointment,booked,A-1,,2026-05-06,,", RecordReason.NO_TIME),
        ("ana@example.com,invoice,sent,I-1,,,about 80,", RecordReason.BAD_AMOUNT),
        (HEADINGS, RecordReason.REPEATED_HEADER),
        ("ana@example.com,quote,sent,Q-1,,,,,oops", RecordReason.TOO_MANY_VALUES),
        ('"ana@example.com,quote,sent,Q-1,,,,', RecordReason.UNCLOSED_QUOTE),
    ],
)
def test_what_can_not_be_read_for_sure_is_left_out_with_its_line_and_reason(row: str, reason: RecordReason) -> None:
    file = records("ana@example.com,job,scheduled,J-1,,2026-05-06 10:00,,", row)

    assert [(left.line, left.reason) for left in file.rejected] == [(3, reason)]
    assert file.rejected[0].told.endswith((".", "?"))
    assert len(file.drafts) == 1
    assert str(file.rejected[0].line) in mend_file(file.header, file.rejected)


def test_a_short_row_among_complete_ones_is_left_out() -> None:
    rows = [f"ana@example.com,job,scheduled,J-{n},,2026-05-06 10:00,80,2026-06-01" for n in range(100)]
    rows[40] = "ana@example.com,job,scheduled,J-40"

    file = records(*rows)

    assert [(left.line, left.reason) for left in file.rejected] == [(42, RecordReason.TOO_FEW_VALUES)]


def test_blanks_that_a_spreadsheet_left_off_are_blanks() -> None:
    file = records("ana@example.com,quote,sent,Q-1")

    assert [note.code for note in file.drafts[0].warnings] == [Note.MISSING_FIELDS]


def test_the_same_external_id_updates_one_persons_record_and_never_anothers() -> None:
    file = records(
        "ana@example.com,invoice,sent,I-1,,,80,",
        "ana@example.com,invoice,paid,I-1,,,80,",
        "bob@example.com,invoice,paid,I-1,,,80,",
        "bob@example.com,quote,sent,I-1,,,80,",
    )

    assert [(draft.kind, draft.status) for draft in file.drafts] == [
        (RecordKind.INVOICE, "sent"),
        (RecordKind.INVOICE, "paid"),
        (RecordKind.QUOTE, "sent"),
    ]
    assert [(left.line, left.reason) for left in file.rejected] == [(4, RecordReason.OTHER_PERSON)]


@pytest.mark.parametrize(
    ("cell", "amount"),
    [
        ('"1,204.50"', "1204.50"),
        ('"1.204,50 €"', "1204.50"),
        ("$80", "80.00"),
        ('"1,204"', "1204.00"),
        ("12.5", "12.50"),
        ("($80.00)", "-80.00"),
        ("-80", "-80.00"),
        ("USD 0.99", "0.99"),
        ("1'204.50", "1204.50"),
    ],
)
def test_an_amount_is_read_in_every_usual_form(cell: str, amount: str) -> None:
    file = records(f"ana@example.com,invoice,sent,I-1,,,{cell},")

    assert file.drafts[0].amount == Decimal(amount)


@pytest.mark.parametrize("cell", ["0.204", '"1,20,4"', "8O", "1.2.3", '"1,204,50"', "(80", "1e3", "--5"])
def test_an_amount_that_may_be_something_else_is_refused(cell: str) -> None:
    assert records(f"ana@example.com,invoice,sent,I-1,,,{cell},").rejected[0].reason is RecordReason.BAD_AMOUNT


def test_dates_follow_the_order_that_the_file_shows() -> None:
    file = records(
        "ana@example.com,invoice,sent,I-1,,,80,13/06/2026", "ana@example.com,invoice,sent,I-2,,,80,03/04/2026"
    )

    assert file.date_order is DateOrder.DMY
    assert [draft.due_on for draft in file.drafts] == [date(2026, 6, 13), date(2026, 4, 3)]


def test_a_list_without_a_needed_column_is_refused_with_its_name() -> None:
    with pytest.raises(OperatorError) as refused:
        records("ana@example.com,sent", headings="Email,Status")
    assert "kind and external_id" in refused.value.told
    assert "--map" in refused.value.hint

    with pytest.raises(OperatorError, match="person"):
        records("sent,quote,1", headings="Status,Kind,External ID")


def test_a_mapping_names_the_columns_of_another_program() -> None:
    file = records(
        "ana@example.com,quote,sent,1",
        headings="Kto,Art,Zustand,Nr",
        Kto="person",
        Art="kind",
        Zustand="status",
        Nr="external_id",
    )

    assert file.drafts[0].external_id == "1"


def test_a_record_has_no_fields_of_ones_own() -> None:
    with pytest.raises(OperatorError, match=r"custom\.dog"):
        records("", Label="custom.dog")


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("Appointments", RecordKind.APPOINTMENT),
        ("estimate", RecordKind.QUOTE),
        ("Work order", RecordKind.JOB),
        ("x", None),
    ],
)
def test_a_kind_is_known_by_its_usual_words(word: str, kind: RecordKind | None) -> None:
    assert read_kind(word) is kind


def test_a_status_is_kept_as_it_is_and_a_near_miss_is_told() -> None:
    assert normalise_status("  In Progress ") == "in_progress"
    assert normalise_status("n/a") == ""
    assert status_hint(RecordKind.APPOINTMENT, "boked") == "booked"
    assert status_hint(RecordKind.APPOINTMENT, "seen_by_nurse") is None

    file = records("ana@example.com,appointment,Boked,A-1,,2026-05-06 10:00,,")
    assert file.drafts[0].status == "boked"
    assert [note.code for note in file.drafts[0].warnings] == [Note.UNKNOWN_STATUS]


@pytest.mark.parametrize("kind", RecordKind)
def test_the_known_statuses_are_written_as_they_are_stored(kind: RecordKind) -> None:
    assert all(normalise_status(status) == status for status in RECORD_STATUSES[kind])
    assert all(status_hint(kind, status) is None for status in RECORD_STATUSES[kind])


@pytest.mark.parametrize(
    ("cell", "clock"), [("3:30 pm", time(15, 30)), ("15.30", time(15, 30)), ("9am", time(9)), ("12 am", time(0))]
)
def test_a_time_of_day_is_read_in_every_usual_form(cell: str, clock: time) -> None:
    assert read_time(cell) == clock


@pytest.mark.parametrize("cell", ["", "9", "25:00", "13 pm", "noon"])
def test_what_is_no_time_of_day_is_none(cell: str) -> None:
    assert read_time(cell) is None


@given(st.lists(st.sampled_from(["ana@example.com", "quote", "sent", "Q-1", "", "80", '"', ",", "\n", "2026-05-06"])))
def test_no_row_vanishes(parts: list[str]) -> None:
    file = records(",".join(parts))

    lines = [draft.line for draft in file.drafts] + [left.line for left in file.rejected]
    assert len(lines) == len(set(lines))
    assert all(left.told for left in file.rejected)


@given(st.binary(max_size=300))
def test_arbitrary_bytes_are_read_or_refused_in_words(data: bytes) -> None:
    match _read_or_refused(f"{HEADINGS}\n".encode() + data):
        case OperatorError(told=told):
            assert told.startswith("records.csv")
        case RecordsFile(drafts=drafts, rejected=rejected):
            lines = [draft.line for draft in drafts] + [left.line for left in rejected]
            assert len(lines) == len(set(lines))


def _read_or_refused(data: bytes) -> RecordsFile | OperatorError:
    try:
        return read_records(data, "records.csv", "US")
    except OperatorError as refused:
        return refused
