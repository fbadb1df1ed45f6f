"""Is there a screen to draw on? Asked before the first line of Qt: without one Qt ends the process by a signal."""

from __future__ import annotations

from collections.abc import Mapping


def why_no_window(platform: str, env: Mapping[str, str]) -> str | None:
    """One line for the terminal when no window can open here; None when one can.

    `platform` is `sys.platform`, `env` the environment. Only on Linux and its like can a screen be missing.
    """
    if not platform.startswith(("linux", "freebsd", "openbsd", "netbsd")):
        return None
    if any(env.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")):
        return None
    return (
        "There is no screen here: neither DISPLAY nor WAYLAND_DISPLAY is set. "
        "The commands work without one: see `stopwell --help`."
    )
