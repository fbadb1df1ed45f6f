"""The parts: chips, buttons, Stop, filters, fields, the ring."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QLineEdit,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.ui.components.button_paint import ButtonFace, ButtonKind, ButtonSize, button_size
from app.ui.components.buttons import Button, StopButton, StopLook, plain_button, tool_button
from app.ui.components.checks import CheckBox, RadioButton, Switch
from app.ui.components.chips import LOOKS, Chip, ChipKind, ChipLabel, Shape, chip_size, paint_chip
from app.ui.components.empty_state import EmptyState
from app.ui.components.fields import LabelledField, SearchField, Select, as_field
from app.ui.components.flow import FlowLayout
from app.ui.components.labels import ElidedLabel, Run, label, plain_words, rich_label, rich_words
from app.ui.components.loading_line import LoadingLine
from app.ui.components.paint import key_caption
from app.ui.components.segments import FilterChips, Segment, Segmented
from app.ui.components.state_words import hold_chip, state_chip, state_word
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Height
from app.ui.theme import Tone

LEFT = Qt.MouseButton.LeftButton
LIVE = (ChipKind.ACTIVE, ChipKind.PAUSED, ChipKind.WITH_STAFF)
ENDS = (
    ChipKind.REPLIED,
    ChipKind.CONVERTED,
    ChipKind.OPTED_OUT,
    ChipKind.EXHAUSTED,
    ChipKind.SUPPRESSED,
    ChipKind.STOPPED,
    ChipKind.CLOSED,
)
MESSAGES = tuple(ChipKind)[list(ChipKind).index(ChipKind.QUEUED) : list(ChipKind).index(ChipKind.TAG)]


# chips ----------------------------------------------------------------------------------------------------------------


def test_every_state_has_a_shape_and_a_word() -> None:
    assert set(LOOKS) == set(ChipKind)
    assert all(state_word(kind) for kind in ChipKind)
    assert all(LOOKS[kind].icon for kind in ChipKind if kind is not ChipKind.TAG)


def test_what_runs_is_outlined_what_ended_is_filled_what_is_held_is_dashed_and_messages_have_no_box() -> None:
    assert {LOOKS[kind].shape for kind in LIVE} == {Shape.OUTLINE}
    assert {LOOKS[kind].shape for kind in ENDS} == {Shape.FILLED}
    assert LOOKS[ChipKind.HELD].shape is Shape.DASHED
    assert {LOOKS[kind].shape for kind in MESSAGES} == {Shape.BARE}


def test_the_ends_differ_by_shape_and_an_opt_out_by_its_edge() -> None:
    assert len({LOOKS[kind].icon for kind in ENDS}) == len(ENDS)
    assert [kind for kind in ENDS if LOOKS[kind].edged] == [ChipKind.OPTED_OUT]


def test_red_is_for_stops_opt_outs_and_errors_alone() -> None:
    red = {kind for kind in ChipKind if LOOKS[kind].tone is Tone.STOP}
    assert red == {ChipKind.OPTED_OUT, ChipKind.STOPPED, ChipKind.FAILED, ChipKind.NO}


def test_a_chip_keeps_its_shape_when_there_is_little_room(look: Look) -> None:
    chip = hold_chip("Opens Tue 9:00 AM PST")
    pixmap = QPixmap(300, 40)
    painter = QPainter(pixmap)
    whole = paint_chip(painter, look, QRect(0, 0, 300, 40), chip)
    cut = paint_chip(painter, look, QRect(0, 0, 90, 40), chip)
    painter.end()
    assert whole.size() == chip_size(look, chip)
    assert (cut.width(), cut.height()) == (90, Height.CHIP)


def test_a_chip_is_read_as_words_with_its_detail(look: Look, qtbot: QtBot) -> None:
    made = ChipLabel(look, state_chip(ChipKind.SUPPRESSED, detail="The number is disconnected."))
    qtbot.addWidget(made)
    assert made.accessibleName() == "Suppressed, The number is disconnected."
    assert made.toolTip() == "The number is disconnected."
    made.show_chip(Chip(ChipKind.CONVERTED, "Paid"))
    assert (made.accessibleName(), made.toolTip()) == ("Paid", "")


def test_a_hold_shows_what_holds_it() -> None:
    assert hold_chip("Texts paused", Icon.KEY).icon is Icon.KEY
    assert hold_chip("Opens Tue 9:00 AM PST").icon is None


# buttons --------------------------------------------------------------------------------------------------------------


def test_a_button_without_words_needs_a_name(look: Look, qtbot: QtBot) -> None:
    with pytest.raises(ValueError, match="needs a name"):
        Button(look, ButtonFace("", Icon.X))
    made = tool_button(look, Icon.X, "Close")
    qtbot.addWidget(made)
    assert (made.accessibleName(), made.toolTip()) == ("Close", "Close")


def test_buttons_have_their_heights_and_are_no_smaller_than_32(look: Look) -> None:
    high = {size: button_size(look, ButtonFace("Open", size=size)).height() for size in ButtonSize}
    assert high == {ButtonSize.NORMAL: 36, ButtonSize.ROW: 32, ButtonSize.BIG: 44}
    small = button_size(look, ButtonFace("", Icon.X, size=ButtonSize.ROW))
    assert (small.width(), small.height()) == (32, 32)


def test_a_button_that_is_off_keeps_its_place_and_says_why(look: Look, qtbot: QtBot) -> None:
    made = plain_button(look, "Publish", Icon.CHECK, key="P")
    qtbot.addWidget(made)
    size = made.sizeHint()
    made.set_off("Two steps lead back to each other.")
    assert (made.isEnabled(), made.toolTip()) == (False, "Two steps lead back to each other.")
    assert made.accessibleDescription() == "Two steps lead back to each other."
    assert made.sizeHint() == size
    made.set_on()
    assert (made.isEnabled(), made.toolTip(), made.accessibleDescription()) == (True, "", "Key P")


def test_stop_says_whom_and_has_four_looks(look: Look, qtbot: QtBot) -> None:
    made = StopButton(look, "Maria Delgado", StopLook.BIG, key="S")
    qtbot.addWidget(made)
    assert made.accessibleName() == "Stop all follow-up for Maria Delgado"
    assert made.sizeHint().height() == Height.PERSON_CONTROL
    seen = {made.face.kind: made.face.icon}
    for stop in (StopLook.CHOSEN, StopLook.ROW, StopLook.QUIET):
        made.show_stop(stop, "Priya Raman")
        seen[made.face.kind] = made.face.icon
    assert seen == {
        ButtonKind.STOP_BIG: Icon.STATE_STOPPED,
        ButtonKind.STOP_CHOSEN: Icon.STATE_STOPPED,
        ButtonKind.STOP_ROW: Icon.STOP_O,
        ButtonKind.STOP_QUIET: Icon.STOP_O,
    }
    assert made.accessibleName() == "Stop all follow-up for Priya Raman"


def test_stop_works_while_nothing_is_running(look: Look, qtbot: QtBot) -> None:
    made = StopButton(look, "Ruth Abernathy", StopLook.QUIET)
    qtbot.addWidget(made)
    with qtbot.waitSignal(made.clicked):
        QTest.mouseClick(made, LEFT)


def test_choosing_a_row_does_not_move_its_stop(look: Look) -> None:
    widths = {
        button_size(look, ButtonFace("Stop", Icon.STOP_O, kind, ButtonSize.ROW)).width()
        for kind in (ButtonKind.STOP_CHOSEN, ButtonKind.STOP_ROW, ButtonKind.STOP_QUIET)
    }
    assert len(widths) == 1


def test_a_key_cap_says_what_the_keyboard_says() -> None:
    assert [key_caption(key) for key in ("S", "Return", "Up", "1…5")] == ["S", "Enter", "↑", "1…5"]


# words ----------------------------------------------------------------------------------------------------------------


def test_words_from_outside_are_never_read_as_markup(look: Look, qtbot: QtBot) -> None:
    runs = (Run("<b>Bob</b> & ", True), Run("said", link='a"b'))
    assert "&lt;b&gt;Bob&lt;/b&gt; &amp; " in rich_words(runs)
    assert 'href="a&quot;b"' in rich_words(runs)
    assert plain_words(runs) == "<b>Bob</b> & said"
    made = label("<b>Bob</b>")
    qtbot.addWidget(made)
    assert made.textFormat() == Qt.TextFormat.PlainText


def test_a_sentence_is_read_without_its_markup(look: Look, qtbot: QtBot) -> None:
    made = rich_label((Run("Cancelled 1:", True), Run(" text “Nudge”.")))
    qtbot.addWidget(made)
    assert made.accessibleName() == "Cancelled 1: text “Nudge”."


def test_words_that_were_cut_stand_in_the_tooltip(look: Look, qtbot: QtBot) -> None:
    made = ElidedLabel(look, "by Dana since 10:20 AM PST")
    qtbot.addWidget(made)
    made.resize(60, 18)
    made.grab()
    assert made.toolTip() == "by Dana since 10:20 AM PST"
    made.resize(400, 18)
    made.grab()
    assert made.toolTip() == ""


# filters and fields ---------------------------------------------------------------------------------------------------

SEGMENTS = (Segment("all", "All"), Segment("replies", "Replies", "4"), Segment("calls", "Calls", "3"))


@pytest.mark.parametrize("kind", [Segmented, FilterChips])
def test_one_filter_is_chosen_by_mouse_or_arrows(
    look: Look, qtbot: QtBot, kind: type[Segmented] | type[FilterChips]
) -> None:
    made = kind(look, SEGMENTS, "all", name="Show")
    qtbot.addWidget(made)
    made.show()
    with qtbot.waitSignal(made.chosen) as told:
        QTest.mouseClick(made.toggles()[1], LEFT)
    assert told.args == ["replies"]
    assert made.chosen_key == "replies"
    with qtbot.waitSignal(made.chosen) as told:
        QTest.keyClick(made.toggles()[1], Qt.Key.Key_Right)
        QTest.keyClick(made.toggles()[2], Qt.Key.Key_Space)
    assert made.chosen_key == "calls"


def test_new_counts_keep_the_choice_and_the_focus_and_tell_nobody(look: Look, qtbot: QtBot) -> None:
    made = FilterChips(look, SEGMENTS, "replies", name="Show")
    qtbot.addWidget(made)
    made.show()
    before = made.toggles()
    with qtbot.assertNotEmitted(made.chosen):
        made.show_segments((SEGMENTS[0], Segment("replies", "Replies", "5"), SEGMENTS[2]), "replies")
    assert made.toggles() == before
    assert before[1].accessibleName() == "Replies, 5"


def test_esc_empties_the_search_field_first(look: Look, qtbot: QtBot) -> None:
    made = SearchField(look, "Name, phone, email")
    qtbot.addWidget(made)
    QTest.keyClicks(made, "hutchens")
    QTest.keyClick(made, Qt.Key.Key_Escape)
    assert made.text() == ""
    assert made.accessibleName() == "Name, phone, email"


def test_a_field_says_what_is_wrong_in_words_and_takes_it_back(look: Look, qtbot: QtBot) -> None:
    field = QLineEdit()
    made = LabelledField(look, "Phone", field, "With the area code.")
    qtbot.addWidget(made)
    made.set_error("A number has 10 digits.")
    assert field.property("wrong")
    assert field.accessibleDescription() == "A number has 10 digits."
    made.set_error("")
    assert not field.property("wrong")
    assert (field.accessibleName(), field.accessibleDescription()) == ("Phone", "With the area code.")


def test_boxes_and_switches_can_be_hit_on_32_px(look: Look, qtbot: QtBot) -> None:
    for made in (CheckBox(look, name="Choose"), RadioButton(look, "Bend"), Switch(look, name="Tray")):
        qtbot.addWidget(made)
        made.resize(made.sizeHint())
        assert made.width() >= 32
        assert made.height() >= 32
        QTest.mouseClick(made, LEFT, pos=QPoint(made.width() - 2, 2))
        assert made.isChecked()
        assert made.accessibleName()


def test_a_drop_down_is_as_wide_as_its_widest_item(look: Look, qtbot: QtBot) -> None:
    made = Select(look, name="How")
    qtbot.addWidget(made)
    made.addItem("By phone")
    narrow = made.sizeHint().width()
    made.addItem("In person, at the front desk")
    assert made.sizeHint().width() > narrow


def test_a_number_field_has_room_for_its_number(look: Look, qtbot: QtBot) -> None:
    made = QSpinBox()
    qtbot.addWidget(made)
    as_field(made)
    made.resize(200, 36)
    made.show()
    assert made.lineEdit().width() > 150


def test_a_row_of_buttons_wraps_when_there_is_no_room(look: Look, qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    flow = FlowLayout(8, page)
    for words in ("Booked", "Hold…", "Opt out…"):
        flow.addWidget(plain_button(look, words))
    one = flow.heightForWidth(flow.sizeHint().width())
    assert one == Height.CONTROL
    assert flow.heightForWidth(flow.sizeHint().width() - 1) == 2 * Height.CONTROL + 8


def test_the_line_under_the_head_shows_only_when_reading_is_slow(look: Look, qtbot: QtBot) -> None:
    made = LoadingLine(look)
    qtbot.addWidget(made)
    made.begin()
    assert not made.lit
    made.end()
    assert not made.lit
    made.begin()
    qtbot.waitUntil(lambda: made.lit)
    made.end()
    assert (made.lit, made.height()) == (False, 2)


def test_a_link_in_an_empty_state_can_be_pressed(look: Look, qtbot: QtBot) -> None:
    made = EmptyState(look, Icon.SEARCH, "Nobody", (Run("Close: "), Run("Dale Hutchins", True, "person:3")))
    qtbot.addWidget(made)
    with qtbot.waitSignal(made.link_pressed) as told:
        made.findChildren(type(label()))[-1].linkActivated.emit("person:3")
    assert told.args == ["person:3"]


# every one ------------------------------------------------------------------------------------------------------------


def every_button(look: Look) -> Sequence[Button]:
    """One of each kind and size."""
    return [
        Button(look, ButtonFace("Start again…", Icon.AGAIN, kind, size, "A"))
        for kind in ButtonKind
        for size in ButtonSize
    ]


@pytest.mark.parametrize("percent", [100, 115, 130])
def test_no_words_of_a_button_are_cut_at_its_own_size(look: Look, qtbot: QtBot, percent: int) -> None:
    look.set_text_percent(percent)
    for button in every_button(look):
        qtbot.addWidget(button)
        button.resize(button.sizeHint())
        button.grab()
    kept = look._elided  # what was painted, as it was painted
    assert not [words for words in kept.values() if words.endswith("…") and words != "Start again…"]
