"""The topics in which coordinators keep their state: created when they are first asked for."""

from __future__ import annotations

import asyncio
from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError

from ...core.cluster.commands import CreateTopics, NewTopic
from ...core.cluster.topic_image import GROUPS_TOPIC, TRANSACTIONS_TOPIC
from ...core.config.broker import BrokerConfig
from .services import CoordinatorServices

TOLD_AGAIN_MS: Final = 30_000.0
"""A topic that cannot be created is told of in the log no more often than that."""


class InternalTopics:
    """Creates them; who asks while one is being created waits for the same answer."""

    def __init__(self, node: CoordinatorServices) -> None:
        self._node = node
        self._creating: dict[str, asyncio.Task[None]] = {}
        self._told_ms: dict[str, float] = {}

    async def ensure(self, name: str) -> None:
        """Return when the topic is there, or could not be created now; the node's log says why."""
        if name in self._node.image.topics_by_name:
            return
        task = self._creating.get(name)
        if task is None:
            task = asyncio.get_running_loop().create_task(self._create(name))
            self._creating[name] = task
            task.add_done_callback(lambda _: self._creating.pop(name, None))
        await asyncio.shield(task)

    async def _create(self, name: str) -> None:
        try:
            (made,) = await self._node.metadata.submit(
                CreateTopics((internal_topic(name, self._node.config),))
            )
        except KafkaError as error:
            self._tell(name, error.code, error.message)
            return
        if made.code not in (ErrorCode.NONE, ErrorCode.TOPIC_ALREADY_EXISTS):
            self._tell(name, made.code, made.message)

    def _tell(self, name: str, code: ErrorCode, message: str | None) -> None:
        now = self._node.env.clock.monotonic_ms()
        told = self._told_ms.get(name)
        if told is None or now - told >= TOLD_AGAIN_MS:
            self._told_ms[name] = now
            self._node.log.warning(
                "an internal topic cannot be created: its clients must wait",
                topic=name,
                error=code.name,
                reason=message,
            )

    async def stop(self) -> None:
        """Nobody waits for them any more."""
        tasks = list(self._creating.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def internal_topic(name: str, config: BrokerConfig) -> NewTopic:
    """How the topic is to be: partitions, replicas and settings (REC-04)."""
    assert name in (GROUPS_TOPIC, TRANSACTIONS_TOPIC)
    return _groups_topic(config) if name == GROUPS_TOPIC else _transactions_topic(config)


def _groups_topic(config: BrokerConfig) -> NewTopic:
    configs = {
        "cleanup.policy": "compact",
        "compression.type": "producer",
        "segment.bytes": str(config.offsets_topic_segment_bytes),
    }
    return NewTopic(
        GROUPS_TOPIC,
        config.offsets_topic_num_partitions,
        config.offsets_topic_replication_factor,
        configs=tuple(configs.items()),
    )


def _transactions_topic(config: BrokerConfig) -> NewTopic:
    configs = {
        "cleanup.policy": "compact",
        "compression.type": "uncompressed",
        "min.insync.replicas": str(config.transaction_state_log_min_isr),
        "segment.bytes": str(config.transaction_state_log_segment_bytes),
        "unclean.leader.election.enable": "false",
    }
    return NewTopic(
        TRANSACTIONS_TOPIC,
        config.transaction_state_log_num_partitions,
        config.transaction_state_log_replication_factor,
        configs=tuple(configs.items()),
    )
