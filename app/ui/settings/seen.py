"""What the section shows, read in one go, away from the UI's thread: it asks the keyring."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from app.engine.office_ports import OpenReader
from app.service.channel_settings import ChannelSettings, CheckItem, Connection, ConnectionSeen, ConnectionsSeen


@dataclass(frozen=True, slots=True)
class SettingsSeen:
    """zone: on whose clock times are told. locations: their names."""

    standing: ConnectionsSeen
    checklist: tuple[CheckItem, ...]
    locations: tuple[str, ...]
    zone: str

    def of(self, connection: Connection) -> ConnectionSeen:
        """How one connection stands."""
        return next(each for each in self.standing.connections if each.connection is connection)


def read_settings(settings: ChannelSettings, open_reader: OpenReader, now: datetime) -> SettingsSeen:
    """As everything stands."""
    standing, checklist = settings.read(), tuple(settings.checklist())
    with open_reader() as reads:
        zone = reads.engine(now).zone
        locations = tuple(line.name for line in reads.locations(now))
    return SettingsSeen(standing, checklist, locations, zone)
