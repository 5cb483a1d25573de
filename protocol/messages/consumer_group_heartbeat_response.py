"""ConsumerGroupHeartbeatResponse, generated from ConsumerGroupHeartbeatResponse.json: do not edit, run `make generate`."""

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
    bad_presence,
    decode_failure,
    no_encoding,
    no_version,
    over_budget,
    skip_tagged_fields,
    trailing,
    write_compact_nullable_string,
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":68,"type":"response","name":"ConsumerGroupHeartbeatResponse","validVersions":"0-'
    '1","flexibleVersions":"0+","commonStructs":[{"name":"TopicPartitions","versions":"0+","fie'
    'lds":[{"name":"TopicId","type":"uuid","versions":"0+"},{"name":"Partitions","type":"[]int3'
    '2","versions":"0+"}]}],"fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"0+"},'
    '{"name":"ErrorCode","type":"int16","versions":"0+"},{"name":"ErrorMessage","type":"string"'
    ',"versions":"0+","nullableVersions":"0+","default":"null"},{"name":"MemberId","type":"stri'
    'ng","versions":"0+","nullableVersions":"0+","default":"null"},{"name":"MemberEpoch","type"'
    ':"int32","versions":"0+"},{"name":"HeartbeatIntervalMs","type":"int32","versions":"0+"},{"'
    'name":"Assignment","type":"Assignment","versions":"0+","nullableVersions":"0+","default":"'
    'null","fields":[{"name":"TopicPartitions","type":"[]TopicPartitions","versions":"0+"}]}]}'
)


class TopicPartitions(Struct):
    """Partitions of one topic."""

    __slots__ = ("topic_id", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("topic_id", "partitions")
    topic_id: bytes  # Id of the topic.
    partitions: list[int]  # Numbers of the partitions.

    def __init__(
        self,
        *,
        topic_id: bytes = ZERO_UUID,
        partitions: list[int] = UNSET_LIST,
    ) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET_LIST else partitions


class Assignment(Struct):
    """All partitions that the member shall own; null to keep what it has."""

    __slots__ = ("topic_partitions",)
    FIELDS: ClassVar[tuple[str, ...]] = ("topic_partitions",)
    topic_partitions: list[TopicPartitions]  # The partitions, topic by topic; those that are not here must be given back.

    def __init__(
        self,
        *,
        topic_partitions: list[TopicPartitions] = UNSET_LIST,
    ) -> None:
        self.topic_partitions = [] if topic_partitions is UNSET_LIST else topic_partitions


class ConsumerGroupHeartbeatResponse(Message):
    """The member's epoch and, when it has changed, its assignment."""

    __slots__ = (
        "throttle_time_ms",
        "error_code",
        "error_message",
        "member_id",
        "member_epoch",
        "heartbeat_interval_ms",
        "assignment",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "throttle_time_ms",
        "error_code",
        "error_message",
        "member_id",
        "member_epoch",
        "heartbeat_interval_ms",
        "assignment",
    )
    NAME: ClassVar[str] = "ConsumerGroupHeartbeatResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 68
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    error_code: int  # Zero, or why the heartbeat was refused; after 25 and 110 the member must drop its partitions and join again.
    error_message: str | None  # The reason in words, or null.
    member_id: str | None  # Id of the member; null when there is an error.
    member_epoch: int  # Epoch to send from now on; -1 or -2 when the member has left.
    heartbeat_interval_ms: int  # After how many ms to send the next heartbeat.
    assignment: Assignment | None  # All partitions that the member shall own; null to keep what it has.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        member_id: str | None = None,
        member_epoch: int = 0,
        heartbeat_interval_ms: int = 0,
        assignment: Assignment | None = None,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.member_id = member_id
        self.member_epoch = member_epoch
        self.heartbeat_interval_ms = heartbeat_interval_ms
        self.assignment = assignment

    @staticmethod
    def decode(data: bytes, version: int) -> ConsumerGroupHeartbeatResponse:
        message, end = ConsumerGroupHeartbeatResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ConsumerGroupHeartbeatResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ConsumerGroupHeartbeatResponse, int]:
        try:
            if 0 <= version <= 1:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ConsumerGroupHeartbeatResponse", version, len(data), error) from None
        raise no_version("ConsumerGroupHeartbeatResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if 0 <= version <= 1:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("ConsumerGroupHeartbeatResponse", version, error) from error
        raise no_encoding("ConsumerGroupHeartbeatResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[ConsumerGroupHeartbeatResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ConsumerGroupHeartbeatResponse()
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
            raise bad_length("ConsumerGroupHeartbeatResponse.ErrorMessage", n, size - i)
        m.error_message = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.member_id = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ConsumerGroupHeartbeatResponse.MemberId", n, size - i)
        m.member_id = data[i:end].decode()
        i = end
    m.member_epoch = read_i32_be(data, i)
    m.heartbeat_interval_ms = read_i32_be(data, i + 4)
    n = data[i + 8]
    i += 9
    if n == 255:
        m.assignment = None
    elif n == 1:
        s1 = Assignment()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 18 > size - i:
            raise bad_count("ConsumerGroupHeartbeatResponse.Assignment.TopicPartitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ConsumerGroupHeartbeatResponse.Assignment.TopicPartitions", 10000000)
        count1 = n
        found1: list[TopicPartitions] = []
        s1.topic_partitions = found1
        for _ in range(count1):
            s2 = TopicPartitions()
            end = i + 16
            if end > size:
                raise bad_length("ConsumerGroupHeartbeatResponse.Assignment.TopicPartitions.TopicId", 16, size - i)
            s2.topic_id = data[i:end]
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("ConsumerGroupHeartbeatResponse.Assignment.TopicPartitions.Partitions", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("ConsumerGroupHeartbeatResponse.Assignment.TopicPartitions.Partitions", 10000000)
            end = i + n * 4
            s2.partitions = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            found1.append(s2)
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        m.assignment = s1
    else:
        raise bad_presence("ConsumerGroupHeartbeatResponse.Assignment", n)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_0(m: ConsumerGroupHeartbeatResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.error_message
    write_compact_nullable_string(w, v1)
    v2 = m.member_id
    write_compact_nullable_string(w, v2)
    write_i32_be(w, m.member_epoch)
    write_i32_be(w, m.heartbeat_interval_ms)
    v3 = m.assignment
    if v3 is None:
        w.append(0xFF)
    else:
        w.append(1)
        v4 = v3.topic_partitions
        write_uvarint(w, len(v4) + 1)
        for s1 in v4:
            write_uuid(w, s1.topic_id)
            v5 = s1.partitions
            write_uvarint(w, len(v5) + 1)
            for s2 in v5:
                write_i32_be(w, s2)
            w.append(0)
        w.append(0)
    w.append(0)
