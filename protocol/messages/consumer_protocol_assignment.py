"""ConsumerProtocolAssignment, generated from ConsumerProtocolAssignment.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message, Struct, UNSET_LIST)
from ..primitives import (
    bad_count,
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    over_budget,
    trailing,
    write_nullable_bytes,
    write_string,
)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"type":"data","name":"ConsumerProtocolAssignment","validVersions":"0-3","flexibleVersions'
    '":"none","fields":[{"name":"AssignedPartitions","type":"[]TopicPartition","versions":"0+",'
    '"fields":[{"name":"Topic","type":"string","versions":"0+","mapKey":true,"entityType":"topi'
    'cName"},{"name":"Partitions","type":"[]int32","versions":"0+"}]},{"name":"UserData","type"'
    ':"bytes","versions":"0+","nullableVersions":"0+","default":"null","zeroCopy":true}]}'
)


class TopicPartition(Struct):
    """The partitions to read, topic by topic."""

    __slots__ = ("topic", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("topic", "partitions")
    topic: str  # Name of the topic.
    partitions: list[int]  # Numbers of the partitions.

    def __init__(
        self,
        *,
        topic: str = "",
        partitions: list[int] = UNSET_LIST,
    ) -> None:
        self.topic = topic
        self.partitions = [] if partitions is UNSET_LIST else partitions


class ConsumerProtocolAssignment(Message):
    """What the leader of a classic group gives to one consumer."""

    __slots__ = ("assigned_partitions", "user_data")
    FIELDS: ClassVar[tuple[str, ...]] = ("assigned_partitions", "user_data")
    NAME: ClassVar[str] = "ConsumerProtocolAssignment"
    KIND: ClassVar[str] = "data"
    API_KEY: ClassVar[int | None] = None
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 3
    FLEXIBLE_SINCE: ClassVar[int | None] = None
    SCHEMA: ClassVar[str] = _SCHEMA

    assigned_partitions: list[TopicPartition]  # The partitions to read, topic by topic.
    user_data: bytes | None  # Whatever the leader's assignor wants the consumer's to know; null for nothing.

    def __init__(
        self,
        *,
        assigned_partitions: list[TopicPartition] = UNSET_LIST,
        user_data: bytes | None = None,
    ) -> None:
        self.assigned_partitions = [] if assigned_partitions is UNSET_LIST else assigned_partitions
        self.user_data = user_data

    @staticmethod
    def decode(data: bytes, version: int) -> ConsumerProtocolAssignment:
        message, end = ConsumerProtocolAssignment.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ConsumerProtocolAssignment", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ConsumerProtocolAssignment, int]:
        try:
            if 0 <= version <= 3:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ConsumerProtocolAssignment", version, len(data), error) from None
        raise no_version("ConsumerProtocolAssignment", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if 0 <= version <= 3:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("ConsumerProtocolAssignment", version, error) from error
        raise no_encoding("ConsumerProtocolAssignment", version)


def _decode_0(data: bytes, i: i64) -> tuple[ConsumerProtocolAssignment, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ConsumerProtocolAssignment()
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 6 > size - i:
        raise bad_count("ConsumerProtocolAssignment.AssignedPartitions", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ConsumerProtocolAssignment.AssignedPartitions", 10000000)
    count1 = n
    found1: list[TopicPartition] = []
    m.assigned_partitions = found1
    for _ in range(count1):
        s1 = TopicPartition()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("ConsumerProtocolAssignment.AssignedPartitions.Topic", n, size - i)
        s1.topic = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 4 > size - i:
            raise bad_count("ConsumerProtocolAssignment.AssignedPartitions.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ConsumerProtocolAssignment.AssignedPartitions.Partitions", 10000000)
        end = i + n * 4
        s1.partitions = [read_i32_be(data, j) for j in range(i, end, 4)]
        i = end
        found1.append(s1)
    n = read_i32_be(data, i)
    i += 4
    if n == -1:
        m.user_data = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("ConsumerProtocolAssignment.UserData", n, size - i)
        m.user_data = data[i:end]
        i = end
    return m, i


def _encode_0(m: ConsumerProtocolAssignment, w: BytesWriter, version: int) -> None:
    v1 = m.assigned_partitions
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.topic
        write_string(w, v2)
        v3 = s1.partitions
        write_i32_be(w, len(v3))
        for s2 in v3:
            write_i32_be(w, s2)
    v4 = m.user_data
    write_nullable_bytes(w, v4)
