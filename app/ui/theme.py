"""The colours: every token, light and dark, and the palette made from them. No other file of `app` holds a colour."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from PySide6.QtGui import QColor, QPalette


@dataclass(frozen=True, slots=True)
class Theme:
    """The colour tokens, each as `#RRGGBB`. `edge_px` is the width of lines and edges."""

    name: str
    dark: bool
    bg: str
    surface: str
    raised: str
    rail: str
    sunken: str
    hover: str
    selected: str
    text: str
    text2: str
    text3: str
    line: str
    line_strong: str
    control: str
    accent: str
    focus: str
    accent_fill: str
    accent_fill_hover: str
    on_fill: str
    stop: str
    stop_fill: str
    stop_fill_hover: str
    stop_soft: str
    stop_line: str
    ok: str
    ok_soft: str
    ok_line: str
    warn: str
    warn_soft: str
    warn_line: str
    info: str
    info_soft: str
    info_line: str
    plum: str
    plum_soft: str
    plum_line: str
    sand: str
    sand_soft: str
    sand_line: str
    grey: str
    grey_soft: str
    grey_line: str
    shadow: str = "#000000"
    edge_px: int = 1

    @property
    def accent_soft(self) -> str:
        """The ground of what is chosen, under its other name."""
        return self.selected


LIGHT = Theme(
    name="light",
    dark=False,
    bg="#F4F5F4",
    surface="#FFFFFF",
    raised="#FFFFFF",
    rail="#EAECEB",
    sunken="#EEF0EF",
    hover="#F1F3F2",
    selected="#DFEFEE",
    text="#18201E",
    text2="#47514D",
    text3="#5F6965",
    line="#DADEDC",
    line_strong="#B9C0BD",
    control="#79827E",
    accent="#0B6368",
    focus="#0B6368",
    accent_fill="#0B6368",
    accent_fill_hover="#084F53",
    on_fill="#FFFFFF",
    stop="#B3201B",
    stop_fill="#B3201B",
    stop_fill_hover="#931812",
    stop_soft="#FBE9E7",
    stop_line="#DDA7A2",
    ok="#1B6A38",
    ok_soft="#E3F3E8",
    ok_line="#9CCBAC",
    warn="#7E4D00",
    warn_soft="#FFF1D6",
    warn_line="#D9AE60",
    info="#1C569B",
    info_soft="#E5EFFA",
    info_line="#9DBFE6",
    plum="#74377F",
    plum_soft="#F4E8F6",
    plum_line="#CDA6D5",
    sand="#6A5132",
    sand_soft="#F3ECE1",
    sand_line="#CDB999",
    grey="#47514D",
    grey_soft="#E8EBE9",
    grey_line="#B9C0BD",
)

DARK = Theme(
    name="dark",
    dark=True,
    bg="#141817",
    surface="#1B201F",
    raised="#242A29",
    rail="#101413",
    sunken="#161A19",
    hover="#222827",
    selected="#17363A",
    text="#E9EEEC",
    text2="#BAC4C0",
    text3="#98A39F",
    line="#2E3634",
    line_strong="#46504D",
    control="#76817D",
    accent="#63C6C8",
    focus="#7FD6D7",
    accent_fill="#17777C",
    accent_fill_hover="#136468",
    on_fill="#FFFFFF",
    stop="#FF9C92",
    stop_fill="#C5372F",
    stop_fill_hover="#A92C25",
    stop_soft="#3C1D1A",
    stop_line="#7A3D37",
    ok="#86D6A0",
    ok_soft="#17321F",
    ok_line="#356B46",
    warn="#F1BE6A",
    warn_soft="#38290E",
    warn_line="#79591F",
    info="#93C1F4",
    info_soft="#172B42",
    info_line="#36597F",
    plum="#DBA9E6",
    plum_soft="#341F39",
    plum_line="#6F4678",
    sand="#D8BE97",
    sand_soft="#30281B",
    sand_line="#66563B",
    grey="#BAC4C0",
    grey_soft="#2A312F",
    grey_line="#46504D",
)


class Tone(Enum):
    """A family of colours with one meaning: its ink, the soft ground it may stand on, and the edge of that ground."""

    NEUTRAL = auto()
    ACCENT = auto()
    STOP = auto()
    OK = auto()
    WARN = auto()
    INFO = auto()
    PLUM = auto()
    SAND = auto()
    GREY = auto()


@dataclass(frozen=True, slots=True)
class Tones:
    """The three colours of a `Tone` in one theme."""

    ink: str
    soft: str
    edge: str


def tones(theme: Theme, tone: Tone) -> Tones:
    """The colours of a tone. NEUTRAL is the quiet ink in a well; ACCENT is edged with its own ink."""
    table = {
        Tone.NEUTRAL: Tones(theme.text2, theme.sunken, theme.line_strong),
        Tone.ACCENT: Tones(theme.accent, theme.accent_soft, theme.accent),
        Tone.STOP: Tones(theme.stop, theme.stop_soft, theme.stop_line),
        Tone.OK: Tones(theme.ok, theme.ok_soft, theme.ok_line),
        Tone.WARN: Tones(theme.warn, theme.warn_soft, theme.warn_line),
        Tone.INFO: Tones(theme.info, theme.info_soft, theme.info_line),
        Tone.PLUM: Tones(theme.plum, theme.plum_soft, theme.plum_line),
        Tone.SAND: Tones(theme.sand, theme.sand_soft, theme.sand_line),
        Tone.GREY: Tones(theme.grey, theme.grey_soft, theme.grey_line),
    }
    return table[tone]


def palette(theme: Theme) -> QPalette:
    """The Qt palette of a theme, for what the style sheet doesn't reach: the text cursor, native parts."""
    role, group = QPalette.ColorRole, QPalette.ColorGroup
    made = QPalette()
    for which, hex_ in (
        (role.Window, theme.bg),
        (role.WindowText, theme.text),
        (role.Base, theme.surface),
        (role.AlternateBase, theme.sunken),
        (role.Text, theme.text),
        (role.PlaceholderText, theme.text3),
        (role.Button, theme.surface),
        (role.ButtonText, theme.text),
        (role.BrightText, theme.on_fill),
        (role.ToolTipBase, theme.raised),
        (role.ToolTipText, theme.text),
        (role.Highlight, theme.accent_fill),
        (role.HighlightedText, theme.on_fill),
        (role.Accent, theme.accent_fill),
        (role.Link, theme.accent),
        (role.LinkVisited, theme.accent),
        (role.Light, theme.raised),
        (role.Midlight, theme.hover),
        (role.Mid, theme.line_strong),
        (role.Dark, theme.control),
        (role.Shadow, theme.shadow),
    ):
        made.setColor(which, QColor(hex_))
    for which in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(group.Disabled, which, QColor(theme.text3))
    made.setColor(group.Disabled, role.Highlight, QColor(theme.line_strong))
    made.setColor(group.Disabled, role.Base, QColor(theme.sunken))
    return made


def high_contrast(system: QPalette) -> Theme:
    """A theme from the system's own palette, for people who asked their system for contrast.

    No soft grounds; edges are 2 px.
    """
    role = QPalette.ColorRole

    def hex_(which: QPalette.ColorRole) -> str:
        return system.color(which).name()

    ground, ink = hex_(role.Base), hex_(role.Text)
    fill, on_fill = hex_(role.Highlight), hex_(role.HighlightedText)
    every = dict.fromkeys(_grounds(), ground) | dict.fromkeys(_inks(), ink)
    return Theme(
        name="high contrast",
        dark=system.color(role.Base).lightness() < system.color(role.Text).lightness(),
        accent_fill=fill,
        accent_fill_hover=fill,
        stop_fill=fill,
        stop_fill_hover=fill,
        on_fill=on_fill,
        edge_px=2,
        **every,
    )


def _grounds() -> tuple[str, ...]:
    softs = tuple(f"{tone.name.lower()}_soft" for tone in Tone if tone not in (Tone.NEUTRAL, Tone.ACCENT))
    return ("bg", "surface", "raised", "rail", "sunken", "hover", "selected", *softs)


def _inks() -> tuple[str, ...]:
    named = tuple(tone.name.lower() for tone in Tone if tone is not Tone.NEUTRAL)
    edges = tuple(f"{name}_line" for name in named if name != "accent")
    return ("text", "text2", "text3", "line", "line_strong", "control", "focus", *named, *edges)
