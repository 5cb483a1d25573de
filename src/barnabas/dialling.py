"""Opening a TCP connection to a host by its name, for nodes and clients alike.

`loop.create_connection` alone would do, but for uvloop: a lookup that fails after whoever
waited for it has given up (its time was over) leaves a future that nobody looks at, and the log
gets `Future exception was never retrieved`. A lookup that is awaited directly ends with its waiter.
"""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Callable
from ssl import SSLContext, SSLError
from typing import TypeVar

ProtocolT = TypeVar("ProtocolT", bound=asyncio.BaseProtocol)


def address_text(host: str, port: int) -> str:
    """`host:port`, with brackets around an IPv6 address."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


async def dial(
    make: Callable[[], ProtocolT],
    host: str,
    port: int,
    tls: SSLContext | None = None,
    limit_s: float | None = None,
) -> ProtocolT:
    """Look the host up, and connect to the first of its addresses that can be connected to.

    With `tls` the handshake is over when this returns, and the peer is `host` (TLS-16).

    Raises OSError: there is none (`socket.gaierror`: no address is known); ValueError,
    OverflowError: `host` and `port` are nothing that a socket takes.
    """
    loop = asyncio.get_running_loop()
    name = None if tls is None else host
    if _is_address(host):
        return (await loop.create_connection(make, host, port, ssl=tls, server_hostname=name))[1]
    failures: list[OSError] = []
    places = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    for at, (family, _, _, _, place) in enumerate(places):
        # An address that swallows what is sent to it must leave time for the others.
        is_last = at == len(places) - 1
        share_s = None if limit_s is None or is_last else limit_s / len(places)
        try:
            async with asyncio.timeout(share_s):
                made = await loop.create_connection(
                    make, _text_of(*place), port, family=family, ssl=tls, server_hostname=name
                )
            return made[1]
        except SSLError:
            raise  # somebody is there: the next address would be the same host's
        except TimeoutError as error:
            failures.append(OSError(errno.ETIMEDOUT, f"{place[0]}: no answer ({error})"))
        except OSError as error:
            failures.append(error)
    if len({(type(one), one.errno) for one in failures}) == 1:
        raise failures[0]
    raise OSError("; ".join(map(str, failures)) or f"{host} has no address")


def _is_address(host: str) -> bool:
    """Whether there is nothing to look up."""
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            socket.inet_pton(family, host)
        except (OSError, ValueError):
            continue
        return True
    return False


def _text_of(host: str | int, _: int | bytes, __: int = 0, scope: int = 0) -> str:
    """The address; one that holds on a single link only, with its interface: `fe80::1%2`."""
    return f"{host}%{scope}" if scope else str(host)
