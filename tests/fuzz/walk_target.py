"""What a fuzzer feeds to the hot path's own reading of Produce requests (`server/produce_walk`)."""

from __future__ import annotations

from typing import Final

from barnabas.broker.server.connection import HEAD
from barnabas.broker.server.fast_produce import BODY_AT
from barnabas.broker.server.produce_walk import (
    FIRST_VERSION,
    LAST_VERSION,
    TOPIC_IDS_SINCE,
    Part,
    walk_request,
)
from barnabas.protocol.errors import ProtocolError
from barnabas.protocol.header import decode_request_header
from barnabas.protocol.messages.produce_request import ProduceRequest, TopicProduceData

VERSIONS: Final = LAST_VERSION - FIRST_VERSION + 1


def walk(data: bytes) -> None:
    """The hot path takes what the general road takes, with the same meaning, or leaves it.

    The first byte chooses the version; behind it is all that follows the correlation id. A client
    id that is not UTF-8 is nothing to the hot path, which never looks at it.
    """
    if not data:
        return
    version = FIRST_VERSION + data[0] % VERSIONS
    frame = bytearray(HEAD.pack(8 + len(data) - 1, 0, version, 1) + data[1:])
    walked = walk_request(frame, BODY_AT, len(frame), version)
    if walked is None:
        return
    acks, timeout_ms, parts = walked
    content = bytes(frame[4:])
    try:
        request, end = _general(content, version)
    except ProtocolError:
        assert _has_odd_text(frame, parts, version), (
            f"version {version}: only the hot path takes it"
        )
        return
    assert end == len(content)
    assert (acks, timeout_ms) == (request.acks, request.timeout_ms)
    assert request.transactional_id is None
    assert [(name, index, bytes(frame[at:end])) for name, index, at, end in parts] == [
        (_named(topic, version), part.index, part.records)
        for topic in request.topic_data
        for part in topic.partition_data
    ]


def _named(topic: TopicProduceData, version: int) -> bytes:
    return topic.topic_id if version >= TOPIC_IDS_SINCE else topic.name.encode()


def _general(content: bytes, version: int) -> tuple[ProduceRequest, int]:
    _, at = decode_request_header(content)
    return ProduceRequest.decode_at(content, at, version)


def _has_odd_text(frame: bytearray, parts: list[Part], version: int) -> bool:
    """Whether a text in it is refused: no node has such a topic, so the hot path finds none."""
    size = int.from_bytes(frame[BODY_AT : BODY_AT + 2], "big", signed=True)
    texts = [bytes(frame[BODY_AT + 2 : BODY_AT + 2 + max(size, 0)])]
    if version < TOPIC_IDS_SINCE:
        texts += [part[0] for part in parts]
    return any(_is_odd(text) for text in texts) or size < -1


def _is_odd(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return True
    return len(text) > 32767
