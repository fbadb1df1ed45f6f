"""Save evidence…: by button and by key, with and without names, as a page and as data, and what is said if it fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from app.domain.ids import PersonId
from app.ui.people.person_page import PersonPage
from tests.ui.desks import LEFT, Front


@pytest.fixture
def stopped(front: Front) -> PersonPage:
    """The page of Ana, whom Dana has stopped."""
    ana, _ = front.lead()
    front.stage.run()
    front.desk.acts.stops.stop(ana, by="Dana")
    front.open()
    return front.open_page(ana)


def pick(page: PersonPage, qtbot: QtBot, file: Path, *, data: bool = False) -> None:
    """Enter in the panel, then choose a file in the picker."""
    QTest.keyClick(page.evidence_panel, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page.evidence_panel.findChild(QFileDialog) is not None)
    picker = page.evidence_panel.findChild(QFileDialog)
    assert picker is not None
    picker.selectNameFilter(picker.nameFilters()[1 if data else 0])
    picker.fileSelected.emit(str(file))
    picker.close()


def test_the_button_beside_the_four_facts_opens_the_panel_and_the_page_is_written(
    front: Front, stopped: PersonPage, qtbot: QtBot, tmp_path: Path
) -> None:
    front.press(stopped, f"Save evidence about {stopped.name}")
    assert stopped.evidence_panel.isVisible()
    assert QApplication.focusWidget() is stopped.evidence_panel.without_names

    pick(stopped, qtbot, tmp_path / "ana.html")

    bar = front.wait_for_bar("Saved: the evidence about Ana")
    assert str(tmp_path / "ana.html") in bar.spoken
    assert "1 stop. Only you can read the file." in bar.spoken
    told = (tmp_path / "ana.html").read_text(encoding="utf-8")
    assert told.lstrip().lower().startswith("<!doctype html>")
    assert "Ana" in told
    assert not stopped.evidence_panel.isVisible()


def test_e_opens_it_and_without_names_there_is_no_name_in_the_data(
    front: Front, stopped: PersonPage, qtbot: QtBot, tmp_path: Path
) -> None:
    stopped.body.setFocus()
    front.key("e")
    assert stopped.evidence_panel.isVisible()
    front.key(Qt.Key.Key_Space)
    assert stopped.evidence_panel.without_names.isChecked()

    pick(stopped, qtbot, tmp_path / "ana.json")

    bar = front.wait_for_bar("Saved: the evidence about Ana")
    assert "Names and addresses are left out." in bar.spoken
    text = (tmp_path / "ana.json").read_text(encoding="utf-8")
    assert json.loads(text)["format"] == "stopwell.evidence/1"
    assert "Ana" not in text
    assert "example.com" not in text


def test_a_name_without_an_ending_gets_that_of_its_kind(
    front: Front, stopped: PersonPage, qtbot: QtBot, tmp_path: Path
) -> None:
    stopped.body.setFocus()
    front.key("e")

    pick(stopped, qtbot, tmp_path / "packet", data=True)

    front.wait_for_bar("Saved")
    assert (tmp_path / "packet.json").exists()


def test_a_file_that_is_there_is_kept_and_the_bar_says_why(
    front: Front, stopped: PersonPage, qtbot: QtBot, tmp_path: Path
) -> None:
    there = tmp_path / "ana.html"
    there.write_text("mine", encoding="utf-8")
    stopped.body.setFocus()
    front.key("e")

    pick(stopped, qtbot, there)

    bar = front.wait_for_bar("was not saved.")
    assert "There is a file" in bar.spoken
    assert there.read_text(encoding="utf-8") == "mine"


def test_the_suggested_name_tells_nobody_who_it_is_about(front: Front, stopped: PersonPage, qtbot: QtBot) -> None:
    stopped.body.setFocus()
    front.key("e")
    QTest.keyClick(stopped.evidence_panel, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: stopped.evidence_panel.findChild(QFileDialog) is not None)
    picker = stopped.evidence_panel.findChild(QFileDialog)
    assert picker is not None
    (suggested,) = picker.selectedFiles()
    picker.close()

    assert Path(suggested).name == f"evidence-person-{stopped.person_id}-2026-03-02.html"


def test_esc_closes_it_and_nothing_is_written(front: Front, stopped: PersonPage) -> None:
    stopped.body.setFocus()
    front.key("e")
    front.key(Qt.Key.Key_Escape)

    assert not stopped.evidence_panel.isVisible()
    assert QApplication.focusWidget() is stopped.body


def test_somebody_whom_nobody_stopped_has_the_button_under_details(front: Front, qtbot: QtBot) -> None:
    ana: PersonId
    ana, _ = front.lead()
    front.open()
    page = front.open_page(ana)

    QTest.mouseClick(front.button(page, f"Save evidence about {page.name}"), LEFT)

    assert page.evidence_panel.isVisible()
