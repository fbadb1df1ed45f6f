"""Trials: what the app makes of cases out of files, one answer a case. No database is read and nothing is changed."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from app.domain.errors import OperatorError, StopwellError
from app.service.files import read_file

MOST_BYTES = 200 * 1024 * 1024
LISTS = frozenset({".csv", ".tsv", ".tab", ".txt"})
MAILS = frozenset({".eml"})
DEFAULT_REGION = "US"

TryOne = Callable[[Mapping[str, object]], Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class Tried:
    """The answer to one case, in the data set's own keys; or, when it could not be tried, why, in `problem`."""

    answer: Mapping[str, object]
    problem: str = ""


def try_lines(path: Path, try_one: TryOne) -> Iterator[Tried]:
    """The answers to the cases of a JSON Lines file, in order; a blank line is none. `-` reads standard input.

    Raises OperatorError when the file can't be read; a line that is no case is an answer with its problem.
    """
    data = sys.stdin.buffer.read(MOST_BYTES + 1) if path == Path("-") else read_file(path, MOST_BYTES)
    if len(data) > MOST_BYTES:
        raise OperatorError(f"{path} is larger than 200 MB.", "Split it.")
    for number, line in enumerate(data.splitlines(), start=1):
        if line.strip():
            yield _try_line(line, f"{path.name}:{number}", try_one)


def _try_line(line: bytes, place: str, try_one: TryOne) -> Tried:
    try:
        case = json.loads(line.decode("utf-8-sig"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        return _untried(None, f"{place}: this line is not JSON in UTF-8.")
    if not isinstance(case, dict):
        return _untried(None, f"{place}: this line is not a JSON object.")
    try:
        return Tried(try_one(case))
    except StopwellError as refused:
        return _untried(case.get("id"), f"{place}: {refused.told} {refused.hint}".strip())


def _untried(case_id: object, problem: str) -> Tried:
    return Tried({"id": case_id, "problem": problem}, problem)


def try_lists(path: Path, region: str | None) -> Iterator[Tried]:
    """What becomes of each list of people: of one file, or of every list in a folder, by name.

    region: of phones without a country; None takes the one that a file's `.expected.json` names, else US. Raises
    OperatorError when there is nothing to read.
    """
    from app.domain.trial_people import try_people

    for file in _lists(path):
        try:
            yield Tried(try_people(file.name, read_file(file, MOST_BYTES), region or _region_beside(file)))
        except StopwellError as refused:
            told = f"{refused.told} {refused.hint}".strip()
            yield Tried({"file": file.name, "problem": told}, told)


def try_mails(path: Path) -> Iterator[Tried]:
    """What each raw mail is: of one file, or of every `.eml` file in a folder, by name.

    Raises OperatorError when there is nothing to read.
    """
    from app.domain.trial_email import try_email

    for file in _files(path, MAILS, OperatorError(f"There is no mail in {path}.", "Their names end in .eml.")):
        try:
            yield Tried(try_email(file.name, read_file(file, MOST_BYTES)))
        except StopwellError as refused:
            told = f"{refused.told} {refused.hint}".strip()
            yield Tried({"file": file.name, "problem": told}, told)


def try_templates(path: Path, schema: Path | None) -> Iterator[Tried]:
    """What the lint finds in each template of a JSON Lines file, and how it comes out.

    schema: a JSON file with `known_variables`; None for those of Stopwell. Raises OperatorError when a file can't be
    read.
    """
    from app.domain.template_lint import Known
    from app.domain.trial_template import try_template

    known = Known() if schema is None else Known(_known_variables(schema))
    return try_lines(path, lambda case: try_template(case, known))


def _known_variables(schema: Path) -> tuple[str, ...]:
    try:
        stated = json.loads(read_file(schema, MOST_BYTES).decode("utf-8-sig"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as exc:
        raise OperatorError(f"{schema} is not JSON in UTF-8.") from exc
    names = stated.get("known_variables") if isinstance(stated, dict) else None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise OperatorError(f"{schema} has no list known_variables.", 'Write {"known_variables": ["person.email"]}.')
    return tuple(names)


def _lists(path: Path) -> list[Path]:
    none = OperatorError(f"There is no list of people in {path}.", "Their names end in .csv, .tsv or .txt.")
    return _files(path, LISTS, none)


def _files(path: Path, endings: frozenset[str], none: OperatorError) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(each for each in path.iterdir() if each.is_file() and each.suffix.lower() in endings)
    if not found:
        raise none
    return found


def _region_beside(file: Path) -> str:
    """The country that a data set says its list is to be read for: an input of the case, kept beside its answers."""
    beside = file.with_name(f"{file.name}.expected.json")
    if not beside.is_file():
        return DEFAULT_REGION
    try:
        stated = json.loads(beside.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as exc:
        raise OperatorError(f"{beside} can't be read.", "Give the country with --region.") from exc
    region = stated.get("default_region") if isinstance(stated, dict) else None
    return region if isinstance(region, str) else DEFAULT_REGION
