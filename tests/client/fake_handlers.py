"""What a fake broker answers: one function an API, as little as the tests need."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.message import Message
from barnabas.protocol.messages import (
    api_versions_response as versions,
)
from barnabas.protocol.messages import (
    create_topics_response as created,
)
from barnabas.protocol.messages import (
    delete_topics_response as deleted,
)
from barnabas.protocol.messages import (
    fetch_response as fetched,
)
from barnabas.protocol.messages import (
    list_offsets_response as listed,
)
from barnabas.protocol.messages import (
    metadata_response as metadata,
)
from barnabas.protocol.messages import (
    offset_for_leader_epoch_response as ends,
)
from barnabas.protocol.messages import (
    produce_response as produced,
)
from barnabas.protocol.messages.init_producer_id_response import InitProducerIdResponse
from barnabas.protocol.primitives import ZERO_UUID

from .fake_log import FakePartition

if TYPE_CHECKING:
    from .fake_cluster import FakeNode

Key = tuple[str, bytes, int]


class Session:
    """A fetch session: what the client has named so far."""

    def __init__(self) -> None:
        self.epoch = 1
        self.partitions: dict[Key, Any] = {}


async def serve(node: FakeNode, request: Any, version: int) -> Message:
    """The answer to any request that the fake knows."""
    name = type(request).NAME.removesuffix("Request")
    if name in node.cluster.more:
        return await node.cluster.more[name](node, request, version)
    if name == "Fetch":
        return await fetch(node, request, version)
    if name == "Produce":
        response = produce(node, request)
        await node.cluster.wake()
        return response
    if name == "ListOffsets":
        return list_offsets(node, request, version)
    if name == "OffsetForLeaderEpoch":
        return epoch_ends(node, request)
    handler = {
        "ApiVersions": api_versions,
        "Metadata": cluster_metadata,
        "InitProducerId": init_producer_id,
        "CreateTopics": create_topics,
        "DeleteTopics": delete_topics,
    }[name]
    return handler(node, request)


def api_versions(node: FakeNode, request: Any) -> Message:
    del request
    return versions.ApiVersionsResponse(
        api_keys=[
            versions.ApiVersion(api_key=key, min_version=low, max_version=high)
            for key, (low, high) in node.cluster.served.items()
        ],
        finalized_features=[
            versions.FinalizedFeatureKey(name=name, max_version_level=level)
            for name, level in node.cluster.features.items()
        ],
    )


def cluster_metadata(node: FakeNode, request: Any) -> Message:
    cluster = node.cluster
    if request.topics is None:
        names = sorted(cluster.topics)
    else:
        by_id = {topic.topic_id: name for name, topic in cluster.topics.items()}
        names = [each.name or by_id.get(each.topic_id, "") for each in request.topics]
    topics = []
    for name in names:
        if name not in cluster.topics and cluster.auto_create and request.allow_auto_topic_creation:
            cluster.add_topic(name, 2)
        topic = cluster.topics.get(name)
        if topic is None:
            code = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
            topics.append(metadata.MetadataResponseTopic(name=name, error_code=code))
            continue
        topics.append(
            metadata.MetadataResponseTopic(
                name=name,
                topic_id=topic.topic_id if cluster.with_topic_ids else ZERO_UUID,
                partitions=[
                    metadata.MetadataResponsePartition(
                        partition_index=index,
                        leader_id=each.leader,
                        leader_epoch=each.epoch,
                        replica_nodes=list(cluster.nodes),
                        isr_nodes=list(cluster.nodes),
                    )
                    for index, each in enumerate(topic.partitions)
                ],
            )
        )
    return metadata.MetadataResponse(
        brokers=[
            metadata.MetadataResponseBroker(
                node_id=each.node_id,
                host="127.0.0.1",
                port=each.port,
                rack=cluster.racks.get(each.node_id),
            )
            for each in cluster.nodes.values()
        ],
        cluster_id="fake",
        controller_id=1,
        topics=topics,
    )


def led_here(node: FakeNode, topic: str, number: int) -> tuple[int, FakePartition | None]:
    """The partition, or the error code why this node does not serve it."""
    known = node.cluster.topics.get(topic)
    if known is None or not 0 <= number < len(known.partitions):
        return int(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION), None
    partition = known.partitions[number]
    if partition.leader != node.node_id:
        return int(ErrorCode.NOT_LEADER_OR_FOLLOWER), partition
    return 0, partition


def produce(node: FakeNode, request: Any) -> produced.ProduceResponse:
    responses = []
    for topic in request.topic_data:
        answers = []
        for data in topic.partition_data:
            code, partition = led_here(node, topic.name, data.index)
            answer = produced.PartitionProduceResponse(index=data.index, error_code=code)
            if code == 0 and partition is not None:
                answer.error_code, answer.base_offset = partition.append(data.records)
                answer.log_start_offset = partition.log_start
            elif partition is not None:
                answer.current_leader = produced.LeaderIdAndEpoch(
                    leader_id=partition.leader, leader_epoch=partition.epoch
                )
            answers.append(answer)
        responses.append(
            produced.TopicProduceResponse(name=topic.name, partition_responses=answers)
        )
    return produced.ProduceResponse(responses=responses)


def init_producer_id(node: FakeNode, request: Any) -> Message:
    del request
    node.cluster.next_producer_id += 1
    return InitProducerIdResponse(producer_id=node.cluster.next_producer_id, producer_epoch=0)


def list_offsets(node: FakeNode, request: Any, version: int) -> Message:
    topics = []
    for topic in request.topics:
        answers = []
        for each in topic.partitions:
            code, partition = led_here(node, topic.name, each.partition_index)
            held = stretch_of(node, partition)
            if request.replica_id == -2 and held is not None:
                code = 0
            answer = listed.ListOffsetsPartitionResponse(
                partition_index=each.partition_index, error_code=code
            )
            if code == 0 and partition is not None and held is not None:
                answer.offset = held[0] if each.timestamp == -2 else held[1]
                answer.leader_epoch = partition.epoch if version >= 4 else -1
            answers.append(answer)
        topics.append(listed.ListOffsetsTopicResponse(name=topic.name, partitions=answers))
    return listed.ListOffsetsResponse(topics=topics)


def stretch_of(node: FakeNode, partition: FakePartition | None) -> tuple[int, int] | None:
    """First offset and end of what this node has of a partition; None when it has no copy."""
    if partition is None:
        return None
    follower = partition.followers.get(node.node_id)
    if partition.leader == node.node_id:
        return partition.log_start, partition.next_offset
    if follower is None:
        return None
    start = partition.log_start if follower.log_start is None else follower.log_start
    return start, partition.next_offset if follower.end is None else follower.end


def epoch_ends(node: FakeNode, request: Any) -> Message:
    topics = []
    for topic in request.topics:
        answers = []
        for each in topic.partitions:
            code, partition = led_here(node, topic.topic, each.partition)
            answer = ends.EpochEndOffset(partition=each.partition, error_code=code)
            if code == 0 and partition is not None:
                answer.leader_epoch, answer.end_offset = partition.end_of_epoch(each.leader_epoch)
            answers.append(answer)
        topics.append(ends.OffsetForLeaderTopicResult(topic=topic.topic, partitions=answers))
    return ends.OffsetForLeaderEpochResponse(topics=topics)


def create_topics(node: FakeNode, request: Any) -> Message:
    results = []
    for each in request.topics:
        result = created.CreatableTopicResult(name=each.name, error_message=None)
        if each.name in node.cluster.topics:
            result.error_code = int(ErrorCode.TOPIC_ALREADY_EXISTS)
            result.error_message = "it is there"
        else:
            topic = node.cluster.add_topic(each.name, max(1, each.num_partitions))
            result.topic_id = topic.topic_id
            result.num_partitions = len(topic.partitions)
        results.append(result)
    return created.CreateTopicsResponse(topics=results)


def delete_topics(node: FakeNode, request: Any) -> Message:
    names = request.topic_names or [each.name for each in request.topics]
    answers = []
    for name in names:
        known = node.cluster.topics.pop(name, None)
        code = 0 if known else int(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
        answers.append(deleted.DeletableTopicResult(name=name, error_code=code))
    return deleted.DeleteTopicsResponse(responses=answers)


# ---------------------------------------------------------------------------- fetch


async def fetch(node: FakeNode, request: Any, version: int) -> Message:
    """One fetch: session, then wait for bytes, then answer (227-01, 227-02)."""
    session = session_of(node, request)
    if isinstance(session, int):
        return fetched.FetchResponse(error_code=session)
    loop = asyncio.get_running_loop()
    deadline = loop.time() + request.max_wait_ms / 1000
    session_id = next((key for key, each in node.sessions.items() if each is session), 0)
    is_full = request.session_epoch <= 0
    while True:
        answers = answer_all(node, session, version, include_all=is_full)
        redirect(node, request, answers)
        has_news = any(is_news(each) for _, each in answers)
        left = deadline - loop.time()
        if has_news or left <= 0 or request.min_bytes <= 0:
            break
        async with node.cluster.data:
            try:
                async with asyncio.timeout(left):
                    await node.cluster.data.wait()
            except TimeoutError:
                pass
    topics: dict[tuple[str, bytes], fetched.FetchableTopicResponse] = {}
    for (name, topic_id, _), answer in answers:
        entry = topics.setdefault(
            (name, topic_id),
            fetched.FetchableTopicResponse(topic=name, topic_id=topic_id, partitions=[]),
        )
        entry.partitions.append(answer)
    return fetched.FetchResponse(session_id=session_id, responses=list(topics.values()))


def session_of(node: FakeNode, request: Any) -> Session | int:
    """The session that a request belongs to, brought up to date; or an error code."""
    if request.session_epoch == -1:
        session = Session()
    elif request.session_epoch == 0:
        node.sessions.pop(request.session_id, None)
        session = Session()
        node.sessions[len(node.requests) + 1_000_000] = session
    else:
        known = node.sessions.get(request.session_id)
        if known is None:
            return int(ErrorCode.FETCH_SESSION_ID_NOT_FOUND)
        if known.epoch != request.session_epoch:
            return int(ErrorCode.INVALID_FETCH_SESSION_EPOCH)
        known.epoch += 1
        session = known
    for topic in request.topics:
        for each in topic.partitions:
            session.partitions[(topic.topic, topic.topic_id, each.partition)] = each
    for topic in request.forgotten_topics_data:
        for number in topic.partitions:
            session.partitions.pop((topic.topic, topic.topic_id, number), None)
    return session


def answer_all(
    node: FakeNode, session: Session, version: int, *, include_all: bool
) -> list[tuple[Key, fetched.PartitionData]]:
    answers = []
    for key, wanted in session.partitions.items():
        answer = answer_one(node, key, wanted, version)
        if include_all or is_news(answer) or preferred_for(node, key) is not None:
            answers.append((key, answer))
    return answers


def answer_one(node: FakeNode, key: Key, wanted: Any, version: int) -> fetched.PartitionData:
    name, topic_id, number = key
    if version >= 13:
        names = {each.topic_id: one for one, each in node.cluster.topics.items()}
        if topic_id not in names:
            return fetched.PartitionData(
                partition_index=number, error_code=ErrorCode.UNKNOWN_TOPIC_ID, records=b""
            )
        name = names[topic_id]
    code, partition = led_here(node, name, number)
    held = stretch_of(node, partition)
    answer = fetched.PartitionData(partition_index=number, error_code=code, records=b"")
    if partition is None or held is None:
        return answer
    answer.error_code = 0
    answer.log_start_offset, answer.high_watermark = held
    stable = partition.last_stable_offset
    answer.last_stable_offset = partition.next_offset if stable is None else stable
    if not held[0] <= wanted.fetch_offset <= held[1]:
        answer.error_code = int(ErrorCode.OFFSET_OUT_OF_RANGE)
        return answer
    if wanted.fetch_offset == held[1]:
        return answer
    answer.records = partition.read(wanted.fetch_offset, wanted.partition_max_bytes)
    answer.aborted_transactions = [
        fetched.AbortedTransaction(producer_id=producer, first_offset=first)
        for producer, first in partition.aborted
    ]
    return answer


def is_news(answer: fetched.PartitionData) -> bool:
    """Whether a consumer should get this at once."""
    return bool(answer.records or answer.error_code or answer.preferred_read_replica >= 0)


def preferred_for(node: FakeNode, key: Key) -> FakePartition | None:
    """The partition, if this node leads it and could name a follower."""
    name, topic_id, number = key
    names = {each.topic_id: one for one, each in node.cluster.topics.items()}
    topic = node.cluster.topics.get(names.get(topic_id, name))
    partition = topic.partitions[number] if topic else None
    if partition is None or partition.leader != node.node_id or not partition.followers:
        return None
    return partition


def redirect(node: FakeNode, request: Any, answers: list[tuple[Key, Any]]) -> None:
    """392-04b: a consumer of another rack is sent to a follower in its own."""
    racks = node.cluster.racks
    if not request.rack_id or racks.get(node.node_id) == request.rack_id:
        return
    for key, answer in answers:
        partition = preferred_for(node, key)
        near = (
            [each for each in partition.followers if racks.get(each) == request.rack_id]
            if (partition)
            else []
        )
        if near and not answer.error_code:
            answer.preferred_read_replica = near[0]
            answer.records = b""
