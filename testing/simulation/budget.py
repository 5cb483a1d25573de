"""What may be lost without a promise being broken.

Without an fsync before the acknowledgement, what all replicas have only in memory is lost with
them: power goes only where every partition of the node is held in sync by another machine that has
not lost power since. Whole disks, and what was written since a backup, are lost only where every
other machine has all data and all metadata, and knows the leader of the quorum: a voter that has
forgotten its vote could else vote twice in one epoch.

A node that lost something stays in the in-sync sets until it registers again, or is fenced. Whoever
dies in that time without order is taken out of them at its own next registration (966-03), so the
one that lost could be the last one left, and lead: no cluster can tell which of them has the data.
Until it is known again, of each partition that it is counted in another member has to stay.
"""

from __future__ import annotations

from .machine import Machine
from .machines import Machines


class Budget:
    """What this cluster can lose at the moment without breaking a promise."""

    def __init__(self, machines: Machines) -> None:
        self._machines = machines
        self._weakened: dict[int, int] = {}
        """Nodes that lost unsynced data, or everything, and have not been seen complete since: the
        epoch under which the cluster knew them then."""
        self.rotten: Machine | None = None
        """The machine whose disk is not to be trusted, whatever its node says."""

    def weaken(self, machine: Machine) -> None:
        """Note that a node has lost data."""
        if machine.is_broker:
            self._weakened[machine.node_id] = self._epoch_of(machine.node_id)

    def weaken_unsynced(self, machine: Machine) -> None:
        """Note that a node has lost what was not synced, which may be what was promised."""
        if self._machines.profile.flush_messages != 1:
            self.weaken(machine)

    def may_die(self, *dying: Machine) -> bool:
        """Whether nothing is lost when these processes end without order."""
        counted = {node_id for node_id in self._weakened if self._is_counted(node_id)}
        if not counted:
            return True
        gone = counted | {machine.node_id for machine in dying}
        return self._is_held_without(gone, counted)

    def may_lose_power(self, machine: Machine) -> bool:
        """Whether nothing that was promised is lost with the unsynced data of this node."""
        machines = self._machines
        if not machine.is_broker or machines.profile.flush_messages == 1:
            return True
        if self.rotten is not None or machines.newest_image() is None:
            return False
        is_complete = machines.has_full_isrs()
        if is_complete and all(each.is_up for each in machines):
            self._forget_who_is_known()
        # With one replica in sync nobody else has what would be lost (KIP-966).
        others = machines.profile.min_insync_replicas > 1
        mine = {machine.node_id}
        return others and not self._weakened and is_complete and self._is_held_without(mine, mine)

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
        self._forget_who_is_known()
        if self._weakened.keys() - {machine.node_id}:
            return False
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

    def _epoch_of(self, node_id: int) -> int:
        """The broker epoch that the cluster knows of this node; -1: none, or nobody can say."""
        image = self._machines.newest_image()
        broker = None if image is None else image.brokers.get(node_id)
        return -1 if broker is None else broker.epoch

    def _is_counted(self, node_id: int) -> bool:
        """Whether the cluster may take this node, which lost data, for one that has all."""
        loses_more = self._machines.by_id[node_id].disk.faults.fsync_error > 0
        return loses_more or self._epoch_of(node_id) == self._weakened[node_id]

    def _is_known(self, node_id: int) -> bool:
        """Whether this node runs as the cluster knows it: it will not register again by itself."""
        machine = self._machines.by_id[node_id]
        broker = None if machine.node is None else machine.node.broker
        return broker is not None and broker.broker_epoch == self._epoch_of(node_id)

    def _is_held_without(self, gone: set[int], members: set[int]) -> bool:
        """Whether each partition that has one of `members` in sync has another member in sync that
        runs on and is none of `gone`."""
        return all(
            any(self._is_known(member) for member in partition.isr if member not in gone)
            for _, _, partition in self._machines.partitions()
            if members & set(partition.isr)
        )

    def _forget_who_is_known(self) -> None:
        self._weakened = {
            node_id: epoch for node_id, epoch in self._weakened.items() if self._is_counted(node_id)
        }

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
