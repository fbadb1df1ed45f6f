"""Where a SQLite file may lie: in a folder that is there and can be written to, and never on a network share.

SQLite's locks don't hold over a network, and a damaged database is found out too late; PostgreSQL is for that.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

from app.domain.errors import StoreError

_SHARES: Final = frozenset(
    {
        *("nfs", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs", "afpfs", "afs", "ncpfs", "webdav", "davfs", "davfs2"),
        *("fuse.sshfs", "fuse.davfs", "fuse.rclone", "fuse.s3fs", "fuse.gvfsd-fuse", "fuse.glusterfs", "glusterfs"),
        *("ceph", "fuse.ceph", "lustre", "gfs2", "ocfs2"),
    }
)
_DRIVE_REMOTE: Final = 4  # what Windows calls a drive that is somewhere else


def check_place(path: Path) -> None:
    """Raises StoreError when a database at `path` can't be, or must not be, used there."""
    folder = path.parent
    if not folder.is_dir():
        raise StoreError(f"There is no folder {folder}.", "Give another with --data, or make one with `stopwell init`.")
    if path.is_dir():
        raise StoreError(f"{path} is a folder, not a database.", "Give the data folder it is in.")
    share = network_share(path)
    if share is not None:
        raise StoreError(
            f"{folder} is on a network share ({share}), where a database file can be damaged.",
            "Keep the data folder on this computer, or set STOPWELL_DATABASE to a PostgreSQL server.",
        )
    if not os.access(folder, os.W_OK):
        raise StoreError(f"The folder {folder} can't be written to.", "Give this account the right to write there.")
    if path.exists() and not os.access(path, os.R_OK | os.W_OK):
        raise StoreError(f"{path} can't be written to.", "Give this account the right to read and write it.")


def network_share(path: Path) -> str | None:
    """The kind of network share that `path` is on, or None for a disk of this computer."""
    if sys.platform == "win32":
        return _windows_share(path)
    mounts = Path("/proc/mounts")
    if not mounts.exists():
        return None
    return share_among(mounts.read_text(encoding="utf-8", errors="replace"), path.resolve())


def share_among(mounts: str, path: Path) -> str | None:
    """The network file system that `path` is on, by the text of /proc/mounts. path: absolute, links resolved."""
    best, kind = -1, ""
    for line in mounts.splitlines():
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        # blanks and backslashes of a mount point are written as octal
        point = Path(fields[1].replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\"))
        # of two mounts on one point the later one is seen
        if path.is_relative_to(point) and len(point.parts) >= best:
            best, kind = len(point.parts), fields[2]
    return kind if kind in _SHARES else None


if sys.platform == "win32":

    def _windows_share(path: Path) -> str | None:
        import ctypes

        drive = path.resolve().drive
        if drive.startswith("\\\\"):
            return drive
        return drive if ctypes.windll.kernel32.GetDriveTypeW(drive + "\\") == _DRIVE_REMOTE else None

else:

    def _windows_share(path: Path) -> str | None:
        return None
