"""I-28: what a node holds in memory is bounded by its settings, whatever clients do.

Measured is what its objects take (`heap.py`), and, of that, unread answers and fetch sessions. The
bounds are what a node takes by itself and for the honest clients of a run, and what its limits
allow others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from barnabas.testing.simulation.heap import heap_bytes, unsent_bytes
from barnabas.testing.simulation.hooks import InvariantError
from barnabas.testing.simulation.workload.hoarder import CONNECTIONS

if TYPE_CHECKING:
    from barnabas.broker.server.broker import Broker
    from barnabas.testing.simulation.machine import Machine
    from barnabas.testing.simulation.machines import Machines

OWN_BYTES: Final = 4 << 20
"""Of a node by itself: metadata, logs, groups, and answers to the run's honest clients and to other
nodes. It is less than half of that in most runs."""

SMALL_BYTES: Final = 16_000
"""Of any connection: its buffers."""

RECEIVED_BYTES: Final = 290_000
"""Of a hoarder's connection: the buffer that a large frame grows to before it must wait."""

UNSENT_BYTES: Final = 140_000
"""Of a hoarder's connection: answers that are not counted yet."""

TURN_BYTES: Final = 1_200_000
"""Answers that one connection may be given before anybody counts them, and one more."""

SESSION_PARTITION_BYTES: Final = 700
"""One partition of a fetch session."""


class Memory:
    """Looks at what nodes hold: one machine at a time, and whichever somebody asks for."""

    def __init__(self, machines: Machines) -> None:
        self._machines = machines
        self._looks = 0
        self._hoarding = machines.profile.hoarders * CONNECTIONS
        """Connections of clients that have nodes hold what they can."""
        self.largest = 0
        """Most bytes that a node held when somebody looked."""

    def look_around(self) -> None:
        """Look at one machine, another one each time."""
        self._looks += 1
        ids = self._machines.profile.node_ids
        self.look_at(ids[self._looks % len(ids)])

    def look_at(self, node_id: int) -> None:
        """Measure what this node holds. Raises InvariantError if that is too much."""
        machine, network = self._machines.by_id[node_id], self._machines.network
        if machine.node is None or machine.incarnation is None:
            return
        held = heap_bytes(network, machine.incarnation, machine.node)
        self.largest = max(self.largest, held)
        role, most = machine.node.role, OWN_BYTES
        broker = None if role is None else role.broker
        if self._hoarding and broker is not None:
            most += self._for_others(machine, len(broker.connections))
            self._look_at_answers(machine, unsent_bytes(network, machine.incarnation))
        if broker is not None:
            _look_at_sessions(machine, broker)
        if held > most:
            raise InvariantError("I-28", f"{machine.name} holds {held} bytes, at most {most} go")

    def _for_others(self, machine: Machine, connections: int) -> int:
        config = machine.config
        return (
            config.queued_max_request_bytes
            + config.socket_request_max_bytes  # of the oldest connection, which may always go on
            + self._hoarding * (RECEIVED_BYTES + UNSENT_BYTES)
            + config.queued_max_response_bytes
            + TURN_BYTES
            + config.max_incremental_fetch_session_cache_partitions * SESSION_PARTITION_BYTES
            + connections * SMALL_BYTES
        )

    def _look_at_answers(self, machine: Machine, unsent: int) -> None:
        """Large answers are not made while others of that size are unread."""
        most = machine.config.queued_max_response_bytes + TURN_BYTES
        most += self._hoarding * UNSENT_BYTES
        if unsent > most:
            raise InvariantError(
                "I-28", f"{machine.name} has {unsent} bytes of answers unsent, at most {most} go"
            )


def _look_at_sessions(machine: Machine, broker: Broker) -> None:
    """227-03: sessions have a bounded number of partitions together."""
    most = machine.config.max_incremental_fetch_session_cache_partitions
    sessions = broker.sessions._sessions.values()
    partitions = sum(len(session.targets) for session in sessions)
    if partitions > most:
        raise InvariantError(
            "I-28", f"{machine.name} has {partitions} partitions in sessions, at most {most} go"
        )
