"""A broker's way to the rest of its cluster: its own controller if that is active, else over there.

What clients ask for and only the active controller can decide is sent on as it came, and answered
as it was answered there. What this broker itself wants decided (topics that are created on demand,
producer ids) is put into the request that asks for it.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final, cast  # Any: an answer of any API

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.message import Message
from barnabas.protocol.messages.allocate_producer_ids_request import AllocateProducerIdsRequest
from barnabas.protocol.messages.create_topics_request import (
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
)
from barnabas.protocol.messages.envelope_request import EnvelopeRequest
from barnabas.protocol.messages.envelope_response import EnvelopeResponse

from ...core.cluster import commands
from ...core.cluster.commands import AnswerT, Command
from ...core.cluster.image import ClusterImage
from ...core.config.broker import BrokerConfig
from ...core.security.enveloped import ForwardedClient
from ...serving.context import NodeContext
from ..controller.controller_service import ControllerService
from ..envelopes import answer_in, envelope_of
from ..lifecycle.broker_lifecycle import BrokerLifecycle
from ..lifecycle.channel import ControllerChannel
from ..peer_errors import PeerError, UnsupportedPeerError
from ..quorum.publisher import ImagePublisher
from ..quorum.quorum import Quorum

OWN_REQUESTS_TIMEOUT_MS: Final = 10_000
"""Longest wait for what this broker itself wants decided."""

ENVELOPE_HEADER_MAX: Final = 128
"""Bytes of an envelope beside what it holds: its header, with this broker's name, and lengths."""

ON_DEMAND_VERSION: Final = 5
"""Of CreateTopics: the newest that a quota of changes throttles, and does not refuse (QTA-15)."""


class ClusterMembership:
    """The `Membership` of a broker, and its `metadata`."""

    def __init__(
        self,
        config: BrokerConfig,
        quorum: Quorum,
        publisher: ImagePublisher,
        service: ControllerService | None,
        *,
        controllers: ControllerChannel,
        forwards: ControllerChannel,
        lifecycle: BrokerLifecycle,
    ) -> None:
        """`forwards` is a channel of its own: answers to clients' requests may take long."""
        self.quorum = quorum
        self.controllers = controllers
        self._config = config
        self._publisher = publisher
        self._service = service
        self._forwards = forwards
        self._lifecycle = lifecycle

    @property
    def image(self) -> ClusterImage:
        """All that nodes agree on, as this node has applied it."""
        return self._publisher.image

    @property
    def metadata(self) -> ClusterMembership:
        """What takes commands."""
        return self

    @property
    def broker_epoch(self) -> int:
        """Offset of this broker's registration (631-01); -1 before it is registered."""
        return self._lifecycle.broker_epoch

    @property
    def metadata_fresh_since_ms(self) -> float:
        """Monotonic time at which `image` was what the controller had committed (207-09)."""
        return self.quorum.fresh_since_ms

    # --- deciding -----------------------------------------------------------------------------

    @property
    def is_here(self) -> bool:
        """Whether this node is the active controller."""
        return self._service is not None and self._service.is_active

    async def forward(self, request: Message, context: NodeContext) -> Message:
        """The active controller's answer to a client's request, which goes there in an envelope.

        Raises KafkaError: 35 it does not serve this version, 7 nobody answered, -1 it does not take
        this broker's envelopes (FWD-05).
        """
        timeout_ms = self._config.request_timeout_ms
        asked = min(max(getattr(request, "timeout_ms", timeout_ms), 1), timeout_ms)
        try:
            # The client's patience is its own: a late answer ends the connection, which all share.
            async with asyncio.timeout(asked / 1000.0):
                return await self._send_on(request, context.api_version, context.client, timeout_ms)
        except TimeoutError:
            raise KafkaError(
                ErrorCode.REQUEST_TIMED_OUT, "The active controller has not answered in time."
            ) from None
        except UnsupportedPeerError as error:
            raise KafkaError(ErrorCode.UNSUPPORTED_VERSION, str(error)) from error
        except PeerError as error:
            raise KafkaError(ErrorCode.REQUEST_TIMED_OUT, str(error)) from error

    async def _send_on(
        self, request: Message, version: int, client: ForwardedClient, timeout_ms: float
    ) -> Message:
        """The answer to what goes on as this client's. Raises KafkaError, PeerError."""
        assert request.API_KEY is not None, "only requests are sent on"
        envelope = envelope_of(request, version, client)
        if _is_too_large(envelope, self._config):
            # A controller would close the connection, which all share, and again at each attempt.
            raise KafkaError(ErrorCode.POLICY_VIOLATION, "The request is too large to be sent on.")
        answer: EnvelopeResponse = await self._forwards.call(envelope, timeout_ms=timeout_ms)
        return answer_in(answer, request.API_KEY, version)

    async def submit(self, command: Command[AnswerT]) -> AnswerT:
        """Have the active controller decide; the answer when this node has applied the records.

        Raises KafkaError: refused, or nobody answered.
        """
        if self._service is not None and self._service.is_active:
            return await self._service.submit(command)
        try:
            if isinstance(command, commands.AllocateProducerIds):
                return cast("AnswerT", await self._allocate_producer_ids(command))
            if isinstance(command, commands.CreateTopics):
                return cast("AnswerT", await self._create_topics(command))
        except PeerError as error:
            raise KafkaError(ErrorCode.REQUEST_TIMED_OUT, str(error)) from error
        raise KafkaError(ErrorCode.NOT_CONTROLLER, "This node is not the active controller.")

    async def _allocate_producer_ids(
        self, command: commands.AllocateProducerIds
    ) -> commands.ProducerIdBlock:
        request = AllocateProducerIdsRequest(
            broker_id=command.broker_id, broker_epoch=command.broker_epoch
        )
        answer = await self.controllers.call(request, timeout_ms=OWN_REQUESTS_TIMEOUT_MS)
        if answer.error_code != ErrorCode.NONE:
            raise KafkaError(ErrorCode(answer.error_code))
        return commands.ProducerIdBlock(answer.producer_id_start, answer.producer_id_len)

    async def _create_topics(self, command: commands.CreateTopics) -> list[commands.TopicCreated]:
        """Topics that are made on demand: placed by the controller, not by this broker.

        Those of clients are created as the client, with its rights and its quota (FWD-09); those of
        coordinators as this broker. Raises KafkaError, PeerError.
        """
        request = CreateTopicsRequest(
            topics=[_creatable(topic) for topic in command.topics],
            timeout_ms=OWN_REQUESTS_TIMEOUT_MS,
        )
        answer: Any
        if command.asker is None:
            answer = await self._forwards.call(request, timeout_ms=OWN_REQUESTS_TIMEOUT_MS)
        else:
            answer = await self._send_on(
                request, ON_DEMAND_VERSION, command.asker, OWN_REQUESTS_TIMEOUT_MS
            )
        if command.charge is not None:
            command.charge.throttle_ms = answer.throttle_time_ms
        return [
            commands.TopicCreated(
                topic.name,
                ErrorCode(topic.error_code),
                topic.error_message,
                topic.topic_id,
                topic.num_partitions,
                topic.replication_factor,
            )
            for topic in answer.topics
        ]


def _is_too_large(envelope: EnvelopeRequest, config: BrokerConfig) -> bool:
    """Whether a controller with the same settings takes no such frame."""
    inside = len(envelope.request_data)
    around = len(envelope.request_principal or b"") + len(envelope.client_host_address)
    return (
        inside > config.socket_request_max_bytes_other
        or inside + around + ENVELOPE_HEADER_MAX > config.socket_request_max_bytes
    )


def _creatable(topic: commands.NewTopic) -> CreatableTopic:
    assert not topic.assignments, "brokers leave the choice to the controller"
    return CreatableTopic(
        name=topic.name,
        num_partitions=topic.num_partitions,
        replication_factor=topic.replication_factor,
        configs=[CreatableTopicConfig(name=name, value=value) for name, value in topic.configs],
    )
