"""Fonts: the system's own family at the sizes of the type scale, each made once."""

from __future__ import annotations

from PySide6.QtGui import QFont, QFontDatabase, QFontMetrics

from app.ui.measures import Type

_Key = tuple[Type, int, bool]


class Fonts:
    """The fonts of one text size; `scale` 1.0 is 100 %. Needs a QGuiApplication."""

    def __init__(self, scale: float = 1.0) -> None:
        self.scale = scale
        self._system = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
        self._fonts: dict[_Key, QFont] = {}
        self._metrics: dict[_Key, QFontMetrics] = {}

    def font(self, type_: Type, weight: int = 0, tabular: bool = False) -> QFont:
        """The font of a step of the scale. `weight` 0 keeps the step's own; `tabular` lines digits up."""
        key = (type_, weight, tabular)
        made = self._fonts.get(key)
        if made is None:
            made = QFont(self._system)
            made.setPixelSize(round(type_.value.px * self.scale))
            made.setWeight(QFont.Weight(weight or type_.value.weight))
            if tabular:
                made.setFeature(QFont.Tag("tnum"), 1)
            self._fonts[key] = made
        return made

    def metrics(self, type_: Type, weight: int = 0, tabular: bool = False) -> QFontMetrics:
        """What that font measures."""
        key = (type_, weight, tabular)
        made = self._metrics.get(key)
        if made is None:
            made = QFontMetrics(self.font(type_, weight, tabular))
            self._metrics[key] = made
        return made
