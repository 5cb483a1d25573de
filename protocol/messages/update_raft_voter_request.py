"""UpdateRaftVoterRequest, generated from UpdateRaftVoterRequest.json: do not edit, run `make generate`."""

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
    write_compact_nullable_string,
    write_compact_string,
    write_u16,
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":82,"type":"request","listeners":["controller"],"name":"UpdateRaftVoterRequest","'
    'validVersions":"0","flexibleVersions":"0+","fields":[{"name":"ClusterId","type":"string","'
    'versions":"0+","nullableVersions":"0+"},{"name":"CurrentLeaderEpoch","type":"int32","versi'
    'ons":"0+"},{"name":"VoterId","type":"int32","versions":"0+"},{"name":"VoterDirectoryId","t'
    'ype":"uuid","versions":"0+"},{"name":"Listeners","type":"[]Listener","versions":"0+","fiel'
    'ds":[{"name":"Name","type":"string","versions":"0+","mapKey":true},{"name":"Host","type":"'
    'string","versions":"0+"},{"name":"Port","type":"uint16","versions":"0+"}]},{"name":"KRaftV'
    'ersionFeature","type":"KRaftVersionFeature","versions":"0+","fields":[{"name":"MinSupporte'
    'dVersion","type":"int16","versions":"0+"},{"name":"MaxSupportedVersion","type":"int16","ve'
    'rsions":"0+"}]}]}'
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


class KRaftVersionFeature(Struct):
    """Versions of the quorum's rules that the voter knows."""

    __slots__ = ("min_supported_version", "max_supported_version")
    FIELDS: ClassVar[tuple[str, ...]] = ("min_supported_version", "max_supported_version")
    min_supported_version: int  # The lowest of them.
    max_supported_version: int  # The highest of them.

    def __init__(
        self,
        *,
        min_supported_version: int = 0,
        max_supported_version: int = 0,
    ) -> None:
        self.min_supported_version = min_supported_version
        self.max_supported_version = max_supported_version


class UpdateRaftVoterRequest(Message):
    """A voter tells the leader where it is reached now and what rules it knows."""

    __slots__ = (
        "cluster_id",
        "current_leader_epoch",
        "voter_id",
        "voter_directory_id",
        "listeners",
        "k_raft_version_feature",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "cluster_id",
        "current_leader_epoch",
        "voter_id",
        "voter_directory_id",
        "listeners",
        "k_raft_version_feature",
    )
    NAME: ClassVar[str] = "UpdateRaftVoterRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 82
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    cluster_id: str | None  # Id of the voter's cluster, or null when it does not say.
    current_leader_epoch: int  # Leader epoch that the voter knows.
    voter_id: int  # Node id of the voter.
    voter_directory_id: bytes  # Id of the directory that it keeps its log in.
    listeners: list[Listener]  # Where it is reached.
    k_raft_version_feature: KRaftVersionFeature  # Versions of the quorum's rules that the voter knows.

    def __init__(
        self,
        *,
        cluster_id: str | None = "",
        current_leader_epoch: int = 0,
        voter_id: int = 0,
        voter_directory_id: bytes = ZERO_UUID,
        listeners: list[Listener] = UNSET_LIST,
        k_raft_version_feature: KRaftVersionFeature | None = None,
    ) -> None:
        self.cluster_id = cluster_id
        self.current_leader_epoch = current_leader_epoch
        self.voter_id = voter_id
        self.voter_directory_id = voter_directory_id
        self.listeners = [] if listeners is UNSET_LIST else listeners
        self.k_raft_version_feature = KRaftVersionFeature() if k_raft_version_feature is None else k_raft_version_feature

    @staticmethod
    def decode(data: bytes, version: int) -> UpdateRaftVoterRequest:
        message, end = UpdateRaftVoterRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("UpdateRaftVoterRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[UpdateRaftVoterRequest, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("UpdateRaftVoterRequest", version, len(data), error) from None
        raise no_version("UpdateRaftVoterRequest", version)

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
            raise no_encoding("UpdateRaftVoterRequest", version, error) from error
        raise no_encoding("UpdateRaftVoterRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[UpdateRaftVoterRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = UpdateRaftVoterRequest()
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
            raise bad_length("UpdateRaftVoterRequest.ClusterId", n, size - i)
        m.cluster_id = data[i:end].decode()
        i = end
    m.current_leader_epoch = read_i32_be(data, i)
    m.voter_id = read_i32_be(data, i + 4)
    i += 8
    end = i + 16
    if end > size:
        raise bad_length("UpdateRaftVoterRequest.VoterDirectoryId", 16, size - i)
    m.voter_directory_id = data[i:end]
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 5 > size - i:
        raise bad_count("UpdateRaftVoterRequest.Listeners", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("UpdateRaftVoterRequest.Listeners", 100000)
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
            raise bad_length("UpdateRaftVoterRequest.Listeners.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("UpdateRaftVoterRequest.Listeners.Host", n, size - i)
        s1.host = data[i:end].decode()
        i = end
        s1.port = read_i16_be(data, i) & 0xFFFF
        if data[i + 2] == 0:
            i += 3
        else:
            i = skip_tagged_fields(data, i + 2)
        found1.append(s1)
    s2 = KRaftVersionFeature()
    s2.min_supported_version = read_i16_be(data, i)
    s2.max_supported_version = read_i16_be(data, i + 2)
    if data[i + 4] == 0:
        i += 5
    else:
        i = skip_tagged_fields(data, i + 4)
    m.k_raft_version_feature = s2
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_0(m: UpdateRaftVoterRequest, w: BytesWriter, version: int) -> None:
    v1 = m.cluster_id
    write_compact_nullable_string(w, v1)
    write_i32_be(w, m.current_leader_epoch)
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
    v5 = m.k_raft_version_feature
    write_i16_be(w, v5.min_supported_version)
    write_i16_be(w, v5.max_supported_version)
    w.append(0)
    w.append(0)
