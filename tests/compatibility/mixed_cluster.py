"""A cluster whose controller and first broker are Apache Kafka, and whose second broker is ours."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from kit.kafka_process import KafkaProcess

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.node import Node

KAFKA, OURS = 1, 2
LED_BY_KAFKA, LED_BY_US = 0, 1
"""The partitions of a topic that `ASSIGNED` made."""
ASSIGNED = {LED_BY_KAFKA: [KAFKA, OURS], LED_BY_US: [OURS, KAFKA]}

PATIENCE_S = 60.0
LOG = "00000000000000000000.log"


async def join(
    kafka: KafkaProcess, directory: Path, settings: Mapping[str, Any] | None = None
) -> Node:
    """Our broker, let in by Kafka's controller; further settings by field name."""
    config = replace(
        BrokerConfig(),
        **(settings or {}),
        node_id=OURS,
        cluster_id=kafka.cluster_id,
        process_roles=("broker",),
        log_dirs=(str(directory),),
        listeners=("PLAINTEXT://127.0.0.1:0",),
        controller_listener_names=("CONTROLLER",),
        controller_quorum_bootstrap_servers=(kafka.controller_address,),
        logging_level="error",
    )
    return await asyncio.wait_for(Node.start(config), PATIENCE_S)


async def until(condition: Callable[[], bool], what: str) -> None:
    """Wait for what two brokers, one of them another process, come to."""
    deadline = asyncio.get_running_loop().time() + PATIENCE_S
    while not condition():
        assert asyncio.get_running_loop().time() < deadline, what
        await asyncio.sleep(0.02)


def is_full(node: Node, topic: str, partition: int) -> bool:
    """Whether both replicas are in sync, as far as our broker has heard."""
    found = node.image.partition(topic, partition)
    return found is not None and sorted(found.isr) == [KAFKA, OURS]


def are_active(node: Node) -> bool:
    """Whether both brokers are unfenced, as far as ours has heard: its controller knows first."""
    return [one.broker_id for one in node.image.active_brokers()] == [KAFKA, OURS]


def are_equal(one: Path, other: Path) -> bool:
    return one.read_bytes() == other.read_bytes()


async def check_same_files(kafka: KafkaProcess, node: Node, ours: Path, topic: str = "t") -> None:
    """Segments are equal byte for byte, and so are the leader epochs, which ours writes to its
    disk when it flushes."""
    for partition in (LED_BY_KAFKA, LED_BY_US):
        replica = node.broker.replicas.get(topic, partition)
        assert replica is not None
        replica.log.flush()
        theirs, mine = kafka.data / f"{topic}-{partition}", ours / f"{topic}-{partition}"
        await until(partial(are_equal, theirs / LOG, mine / LOG), f"{topic}-{partition} differs")
        names = sorted(path.name for path in mine.glob("*.log"))
        assert names == sorted(path.name for path in theirs.glob("*.log")) == [LOG]
        assert (mine / LOG).stat().st_size > 0
        epochs = "leader-epoch-checkpoint"
        await until(partial(are_equal, theirs / epochs, mine / epochs), f"{epochs}: they differ")
