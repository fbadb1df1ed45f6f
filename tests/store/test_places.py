"""Where a database file may lie."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.domain.errors import StoreError
from app.store import places
from app.store.places import check_place, network_share, share_among, share_among_mac, windows_share
from app.store.session import Session, sqlite_url

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
//nas/back\\134slash /mnt/back\\134slash smb3 rw 0 0
C:\\134 /mnt/c 9p rw,dirsync,aname=drvfs 0 0
disk /volume 9p rw,trans=virtio 0 0
drive /srv/dana/drive fuse.rclone rw 0 0
/srv/dana/.vault /srv/dana/vault fuse.gocryptfs rw 0 0
/dev/sdd1 /media/dana/stick fuseblk rw 0 0
shared /media/sf_office vboxsf rw 0 0
auto /net autofs rw 0 0
nas:/office /net/nas/office nfs4 rw 0 0
"""

MAC_MOUNTS = """\
/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
/dev/disk3s5 on /System/Volumes/Data (apfs, local, journaled, nobrowse, protect)
//dana@nas._smb._tcp.local/office on /Volumes/office (smbfs, nodev, nosuid, mounted by dana)
nas:/export/on paper on /Volumes/on paper (nfs, nodev, nosuid)
//dana@nas/old on /Volumes/old (afpfs, nodev)
dana@host:/ on /Data/dana/remote (macfuse_sshfs, nodev, nosuid, synchronous)
/dev/disk4s1 on /Volumes/stick (1) (exfat, local, nodev)
map auto_home on /System/Volumes/Data/home (autofs, automounted, nobrowse)
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
        ("/mnt/back\\slash/stopwell.sqlite3", "smb3"),
        ("/mnt/c/practice/stopwell.sqlite3", "drvfs"),
        ("/volume/stopwell.sqlite3", None),
        ("/srv/dana/drive/stopwell.sqlite3", "fuse.rclone"),
        ("/srv/dana/vault/stopwell.sqlite3", None),
        ("/media/dana/stick/stopwell.sqlite3", None),
        ("/media/sf_office/stopwell.sqlite3", "vboxsf"),
        ("/net/nas/office/stopwell.sqlite3", "nfs4"),
    ],
)
def test_a_network_share_is_known_by_its_nearest_mount(path: str, kind: str | None) -> None:
    assert share_among(MOUNTS, Path(path)) == kind


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/Data/dana/Library/stopwell.sqlite3", None),
        ("/Volumes/office/stopwell.sqlite3", "smbfs"),
        ("/Volumes/on paper/deep/stopwell.sqlite3", "nfs"),
        ("/Volumes/old/stopwell.sqlite3", "afpfs"),
        ("/Data/dana/remote/stopwell.sqlite3", "macfuse_sshfs"),
        ("/Volumes/stick (1)/stopwell.sqlite3", None),
    ],
)
def test_a_mac_names_its_mounts_another_way(path: str, kind: str | None) -> None:
    assert share_among_mac(MAC_MOUNTS, Path(path)) == kind


@pytest.mark.parametrize(
    ("path", "remote", "share"),
    [
        ("C:\\practice\\stopwell.sqlite3", False, None),
        ("Z:\\office\\stopwell.sqlite3", True, "Z:"),
        ("\\\\nas\\office\\deep\\stopwell.sqlite3", False, "\\\\nas\\office"),
        ("//nas/office/stopwell.sqlite3", False, "\\\\nas\\office"),
        ("\\\\?\\UNC\\nas\\office\\stopwell.sqlite3", False, "\\\\nas\\office"),
        ("\\\\?\\C:\\practice\\stopwell.sqlite3", False, None),
        ("\\\\?\\Z:\\office\\stopwell.sqlite3", True, "Z:"),
        ("\\\\wsl.localhost\\Debian\\stopwell.sqlite3", False, "\\\\wsl.localhost\\Debian"),
    ],
)
def test_windows_has_shares_mapped_drives_and_long_paths(path: str, remote: bool, share: str | None) -> None:
    assert windows_share(path, remote=remote) == share


@pytest.mark.parametrize("kind", ["nfs4", "cifs", "fuse.sshfs"])
def test_a_database_on_a_share_is_refused_and_postgresql_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    mounts = f"/dev/sda1 / ext4 rw 0 0\nnas:/office {tmp_path.resolve()} {kind} rw 0 0\n"
    monkeypatch.setattr(places, "network_share", lambda path: share_among(mounts, path.resolve()))

    with pytest.raises(StoreError) as refused:
        Session(sqlite_url(tmp_path / "stopwell.sqlite3"))

    assert f"is on a network share ({kind})" in str(refused.value)
    assert "set STOPWELL_DATABASE to a PostgreSQL server" in str(refused.value)


def test_no_mounts_known_is_no_share() -> None:
    assert share_among("", Path("/srv/homes/dana")) is None
    assert share_among_mac("", Path("/srv/homes/dana")) is None


def test_this_computer_s_own_folder_will_do(tmp_path: Path) -> None:
    check_place(tmp_path / "stopwell.sqlite3")

    assert network_share(tmp_path) is None


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"There is no folder .*gone"):
        check_place(tmp_path / "gone" / "stopwell.sqlite3")


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is a folder, not a database"):
        check_place(tmp_path)
