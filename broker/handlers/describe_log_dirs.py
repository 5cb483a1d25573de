"""DescribeLogDirs: which partitions are in which directory of this broker, and how large they are.

Versions: 2 flexible, 3 an error for the whole answer, 4 the size of the volume, 5 whether it takes
new partitions (KIP-1066): here each does. A directory that is offline is told as such
(KAFKA_STORAGE_ERROR), without its partitions, as in Kafka.
"""

from __future__ import annotations

from typing import Final

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.describe_log_dirs_request import DescribeLogDirsRequest
from barnabas.protocol.messages.describe_log_dirs_response import (
    DescribeLogDirsPartition,
    DescribeLogDirsResponse,
    DescribeLogDirsResult,
    DescribeLogDirsTopic,
)

from ..core.log.log_directory import LogDirectory
from ..core.log.partition_log import PartitionLog
from ..core.replication.partition import Partition
from ..core.security.resources import CLUSTER, Operation
from ..serving.context import BrokerContext
from ..serving.handler import Handler

UNKNOWN_LAG: Final = -1

Wanted = dict[str, set[int]]


def handle(request: DescribeLogDirsRequest, context: BrokerContext) -> DescribeLogDirsResponse:
    """Null topics are all topics; partitions that are not here are left out.

    A topic may be named more than once: all the partitions that go with it are meant.
    """
    context.rights.require(Operation.DESCRIBE, CLUSTER)
    wanted: Wanted | None = None
    if request.topics is not None:
        wanted = {}
        for topic in request.topics:
            wanted.setdefault(topic.topic, set()).update(topic.partitions)
    return DescribeLogDirsResponse(
        results=[
            _directory(directory, wanted, context)
            for directory in context.node.replicas.directories
        ]
    )


def _directory(
    directory: LogDirectory, wanted: Wanted | None, context: BrokerContext
) -> DescribeLogDirsResult:
    # As Kafka shows it, whatever `log.dirs` says, and as AlterReplicaLogDirs takes it.
    result = DescribeLogDirsResult(log_dir=directory.path.rstrip("/") or "/")
    if len(context.node.replicas.directories) > 1 and _is_offline(directory):
        result.error_code = ErrorCode.KAFKA_STORAGE_ERROR
        return result
    topics: dict[str, DescribeLogDirsTopic] = {}
    for (name, number), log in directory.all_logs().items():
        if wanted is not None and number not in wanted.get(name, ()):
            continue
        topic = topics.setdefault(name, DescribeLogDirsTopic(name=name))
        topic.partitions.append(
            DescribeLogDirsPartition(
                partition_index=number,
                partition_size=log.size_bytes,
                offset_lag=max(log.high_watermark - log.log_end_offset, 0),
            )
        )
        if (name, number) in directory.futures:
            _tell_future(topic.partitions[-1], context.node.replicas.get(name, number), log)
    result.topics = list(topics.values())
    try:
        result.usable_bytes = context.node.env.disk.free_bytes(directory.path)
        result.total_bytes = context.node.env.disk.total_bytes(directory.path)
    except OSError:
        result.error_code = ErrorCode.KAFKA_STORAGE_ERROR
    return result


def _is_offline(directory: LogDirectory) -> bool:
    """Whether the disk has failed for all that is in it. A broker's only directory never counts: it
    stays in use for what can be read or made anew."""
    return bool(directory.failures) and all(
        log.failure is not None for log in directory.logs.values()
    )


def _tell_future(
    row: DescribeLogDirsPartition, replica: Partition | None, log: PartitionLog
) -> None:
    """How far a copy is that will take the replica's place (KIP-113)."""
    row.is_future_key = True
    row.offset_lag = UNKNOWN_LAG
    if replica is not None:
        row.offset_lag = replica.log.log_end_offset - log.log_end_offset


HANDLER = Handler(DescribeLogDirsRequest, (1, 5), handle)
