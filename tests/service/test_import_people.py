"""Imports under trouble: cut off half-way, two at once, and beside a front desk that presses Stop."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from app.domain.errors import OperatorError, StoreError
from app.domain.ids import ImportId, PersonId
from app.domain.lines import PeopleQuery
from app.engine.office_ports import Office, OfficeUow, PersonKnown
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


class CountedReads:
    """Counts how many of those already here are read."""

    def __init__(self, parts: Parts) -> None:
        self._open = parts.open_uow
        self.count = 0

    @contextmanager
    def __call__(self) -> Iterator[OfficeUow]:
        with self._open() as uow:
            uow.office = _CountedOffice(uow.office, self)
            yield uow


class _CountedOffice:
    def __init__(self, office: Office, counted: CountedReads) -> None:
        self._office = office
        self._counted = counted

    def __getattr__(self, name: str) -> Any:
        return getattr(self._office, name)

    def known_people(self, emails: Collection[str], phones: Collection[str]) -> Sequence[PersonKnown]:
        found = self._office.known_people(emails, phones)
        self._counted.count += len(found)
        return found


def with_one_number(folder: Path, count: int, name: str = "shared.csv") -> Path:
    """A list of `count` people who all gave the number of one reception."""
    file = folder / name
    rows = "".join(f"Person {n},p{n}@example.com,503-555-0142,Portland\n" for n in range(count))
    file.write_text(f"Name,Email,Phone,Location\n{rows}", encoding="utf-8")
    return file


def test_who_shares_one_number_is_read_once_an_address_and_not_once_a_portion(parts: Parts, tmp_path: Path) -> None:
    order = PeopleOrder(with_one_number(tmp_path, 2_100), "dana")
    first, again = CountedReads(parts), CountedReads(parts)

    assert PeopleImport(first, parts.clock).run(order).added == 2_100
    assert PeopleImport(again, parts.clock).run(order).merged == 2_100
    assert first.count == 0
    assert again.count <= 2 * 2_100  # an email and a phone each


class Meanwhile:
    """Opens transactions; before the nth something else happens."""

    def __init__(self, parts: Parts, nth: int, happens: Callable[[], object]) -> None:
        self._open = parts.open_uow
        self._left = nth
        self._happens = happens

    @contextmanager
    def __call__(self) -> Iterator[OfficeUow]:
        self._left -= 1
        if self._left == 0:
            self._happens()
        with self._open() as uow:
            yield uow


def last_portion(parts: Parts, order: PeopleOrder) -> int:
    """The number of the transaction that writes the last portion."""
    opens = CountedOpens(parts)
    PeopleImport(opens, parts.clock).dry_run(order)
    return opens.count + 1 + -(-2_100 // PORTION)


def test_who_comes_in_while_a_big_import_runs_is_not_made_a_second_time(parts: Parts, tmp_path: Path) -> None:
    """CASES 130."""
    order = PeopleOrder(people_file(tmp_path, 2_100), "dana")
    one = tmp_path / "one.csv"
    one.write_text("Name,Email,Phone,Location\nPerson 2099,p2099@example.com,503-555-0142,Portland\n", encoding="utf-8")
    other = PeopleImport(parts.open_uow, parts.clock)
    meanwhile = Meanwhile(parts, last_portion(parts, order), lambda: other.run(PeopleOrder(one, "evan")))

    PeopleImport(meanwhile, parts.clock).run(order)

    assert len(everyone(parts)) == 2_100


def test_whose_address_becomes_known_while_a_big_import_runs_is_not_made_a_second_time(
    parts: Parts, tmp_path: Path
) -> None:
    """CASES 130: no new row tells of it, an old one was completed."""
    by_phone, completed = tmp_path / "phone.csv", tmp_path / "completed.csv"
    by_phone.write_text("Name,Phone,Location\nPerson 2099,503-555-0142,Portland\n", encoding="utf-8")
    completed.write_text(
        "Name,Email,Phone,Location\nPerson 2099,p2099@example.com,503-555-0142,Portland\n", encoding="utf-8"
    )
    other = PeopleImport(parts.open_uow, parts.clock)
    other.run(PeopleOrder(by_phone, "evan"))
    order = PeopleOrder(people_file(tmp_path, 2_100), "dana")
    meanwhile = Meanwhile(parts, last_portion(parts, order), lambda: other.run(PeopleOrder(completed, "evan")))

    PeopleImport(meanwhile, parts.clock).run(order)

    assert len(everyone(parts)) == 2_100


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
