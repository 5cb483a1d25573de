"""ConsumerGroupTargetAssignmentMemberValue, generated from ConsumerGroupTargetAssignmentMemberValue.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i32_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message, Struct, UNSET_LIST)
from ..primitives import (
    ZERO_UUID,
    bad_count,
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    over_budget,
    skip_tagged_fields,
    trailing,
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":7,"type":"coordinator-value","name":"ConsumerGroupTargetAssignmentMemberValue","'
    'validVersions":"0","flexibleVersions":"0+","fields":[{"name":"TopicPartitions","type":"[]T'
    'opicPartition","versions":"0+","fields":[{"name":"TopicId","type":"uuid","versions":"0+"},'
    '{"name":"Partitions","type":"[]int32","versions":"0+"}]}]}'
)


class TopicPartition(Struct):
    """The partitions, topic by topic."""

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


class ConsumerGroupTargetAssignmentMemberValue(Message):
    """The partitions that a member shall have once every member has caught up."""

    __slots__ = ("topic_partitions",)
    FIELDS: ClassVar[tuple[str, ...]] = ("topic_partitions",)
    NAME: ClassVar[str] = "ConsumerGroupTargetAssignmentMemberValue"
    KIND: ClassVar[str] = "coordinator-value"
    API_KEY: ClassVar[int | None] = 7
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    topic_partitions: list[TopicPartition]  # The partitions, topic by topic.

    def __init__(
        self,
        *,
        topic_partitions: list[TopicPartition] = UNSET_LIST,
    ) -> None:
        self.topic_partitions = [] if topic_partitions is UNSET_LIST else topic_partitions

    @staticmethod
    def decode(data: bytes, version: int) -> ConsumerGroupTargetAssignmentMemberValue:
        message, end = ConsumerGroupTargetAssignmentMemberValue.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ConsumerGroupTargetAssignmentMemberValue", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ConsumerGroupTargetAssignmentMemberValue, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ConsumerGroupTargetAssignmentMemberValue", version, len(data), error) from None
        raise no_version("ConsumerGroupTargetAssignmentMemberValue", version)

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
            raise no_encoding("ConsumerGroupTargetAssignmentMemberValue", version, error) from error
        raise no_encoding("ConsumerGroupTargetAssignmentMemberValue", version)


def _decode_0(data: bytes, i: i64) -> tuple[ConsumerGroupTargetAssignmentMemberValue, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ConsumerGroupTargetAssignmentMemberValue()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 18 > size - i:
        raise bad_count("ConsumerGroupTargetAssignmentMemberValue.TopicPartitions", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ConsumerGroupTargetAssignmentMemberValue.TopicPartitions", 10000000)
    count1 = n
    found1: list[TopicPartition] = []
    m.topic_partitions = found1
    for _ in range(count1):
        s1 = TopicPartition()
        end = i + 16
        if end > size:
            raise bad_length("ConsumerGroupTargetAssignmentMemberValue.TopicPartitions.TopicId", 16, size - i)
        s1.topic_id = data[i:end]
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 4 > size - i:
            raise bad_count("ConsumerGroupTargetAssignmentMemberValue.TopicPartitions.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ConsumerGroupTargetAssignmentMemberValue.TopicPartitions.Partitions", 10000000)
        end = i + n * 4
        s1.partitions = [read_i32_be(data, j) for j in range(i, end, 4)]
        i = end
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


def _encode_0(m: ConsumerGroupTargetAssignmentMemberValue, w: BytesWriter, version: int) -> None:
    v1 = m.topic_partitions
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_uuid(w, s1.topic_id)
        v2 = s1.partitions
        write_uvarint(w, len(v2) + 1)
        for s2 in v2:
            write_i32_be(w, s2)
        w.append(0)
    w.append(0)
