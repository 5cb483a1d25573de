"""QuorumStateData, generated from QuorumStateData.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i32_be, read_i64_be, write_i32_be, write_i64_be)

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
    write_compact_string,
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"type":"data","name":"QuorumStateData","validVersions":"0-1","flexibleVersions":"0+","fie'
    'lds":[{"name":"ClusterId","type":"string","versions":"0"},{"name":"LeaderId","type":"int32'
    '","versions":"0+","default":"-1"},{"name":"LeaderEpoch","type":"int32","versions":"0+","de'
    'fault":"-1"},{"name":"VotedId","type":"int32","versions":"0+","default":"-1"},{"name":"Vot'
    'edDirectoryId","type":"uuid","versions":"1+"},{"name":"AppliedOffset","type":"int64","vers'
    'ions":"0"},{"name":"CurrentVoters","type":"[]Voter","versions":"0","nullableVersions":"0",'
    '"fields":[{"name":"VoterId","type":"int32","versions":"0"}]}]}'
)


class Voter(Struct):
    """Who votes, or null."""

    __slots__ = ("voter_id",)
    FIELDS: ClassVar[tuple[str, ...]] = ("voter_id",)
    voter_id: int  # Node id of the voter.

    def __init__(
        self,
        *,
        voter_id: int = 0,
    ) -> None:
        self.voter_id = voter_id


class QuorumStateData(Message):
    """What a node of the quorum must not forget: the epoch, the leader, its vote."""

    __slots__ = (
        "cluster_id",
        "leader_id",
        "leader_epoch",
        "voted_id",
        "voted_directory_id",
        "applied_offset",
        "current_voters",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "cluster_id",
        "leader_id",
        "leader_epoch",
        "voted_id",
        "voted_directory_id",
        "applied_offset",
        "current_voters",
    )
    NAME: ClassVar[str] = "QuorumStateData"
    KIND: ClassVar[str] = "data"
    API_KEY: ClassVar[int | None] = None
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    cluster_id: str  # Id of the cluster.
    leader_id: int  # Leader of the epoch, or -1 when it is not known.
    leader_epoch: int  # The epoch.
    voted_id: int  # Whom this node voted for in the epoch, or -1.
    voted_directory_id: bytes  # Directory id of the one it voted for; zero when it has none.
    applied_offset: int  # Kept for old files; not used.
    current_voters: list[Voter] | None  # Who votes, or null.

    def __init__(
        self,
        *,
        cluster_id: str = "",
        leader_id: int = -1,
        leader_epoch: int = -1,
        voted_id: int = -1,
        voted_directory_id: bytes = ZERO_UUID,
        applied_offset: int = 0,
        current_voters: list[Voter] | None = UNSET_LIST,
    ) -> None:
        self.cluster_id = cluster_id
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.voted_id = voted_id
        self.voted_directory_id = voted_directory_id
        self.applied_offset = applied_offset
        self.current_voters = [] if current_voters is UNSET_LIST else current_voters

    @staticmethod
    def decode(data: bytes, version: int) -> QuorumStateData:
        message, end = QuorumStateData.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("QuorumStateData", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[QuorumStateData, int]:
        try:
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("QuorumStateData", version, len(data), error) from None
        raise no_version("QuorumStateData", version)

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
            raise no_encoding("QuorumStateData", version, error) from error
        raise no_encoding("QuorumStateData", version)


def _decode_0(data: bytes, i: i64) -> tuple[QuorumStateData, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = QuorumStateData()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("QuorumStateData.ClusterId", n, size - i)
    m.cluster_id = data[i:end].decode()
    i = end
    m.leader_id = read_i32_be(data, i)
    m.leader_epoch = read_i32_be(data, i + 4)
    m.voted_id = read_i32_be(data, i + 8)
    m.applied_offset = read_i64_be(data, i + 12)
    n = data[i + 20]
    i += 21
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.current_voters = None
    else:
        if n < 0 or n * 5 > size - i:
            raise bad_count("QuorumStateData.CurrentVoters", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("QuorumStateData.CurrentVoters", 10000000)
        count1 = n
        found1: list[Voter] = []
        m.current_voters = found1
        for _ in range(count1):
            s1 = Voter()
            s1.voter_id = read_i32_be(data, i)
            if data[i + 4] == 0:
                i += 5
            else:
                i = skip_tagged_fields(data, i + 4)
            found1.append(s1)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_0(m: QuorumStateData, w: BytesWriter, version: int) -> None:
    if m.voted_directory_id != ZERO_UUID:
        raise not_carried("QuorumStateData.VotedDirectoryId", version)
    v1 = m.cluster_id
    write_compact_string(w, v1)
    write_i32_be(w, m.leader_id)
    write_i32_be(w, m.leader_epoch)
    write_i32_be(w, m.voted_id)
    write_i64_be(w, m.applied_offset)
    v2 = m.current_voters
    if v2 is None:
        w.append(0)
    else:
        write_uvarint(w, len(v2) + 1)
        for s1 in v2:
            write_i32_be(w, s1.voter_id)
            w.append(0)
    w.append(0)


def _decode_1(data: bytes, i: i64) -> tuple[QuorumStateData, i64]:
    size: i64 = len(data)
    end: i64
    m = QuorumStateData()
    m.leader_id = read_i32_be(data, i)
    m.leader_epoch = read_i32_be(data, i + 4)
    m.voted_id = read_i32_be(data, i + 8)
    i += 12
    end = i + 16
    if end > size:
        raise bad_length("QuorumStateData.VotedDirectoryId", 16, size - i)
    m.voted_directory_id = data[i:end]
    i = end
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_1(m: QuorumStateData, w: BytesWriter, version: int) -> None:
    if m.cluster_id != "":
        raise not_carried("QuorumStateData.ClusterId", version)
    if m.applied_offset != 0:
        raise not_carried("QuorumStateData.AppliedOffset", version)
    if (m.current_voters is None or len(m.current_voters) > 0):
        raise not_carried("QuorumStateData.CurrentVoters", version)
    write_i32_be(w, m.leader_id)
    write_i32_be(w, m.leader_epoch)
    write_i32_be(w, m.voted_id)
    write_uuid(w, m.voted_directory_id)
    w.append(0)
