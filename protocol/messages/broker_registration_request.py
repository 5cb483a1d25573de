"""BrokerRegistrationRequest, generated from BrokerRegistrationRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (
    BytesWriter,
    read_i16_be,
    read_i32_be,
    read_i64_be,
    write_i16_be,
    write_i32_be,
    write_i64_be,
)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message, Struct, UNSET_LIST)
from ..primitives import (
    STRING_BYTES_MAX,
    ZERO_UUID,
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
    write_u16,
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":62,"type":"request","listeners":["controller"],"name":"BrokerRegistrationRequest'
    '","validVersions":"0-4","flexibleVersions":"0+","fields":[{"name":"BrokerId","type":"int32'
    '","versions":"0+","entityType":"brokerId"},{"name":"ClusterId","type":"string","versions":'
    '"0+"},{"name":"IncarnationId","type":"uuid","versions":"0+"},{"name":"Listeners","type":"['
    ']Listener","versions":"0+","fields":[{"name":"Name","type":"string","versions":"0+","mapKe'
    'y":true},{"name":"Host","type":"string","versions":"0+"},{"name":"Port","type":"uint16","v'
    'ersions":"0+"},{"name":"SecurityProtocol","type":"int16","versions":"0+"}]},{"name":"Featu'
    'res","type":"[]Feature","versions":"0+","fields":[{"name":"Name","type":"string","versions'
    '":"0+","mapKey":true},{"name":"MinSupportedVersion","type":"int16","versions":"0+"},{"name'
    '":"MaxSupportedVersion","type":"int16","versions":"0+"}]},{"name":"Rack","type":"string","'
    'versions":"0+","nullableVersions":"0+"},{"name":"IsMigratingZkBroker","type":"bool","versi'
    'ons":"1+","default":"false"},{"name":"LogDirs","type":"[]uuid","versions":"2+","ignorable"'
    ':true},{"name":"PreviousBrokerEpoch","type":"int64","versions":"3+","default":"-1","ignora'
    'ble":true}]}'
)


class Listener(Struct):
    """Where it is reached."""

    __slots__ = ("name", "host", "port", "security_protocol")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "host", "port", "security_protocol")
    name: str  # Name of the listener.
    host: str  # Host name or address.
    port: int  # Port.
    security_protocol: int  # Number of the listener's security protocol; 0 is plain text.

    def __init__(
        self,
        *,
        name: str = "",
        host: str = "",
        port: int = 0,
        security_protocol: int = 0,
    ) -> None:
        self.name = name
        self.host = host
        self.port = port
        self.security_protocol = security_protocol


class Feature(Struct):
    """Features that the broker could run with."""

    __slots__ = ("name", "min_supported_version", "max_supported_version")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "min_supported_version", "max_supported_version")
    name: str  # Name of the feature.
    min_supported_version: int  # Lowest level that it can run with.
    max_supported_version: int  # Highest level that it can run with.

    def __init__(
        self,
        *,
        name: str = "",
        min_supported_version: int = 0,
        max_supported_version: int = 0,
    ) -> None:
        self.name = name
        self.min_supported_version = min_supported_version
        self.max_supported_version = max_supported_version


class BrokerRegistrationRequest(Message):
    """A broker that has started tells the controller who and where it is."""

    __slots__ = (
        "broker_id",
        "cluster_id",
        "incarnation_id",
        "listeners",
        "features",
        "rack",
        "is_migrating_zk_broker",
        "log_dirs",
        "previous_broker_epoch",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "broker_id",
        "cluster_id",
        "incarnation_id",
        "listeners",
        "features",
        "rack",
        "is_migrating_zk_broker",
        "log_dirs",
        "previous_broker_epoch",
    )
    NAME: ClassVar[str] = "BrokerRegistrationRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 62
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 4
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    broker_id: int  # Id of the broker.
    cluster_id: str  # Id of the cluster that the broker's directories belong to.
    incarnation_id: bytes  # An id that is new with every start of the broker's process.
    listeners: list[Listener]  # Where it is reached.
    features: list[Feature]  # Features that the broker could run with.
    rack: str | None  # Where it stands, or null.
    is_migrating_zk_broker: bool  # Whether it comes over from ZooKeeper; false here.
    log_dirs: list[bytes]  # Ids of its log directories.
    previous_broker_epoch: int  # Epoch that it had before a clean shutdown; -1 if it cannot tell or it crashed.

    def __init__(
        self,
        *,
        broker_id: int = 0,
        cluster_id: str = "",
        incarnation_id: bytes = ZERO_UUID,
        listeners: list[Listener] = UNSET_LIST,
        features: list[Feature] = UNSET_LIST,
        rack: str | None = "",
        is_migrating_zk_broker: bool = False,
        log_dirs: list[bytes] = UNSET_LIST,
        previous_broker_epoch: int = -1,
    ) -> None:
        self.broker_id = broker_id
        self.cluster_id = cluster_id
        self.incarnation_id = incarnation_id
        self.listeners = [] if listeners is UNSET_LIST else listeners
        self.features = [] if features is UNSET_LIST else features
        self.rack = rack
        self.is_migrating_zk_broker = is_migrating_zk_broker
        self.log_dirs = [] if log_dirs is UNSET_LIST else log_dirs
        self.previous_broker_epoch = previous_broker_epoch

    @staticmethod
    def decode(data: bytes, version: int) -> BrokerRegistrationRequest:
        message, end = BrokerRegistrationRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("BrokerRegistrationRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[BrokerRegistrationRequest, int]:
        try:
            if 3 <= version <= 4:
                return _decode_3(data, offset)
            if version == 2:
                return _decode_2(data, offset)
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("BrokerRegistrationRequest", version, len(data), error) from None
        raise no_version("BrokerRegistrationRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if 3 <= version <= 4:
                return _encode_3(self, writer, version)
            if version == 2:
                return _encode_2(self, writer, version)
            if version == 1:
                return _encode_1(self, writer, version)
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("BrokerRegistrationRequest", version, error) from error
        raise no_encoding("BrokerRegistrationRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[BrokerRegistrationRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = BrokerRegistrationRequest()
    m.broker_id = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("BrokerRegistrationRequest.ClusterId", n, size - i)
    m.cluster_id = data[i:end].decode()
    i = end
    end = i + 16
    if end > size:
        raise bad_length("BrokerRegistrationRequest.IncarnationId", 16, size - i)
    m.incarnation_id = data[i:end]
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 7 > size - i:
        raise bad_count("BrokerRegistrationRequest.Listeners", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("BrokerRegistrationRequest.Listeners", 100000)
    count1 = n
    found1: list[Listener] = []
    m.listeners = found1
    for _ in range(count1):
        s1 = Listener()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("BrokerRegistrationRequest.Listeners.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("BrokerRegistrationRequest.Listeners.Host", n, size - i)
        s1.host = data[i:end].decode()
        i = end
        s1.port = read_i16_be(data, i) & 0xFFFF
        s1.security_protocol = read_i16_be(data, i + 2)
        if data[i + 4] == 0:
            i += 5
        else:
            i = skip_tagged_fields(data, i + 4)
        found1.append(s1)
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 6 > size - i:
        raise bad_count("BrokerRegistrationRequest.Features", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("BrokerRegistrationRequest.Features", 100000)
    count2 = n
    found2: list[Feature] = []
    m.features = found2
    for _ in range(count2):
        s2 = Feature()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("BrokerRegistrationRequest.Features.Name", n, size - i)
        s2.name = data[i:end].decode()
        i = end
        s2.min_supported_version = read_i16_be(data, i)
        s2.max_supported_version = read_i16_be(data, i + 2)
        if data[i + 4] == 0:
            i += 5
        else:
            i = skip_tagged_fields(data, i + 4)
        found2.append(s2)
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.rack = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("BrokerRegistrationRequest.Rack", n, size - i)
        m.rack = data[i:end].decode()
        i = end
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_0(m: BrokerRegistrationRequest, w: BytesWriter, version: int) -> None:
    if m.is_migrating_zk_broker:
        raise not_carried("BrokerRegistrationRequest.IsMigratingZkBroker", version)
    write_i32_be(w, m.broker_id)
    v1 = m.cluster_id
    write_compact_string(w, v1)
    write_uuid(w, m.incarnation_id)
    v2 = m.listeners
    write_uvarint(w, len(v2) + 1)
    for s1 in v2:
        v3 = s1.name
        write_compact_string(w, v3)
        v4 = s1.host
        write_compact_string(w, v4)
        write_u16(w, s1.port)
        write_i16_be(w, s1.security_protocol)
        w.append(0)
    v5 = m.features
    write_uvarint(w, len(v5) + 1)
    for s2 in v5:
        v6 = s2.name
        write_compact_string(w, v6)
        write_i16_be(w, s2.min_supported_version)
        write_i16_be(w, s2.max_supported_version)
        w.append(0)
    v7 = m.rack
    write_compact_nullable_string(w, v7)
    w.append(0)


def _decode_1(data: bytes, i: i64) -> tuple[BrokerRegistrationRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = BrokerRegistrationRequest()
    m.broker_id = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("BrokerRegistrationRequest.ClusterId", n, size - i)
    m.cluster_id = data[i:end].decode()
    i = end
    end = i + 16
    if end > size:
        raise bad_length("BrokerRegistrationRequest.IncarnationId", 16, size - i)
    m.incarnation_id = data[i:end]
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 7 > size - i:
        raise bad_count("BrokerRegistrationRequest.Listeners", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("BrokerRegistrationRequest.Listeners", 100000)
    count1 = n
    found1: list[Listener] = []
    m.listeners = found1
    for _ in range(count1):
        s1 = Listener()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("BrokerRegistrationRequest.Listeners.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("BrokerRegistrationRequest.Listeners.Host", n, size - i)
        s1.host = data[i:end].decode()
        i = end
        s1.port = read_i16_be(data, i) & 0xFFFF
        s1.security_protocol = read_i16_be(data, i + 2)
        if data[i + 4] == 0:
            i += 5
        else:
            i = skip_tagged_fields(data, i + 4)
        found1.append(s1)
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 6 > size - i:
        raise bad_count("BrokerRegistrationRequest.Features", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("BrokerRegistrationRequest.Features", 100000)
    count2 = n
    found2: list[Feature] = []
    m.features = found2
    for _ in range(count2):
        s2 = Feature()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("BrokerRegistrationRequest.Features.Name", n, size - i)
        s2.name = data[i:end].decode()
        i = end
        s2.min_supported_version = read_i16_be(data, i)
        s2.max_supported_version = read_i16_be(data, i + 2)
        if data[i + 4] == 0:
            i += 5
        else:
            i = skip_tagged_fields(data, i + 4)
        found2.append(s2)
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.rack = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("BrokerRegistrationRequest.Rack", n, size - i)
        m.rack = data[i:end].decode()
        i = end
    m.is_migrating_zk_broker = data[i] != 0
    if data[i + 1] == 0:
        i += 2
    else:
        i = skip_tagged_fields(data, i + 1)
    return m, i


def _encode_1(m: BrokerRegistrationRequest, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.broker_id)
    v1 = m.cluster_id
    write_compact_string(w, v1)
    write_uuid(w, m.incarnation_id)
    v2 = m.listeners
    write_uvarint(w, len(v2) + 1)
    for s1 in v2:
        v3 = s1.name
        write_compact_string(w, v3)
        v4 = s1.host
        write_compact_string(w, v4)
        write_u16(w, s1.port)
        write_i16_be(w, s1.security_protocol)
        w.append(0)
    v5 = m.features
    write_uvarint(w, len(v5) + 1)
    for s2 in v5:
        v6 = s2.name
        write_compact_string(w, v6)
        write_i16_be(w, s2.min_supported_version)
        write_i16_be(w, s2.max_supported_version)
        w.append(0)
    v7 = m.rack
    write_compact_nullable_string(w, v7)
    w.append(1 if m.is_migrating_zk_broker else 0)
    w.append(0)


def _decode_2(data: bytes, i: i64) -> tuple[BrokerRegistrationRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = BrokerRegistrationRequest()
    m.broker_id = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("BrokerRegistrationRequest.ClusterId", n, size - i)
    m.cluster_id = data[i:end].decode()
    i = end
    end = i + 16
    if end > size:
        raise bad_length("BrokerRegistrationRequest.IncarnationId", 16, size - i)
    m.incarnation_id = data[i:end]
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 7 > size - i:
        raise bad_count("BrokerRegistrationRequest.Listeners", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("BrokerRegistrationRequest.Listeners", 100000)
    count1 = n
    found1: list[Listener] = []
    m.listeners = found1
    for _ in range(count1):
        s1 = Listener()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("BrokerRegistrationRequest.Listeners.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("BrokerRegistrationRequest.Listeners.Host", n, size - i)
        s1.host = data[i:end].decode()
        i = end
        s1.port = read_i16_be(data, i) & 0xFFFF
        s1.security_protocol = read_i16_be(data, i + 2)
        if data[i + 4] == 0:
            i += 5
        else:
            i = skip_tagged_fields(data, i + 4)
        found1.append(s1)
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 6 > size - i:
        raise bad_count("BrokerRegistrationRequest.Features", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("BrokerRegistrationRequest.Features", 100000)
    count2 = n
    found2: list[Feature] = []
    m.features = found2
    for _ in range(count2):
        s2 = Feature()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("BrokerRegistrationRequest.Features.Name", n, size - i)
        s2.name = data[i:end].decode()
        i = end
        s2.min_supported_version = read_i16_be(data, i)
        s2.max_supported_version = read_i16_be(data, i + 2)
        if data[i + 4] == 0:
            i += 5
        else:
            i = skip_tagged_fields(data, i + 4)
        found2.append(s2)
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.rack = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("BrokerRegistrationRequest.Rack", n, size - i)
        m.rack = data[i:end].decode()
        i = end
    m.is_migrating_zk_broker = data[i] != 0
    n = data[i + 1]
    i += 2
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 16 > size - i:
        raise bad_count("BrokerRegistrationRequest.LogDirs", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("BrokerRegistrationRequest.LogDirs", 100000)
    count3 = n
    found3: list[bytes] = []
    m.log_dirs = found3
    for _ in range(count3):
        end = i + 16
        if end > size:
            raise bad_length("BrokerRegistrationRequest.LogDirs", 16, size - i)
        v1 = data[i:end]
        i = end
        found3.append(v1)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_2(m: BrokerRegistrationRequest, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.broker_id)
    v1 = m.cluster_id
    write_compact_string(w, v1)
    write_uuid(w, m.incarnation_id)
    v2 = m.listeners
    write_uvarint(w, len(v2) + 1)
    for s1 in v2:
        v3 = s1.name
        write_compact_string(w, v3)
        v4 = s1.host
        write_compact_string(w, v4)
        write_u16(w, s1.port)
        write_i16_be(w, s1.security_protocol)
        w.append(0)
    v5 = m.features
    write_uvarint(w, len(v5) + 1)
    for s2 in v5:
        v6 = s2.name
        write_compact_string(w, v6)
        write_i16_be(w, s2.min_supported_version)
        write_i16_be(w, s2.max_supported_version)
        w.append(0)
    v7 = m.rack
    write_compact_nullable_string(w, v7)
    w.append(1 if m.is_migrating_zk_broker else 0)
    v8 = m.log_dirs
    write_uvarint(w, len(v8) + 1)
    for s3 in v8:
        write_uuid(w, s3)
    w.append(0)


def _decode_3(data: bytes, i: i64) -> tuple[BrokerRegistrationRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = BrokerRegistrationRequest()
    m.broker_id = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("BrokerRegistrationRequest.ClusterId", n, size - i)
    m.cluster_id = data[i:end].decode()
    i = end
    end = i + 16
    if end > size:
        raise bad_length("BrokerRegistrationRequest.IncarnationId", 16, size - i)
    m.incarnation_id = data[i:end]
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 7 > size - i:
        raise bad_count("BrokerRegistrationRequest.Listeners", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("BrokerRegistrationRequest.Listeners", 100000)
    count1 = n
    found1: list[Listener] = []
    m.listeners = found1
    for _ in range(count1):
        s1 = Listener()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("BrokerRegistrationRequest.Listeners.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("BrokerRegistrationRequest.Listeners.Host", n, size - i)
        s1.host = data[i:end].decode()
        i = end
        s1.port = read_i16_be(data, i) & 0xFFFF
        s1.security_protocol = read_i16_be(data, i + 2)
        if data[i + 4] == 0:
            i += 5
        else:
            i = skip_tagged_fields(data, i + 4)
        found1.append(s1)
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 6 > size - i:
        raise bad_count("BrokerRegistrationRequest.Features", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("BrokerRegistrationRequest.Features", 100000)
    count2 = n
    found2: list[Feature] = []
    m.features = found2
    for _ in range(count2):
        s2 = Feature()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("BrokerRegistrationRequest.Features.Name", n, size - i)
        s2.name = data[i:end].decode()
        i = end
        s2.min_supported_version = read_i16_be(data, i)
        s2.max_supported_version = read_i16_be(data, i + 2)
        if data[i + 4] == 0:
            i += 5
        else:
            i = skip_tagged_fields(data, i + 4)
        found2.append(s2)
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.rack = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("BrokerRegistrationRequest.Rack", n, size - i)
        m.rack = data[i:end].decode()
        i = end
    m.is_migrating_zk_broker = data[i] != 0
    n = data[i + 1]
    i += 2
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 16 > size - i:
        raise bad_count("BrokerRegistrationRequest.LogDirs", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("BrokerRegistrationRequest.LogDirs", 100000)
    count3 = n
    found3: list[bytes] = []
    m.log_dirs = found3
    for _ in range(count3):
        end = i + 16
        if end > size:
            raise bad_length("BrokerRegistrationRequest.LogDirs", 16, size - i)
        v1 = data[i:end]
        i = end
        found3.append(v1)
    m.previous_broker_epoch = read_i64_be(data, i)
    if data[i + 8] == 0:
        i += 9
    else:
        i = skip_tagged_fields(data, i + 8)
    return m, i


def _encode_3(m: BrokerRegistrationRequest, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.broker_id)
    v1 = m.cluster_id
    write_compact_string(w, v1)
    write_uuid(w, m.incarnation_id)
    v2 = m.listeners
    write_uvarint(w, len(v2) + 1)
    for s1 in v2:
        v3 = s1.name
        write_compact_string(w, v3)
        v4 = s1.host
        write_compact_string(w, v4)
        write_u16(w, s1.port)
        write_i16_be(w, s1.security_protocol)
        w.append(0)
    v5 = m.features
    write_uvarint(w, len(v5) + 1)
    for s2 in v5:
        v6 = s2.name
        write_compact_string(w, v6)
        write_i16_be(w, s2.min_supported_version)
        write_i16_be(w, s2.max_supported_version)
        w.append(0)
    v7 = m.rack
    write_compact_nullable_string(w, v7)
    w.append(1 if m.is_migrating_zk_broker else 0)
    v8 = m.log_dirs
    write_uvarint(w, len(v8) + 1)
    for s3 in v8:
        write_uuid(w, s3)
    write_i64_be(w, m.previous_broker_epoch)
    w.append(0)
