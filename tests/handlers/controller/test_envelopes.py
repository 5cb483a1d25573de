"""Envelope: requests that brokers of Kafka hand on."""

from __future__ import annotations

from typing import Any

import pytest

from barnabas.broker.core.security.enveloped import principal_bytes
from barnabas.broker.core.security.principal import ANONYMOUS
from barnabas.broker.serving.handler import COUNT_MAX
from barnabas.protocol.apis import api
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.header import SIZE_BYTES, decode_response_header, encode_request
from barnabas.protocol.message import Message
from barnabas.protocol.messages.create_partitions_request import (
    CreatePartitionsRequest,
    CreatePartitionsTopic,
)
from barnabas.protocol.messages.describe_cluster_request import DescribeClusterRequest
from barnabas.protocol.messages.envelope_request import EnvelopeRequest
from barnabas.protocol.messages.unregister_broker_request import UnregisterBrokerRequest

from .asking import Asking

CORRELATION_ID = 77


def enclosed(request: Message, version: int) -> bytes:
    return encode_request(request, version, CORRELATION_ID, "client")[SIZE_BYTES:]


async def send(asking: Asking, data: bytes) -> Any:
    envelope = EnvelopeRequest(
        request_data=data,
        request_principal=principal_bytes(ANONYMOUS),
        client_host_address=b"\x7f\0\0\1",
    )
    return await asking.ask(envelope, 0)


def opened(data: bytes, request: Message, version: int) -> Any:
    """The answer inside, as the client decodes it."""
    key = request.API_KEY
    assert key is not None
    number, offset = decode_response_header(data, 0, key, version)
    assert number == CORRELATION_ID
    answer, end = api(key).response.decode_at(data, offset, version)
    assert end == len(data)
    return answer


@pytest.mark.parametrize("version", range(4))
async def test_the_request_inside_is_answered(version: int) -> None:
    """Whatever header its version has."""
    asking = Asking(1)
    asking.cluster.create("t")
    topic = CreatePartitionsTopic(name="t", count=3, assignments=None)
    request = CreatePartitionsRequest(topics=[topic], timeout_ms=1000)
    answer = await send(asking, enclosed(request, version))
    assert answer.error_code == 0
    (result,) = opened(answer.response_data, request, version).results
    assert (result.name, result.error_code) == ("t", 0)
    assert len(asking.cluster.image.topics_by_name["t"].partitions) == 3


async def test_an_error_of_the_request_inside_is_the_clients() -> None:
    request = UnregisterBrokerRequest(broker_id=9)
    answer = await send(Asking(1), enclosed(request, 0))
    assert answer.error_code == 0
    inner = opened(answer.response_data, request, 0)
    assert inner.error_code == ErrorCode.BROKER_ID_NOT_REGISTERED


async def test_too_much_at_once_is_refused_inside() -> None:
    """As where no envelope is needed: 44, and nothing is done."""
    asking = Asking(1)
    topics = [CreatePartitionsTopic(name=f"x{n}", count=3) for n in range(COUNT_MAX + 1)]
    request = CreatePartitionsRequest(topics=topics, timeout_ms=1000)
    answer = await send(asking, enclosed(request, 3))
    assert answer.error_code == 0
    inner = opened(answer.response_data, request, 3)
    assert {row.error_code for row in inner.results} == {ErrorCode.POLICY_VIOLATION}


async def test_who_is_not_active_says_so_to_the_broker() -> None:
    """Then the broker looks for the active controller, and its client need not know."""
    asking = Asking(1)
    asking.quorum.leader.leader_id = 2
    answer = await send(asking, enclosed(UnregisterBrokerRequest(broker_id=9), 0))
    assert (answer.error_code, answer.response_data) == (ErrorCode.NOT_CONTROLLER, None)


def with_version(data: bytes, version: int) -> bytes:
    return data[:2] + version.to_bytes(2, "big") + data[4:]


GOOD = enclosed(UnregisterBrokerRequest(broker_id=9), 0)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", ErrorCode.INVALID_REQUEST),
        (GOOD[:-2], ErrorCode.INVALID_REQUEST),
        (GOOD + b"\0", ErrorCode.INVALID_REQUEST),
        (b"\x7f\xff" + GOOD[2:], ErrorCode.INVALID_REQUEST),
        (with_version(GOOD, 99), ErrorCode.UNSUPPORTED_VERSION),
        (enclosed(EnvelopeRequest(request_data=GOOD), 0), ErrorCode.INVALID_REQUEST),
        (enclosed(DescribeClusterRequest(), 0), ErrorCode.INVALID_REQUEST),
    ],
)
async def test_what_is_not_handed_on(data: bytes, code: ErrorCode) -> None:
    """What is no request, and what a broker answers itself; envelopes in envelopes."""
    answer = await send(Asking(1), data)
    assert (answer.error_code, answer.response_data) == (code, None)
