"""Errors that concern a whole request: each served version has an answer that can carry them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any  # Any: handlers of both kinds of node

import pytest
from hypothesis import HealthCheck, given, settings
from kit.broker import running
from kit.examples import examples
from kit.message_values import messages

from barnabas.broker.server.served_apis import OF_BROKERS, OF_CONTROLLERS
from barnabas.broker.serving.handler import Handler
from barnabas.protocol.errors import EncodeError, ErrorCode, KafkaError, ProtocolError
from barnabas.protocol.message import Message
from barnabas.protocol.messages.alter_replica_log_dirs_request import (
    AlterReplicaLogDir,
    AlterReplicaLogDirsRequest,
    AlterReplicaLogDirTopic,
)
from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest
from barnabas.protocol.messages.find_coordinator_request import FindCoordinatorRequest


async def _fail(request: Message, context: object) -> Message:
    raise KafkaError(ErrorCode.NOT_CONTROLLER)


async def _fail_later(request: Message, context: object) -> Message:
    raise KafkaError(ErrorCode.NOT_CONTROLLER)


def _fail_at_once(request: Message, context: object) -> Message:
    raise KafkaError(ErrorCode.NOT_CONTROLLER)


@pytest.mark.parametrize("fail", [_fail_at_once, _fail_later])
async def test_who_can_be_told_nothing_is_not_kept_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fail: Any
) -> None:
    """ENV-09: where no answer can carry the error the connection is closed, and others go on."""
    asked = FindCoordinatorRequest()
    key = asked.API_KEY
    assert key is not None
    monkeypatch.setattr(OF_BROKERS[key], "handle", fail)
    async with running(tmp_path) as bench, bench.connect() as client, bench.connect() as other:
        client.send(asked, OF_BROKERS[key].last)
        assert await client.closed()
        assert (await other.ask(ApiVersionsRequest(), 0)).error_code == 0
        bench.log.lines.clear()  # an answer that cannot be encoded is told as a bug


@pytest.mark.parametrize("version", [1, 2])
def test_each_replica_carries_the_error(version: int) -> None:
    """A move of replicas that is refused as a whole says so for each of them, once."""
    topics = [AlterReplicaLogDirTopic(name="t", partitions=[0, 3])]
    directories = [AlterReplicaLogDir(path=path, topics=topics) for path in ("/a", "/b")]
    request, handler = AlterReplicaLogDirsRequest(dirs=directories), OF_BROKERS[34]
    refused = handler.refusal(request, version, ErrorCode.NOT_CONTROLLER, "a reason")
    answer: Any = handler.api.response.decode(refused.encode(version), version)
    (topic,) = answer.results
    rows = [(one.partition_index, one.error_code) for one in topic.partitions]
    assert (topic.topic_name, rows) == ("t", [(0, 41), (3, 41)])


def handlers() -> Iterator[tuple[str, Handler[Any]]]:
    for node, table in (("broker", OF_BROKERS), ("controller", OF_CONTROLLERS)):
        for handler in table.values():
            yield f"{node} {handler.api.name}", handler


@pytest.mark.parametrize("handler", [pytest.param(one, id=name) for name, one in handlers()])
def test_every_version_carries_the_error(handler: Handler[Any]) -> None:
    """ENV-09: whatever was asked, the refusal is encoded; or there is no room for one, and the
    connection is closed."""
    request_class: type[Message] = handler.api.request
    module = sys.modules[request_class.__module__]

    def check_version(version: int) -> None:
        @settings(
            max_examples=examples(3),
            deadline=None,
            database=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        )
        @given(messages(request_class, module, version))
        def check(request: Message) -> None:
            try:
                refused = handler.refusal(request, version, ErrorCode.NOT_CONTROLLER, "a reason")
            except ProtocolError:
                return
            try:
                encoded = refused.encode(version)
            except EncodeError:
                # An answer that has one row for each of no keys, and nothing else.
                assert isinstance(request, FindCoordinatorRequest) and not request.coordinator_keys
                return
            handler.api.response.decode(encoded, version)

        check()

    for version in range(handler.first, handler.last + 1):
        check_version(version)
