"""Requests with names of 32 KB: what an error repeats of them fits the answer."""

from __future__ import annotations

import pytest

from barnabas.protocol.errors import MESSAGE_CHARS_MAX, ErrorCode
from barnabas.protocol.message import Message
from barnabas.protocol.messages.alter_client_quotas_request import (
    AlterClientQuotasRequest,
    EntityData,
    EntryData,
    OpData,
)
from barnabas.protocol.messages.create_acls_request import AclCreation, CreateAclsRequest
from barnabas.protocol.messages.create_topics_request import (
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
)
from barnabas.protocol.messages.incremental_alter_configs_request import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
)
from barnabas.protocol.primitives import STRING_BYTES_MAX
from barnabas.testing.process import NodeProcess

from .wire import Wire, is_served

pytestmark = pytest.mark.slow

LONG = "x" * STRING_BYTES_MAX
QUOTA = OpData(key="consumer_byte_rate", value=5.0)
TWICE = EntryData(
    entity=[EntityData(entity_type=kind, entity_name=LONG) for kind in ("user", "client-id")],
    ops=[QUOTA],
)
SET, BROKER, TOPIC, ALLOW, READ, LITERAL = 0, 4, 2, 3, 3, 3


def _nulls(resource_type: int, name: str) -> IncrementalAlterConfigsRequest:
    unset = [AlterableConfig(name=letter + LONG[1:], value=None) for letter in "abc"]
    resource = AlterConfigsResource(resource_type=resource_type, resource_name=name, configs=unset)
    return IncrementalAlterConfigsRequest(resources=[resource])


@pytest.mark.parametrize(
    ("request_", "version"),
    [
        (AlterClientQuotasRequest(entries=[TWICE, TWICE]), 1),
        (_nulls(BROKER, "1"), 1),
        (_nulls(BROKER, LONG), 1),
        (_nulls(TOPIC, LONG), 1),
        (
            CreateTopicsRequest(
                topics=[
                    CreatableTopic(
                        name="t",
                        num_partitions=1,
                        replication_factor=1,
                        configs=[CreatableTopicConfig(name=LONG, value=LONG)],
                    )
                ],
                timeout_ms=1000,
            ),
            7,
        ),
        (
            CreateAclsRequest(
                creations=[
                    AclCreation(
                        resource_type=TOPIC,
                        resource_name=LONG,
                        resource_pattern_type=LITERAL,
                        principal=LONG,
                        host=LONG,
                        operation=READ,
                        permission_type=ALLOW,
                    )
                ]
            ),
            3,
        ),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Message) else "",
)
def test_an_error_repeats_no_more_than_fits(
    node: NodeProcess, request_: Message, version: int
) -> None:
    """Goal: an answer comes, with an error of its own and a text that is bounded."""
    with Wire(node) as wire:
        answer = wire.ask(request_, version)
        rows = next(
            getattr(answer, name)
            for name in ("entries", "responses", "topics", "results")
            if hasattr(answer, name)
        )
        assert rows
        for row in rows:
            assert row.error_code not in (ErrorCode.NONE, ErrorCode.UNKNOWN_SERVER_ERROR)
            assert len(row.error_message or "") <= MESSAGE_CHARS_MAX
        assert is_served(wire)
