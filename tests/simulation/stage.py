"""A bus with all checks, and replicas of which it is only told."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from kit.batches import around

from barnabas.client import TopicPartition
from barnabas.testing.simulation.checks.client_contract import ClientContract
from barnabas.testing.simulation.checks.committed import Committed
from barnabas.testing.simulation.checks.in_sync import InSyncSets
from barnabas.testing.simulation.checks.metadata import AppliedMetadata
from barnabas.testing.simulation.checks.replica_logs import ReplicaLogs, batches_of
from barnabas.testing.simulation.hooks import HookBus
from barnabas.testing.simulation.loop import SimulatedLoop
from barnabas.testing.simulation.work import Work
from barnabas.testing.simulation.workload.history import History

TOPIC_ID = bytes(15) + b"\1"
HERE = TopicPartition("t", 0)


def batch(base: int, count: int = 1, epoch: int = 0, crc: int = 7) -> bytes:
    """What the checks look at of a batch."""
    return around(
        b"",
        count=0,
        last_offset_delta=count - 1,
        timestamp=0,
        producer_id=0,
        producer_epoch=0,
        base_sequence=0,
        base_offset=base,
        leader_epoch=epoch,
        crc=crc,
    )


class Stage:
    """A bus with all checks, and replicas that are only told of."""

    def __init__(self, *, keeps_pending: bool = True) -> None:
        self.loop: Any = SimpleNamespace(now=0.0, violation=None, work=Work())
        self.bus = HookBus(cast(SimulatedLoop, self.loop))
        self.logs = ReplicaLogs(self.bus)
        self.committed = Committed(
            self.bus, self.logs, acked_means_flushed=False, is_recovering=lambda *_: False
        )
        self.history = History()
        InSyncSets(self.bus, self.logs, keeps_pending=keeps_pending)
        self.live: list[int] = []
        """Whom the quorum's leader has heard of."""
        self.disk: Any = SimpleNamespace(replaced=0)
        """Of every node."""
        AppliedMetadata(self.bus, self.logs, lambda _: self.live, lambda _: self.disk)
        self.contract = ClientContract(self.bus, self.history, self.committed, lambda _: TOPIC_ID)
        self._logs: dict[int, Any] = {}

    def tell(self, node: int, name: str, **fields: Any) -> None:
        self.bus.tell(f"node-{node}", 1, name, fields)

    def log(self, node: int) -> Any:
        if node not in self._logs:
            self._logs[node] = SimpleNamespace(
                topic="t",
                topic_id=TOPIC_ID,
                partition=0,
                name="t-0",
                segments=[],
                log_start_offset=0,
                log_end_offset=0,
                high_watermark=0,
                first_segment_offset=0,
                rules=SimpleNamespace(compact=False),
            )
            self.tell(node, "log-opened", log=self._logs[node])
        return self._logs[node]

    def append(self, node: int, data: bytes) -> None:
        log = self.log(node)
        log.log_end_offset = max(found.last for found in batches_of(data)) + 1
        self.tell(node, "append", log=log, batches=data)

    def truncate(self, node: int, offset: int) -> None:
        log = self.log(node)
        log.log_end_offset = offset
        self.tell(node, "truncate", log=log, offset=offset)

    def partition(
        self, node: int, epoch: int = 0, isr: tuple[int, ...] = (1, 2), min_in_sync: int = 1
    ) -> Any:
        in_sync = SimpleNamespace(committed=isr, change=None, min_count=min_in_sync)
        return SimpleNamespace(
            topic="t",
            topic_id=TOPIC_ID,
            index=0,
            leader_epoch=epoch,
            log=self.log(node),
            leader=SimpleNamespace(epoch_start_offset=0, in_sync=in_sync),
        )

    def lead(self, node: int, epoch: int = 0) -> None:
        self.tell(node, "leader", partition=self.partition(node, epoch))

    def commit(self, node: int, offset: int, epoch: int = 0, **options: Any) -> None:
        partition = self.partition(node, epoch, **options)
        partition.log.high_watermark = offset
        self.tell(node, "hw", partition=partition, high_watermark=offset, as_leader=True)

    @property
    def rule(self) -> str:
        violation = self.loop.violation
        return "" if violation is None else str(violation.rule)


def known_by(epochs: list[tuple[int, int]]) -> Any:
    """A log that says so of its epochs, and ends at 5."""
    return SimpleNamespace(
        topic="t", topic_id=bytes(16), partition=0, name="t-0", segments=[],
        log_start_offset=0, log_end_offset=5, high_watermark=5, first_segment_offset=0,
        recovery_point=5, rules=SimpleNamespace(compact=False), epoch_of=lambda offset: 0,
        leader_epochs=SimpleNamespace(starts=[start for _, start in epochs]),
        producers=SimpleNamespace(by_id={}),
    )  # fmt: skip
