"""The icons: one file a shape, drawn in the colour asked for, kept."""

from __future__ import annotations

import re
from xml.etree import ElementTree as Xml

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication

from app import resources
from app.resources import resource_path
from app.ui.icons import Icon, Icons, app_icon
from app.ui.theme import LIGHT

SHAPES = {path.stem: path for path in resource_path("icons").glob("*.svg")}


def test_every_shape_has_its_file_and_every_file_its_shape() -> None:
    assert {icon.value for icon in Icon} == set(SHAPES) - {"app"}


@pytest.mark.parametrize("icon", list(Icon))
def test_a_shape_is_drawn_on_the_grid_in_one_colour(icon: Icon) -> None:
    text = SHAPES[icon].read_text(encoding="utf-8")
    root = Xml.fromstring(text)
    assert root.get("viewBox") == "0 0 20 20"
    assert (root.get("stroke"), root.get("stroke-width")) == ("currentColor", "1.6")
    assert not re.search(r"#[0-9A-Fa-f]{3,}", text)


@pytest.mark.parametrize("icon", list(Icon))
def test_every_shape_can_be_drawn(qapp: QApplication, icon: Icon) -> None:
    image = Icons().pixmap(icon, LIGHT.stop, 20).toImage()
    inked = [(x, y) for x in range(20) for y in range(20) if image.pixelColor(x, y).alpha() > 128]
    assert inked


def test_a_shape_takes_its_colour_and_its_knock_out(qapp: QApplication) -> None:
    image = Icons().pixmap(Icon.STATE_CONVERTED, LIGHT.ok, 20, 4.0, LIGHT.ok_soft).toImage()
    assert image.pixelColor(40, 14).name().upper() == LIGHT.ok
    assert image.pixelColor(36, 52).name().upper() == LIGHT.ok_soft


def test_a_drawing_is_made_once_for_a_colour_a_size_and_a_screen(qapp: QApplication) -> None:
    icons = Icons()
    first = icons.pixmap(Icon.STOP_O, LIGHT.stop, 16, 2.0)
    assert icons.pixmap(Icon.STOP_O, LIGHT.stop, 16, 2.0).cacheKey() == first.cacheKey()
    assert icons.pixmap(Icon.STOP_O, LIGHT.text2, 16, 2.0).cacheKey() != first.cacheKey()
    assert (first.width(), first.devicePixelRatio()) == (32, 2.0)


def test_an_icon_for_menus_is_sharp_on_both_screens(qapp: QApplication) -> None:
    icon = Icons().icon(Icon.KEY, LIGHT.text2, 16)
    for ratio in (1.0, 2.0):
        drawn = icon.pixmap(QSize(16, 16), ratio)
        assert (drawn.width(), drawn.devicePixelRatio()) == (16 * ratio, ratio)


def test_the_mark_of_the_app_is_there(qapp: QApplication) -> None:
    assert not app_icon().pixmap(32).isNull()


def test_a_file_that_is_not_shipped_is_named() -> None:
    with pytest.raises(FileNotFoundError, match=r"icons/none\.svg"):
        resource_path("icons", "none.svg")


def test_files_are_found_in_a_checkout() -> None:
    assert resource_path("icons", "app.svg").is_file()
    assert resources.resource_path("icons").is_dir()
