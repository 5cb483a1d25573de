"""After the faults have ended: L-1 to L-10, each with the time that the profile's timeouts give."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from barnabas.broker.core.cluster.topic_image import TRANSACTIONS_TOPIC
from barnabas.client import TopicPartition
from barnabas.testing.simulation.hooks import InvariantError
from barnabas.testing.simulation.injector import is_active
from barnabas.testing.simulation.settings import ABORT_LOOK_MS, session_ms
from barnabas.testing.simulation.workload.history import OPEN
from barnabas.testing.simulation.workload.transactions.transactor import TIMEOUT_MS

from .far_behind import FarBehind
from .groups import GroupContract
from .transactions.contract import TransactionContract

if TYPE_CHECKING:
    from barnabas.testing.simulation.machines import Machines
    from barnabas.testing.simulation.workload.workload import Workload

CLIENT_S = 60.0
"""Time for clients to come back by themselves: their back-offs and request timeouts."""

MARKERS_S = 3.0
"""Time for the markers of a transaction in a cluster without faults, and for the last of its own
programs to find its coordinator again."""

GROUP_SESSIONS = 8
"""Sessions that a group may take to settle: of those who died, of a rebalance, of a move."""


class Liveness:
    """Waits for what must come true in a healed cluster."""

    def __init__(self, machines: Machines, workload: Workload) -> None:
        self._machines = machines
        self._workload = workload
        self._settings = next(iter(machines)).config
        self.took_s: dict[str, float] = {}
        """How long each took, for reports."""
        self._healed_s = 0.0

    async def check_healed(self) -> None:
        """L-1, L-2, L-3 and L-5, from the moment at which everything was healed."""
        self._healed_s = self._machines.loop.now
        settings = self._settings
        quorum_s = (
            2 * settings.controller_quorum_fetch_timeout_ms
            + 4 * settings.controller_quorum_election_timeout_ms
            + 2 * settings.controller_quorum_election_backoff_max_ms
        ) / 1000.0
        # Starting takes its time too: recovery, and a first registration.
        start_s = 10.0
        machines = self._machines
        await self._within("L-1", self._has_controller, quorum_s + start_s)
        session_s = settings.broker_session_timeout_ms / 1000.0
        await self._within("L-1", machines.are_all_started, quorum_s + session_s + start_s)
        await self._within(
            "L-2", lambda: self._are_all_led() and machines.are_all_unfenced(), 2 * session_s + 5.0
        )
        lag_s = settings.replica_lag_time_max_ms / 1000.0
        await self._within("L-3", machines.has_full_isrs, lag_s + 10.0)
        await self._within("L-5", self._have_all_one_metadata, 5.0)

    async def check_deletions(self) -> None:
        """L-10: records are deleted, in all replicas, soon after it was asked for."""
        if not self._machines.profile.purges:
            return
        purging = asyncio.ensure_future(self._workload.purge_once())
        done, _ = await asyncio.wait([purging], timeout=CLIENT_S)
        if not done:
            raise InvariantError("L-10", f"records are not deleted after {CLIENT_S} s")
        purging.result()

    async def check_calls_ended(self) -> None:
        """L-4: every call of a producer ended in its time."""
        writers = asyncio.ensure_future(self._workload.stop_writing())
        done, _ = await asyncio.wait([writers], timeout=CLIENT_S)
        if not done:
            still = [send for send in self._workload.history.sends if send.outcome == OPEN]
            raise InvariantError(
                "L-4", f"clients did not end within {CLIENT_S} s; open calls: {still[:3]}"
            )
        writers.result()
        for send in self._workload.history.sends:
            took_s = send.ended_s - send.at_s
            if send.outcome == OPEN or took_s > send.limit_s:
                raise InvariantError(
                    "L-4",
                    f"{send.producer} {send.number} to {send.where}: {send.outcome} after"
                    f" {took_s:.3f} s, allowed are {send.limit_s} s",
                )

    async def check_all_read(self) -> None:
        """L-4: every consumer reaches the end; a new one too."""
        ends = self.ends()
        self._workload.audit()

        def is_all_read() -> bool:
            starts = self.starts()  # retention takes away what was not read yet
            left = {where: end for where, end in ends.items() if starts.get(where, 0) < end}
            return self._workload.has_read_up_to(left)

        await self._within("L-4", is_all_read, CLIENT_S)

    async def check_groups(self, contract: GroupContract) -> None:
        """L-8: members share what their group reads; each record comes to one of them (I-32)."""
        groups = self._workload.groups
        if not groups.members:
            return
        limit_s = GROUP_SESSIONS * session_ms(self._machines.profile) / 1000.0 + CLIENT_S
        await self._within("L-8", lambda: not groups.unsettled(), limit_s, groups.unsettled)

        def left() -> list[str]:
            return [text for group in groups.ids for text in contract.left(group, groups.ends)]

        await self._until_none("I-32", left)
        await self._workload.look_at_offsets()

    async def check_abandoned(self, contract: TransactionContract) -> None:
        """L-9: a transaction that nobody ends is ended by its coordinator in good time."""
        if not self._workload.transactions.are_there:
            return
        name = await self._workload.abandon_transaction()

        def is_ended() -> bool:
            return not any(text.startswith(name) for text in contract.still_open())

        limit_s = (TIMEOUT_MS + 2 * ABORT_LOOK_MS) / 1000.0 + MARKERS_S
        if self._machines.are_links_half_open():
            # Markers that went into a connection whose other end is gone without a word hold up
            # those behind them, until their request has waited for as long as it may.
            waits_s = 2 * self._settings.request_timeout_ms / 1000.0
            over_s = self._healed_s + waits_s + MARKERS_S
            limit_s = max(limit_s, over_s - self._machines.loop.now)
        await self._within("L-9", is_ended, limit_s, contract.still_open)
        image = self._machines.newest_image()
        state = None if image is None else image.partition(TRANSACTIONS_TOPIC, 0)
        if state is not None:
            contract.check_coordinator(name, state.leader_epoch)

    async def check_transactions(self, contract: TransactionContract) -> None:
        """L-9: none is open; what was committed is copied, and read by everybody (I-23, I-36)."""
        transactions = self._workload.transactions
        if not transactions.are_there:
            return
        await self._until_none("L-9", contract.still_open)
        await self._until_none("I-36", contract.not_copied)
        for reader in transactions.readers:
            await self._until_none("I-23", partial(contract.not_read, reader))
        await self._workload.look_at_copiers()
        contract.check_whole()

    async def check_leaders_rest(self) -> None:
        """L-6: without faults no leader moves any more.

        A heartbeat that trouble made late before the end still fences its broker: wait for that.
        """
        session_s = self._settings.broker_session_timeout_ms / 1000.0
        await asyncio.sleep(session_s)
        before = self._epochs()
        await asyncio.sleep(session_s)
        moved = [
            f"{name}-{index}"
            for (name, index), epoch in self._epochs().items()
            if epoch > before.get((name, index), epoch) + 1
        ]
        if moved:
            raise InvariantError("L-6", f"leaders still move in a healed cluster: {moved}")

    async def check_far_behind(self) -> None:
        """L-7, where the profile asks for it; then all is as it was."""
        if not self._machines.profile.leaves_behind:
            return
        begun_s = self._machines.loop.now
        await FarBehind(self._machines).check()
        self.took_s["L-7"] = self._machines.loop.now - begun_s
        await self.check_healed()

    def ends(self) -> dict[TopicPartition, int]:
        """Watermarks of the topics that stay, from their leaders."""
        ends = {}
        for topic, index, partition in self._machines.partitions():
            where = TopicPartition(topic.name, index)
            replica = self._machines.replica(partition.leader, topic.topic_id, index)
            if where in self._workload.office.where and replica is not None:
                ends[where] = replica.log.high_watermark
        return ends

    def starts(self) -> dict[TopicPartition, int]:
        """Where the logs of the topics that stay begin."""
        starts = {}
        for topic, index, partition in self._machines.partitions():
            replica = self._machines.replica(partition.leader, topic.topic_id, index)
            if replica is not None:
                starts[TopicPartition(topic.name, index)] = replica.log.log_start_offset
        return starts

    async def _within(
        self,
        rule: str,
        condition: Callable[[], bool],
        limit_s: float,
        shown: Callable[[], object] | None = None,
    ) -> None:
        begun_s = self._machines.loop.now
        name = getattr(condition, "__name__", "condition").strip("_")
        if not await self._machines.wait_for(condition, limit_s):
            state = self._state() if shown is None else f"{shown()}; {self._state()}"
            raise InvariantError(
                rule, f"not within {limit_s:.1f} s after the faults: {name}; {state}"
            )
        took_s = self._machines.loop.now - begun_s
        self.took_s[rule] = self.took_s.get(rule, 0.0) + took_s

    def _has_controller(self) -> bool:
        if not hasattr(next(iter(self._machines)).node, "quorum"):
            return self._machines.newest_image() is not None
        return any(map(is_active, self._machines.running))

    def _are_all_led(self) -> bool:
        return all(leader >= 0 for leader in self._machines.leaders().values())

    async def _until_none(self, rule: str, left: Callable[[], list[str]]) -> None:
        """Nothing is left, once clients had the time that they need."""
        await self._within(rule, lambda: not left(), CLIENT_S, left)

    def _have_all_one_metadata(self) -> bool:
        offsets = [
            machine.node.image.last_offset for machine in self._machines if machine.node is not None
        ]
        # No-op records come all the time: nearly the same is the same.
        return len(offsets) == len(self._machines.by_id) and max(offsets) - min(offsets) <= 3

    def _epochs(self) -> dict[tuple[str, int], int]:
        return {
            (topic.name, index): partition.leader_epoch
            for topic, index, partition in self._machines.partitions()
        }

    def _state(self) -> str:
        """What the cluster looks like, for whoever has to find out."""
        image = self._machines.newest_image()
        if image is None:
            return "no node runs"
        fenced = [number for number, broker in sorted(image.brokers.items()) if broker.fenced]
        bad = [
            f"{topic.name}-{index} leader {p.leader} ISR {p.isr} of {p.replicas}"
            for topic, index, p in self._machines.partitions()
            if p.leader < 0 or sorted(p.isr) != sorted(p.replicas)
        ]
        down = [str(machine) for machine in self._machines if machine.node is None]
        starts = {m.name: m.failed_starts[-1] for m in self._machines if m.failed_starts}
        return f"fenced {fenced}, not started {down} {starts or ''}, partitions {bad}"
