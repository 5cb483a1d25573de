"""Whether the metadata quorum can still decide: are enough of its voters' processes there?

Asked by a node that leaves and gets no answer. A refused connection proves that a voter's process
does not run; silence proves nothing. When all nodes of a cluster are told to stop, the last ones
find out by this, rather than by waiting, that nobody is left who could take their leaderships.
"""

from __future__ import annotations

import asyncio
from typing import Final

from ...core.ports import Clock
from ...core.raft.raft import Raft
from ..peer_channel import PeerChannel
from ..peer_errors import PeerError, PeerRefusedError
from ..security.peer_security import OPEN, PeerSecurity

DIAL_TIMEOUT_MS: Final = 500.0
"""A voter that accepts no connection within this time may still be alive."""


class VotersLeft:
    """Dials the other voters of one node's quorum."""

    def __init__(self, raft: Raft, clock: Clock, security: PeerSecurity = OPEN) -> None:
        self._raft = raft
        self._clock = clock
        self._security = security

    async def is_majority_gone(self) -> bool:
        """Whether so many voters refuse connections that the others, including this node if it is a
        voter, are no majority."""
        own_id = self._raft.replica_key.node_id
        voters = [one.voter_id for one in self._raft.voters.members]
        others = [voter for voter in voters if voter != own_id]
        refusals = await asyncio.gather(*(self._is_refused_by(voter) for voter in others))
        return len(voters) - sum(refusals) <= len(voters) // 2

    async def _is_refused_by(self, voter_id: int) -> bool:
        channel = PeerChannel(
            lambda: self._raft.address_of(voter_id),
            client_id=f"broker-{self._raft.replica_key.node_id}",
            clock=self._clock,
            security=self._security,
            connect_timeout_ms=DIAL_TIMEOUT_MS,
        )
        try:
            await channel.connect(timeout_ms=DIAL_TIMEOUT_MS)
        except PeerError as error:
            return isinstance(error, PeerRefusedError)
        finally:
            channel.close()
        return False
