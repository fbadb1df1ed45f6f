"""Writes the evidence about a person to a file, off the UI thread, and tells by a bar where it is, or why it is not."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.service.private_file import check_new, write_new
from app.ui.components.bar_facts import BarFacts, BarKind
from app.ui.components.labels import Run
from app.ui.desk import Desk
from app.ui.faults import Fault
from app.ui.icons import Icon
from app.ui.people.evidence_panel import DATA
from app.ui.people.whom import Whom
from app.ui.words import many

translate = QCoreApplication.translate


class EvidenceSaving(QObject):
    """Signals: `told(BarFacts)`, what the bar says; `untold(key)`, a bar that is no longer right."""

    told = Signal(object)
    untold = Signal(str)

    def __init__(self, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk

    def save(self, whom: Whom, path: Path, *, redact: bool) -> None:
        """A new file at `path`, for its owner alone. redact: without names, addresses and words."""
        evidence = self._desk.acts.evidence

        def write() -> int:
            check_new(path)
            packet = evidence.packet(whom.id, redact=redact)
            write_new(path, evidence.text(packet) if path.suffix.casefold() == DATA else evidence.page(packet))
            stops = packet["stops"]
            return len(stops) if isinstance(stops, list) else 0

        saved = partial(self._on_saved, whom, path, redact)
        self._desk.bridge.wait_for(self, write, saved, partial(self._on_failed, whom))

    def _on_saved(self, whom: Whom, path: Path, redact: bool, stops: int) -> None:
        self.untold.emit(_failed_key(whom))
        title = translate("evidence", "Saved: the evidence about {name}.").format(name=whom.name)
        counted = many(stops, translate("evidence", "1 stop"), translate("evidence", "{count} stops"))
        kind = translate("evidence", "Names and addresses are left out.") if redact else ""
        told = translate("evidence", "{stops}. Only you can read the file.").format(stops=counted)
        line = f"{told} {kind}".strip()
        beside = (Run(str(path)),)
        self.told.emit(BarFacts(f"evidence-{whom.id}", BarKind.NOTE, title, beside, ((Run(line),),), icon=Icon.EXPORT))

    def _on_failed(self, whom: Whom, fault: Fault) -> None:
        title = translate("evidence", "The evidence about {name} was not saved.").format(name=whom.name)
        beside = (Run(f"{fault.told} {fault.hint}".strip()),)
        self.told.emit(BarFacts(_failed_key(whom), BarKind.ERROR, title, beside))


def _failed_key(whom: Whom) -> str:
    return f"evidence-failed-{whom.id}"
