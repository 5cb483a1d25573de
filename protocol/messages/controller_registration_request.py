"""ControllerRegistrationRequest, generated from ControllerRegistrationRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i16_be, write_i32_be)

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
    over_budget,
    skip_tagged_fields,
    trailing,
    write_compact_string,
    write_u16,
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":70,"type":"request","listeners":["controller"],"name":"ControllerRegistrationReq'
    'uest","validVersions":"0","flexibleVersions":"0+","fields":[{"name":"ControllerId","type":'
    '"int32","versions":"0+"},{"name":"IncarnationId","type":"uuid","versions":"0+"},{"name":"Z'
    'kMigrationReady","type":"bool","versions":"0+"},{"name":"Listeners","type":"[]Listener","v'
    'ersions":"0+","fields":[{"name":"Name","type":"string","versions":"0+","mapKey":true},{"na'
    'me":"Host","type":"string","versions":"0+"},{"name":"Port","type":"uint16","versions":"0+"'
    '},{"name":"SecurityProtocol","type":"int16","versions":"0+"}]},{"name":"Features","type":"'
    '[]Feature","versions":"0+","fields":[{"name":"Name","type":"string","versions":"0+","mapKe'
    'y":true},{"name":"MinSupportedVersion","type":"int16","versions":"0+"},{"name":"MaxSupport'
    'edVersion","type":"int16","versions":"0+"}]}]}'
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
    """Features that the controller could run with."""

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


class ControllerRegistrationRequest(Message):
    """A controller tells the active one where it is and what it can run with."""

    __slots__ = ("controller_id", "incarnation_id", "zk_migration_ready", "listeners", "features")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "controller_id",
        "incarnation_id",
        "zk_migration_ready",
        "listeners",
        "features",
    )
    NAME: ClassVar[str] = "ControllerRegistrationRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 70
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    controller_id: int  # Node id of the controller.
    incarnation_id: bytes  # An id that is new with every start of the controller's process.
    zk_migration_ready: bool  # Whether it is set up to take a cluster over from ZooKeeper; false here.
    listeners: list[Listener]  # Where it is reached.
    features: list[Feature]  # Features that the controller could run with.

    def __init__(
        self,
        *,
        controller_id: int = 0,
        incarnation_id: bytes = ZERO_UUID,
        zk_migration_ready: bool = False,
        listeners: list[Listener] = UNSET_LIST,
        features: list[Feature] = UNSET_LIST,
    ) -> None:
        self.controller_id = controller_id
        self.incarnation_id = incarnation_id
        self.zk_migration_ready = zk_migration_ready
        self.listeners = [] if listeners is UNSET_LIST else listeners
        self.features = [] if features is UNSET_LIST else features

    @staticmethod
    def decode(data: bytes, version: int) -> ControllerRegistrationRequest:
        message, end = ControllerRegistrationRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ControllerRegistrationRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ControllerRegistrationRequest, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ControllerRegistrationRequest", version, len(data), error) from None
        raise no_version("ControllerRegistrationRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("ControllerRegistrationRequest", version, error) from error
        raise no_encoding("ControllerRegistrationRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[ControllerRegistrationRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = ControllerRegistrationRequest()
    m.controller_id = read_i32_be(data, i)
    i += 4
    end = i + 16
    if end > size:
        raise bad_length("ControllerRegistrationRequest.IncarnationId", 16, size - i)
    m.incarnation_id = data[i:end]
    i = end
    m.zk_migration_ready = data[i] != 0
    n = data[i + 1]
    i += 2
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 7 > size - i:
        raise bad_count("ControllerRegistrationRequest.Listeners", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ControllerRegistrationRequest.Listeners", 100000)
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
            raise bad_length("ControllerRegistrationRequest.Listeners.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ControllerRegistrationRequest.Listeners.Host", n, size - i)
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
        raise bad_count("ControllerRegistrationRequest.Features", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ControllerRegistrationRequest.Features", 100000)
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
            raise bad_length("ControllerRegistrationRequest.Features.Name", n, size - i)
        s2.name = data[i:end].decode()
        i = end
        s2.min_supported_version = read_i16_be(data, i)
        s2.max_supported_version = read_i16_be(data, i + 2)
        if data[i + 4] == 0:
            i += 5
        else:
            i = skip_tagged_fields(data, i + 4)
        found2.append(s2)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_0(m: ControllerRegistrationRequest, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.controller_id)
    write_uuid(w, m.incarnation_id)
    w.append(1 if m.zk_migration_ready else 0)
    v1 = m.listeners
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
    w.append(0)
