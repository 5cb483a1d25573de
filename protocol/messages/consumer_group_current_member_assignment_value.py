"""ConsumerGroupCurrentMemberAssignmentValue, generated from ConsumerGroupCurrentMemberAssignmentValue.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i32_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message, Struct, UNSET_LIST)
from ..primitives import (
    ZERO_UUID,
    bad_count,
    bad_length,
    bad_tag_size,
    check_tag_count,
    check_unknown_tag,
    decode_failure,
    no_encoding,
    no_version,
    over_budget,
    read_tag,
    skip_tagged_fields,
    trailing,
    write_i8,
    write_tag,
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":8,"type":"coordinator-value","name":"ConsumerGroupCurrentMemberAssignmentValue",'
    '"validVersions":"0","flexibleVersions":"0+","commonStructs":[{"name":"TopicPartitions","ve'
    'rsions":"0+","fields":[{"name":"TopicId","type":"uuid","versions":"0+"},{"name":"Partition'
    's","type":"[]int32","versions":"0+"},{"name":"AssignmentEpochs","type":"[]int32","versions'
    '":"0+","nullableVersions":"0+","taggedVersions":"0+","tag":0,"default":null}]}],"fields":['
    '{"name":"MemberEpoch","type":"int32","versions":"0+"},{"name":"PreviousMemberEpoch","type"'
    ':"int32","versions":"0+"},{"name":"State","type":"int8","versions":"0+"},{"name":"Assigned'
    'Partitions","type":"[]TopicPartitions","versions":"0+"},{"name":"PartitionsPendingRevocati'
    'on","type":"[]TopicPartitions","versions":"0+"}]}'
)


class TopicPartitions(Struct):
    """Partitions of one topic."""

    __slots__ = ("topic_id", "partitions", "assignment_epochs")
    FIELDS: ClassVar[tuple[str, ...]] = ("topic_id", "partitions", "assignment_epochs")
    topic_id: bytes  # Id of the topic.
    partitions: list[int]  # Numbers of the partitions.
    assignment_epochs: list[int] | None  # The member's epoch when it got each of these partitions, in the same order; null where older brokers wrote the record.

    def __init__(
        self,
        *,
        topic_id: bytes = ZERO_UUID,
        partitions: list[int] = UNSET_LIST,
        assignment_epochs: list[int] | None = UNSET_LIST,
    ) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET_LIST else partitions
        self.assignment_epochs = [] if assignment_epochs is UNSET_LIST else assignment_epochs


class ConsumerGroupCurrentMemberAssignmentValue(Message):
    """The partitions that a member has now, and how far it is on the way to its target."""

    __slots__ = (
        "member_epoch",
        "previous_member_epoch",
        "state",
        "assigned_partitions",
        "partitions_pending_revocation",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "member_epoch",
        "previous_member_epoch",
        "state",
        "assigned_partitions",
        "partitions_pending_revocation",
    )
    NAME: ClassVar[str] = "ConsumerGroupCurrentMemberAssignmentValue"
    KIND: ClassVar[str] = "coordinator-value"
    API_KEY: ClassVar[int | None] = 8
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    member_epoch: int  # Group epoch that the member has reached.
    previous_member_epoch: int  # Epoch before that, with which a member may come back that missed the last answer; -1 for none.
    state: int  # How far the member is: 0 at its target, 1 has partitions to give back, 2 waits for partitions that others still hold.
    assigned_partitions: list[TopicPartitions]  # The partitions that the member may read.
    partitions_pending_revocation: list[TopicPartitions]  # The partitions that the member must give back and has not yet.

    def __init__(
        self,
        *,
        member_epoch: int = 0,
        previous_member_epoch: int = 0,
        state: int = 0,
        assigned_partitions: list[TopicPartitions] = UNSET_LIST,
        partitions_pending_revocation: list[TopicPartitions] = UNSET_LIST,
    ) -> None:
        self.member_epoch = member_epoch
        self.previous_member_epoch = previous_member_epoch
        self.state = state
        self.assigned_partitions = [] if assigned_partitions is UNSET_LIST else assigned_partitions
        self.partitions_pending_revocation = [] if partitions_pending_revocation is UNSET_LIST else partitions_pending_revocation

    @staticmethod
    def decode(data: bytes, version: int) -> ConsumerGroupCurrentMemberAssignmentValue:
        message, end = ConsumerGroupCurrentMemberAssignmentValue.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ConsumerGroupCurrentMemberAssignmentValue", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ConsumerGroupCurrentMemberAssignmentValue, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ConsumerGroupCurrentMemberAssignmentValue", version, len(data), error) from None
        raise no_version("ConsumerGroupCurrentMemberAssignmentValue", version)

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
            raise no_encoding("ConsumerGroupCurrentMemberAssignmentValue", version, error) from error
        raise no_encoding("ConsumerGroupCurrentMemberAssignmentValue", version)


def _decode_0(data: bytes, i: i64) -> tuple[ConsumerGroupCurrentMemberAssignmentValue, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ConsumerGroupCurrentMemberAssignmentValue()
    m.member_epoch = read_i32_be(data, i)
    m.previous_member_epoch = read_i32_be(data, i + 4)
    m.state = (data[i + 8] ^ 0x80) - 0x80
    n = data[i + 9]
    i += 10
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 18 > size - i:
        raise bad_count("ConsumerGroupCurrentMemberAssignmentValue.AssignedPartitions", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ConsumerGroupCurrentMemberAssignmentValue.AssignedPartitions", 10000000)
    count1 = n
    found1: list[TopicPartitions] = []
    m.assigned_partitions = found1
    for _ in range(count1):
        s1 = TopicPartitions()
        end = i + 16
        if end > size:
            raise bad_length("ConsumerGroupCurrentMemberAssignmentValue.AssignedPartitions.TopicId", 16, size - i)
        s1.topic_id = data[i:end]
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 4 > size - i:
            raise bad_count("ConsumerGroupCurrentMemberAssignmentValue.AssignedPartitions.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ConsumerGroupCurrentMemberAssignmentValue.AssignedPartitions.Partitions", 10000000)
        end = i + n * 4
        s1.partitions = [read_i32_be(data, j) for j in range(i, end, 4)]
        i = end
        n = data[i]
        i += 1
        if n > 0:
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            check_tag_count(data, i, n)
            count2 = n
            tag1 = -1
            unknown1 = 0
            for _ in range(count2):
                tag1, start1, stop1 = read_tag(data, i, tag1)
                i = start1
                if tag1 == 0:
                    n = data[i]
                    i += 1
                    if n > 127:
                        n, i = read_uvarint_rest(data, i, n)
                    n -= 1
                    if n == -1:
                        s1.assignment_epochs = None
                    else:
                        if n < 0 or n * 4 > size - i:
                            raise bad_count("ConsumerGroupCurrentMemberAssignmentValue.AssignedPartitions.AssignmentEpochs", n, size - i)
                        budget -= n
                        if budget < 0:
                            raise over_budget("ConsumerGroupCurrentMemberAssignmentValue.AssignedPartitions.AssignmentEpochs", 10000000)
                        end = i + n * 4
                        s1.assignment_epochs = [read_i32_be(data, j) for j in range(i, end, 4)]
                        i = end
                    if i != stop1:
                        raise bad_tag_size("ConsumerGroupCurrentMemberAssignmentValue.AssignedPartitions.AssignmentEpochs")
                else:
                    check_unknown_tag(tag1, stop1 - i, unknown1)
                    unknown1 += 1
                    i = stop1
        found1.append(s1)
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 18 > size - i:
        raise bad_count("ConsumerGroupCurrentMemberAssignmentValue.PartitionsPendingRevocation", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ConsumerGroupCurrentMemberAssignmentValue.PartitionsPendingRevocation", 10000000)
    count3 = n
    found2: list[TopicPartitions] = []
    m.partitions_pending_revocation = found2
    for _ in range(count3):
        s2 = TopicPartitions()
        end = i + 16
        if end > size:
            raise bad_length("ConsumerGroupCurrentMemberAssignmentValue.PartitionsPendingRevocation.TopicId", 16, size - i)
        s2.topic_id = data[i:end]
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 4 > size - i:
            raise bad_count("ConsumerGroupCurrentMemberAssignmentValue.PartitionsPendingRevocation.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ConsumerGroupCurrentMemberAssignmentValue.PartitionsPendingRevocation.Partitions", 10000000)
        end = i + n * 4
        s2.partitions = [read_i32_be(data, j) for j in range(i, end, 4)]
        i = end
        n = data[i]
        i += 1
        if n > 0:
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            check_tag_count(data, i, n)
            count4 = n
            tag2 = -1
            unknown2 = 0
            for _ in range(count4):
                tag2, start2, stop2 = read_tag(data, i, tag2)
                i = start2
                if tag2 == 0:
                    n = data[i]
                    i += 1
                    if n > 127:
                        n, i = read_uvarint_rest(data, i, n)
                    n -= 1
                    if n == -1:
                        s2.assignment_epochs = None
                    else:
                        if n < 0 or n * 4 > size - i:
                            raise bad_count("ConsumerGroupCurrentMemberAssignmentValue.PartitionsPendingRevocation.AssignmentEpochs", n, size - i)
                        budget -= n
                        if budget < 0:
                            raise over_budget("ConsumerGroupCurrentMemberAssignmentValue.PartitionsPendingRevocation.AssignmentEpochs", 10000000)
                        end = i + n * 4
                        s2.assignment_epochs = [read_i32_be(data, j) for j in range(i, end, 4)]
                        i = end
                    if i != stop2:
                        raise bad_tag_size("ConsumerGroupCurrentMemberAssignmentValue.PartitionsPendingRevocation.AssignmentEpochs")
                else:
                    check_unknown_tag(tag2, stop2 - i, unknown2)
                    unknown2 += 1
                    i = stop2
        found2.append(s2)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_0(m: ConsumerGroupCurrentMemberAssignmentValue, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.member_epoch)
    write_i32_be(w, m.previous_member_epoch)
    write_i8(w, m.state)
    v1 = m.assigned_partitions
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_uuid(w, s1.topic_id)
        v2 = s1.partitions
        write_uvarint(w, len(v2) + 1)
        for s2 in v2:
            write_i32_be(w, s2)
        t1 = (s1.assignment_epochs is None or len(s1.assignment_epochs) > 0)
        if t1:
            write_uvarint(w, int(t1))
            if t1:
                w1 = BytesWriter()
                v3 = s1.assignment_epochs
                if v3 is None:
                    w1.append(0)
                else:
                    write_uvarint(w1, len(v3) + 1)
                    for s3 in v3:
                        write_i32_be(w1, s3)
                write_tag(w, 0, w1)
        else:
            w.append(0)
    v4 = m.partitions_pending_revocation
    write_uvarint(w, len(v4) + 1)
    for s4 in v4:
        write_uuid(w, s4.topic_id)
        v5 = s4.partitions
        write_uvarint(w, len(v5) + 1)
        for s5 in v5:
            write_i32_be(w, s5)
        t2 = (s4.assignment_epochs is None or len(s4.assignment_epochs) > 0)
        if t2:
            write_uvarint(w, int(t2))
            if t2:
                w2 = BytesWriter()
                v6 = s4.assignment_epochs
                if v6 is None:
                    w2.append(0)
                else:
                    write_uvarint(w2, len(v6) + 1)
                    for s6 in v6:
                        write_i32_be(w2, s6)
                write_tag(w, 0, w2)
        else:
            w.append(0)
    w.append(0)
