"""What a section's list gives to the page over it and to the window: the base of PeoplePanel, QueuePanel, SentPanel."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.domain.ids import LocationId, PersonId


class ListPanel(QWidget):
    """What a section's list gives. A base class: it has no look of its own.

    Signals: `person_opened(person_id, panel)`: show their page, with the panel `hold`, `opt_out` or `start_again` open,
    or "" for none; `read_failed(Fault)`: the old rows stay, a bar says so; `read_well()`: it is right again.
    """

    person_opened = Signal(object, str)
    read_failed = Signal(object)
    read_well = Signal()

    def parts(self) -> Sequence[QWidget]:
        """What F6 walks through, in order; the first one is the list, which takes the focus when the section comes."""
        raise NotImplementedError

    def ask(self) -> None:
        """Read the rows anew: what matches no more goes, what is new comes."""
        raise NotImplementedError

    def set_location(self, location_id: LocationId | None) -> None:
        """The location chosen on the rail; None: all of them."""
        raise NotImplementedError

    def set_paused(self, paused: bool) -> None:
        """All sending is paused, or goes on."""
        raise NotImplementedError

    def walk(self, step: int) -> PersonId | None:
        """Choose the row `step` further on, and give its person; None at either end."""
        raise NotImplementedError

    def person(self) -> PersonId | None:
        """The person of the chosen row."""
        raise NotImplementedError

    def seek(self, person_id: PersonId) -> None:
        """Choose someone's row, where a person has one row and it is in the list."""

    def place(self) -> tuple[int, int]:
        """Which row is chosen, from 1, and of how many; 0 when there is none."""
        raise NotImplementedError
