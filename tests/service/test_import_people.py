"""Imports under trouble: cut off half-way, two at once, and beside a front desk that presses Stop."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.domain.errors import OperatorError, StoreError
from app.domain.ids import ImportId, PersonId
from app.domain.lines import PeopleQuery
from app.engine.office_ports import OfficeUow
from app.service.doctor import Doctor
from app.service.import_people import ImportReport, PeopleImport, PeopleOrder
from app.service.imports import PORTION, Imports
from app.service.parts import Parts
from app.service.stops import Stops


def people_file(folder: Path, count: int, name: str = "people.csv") -> Path:
    """A list of `count` people."""
    file = folder / name
    rows = "".join(f"Person {n},p{n}@example.com,Portland\n" for n in range(count))
    file.write_text(f"Name,Email,Location\n{rows}", encoding="utf-8")
    return file


def everyone(parts: Parts) -> list[PersonId]:
    with parts.open_reader() as reads:
        return list(reads.people_ids(PeopleQuery()))


class CutOff:
    """Opens transactions until the nth, which is cut off in the middle; then goes on."""

    def __init__(self, parts: Parts, nth: int) -> None:
        self._open = parts.open_uow
        self._left = nth

    @contextmanager
    def __call__(self) -> Iterator[OfficeUow]:
        self._left -= 1
        with self._open() as uow:
            yield uow
            if self._left == 0:
                raise KeyboardInterrupt


@pytest.mark.parametrize("portion_from_the_end", [1, 4])
def test_a_big_import_that_is_cut_off_leaves_nothing(parts: Parts, tmp_path: Path, portion_from_the_end: int) -> None:
    file = people_file(tmp_path, 2_100)
    order = PeopleOrder(file, "dana")
    opens = CountedOpens(parts)
    PeopleImport(opens, parts.clock).dry_run(order)
    # after those of the look: the import's own row, the portions, and the line in the log
    count = -(-2_100 // PORTION)
    cut = CutOff(parts, opens.count + 1 + (count - portion_from_the_end) + 1)

    with pytest.raises(KeyboardInterrupt):
        PeopleImport(cut, parts.clock).run(order)

    assert everyone(parts) == []
    assert PeopleImport(parts.open_uow, parts.clock).run(order).added == 2_100


class CountedOpens:
    """Counts transactions."""

    def __init__(self, parts: Parts) -> None:
        self._open = parts.open_uow
        self.count = 0

    @contextmanager
    def __call__(self) -> Iterator[OfficeUow]:
        self.count += 1
        with self._open() as uow:
            yield uow


class FullDisk(CutOff):
    """From the nth transaction on nothing can be written any more."""

    @contextmanager
    def __call__(self) -> Iterator[OfficeUow]:
        self._left -= 1
        with self._open() as uow:
            yield uow
            if self._left <= 0:
                raise StoreError("The disk is full.", "Free some space.")


def test_a_big_import_that_can_not_even_be_taken_back_says_how_to_do_it_later(parts: Parts, tmp_path: Path) -> None:
    order = PeopleOrder(people_file(tmp_path, 2_100), "dana")
    opens = CountedOpens(parts)
    PeopleImport(opens, parts.clock).dry_run(order)

    with pytest.raises(OperatorError, match="stopwell import undo 1") as refused:
        PeopleImport(FullDisk(parts, opens.count + 4), parts.clock).run(order)

    assert "The disk is full." in refused.value.told
    assert unfinished(parts) == (
        "Not finished: import 1 (people.csv). It still runs, or was cut off half-way. "
        "When nothing is imported any more: stopwell import undo 1"
    )
    assert Imports(parts.open_uow, parts.clock).undo(ImportId(1), by="dana") == 2 * PORTION
    assert everyone(parts) == []
    assert unfinished(parts) == ""


def unfinished(parts: Parts) -> str:
    """What doctor says of imports that never came to their end."""
    found = next(each for each in Doctor(parts).examine().findings if each.check == "imports")
    return "" if found.ok else f"{found.told} {found.hint}"


def test_a_small_import_that_is_cut_off_leaves_nothing(parts: Parts, tmp_path: Path) -> None:
    order = PeopleOrder(people_file(tmp_path, 20), "dana")

    with pytest.raises(KeyboardInterrupt):
        PeopleImport(CutOff(parts, 2), parts.clock).run(order)

    assert everyone(parts) == []


def test_two_files_at_once_make_no_double_people(parts: Parts, tmp_path: Path) -> None:
    """CASES 130."""
    orders = [PeopleOrder(people_file(tmp_path, 200, name), "dana") for name in ("one.csv", "two.csv")]
    together = threading.Barrier(2)
    reports: list[ImportReport] = []

    def work(order: PeopleOrder) -> None:
        together.wait(60)
        reports.append(PeopleImport(parts.open_uow, parts.clock).run(order))

    threads = [threading.Thread(target=work, args=(order,)) for order in orders]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)

    assert sorted(report.added for report in reports) == [0, 200]
    assert sorted(report.merged for report in reports) == [0, 200]
    assert len(everyone(parts)) == 200


def test_every_stop_commits_while_a_big_import_runs(parts: Parts, tmp_path: Path) -> None:
    """CASES 141."""
    PeopleImport(parts.open_uow, parts.clock).run(PeopleOrder(people_file(tmp_path, 10), "dana"))
    ids = everyone(parts)
    order = PeopleOrder(people_file(tmp_path, 3_000, "big.csv"), "dana")
    importing = threading.Thread(target=lambda: PeopleImport(parts.open_uow, parts.clock).run(order))

    importing.start()
    stops = Stops(parts.open_uow, parts.clock)
    done = [stops.stop(person_id, by="dana") for person_id in ids]
    importing.join(120)

    assert all(applied.event_id is not None for applied in done)
    assert len(everyone(parts)) == 3_000
