"""Admin calls about transactions: list, describe, fence, abort; and producers of partitions."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages import write_txn_markers_request as markers
from barnabas.protocol.messages.describe_producers_request import (
    DescribeProducersRequest,
    TopicRequest,
)
from barnabas.protocol.messages.describe_producers_response import (
    DescribeProducersResponse,
    PartitionResponse,
)
from barnabas.protocol.messages.describe_transactions_request import DescribeTransactionsRequest
from barnabas.protocol.messages.describe_transactions_response import (
    DescribeTransactionsResponse,
    TransactionState,
)
from barnabas.protocol.messages.init_producer_id_request import InitProducerIdRequest
from barnabas.protocol.messages.init_producer_id_response import InitProducerIdResponse
from barnabas.protocol.messages.list_transactions_request import ListTransactionsRequest
from barnabas.protocol.messages.list_transactions_response import ListTransactionsResponse
from barnabas.protocol.messages.write_txn_markers_response import WriteTxnMarkersResponse

from ..errors import BrokerError, ConfigurationError, UnsupportedVersionError, error_of
from ..groups.coordinator import Coordinator, CoordinatorOf
from ..groups.formats import by_topic, flat
from ..structs import TopicPartition
from ..transactions.coordination import INIT_VERSION_MAX
from ..transactions.machine import ProducerIdAndEpoch
from ..wire.cluster import Cluster
from ..wire.metadata import Node
from ..wire.offsets import by_leader, raise_first
from .groups import at_coordinator
from .transaction_values import ProducerState, TransactionDescription, TransactionListing

DURATION_SINCE, PATTERN_SINCE = 1, 2
"""Versions of ListTransactions from which on it can be asked for times and for patterns."""

STATES = (
    "Empty",
    "Ongoing",
    "PrepareCommit",
    "PrepareAbort",
    "CompleteCommit",
    "CompleteAbort",
    "Dead",
    "PrepareEpochFence",
)

# ------------------------------------------------------------------ list


async def list_transactions(
    cluster: Cluster,
    states: Sequence[str],
    producer_ids: Sequence[int],
    open_longer_than_ms: int | None,
    pattern: str | None,
) -> list[TransactionListing]:
    """See `Admin.list_transactions`."""
    request = ListTransactionsRequest(
        state_filters=list(states), producer_id_filters=list(producer_ids)
    )
    needed = 0
    if open_longer_than_ms is not None:
        request.duration_filter, needed = open_longer_than_ms, DURATION_SINCE
    if pattern is not None:
        request.transactional_id_pattern, needed = pattern, PATTERN_SINCE

    async def attempt() -> list[TransactionListing]:
        await cluster.refresh()
        nodes = list(cluster.metadata.nodes.values())
        answers = await asyncio.gather(*[_list(cluster, each, request, needed) for each in nodes])
        return sorted(each for answer in answers for each in answer)

    return await cluster.retrying(attempt, "listing transactions")


async def _list(
    cluster: Cluster, node: Node, request: ListTransactionsRequest, needed: int
) -> list[TransactionListing]:
    connection = await cluster.connection(node)
    version = connection.version_of(request)
    if version < needed:
        raise UnsupportedVersionError(
            f"{node} lists transactions in version {version}; this filter needs {needed}"
        )
    response = await connection.send(
        request, ListTransactionsResponse, version, cluster.request_timeout_s
    )
    if response.error_code:
        raise error_of(response.error_code, f"listing the transactions of {node}")
    if response.unknown_state_filters:
        unknown, known = ", ".join(response.unknown_state_filters), ", ".join(STATES)
        raise ConfigurationError(f"transactions are never in state {unknown}, but in {known}")
    return [
        TransactionListing(
            each.transactional_id, each.producer_id, each.transaction_state, node.node_id
        )
        for each in response.transaction_states
    ]


# ------------------------------------------------------------------ describe


async def describe_transactions(
    cluster: Cluster, transactional_ids: Sequence[str]
) -> dict[str, TransactionDescription]:
    """See `Admin.describe_transactions`."""
    names = sorted(set(transactional_ids))
    found = await asyncio.gather(*[_describe(cluster, each) for each in names])
    return dict(zip(names, found, strict=True))


async def _describe(cluster: Cluster, transactional_id: str) -> TransactionDescription:
    what = f"describing transactional id {transactional_id!r}"

    async def ask(coordinator: Coordinator) -> TransactionDescription:
        node = await coordinator.node()
        response = await coordinator.call(
            DescribeTransactionsRequest(transactional_ids=[transactional_id]),
            DescribeTransactionsResponse,
        )
        for each in response.transaction_states:
            if each.transactional_id == transactional_id:
                if each.error_code:
                    raise error_of(each.error_code, what)
                return _description_of(each, node.node_id)
        raise error_of(ErrorCode.UNKNOWN_SERVER_ERROR, f"{what}: {node} did not answer for it")

    return await at_coordinator(cluster, transactional_id, ask, what, CoordinatorOf.TRANSACTION)


def _description_of(answer: TransactionState, coordinator_id: int) -> TransactionDescription:
    started = answer.transaction_start_time_ms
    return TransactionDescription(
        answer.transactional_id,
        coordinator_id,
        answer.transaction_state,
        answer.producer_id,
        answer.producer_epoch,
        answer.transaction_timeout_ms,
        started if started >= 0 else None,
        tuple(sorted(flat({topic.topic: topic.partitions for topic in answer.topics}))),
    )


# ------------------------------------------------------------------ producers


async def describe_producers(
    cluster: Cluster, partitions: Sequence[TopicPartition], broker_id: int | None
) -> dict[TopicPartition, tuple[ProducerState, ...]]:
    """See `Admin.describe_producers`."""
    found: dict[TopicPartition, tuple[ProducerState, ...]] = {}

    async def attempt() -> dict[TopicPartition, tuple[ProducerState, ...]]:
        missing = [each for each in partitions if each not in found]
        failures: dict[object, BrokerError] = {}
        asked = [
            _producers_of(cluster, node, part)
            for node, part in (await _by_node(cluster, missing, broker_id)).items()
        ]
        lost: list[BaseException] = []
        for result in await asyncio.gather(*asked, return_exceptions=True):
            if isinstance(result, BaseException):
                lost.append(result)
                continue
            found.update(result[0])
            failures.update(result[1])
        raise_first(failures, lost)
        return {each: found[each] for each in partitions}

    return await cluster.retrying(attempt, "describing producers")


async def _by_node(
    cluster: Cluster, partitions: Sequence[TopicPartition], broker_id: int | None
) -> Mapping[Node, list[TopicPartition]]:
    if broker_id is None:
        led = await by_leader(cluster, dict.fromkeys(partitions, 0))
        return {node: list(part) for node, part in led.items()}
    await cluster.refresh()
    node = cluster.metadata.nodes.get(broker_id)
    if node is None:
        raise ConfigurationError(f"there is no broker {broker_id} in the cluster")
    return {node: list(partitions)} if partitions else {}


async def _producers_of(
    cluster: Cluster, node: Node, partitions: Sequence[TopicPartition]
) -> tuple[dict[TopicPartition, tuple[ProducerState, ...]], dict[object, BrokerError]]:
    request = DescribeProducersRequest(
        topics=[
            TopicRequest(name=name, partition_indexes=numbers)
            for name, numbers in by_topic(partitions).items()
        ]
    )
    response = await cluster.call_node(node, request, DescribeProducersResponse)
    found: dict[TopicPartition, tuple[ProducerState, ...]] = {}
    failures: dict[object, BrokerError] = {}
    for topic in response.topics:
        for each in topic.partitions:
            key = TopicPartition(topic.name, each.partition_index)
            if each.error_code:
                text = f"{key}: describing its producers on {node}"
                words = f": {each.error_message}" if each.error_message else ""
                failures[key] = error_of(each.error_code, text + words)
            else:
                found[key] = _states_of(each)
    for key in partitions:
        if key not in found and key not in failures:
            text = f"{key}: {node} did not answer for it"
            failures[key] = error_of(ErrorCode.UNKNOWN_SERVER_ERROR, text)
    return found, failures


def _states_of(answer: PartitionResponse) -> tuple[ProducerState, ...]:
    return tuple(
        ProducerState(
            each.producer_id,
            each.producer_epoch,
            each.last_sequence,
            each.last_timestamp,
            each.coordinator_epoch if each.coordinator_epoch >= 0 else None,
            each.current_txn_start_offset if each.current_txn_start_offset >= 0 else None,
        )
        for each in sorted(answer.active_producers, key=lambda one: one.producer_id)
    )


# ------------------------------------------------------------------ fence and abort


async def fence_producers(
    cluster: Cluster, transactional_ids: Sequence[str], timeout_ms: int
) -> dict[str, ProducerIdAndEpoch]:
    """See `Admin.fence_producers`."""
    names = sorted(set(transactional_ids))
    found = await asyncio.gather(*[_fence(cluster, each, timeout_ms) for each in names])
    return dict(zip(names, found, strict=True))


async def _fence(cluster: Cluster, transactional_id: str, timeout_ms: int) -> ProducerIdAndEpoch:
    what = f"fencing the producer of transactional id {transactional_id!r}"

    async def ask(coordinator: Coordinator) -> ProducerIdAndEpoch:
        request = InitProducerIdRequest(
            transactional_id=transactional_id, transaction_timeout_ms=timeout_ms
        )
        response = await coordinator.call(request, InitProducerIdResponse, at_most=INIT_VERSION_MAX)
        if response.error_code:
            raise error_of(response.error_code, what)
        return ProducerIdAndEpoch(response.producer_id, response.producer_epoch)

    return await at_coordinator(cluster, transactional_id, ask, what, CoordinatorOf.TRANSACTION)


async def abort_transaction(
    cluster: Cluster,
    partition: TopicPartition,
    producer: ProducerIdAndEpoch,
    coordinator_epoch: int | None,
) -> None:
    """See `Admin.abort_transaction`."""
    what = f"{partition}: aborting the transaction of producer {producer.producer_id}"
    request = markers.WriteTxnMarkersRequest(
        markers=[
            markers.WritableTxnMarker(
                producer_id=producer.producer_id,
                producer_epoch=producer.epoch,
                transaction_result=False,
                topics=[
                    markers.WritableTxnMarkerTopic(
                        name=partition.topic, partition_indexes=[partition.partition]
                    )
                ],
                # A partition that has seen no coordinator takes the first epoch there is.
                coordinator_epoch=0 if coordinator_epoch is None else coordinator_epoch,
            )
        ]
    )

    async def attempt() -> None:
        node = await cluster.leader(*partition)
        response = await cluster.call_node(node, request, WriteTxnMarkersResponse)
        codes = [
            row.error_code
            for marker in response.markers
            for topic in marker.topics
            for row in topic.partitions
        ]
        if len(codes) != 1:
            raise error_of(ErrorCode.UNKNOWN_SERVER_ERROR, f"{what}: {node} did not answer for it")
        if codes[0]:
            cluster.refresh_soon()
            raise error_of(codes[0], what)

    await cluster.retrying(attempt, what)
