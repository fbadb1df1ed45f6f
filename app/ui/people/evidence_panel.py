"""Save evidence…: with or without names, then where. The file picker is the system's own and waits for nobody."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QDir, Signal, Slot
from PySide6.QtWidgets import QFileDialog

from app.domain.ids import PersonId
from app.ui.components.button_paint import ButtonFace, ButtonKind
from app.ui.components.checks import CheckBox
from app.ui.components.inline_panel import InlinePanel
from app.ui.components.labels import label
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Type

PAGE, DATA = ".html", ".json"


class EvidencePanel(InlinePanel):
    """Signal: `place_chosen(Path, redact)`; a name without an ending gets that of the kind chosen beside it."""

    place_chosen = Signal(object, bool)

    def __init__(self, look: Look) -> None:
        super().__init__(look, "")
        self.setAccessibleName(self.tr("Save evidence"))
        self._suggested = ""
        self._title = label("", Type.TITLE, wraps=True)
        self.without_names = CheckBox(look, self.tr("Without names and addresses"))
        self.body.addWidget(self._title)
        self.body.addWidget(self.without_names)
        told = self.tr(
            "What was said, when they asked to stop, and what came of it, with the four facts on top: a page to print, "
            "or a data file. Without names it also leaves out every word that was written."
        )
        self.body.addWidget(label(told, Type.SECOND, "text2", wraps=True))
        words = self.tr("Choose where…")
        self.go = self.add_feet("", ButtonFace(words, Icon.EXPORT, ButtonKind.PRIMARY, key="Enter"))
        self.accepted.connect(self._on_accepted)

    def open_for(self, person_id: PersonId, name: str, now: datetime) -> None:
        """Open for someone. The file's name holds their number, never their name: folders are seen by others."""
        self._title.setText(self.tr("Save the evidence about {name}").format(name=name))
        self._suggested = f"evidence-person-{person_id}-{now:%Y-%m-%d}{PAGE}"
        self.without_names.setChecked(False)
        self.open()

    @Slot()
    def _on_accepted(self) -> None:
        """Show the picker. It asks nothing about a file that is there: evidence never overwrites one."""
        picker = QFileDialog(self, self.tr("Save evidence"), QDir.homePath())
        picker.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        picker.setFileMode(QFileDialog.FileMode.AnyFile)
        picker.setOption(QFileDialog.Option.DontConfirmOverwrite)
        picker.setNameFilters(
            [self.tr("Page to print (*{end})").format(end=PAGE), self.tr("Data (*{end})").format(end=DATA)]
        )
        picker.selectFile(self._suggested)
        picker.fileSelected.connect(self._on_file)
        picker.finished.connect(picker.deleteLater)
        picker.open()

    @Slot(str)
    def _on_file(self, name: str) -> None:
        picker = self.sender()
        data = isinstance(picker, QFileDialog) and DATA in picker.selectedNameFilter()
        path = Path(name)
        if path.suffix.casefold() not in (PAGE, ".htm", DATA):
            path = path.with_name(path.name + (DATA if data else PAGE))
        redact = self.without_names.isChecked()
        self.close_panel()
        self.place_chosen.emit(path, redact)
