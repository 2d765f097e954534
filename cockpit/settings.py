"""What the program was told at its start; parsed once, never changed."""

from __future__ import annotations

import ipaddress

from msgspec import Struct


class Settings(Struct, frozen=True):
    """How to serve. ``hosts`` are the names, lower case and with port, that a request's Host may be.

    ``token`` is the secret that every request must carry, None on a loopback address without one.
    """

    hosts: frozenset[str]
    token: str | None = None


def own_hosts(address: str, port: int, allowed: tuple[str, ...] = ()) -> frozenset[str]:
    """Every Host that is this server's own name, each with its port, in lower case.

    ``allowed`` adds ``NAME[:PORT]``; as in a Host header, the port is 80 where none is given.
    """
    names = ["localhost", "127.0.0.1", "[::1]"]
    if not wildcard(address):
        names.append(f"[{address}]" if ":" in address else address)
    return frozenset([with_port(f"{name}:{port}") for name in names] + [with_port(name) for name in allowed])


def with_port(host: str) -> str:
    """A host in lower case with its port, which is 80 where none is given."""
    name, colon, port = host.lower().rpartition(":")
    return host.lower() if colon and name and port.isascii() and port.isdigit() else f"{host.lower()}:80"


def loopback(address: str) -> bool:
    """Whether only this machine can reach an address."""
    if address.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def wildcard(address: str) -> bool:
    """Whether an address stands for every address of the machine."""
    try:
        return ipaddress.ip_address(address).is_unspecified
    except ValueError:
        return False
