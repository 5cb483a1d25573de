"""LeaderChangeMessage, generated from LeaderChangeMessage.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i16_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message, Struct, UNSET_LIST)
from ..primitives import (
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
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"type":"data","name":"LeaderChangeMessage","validVersions":"0-1","flexibleVersions":"0+",'
    '"commonStructs":[{"name":"Voter","versions":"0+","fields":[{"name":"VoterId","type":"int32'
    '","versions":"0+"},{"name":"VoterDirectoryId","type":"uuid","versions":"1+"}]}],"fields":['
    '{"name":"Version","type":"int16","versions":"0+"},{"name":"LeaderId","type":"int32","versi'
    'ons":"0+","entityType":"brokerId"},{"name":"Voters","type":"[]Voter","versions":"0+"},{"na'
    'me":"GrantingVoters","type":"[]Voter","versions":"0+"}]}'
)


class Voter(Struct):
    """One voter."""

    __slots__ = ("voter_id", "voter_directory_id")
    FIELDS: ClassVar[tuple[str, ...]] = ("voter_id", "voter_directory_id")
    voter_id: int  # Node id of the voter.
    voter_directory_id: bytes  # Id of the directory that it keeps its log in.

    def __init__(
        self,
        *,
        voter_id: int = 0,
        voter_directory_id: bytes = ZERO_UUID,
    ) -> None:
        self.voter_id = voter_id
        self.voter_directory_id = voter_directory_id


class LeaderChangeMessage(Message):
    """Control record: a new leader of the quorum begins its epoch."""

    __slots__ = ("version", "leader_id", "voters", "granting_voters")
    FIELDS: ClassVar[tuple[str, ...]] = ("version", "leader_id", "voters", "granting_voters")
    NAME: ClassVar[str] = "LeaderChangeMessage"
    KIND: ClassVar[str] = "data"
    API_KEY: ClassVar[int | None] = None
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    version: int  # Version of this record.
    leader_id: int  # Node id of the leader.
    voters: list[Voter]  # Who could vote.
    granting_voters: list[Voter]  # Who voted for it.

    def __init__(
        self,
        *,
        version: int = 0,
        leader_id: int = 0,
        voters: list[Voter] = UNSET_LIST,
        granting_voters: list[Voter] = UNSET_LIST,
    ) -> None:
        self.version = version
        self.leader_id = leader_id
        self.voters = [] if voters is UNSET_LIST else voters
        self.granting_voters = [] if granting_voters is UNSET_LIST else granting_voters

    @staticmethod
    def decode(data: bytes, version: int) -> LeaderChangeMessage:
        message, end = LeaderChangeMessage.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("LeaderChangeMessage", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[LeaderChangeMessage, int]:
        try:
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("LeaderChangeMessage", version, len(data), error) from None
        raise no_version("LeaderChangeMessage", version)

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
            raise no_encoding("LeaderChangeMessage", version, error) from error
        raise no_encoding("LeaderChangeMessage", version)


def _decode_0(data: bytes, i: i64) -> tuple[LeaderChangeMessage, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    m = LeaderChangeMessage()
    m.version = read_i16_be(data, i)
    m.leader_id = read_i32_be(data, i + 2)
    n = data[i + 6]
    i += 7
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 5 > size - i:
        raise bad_count("LeaderChangeMessage.Voters", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("LeaderChangeMessage.Voters", 10000000)
    count1 = n
    found1: list[Voter] = []
    m.voters = found1
    for _ in range(count1):
        s1 = Voter()
        s1.voter_id = read_i32_be(data, i)
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
    if n < 0 or n * 5 > size - i:
        raise bad_count("LeaderChangeMessage.GrantingVoters", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("LeaderChangeMessage.GrantingVoters", 10000000)
    count2 = n
    found2: list[Voter] = []
    m.granting_voters = found2
    for _ in range(count2):
        s2 = Voter()
        s2.voter_id = read_i32_be(data, i)
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


def _encode_0(m: LeaderChangeMessage, w: BytesWriter, version: int) -> None:
    write_i16_be(w, m.version)
    write_i32_be(w, m.leader_id)
    v1 = m.voters
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        if s1.voter_directory_id != ZERO_UUID:
            raise not_carried("LeaderChangeMessage.Voters.VoterDirectoryId", version)
        write_i32_be(w, s1.voter_id)
        w.append(0)
    v2 = m.granting_voters
    write_uvarint(w, len(v2) + 1)
    for s2 in v2:
        if s2.voter_directory_id != ZERO_UUID:
            raise not_carried("LeaderChangeMessage.GrantingVoters.VoterDirectoryId", version)
        write_i32_be(w, s2.voter_id)
        w.append(0)
    w.append(0)


def _decode_1(data: bytes, i: i64) -> tuple[LeaderChangeMessage, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = LeaderChangeMessage()
    m.version = read_i16_be(data, i)
    m.leader_id = read_i32_be(data, i + 2)
    n = data[i + 6]
    i += 7
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 21 > size - i:
        raise bad_count("LeaderChangeMessage.Voters", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("LeaderChangeMessage.Voters", 10000000)
    count1 = n
    found1: list[Voter] = []
    m.voters = found1
    for _ in range(count1):
        s1 = Voter()
        s1.voter_id = read_i32_be(data, i)
        i += 4
        end = i + 16
        if end > size:
            raise bad_length("LeaderChangeMessage.Voters.VoterDirectoryId", 16, size - i)
        s1.voter_directory_id = data[i:end]
        i = end
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        found1.append(s1)
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 21 > size - i:
        raise bad_count("LeaderChangeMessage.GrantingVoters", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("LeaderChangeMessage.GrantingVoters", 10000000)
    count2 = n
    found2: list[Voter] = []
    m.granting_voters = found2
    for _ in range(count2):
        s2 = Voter()
        s2.voter_id = read_i32_be(data, i)
        i += 4
        end = i + 16
        if end > size:
            raise bad_length("LeaderChangeMessage.GrantingVoters.VoterDirectoryId", 16, size - i)
        s2.voter_directory_id = data[i:end]
        i = end
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        found2.append(s2)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_1(m: LeaderChangeMessage, w: BytesWriter, version: int) -> None:
    write_i16_be(w, m.version)
    write_i32_be(w, m.leader_id)
    v1 = m.voters
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_i32_be(w, s1.voter_id)
        write_uuid(w, s1.voter_directory_id)
        w.append(0)
    v2 = m.granting_voters
    write_uvarint(w, len(v2) + 1)
    for s2 in v2:
        write_i32_be(w, s2.voter_id)
        write_uuid(w, s2.voter_directory_id)
        w.append(0)
    w.append(0)
