"""The look in force: theme, text size, fonts and icons in one value that every widget is given. No global."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QFontMetrics, QGuiApplication, QIcon, QPalette, QPixmap
from PySide6.QtWidgets import QApplication, QStyle, QStyleFactory

from app.ui.fonts import Fonts
from app.ui.icons import Icon, Icons
from app.ui.measures import TEXT_SIZES, Type
from app.ui.qss import qss
from app.ui.theme import DARK, LIGHT, Theme, Tone, Tones, high_contrast, palette, tones

_KEPT_TEXTS = 4096  # elided strings: some hundred rows of eight cells


class ThemeChoice(StrEnum):
    """What staff chose in Settings."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class Look(QObject):
    """Colours, fonts and icons at one theme and text size.

    `changed` fires after either changed: repaint and measure again.
    `motion` False switches the one animation (bars that come and go) off, whatever the system says.
    """

    changed = Signal()

    def __init__(self, theme: Theme = LIGHT, text_percent: int = 100, *, motion: bool = True) -> None:
        super().__init__()
        self.theme = theme
        self._motion = motion
        self._fonts = Fonts(text_percent / 100)
        self._icons = Icons()
        self._colours: dict[str, QColor] = {}
        self._elided: dict[tuple[str, Type, int, bool, int], str] = {}
        self._app: QApplication | None = None
        self._choice = ThemeChoice.SYSTEM
        self._follows = False
        self._system = QPalette()

    # the three choices ------------------------------------------------------------------------------------------------

    def set_theme(self, theme: Theme) -> None:
        """Puts a theme in force, at once and everywhere."""
        if theme != self.theme:
            self.theme = theme
            self._put_in_force()

    def set_text_percent(self, percent: int) -> None:
        """Sets the text size, one of TEXT_SIZES. Raises ValueError for another."""
        if percent not in TEXT_SIZES:
            raise ValueError(f"text size is one of {TEXT_SIZES}, not {percent}")
        if percent != self.text_percent:
            self._fonts = Fonts(percent / 100)
            self._elided.clear()
            self._put_in_force()

    @property
    def text_percent(self) -> int:
        """The text size in percent."""
        return round(self._fonts.scale * 100)

    def apply_to(self, app: QApplication) -> None:
        """Dresses the application: Fusion, our palette, font and style sheet. Once, before the first window."""
        self._system = QPalette(app.palette())
        self._app = app
        fusion = QStyleFactory.create("Fusion")
        if fusion is not None:
            app.setStyle(fusion)
        self._put_in_force()

    def choose(self, choice: ThemeChoice) -> None:
        """Follows the setting; with SYSTEM also the system, as it changes, where it says anything. After `apply_to`."""
        if not self._follows:
            QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)
            self._follows = True
        self._choice = choice
        self._follow_system()

    @Slot()
    def _follow_system(self) -> None:
        hints = QGuiApplication.styleHints()
        if hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast:
            self.set_theme(high_contrast(self._system))
            return
        match self._choice:
            case ThemeChoice.LIGHT:
                self.set_theme(LIGHT)
            case ThemeChoice.DARK:
                self.set_theme(DARK)
            case ThemeChoice.SYSTEM:
                scheme = hints.colorScheme()
                if scheme != Qt.ColorScheme.Unknown:  # what offscreen and a bare X11 say: keep what is there
                    self.set_theme(DARK if scheme == Qt.ColorScheme.Dark else LIGHT)

    def _put_in_force(self) -> None:
        if self._app is not None:
            self._app.setPalette(palette(self.theme))
            self._app.setFont(self.font(Type.BODY))
            self._app.setStyleSheet(qss(self.theme, self._fonts.scale))
        self.changed.emit()

    # what widgets ask -------------------------------------------------------------------------------------------------

    def px(self, at_100: int) -> int:
        """A length that grows with the text size."""
        return round(at_100 * self._fonts.scale)

    def font(self, type_: Type, weight: int = 0, tabular: bool = False) -> QFont:
        """A font of the type scale; `weight` 0 keeps the scale's own."""
        return self._fonts.font(type_, weight, tabular)

    def metrics(self, type_: Type, weight: int = 0, tabular: bool = False) -> QFontMetrics:
        """What that font measures."""
        return self._fonts.metrics(type_, weight, tabular)

    def colour(self, token: str) -> QColor:
        """A token's value as a QColor, made once."""
        made = self._colours.get(token)
        if made is None:
            made = QColor(token)
            self._colours[token] = made
        return made

    def tones(self, tone: Tone) -> Tones:
        """Ink, soft ground and edge of a tone."""
        return tones(self.theme, tone)

    def pixmap(self, name: Icon, colour: str, px: int, ratio: float = 1.0, knockout: str = "") -> QPixmap:
        """An icon as a picture; `px` is not scaled here."""
        return self._icons.pixmap(name, colour, px, ratio, knockout or self.theme.surface)

    def icon(self, name: Icon, colour: str = "", px: int = 16) -> QIcon:
        """An icon for Qt's own menus and actions, in `text2` unless told."""
        return self._icons.icon(name, colour or self.theme.text2, px, self.theme.surface)

    def elided(self, words: str, width: int, type_: Type, weight: int = 0, tabular: bool = False) -> str:
        """The words, cut at the end with an ellipsis if they are wider than `width` px. Kept, for the next repaint."""
        key = (words, type_, weight, tabular, width)
        found = self._elided.get(key)
        if found is None:
            if len(self._elided) >= _KEPT_TEXTS:
                self._elided.clear()
            metrics = self.metrics(type_, weight, tabular)
            found = metrics.elidedText(words, Qt.TextElideMode.ElideRight, width)
            self._elided[key] = found
        return found

    @property
    def moves(self) -> bool:
        """Whether bars may glide: not when the system asks for less motion."""
        style = QApplication.style()
        return self._motion and style.styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) > 0
