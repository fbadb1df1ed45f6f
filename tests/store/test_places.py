"""Where a database file may lie."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.domain.errors import StoreError
from app.store.places import check_place, network_share, share_among

MOUNTS = """\
/dev/sda1 / ext4 rw,relatime 0 0
proc /proc proc rw 0 0
//nas/practice /mnt/office\\040share cifs rw,vers=3.0 0 0
/dev/sdb1 /mnt/office\\040share/usb ext4 rw 0 0
server:/export /srv/homes/dana nfs4 rw 0 0
dana@host:/ /srv/ssh fuse.sshfs rw 0 0
tmpfs /srv/ssh/local tmpfs rw 0 0
half a line
/dev/sdc1 /srv/twice ext4 rw 0 0
server:/twice /srv/twice nfs rw 0 0
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/srv/homes/other/stopwell.sqlite3", None),
        ("/srv/homes/dana/stopwell/stopwell.sqlite3", "nfs4"),
        ("/srv/homes/danae/stopwell.sqlite3", None),
        ("/mnt/office share/stopwell.sqlite3", "cifs"),
        ("/mnt/office share/usb/stopwell.sqlite3", None),
        ("/srv/ssh/data/stopwell.sqlite3", "fuse.sshfs"),
        ("/srv/ssh/local/stopwell.sqlite3", None),
        ("/srv/twice/stopwell.sqlite3", "nfs"),
    ],
)
def test_a_network_share_is_known_by_its_nearest_mount(path: str, kind: str | None) -> None:
    assert share_among(MOUNTS, Path(path)) == kind


def test_no_mounts_known_is_no_share() -> None:
    assert share_among("", Path("/srv/homes/dana")) is None


def test_this_computer_s_own_folder_will_do(tmp_path: Path) -> None:
    check_place(tmp_path / "stopwell.sqlite3")

    assert network_share(tmp_path) is None


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"There is no folder .*gone"):
        check_place(tmp_path / "gone" / "stopwell.sqlite3")


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is a folder, not a database"):
        check_place(tmp_path)
