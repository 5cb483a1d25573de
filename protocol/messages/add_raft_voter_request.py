"""AddRaftVoterRequest, generated from AddRaftVoterRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i32_be)

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
    '{"apiKey":80,"type":"request","listeners":["controller","broker"],"name":"AddRaftVoterRequ'
    'est","validVersions":"0-1","flexibleVersions":"0+","fields":[{"name":"ClusterId","type":"s'
    'tring","versions":"0+","nullableVersions":"0+"},{"name":"TimeoutMs","type":"int32","versio'
    'ns":"0+"},{"name":"VoterId","type":"int32","versions":"0+"},{"name":"VoterDirectoryId","ty'
    'pe":"uuid","versions":"0+"},{"name":"Listeners","type":"[]Listener","versions":"0+","field'
    's":[{"name":"Name","type":"string","versions":"0+","mapKey":true},{"name":"Host","type":"s'
    'tring","versions":"0+"},{"name":"Port","type":"uint16","versions":"0+"}]},{"name":"AckWhen'
    'Committed","type":"bool","versions":"1+","default":"true"}]}'
)


class Listener(Struct):
    """Where it is reached."""

    __slots__ = ("name", "host", "port")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "host", "port")
    name: str  # Name of the listener.
    host: str  # Host name or address.
    port: int  # Port.

    def __init__(
        self,
        *,
        name: str = "",
        host: str = "",
        port: int = 0,
    ) -> None:
        self.name = name
        self.host = host
        self.port = port


class AddRaftVoterRequest(Message):
    """Makes an observer of the quorum a voter."""

    __slots__ = (
        "cluster_id",
        "timeout_ms",
        "voter_id",
        "voter_directory_id",
        "listeners",
        "ack_when_committed",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "cluster_id",
        "timeout_ms",
        "voter_id",
        "voter_directory_id",
        "listeners",
        "ack_when_committed",
    )
    NAME: ClassVar[str] = "AddRaftVoterRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 80
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    cluster_id: str | None  # Id of the cluster that is meant, or null for whichever it reaches.
    timeout_ms: int  # How long to wait until it votes, in ms.
    voter_id: int  # Node id of the new voter.
    voter_directory_id: bytes  # Id of the directory that it keeps its log in.
    listeners: list[Listener]  # Where it is reached.
    ack_when_committed: bool  # Whether to answer once committed, and not as soon as the leader's log has it.

    def __init__(
        self,
        *,
        cluster_id: str | None = "",
        timeout_ms: int = 0,
        voter_id: int = 0,
        voter_directory_id: bytes = ZERO_UUID,
        listeners: list[Listener] = UNSET_LIST,
        ack_when_committed: bool = True,
    ) -> None:
        self.cluster_id = cluster_id
        self.timeout_ms = timeout_ms
        self.voter_id = voter_id
        self.voter_directory_id = voter_directory_id
        self.listeners = [] if listeners is UNSET_LIST else listeners
        self.ack_when_committed = ack_when_committed

    @staticmethod
    def decode(data: bytes, version: int) -> AddRaftVoterRequest:
        message, end = AddRaftVoterRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("AddRaftVoterRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[AddRaftVoterRequest, int]:
        try:
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("AddRaftVoterRequest", version, len(data), error) from None
        raise no_version("AddRaftVoterRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 1:
                return _encode_1(self, writer, version)
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("AddRaftVoterRequest", version, error) from error
        raise no_encoding("AddRaftVoterRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[AddRaftVoterRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = AddRaftVoterRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.cluster_id = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("AddRaftVoterRequest.ClusterId", n, size - i)
        m.cluster_id = data[i:end].decode()
        i = end
    m.timeout_ms = read_i32_be(data, i)
    m.voter_id = read_i32_be(data, i + 4)
    i += 8
    end = i + 16
    if end > size:
        raise bad_length("AddRaftVoterRequest.VoterDirectoryId", 16, size - i)
    m.voter_directory_id = data[i:end]
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 5 > size - i:
        raise bad_count("AddRaftVoterRequest.Listeners", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("AddRaftVoterRequest.Listeners", 100000)
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
            raise bad_length("AddRaftVoterRequest.Listeners.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("AddRaftVoterRequest.Listeners.Host", n, size - i)
        s1.host = data[i:end].decode()
        i = end
        s1.port = read_i16_be(data, i) & 0xFFFF
        if data[i + 2] == 0:
            i += 3
        else:
            i = skip_tagged_fields(data, i + 2)
        found1.append(s1)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_0(m: AddRaftVoterRequest, w: BytesWriter, version: int) -> None:
    if not m.ack_when_committed:
        raise not_carried("AddRaftVoterRequest.AckWhenCommitted", version)
    v1 = m.cluster_id
    write_compact_nullable_string(w, v1)
    write_i32_be(w, m.timeout_ms)
    write_i32_be(w, m.voter_id)
    write_uuid(w, m.voter_directory_id)
    v2 = m.listeners
    write_uvarint(w, len(v2) + 1)
    for s1 in v2:
        v3 = s1.name
        write_compact_string(w, v3)
        v4 = s1.host
        write_compact_string(w, v4)
        write_u16(w, s1.port)
        w.append(0)
    w.append(0)


def _decode_1(data: bytes, i: i64) -> tuple[AddRaftVoterRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = AddRaftVoterRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.cluster_id = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("AddRaftVoterRequest.ClusterId", n, size - i)
        m.cluster_id = data[i:end].decode()
        i = end
    m.timeout_ms = read_i32_be(data, i)
    m.voter_id = read_i32_be(data, i + 4)
    i += 8
    end = i + 16
    if end > size:
        raise bad_length("AddRaftVoterRequest.VoterDirectoryId", 16, size - i)
    m.voter_directory_id = data[i:end]
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 5 > size - i:
        raise bad_count("AddRaftVoterRequest.Listeners", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("AddRaftVoterRequest.Listeners", 100000)
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
            raise bad_length("AddRaftVoterRequest.Listeners.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("AddRaftVoterRequest.Listeners.Host", n, size - i)
        s1.host = data[i:end].decode()
        i = end
        s1.port = read_i16_be(data, i) & 0xFFFF
        if data[i + 2] == 0:
            i += 3
        else:
            i = skip_tagged_fields(data, i + 2)
        found1.append(s1)
    m.ack_when_committed = data[i] != 0
    if data[i + 1] == 0:
        i += 2
    else:
        i = skip_tagged_fields(data, i + 1)
    return m, i


def _encode_1(m: AddRaftVoterRequest, w: BytesWriter, version: int) -> None:
    v1 = m.cluster_id
    write_compact_nullable_string(w, v1)
    write_i32_be(w, m.timeout_ms)
    write_i32_be(w, m.voter_id)
    write_uuid(w, m.voter_directory_id)
    v2 = m.listeners
    write_uvarint(w, len(v2) + 1)
    for s1 in v2:
        v3 = s1.name
        write_compact_string(w, v3)
        v4 = s1.host
        write_compact_string(w, v4)
        write_u16(w, s1.port)
        w.append(0)
    w.append(1 if m.ack_when_committed else 0)
    w.append(0)
