"""Admin calls about topics: make, delete, widen, shorten."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.create_partitions_request import (
    CreatePartitionsAssignment,
    CreatePartitionsRequest,
    CreatePartitionsTopic,
)
from barnabas.protocol.messages.create_partitions_response import CreatePartitionsResponse
from barnabas.protocol.messages.create_topics_request import (
    CreatableReplicaAssignment,
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
)
from barnabas.protocol.messages.create_topics_response import CreateTopicsResponse
from barnabas.protocol.messages.delete_records_request import (
    DeleteRecordsPartition,
    DeleteRecordsRequest,
    DeleteRecordsTopic,
)
from barnabas.protocol.messages.delete_records_response import DeleteRecordsResponse
from barnabas.protocol.messages.delete_topics_request import DeleteTopicsRequest, DeleteTopicState
from barnabas.protocol.messages.delete_topics_response import DeleteTopicsResponse

from ..errors import BrokerError, error_of
from ..structs import TopicPartition
from ..wire.cluster import Cluster
from ..wire.metadata import Node
from ..wire.offsets import by_leader, raise_first
from .values import CreatedTopic, NewPartitions, NewTopic

HIGH_WATERMARK = -1

Failures = dict[object, BrokerError]


def raise_failures(failures: Failures) -> None:
    """Raise the first error, which knows of all; nothing if there is none."""
    for error in failures.values():
        if len(failures) > 1:
            others = ", ".join(str(name) for name in failures)
            error.message = f"{error.message} (failed: {others})"
        error.failures = failures
        raise error


def raise_if_retriable(failures: Failures, done: Sequence[object]) -> None:
    """Raise when nothing was done and all of it can be tried again: the controller moved."""
    if failures and not done:
        codes = {each.code for each in failures.values()}
        if codes <= {ErrorCode.NOT_CONTROLLER, ErrorCode.COORDINATOR_LOAD_IN_PROGRESS}:
            raise next(iter(failures.values()))


async def create_topics(
    cluster: Cluster, topics: Sequence[NewTopic], timeout_ms: int, validate_only: bool
) -> dict[str, CreatedTopic]:
    """See `Admin.create_topics`."""
    request = CreateTopicsRequest(
        topics=[creatable(each) for each in topics],
        timeout_ms=timeout_ms,
        validate_only=validate_only,
    )
    failures: Failures = {}

    async def attempt() -> dict[str, CreatedTopic]:
        failures.clear()
        response = await cluster.call_controller(request, CreateTopicsResponse)
        made = {}
        for each in response.topics:
            if each.error_code:
                failures[each.name] = error_of(each.error_code, text_of(each.name, each))
                continue
            made[each.name] = CreatedTopic(
                each.name, each.topic_id, each.num_partitions, each.replication_factor
            )
        raise_if_retriable(failures, list(made))
        return made

    made = await cluster.retrying(attempt, "creating topics")
    raise_failures(failures)
    return made


def text_of(name: str, answer: object) -> str:
    """The name, and the broker's own words if it has any."""
    words = getattr(answer, "error_message", None)
    return f"{name}: {words}" if words else name


def creatable(topic: NewTopic) -> CreatableTopic:
    """The wire form; a given assignment stands instead of the two numbers."""
    assigned = bool(topic.replica_assignments)
    return CreatableTopic(
        name=topic.name,
        num_partitions=-1 if assigned else topic.num_partitions,
        replication_factor=-1 if assigned else topic.replication_factor,
        assignments=[
            CreatableReplicaAssignment(partition_index=number, broker_ids=list(nodes))
            for number, nodes in topic.replica_assignments.items()
        ],
        configs=[
            CreatableTopicConfig(name=name, value=value)
            for name, value in topic.topic_configs.items()
        ],
    )


async def delete_topics(cluster: Cluster, names: Sequence[str], timeout_ms: int) -> None:
    """See `Admin.delete_topics`."""
    failures: Failures = {}

    async def attempt() -> None:
        failures.clear()
        node = cluster.metadata.nodes.get(cluster.metadata.controller_id)
        connection = await (cluster.connection(node) if node else cluster.any_connection())
        version = connection.version_of(DeleteTopicsRequest)
        request = DeleteTopicsRequest(timeout_ms=timeout_ms)
        if version >= 6:
            request.topics = [DeleteTopicState(name=name) for name in names]
        else:
            request.topic_names = list(names)
        response = await connection.send(
            request, DeleteTopicsResponse, version, cluster.request_timeout_s
        )
        done = []
        for each in response.responses:
            name = each.name or ""
            if each.error_code:
                failures[name] = error_of(each.error_code, text_of(name, each))
            else:
                done.append(name)
                cluster.metadata.forget(name)
        raise_if_retriable(failures, done)

    await cluster.retrying(attempt, "deleting topics")
    raise_failures(failures)


async def create_partitions(
    cluster: Cluster, wanted: Mapping[str, NewPartitions], timeout_ms: int, validate_only: bool
) -> None:
    """See `Admin.create_partitions`."""
    request = CreatePartitionsRequest(
        topics=[
            CreatePartitionsTopic(
                name=name,
                count=each.total_count,
                assignments=None
                if each.new_assignments is None
                else [
                    CreatePartitionsAssignment(broker_ids=list(nodes))
                    for nodes in each.new_assignments
                ],
            )
            for name, each in wanted.items()
        ],
        timeout_ms=timeout_ms,
        validate_only=validate_only,
    )
    failures: Failures = {}

    async def attempt() -> None:
        failures.clear()
        response = await cluster.call_controller(request, CreatePartitionsResponse)
        done = []
        for each in response.results:
            if each.error_code:
                failures[each.name] = error_of(each.error_code, text_of(each.name, each))
            else:
                done.append(each.name)
        raise_if_retriable(failures, done)

    await cluster.retrying(attempt, "creating partitions")
    raise_failures(failures)


async def delete_records(
    cluster: Cluster, before: Mapping[TopicPartition, int], timeout_ms: int
) -> dict[TopicPartition, int]:
    """See `Admin.delete_records`."""
    done: dict[TopicPartition, int] = {}

    async def attempt() -> dict[TopicPartition, int]:
        missing = {each: offset for each, offset in before.items() if each not in done}
        results = await asyncio.gather(
            *[
                delete_on_leader(cluster, node, part, timeout_ms)
                for node, part in (await by_leader(cluster, missing)).items()
            ],
            return_exceptions=True,
        )
        failures: Failures = {}
        lost: list[BaseException] = []
        for result in results:
            if isinstance(result, BaseException):
                lost.append(result)
            else:
                done.update(result[0])
                failures.update(result[1])
        raise_first(failures, lost)
        return done

    return await cluster.retrying(attempt, "deleting records")


async def delete_on_leader(
    cluster: Cluster, node: Node, before: Mapping[TopicPartition, int], timeout_ms: int
) -> tuple[dict[TopicPartition, int], Failures]:
    """One DeleteRecords request; the new first offsets, and errors beside them."""
    topics: dict[str, DeleteRecordsTopic] = {}
    for (topic, partition), offset in before.items():
        entry = topics.setdefault(topic, DeleteRecordsTopic(name=topic, partitions=[]))
        entry.partitions.append(DeleteRecordsPartition(partition_index=partition, offset=offset))
    request = DeleteRecordsRequest(topics=list(topics.values()), timeout_ms=timeout_ms)
    response = await cluster.call_node(node, request, DeleteRecordsResponse)
    done: dict[TopicPartition, int] = {}
    failures: Failures = {}
    for answer in response.topics:
        for each in answer.partitions:
            key = TopicPartition(answer.name, each.partition_index)
            if each.error_code:
                failures[key] = error_of(each.error_code, str(key))
            else:
                done[key] = each.low_watermark
    return done, failures
