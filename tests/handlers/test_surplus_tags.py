"""Requests that known clients end with one empty list of tagged fields too many."""

from __future__ import annotations

from pathlib import Path

import pytest

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.describe_acls_request import DescribeAclsRequest

from .nodes import serving


def filter_of_all() -> DescribeAclsRequest:
    return DescribeAclsRequest(
        resource_type_filter=1,
        resource_name_filter=None,
        pattern_type_filter=1,
        principal_filter=None,
        host_filter=None,
        operation=1,
        permission_type=1,
    )


@pytest.mark.parametrize("version", [2, 3])
async def test_acls_as_kafka_go_asks_for_them(tmp_path: Path, version: int) -> None:
    """ENV-06: it writes tagged fields of the filter, which is no structure of its own, and then
    those of the request; Kafka looks at no byte after the fields."""
    async with serving(tmp_path) as (_, client):
        frame = client.frame(filter_of_all(), version)[4:] + b"\0"
        client.writer.write(len(frame).to_bytes(4) + frame)
        answer = await client.receive(29, version)
        assert answer.error_code == ErrorCode.SECURITY_DISABLED


async def test_other_bytes_there_close_the_connection(tmp_path: Path) -> None:
    """ENV-06: what no client is known to send is not a request."""
    async with serving(tmp_path) as (_, client):
        frame = client.frame(filter_of_all(), 3)[4:] + b"\1"
        client.writer.write(len(frame).to_bytes(4) + frame)
        assert await client.closed()
