"""Answers to Produce that the hot path cannot write itself: refusals, several partitions, waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from barnabas.protocol.errors import KafkaError
from barnabas.protocol.header import encode_response

if TYPE_CHECKING:
    from ..core.log.partition_log import AppendResult
    from ..core.replication.partition import Partition
    from ..handlers.context import BrokerServices
    from .connection import Connection

Rows = list[tuple[bytes, int, "Partition", "AppendResult | KafkaError", bytes]]
"""Topic, index, partition, what came of the append, and the batch if it was refused."""


class ProduceAnswers:
    """Makes the generated classes for what has been appended by the hot path."""

    __slots__ = ("_node",)

    def __init__(self, node: BrokerServices) -> None:
        self._node = node

    def __call__(
        self,
        connection: Connection,
        version: int,
        correlation_id: int,
        acks: int,
        timeout_ms: int,
        rows: Rows,
    ) -> bytes:
        """The answer; b"" if there is none, or none yet (then it has its place in the line).

        Raises ProtocolError if acks=0 and something was refused (ENV-09).
        """
        from barnabas.protocol.messages.produce_response import ProduceResponse
        from barnabas.protocol.messages.produce_response import TopicProduceResponse as Topic

        from ..handlers.produce import ProduceWait, refused_row

        wait = ProduceWait(self._node, connection, version)
        now = self._node.env.clock.wall_ms()
        answer: Topic | None = None
        for topic, index, partition, result, batch in rows:
            name = topic.decode()
            if answer is None or answer.name != name:
                answer = Topic(name=name)
                wait.response.responses.append(answer)
            if isinstance(result, KafkaError):
                row = refused_row(index, result, partition, batch, now)
            else:
                row = wait.add(index, partition, result, acks)
            answer.partition_responses.append(row)
        response = wait.answer(acks, timeout_ms)
        if response is None:
            return b""
        if isinstance(response, ProduceResponse):
            return encode_response(response, version, correlation_id)
        place = connection.reserve(wait.abandon)
        wait.on_done(lambda done: place.fill((encode_response(done, version, correlation_id),)))
        return b""
