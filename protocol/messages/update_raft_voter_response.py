"""UpdateRaftVoterResponse, generated from UpdateRaftVoterResponse.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i16_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message, Struct)
from ..primitives import (
    STRING_BYTES_MAX,
    bad_length,
    bad_tag_size,
    check_tag_count,
    check_unknown_tag,
    decode_failure,
    no_encoding,
    no_version,
    read_tag,
    skip_tagged_fields,
    trailing,
    write_compact_string,
    write_tag,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":82,"type":"response","name":"UpdateRaftVoterResponse","validVersions":"0","flexi'
    'bleVersions":"0+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"0+"},{"nam'
    'e":"ErrorCode","type":"int16","versions":"0+"},{"name":"CurrentLeader","type":"CurrentLead'
    'er","versions":"0+","taggedVersions":"0+","tag":0,"fields":[{"name":"LeaderId","type":"int'
    '32","versions":"0+","default":"-1","entityType":"brokerId"},{"name":"LeaderEpoch","type":"'
    'int32","versions":"0+","default":"-1"},{"name":"Host","type":"string","versions":"0+"},{"n'
    'ame":"Port","type":"int32","versions":"0+"}]}]}'
)


class CurrentLeader(Struct):
    """The leader that the answering node knows."""

    __slots__ = ("leader_id", "leader_epoch", "host", "port")
    FIELDS: ClassVar[tuple[str, ...]] = ("leader_id", "leader_epoch", "host", "port")
    leader_id: int  # Node id of the leader, or -1.
    leader_epoch: int  # Newest epoch that the answering node knows, or -1.
    host: str  # Host name or address of the leader.
    port: int  # Port of the leader.

    def __init__(
        self,
        *,
        leader_id: int = -1,
        leader_epoch: int = -1,
        host: str = "",
        port: int = 0,
    ) -> None:
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.host = host
        self.port = port


class UpdateRaftVoterResponse(Message):
    """Whether the leader wrote down what the voter told."""

    __slots__ = ("throttle_time_ms", "error_code", "current_leader")
    FIELDS: ClassVar[tuple[str, ...]] = ("throttle_time_ms", "error_code", "current_leader")
    NAME: ClassVar[str] = "UpdateRaftVoterResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 82
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the voter should wait before it asks again, because of a quota; in ms.
    error_code: int  # Zero, or why it did not.
    current_leader: CurrentLeader  # The leader that the answering node knows.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        current_leader: CurrentLeader | None = None,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.current_leader = CurrentLeader() if current_leader is None else current_leader

    @staticmethod
    def decode(data: bytes, version: int) -> UpdateRaftVoterResponse:
        message, end = UpdateRaftVoterResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("UpdateRaftVoterResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[UpdateRaftVoterResponse, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("UpdateRaftVoterResponse", version, len(data), error) from None
        raise no_version("UpdateRaftVoterResponse", version)

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
            raise no_encoding("UpdateRaftVoterResponse", version, error) from error
        raise no_encoding("UpdateRaftVoterResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[UpdateRaftVoterResponse, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = UpdateRaftVoterResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = data[i + 6]
    i += 7
    if n > 0:
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        check_tag_count(data, i, n)
        count1 = n
        tag1 = -1
        unknown1 = 0
        for _ in range(count1):
            tag1, start1, stop1 = read_tag(data, i, tag1)
            i = start1
            if tag1 == 0:
                s1 = CurrentLeader()
                s1.leader_id = read_i32_be(data, i)
                s1.leader_epoch = read_i32_be(data, i + 4)
                n = data[i + 8]
                i += 9
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("UpdateRaftVoterResponse.CurrentLeader.Host", n, size - i)
                s1.host = data[i:end].decode()
                i = end
                s1.port = read_i32_be(data, i)
                if data[i + 4] == 0:
                    i += 5
                else:
                    i = skip_tagged_fields(data, i + 4)
                m.current_leader = s1
                if i != stop1:
                    raise bad_tag_size("UpdateRaftVoterResponse.CurrentLeader")
            else:
                check_unknown_tag(tag1, stop1 - i, unknown1)
                unknown1 += 1
                i = stop1
    return m, i


def _encode_0(m: UpdateRaftVoterResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    t1 = (m.current_leader.leader_id != -1 or m.current_leader.leader_epoch != -1 or m.current_leader.host != "" or m.current_leader.port != 0)
    if t1:
        write_uvarint(w, int(t1))
        if t1:
            w1 = BytesWriter()
            v1 = m.current_leader
            write_i32_be(w1, v1.leader_id)
            write_i32_be(w1, v1.leader_epoch)
            v2 = v1.host
            write_compact_string(w1, v2)
            write_i32_be(w1, v1.port)
            w1.append(0)
            write_tag(w, 0, w1)
    else:
        w.append(0)
