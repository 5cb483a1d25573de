"""Sends the core's requests: over two channels to each node, since a parked Fetch delays what
follows.

Answers come in the order of the requests (ENV-08), and a leader holds a Fetch without news for half
a second. Votes and announcements therefore have a channel of their own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol  # Any: an answer of any API

from barnabas.protocol.errors import ErrorCode, ProtocolError

from ...core.raft.messages import NOBODY, Answer, Fetch, FetchSnapshot, Vote, VoteAnswer
from ..peer_channel import PeerChannel
from ..peer_errors import PeerError, UnsupportedPeerError
from . import wire_requests, wire_responses

if TYPE_CHECKING:
    from barnabas.protocol.message import Message

    from ...core.ports import Clock
    from ...core.raft.ready import Outgoing
    from ..security.peer_security import PeerSecurity
    from .reachability import Reachability


class Answered(Protocol):
    """Is told how each request ended."""

    def on_answer(self, number: int, answer: Answer) -> None: ...

    def on_failure(self, outgoing: Outgoing, error: PeerError) -> None: ...


class Peers:
    """The channels to the other nodes of the quorum, by node id (bootstrap servers: -2, -3, …)."""

    def __init__(
        self,
        node_id: int,
        clock: Clock,
        address_of: Callable[[int], tuple[str, int] | None],
        connect_timeout_ms: float,
        answered: Answered,
        reachability: Reachability,
        security: PeerSecurity,
    ) -> None:
        self._client_id = f"raft-client-{node_id}"
        self._clock = clock
        self._address_of = address_of
        self._connect_timeout_ms = connect_timeout_ms
        self._answered = answered
        self._reachability = reachability
        self._security = security
        self._channels: dict[tuple[int, bool], PeerChannel] = {}
        self._is_closing = False
        self._calls: dict[asyncio.Future[Any], bool] = {}  # whether the other node may park it

    def send(self, outgoing: Outgoing) -> None:
        """Send in the background; `on_answer` or `on_failure` follows, never before this returns.

        Over an existing connection this needs no task, which matters since an idle node does little
        else.
        """
        request = outgoing.request
        is_fetch = isinstance(request, Fetch | FetchSnapshot)
        channel = self._channel(outgoing.to, is_fetch=is_fetch)
        message = wire_requests.to_wire(request)
        call = channel.call_if_connected(
            message,
            partial(self._ended, outgoing),
            timeout_ms=outgoing.timeout_ms,
            versions=_versions(outgoing, message),
        )
        if call is None:
            call = asyncio.get_running_loop().create_task(self._call(channel, outgoing, message))
            call.add_done_callback(self._calls.pop)
        self._calls[call] = is_fetch

    def _channel(self, to: int, *, is_fetch: bool) -> PeerChannel:
        channel = self._channels.get((to, is_fetch))
        if channel is None:
            channel = PeerChannel(
                lambda: self._address_of(to),
                client_id=self._client_id,
                clock=self._clock,
                connect_timeout_ms=self._connect_timeout_ms,
                security=self._security,
            )
            self._channels[to, is_fetch] = channel
        return channel

    async def _call(self, channel: PeerChannel, outgoing: Outgoing, message: Message) -> None:
        """Open a connection first, then send."""
        versions = _versions(outgoing, message)
        try:
            response = await channel.call(
                message, timeout_ms=outgoing.timeout_ms, versions=versions
            )
        except (PeerError, ProtocolError) as error:
            self._failed(outgoing, error)
        else:
            self._succeeded(outgoing, response)

    def _ended(self, outgoing: Outgoing, call: asyncio.Future[Any]) -> None:
        """A call that was sent without a task has ended."""
        del self._calls[call]
        if call.cancelled() or self._is_closing:
            return
        error = call.exception()
        if error is None:
            self._succeeded(outgoing, call.result())
        elif isinstance(error, PeerError | ProtocolError):
            self._failed(outgoing, error)
        else:
            raise error

    def _succeeded(self, outgoing: Outgoing, response: Message) -> None:
        self._reachability.answered(outgoing.to)
        try:
            answer = wire_responses.from_wire(_key(response), response)
        except ProtocolError as error:
            self._failed(outgoing, error)
        else:
            self._answered.on_answer(outgoing.number, answer)

    def _failed(self, outgoing: Outgoing, error: PeerError | ProtocolError) -> None:
        request = outgoing.request
        self._reachability.failed(outgoing.to, str(error))
        if isinstance(error, ProtocolError):
            self._answered.on_failure(outgoing, PeerError(str(error)))
        elif isinstance(error, UnsupportedPeerError) and type(request) is Vote and request.pre_vote:
            # A voter from before pre-votes does not object to the vote itself (996-01).
            unknown = VoteAnswer(ErrorCode.UNSUPPORTED_VERSION, NOBODY, NOBODY, False)
            self._answered.on_answer(outgoing.number, unknown)
        else:
            self._answered.on_failure(outgoing, error)

    async def drain(self, timeout_ms: float) -> None:
        """Wait until all calls under way have ended, except those for the log; no longer than
        this."""
        calls = [call for call, is_fetch in self._calls.items() if not is_fetch]
        if calls:
            await asyncio.wait(calls, timeout=timeout_ms / 1000)

    async def close(self) -> None:
        """End all calls and connections without telling how they ended."""
        self._is_closing = True
        calls = list(self._calls)
        for call in calls:
            call.cancel()
        for channel in self._channels.values():
            channel.close()
        self._channels.clear()
        await asyncio.gather(*calls, return_exceptions=True)


def _key(message: Message) -> int:
    assert message.API_KEY is not None, "a request or a response"
    return message.API_KEY


def _versions(outgoing: Outgoing, message: Message) -> tuple[int, int] | None:
    return wire_requests.versions_of(outgoing.request, _key(message))
