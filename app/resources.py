"""Where the files that ship with Stopwell lie: icons, starter journeys. Nothing is written there."""

from __future__ import annotations

from pathlib import Path

_APP = Path(__file__).resolve().parent
# A wheel (and a frozen build) carries the folder inside the package; a checkout keeps it beside `app`.
_HOMES = (_APP / "_resources", _APP.parent / "resources")


def resource_path(*parts: str) -> Path:
    """The path of a shipped file or folder, as `resource_path("icons", "app.svg")`.

    Raises FileNotFoundError when it isn't part of this installation.
    """
    for home in _HOMES:
        path = home.joinpath(*parts)
        if path.exists():
            return path
    raise FileNotFoundError(f"{'/'.join(parts)} is not part of this installation of Stopwell")
