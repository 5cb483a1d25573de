"""A metadata quorum in memory: a test says who leads and what is committed."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Sequence
from typing import Any

from barnabas.broker.server.quorum.listener import LeaderAndEpoch, NotLeaderError
from barnabas.protocol.message import Message


class MemoryQuorum:
    """Commits at once, or when it is told to; every listener hears everything, one by one."""

    def __init__(self, node_id: int = 1) -> None:
        self.node_id = node_id
        self.leader = LeaderAndEpoch(-1, 0)
        self.log: list[tuple[int, int, list[Message], int]] = []  # base, epoch, records, count
        self.log_end_offset = 0
        self.commits_at_once = True
        self.resigned: list[int] = []
        self.progress: dict[int, int] = {}
        self.fresh_since_ms = 0.0
        self.address: tuple[str, int] | None = None
        self.kraft_version = 1
        self.append_wall_ms = 0
        self._committed = 0  # batches
        self.listeners: list[Any] = []
        self._late: list[Awaitable[object]] = []

    def add_listener(self, listener: Any) -> None:
        self.listeners.append(listener)

    def leader_address(self) -> tuple[str, int] | None:
        return self.address

    def replica_progress(self) -> dict[int, int]:
        return self.progress

    def append(self, records: Sequence[Message], epoch: int) -> int:
        if self.leader != LeaderAndEpoch(self.node_id, epoch):
            raise NotLeaderError("somebody else leads")
        self._append(list(records), epoch, len(records))
        return self.log_end_offset - 1

    def kraft_version_obstacle(self, level: int) -> str | None:
        return None

    def raise_kraft_version(self, level: int, epoch: int) -> int:
        if self.leader != LeaderAndEpoch(self.node_id, epoch):
            raise NotLeaderError("somebody else leads")
        self.kraft_version = level
        self.append_control(2)
        return self.log_end_offset - 1

    def append_control(self, count: int = 1) -> None:
        """Records of the quorum's own, such as a change of its voters."""
        self._append([], self.leader.epoch, count)

    def append_records(self, *records: Message) -> None:
        """What another leader appends."""
        self._append(list(records), self.leader.epoch, len(records))

    def _append(self, records: list[Message], epoch: int, count: int) -> None:
        self.log.append((self.log_end_offset, epoch, records, count))
        self.log_end_offset += count
        if self.commits_at_once:
            self.commit()

    def commit(self) -> None:
        """Commit all that was appended; what a listener does later holds the rest up."""
        while self._committed < len(self.log) and not self._late:
            base, epoch, records, count = self.log[self._committed]
            self._committed += 1
            for listener in self.listeners:
                late = listener.on_committed(
                    base, epoch, records, self.append_wall_ms, base + count - 1
                )
                if inspect.isawaitable(late):
                    self._late.append(late)

    def lose(self) -> None:
        """Forget what was appended and not committed: another leader never saw it."""
        del self.log[self._committed :]
        base, _, _, count = self.log[-1]
        self.log_end_offset = base + count

    def resign(self, epoch: int) -> None:
        self.resigned.append(epoch)

    def lead(self, leader_id: int | None = None) -> None:
        """Begin an epoch; with this node as its leader the first batch is its `LeaderChange`."""
        leader_id = self.node_id if leader_id is None else leader_id
        self.leader = LeaderAndEpoch(leader_id, self.leader.epoch + 1)
        for listener in self.listeners:
            listener.on_leader(self.leader)
        self.append_control()

    async def settle(self) -> None:
        """Await what listeners do later, and go on."""
        while self._late:
            await self._late[0]
            self._late.pop(0)
            self.commit()
