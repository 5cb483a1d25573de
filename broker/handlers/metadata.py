"""Metadata: brokers, topics, leaders; creates topics that are asked for, if so configured.

Versions: 1 null topics are all topics (0: an empty list), 4 the client may forbid creation,
5 offline replicas, 7 leader epochs, 8 authorised operations (cluster's only up to 10), 10 topic ids
in the answer, 12 in the request, 13 an error for the whole answer. A topic that was created for
this request is in the answer with its leader ("answers mean done").
"""

from __future__ import annotations

from collections.abc import Coroutine, Iterable, Iterator
from typing import Any, Final  # Any: what a coroutine tells its loop

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.metadata_request import MetadataRequest
from barnabas.protocol.messages.metadata_response import (
    MetadataResponse,
    MetadataResponseBroker,
    MetadataResponsePartition,
    MetadataResponseTopic,
)
from barnabas.protocol.primitives import ZERO_UUID

from ..core.cluster.commands import CreateTopics, NewTopic
from ..core.cluster.image import ClusterImage
from ..core.cluster.topic_image import (
    INTERNAL_TOPICS,
    METADATA_TOPIC,
    NO_LEADER,
    PartitionImage,
    TopicImage,
)
from ..core.cluster.topic_names import name_fault
from ..core.security.resources import CLUSTER, Operation, topic_resource
from ..serving.charging import charge_of, throttle_of
from ..serving.cluster_view import (
    cluster_operations,
    controller_id,
    listed_brokers,
    offline_replicas,
)
from ..serving.context import BrokerContext
from ..serving.handler import Handler
from ..serving.waiting import in_turns

Asked = list[tuple[str | None, bytes]]

_UNDECIDED: Final = (ErrorCode.NOT_CONTROLLER, ErrorCode.REQUEST_TIMED_OUT)
"""No reason why a topic cannot be: nobody has decided yet, as between two active controllers. The
topic is unknown then, as in Kafka, after which clients ask again; librdkafka takes any other error
for a permanent one, and fails the records that wait for the topic."""


def handle(
    request: MetadataRequest, context: BrokerContext
) -> MetadataResponse | Coroutine[Any, Any, MetadataResponse]:
    """Answer from the image as it is, or once missing topics were created."""
    asked = _asked(request, context)
    missing, codes = _divided(_to_create(request, context, asked or []))
    if missing:
        return _create_first(request, context, asked, missing, codes)
    if len(context.node.image.brokers) > 1:
        return _answer_next(request, context, asked, codes)
    return _answer(request, context, asked, codes)


async def handle_in_turns(request: MetadataRequest, context: BrokerContext) -> MetadataResponse:
    """The same for very many topics."""
    asked = _asked(request, context)
    missing, codes = _divided(await in_turns(_to_create(request, context, asked or [])))
    throttle_ms = await _create(context, missing, codes) if missing else 0
    image = context.node.image
    rows = await in_turns(_rows(request, context, image, asked, codes))
    return _response(request, context, image, rows, throttle_ms)


def refuse(request: MetadataRequest, code: int, message: str | None) -> MetadataResponse:
    """An error for the whole request: on each topic, and from version 13 on the answer."""
    del message
    topics = [
        MetadataResponseTopic(error_code=code, name=topic.name or "", topic_id=topic.topic_id)
        for topic in request.topics or []
    ]
    return MetadataResponse(topics=topics, error_code=code)


def _asked(request: MetadataRequest, context: BrokerContext) -> Asked | None:
    """Names or ids that are asked for; None for all topics."""
    version = context.api_version
    if request.topics is None or (version == 0 and not request.topics):
        return None
    for topic in request.topics:
        if version < 12 and topic.name is None:
            raise KafkaError(
                ErrorCode.INVALID_REQUEST, f"Topic name can not be null for version {version}"
            )
        if version < 12 and topic.topic_id != ZERO_UUID:
            raise KafkaError(
                ErrorCode.INVALID_REQUEST,
                f"Topic IDs are not supported in requests for version {version}",
            )
    if any(topic.topic_id != ZERO_UUID for topic in request.topics):
        ids = dict.fromkeys(topic.topic_id for topic in request.topics)
        return [(None, topic_id) for topic_id in ids if topic_id != ZERO_UUID]
    return [(name, ZERO_UUID) for name in dict.fromkeys(topic.name for topic in request.topics)]


def _to_create(
    request: MetadataRequest, context: BrokerContext, asked: Asked
) -> Iterator[tuple[str, bool]]:
    """Topics that are to be created, each with whether the client has the right to."""
    if not (request.allow_auto_topic_creation and context.node.config.auto_create_topics_enable):
        return
    known = context.node.image.topics_by_name
    for name, _ in asked:
        if (
            name is not None
            and name not in known
            and name not in INTERNAL_TOPICS
            and name != METADATA_TOPIC
            and name_fault(name) is None
            and _may_describe(name, context)
        ):
            yield name, _may_create(name, context)


def _divided(
    missing: Iterable[tuple[str, bool]],
) -> tuple[list[str], dict[str, ErrorCode]]:
    """The topics to create, and the others' errors."""
    allowed, codes = [], {}
    for name, is_allowed in missing:
        if is_allowed:
            allowed.append(name)
        else:
            codes[name] = ErrorCode.TOPIC_AUTHORIZATION_FAILED
    return allowed, codes


def _may_describe(name: str, context: BrokerContext, *, is_audited: bool = False) -> bool:
    return context.rights.may(Operation.DESCRIBE, topic_resource(name), is_audited=is_audited)


def _may_create(name: str, context: BrokerContext) -> bool:
    rights = context.rights
    return rights.may(Operation.CREATE, CLUSTER, is_audited=False) or rights.may(
        Operation.CREATE, topic_resource(name)
    )


async def _answer_next(
    request: MetadataRequest,
    context: BrokerContext,
    asked: Asked | None,
    codes: dict[str, ErrorCode],
) -> MetadataResponse:
    """Answer in the next turn of the loop: who asks because a leader's process died may have been
    heard in the same turn as that (see `LostLeaders`), and before it."""
    return _answer(request, context, asked, codes)


async def _create_first(
    request: MetadataRequest,
    context: BrokerContext,
    asked: Asked | None,
    missing: list[str],
    codes: dict[str, ErrorCode],
) -> MetadataResponse:
    """Answer once the missing topics were created."""
    throttle_ms = await _create(context, missing, codes)
    return _answer(request, context, asked, codes, throttle_ms)


async def _create(context: BrokerContext, missing: list[str], codes: dict[str, ErrorCode]) -> int:
    """Create these topics with the defaults; one that cannot be has its reason as code. Returns for
    how many milliseconds the client is to wait."""
    # Permissive: that a topic is missing is no reason to fail a question (QTA-15).
    charge = charge_of(context, strict_since=None)
    topics = tuple(NewTopic(name) for name in missing)
    command = CreateTopics(topics, charge=charge, asker=context.client)
    try:
        created = await context.node.metadata.submit(command)
    except KafkaError as error:
        if error.code not in _UNDECIDED:
            codes.update(dict.fromkeys(missing, error.code))
    else:
        for topic in created:
            # Another client was first: what matters is that it is there.
            if topic.code not in (ErrorCode.NONE, ErrorCode.TOPIC_ALREADY_EXISTS, *_UNDECIDED):
                codes[topic.name] = topic.code
    return throttle_of(charge)


def _answer(
    request: MetadataRequest,
    context: BrokerContext,
    asked: Asked | None,
    codes: dict[str, ErrorCode],
    throttle_ms: int = 0,
) -> MetadataResponse:
    image = context.node.image
    rows = list(_rows(request, context, image, asked, codes))
    return _response(request, context, image, rows, throttle_ms)


def _rows(
    request: MetadataRequest,
    context: BrokerContext,
    image: ClusterImage,
    asked: Asked | None,
    codes: dict[str, ErrorCode],
) -> Iterator[MetadataResponseTopic]:
    for row in _topics(context, image, asked, codes):
        if (
            request.include_topic_authorized_operations
            and row.error_code != ErrorCode.TOPIC_AUTHORIZATION_FAILED
        ):
            resource = topic_resource(row.name or "")
            row.topic_authorized_operations = context.rights.operations(resource)
        yield row


def _topics(
    context: BrokerContext,
    image: ClusterImage,
    asked: Asked | None,
    codes: dict[str, ErrorCode],
) -> Iterator[MetadataResponseTopic]:
    if asked is None:
        for name, found in image.topics_by_name.items():
            if _may_describe(name, context):
                yield _topic(found, context, image)
    else:
        for wanted, topic_id in asked:
            yield _one(wanted, topic_id, context, image, codes)


def _response(
    request: MetadataRequest,
    context: BrokerContext,
    image: ClusterImage,
    topics: list[MetadataResponseTopic],
    throttle_ms: int,
) -> MetadataResponse:
    response = MetadataResponse(
        throttle_time_ms=throttle_ms,
        brokers=[
            MetadataResponseBroker(node_id=broker.broker_id, host=host, port=port, rack=broker.rack)
            for broker, host, port in listed_brokers(context)
        ],
        cluster_id=image.cluster_id,
        controller_id=controller_id(context),
        topics=topics,
        cluster_authorized_operations=cluster_operations(
            context, is_asked=request.include_cluster_authorized_operations
        ),
    )
    if (hooks := context.node.env.hooks) is not None:
        hooks.on("metadata-told", image=image, response=response)
    return response


def _one(
    name: str | None,
    topic_id: bytes,
    context: BrokerContext,
    image: ClusterImage,
    codes: dict[str, ErrorCode],
) -> MetadataResponseTopic:
    if name is None:
        found = image.topics_by_id.get(topic_id)
        code = ErrorCode.UNKNOWN_TOPIC_ID
    else:
        found = image.topics_by_name.get(name)
        code = codes.get(name, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
        if found is None and name_fault(name) is not None:
            code = ErrorCode.INVALID_TOPIC_EXCEPTION
    known = name if found is None else found.name
    if known is not None and not _may_describe(known, context, is_audited=True):
        found, code = None, ErrorCode.TOPIC_AUTHORIZATION_FAILED
    if found is not None:
        return _topic(found, context, image)
    return MetadataResponseTopic(
        error_code=code,
        name=name,
        topic_id=topic_id,
        is_internal=name in INTERNAL_TOPICS,
    )


def _topic(topic: TopicImage, context: BrokerContext, image: ClusterImage) -> MetadataResponseTopic:
    return MetadataResponseTopic(
        name=topic.name,
        topic_id=topic.topic_id,
        is_internal=topic.is_internal,
        partitions=[
            _partition(number, topic.partitions[number], context, image)
            for number in sorted(topic.partitions)
        ],
    )


def _partition(
    number: int, partition: PartitionImage, context: BrokerContext, image: ClusterImage
) -> MetadataResponsePartition:
    leader = partition.leader
    broker = image.brokers.get(leader)
    code = ErrorCode.NONE
    is_untold = context.node.env.maybe("metadata-leaderless")
    is_untold = is_untold or context.node.lost_leaders.is_in_doubt(leader)
    if leader == NO_LEADER or broker is None or broker.fenced or is_untold:
        code, leader = ErrorCode.LEADER_NOT_AVAILABLE, NO_LEADER
    elif leader != context.node.node_id and broker.endpoint(context.listener_name) is None:
        code = (
            ErrorCode.LISTENER_NOT_FOUND
            if context.api_version >= 6
            else ErrorCode.LEADER_NOT_AVAILABLE
        )
        leader = NO_LEADER
    return MetadataResponsePartition(
        error_code=code,
        partition_index=number,
        leader_id=leader,
        leader_epoch=partition.leader_epoch,
        replica_nodes=list(partition.replicas),
        isr_nodes=list(partition.isr),
        offline_replicas=offline_replicas(partition, image),
    )


HANDLER = Handler(MetadataRequest, (0, 13), handle, refuse=refuse, handle_in_turns=handle_in_turns)
