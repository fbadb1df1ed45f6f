"""`stopwell evidence --redact`, and the page: nothing of anybody in the one, only text on the other (I16)."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import sqlalchemy as sa

from app.domain.events import EventKind
from app.domain.ids import PersonId
from app.domain.states import Channel
from app.store import tables as t
from tests.evidence_story import Told, packet_of
from tests.stage import Stage

HOSTILE = '<script>alert("x")</script>\u202e\u0007&'


class _Page(HTMLParser):
    """What a browser would make of it: elements, attributes, and text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def _plant(stage: Stage, person: PersonId, words: str) -> None:
    """Put `words`, with a number, in every text that somebody may have written."""
    texts = {
        t.person: (
            "first_name",
            "last_name",
            "email",
            "phone",
            "phone_ext",
            "alt_phone",
            "status",
            "source",
            "search_text",
        ),
        t.inbox_event: ("source", "key", "text", "note", "actor", "address"),
        t.message: ("template", "to_address", "subject", "body", "created_by", "reason_code"),
        t.consent: ("address", "how", "wording", "evidence", "recorded_by"),
        t.suppression: ("address_key", "lift_evidence"),
        t.location: ("name",),
        t.practice: ("name",),
    }
    with stage.store.session.write() as connection:
        for table, columns in texts.items():
            where = table.c.person_id == person if "person_id" in table.c else sa.true()
            for row in connection.execute(sa.select(table).where(where)).all():
                given = {name: f"{words}{table.name}-{name}-{row.id}" for name in columns}
                connection.execute(sa.update(table).where(table.c.id == row.id).values(given))
        if connection.dialect.name == "sqlite":
            names = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'enrollment'"
            for name in list(connection.execute(sa.text(names)).scalars()):
                connection.execute(sa.text(f'DROP TRIGGER "{name}"'))
        else:
            connection.execute(sa.text("ALTER TABLE enrollment DISABLE TRIGGER USER"))
        own = {name: f"{words}enrollment-{name}" for name in ("entered_by", "reason", "paused_by")}
        connection.execute(sa.update(t.enrollment).where(t.enrollment.c.person_id == person).values(own))


def _open_tables(stage: Stage) -> None:
    """Take the guards of the tables away that refuse what a test plants."""
    with stage.store.session.write() as connection:
        if connection.dialect.name == "sqlite":
            for name in list(
                connection.execute(sa.text("SELECT name FROM sqlite_master WHERE type='trigger'")).scalars()
            ):
                connection.execute(sa.text(f'DROP TRIGGER "{name}"'))
        else:
            for name in ("message", "inbox_event", "consent", "suppression", "log_entry"):
                connection.execute(sa.text(f"ALTER TABLE {name} DISABLE TRIGGER USER"))


def test_i16_redacted_evidence_holds_nothing_that_anybody_is_called_or_wrote(told: Told, tmp_path: Path) -> None:
    told.stage.event(EventKind.OPTED_OUT, told.person, text="STOP", address="+15035550142", channel=Channel.SMS)
    _open_tables(told.stage)
    _plant(told.stage, told.person, "S3cret-")
    _plant_in_documents(told.stage)
    open_page, page = tmp_path / "open.html", tmp_path / "redacted.html"

    packet = told.shop.done("evidence", "--person", "1", "--out", "-", "--redact").out
    told.shop.done("evidence", "--person", "1", "--out", page, "--redact")
    told.shop.done("evidence", "--person", "1", "--out", open_page)

    assert "s3cret" in open_page.read_text(encoding="utf-8").casefold()
    for text in (packet, page.read_text(encoding="utf-8")):
        assert "s3cret" not in text.casefold()
    kept = json.loads(packet)
    assert kept["redacted"] is True
    assert [each["id"] for each in kept["messages"]] == [1, 2, 3, 4]
    assert kept["messages"][0]["template"] != kept["messages"][1]["template"]
    assert kept["events"][0]["payload_hash"] == "ab" * 32
    assert kept["stops"][1]["changed"]["ended"][0]["state"] == "replied"
    assert [line["event"] for line in kept["log"]] == [line["event"] for line in packet_of(told)["log"]]
    assert kept["messages"][0]["tries"][0]["trace"][0]["answer"] == "pass"


def _plant_in_documents(stage: Stage) -> None:
    """What should never be there, and would be told by the guards' answers and the log's facts."""
    saw = {"guard": "goal", "answer": "pass", "saw": "is S3cret-person-status-1"}
    with stage.store.session.write() as connection:
        connection.execute(sa.update(t.message).values(trace=[saw]))
        connection.execute(
            sa.update(t.log_entry)
            .where(t.log_entry.c.id == 1)
            .values(
                actor="S3cret-log", facts={"S3": "S3cret-fact", "code": "S3cret", "why": "S3cret-person-first_name-1"}
            )
        )


def test_hostile_names_and_texts_are_only_text_on_the_page(told: Told, tmp_path: Path) -> None:
    plain = _page(told, tmp_path / "plain.html")
    _open_tables(told.stage)
    _plant(told.stage, told.person, HOSTILE)

    hostile = _page(told, tmp_path / "hostile.html")

    assert hostile.tags - {"bdi"} == plain.tags - {"bdi"}
    assert hostile.attributes == plain.attributes
    assert not hostile.tags & {"script", "img", "link", "iframe", "object"}
    assert 'alert("x")' in hostile.text
    raw = (tmp_path / "hostile.html").read_text(encoding="utf-8")
    assert "\u202e" not in raw
    assert "\u0007" not in raw
    assert "://" not in raw


def _page(told: Told, file: Path) -> _Page:
    told.shop.done("evidence", "--person", "1", "--out", file)
    return _Page(file.read_text(encoding="utf-8"))
