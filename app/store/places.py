"""Where a SQLite file may lie: in a folder that is there and can be written to, and never on a network share.

SQLite's locks don't hold over a network, and a damaged database is found out too late; PostgreSQL is for that.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import Final

from app.domain.errors import StoreError

# by the names that Linux (/proc/mounts), macOS and the BSDs (mount) give them
_SHARES: Final = frozenset(
    {
        *("nfs", "nfs3", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs", "afpfs", "afs", "coda", "ncpfs", "ftp"),
        *("webdav", "davfs", "davfs2", "ceph", "lustre", "glusterfs", "beegfs", "gpfs", "panfs", "orangefs", "pvfs2"),
        *("gfs", "gfs2", "ocfs2"),  # one disk in several computers
        *("vboxsf", "vmhgfs", "prl_fs", "drvfs"),  # a folder of the computer around this machine
        *("sshfs", "osxfuse_sshfs", "rclone", "s3fs", "macfuse_sshfs"),
    }
)
# a fuse mount is named after its program, as in fuse.sshfs
_FUSE_SHARES: Final = frozenset(
    {
        *("sshfs", "davfs", "davfs2", "rclone", "s3fs", "gcsfuse", "goofys", "blobfuse", "blobfuse2", "juicefs"),
        *("gvfsd-fuse", "kio-fuse", "smbnetfs", "curlftpfs", "nfs", "cifs", "glusterfs", "ceph", "ceph-fuse", "mfs"),
        *("moosefs", "seaweedfs", "onedriver", "google-drive-ocamlfuse", "vmhgfs-fuse", "grpcfuse", "osxfs"),
    }
)
_ESCAPED: Final = re.compile(r"\\([0-7]{3})")
_MAC_LINE: Final = re.compile(r"^.*? on (?P<point>/.*) \((?P<kind>[^,)]+)[,)]")
_ASKED_S: Final = 10.0
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
    """The kind of network share that `path` is on; None for a disk of this computer, or where that can't be told."""
    if sys.platform == "win32":
        resolved = str(path.resolve())
        return windows_share(resolved, remote=_is_remote(PurePath(resolved).drive))
    mounts = Path("/proc/mounts")
    if mounts.exists():
        return share_among(mounts.read_text(encoding="utf-8", errors="replace"), path.resolve())
    return share_among_mac(_asked_mount(), path.resolve())


def share_among(mounts: str, path: Path) -> str | None:
    """The network file system that `path` is on, by the text of /proc/mounts. path: absolute, links resolved."""
    return _nearest(_linux_mounts(mounts), path)


def share_among_mac(mounts: str, path: Path) -> str | None:
    """The same by what `mount` says on macOS and the BSDs: `//dana@nas/office on /Volumes/office (smbfs, nodev)`."""
    found = (_MAC_LINE.match(line) for line in mounts.splitlines())
    return _nearest(((Path(each["point"]), each["kind"].strip()) for each in found if each), path)


def windows_share(path: str, *, remote: bool) -> str | None:
    r"""The share of a resolved path of Windows, such as `\\nas\office`; a mapped drive is named by its letter.

    remote: whether Windows says that the drive is somewhere else. `\\?\C:\` is a way to write a long local path.
    """
    plain = path.replace("/", "\\")
    if plain[:4] in ("\\\\?\\", "\\\\.\\"):
        plain = plain[4:]
        if plain[:4].upper() == "UNC\\":
            plain = f"\\\\{plain[4:]}"
    if plain.startswith("\\\\"):
        return "\\".join(plain.split("\\")[:4])
    return plain[:2] if remote else None


def _linux_mounts(mounts: str) -> Iterator[tuple[Path, str]]:
    for line in mounts.splitlines():
        fields = line.split(" ")
        if len(fields) >= 3:
            # blanks, tabs, line ends and backslashes of a mount point are written as octal
            point = Path(_ESCAPED.sub(lambda found: chr(int(found[1], 8)), fields[1]))
            # a virtual machine's own disk may be 9p; a drive of Windows under WSL is too, and says so
            yield point, "drvfs" if "aname=drvfs" in line else fields[2]


def _nearest(mounts: Iterator[tuple[Path, str]], path: Path) -> str | None:
    best, kind = -1, ""
    for point, of_kind in mounts:
        # of two mounts on one point the later one is seen
        if path.is_relative_to(point) and len(point.parts) >= best:
            best, kind = len(point.parts), of_kind
    return kind if _is_share(kind) else None


def _is_share(kind: str) -> bool:
    name = kind.lower()
    return name in _SHARES or (name.startswith("fuse.") and name.removeprefix("fuse.") in _FUSE_SHARES)


def _asked_mount() -> str:
    """What `mount` says; empty where there is none, or where it hangs on a share that is gone."""
    for program in ("/sbin/mount", "/usr/sbin/mount", "/bin/mount"):
        if Path(program).exists():
            try:
                said = subprocess.run([program], capture_output=True, timeout=_ASKED_S, check=False)  # noqa: S603 -- ours
            except (OSError, subprocess.SubprocessError):
                return ""
            return said.stdout.decode(errors="replace")
    return ""


if sys.platform == "win32":

    def _is_remote(drive: str) -> bool:
        import ctypes

        return bool(ctypes.windll.kernel32.GetDriveTypeW(drive + "\\") == _DRIVE_REMOTE)

else:

    def _is_remote(drive: str) -> bool:
        return False
