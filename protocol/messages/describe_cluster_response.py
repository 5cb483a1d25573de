"""DescribeClusterResponse, generated from DescribeClusterResponse.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i16_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message, Struct, UNSET_LIST)
from ..primitives import (
    STRING_BYTES_MAX,
    bad_count,
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    not_carried,
    over_budget,
    skip_tagged_fields,
    trailing,
    write_compact_nullable_string,
    write_compact_string,
    write_i8,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":60,"type":"response","name":"DescribeClusterResponse","validVersions":"0-2","fle'
    'xibleVersions":"0+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"0+"},{"n'
    'ame":"ErrorCode","type":"int16","versions":"0+"},{"name":"ErrorMessage","type":"string","v'
    'ersions":"0+","nullableVersions":"0+","default":"null"},{"name":"EndpointType","type":"int'
    '8","versions":"1+","default":"1"},{"name":"ClusterId","type":"string","versions":"0+"},{"n'
    'ame":"ControllerId","type":"int32","versions":"0+","default":"-1","entityType":"brokerId"}'
    ',{"name":"Brokers","type":"[]DescribeClusterBroker","versions":"0+","fields":[{"name":"Bro'
    'kerId","type":"int32","versions":"0+","mapKey":true,"entityType":"brokerId"},{"name":"Host'
    '","type":"string","versions":"0+"},{"name":"Port","type":"int32","versions":"0+"},{"name":'
    '"Rack","type":"string","versions":"0+","nullableVersions":"0+","default":"null"},{"name":"'
    'IsFenced","type":"bool","versions":"2+"}]},{"name":"ClusterAuthorizedOperations","type":"i'
    'nt32","versions":"0+","default":"-2147483648"}]}'
)


class DescribeClusterBroker(Struct):
    """One entry for each node."""

    __slots__ = ("broker_id", "host", "port", "rack", "is_fenced")
    FIELDS: ClassVar[tuple[str, ...]] = ("broker_id", "host", "port", "rack", "is_fenced")
    broker_id: int  # Id of the node.
    host: str  # Host name or address under which it is reached.
    port: int  # Port under which it is reached.
    rack: str | None  # Where it stands, or null.
    is_fenced: bool  # Whether it is registered but not live.

    def __init__(
        self,
        *,
        broker_id: int = 0,
        host: str = "",
        port: int = 0,
        rack: str | None = None,
        is_fenced: bool = False,
    ) -> None:
        self.broker_id = broker_id
        self.host = host
        self.port = port
        self.rack = rack
        self.is_fenced = is_fenced


class DescribeClusterResponse(Message):
    """The cluster's id and its nodes."""

    __slots__ = (
        "throttle_time_ms",
        "error_code",
        "error_message",
        "endpoint_type",
        "cluster_id",
        "controller_id",
        "brokers",
        "cluster_authorized_operations",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "throttle_time_ms",
        "error_code",
        "error_message",
        "endpoint_type",
        "cluster_id",
        "controller_id",
        "brokers",
        "cluster_authorized_operations",
    )
    NAME: ClassVar[str] = "DescribeClusterResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 60
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    error_code: int  # Zero, or why there is no answer.
    error_message: str | None  # The reason in words, or null.
    endpoint_type: int  # Who is listed: 1 brokers, 2 controllers.
    cluster_id: str  # Id of the cluster.
    controller_id: int  # A node to which requests for the controller may go, or -1.
    brokers: list[DescribeClusterBroker]  # One entry for each node.
    cluster_authorized_operations: int  # Bits of what the user may do to the cluster.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        endpoint_type: int = 1,
        cluster_id: str = "",
        controller_id: int = -1,
        brokers: list[DescribeClusterBroker] = UNSET_LIST,
        cluster_authorized_operations: int = -2147483648,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.endpoint_type = endpoint_type
        self.cluster_id = cluster_id
        self.controller_id = controller_id
        self.brokers = [] if brokers is UNSET_LIST else brokers
        self.cluster_authorized_operations = cluster_authorized_operations

    @staticmethod
    def decode(data: bytes, version: int) -> DescribeClusterResponse:
        message, end = DescribeClusterResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("DescribeClusterResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[DescribeClusterResponse, int]:
        try:
            if version == 2:
                return _decode_2(data, offset)
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("DescribeClusterResponse", version, len(data), error) from None
        raise no_version("DescribeClusterResponse", version)

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
            raise no_encoding("DescribeClusterResponse", version, error) from error
        raise no_encoding("DescribeClusterResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[DescribeClusterResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DescribeClusterResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = data[i + 6]
    i += 7
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.error_message = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeClusterResponse.ErrorMessage", n, size - i)
        m.error_message = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("DescribeClusterResponse.ClusterId", n, size - i)
    m.cluster_id = data[i:end].decode()
    i = end
    m.controller_id = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 11 > size - i:
        raise bad_count("DescribeClusterResponse.Brokers", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeClusterResponse.Brokers", 10000000)
    count1 = n
    found1: list[DescribeClusterBroker] = []
    m.brokers = found1
    for _ in range(count1):
        s1 = DescribeClusterBroker()
        s1.broker_id = read_i32_be(data, i)
        n = data[i + 4]
        i += 5
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeClusterResponse.Brokers.Host", n, size - i)
        s1.host = data[i:end].decode()
        i = end
        s1.port = read_i32_be(data, i)
        n = data[i + 4]
        i += 5
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.rack = None
        else:
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("DescribeClusterResponse.Brokers.Rack", n, size - i)
            s1.rack = data[i:end].decode()
            i = end
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        found1.append(s1)
    m.cluster_authorized_operations = read_i32_be(data, i)
    if data[i + 4] == 0:
        i += 5
    else:
        i = skip_tagged_fields(data, i + 4)
    return m, i


def _encode_0(m: DescribeClusterResponse, w: BytesWriter, version: int) -> None:
    if m.endpoint_type != 1:
        raise not_carried("DescribeClusterResponse.EndpointType", version)
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.error_message
    write_compact_nullable_string(w, v1)
    v2 = m.cluster_id
    write_compact_string(w, v2)
    write_i32_be(w, m.controller_id)
    v3 = m.brokers
    write_uvarint(w, len(v3) + 1)
    for s1 in v3:
        if s1.is_fenced:
            raise not_carried("DescribeClusterResponse.Brokers.IsFenced", version)
        write_i32_be(w, s1.broker_id)
        v4 = s1.host
        write_compact_string(w, v4)
        write_i32_be(w, s1.port)
        v5 = s1.rack
        write_compact_nullable_string(w, v5)
        w.append(0)
    write_i32_be(w, m.cluster_authorized_operations)
    w.append(0)


def _decode_1(data: bytes, i: i64) -> tuple[DescribeClusterResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DescribeClusterResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = data[i + 6]
    i += 7
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.error_message = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeClusterResponse.ErrorMessage", n, size - i)
        m.error_message = data[i:end].decode()
        i = end
    m.endpoint_type = (data[i] ^ 0x80) - 0x80
    n = data[i + 1]
    i += 2
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("DescribeClusterResponse.ClusterId", n, size - i)
    m.cluster_id = data[i:end].decode()
    i = end
    m.controller_id = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 11 > size - i:
        raise bad_count("DescribeClusterResponse.Brokers", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeClusterResponse.Brokers", 10000000)
    count1 = n
    found1: list[DescribeClusterBroker] = []
    m.brokers = found1
    for _ in range(count1):
        s1 = DescribeClusterBroker()
        s1.broker_id = read_i32_be(data, i)
        n = data[i + 4]
        i += 5
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeClusterResponse.Brokers.Host", n, size - i)
        s1.host = data[i:end].decode()
        i = end
        s1.port = read_i32_be(data, i)
        n = data[i + 4]
        i += 5
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.rack = None
        else:
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("DescribeClusterResponse.Brokers.Rack", n, size - i)
            s1.rack = data[i:end].decode()
            i = end
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        found1.append(s1)
    m.cluster_authorized_operations = read_i32_be(data, i)
    if data[i + 4] == 0:
        i += 5
    else:
        i = skip_tagged_fields(data, i + 4)
    return m, i


def _encode_1(m: DescribeClusterResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.error_message
    write_compact_nullable_string(w, v1)
    write_i8(w, m.endpoint_type)
    v2 = m.cluster_id
    write_compact_string(w, v2)
    write_i32_be(w, m.controller_id)
    v3 = m.brokers
    write_uvarint(w, len(v3) + 1)
    for s1 in v3:
        if s1.is_fenced:
            raise not_carried("DescribeClusterResponse.Brokers.IsFenced", version)
        write_i32_be(w, s1.broker_id)
        v4 = s1.host
        write_compact_string(w, v4)
        write_i32_be(w, s1.port)
        v5 = s1.rack
        write_compact_nullable_string(w, v5)
        w.append(0)
    write_i32_be(w, m.cluster_authorized_operations)
    w.append(0)


def _decode_2(data: bytes, i: i64) -> tuple[DescribeClusterResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DescribeClusterResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = data[i + 6]
    i += 7
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.error_message = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeClusterResponse.ErrorMessage", n, size - i)
        m.error_message = data[i:end].decode()
        i = end
    m.endpoint_type = (data[i] ^ 0x80) - 0x80
    n = data[i + 1]
    i += 2
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("DescribeClusterResponse.ClusterId", n, size - i)
    m.cluster_id = data[i:end].decode()
    i = end
    m.controller_id = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 12 > size - i:
        raise bad_count("DescribeClusterResponse.Brokers", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeClusterResponse.Brokers", 10000000)
    count1 = n
    found1: list[DescribeClusterBroker] = []
    m.brokers = found1
    for _ in range(count1):
        s1 = DescribeClusterBroker()
        s1.broker_id = read_i32_be(data, i)
        n = data[i + 4]
        i += 5
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeClusterResponse.Brokers.Host", n, size - i)
        s1.host = data[i:end].decode()
        i = end
        s1.port = read_i32_be(data, i)
        n = data[i + 4]
        i += 5
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.rack = None
        else:
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("DescribeClusterResponse.Brokers.Rack", n, size - i)
            s1.rack = data[i:end].decode()
            i = end
        s1.is_fenced = data[i] != 0
        if data[i + 1] == 0:
            i += 2
        else:
            i = skip_tagged_fields(data, i + 1)
        found1.append(s1)
    m.cluster_authorized_operations = read_i32_be(data, i)
    if data[i + 4] == 0:
        i += 5
    else:
        i = skip_tagged_fields(data, i + 4)
    return m, i


def _encode_2(m: DescribeClusterResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.error_message
    write_compact_nullable_string(w, v1)
    write_i8(w, m.endpoint_type)
    v2 = m.cluster_id
    write_compact_string(w, v2)
    write_i32_be(w, m.controller_id)
    v3 = m.brokers
    write_uvarint(w, len(v3) + 1)
    for s1 in v3:
        write_i32_be(w, s1.broker_id)
        v4 = s1.host
        write_compact_string(w, v4)
        write_i32_be(w, s1.port)
        v5 = s1.rack
        write_compact_nullable_string(w, v5)
        w.append(1 if s1.is_fenced else 0)
        w.append(0)
    write_i32_be(w, m.cluster_authorized_operations)
    w.append(0)
