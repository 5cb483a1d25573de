"""DescribeClusterRequest, generated from DescribeClusterRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (
    decode_failure,
    no_encoding,
    no_version,
    not_carried,
    skip_tagged_fields,
    trailing,
    write_i8,
)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":60,"type":"request","listeners":["broker","controller"],"name":"DescribeClusterR'
    'equest","validVersions":"0-2","flexibleVersions":"0+","fields":[{"name":"IncludeClusterAut'
    'horizedOperations","type":"bool","versions":"0+"},{"name":"EndpointType","type":"int8","ve'
    'rsions":"1+","default":"1"},{"name":"IncludeFencedBrokers","type":"bool","versions":"2+"}]'
    '}'
)


class DescribeClusterRequest(Message):
    """Asks who is in the cluster."""

    __slots__ = ("include_cluster_authorized_operations", "endpoint_type", "include_fenced_brokers")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "include_cluster_authorized_operations",
        "endpoint_type",
        "include_fenced_brokers",
    )
    NAME: ClassVar[str] = "DescribeClusterRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 60
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    include_cluster_authorized_operations: bool  # Whether to tell what the user may do to the cluster.
    endpoint_type: int  # Whom to list: 1 brokers, 2 controllers.
    include_fenced_brokers: bool  # Whether to list brokers too that are registered but not live.

    def __init__(
        self,
        *,
        include_cluster_authorized_operations: bool = False,
        endpoint_type: int = 1,
        include_fenced_brokers: bool = False,
    ) -> None:
        self.include_cluster_authorized_operations = include_cluster_authorized_operations
        self.endpoint_type = endpoint_type
        self.include_fenced_brokers = include_fenced_brokers

    @staticmethod
    def decode(data: bytes, version: int) -> DescribeClusterRequest:
        message, end = DescribeClusterRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("DescribeClusterRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[DescribeClusterRequest, int]:
        try:
            if version == 2:
                return _decode_2(data, offset)
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("DescribeClusterRequest", version, len(data), error) from None
        raise no_version("DescribeClusterRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 2:
                return _encode_2(self, writer, version)
            if version == 1:
                return _encode_1(self, writer, version)
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("DescribeClusterRequest", version, error) from error
        raise no_encoding("DescribeClusterRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[DescribeClusterRequest, i64]:
    m = DescribeClusterRequest()
    m.include_cluster_authorized_operations = data[i] != 0
    if data[i + 1] == 0:
        i += 2
    else:
        i = skip_tagged_fields(data, i + 1)
    return m, i


def _encode_0(m: DescribeClusterRequest, w: BytesWriter, version: int) -> None:
    if m.endpoint_type != 1:
        raise not_carried("DescribeClusterRequest.EndpointType", version)
    if m.include_fenced_brokers:
        raise not_carried("DescribeClusterRequest.IncludeFencedBrokers", version)
    w.append(1 if m.include_cluster_authorized_operations else 0)
    w.append(0)


def _decode_1(data: bytes, i: i64) -> tuple[DescribeClusterRequest, i64]:
    m = DescribeClusterRequest()
    m.include_cluster_authorized_operations = data[i] != 0
    m.endpoint_type = (data[i + 1] ^ 0x80) - 0x80
    if data[i + 2] == 0:
        i += 3
    else:
        i = skip_tagged_fields(data, i + 2)
    return m, i


def _encode_1(m: DescribeClusterRequest, w: BytesWriter, version: int) -> None:
    if m.include_fenced_brokers:
        raise not_carried("DescribeClusterRequest.IncludeFencedBrokers", version)
    w.append(1 if m.include_cluster_authorized_operations else 0)
    write_i8(w, m.endpoint_type)
    w.append(0)


def _decode_2(data: bytes, i: i64) -> tuple[DescribeClusterRequest, i64]:
    m = DescribeClusterRequest()
    m.include_cluster_authorized_operations = data[i] != 0
    m.endpoint_type = (data[i + 1] ^ 0x80) - 0x80
    m.include_fenced_brokers = data[i + 2] != 0
    if data[i + 3] == 0:
        i += 4
    else:
        i = skip_tagged_fields(data, i + 3)
    return m, i


def _encode_2(m: DescribeClusterRequest, w: BytesWriter, version: int) -> None:
    w.append(1 if m.include_cluster_authorized_operations else 0)
    write_i8(w, m.endpoint_type)
    w.append(1 if m.include_fenced_brokers else 0)
    w.append(0)
