"""VotersRecord, generated from VotersRecord.json: do not edit, run `make generate`."""

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
    '{"type":"data","name":"VotersRecord","validVersions":"0","flexibleVersions":"0+","fields":'
    '[{"name":"Version","type":"int16","versions":"0+"},{"name":"Voters","type":"[]Voter","vers'
    'ions":"0+","fields":[{"name":"VoterId","type":"int32","versions":"0+","entityType":"broker'
    'Id"},{"name":"VoterDirectoryId","type":"uuid","versions":"0+"},{"name":"Endpoints","type":'
    '"[]Endpoint","versions":"0+","fields":[{"name":"Name","type":"string","versions":"0+","map'
    'Key":true},{"name":"Host","type":"string","versions":"0+"},{"name":"Port","type":"uint16",'
    '"versions":"0+"}]},{"name":"KRaftVersionFeature","type":"KRaftVersionFeature","versions":"'
    '0+","fields":[{"name":"MinSupportedVersion","type":"int16","versions":"0+"},{"name":"MaxSu'
    'pportedVersion","type":"int16","versions":"0+"}]}]}]}'
)


class Endpoint(Struct):
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


class Voter(Struct):
    """One entry for each voter."""

    __slots__ = ("voter_id", "voter_directory_id", "endpoints", "k_raft_version_feature")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "voter_id",
        "voter_directory_id",
        "endpoints",
        "k_raft_version_feature",
    )
    voter_id: int  # Node id of the voter.
    voter_directory_id: bytes  # Id of the directory that it keeps its log in.
    endpoints: list[Endpoint]  # Where it is reached.
    k_raft_version_feature: KRaftVersionFeature  # Versions of the quorum's rules that the voter knows.

    def __init__(
        self,
        *,
        voter_id: int = 0,
        voter_directory_id: bytes = ZERO_UUID,
        endpoints: list[Endpoint] = UNSET_LIST,
        k_raft_version_feature: KRaftVersionFeature | None = None,
    ) -> None:
        self.voter_id = voter_id
        self.voter_directory_id = voter_directory_id
        self.endpoints = [] if endpoints is UNSET_LIST else endpoints
        self.k_raft_version_feature = KRaftVersionFeature() if k_raft_version_feature is None else k_raft_version_feature


class VotersRecord(Message):
    """Control record: who votes in the quorum from here on."""

    __slots__ = ("version", "voters")
    FIELDS: ClassVar[tuple[str, ...]] = ("version", "voters")
    NAME: ClassVar[str] = "VotersRecord"
    KIND: ClassVar[str] = "data"
    API_KEY: ClassVar[int | None] = None
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    version: int  # Version of this record.
    voters: list[Voter]  # One entry for each voter.

    def __init__(
        self,
        *,
        version: int = 0,
        voters: list[Voter] = UNSET_LIST,
    ) -> None:
        self.version = version
        self.voters = [] if voters is UNSET_LIST else voters

    @staticmethod
    def decode(data: bytes, version: int) -> VotersRecord:
        message, end = VotersRecord.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("VotersRecord", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[VotersRecord, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("VotersRecord", version, len(data), error) from None
        raise no_version("VotersRecord", version)

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
            raise no_encoding("VotersRecord", version, error) from error
        raise no_encoding("VotersRecord", version)


def _decode_0(data: bytes, i: i64) -> tuple[VotersRecord, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = VotersRecord()
    m.version = read_i16_be(data, i)
    n = data[i + 2]
    i += 3
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 27 > size - i:
        raise bad_count("VotersRecord.Voters", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("VotersRecord.Voters", 10000000)
    count1 = n
    found1: list[Voter] = []
    m.voters = found1
    for _ in range(count1):
        s1 = Voter()
        s1.voter_id = read_i32_be(data, i)
        i += 4
        end = i + 16
        if end > size:
            raise bad_length("VotersRecord.Voters.VoterDirectoryId", 16, size - i)
        s1.voter_directory_id = data[i:end]
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 5 > size - i:
            raise bad_count("VotersRecord.Voters.Endpoints", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("VotersRecord.Voters.Endpoints", 10000000)
        count2 = n
        found2: list[Endpoint] = []
        s1.endpoints = found2
        for _ in range(count2):
            s2 = Endpoint()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("VotersRecord.Voters.Endpoints.Name", n, size - i)
            s2.name = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("VotersRecord.Voters.Endpoints.Host", n, size - i)
            s2.host = data[i:end].decode()
            i = end
            s2.port = read_i16_be(data, i) & 0xFFFF
            if data[i + 2] == 0:
                i += 3
            else:
                i = skip_tagged_fields(data, i + 2)
            found2.append(s2)
        s3 = KRaftVersionFeature()
        s3.min_supported_version = read_i16_be(data, i)
        s3.max_supported_version = read_i16_be(data, i + 2)
        if data[i + 4] == 0:
            i += 5
        else:
            i = skip_tagged_fields(data, i + 4)
        s1.k_raft_version_feature = s3
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        found1.append(s1)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_0(m: VotersRecord, w: BytesWriter, version: int) -> None:
    write_i16_be(w, m.version)
    v1 = m.voters
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_i32_be(w, s1.voter_id)
        write_uuid(w, s1.voter_directory_id)
        v2 = s1.endpoints
        write_uvarint(w, len(v2) + 1)
        for s2 in v2:
            v3 = s2.name
            write_compact_string(w, v3)
            v4 = s2.host
            write_compact_string(w, v4)
            write_u16(w, s2.port)
            w.append(0)
        v5 = s1.k_raft_version_feature
        write_i16_be(w, v5.min_supported_version)
        write_i16_be(w, v5.max_supported_version)
        w.append(0)
        w.append(0)
    w.append(0)
