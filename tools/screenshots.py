"""Takes a picture of every screen, light and dark, in three sizes: `python tools/screenshots.py FOLDER [WORD]`.

With WORD only of those whose name holds it. Screens of the made-up practice are taken from a real database.
Needs no screen. The pictures are for people to look at before an issue closes; nothing compares them byte by byte.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SIZES = ((1280, 800), (1920, 1080), (960, 600))
_SCREEN = {
    "screens": [
        {"name": "s", "x": 0, "y": 0, "width": 1920, "height": 1080, "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}
    ]
}


def main(arguments: list[str]) -> int:
    """Writes the pictures into the folder given, `screenshots` if none is. 0 when all were written."""
    folder = Path(arguments[0] if arguments else "screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="stopwell-screenshots-") as own:
        # Before Qt starts: the offscreen screen is 800 × 800 by itself.
        config = Path(own, "screen.json")
        config.write_text(json.dumps(_SCREEN), encoding="utf-8")
        os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={config}"
        sys.path.insert(0, str(ROOT))
        return _take_all(folder, Path(own), arguments[1] if len(arguments) > 1 else "")


def _take_all(folder: Path, own: Path, word: str) -> int:
    from PySide6.QtGui import QPixmap
    from PySide6.QtWidgets import QApplication, QWidget

    from app.ui.look import Look
    from app.ui.theme import DARK, LIGHT
    from tools import component_sheet, practice_screens
    from tools import screen_samples as samples

    app = QApplication([])
    screens: dict[str, Callable[[Look], QWidget]] = {
        "components": component_sheet.sheet,
        "people": lambda look: samples.frame(look, own, "people", bars=(samples.ERROR_BAR, samples.STOP_BAR)),
        "queue": lambda look: samples.frame(look, own, "queue", samples.PAUSED),
        "today": lambda look: samples.frame(look, own, "today", samples.BROKEN),
        "keys": lambda look: samples.keys(look, own),
    }
    made = {name: make for name, make in screens.items() if word in name}
    practice = [name for name in practice_screens.SCENES if word in name]
    wrong: list[str] = []
    for theme in (LIGHT, DARK):
        look = Look(theme, motion=False)
        look.apply_to(app)
        for size in SIZES:

            def save(name: str, picture: QPixmap, tail: str = f"{theme.name}-{size[0]}x{size[1]}.png") -> None:
                file = folder / f"{name}-{tail}"
                if not picture.save(str(file)):
                    wrong.append(str(file))

            for name, make in made.items():
                Path(own, "window.ini").unlink(missing_ok=True)
                window = make(look)
                window.resize(*size)
                window.show()
                app.processEvents()
                save(name, window.grab())
                window.close()
                window.deleteLater()
            practice_screens.take(look, own, size, practice, save)
    for lost in wrong:
        print(f"could not write {lost}", file=sys.stderr)
    print(f"{(len(made) + len(practice)) * 2 * len(SIZES) - len(wrong)} pictures in {folder}")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
