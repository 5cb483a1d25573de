"""AlterPartitionRequest, generated from AlterPartitionRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i32_be, read_i64_be, write_i32_be, write_i64_be)

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
    not_carried,
    over_budget,
    read_tag,
    skip_tagged_fields,
    trailing,
    write_i8,
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":56,"type":"request","listeners":["controller"],"name":"AlterPartitionRequest","v'
    'alidVersions":"2-3","flexibleVersions":"0+","fields":[{"name":"BrokerId","type":"int32","v'
    'ersions":"0+","entityType":"brokerId"},{"name":"BrokerEpoch","type":"int64","versions":"0+'
    '","default":"-1"},{"name":"Topics","type":"[]TopicData","versions":"0+","fields":[{"name":'
    '"TopicId","type":"uuid","versions":"2+","ignorable":true},{"name":"Partitions","type":"[]P'
    'artitionData","versions":"0+","fields":[{"name":"PartitionIndex","type":"int32","versions"'
    ':"0+"},{"name":"LeaderEpoch","type":"int32","versions":"0+"},{"name":"NewIsr","type":"[]in'
    't32","versions":"0-2","entityType":"brokerId"},{"name":"NewIsrWithEpochs","type":"[]Broker'
    'State","versions":"3+","fields":[{"name":"BrokerId","type":"int32","versions":"3+","entity'
    'Type":"brokerId"},{"name":"BrokerEpoch","type":"int64","versions":"3+","default":"-1"}]},{'
    '"name":"LeaderRecoveryState","type":"int8","versions":"1+","default":"0"},{"name":"Partiti'
    'onEpoch","type":"int32","versions":"0+"},{"name":"RelinquishLeadership","type":"bool","ver'
    'sions":"2+","taggedVersions":"2+","tag":0,"default":"false","ignorable":true}]}]}]}'
)


class BrokerState(Struct):
    """The replicas that shall be in sync from now on, with their epochs."""

    __slots__ = ("broker_id", "broker_epoch")
    FIELDS: ClassVar[tuple[str, ...]] = ("broker_id", "broker_epoch")
    broker_id: int  # Id of the replica's broker.
    broker_epoch: int  # Epoch of its registration as the leader saw it, or -1 for any.

    def __init__(
        self,
        *,
        broker_id: int = 0,
        broker_epoch: int = -1,
    ) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch


class PartitionData(Struct):
    """The partitions to change."""

    __slots__ = (
        "partition_index",
        "leader_epoch",
        "new_isr",
        "new_isr_with_epochs",
        "leader_recovery_state",
        "partition_epoch",
        "relinquish_leadership",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "partition_index",
        "leader_epoch",
        "new_isr",
        "new_isr_with_epochs",
        "leader_recovery_state",
        "partition_epoch",
        "relinquish_leadership",
    )
    partition_index: int  # Number of the partition.
    leader_epoch: int  # Leader epoch in which the broker leads.
    new_isr: list[int]  # The replicas that shall be in sync from now on.
    new_isr_with_epochs: list[BrokerState]  # The replicas that shall be in sync from now on, with their epochs.
    leader_recovery_state: int  # 1 while the leader recovers from an unclean election, else 0.
    partition_epoch: int  # Partition epoch that the change builds on.
    relinquish_leadership: bool  # Private to barnabas (C3), unknown to Kafka: the leader wants to hand over.

    def __init__(
        self,
        *,
        partition_index: int = 0,
        leader_epoch: int = 0,
        new_isr: list[int] = UNSET_LIST,
        new_isr_with_epochs: list[BrokerState] = UNSET_LIST,
        leader_recovery_state: int = 0,
        partition_epoch: int = 0,
        relinquish_leadership: bool = False,
    ) -> None:
        self.partition_index = partition_index
        self.leader_epoch = leader_epoch
        self.new_isr = [] if new_isr is UNSET_LIST else new_isr
        self.new_isr_with_epochs = [] if new_isr_with_epochs is UNSET_LIST else new_isr_with_epochs
        self.leader_recovery_state = leader_recovery_state
        self.partition_epoch = partition_epoch
        self.relinquish_leadership = relinquish_leadership


class TopicData(Struct):
    """The topics to change."""

    __slots__ = ("topic_id", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("topic_id", "partitions")
    topic_id: bytes  # Id of the topic.
    partitions: list[PartitionData]  # The partitions to change.

    def __init__(
        self,
        *,
        topic_id: bytes = ZERO_UUID,
        partitions: list[PartitionData] = UNSET_LIST,
    ) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET_LIST else partitions


class AlterPartitionRequest(Message):
    """A leader asks the controller to change which replicas are in sync."""

    __slots__ = ("broker_id", "broker_epoch", "topics")
    FIELDS: ClassVar[tuple[str, ...]] = ("broker_id", "broker_epoch", "topics")
    NAME: ClassVar[str] = "AlterPartitionRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 56
    MIN_VERSION: ClassVar[int] = 2
    MAX_VERSION: ClassVar[int] = 3
    FLEXIBLE_SINCE: ClassVar[int | None] = 2
    SCHEMA: ClassVar[str] = _SCHEMA

    broker_id: int  # Id of the broker that asks.
    broker_epoch: int  # Epoch of that broker's registration.
    topics: list[TopicData]  # The topics to change.

    def __init__(
        self,
        *,
        broker_id: int = 0,
        broker_epoch: int = -1,
        topics: list[TopicData] = UNSET_LIST,
    ) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch
        self.topics = [] if topics is UNSET_LIST else topics

    @staticmethod
    def decode(data: bytes, version: int) -> AlterPartitionRequest:
        message, end = AlterPartitionRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("AlterPartitionRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[AlterPartitionRequest, int]:
        try:
            if version == 3:
                return _decode_3(data, offset)
            if version == 2:
                return _decode_2(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("AlterPartitionRequest", version, len(data), error) from None
        raise no_version("AlterPartitionRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 3:
                return _encode_3(self, writer, version)
            if version == 2:
                return _encode_2(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("AlterPartitionRequest", version, error) from error
        raise no_encoding("AlterPartitionRequest", version)


def _decode_2(data: bytes, i: i64) -> tuple[AlterPartitionRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = AlterPartitionRequest()
    m.broker_id = read_i32_be(data, i)
    m.broker_epoch = read_i64_be(data, i + 4)
    n = data[i + 12]
    i += 13
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 18 > size - i:
        raise bad_count("AlterPartitionRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("AlterPartitionRequest.Topics", 100000)
    count1 = n
    found1: list[TopicData] = []
    m.topics = found1
    for _ in range(count1):
        s1 = TopicData()
        end = i + 16
        if end > size:
            raise bad_length("AlterPartitionRequest.Topics.TopicId", 16, size - i)
        s1.topic_id = data[i:end]
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 15 > size - i:
            raise bad_count("AlterPartitionRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("AlterPartitionRequest.Topics.Partitions", 100000)
        count2 = n
        found2: list[PartitionData] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = PartitionData()
            s2.partition_index = read_i32_be(data, i)
            s2.leader_epoch = read_i32_be(data, i + 4)
            n = data[i + 8]
            i += 9
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("AlterPartitionRequest.Topics.Partitions.NewIsr", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("AlterPartitionRequest.Topics.Partitions.NewIsr", 100000)
            end = i + n * 4
            s2.new_isr = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            s2.leader_recovery_state = (data[i] ^ 0x80) - 0x80
            s2.partition_epoch = read_i32_be(data, i + 1)
            n = data[i + 5]
            i += 6
            if n > 0:
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                check_tag_count(data, i, n)
                count3 = n
                tag1 = -1
                unknown1 = 0
                for _ in range(count3):
                    tag1, start1, stop1 = read_tag(data, i, tag1)
                    i = start1
                    if tag1 == 0:
                        s2.relinquish_leadership = data[i] != 0
                        i += 1
                        if i != stop1:
                            raise bad_tag_size("AlterPartitionRequest.Topics.Partitions.RelinquishLeadership")
                    else:
                        check_unknown_tag(tag1, stop1 - i, unknown1)
                        unknown1 += 1
                        i = stop1
            found2.append(s2)
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


def _encode_2(m: AlterPartitionRequest, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.broker_id)
    write_i64_be(w, m.broker_epoch)
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_uuid(w, s1.topic_id)
        v2 = s1.partitions
        write_uvarint(w, len(v2) + 1)
        for s2 in v2:
            if len(s2.new_isr_with_epochs) > 0:
                raise not_carried("AlterPartitionRequest.Topics.Partitions.NewIsrWithEpochs", version)
            write_i32_be(w, s2.partition_index)
            write_i32_be(w, s2.leader_epoch)
            v3 = s2.new_isr
            write_uvarint(w, len(v3) + 1)
            for s3 in v3:
                write_i32_be(w, s3)
            write_i8(w, s2.leader_recovery_state)
            write_i32_be(w, s2.partition_epoch)
            t1 = s2.relinquish_leadership
            if t1:
                write_uvarint(w, int(t1))
                if t1:
                    write_uvarint(w, 0)
                    w.append(1)
                    w.append(1 if s2.relinquish_leadership else 0)
            else:
                w.append(0)
        w.append(0)
    w.append(0)


def _decode_3(data: bytes, i: i64) -> tuple[AlterPartitionRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = AlterPartitionRequest()
    m.broker_id = read_i32_be(data, i)
    m.broker_epoch = read_i64_be(data, i + 4)
    n = data[i + 12]
    i += 13
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 18 > size - i:
        raise bad_count("AlterPartitionRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("AlterPartitionRequest.Topics", 100000)
    count1 = n
    found1: list[TopicData] = []
    m.topics = found1
    for _ in range(count1):
        s1 = TopicData()
        end = i + 16
        if end > size:
            raise bad_length("AlterPartitionRequest.Topics.TopicId", 16, size - i)
        s1.topic_id = data[i:end]
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 15 > size - i:
            raise bad_count("AlterPartitionRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("AlterPartitionRequest.Topics.Partitions", 100000)
        count2 = n
        found2: list[PartitionData] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = PartitionData()
            s2.partition_index = read_i32_be(data, i)
            s2.leader_epoch = read_i32_be(data, i + 4)
            n = data[i + 8]
            i += 9
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 13 > size - i:
                raise bad_count("AlterPartitionRequest.Topics.Partitions.NewIsrWithEpochs", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("AlterPartitionRequest.Topics.Partitions.NewIsrWithEpochs", 100000)
            count3 = n
            found3: list[BrokerState] = []
            s2.new_isr_with_epochs = found3
            for _ in range(count3):
                s3 = BrokerState()
                s3.broker_id = read_i32_be(data, i)
                s3.broker_epoch = read_i64_be(data, i + 4)
                if data[i + 12] == 0:
                    i += 13
                else:
                    i = skip_tagged_fields(data, i + 12)
                found3.append(s3)
            s2.leader_recovery_state = (data[i] ^ 0x80) - 0x80
            s2.partition_epoch = read_i32_be(data, i + 1)
            n = data[i + 5]
            i += 6
            if n > 0:
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                check_tag_count(data, i, n)
                count4 = n
                tag1 = -1
                unknown1 = 0
                for _ in range(count4):
                    tag1, start1, stop1 = read_tag(data, i, tag1)
                    i = start1
                    if tag1 == 0:
                        s2.relinquish_leadership = data[i] != 0
                        i += 1
                        if i != stop1:
                            raise bad_tag_size("AlterPartitionRequest.Topics.Partitions.RelinquishLeadership")
                    else:
                        check_unknown_tag(tag1, stop1 - i, unknown1)
                        unknown1 += 1
                        i = stop1
            found2.append(s2)
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


def _encode_3(m: AlterPartitionRequest, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.broker_id)
    write_i64_be(w, m.broker_epoch)
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_uuid(w, s1.topic_id)
        v2 = s1.partitions
        write_uvarint(w, len(v2) + 1)
        for s2 in v2:
            if len(s2.new_isr) > 0:
                raise not_carried("AlterPartitionRequest.Topics.Partitions.NewIsr", version)
            write_i32_be(w, s2.partition_index)
            write_i32_be(w, s2.leader_epoch)
            v3 = s2.new_isr_with_epochs
            write_uvarint(w, len(v3) + 1)
            for s3 in v3:
                write_i32_be(w, s3.broker_id)
                write_i64_be(w, s3.broker_epoch)
                w.append(0)
            write_i8(w, s2.leader_recovery_state)
            write_i32_be(w, s2.partition_epoch)
            t1 = s2.relinquish_leadership
            if t1:
                write_uvarint(w, int(t1))
                if t1:
                    write_uvarint(w, 0)
                    w.append(1)
                    w.append(1 if s2.relinquish_leadership else 0)
            else:
                w.append(0)
        w.append(0)
    w.append(0)
