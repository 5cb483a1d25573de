"""A channel to one other node: calls over one connection, made when needed, made anew when lost.

Answers come in the order of requests (ENV-08), so a request that the peer parks holds back those
behind it: whoever sends Fetch to be parked gives it a channel of its own.
"""

from __future__ import annotations

import asyncio
import os
import ssl
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final  # Any: an answer of any API

from barnabas.dialling import dial
from barnabas.protocol.apis import api
from barnabas.protocol.errors import EncodeError
from barnabas.tls import reason_of

from .peer_connection import PeerConnection
from .peer_errors import (
    PeerError,
    PeerRefusedError,
    PeerTimeoutError,
    PeerUnavailableError,
    UnsupportedPeerError,
)
from .security.peer_security import OPEN, PeerSecurity

if TYPE_CHECKING:
    from barnabas.protocol.message import Message

    from ..core.ports import Clock

__all__ = [
    "PeerChannel",
    "PeerError",
    "PeerRefusedError",
    "PeerTimeoutError",
    "PeerUnavailableError",
    "UnsupportedPeerError",
]

CONNECT_TIMEOUT_MS: Final = 2000.0
MAX_FRAME_BYTES: Final = 128 * 1024 * 1024

Address = tuple[str, int]


class PeerChannel:
    """Calls another node. Nothing is opened before the first `call`.

    `resolve` says where the node is now (None: not known); it is asked before every call, and
    another address than before ends the old connection. `on_lost` hears why an established
    connection ended, except by `close`.
    """

    def __init__(
        self,
        resolve: Callable[[], Address | None],
        *,
        client_id: str,
        clock: Clock,
        connect_timeout_ms: float = CONNECT_TIMEOUT_MS,
        max_frame_bytes: int = MAX_FRAME_BYTES,
        on_lost: Callable[[str], object] | None = None,
        security: PeerSecurity = OPEN,
    ) -> None:
        self._resolve = resolve
        self._client_id = client_id
        self._clock = clock
        self._connect_timeout_ms = connect_timeout_ms
        self._max_frame_bytes = max_frame_bytes
        self._on_lost = on_lost
        self._security = security
        self._connection: PeerConnection | None = None
        self._connecting: asyncio.Task[PeerConnection] | None = None
        self._connecting_to: Address | None = None
        self._is_closed = False

    @property
    def is_connected(self) -> bool:
        """Whether the next call needs no new connection, as far as this node knows."""
        return self._connection is not None

    @property
    def address(self) -> Address | None:
        """The address of the present connection; None if there is none."""
        return None if self._connection is None else self._connection.address

    def version_of(self, api_key: int, versions: tuple[int, int] | None = None) -> int | None:
        """The version in which a call now would be sent; None if not connected, or none is common.

        `versions` bounds it, lowest and highest.
        """
        if self._connection is None:
            return None
        return self._connection.version_of(api_key, versions)

    async def connect(self, *, timeout_ms: float) -> None:
        """Open a connection if there is none, so that `version_of` knows. Raises what `call`
        raises."""
        await self._connected(self._clock.monotonic_ms() + timeout_ms)

    async def call(
        self,
        request: Message,
        *,
        timeout_ms: float,
        versions: tuple[int, int] | None = None,
    ) -> Any:
        """Send a request in the highest common version, and return the decoded response.

        `timeout_ms` is for all of it, connecting included; `versions` narrows the choice.

        Raises:
            PeerUnavailableError: no address, reset, closed, or no Kafka protocol there.
            PeerRefusedError: (one of those) nobody listens there.
            PeerTimeoutError: no answer in time; the connection is closed.
            UnsupportedPeerError: no common version.
            EncodeError: that version cannot carry a field that is set.
        """
        deadline_ms = self._clock.monotonic_ms() + timeout_ms
        connection = await self._connected(deadline_ms)
        assert request.API_KEY is not None
        version = connection.version_of(request.API_KEY, versions)
        if version is None:
            raise _unsupported(connection, request.API_KEY, versions)
        left_ms = max(0.0, deadline_ms - self._clock.monotonic_ms())
        return await connection.send(request, version, left_ms / 1000)

    def call_if_connected(
        self,
        request: Message,
        on_end: Callable[[asyncio.Future[Any]], object],
        *,
        timeout_ms: float,
        versions: tuple[int, int] | None = None,
    ) -> asyncio.Future[Any] | None:
        """As `call`, but sent at once and without a task; `on_end` gets the future with the result.

        Returns None, and sends nothing, unless there is a connection to the node's present address
        that can carry the request; `call` then opens one, or says why it cannot.
        """
        connection = self._connection
        if connection is None or self._is_closed or connection.address != self._resolve():
            return None
        if connection.is_spent:
            return None
        assert request.API_KEY is not None
        version = connection.version_of(request.API_KEY, versions)
        if version is None:
            return None
        try:
            answer = connection.send(request, version, timeout_ms / 1000)
        except (PeerUnavailableError, EncodeError):
            return None
        answer.add_done_callback(on_end)
        return answer

    def close(self) -> None:
        """Close the connection; calls under way and later ones fail with PeerUnavailableError."""
        self._is_closed = True
        self.drop("the channel was closed")

    def drop(self, reason: str) -> None:
        """Close the connection as `close` does; a later call opens another one."""
        connection, self._connection = self._connection, None
        connecting, self._connecting = self._connecting, None
        if connection is not None:
            connection.close(PeerUnavailableError(f"{connection}: {reason}"))
        if connecting is not None:
            connecting.cancel()

    # --- inside -------------------------------------------------------------------------------

    async def _connected(self, deadline_ms: float) -> PeerConnection:
        if self._is_closed:
            raise PeerUnavailableError("the channel was closed")
        address = self._resolve()
        if address is None:
            self.drop("its address is not known any more")
            raise PeerUnavailableError("the node's address is not known")
        if self._connection is not None and self._connection.is_spent:
            # The new one first: where it is lost, a broker counts as dead until it is heard again.
            spent, self._connection = self._connection, None
            try:
                return await self._wait_connected(address, deadline_ms)
            finally:
                spent.retire()
        if self._connection is not None:
            if self._connection.address == address:
                return self._connection
            self.drop(f"the node moved to {address[0]}:{address[1]}")
        return await self._wait_connected(address, deadline_ms)

    async def _wait_connected(self, address: Address, deadline_ms: float) -> PeerConnection:
        if self._connecting is None or self._connecting_to != address:
            self.drop(f"the node moved to {address[0]}:{address[1]}")
            self._connecting_to = address
            self._connecting = asyncio.get_running_loop().create_task(self._connect(address))
            self._connecting.add_done_callback(self._on_connecting_done)
        connecting = self._connecting
        left_ms = max(0.0, deadline_ms - self._clock.monotonic_ms())
        await asyncio.wait((connecting,), timeout=left_ms / 1000)
        if not connecting.done():
            raise PeerTimeoutError(f"{address[0]}:{address[1]} took no connection in time")
        if connecting.cancelled():
            raise PeerUnavailableError(f"connecting to {address[0]}:{address[1]} was given up")
        error = connecting.exception()
        if error is not None:
            raise type(error)(*error.args) if isinstance(error, PeerError) else error
        return connecting.result()

    def _on_connecting_done(self, task: asyncio.Task[PeerConnection]) -> None:
        if self._connecting is task:
            self._connecting = None
        if not task.cancelled():
            task.exception()  # if all callers have given up, nobody else looks at the error

    async def _connect(self, address: Address) -> PeerConnection:
        login = self._security.login
        connection = PeerConnection(
            address,
            self._client_id,
            self._max_frame_bytes,
            self._on_closed,
            None if login is None else login(),
        )
        name = f"{address[0]}:{address[1]}"
        try:
            async with asyncio.timeout(self._connect_timeout_ms / 1000):
                await dial(lambda: connection, *address, tls=self._security.tls)
                await connection.open(self._connect_timeout_ms / 1000)
        except TimeoutError:
            connection.close()
            raise PeerUnavailableError(
                f"{name} did not accept a connection within {self._connect_timeout_ms:g} ms"
            ) from None
        except ssl.SSLError as error:
            connection.close()
            raise PeerUnavailableError(
                f"{name}: the TLS handshake failed: {reason_of(error)}"
            ) from None
        except OSError as error:
            connection.close()
            # asyncio's own text repeats the address and leaves the reason out.
            code = error.errno
            reason = os.strerror(code) if code and code > 0 else str(error)
            kind = PeerUnavailableError
            if isinstance(error, ConnectionRefusedError):
                kind = PeerRefusedError
            raise kind(f"cannot connect to {name}: {reason}") from error
        except (ValueError, OverflowError) as error:
            connection.close()
            raise PeerUnavailableError(f"cannot connect to {address!r}: {error}") from error
        except (PeerError, asyncio.CancelledError):
            connection.close()
            raise
        if connection.is_closed:
            raise PeerUnavailableError(f"{name} closed the connection")
        self._connection = connection
        return connection

    def _on_closed(self, connection: PeerConnection, error: PeerError) -> None:
        if self._connection is connection:
            self._connection = None
            if self._on_lost is not None:
                self._on_lost(str(error))


def _unsupported(
    connection: PeerConnection, api_key: int, versions: tuple[int, int] | None
) -> UnsupportedPeerError:
    ours = api(api_key)
    wanted = versions or (ours.min_version, ours.max_version)
    return UnsupportedPeerError(
        f"{connection} serves {ours.name} {connection.offer(api_key)}; this node can use versions "
        f"{wanted[0]} to {wanted[1]}"
    )
