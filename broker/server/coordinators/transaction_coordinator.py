"""The transaction coordinator of a broker: which transactional ids are here, and their markers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from ...core.cluster.changes import Changes
from ...core.cluster.image import ClusterImage
from ...core.cluster.topic_image import TRANSACTIONS_TOPIC
from ...core.coordination.loaded_batch import TRANSACTION_RECORDS
from ...core.coordination.machine import Outcome, ShardTimers
from ...core.coordination.shard_writer import ShardRules
from ...core.coordination.timeline import Timeline
from ...core.coordination.transactions.ending import complete
from ...core.coordination.transactions.surroundings import Ending, TransactionSurroundings
from ...core.coordination.transactions.transaction_machine import TransactionMachine
from ...core.replication.partition import Partition
from ..producer_ids import ProducerIds
from .led_shards import LedShards, ShardKind
from .marker_sender import MarkerSender, MarkersOfShard
from .promise import Promise
from .services import TransactionServices

ResultT = TypeVar("ResultT")

FEATURE = "transaction.version"


class TransactionCoordinator:
    """`Transactions` of serving/context.py, over the partitions that this broker leads."""

    def __init__(self, node: TransactionServices, producer_ids: ProducerIds) -> None:
        self._node = node
        self._producer_ids = producer_ids
        self.markers = MarkerSender(node, self._complete)
        config = node.config
        kind = ShardKind(
            TRANSACTIONS_TOPIC,
            "TransactionCoordinator",
            ShardRules(timeout_ms=config.request_timeout_ms),
            TRANSACTION_RECORDS,
            config.transaction_state_log_load_buffer_size,
            self._machine,
        )
        self.shards: LedShards[TransactionMachine] = LedShards(node, kind)

    # --- `Transactions` -----------------------------------------------------------------------

    async def write(
        self,
        transactional_id: str,
        decide: Callable[[TransactionMachine], Outcome[ResultT]],
    ) -> ResultT:
        """Decide in the shard of this id; see `Transactions`."""
        return await self.shards.write(transactional_id, decide)

    async def read(
        self, transactional_id: str, look: Callable[[TransactionMachine, int], ResultT]
    ) -> ResultT:
        """Read what is committed in the shard of this id; see `Transactions`."""
        return await self.shards.read(transactional_id, look, may_be_old=True)

    async def read_all(self, look: Callable[[TransactionMachine, int], ResultT]) -> list[ResultT]:
        """Read what is committed in each shard that this broker leads; see `Transactions`."""
        return await self.shards.read_all(look)

    async def have_producer_id(self) -> None:
        """Return when there is a producer id at hand; see `Transactions`."""
        await self._producer_ids.have_one()

    @property
    def feature_level(self) -> int:
        """Level of `transaction.version` that the cluster has finalised; see `Transactions`."""
        return self._node.image.features.get(FEATURE, 0)

    # --- life ---------------------------------------------------------------------------------

    def start(self) -> None:
        """Load the shards of the partitions that this broker leads already."""
        self.shards.start()

    async def stop(self) -> None:
        """Refuse all who wait (CRT-18), and send no more markers."""
        await self.shards.stop()
        await self.markers.stop()

    def on_image(self, image: ClusterImage, changes: Changes) -> None:
        """A listener of the metadata, told after the `ReplicaStore`."""
        self.shards.on_image(image, changes)
        self.markers.channels.on_image(image, changes)

    def figures(self) -> dict[str, float]:
        """Metrics by name."""
        return {
            **self.shards.figures(),
            "TransactionCoordinator.TransactionsEnding": self.markers.count,
        }

    # --- shards -------------------------------------------------------------------------------

    def _machine(
        self, timeline: Timeline, timers: ShardTimers, partition: Partition
    ) -> TransactionMachine:
        node = self._node
        around = TransactionSurroundings(
            env=node.env,
            config=node.config,
            timeline=timeline,
            timers=timers,
            markers=MarkersOfShard(self.markers, partition.index),
            producer_ids=self._producer_ids,
            feature_level=lambda: self.feature_level,
            coordinator_epoch=partition.leader_epoch,
            report=lambda event, fields: node.log.info(event, **fields),
        )
        return TransactionMachine(around)

    async def _complete(self, number: int, ending: Ending) -> None:
        """Write the Complete record of this end (TXN-34). Raises KafkaError."""
        shard = self.shards.shard_at(number)
        promise: Promise[None] = Promise()
        shard.write(partial(complete, shard.machine.transactions, ending), promise)
        await promise.kept()
