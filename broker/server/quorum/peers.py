"""The core's requests over channels: two to each node, for a parked Fetch holds back what follows.

Answers come in the order of requests (ENV-08), and a leader keeps a Fetch without news for half a
second; votes and announcements therefore go by a channel of their own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from barnabas.protocol.errors import ErrorCode, ProtocolError

from ...core.raft.messages import NOBODY, Answer, Fetch, FetchSnapshot, Vote, VoteAnswer
from ..peer_channel import PeerChannel
from ..peer_errors import PeerError, UnsupportedPeerError
from . import wire_requests, wire_responses

if TYPE_CHECKING:
    from ...core.ports import Clock
    from ...core.raft.ready import Outgoing


class Answered(Protocol):
    """Who hears how a request ended."""

    def on_answer(self, number: int, answer: Answer) -> None: ...

    def on_failure(self, outgoing: Outgoing, error: PeerError) -> None: ...


class Peers:
    """Channels to the other nodes of the quorum, by node id (bootstrap servers: -2, -3, …)."""

    def __init__(
        self,
        node_id: int,
        clock: Clock,
        address_of: Callable[[int], tuple[str, int] | None],
        connect_timeout_ms: float,
        answered: Answered,
    ) -> None:
        self._client_id = f"raft-client-{node_id}"
        self._clock = clock
        self._address_of = address_of
        self._connect_timeout_ms = connect_timeout_ms
        self._answered = answered
        self._channels: dict[tuple[int, bool], PeerChannel] = {}
        self._calls: dict[asyncio.Task[None], bool] = {}  # whether it may be parked over there

    def send(self, outgoing: Outgoing) -> None:
        """Send in the background; `on_answer` or `on_failure` follows."""
        call = asyncio.get_running_loop().create_task(self._call(outgoing))
        self._calls[call] = isinstance(outgoing.request, Fetch | FetchSnapshot)
        call.add_done_callback(self._calls.pop)

    def _channel(self, to: int, *, is_fetch: bool) -> PeerChannel:
        channel = self._channels.get((to, is_fetch))
        if channel is None:
            channel = PeerChannel(
                lambda: self._address_of(to),
                client_id=self._client_id,
                clock=self._clock,
                connect_timeout_ms=self._connect_timeout_ms,
            )
            self._channels[to, is_fetch] = channel
        return channel

    async def _call(self, outgoing: Outgoing) -> None:
        request = outgoing.request
        message = wire_requests.to_wire(request)
        key = message.API_KEY
        assert key is not None
        channel = self._channel(outgoing.to, is_fetch=isinstance(request, Fetch | FetchSnapshot))
        try:
            response = await channel.call(
                message,
                timeout_ms=outgoing.timeout_ms,
                versions=wire_requests.versions_of(request, key),
            )
            answer = wire_responses.from_wire(key, response)
        except UnsupportedPeerError as error:
            if type(request) is Vote and request.pre_vote:
                # A voter from before pre-votes does not object to the vote itself (996-01).
                unknown = VoteAnswer(ErrorCode.UNSUPPORTED_VERSION, NOBODY, NOBODY, False)
                self._answered.on_answer(outgoing.number, unknown)
            else:
                self._answered.on_failure(outgoing, error)
        except PeerError as error:
            self._answered.on_failure(outgoing, error)
        except ProtocolError as error:
            self._answered.on_failure(outgoing, PeerError(str(error)))
        else:
            self._answered.on_answer(outgoing.number, answer)

    async def drain(self, timeout_ms: float) -> None:
        """Wait until all calls under way have ended but those for the log, so long at most."""
        calls = [call for call, is_fetch in self._calls.items() if not is_fetch]
        if calls:
            await asyncio.wait(calls, timeout=timeout_ms / 1000)

    async def close(self) -> None:
        """End all calls and connections."""
        calls = list(self._calls)
        for call in calls:
            call.cancel()
        for channel in self._channels.values():
            channel.close()
        self._channels.clear()
        await asyncio.gather(*calls, return_exceptions=True)
