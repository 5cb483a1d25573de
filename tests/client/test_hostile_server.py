"""Goal: whatever listens there, the client raises a clear error in time and stays small (F-18)."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
import tracemalloc

import pytest

from barnabas.client import Admin, Consumer, Producer, TopicPartition
from barnabas.client.config import ClientConfig
from barnabas.client.errors import (
    BootstrapError,
    ClientError,
    ConnectionFailedError,
    MalformedResponseError,
    NotABrokerError,
    RequestTimedOutError,
)
from barnabas.client.wire.connection import connect
from barnabas.client.wire.pool import Lane
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.header import decode_request_header, encode_response
from barnabas.protocol.messages.api_versions_response import ApiVersion, ApiVersionsResponse

from .any_server import Serve, listening
from .fake_cluster import Action, FakeCluster, FakeNode

SETUP_MS = 300


def says(text: bytes) -> Serve:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(text)
        await writer.drain()
        await reader.read()

    return serve


async def start_admin(address: str) -> None:
    admin = Admin(bootstrap_servers=address, socket_connection_setup_timeout_ms=SETUP_MS)
    async with admin:
        pass


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "an HTTP server"),
        (b"\x15\x03\x03\x00\x02\x02\x16", "is this a TLS port?"),
        (b"SSH-2.0-OpenSSH_9.6\r\n", "an SSH server"),
        (b"\xff\xff\xff\xff", "response frame of -1 bytes"),
        (b"\x7f\xff\xff\xff", "response frame of 2147483647 bytes"),
        (b"\x00\x00\x00\x04\x00\x00\x00\x63", "correlation id 99 where 0 was due"),
        (b"\x00\x00\x00\x00", "does not decode"),
        (b"\x00\x00\x00\x08\x00\x00\x00\x00abcd", "does not decode"),
        (b"\x00\x00\x00\x0a\x00\x00\x00\x00\x00\x00\x7f\xff\xff\xff", "does not decode"),
        (b"\x00\x00\x00\x0c\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00", "without an entry"),
        (b"x", "did not answer in time"),
        (b"", "did not answer in time"),
    ],
)
async def test_a_port_that_is_no_broker_says_so(answer: bytes, expected: str) -> None:
    async with listening(says(answer)) as address:
        started = time.monotonic()
        with pytest.raises(NotABrokerError) as caught:
            await start_admin(address)
    assert f"{address} is no Kafka broker" in str(caught.value)
    assert expected in str(caught.value)
    assert time.monotonic() - started < 20


async def test_a_port_that_hangs_up_says_so() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"no\n")
        await writer.drain()
        writer.close()

    async with listening(serve) as address:
        with pytest.raises(NotABrokerError, match="closed the connection when asked"):
            await start_admin(address)


async def test_nobody_listens() -> None:
    async with listening(says(b"")) as address:
        pass
    with pytest.raises(BootstrapError, match=f"cannot connect to {address}: Connection refused"):
        await start_admin(address)


async def test_one_good_address_is_enough() -> None:
    async with FakeCluster() as cluster, listening(says(b"HTTP/1.1 400\r\n")) as bad:
        await start_admin(f"{bad},{cluster.bootstrap}")
        with pytest.raises(BootstrapError) as caught:
            async with listening(says(b"SSH-2.0-x\r\n")) as other:
                await start_admin(f"{bad},{other}")
    assert "HTTP" in str(caught.value)
    assert "SSH" in str(caught.value)


async def test_old_and_new_brokers_are_asked_again_in_their_version() -> None:
    """ENV-03: an unknown version is answered in version 0 with the range."""
    asked: list[int] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            size = int.from_bytes(await reader.readexactly(4), "big")
            frame = await reader.readexactly(size)
            version = int.from_bytes(frame[2:4], "big")
            asked.append(version)
            correlation_id = int.from_bytes(frame[4:8], "big")
            keys = [ApiVersion(api_key=18, min_version=0, max_version=1)]
            response = ApiVersionsResponse(error_code=35 if version > 1 else 0, api_keys=keys)
            writer.write(
                encode_response(response, min(version, 1) if version <= 1 else 0, correlation_id)
            )

    async with listening(serve) as address:
        with pytest.raises(ClientError, match="serves Metadata not at all"):
            await start_admin(address)
    assert asked[:2] == [3, 1]


@pytest.mark.parametrize(
    ("code", "kind", "text"),
    [
        (ErrorCode.UNSUPPORTED_VERSION, NotABrokerError, "refuses every version of ApiVersions"),
        (ErrorCode.INVALID_REQUEST, ConnectionFailedError, "answered ApiVersions with an error"),
    ],
)
async def test_a_broker_that_does_not_tell_its_versions(
    code: ErrorCode, kind: type[ConnectionFailedError], text: str
) -> None:
    """ENV-03: it is asked in every version, and given up at once."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            size = int.from_bytes(await reader.readexactly(4), "big")
            header, _ = decode_request_header(await reader.readexactly(size))
            response = ApiVersionsResponse(error_code=code)
            is_refusal = code == ErrorCode.UNSUPPORTED_VERSION
            version = 0 if is_refusal else header.api_version
            writer.write(encode_response(response, version, header.correlation_id))

    async with listening(serve) as address:
        host, port = address.split(":")
        with pytest.raises(kind, match=text) as caught:
            await connect(host, int(port), ClientConfig())
    assert type(caught.value) is kind


async def test_garbage_in_the_middle_ends_that_connection_only() -> None:
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        async with Admin(bootstrap_servers=cluster.bootstrap) as admin:
            cluster.script = lambda node, request: b"\x15\x03\x03\x00\x02\x02\x16"
            node = admin._cluster.metadata.nodes[1]
            connection = await admin._cluster.connection(node, Lane.CONTROL)
            with pytest.raises(MalformedResponseError, match="is this a TLS port"):
                await admin._cluster.refresh()
            assert connection.is_closed
            cluster.script = None
            assert list(await admin.list_topics()) == ["t"]


async def test_a_silent_broker_is_given_up_in_time() -> None:
    """No call takes longer than request_timeout_ms for one attempt; what waits behind fails too."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        async with Admin(bootstrap_servers=cluster.bootstrap, request_timeout_ms=200) as admin:
            cluster.script = lambda node, request: Action.HANG
            started = time.monotonic()
            node = admin._cluster.metadata.nodes[1]
            connection = await admin._cluster.connection(node, Lane.CONTROL)
            with pytest.raises(RequestTimedOutError, match="did not answer Metadata"):
                await admin._cluster.refresh()
            assert connection.is_closed
            assert 0.15 < time.monotonic() - started < 20


async def test_an_endless_frame_is_cut_off_and_takes_little_memory() -> None:
    """F-7: a length just below the cap, then nothing more."""
    async with listening(says((100 * 1024 * 1024).to_bytes(4, "big") + b"x" * 1000)) as address:
        tracemalloc.start()
        try:
            with pytest.raises(NotABrokerError, match="did not answer in time"):
                await start_admin(address)
            assert tracemalloc.get_traced_memory()[1] < 8 * 1024 * 1024
        finally:
            tracemalloc.stop()


ROUNDS = 25


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["mutated", "garbage"])
async def test_wrong_answers_end_in_typed_errors(
    kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    """F-18: nothing but typed errors comes out, and nothing takes longer than it may."""
    randomness = random.Random(5)

    def script(node: FakeNode, request: object) -> bytes | Action | None:
        if type(request).__name__ == "ApiVersionsRequest" or randomness.random() < 0.3:
            return None
        if kind == "mutated":
            return Action.MUTATE
        body = randomness.randbytes(randomness.choice([0, 4, 5, 12, 40, 200]))
        return len(body).to_bytes(4, "big") + body

    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        for _ in range(ROUNDS):
            cluster.script = script
            with contextlib.suppress(ClientError):
                async with asyncio.timeout(10):
                    await exercise(cluster.bootstrap, 300, 400)
            cluster.script = None
    unexpected = [each for each in caplog.records if each.exc_info]
    assert not unexpected, "a background task met an exception that it did not expect"


async def exercise(address: str, request_timeout_ms: int, default_api_timeout_ms: int) -> None:
    here = TopicPartition("t", 0)
    async with Producer(
        bootstrap_servers=address,
        request_timeout_ms=request_timeout_ms,
        default_api_timeout_ms=default_api_timeout_ms,
        max_block_ms=300,
        delivery_timeout_ms=300,
    ) as producer:
        await producer.send_and_wait("t", b"x")
    async with Consumer(
        bootstrap_servers=address,
        request_timeout_ms=request_timeout_ms,
        default_api_timeout_ms=default_api_timeout_ms,
        auto_offset_reset="earliest",
    ) as consumer:
        consumer.assign([here])
        await consumer.getmany(timeout_ms=100)
        await consumer.end_offsets([here])
