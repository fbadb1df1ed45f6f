"""What the window remembers from one start to the next: an ini file in the data folder, never the registry."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings
from PySide6.QtWidgets import QSplitter, QWidget


class WindowMemory:
    """Size, place, section and splitters, in the ini file at `path`. A file that can't be read is as good as none."""

    def __init__(self, path: Path) -> None:
        self._ini = QSettings(str(path), QSettings.Format.IniFormat)

    def keep_window(self, window: QWidget) -> None:
        """Notes size and place."""
        self._ini.setValue("window/geometry", window.saveGeometry())

    def restore_window(self, window: QWidget) -> bool:
        """Puts the window where it was, if that screen is still there. False when nothing was noted."""
        return self._restore("window/geometry", window.restoreGeometry)

    def keep_splitter(self, key: str, splitter: QSplitter) -> None:
        """Notes where a splitter stands."""
        self._ini.setValue(f"splitter/{key}", splitter.saveState())

    def restore_splitter(self, key: str, splitter: QSplitter) -> bool:
        """Puts a splitter where it stood. False when nothing was noted."""
        return self._restore(f"splitter/{key}", splitter.restoreState)

    def keep_text(self, key: str, text: str) -> None:
        """Notes a word: the section, a filter."""
        self._ini.setValue(f"text/{key}", text)

    def text(self, key: str, default: str = "") -> str:
        """A word noted before."""
        value = self._ini.value(f"text/{key}", default)
        return value if isinstance(value, str) else default

    def write(self) -> None:
        """Writes the file now."""
        self._ini.sync()

    def _restore(self, key: str, restore: Callable[[QByteArray], bool]) -> bool:
        value = self._ini.value(key)
        return isinstance(value, QByteArray) and restore(value)
