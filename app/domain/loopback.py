"""Whether a host is this machine itself."""

from __future__ import annotations

from ipaddress import ip_address


def is_loopback(host: str) -> bool:
    """Whether a host is this machine itself, whatever its name server says."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def url_is_loopback(url: str) -> bool:
    """Whether a web address, scheme and host and perhaps a port, is on this machine. False for none."""
    host = url.partition("://")[2].partition("/")[0]
    name = host.partition("]")[0].removeprefix("[") if host.startswith("[") else host.partition(":")[0]
    return is_loopback(name)
