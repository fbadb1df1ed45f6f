"""The tokens: contrast in both themes, colours in one file only, sizes of the type scale."""

from __future__ import annotations

import re
from dataclasses import fields

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.ui.look import Look, ThemeChoice
from app.ui.measures import TEXT_SIZES, Type
from app.ui.qss import qss
from app.ui.theme import DARK, LIGHT, Theme, Tone, high_contrast, palette, tones
from tests.house.tree import ROOT

GROUNDS = ("bg", "surface", "raised", "rail", "sunken", "hover", "selected")
SOFTS = ("stop_soft", "ok_soft", "warn_soft", "info_soft", "plum_soft", "sand_soft", "grey_soft")
TEXTS = ("text", "text2", "text3", "accent")
FILLS = ("accent_fill", "accent_fill_hover", "stop_fill", "stop_fill_hover")
HEX = re.compile(r"#[0-9A-Fa-f]{6}\b")

both = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)


def luminance(token: str) -> float:
    """Relative luminance (WCAG 2.2)."""
    parts = [int(token[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast of two colours, 1 to 21 (WCAG 2.2)."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def worst(theme: Theme, ink: str, grounds: tuple[str, ...]) -> float:
    """The least contrast of an ink over grounds."""
    return min(contrast(getattr(theme, ink), getattr(theme, ground)) for ground in grounds)


def test_contrast_is_counted_as_the_standard_does() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


@both
@pytest.mark.parametrize("ink", TEXTS)
def test_text_can_be_read_on_every_ground(theme: Theme, ink: str) -> None:
    assert worst(theme, ink, GROUNDS + SOFTS) >= 4.5


@both
@pytest.mark.parametrize("tone", list(Tone), ids=lambda tone: tone.name)
def test_the_ink_of_a_tone_can_be_read_on_its_soft_ground_and_on_rows(theme: Theme, tone: Tone) -> None:
    made = tones(theme, tone)
    grounds = [made.soft, *(getattr(theme, ground) for ground in GROUNDS)]
    assert min(contrast(made.ink, ground) for ground in grounds) >= 4.5


@both
@pytest.mark.parametrize("fill", FILLS)
def test_words_on_a_filled_button_can_be_read(theme: Theme, fill: str) -> None:
    assert contrast(theme.on_fill, getattr(theme, fill)) >= 4.5


@both
@pytest.mark.parametrize("edge", ["control", "focus"])
def test_edges_of_fields_and_the_focus_ring_can_be_seen_on_every_ground(theme: Theme, edge: str) -> None:
    assert worst(theme, edge, GROUNDS + SOFTS) >= 3.0


@both
def test_the_style_sheet_holds_tokens_only(theme: Theme) -> None:
    tokens = {getattr(theme, field.name) for field in fields(theme)}
    assert set(HEX.findall(qss(theme))) <= tokens


def test_no_colour_is_written_outside_the_theme() -> None:
    holders = {path.name for path in (ROOT / "app").rglob("*.py") if HEX.search(path.read_text(encoding="utf-8"))}
    assert holders == {"theme.py"}


def test_light_and_dark_have_the_same_tokens_and_every_one_is_a_colour() -> None:
    for theme in (LIGHT, DARK):
        for field in fields(theme):
            if field.type == "str" and field.name != "name":
                assert HEX.fullmatch(getattr(theme, field.name)), field.name


@both
def test_the_palette_is_the_themes(theme: Theme) -> None:
    made = palette(theme)
    assert made.color(QPalette.ColorRole.Window) == QColor(theme.bg)
    assert made.color(QPalette.ColorRole.Text) == QColor(theme.text)
    assert made.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text) == QColor(theme.text3)


def test_high_contrast_takes_the_systems_colours_and_wider_edges() -> None:
    system = QPalette()
    system.setColor(QPalette.ColorRole.Base, QColor(Qt.GlobalColor.black))
    system.setColor(QPalette.ColorRole.Text, QColor(Qt.GlobalColor.yellow))
    made = high_contrast(system)
    assert (made.bg, made.stop_soft, made.text, made.line) == ("#000000", "#000000", "#ffff00", "#ffff00")
    assert made.dark
    assert made.edge_px == 2
    assert "border: 2px solid #ffff00" in qss(made)


def test_the_smallest_letters_are_12_px() -> None:
    assert min(type_.value.px for type_ in Type) == 12
    assert Type.BODY.value[:2] == (14, 20)


@pytest.mark.parametrize("percent", TEXT_SIZES)
def test_letters_grow_with_the_text_size(qapp: QApplication, percent: int) -> None:
    look = Look(LIGHT, percent)
    assert look.font(Type.BODY).pixelSize() == round(14 * percent / 100)
    assert f"font-size: {round(22 * percent / 100)}px" in qss(LIGHT, percent / 100)


def test_digits_line_up_where_asked(look: Look) -> None:
    assert look.font(Type.SECOND, 0, True).isFeatureSet(QFont.Tag("tnum"))
    assert not look.font(Type.SECOND).isFeatureSet(QFont.Tag("tnum"))


def test_a_change_of_theme_is_told_and_reaches_the_application(look: Look, qapp: QApplication, qtbot: QtBot) -> None:
    with qtbot.waitSignal(look.changed):
        look.choose(ThemeChoice.DARK)
    assert look.theme is DARK
    assert qapp.palette().color(QPalette.ColorRole.Window) == QColor(DARK.bg)
    assert DARK.surface in qapp.styleSheet()


def test_a_system_that_says_nothing_of_its_scheme_changes_nothing(look: Look) -> None:
    assert QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Unknown
    look.set_theme(DARK)
    look.choose(ThemeChoice.SYSTEM)
    assert look.theme is DARK


def test_a_text_size_that_is_not_offered_is_refused(look: Look) -> None:
    with pytest.raises(ValueError, match="one of"):
        look.set_text_percent(120)


def test_elided_words_are_cut_at_the_end_and_kept(look: Look) -> None:
    cut = look.elided("Samuel Adeyemi", 60, Type.BODY)
    assert cut.endswith("…")
    assert cut.startswith("Sam")
    assert look.elided("Samuel Adeyemi", 60, Type.BODY) is cut
