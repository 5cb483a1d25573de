"""Over which connection each voter fetches the metadata log.

What a voter's Fetch says it has counts for what is committed, and nothing in it proves who sent it.
A voter has one connection for that, and always asks again within a moment: while it does, the same
number over another connection is somebody else's. One that has closed, or says nothing for
`SILENCE_MS`, may have been replaced.
"""

from __future__ import annotations

from typing import Final

from ...core.raft.messages import Fetch, FetchSnapshot, Request
from ...core.raft.raft import Raft
from ...serving.context import Peer

SILENCE_MS: Final = 1000.0
"""Twice as long as a leader holds a Fetch without news."""


class Speakers:
    """At most one entry for each voter."""

    def __init__(self, raft: Raft) -> None:
        self._raft = raft
        self._known: dict[int, tuple[Peer, float]] = {}

    def admits(self, request: Request, peer: Peer | None, now_ms: float) -> bool:
        """Whether this connection may speak for the voter that the request names."""
        if peer is None or not isinstance(request, Fetch | FetchSnapshot):
            return True
        voter = request.replica.node_id
        if voter not in self._raft.voters.ids:
            return True
        known = self._known.get(voter)
        if known is not None and known[0] is not peer:
            speaker, heard_ms = known
            if not speaker.is_closed and now_ms - heard_ms <= SILENCE_MS:
                return False
        self._known[voter] = (peer, now_ms)
        return True
