"""What may be lost without a promise being broken.

Without an fsync before the acknowledgement, what all replicas have only in memory is lost with
them: power goes only where every partition of the node is held in sync by another machine that has
not lost power since. Whole disks, and what was written since a backup, are lost only where every
other machine has all data and all metadata, and knows the leader of the quorum: a voter that has
forgotten its vote could else vote twice in one epoch.
"""

from __future__ import annotations

from .machine import Machine
from .machines import Machines


class Budget:
    """What this cluster can lose at the moment without breaking a promise."""

    def __init__(self, machines: Machines) -> None:
        self._machines = machines
        self._weakened: dict[int, None] = {}
        """Nodes that lost unsynced data, or everything, and have not been seen complete since."""
        self.rotten: Machine | None = None
        """The machine whose disk is not to be trusted, whatever its node says."""

    def weaken(self, machine: Machine) -> None:
        """Note that a node has lost data."""
        if machine.is_broker:
            self._weakened[machine.node_id] = None

    def may_lose_power(self, machine: Machine) -> bool:
        """Whether nothing that was promised is lost with the unsynced data of this node."""
        if not machine.is_broker or self._machines.profile.flush_messages == 1:
            return True
        if self.rotten is not None:
            return False
        if self._machines.has_full_isrs() and all(each.is_up for each in self._machines):
            self._weakened.clear()
        # With one replica in sync nobody else has what would be lost (KIP-966).
        others = self._machines.profile.min_insync_replicas > 1
        return others and not self._weakened and self._machines.has_full_isrs()

    def may_lose_disk(self, machine: Machine) -> bool:
        """Whether all others have what this node has, and no other node has lost anything."""
        machines = self._machines
        if len(machines.running) < len(machines.by_id) or machines.network.has_cuts:
            return False
        if self.rotten is not None:
            return False
        if not (machines.are_all_unfenced() and machines.has_full_isrs()):
            return False
        if not self._has_all_metadata(machine):
            return False
        self._weakened.clear()
        if machine.is_broker and machines.profile.min_insync_replicas < 2:
            return False
        return machine.node_id not in machines.profile.voters or len(machines.profile.voters) > 1

    def may_replace(self, machine: Machine) -> bool:
        """Whether all others have what was promised, whatever this machine has."""
        machines = self._machines
        others = {each.node_id for each in machines} - {machine.node_id}
        if others - {each.node_id for each in machines.running} or machines.network.has_cuts:
            return False
        partitions = [partition for _, _, partition in machines.partitions()]
        return (
            bool(partitions)
            and all(others & set(one.replicas) <= set(one.isr) for one in partitions)
            and self._has_all_metadata(machine)
        )

    def _has_all_metadata(self, machine: Machine) -> bool:
        """Whether every other node holds what is committed, and follows the one leader of the
        quorum."""
        quorums = {each.node_id: each.node.quorum for each in self._machines if each.node}
        committed = max(quorum.high_watermark for quorum in quorums.values())
        leaders = {quorum.leader for quorum in quorums.values()}
        return len(leaders) == 1 and all(
            quorum.log_end_offset >= committed
            for node_id, quorum in quorums.items()
            if node_id != machine.node_id
        )
