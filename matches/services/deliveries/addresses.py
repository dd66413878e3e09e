"""Where players may have things sent: public addresses alone, so that nobody reaches what stands behind our firewall.

A name is looked up once. All that it stands for is checked, and the connection is made to the very addresses that were
checked: a name that means something else a moment later leads nowhere.
"""

from __future__ import annotations

import re
import socket
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooSlow
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import NamedTuple

from django.conf import settings

LONGEST_URL = 1000
LOOKUP_S = 5.0
"""A name that isn't found within so many seconds isn't found."""
MOST_ADDRESSES = 4
"""So many addresses of a name are tried."""
PORTS = {"https": 443, "http": 80}
FIRST_FREE_PORT = 1024
# Ports above 1023 on which nothing that speaks HTTP listens, as browsers block them (Fetch standard, "bad ports").
OTHER_PORTS = frozenset(
    {1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, *range(6665, 6670), 6679, 6697, 10080}
)

# What Python 3.11 takes for global and isn't: the way to 6to4 relays, and networks that were reserved later.
NOT_PUBLIC = (
    ip_network("192.0.0.0/24"),
    ip_network("192.88.99.0/24"),
    ip_network("2002::/16"),
    ip_network("3fff::/20"),
)
UNICAST = ip_network("2000::/3")
NAT64 = ip_network("64:ff9b::/96")

# No user, no zone, no fragment, nothing that two parsers may read in two ways.
URL = re.compile(
    r"(?P<scheme>https?)://(?P<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.?)"
    r"(?::(?P<port>[0-9]{1,5}))?(?P<target>[/?][!-~]*)?"
)
TARGET = re.compile(r"[A-Za-z0-9/?:@!$&'()*+,;=._~%-]*")

_lookups = ThreadPoolExecutor(64, thread_name_prefix="lookup")

Address = IPv4Address | IPv6Address


class AddressRefusedError(Exception):
    """Nothing is sent there; says why, in words for whoever chose the address."""


class Place(NamedTuple):
    """A URL taken apart. `host` is a name in lower case or an address without brackets; `target` is path and query."""

    is_secure: bool
    host: str
    port: int
    target: str

    @property
    def authority(self) -> str:
        """What the Host header says."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS["https" if self.is_secure else "http"] else f"{host}:{self.port}"


class Checked(NamedTuple):
    """A place, and the addresses to connect to: each was checked."""

    place: Place
    addresses: tuple[str, ...]


def address_check(url: str) -> Checked:
    """Look the URL's name up and check all that it stands for. Raises AddressRefusedError, says why."""
    place = place_read(url)
    addresses = tuple(dict.fromkeys(_look_up(place.host, place.port)))
    for address in addresses:
        if not _may_be_reached(ip_address(address)):
            raise _stands_for_nothing(place.host)
    return Checked(place, addresses[:MOST_ADDRESSES])


def place_read(url: str) -> Place:
    """Take a URL apart and check what needs no look-up. Raises AddressRefusedError."""
    if len(url) > LONGEST_URL:
        raise AddressRefusedError(f"a URL has at most {LONGEST_URL} characters")
    found = URL.fullmatch(url)
    if found is None or not TARGET.fullmatch(found["target"] or ""):
        raise AddressRefusedError(
            "expected a URL like https://bot.example/hook, in ASCII (names in their xn-- form), "
            "without user, password and fragment"
        )
    host = found["host"].strip("[]").rstrip(".").lower()
    is_secure = found["scheme"] == "https"
    if not is_secure and not settings.OUTGOING_HTTP:
        raise AddressRefusedError("expected https://")
    target = found["target"] or "/"
    return Place(
        is_secure=is_secure,
        host=_checked_host(host, is_literal=found["host"].startswith("[")),
        port=_checked_port(int(found["port"] or PORTS[found["scheme"]])),
        target=target if target.startswith("/") else f"/{target}",
    )


def _checked_port(port: int) -> int:
    if port in PORTS.values() or (FIRST_FREE_PORT <= port <= 65535 and port not in OTHER_PORTS):
        return port
    raise AddressRefusedError(f"nothing is sent to port {port}: use 443, or one from {FIRST_FREE_PORT} on")


def _checked_host(host: str, *, is_literal: bool) -> str:
    # As browsers see it: what ends in a number is an address. Odd spellings (0x7f.1, 2130706433) are refused.
    if is_literal or re.fullmatch(r"[0-9]+|0x[0-9a-f]*", host.rsplit(".", maxsplit=1)[-1]):
        try:
            address = ip_address(host)
        except ValueError:
            raise AddressRefusedError(f"{host} is no address") from None
        if not _may_be_reached(address):
            raise AddressRefusedError(f"{host} is no public address")
        return str(address)
    if len(host) > 253 or any(len(label) > 63 for label in host.split(".")):
        raise AddressRefusedError("the name is too long")
    return host


def _may_be_reached(address: Address) -> bool:
    """Whether it is public, or in one of the networks that the operator lets be reached."""
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return _is_public(address) or any(address in ip_network(network) for network in settings.OUTGOING_NETWORKS)


def _is_public(address: Address) -> bool:
    if isinstance(address, IPv6Address):
        if address.scope_id is not None:
            return False
        if address in NAT64:
            return _is_public(IPv4Address(int(address) & 0xFFFF_FFFF))
        if address not in UNICAST:
            return False
    is_odd = address.is_multicast or address.is_reserved or address.is_private or address.is_unspecified
    return address.is_global and not is_odd and not any(address in network for network in NOT_PUBLIC)


def _look_up(host: str, port: int) -> list[str]:
    """All addresses of a name; the system's own look-up knows no time limit, so a thread waits for it."""
    pending = _lookups.submit(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    try:
        found = pending.result(timeout=LOOKUP_S)
    except (TooSlow, OSError, UnicodeError):
        pending.cancel()
        raise _stands_for_nothing(host) from None
    return [str(address[0]) for *_, address in found]


def _stands_for_nothing(host: str) -> AddressRefusedError:
    """The same whether there is no such name or it isn't public: what names there are behind our walls is not told."""
    return AddressRefusedError(f"{host} stands for no public address")
