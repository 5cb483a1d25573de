"""Notices nodes of other clusters: settings name the wrong address, or a node has old settings.

Each side says so in its log. The protocol's refusal (INCONSISTENT_CLUSTER_ID) names no cluster, so
the node that is refused asks the other one for its cluster id once, and then names both.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.describe_cluster_request import DescribeClusterRequest

from ...core.ports import Clock
from ...core.raft.messages import Request
from ...core.raft.raft import Raft
from ..peer_channel import PeerChannel
from ..peer_errors import PeerError
from ..security.peer_security import OPEN, PeerSecurity

REPEAT_MS: Final = 60_000
"""A node that the same address keeps refusing says so again after this time."""
ASK_TIMEOUT_MS: Final = 2000
GUESTS_MAX: Final = 1024
"""The number of refused nodes that are remembered; the oldest are forgotten first."""

NONE_NAMED: Final = ""
"""Stands for the cluster id of a request that has none."""

Address = tuple[str, int]


class Strangers:
    """`refused_by`: another node refused this one; `refuse`: this node refused another."""

    def __init__(
        self,
        raft: Raft,
        clock: Clock,
        note: Callable[[str], object],
        on_hopeless: Callable[[KafkaError], object],
        security: PeerSecurity = OPEN,
    ) -> None:
        """`security` says how other nodes are asked.

        `on_hopeless` is called when no node leads this one, and all that it may ask belong to other
        clusters.
        """
        self._security = security
        self._on_hopeless = on_hopeless
        self._raft = raft
        self._clock = clock
        self._note = note
        self._texts: dict[Address, str] = {}
        self._told_ms: dict[Address, float] = {}
        self._asking: dict[Address, asyncio.Task[None]] = {}
        self._guests: dict[tuple[int, str], None] = {}

    # --- this node is the stranger ------------------------------------------------------------

    def refused_by(self, to: int) -> None:
        """The node with this number says that this one is of another cluster."""
        address = self._raft.address_of(to)
        if address is None or address in self._asking:
            return
        now_ms = self._clock.monotonic_ms()
        if now_ms - self._told_ms.get(address, -REPEAT_MS) < REPEAT_MS:
            return
        self._told_ms[address] = now_ms
        if address in self._texts:
            self._note(self._texts[address])
        else:
            asking = asyncio.get_running_loop().create_task(self._ask(address))
            self._asking[address] = asking
            asking.add_done_callback(lambda _: self._asking.pop(address, None))

    async def _ask(self, address: Address) -> None:
        other = await _cluster_id_of(address, self._raft, self._clock, self._security)
        host, port = address
        self._texts[address] = text = (
            f"refused by a controller of another cluster: {host}:{port} belongs to cluster"
            f" {other or 'that it does not name'}, this node to {self._raft.cluster_id}"
            " (cluster.id in its meta.properties)"
        )
        self._note(text)
        if self._raft.leader.leader_id < 0 and self._are_all_others():
            why = f"no controller that the settings name is of this cluster; {text}"
            self._on_hopeless(KafkaError(ErrorCode.INCONSISTENT_CLUSTER_ID, why))

    def _are_all_others(self) -> bool:
        return all(self._raft.address_of(one) in self._texts for one in self._raft.targets())

    async def close(self) -> None:
        """Cancel all questions that are under way."""
        asking = list(self._asking.values())
        for task in asking:
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)

    # --- another node is ----------------------------------------------------------------------

    def refuse(self, request: Request | None, cluster_id: str) -> None:
        """Log that this node refused another, once for each node and cluster id."""
        guest = (_sender_of(request), cluster_id)
        if guest in self._guests:
            return
        while len(self._guests) >= GUESTS_MAX:
            del self._guests[next(iter(self._guests))]
        self._guests[guest] = None
        number, other = guest
        who = f"node {number}" if number >= 0 else "a client"
        own = self._raft.cluster_id
        if cluster_id == NONE_NAMED:
            self._note(f"{who} is refused: it names no cluster where a voter does, this is {own}")
        else:
            self._note(f"{who} of another cluster is refused: it says {other}, this is {own}")


def _sender_of(request: Request | None) -> int:
    """The number of the node that sent the request; -1 if the request does not tell."""
    for name in ("replica", "candidate"):
        if (key := getattr(request, name, None)) is not None:
            return int(key.node_id)
    return int(getattr(request, "leader_id", -1))


async def _cluster_id_of(address: Address, raft: Raft, clock: Clock, security: PeerSecurity) -> str:
    """The cluster id of a controller at this address (KIP-919); empty if it does not answer."""
    client_id = f"raft-client-{raft.replica_key.node_id}"
    channel = PeerChannel(lambda: address, client_id=client_id, clock=clock, security=security)
    try:
        answer = await channel.call(
            DescribeClusterRequest(endpoint_type=2), timeout_ms=ASK_TIMEOUT_MS, versions=(1, 2)
        )
    except PeerError:
        return ""
    finally:
        channel.close()
    return str(answer.cluster_id)
