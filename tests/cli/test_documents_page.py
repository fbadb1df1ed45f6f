"""docs/documents.md: its documents and lists, and the commands at its top, one after the other, just as they stand."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from app.domain.condition_tree import PERSON_FIELDS
from app.domain.documents import Format
from app.domain.journey_shapes import STEP_SHAPES
from app.domain.people_columns import FIELDS as PEOPLE_FIELDS
from app.domain.records_columns import FIELDS as RECORD_FIELDS
from app.domain.shape import keys_of
from app.domain.template import VARIABLES
from tests.shop import Shop

PAGE = (Path(__file__).parents[2] / "docs" / "documents.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The blocks of code in a language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_every_command_of_the_page_does_what_it_says(shop: Shop) -> None:
    people, records = blocks("csv")
    files = {"fernhollow.yaml": "---\n".join(blocks("yaml")), "leads.csv": people, "records.csv": records}
    paths = {name: str(shop.write(name, text)) for name, text in files.items()}
    [commands] = blocks("sh")

    for line in commands.splitlines():
        program, *argv = shlex.split(line)
        assert program == "stopwell"
        shop.done(*(paths.get(word, word) for word in argv))

    went_out = [(each["person"], each["step"], each["state"]) for each in reversed(shop.json("messages"))]
    assert went_out == [
        (1, "hello", "accepted"),
        (2, "hello", "accepted"),
        (1, "nudge", "accepted"),
        (2, "nudge", "accepted"),
    ]
    ends = [shop.json("person", str(person))["enrollments"][0]["state"] for person in (1, 2)]
    assert ends == ["replied", "stopped"]


def test_applying_the_page_again_changes_nothing(new_shop: Shop) -> None:
    file = new_shop.write("fernhollow.yaml", "---\n".join(blocks("yaml")))
    new_shop.done("apply", file)

    assert [each["changed"] for each in new_shop.json("apply", file)["applied"]] == [False] * 7


def test_the_page_names_everything_that_a_document_or_a_list_may_hold() -> None:
    words = set(re.findall(r"\w+", PAGE))
    keys = {key for shape in STEP_SHAPES.values() for key in keys_of(shape)}
    last_parts = {name.rpartition(".")[2] for name in (*VARIABLES, *PERSON_FIELDS)}

    assert {kind.value for kind in Format} - set(re.findall(r"stopwell\.\w+/1", PAGE)) == set()
    assert (set(STEP_SHAPES) | keys | last_parts | set(PEOPLE_FIELDS) | set(RECORD_FIELDS)) - words == set()
