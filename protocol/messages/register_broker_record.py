"""RegisterBrokerRecord, generated from RegisterBrokerRecord.json: do not edit, run `make generate`."""

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
    bad_tag_size,
    check_tag_count,
    check_unknown_tag,
    decode_failure,
    no_encoding,
    no_version,
    not_carried,
    over_budget,
    read_tag,
    skip_tagged_fields,
    trailing,
    write_compact_nullable_string,
    write_compact_string,
    write_tag,
    write_u16,
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":0,"type":"metadata","name":"RegisterBrokerRecord","validVersions":"0-4","flexibl'
    'eVersions":"0+","fields":[{"name":"BrokerId","type":"int32","versions":"0+","entityType":"'
    'brokerId"},{"name":"IsMigratingZkBroker","type":"bool","versions":"2+","default":"false"},'
    '{"name":"IncarnationId","type":"uuid","versions":"0+"},{"name":"BrokerEpoch","type":"int64'
    '","versions":"0+"},{"name":"EndPoints","type":"[]BrokerEndpoint","versions":"0+","fields":'
    '[{"name":"Name","type":"string","versions":"0+","mapKey":true},{"name":"Host","type":"stri'
    'ng","versions":"0+"},{"name":"Port","type":"uint16","versions":"0+"},{"name":"SecurityProt'
    'ocol","type":"int16","versions":"0+"}]},{"name":"Features","type":"[]BrokerFeature","versi'
    'ons":"0+","fields":[{"name":"Name","type":"string","versions":"0+","mapKey":true},{"name":'
    '"MinSupportedVersion","type":"int16","versions":"0+"},{"name":"MaxSupportedVersion","type"'
    ':"int16","versions":"0+"}]},{"name":"Rack","type":"string","versions":"0+","nullableVersio'
    'ns":"0+"},{"name":"Fenced","type":"bool","versions":"0+","default":"true"},{"name":"InCont'
    'rolledShutdown","type":"bool","versions":"1+","default":"false"},{"name":"LogDirs","type":'
    '"[]uuid","versions":"3+","taggedVersions":"3+","tag":0},{"name":"CordonedLogDirs","type":"'
    '[]uuid","versions":"4+","taggedVersions":"4+","tag":1,"nullableVersions":"4+","default":"n'
    'ull"}]}'
)


class BrokerEndpoint(Struct):
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


class BrokerFeature(Struct):
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


class RegisterBrokerRecord(Message):
    """Metadata: a broker has registered."""

    __slots__ = (
        "broker_id",
        "is_migrating_zk_broker",
        "incarnation_id",
        "broker_epoch",
        "end_points",
        "features",
        "rack",
        "fenced",
        "in_controlled_shutdown",
        "log_dirs",
        "cordoned_log_dirs",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "broker_id",
        "is_migrating_zk_broker",
        "incarnation_id",
        "broker_epoch",
        "end_points",
        "features",
        "rack",
        "fenced",
        "in_controlled_shutdown",
        "log_dirs",
        "cordoned_log_dirs",
    )
    NAME: ClassVar[str] = "RegisterBrokerRecord"
    KIND: ClassVar[str] = "metadata"
    API_KEY: ClassVar[int | None] = 0
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 4
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    broker_id: int  # Id of the broker.
    is_migrating_zk_broker: bool  # Whether it came over from ZooKeeper; false here.
    incarnation_id: bytes  # An id that is new with every start of the broker's process.
    broker_epoch: int  # Epoch of the registration: the offset of this record.
    end_points: list[BrokerEndpoint]  # Where it is reached.
    features: list[BrokerFeature]  # Features that the broker could run with.
    rack: str | None  # Where it stands, or null.
    fenced: bool  # Whether it is not live yet.
    in_controlled_shutdown: bool  # Whether it is shutting down in order.
    log_dirs: list[bytes]  # Ids of its log directories.
    cordoned_log_dirs: list[bytes] | None  # Ids of those that take no new partitions, or null.

    def __init__(
        self,
        *,
        broker_id: int = 0,
        is_migrating_zk_broker: bool = False,
        incarnation_id: bytes = ZERO_UUID,
        broker_epoch: int = 0,
        end_points: list[BrokerEndpoint] = UNSET_LIST,
        features: list[BrokerFeature] = UNSET_LIST,
        rack: str | None = "",
        fenced: bool = True,
        in_controlled_shutdown: bool = False,
        log_dirs: list[bytes] = UNSET_LIST,
        cordoned_log_dirs: list[bytes] | None = None,
    ) -> None:
        self.broker_id = broker_id
        self.is_migrating_zk_broker = is_migrating_zk_broker
        self.incarnation_id = incarnation_id
        self.broker_epoch = broker_epoch
        self.end_points = [] if end_points is UNSET_LIST else end_points
        self.features = [] if features is UNSET_LIST else features
        self.rack = rack
        self.fenced = fenced
        self.in_controlled_shutdown = in_controlled_shutdown
        self.log_dirs = [] if log_dirs is UNSET_LIST else log_dirs
        self.cordoned_log_dirs = cordoned_log_dirs

    @staticmethod
    def decode(data: bytes, version: int) -> RegisterBrokerRecord:
        message, end = RegisterBrokerRecord.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("RegisterBrokerRecord", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[RegisterBrokerRecord, int]:
        try:
            if version == 4:
                return _decode_4(data, offset)
            if version == 3:
                return _decode_3(data, offset)
            if version == 2:
                return _decode_2(data, offset)
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("RegisterBrokerRecord", version, len(data), error) from None
        raise no_version("RegisterBrokerRecord", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 4:
                return _encode_4(self, writer, version)
            if version == 3:
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
            raise no_encoding("RegisterBrokerRecord", version, error) from error
        raise no_encoding("RegisterBrokerRecord", version)


def _decode_0(data: bytes, i: i64) -> tuple[RegisterBrokerRecord, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = RegisterBrokerRecord()
    m.broker_id = read_i32_be(data, i)
    i += 4
    end = i + 16
    if end > size:
        raise bad_length("RegisterBrokerRecord.IncarnationId", 16, size - i)
    m.incarnation_id = data[i:end]
    i = end
    m.broker_epoch = read_i64_be(data, i)
    n = data[i + 8]
    i += 9
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 7 > size - i:
        raise bad_count("RegisterBrokerRecord.EndPoints", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("RegisterBrokerRecord.EndPoints", 10000000)
    count1 = n
    found1: list[BrokerEndpoint] = []
    m.end_points = found1
    for _ in range(count1):
        s1 = BrokerEndpoint()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("RegisterBrokerRecord.EndPoints.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("RegisterBrokerRecord.EndPoints.Host", n, size - i)
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
        raise bad_count("RegisterBrokerRecord.Features", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("RegisterBrokerRecord.Features", 10000000)
    count2 = n
    found2: list[BrokerFeature] = []
    m.features = found2
    for _ in range(count2):
        s2 = BrokerFeature()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("RegisterBrokerRecord.Features.Name", n, size - i)
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
            raise bad_length("RegisterBrokerRecord.Rack", n, size - i)
        m.rack = data[i:end].decode()
        i = end
    m.fenced = data[i] != 0
    if data[i + 1] == 0:
        i += 2
    else:
        i = skip_tagged_fields(data, i + 1)
    return m, i


def _encode_0(m: RegisterBrokerRecord, w: BytesWriter, version: int) -> None:
    if m.is_migrating_zk_broker:
        raise not_carried("RegisterBrokerRecord.IsMigratingZkBroker", version)
    if m.in_controlled_shutdown:
        raise not_carried("RegisterBrokerRecord.InControlledShutdown", version)
    if len(m.log_dirs) > 0:
        raise not_carried("RegisterBrokerRecord.LogDirs", version)
    if m.cordoned_log_dirs is not None:
        raise not_carried("RegisterBrokerRecord.CordonedLogDirs", version)
    write_i32_be(w, m.broker_id)
    write_uuid(w, m.incarnation_id)
    write_i64_be(w, m.broker_epoch)
    v1 = m.end_points
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.name
        write_compact_string(w, v2)
        v3 = s1.host
        write_compact_string(w, v3)
        write_u16(w, s1.port)
        write_i16_be(w, s1.security_protocol)
        w.append(0)
    v4 = m.features
    write_uvarint(w, len(v4) + 1)
    for s2 in v4:
        v5 = s2.name
        write_compact_string(w, v5)
        write_i16_be(w, s2.min_supported_version)
        write_i16_be(w, s2.max_supported_version)
        w.append(0)
    v6 = m.rack
    write_compact_nullable_string(w, v6)
    w.append(1 if m.fenced else 0)
    w.append(0)


def _decode_1(data: bytes, i: i64) -> tuple[RegisterBrokerRecord, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = RegisterBrokerRecord()
    m.broker_id = read_i32_be(data, i)
    i += 4
    end = i + 16
    if end > size:
        raise bad_length("RegisterBrokerRecord.IncarnationId", 16, size - i)
    m.incarnation_id = data[i:end]
    i = end
    m.broker_epoch = read_i64_be(data, i)
    n = data[i + 8]
    i += 9
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 7 > size - i:
        raise bad_count("RegisterBrokerRecord.EndPoints", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("RegisterBrokerRecord.EndPoints", 10000000)
    count1 = n
    found1: list[BrokerEndpoint] = []
    m.end_points = found1
    for _ in range(count1):
        s1 = BrokerEndpoint()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("RegisterBrokerRecord.EndPoints.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("RegisterBrokerRecord.EndPoints.Host", n, size - i)
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
        raise bad_count("RegisterBrokerRecord.Features", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("RegisterBrokerRecord.Features", 10000000)
    count2 = n
    found2: list[BrokerFeature] = []
    m.features = found2
    for _ in range(count2):
        s2 = BrokerFeature()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("RegisterBrokerRecord.Features.Name", n, size - i)
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
            raise bad_length("RegisterBrokerRecord.Rack", n, size - i)
        m.rack = data[i:end].decode()
        i = end
    m.fenced = data[i] != 0
    m.in_controlled_shutdown = data[i + 1] != 0
    if data[i + 2] == 0:
        i += 3
    else:
        i = skip_tagged_fields(data, i + 2)
    return m, i


def _encode_1(m: RegisterBrokerRecord, w: BytesWriter, version: int) -> None:
    if m.is_migrating_zk_broker:
        raise not_carried("RegisterBrokerRecord.IsMigratingZkBroker", version)
    if len(m.log_dirs) > 0:
        raise not_carried("RegisterBrokerRecord.LogDirs", version)
    if m.cordoned_log_dirs is not None:
        raise not_carried("RegisterBrokerRecord.CordonedLogDirs", version)
    write_i32_be(w, m.broker_id)
    write_uuid(w, m.incarnation_id)
    write_i64_be(w, m.broker_epoch)
    v1 = m.end_points
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.name
        write_compact_string(w, v2)
        v3 = s1.host
        write_compact_string(w, v3)
        write_u16(w, s1.port)
        write_i16_be(w, s1.security_protocol)
        w.append(0)
    v4 = m.features
    write_uvarint(w, len(v4) + 1)
    for s2 in v4:
        v5 = s2.name
        write_compact_string(w, v5)
        write_i16_be(w, s2.min_supported_version)
        write_i16_be(w, s2.max_supported_version)
        w.append(0)
    v6 = m.rack
    write_compact_nullable_string(w, v6)
    w.append(1 if m.fenced else 0)
    w.append(1 if m.in_controlled_shutdown else 0)
    w.append(0)


def _decode_2(data: bytes, i: i64) -> tuple[RegisterBrokerRecord, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = RegisterBrokerRecord()
    m.broker_id = read_i32_be(data, i)
    m.is_migrating_zk_broker = data[i + 4] != 0
    i += 5
    end = i + 16
    if end > size:
        raise bad_length("RegisterBrokerRecord.IncarnationId", 16, size - i)
    m.incarnation_id = data[i:end]
    i = end
    m.broker_epoch = read_i64_be(data, i)
    n = data[i + 8]
    i += 9
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 7 > size - i:
        raise bad_count("RegisterBrokerRecord.EndPoints", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("RegisterBrokerRecord.EndPoints", 10000000)
    count1 = n
    found1: list[BrokerEndpoint] = []
    m.end_points = found1
    for _ in range(count1):
        s1 = BrokerEndpoint()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("RegisterBrokerRecord.EndPoints.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("RegisterBrokerRecord.EndPoints.Host", n, size - i)
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
        raise bad_count("RegisterBrokerRecord.Features", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("RegisterBrokerRecord.Features", 10000000)
    count2 = n
    found2: list[BrokerFeature] = []
    m.features = found2
    for _ in range(count2):
        s2 = BrokerFeature()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("RegisterBrokerRecord.Features.Name", n, size - i)
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
            raise bad_length("RegisterBrokerRecord.Rack", n, size - i)
        m.rack = data[i:end].decode()
        i = end
    m.fenced = data[i] != 0
    m.in_controlled_shutdown = data[i + 1] != 0
    if data[i + 2] == 0:
        i += 3
    else:
        i = skip_tagged_fields(data, i + 2)
    return m, i


def _encode_2(m: RegisterBrokerRecord, w: BytesWriter, version: int) -> None:
    if len(m.log_dirs) > 0:
        raise not_carried("RegisterBrokerRecord.LogDirs", version)
    if m.cordoned_log_dirs is not None:
        raise not_carried("RegisterBrokerRecord.CordonedLogDirs", version)
    write_i32_be(w, m.broker_id)
    w.append(1 if m.is_migrating_zk_broker else 0)
    write_uuid(w, m.incarnation_id)
    write_i64_be(w, m.broker_epoch)
    v1 = m.end_points
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.name
        write_compact_string(w, v2)
        v3 = s1.host
        write_compact_string(w, v3)
        write_u16(w, s1.port)
        write_i16_be(w, s1.security_protocol)
        w.append(0)
    v4 = m.features
    write_uvarint(w, len(v4) + 1)
    for s2 in v4:
        v5 = s2.name
        write_compact_string(w, v5)
        write_i16_be(w, s2.min_supported_version)
        write_i16_be(w, s2.max_supported_version)
        w.append(0)
    v6 = m.rack
    write_compact_nullable_string(w, v6)
    w.append(1 if m.fenced else 0)
    w.append(1 if m.in_controlled_shutdown else 0)
    w.append(0)


def _decode_3(data: bytes, i: i64) -> tuple[RegisterBrokerRecord, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = RegisterBrokerRecord()
    m.broker_id = read_i32_be(data, i)
    m.is_migrating_zk_broker = data[i + 4] != 0
    i += 5
    end = i + 16
    if end > size:
        raise bad_length("RegisterBrokerRecord.IncarnationId", 16, size - i)
    m.incarnation_id = data[i:end]
    i = end
    m.broker_epoch = read_i64_be(data, i)
    n = data[i + 8]
    i += 9
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 7 > size - i:
        raise bad_count("RegisterBrokerRecord.EndPoints", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("RegisterBrokerRecord.EndPoints", 10000000)
    count1 = n
    found1: list[BrokerEndpoint] = []
    m.end_points = found1
    for _ in range(count1):
        s1 = BrokerEndpoint()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("RegisterBrokerRecord.EndPoints.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("RegisterBrokerRecord.EndPoints.Host", n, size - i)
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
        raise bad_count("RegisterBrokerRecord.Features", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("RegisterBrokerRecord.Features", 10000000)
    count2 = n
    found2: list[BrokerFeature] = []
    m.features = found2
    for _ in range(count2):
        s2 = BrokerFeature()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("RegisterBrokerRecord.Features.Name", n, size - i)
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
            raise bad_length("RegisterBrokerRecord.Rack", n, size - i)
        m.rack = data[i:end].decode()
        i = end
    m.fenced = data[i] != 0
    m.in_controlled_shutdown = data[i + 1] != 0
    n = data[i + 2]
    i += 3
    if n > 0:
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        check_tag_count(data, i, n)
        count3 = n
        tag1 = -1
        unknown1 = 0
        for _ in range(count3):
            tag1, start1, stop1 = read_tag(data, i, tag1)
            i = start1
            if tag1 == 0:
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n < 0 or n * 16 > size - i:
                    raise bad_count("RegisterBrokerRecord.LogDirs", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("RegisterBrokerRecord.LogDirs", 10000000)
                count4 = n
                found3: list[bytes] = []
                m.log_dirs = found3
                for _ in range(count4):
                    end = i + 16
                    if end > size:
                        raise bad_length("RegisterBrokerRecord.LogDirs", 16, size - i)
                    v1 = data[i:end]
                    i = end
                    found3.append(v1)
                if i != stop1:
                    raise bad_tag_size("RegisterBrokerRecord.LogDirs")
            else:
                check_unknown_tag(tag1, stop1 - i, unknown1)
                unknown1 += 1
                i = stop1
    return m, i


def _encode_3(m: RegisterBrokerRecord, w: BytesWriter, version: int) -> None:
    if m.cordoned_log_dirs is not None:
        raise not_carried("RegisterBrokerRecord.CordonedLogDirs", version)
    write_i32_be(w, m.broker_id)
    w.append(1 if m.is_migrating_zk_broker else 0)
    write_uuid(w, m.incarnation_id)
    write_i64_be(w, m.broker_epoch)
    v1 = m.end_points
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.name
        write_compact_string(w, v2)
        v3 = s1.host
        write_compact_string(w, v3)
        write_u16(w, s1.port)
        write_i16_be(w, s1.security_protocol)
        w.append(0)
    v4 = m.features
    write_uvarint(w, len(v4) + 1)
    for s2 in v4:
        v5 = s2.name
        write_compact_string(w, v5)
        write_i16_be(w, s2.min_supported_version)
        write_i16_be(w, s2.max_supported_version)
        w.append(0)
    v6 = m.rack
    write_compact_nullable_string(w, v6)
    w.append(1 if m.fenced else 0)
    w.append(1 if m.in_controlled_shutdown else 0)
    t1 = len(m.log_dirs) > 0
    if t1:
        write_uvarint(w, int(t1))
        if t1:
            w1 = BytesWriter()
            v7 = m.log_dirs
            write_uvarint(w1, len(v7) + 1)
            for s3 in v7:
                write_uuid(w1, s3)
            write_tag(w, 0, w1)
    else:
        w.append(0)


def _decode_4(data: bytes, i: i64) -> tuple[RegisterBrokerRecord, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = RegisterBrokerRecord()
    m.broker_id = read_i32_be(data, i)
    m.is_migrating_zk_broker = data[i + 4] != 0
    i += 5
    end = i + 16
    if end > size:
        raise bad_length("RegisterBrokerRecord.IncarnationId", 16, size - i)
    m.incarnation_id = data[i:end]
    i = end
    m.broker_epoch = read_i64_be(data, i)
    n = data[i + 8]
    i += 9
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 7 > size - i:
        raise bad_count("RegisterBrokerRecord.EndPoints", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("RegisterBrokerRecord.EndPoints", 10000000)
    count1 = n
    found1: list[BrokerEndpoint] = []
    m.end_points = found1
    for _ in range(count1):
        s1 = BrokerEndpoint()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("RegisterBrokerRecord.EndPoints.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("RegisterBrokerRecord.EndPoints.Host", n, size - i)
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
        raise bad_count("RegisterBrokerRecord.Features", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("RegisterBrokerRecord.Features", 10000000)
    count2 = n
    found2: list[BrokerFeature] = []
    m.features = found2
    for _ in range(count2):
        s2 = BrokerFeature()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("RegisterBrokerRecord.Features.Name", n, size - i)
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
            raise bad_length("RegisterBrokerRecord.Rack", n, size - i)
        m.rack = data[i:end].decode()
        i = end
    m.fenced = data[i] != 0
    m.in_controlled_shutdown = data[i + 1] != 0
    n = data[i + 2]
    i += 3
    if n > 0:
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        check_tag_count(data, i, n)
        count3 = n
        tag1 = -1
        unknown1 = 0
        for _ in range(count3):
            tag1, start1, stop1 = read_tag(data, i, tag1)
            i = start1
            if tag1 == 0:
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n < 0 or n * 16 > size - i:
                    raise bad_count("RegisterBrokerRecord.LogDirs", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("RegisterBrokerRecord.LogDirs", 10000000)
                count4 = n
                found3: list[bytes] = []
                m.log_dirs = found3
                for _ in range(count4):
                    end = i + 16
                    if end > size:
                        raise bad_length("RegisterBrokerRecord.LogDirs", 16, size - i)
                    v1 = data[i:end]
                    i = end
                    found3.append(v1)
                if i != stop1:
                    raise bad_tag_size("RegisterBrokerRecord.LogDirs")
            elif tag1 == 1:
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n == -1:
                    m.cordoned_log_dirs = None
                else:
                    if n < 0 or n * 16 > size - i:
                        raise bad_count("RegisterBrokerRecord.CordonedLogDirs", n, size - i)
                    budget -= n
                    if budget < 0:
                        raise over_budget("RegisterBrokerRecord.CordonedLogDirs", 10000000)
                    count5 = n
                    found4: list[bytes] = []
                    m.cordoned_log_dirs = found4
                    for _ in range(count5):
                        end = i + 16
                        if end > size:
                            raise bad_length("RegisterBrokerRecord.CordonedLogDirs", 16, size - i)
                        v2 = data[i:end]
                        i = end
                        found4.append(v2)
                if i != stop1:
                    raise bad_tag_size("RegisterBrokerRecord.CordonedLogDirs")
            else:
                check_unknown_tag(tag1, stop1 - i, unknown1)
                unknown1 += 1
                i = stop1
    return m, i


def _encode_4(m: RegisterBrokerRecord, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.broker_id)
    w.append(1 if m.is_migrating_zk_broker else 0)
    write_uuid(w, m.incarnation_id)
    write_i64_be(w, m.broker_epoch)
    v1 = m.end_points
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.name
        write_compact_string(w, v2)
        v3 = s1.host
        write_compact_string(w, v3)
        write_u16(w, s1.port)
        write_i16_be(w, s1.security_protocol)
        w.append(0)
    v4 = m.features
    write_uvarint(w, len(v4) + 1)
    for s2 in v4:
        v5 = s2.name
        write_compact_string(w, v5)
        write_i16_be(w, s2.min_supported_version)
        write_i16_be(w, s2.max_supported_version)
        w.append(0)
    v6 = m.rack
    write_compact_nullable_string(w, v6)
    w.append(1 if m.fenced else 0)
    w.append(1 if m.in_controlled_shutdown else 0)
    t1 = len(m.log_dirs) > 0
    t2 = m.cordoned_log_dirs is not None
    if t1 or t2:
        write_uvarint(w, int(t1) + int(t2))
        if t1:
            w1 = BytesWriter()
            v7 = m.log_dirs
            write_uvarint(w1, len(v7) + 1)
            for s3 in v7:
                write_uuid(w1, s3)
            write_tag(w, 0, w1)
        if t2:
            w2 = BytesWriter()
            v8 = m.cordoned_log_dirs
            if v8 is None:
                w2.append(0)
            else:
                write_uvarint(w2, len(v8) + 1)
                for s4 in v8:
                    write_uuid(w2, s4)
            write_tag(w, 1, w2)
    else:
        w.append(0)
