"""PartitionRecord, generated from PartitionRecord.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i32_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message, UNSET_LIST)
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
    trailing,
    write_i8,
    write_tag,
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":3,"type":"metadata","name":"PartitionRecord","validVersions":"0-2","flexibleVers'
    'ions":"0+","fields":[{"name":"PartitionId","type":"int32","versions":"0+","default":"-1"},'
    '{"name":"TopicId","type":"uuid","versions":"0+"},{"name":"Replicas","type":"[]int32","vers'
    'ions":"0+","entityType":"brokerId"},{"name":"Isr","type":"[]int32","versions":"0+"},{"name'
    '":"RemovingReplicas","type":"[]int32","versions":"0+","entityType":"brokerId"},{"name":"Ad'
    'dingReplicas","type":"[]int32","versions":"0+","entityType":"brokerId"},{"name":"Leader","'
    'type":"int32","versions":"0+","default":"-1","entityType":"brokerId"},{"name":"LeaderRecov'
    'eryState","type":"int8","default":"0","versions":"0+","taggedVersions":"0+","tag":0},{"nam'
    'e":"LeaderEpoch","type":"int32","versions":"0+","default":"-1"},{"name":"PartitionEpoch","'
    'type":"int32","versions":"0+","default":"-1"},{"name":"Directories","type":"[]uuid","versi'
    'ons":"1+"},{"name":"EligibleLeaderReplicas","type":"[]int32","default":"null","entityType"'
    ':"brokerId","versions":"2+","nullableVersions":"2+","taggedVersions":"2+","tag":1},{"name"'
    ':"LastKnownElr","type":"[]int32","default":"null","entityType":"brokerId","versions":"2+",'
    '"nullableVersions":"2+","taggedVersions":"2+","tag":2}]}'
)


class PartitionRecord(Message):
    """Metadata: a partition is there, and all that is known of it."""

    __slots__ = (
        "partition_id",
        "topic_id",
        "replicas",
        "isr",
        "removing_replicas",
        "adding_replicas",
        "leader",
        "leader_recovery_state",
        "leader_epoch",
        "partition_epoch",
        "directories",
        "eligible_leader_replicas",
        "last_known_elr",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "partition_id",
        "topic_id",
        "replicas",
        "isr",
        "removing_replicas",
        "adding_replicas",
        "leader",
        "leader_recovery_state",
        "leader_epoch",
        "partition_epoch",
        "directories",
        "eligible_leader_replicas",
        "last_known_elr",
    )
    NAME: ClassVar[str] = "PartitionRecord"
    KIND: ClassVar[str] = "metadata"
    API_KEY: ClassVar[int | None] = 3
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    partition_id: int  # Number of the partition.
    topic_id: bytes  # Id of its topic.
    replicas: list[int]  # Brokers that hold it, the preferred leader first.
    isr: list[int]  # Those of them that are in sync.
    removing_replicas: list[int]  # Those that are on their way out.
    adding_replicas: list[int]  # Those that are on their way in.
    leader: int  # The leader, or -1.
    leader_recovery_state: int  # 1 after an unclean election until the leader has recovered, else 0.
    leader_epoch: int  # Grows with every change of leadership.
    partition_epoch: int  # Grows with every change of anything here.
    directories: list[bytes]  # Id of the directory on each replica, in their order.
    eligible_leader_replicas: list[int] | None  # Replicas out of sync that have all committed records, or null.
    last_known_elr: list[int] | None  # Replicas that might have them, or null.

    def __init__(
        self,
        *,
        partition_id: int = -1,
        topic_id: bytes = ZERO_UUID,
        replicas: list[int] = UNSET_LIST,
        isr: list[int] = UNSET_LIST,
        removing_replicas: list[int] = UNSET_LIST,
        adding_replicas: list[int] = UNSET_LIST,
        leader: int = -1,
        leader_recovery_state: int = 0,
        leader_epoch: int = -1,
        partition_epoch: int = -1,
        directories: list[bytes] = UNSET_LIST,
        eligible_leader_replicas: list[int] | None = None,
        last_known_elr: list[int] | None = None,
    ) -> None:
        self.partition_id = partition_id
        self.topic_id = topic_id
        self.replicas = [] if replicas is UNSET_LIST else replicas
        self.isr = [] if isr is UNSET_LIST else isr
        self.removing_replicas = [] if removing_replicas is UNSET_LIST else removing_replicas
        self.adding_replicas = [] if adding_replicas is UNSET_LIST else adding_replicas
        self.leader = leader
        self.leader_recovery_state = leader_recovery_state
        self.leader_epoch = leader_epoch
        self.partition_epoch = partition_epoch
        self.directories = [] if directories is UNSET_LIST else directories
        self.eligible_leader_replicas = eligible_leader_replicas
        self.last_known_elr = last_known_elr

    @staticmethod
    def decode(data: bytes, version: int) -> PartitionRecord:
        message, end = PartitionRecord.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("PartitionRecord", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[PartitionRecord, int]:
        try:
            if version == 2:
                return _decode_2(data, offset)
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("PartitionRecord", version, len(data), error) from None
        raise no_version("PartitionRecord", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 2:
                return _encode_2(self, writer, version)
            if version == 1:
                return _encode_1(self, writer, version)
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("PartitionRecord", version, error) from error
        raise no_encoding("PartitionRecord", version)


def _decode_0(data: bytes, i: i64) -> tuple[PartitionRecord, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = PartitionRecord()
    m.partition_id = read_i32_be(data, i)
    i += 4
    end = i + 16
    if end > size:
        raise bad_length("PartitionRecord.TopicId", 16, size - i)
    m.topic_id = data[i:end]
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 4 > size - i:
        raise bad_count("PartitionRecord.Replicas", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("PartitionRecord.Replicas", 10000000)
    end = i + n * 4
    m.replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 4 > size - i:
        raise bad_count("PartitionRecord.Isr", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("PartitionRecord.Isr", 10000000)
    end = i + n * 4
    m.isr = [read_i32_be(data, j) for j in range(i, end, 4)]
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 4 > size - i:
        raise bad_count("PartitionRecord.RemovingReplicas", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("PartitionRecord.RemovingReplicas", 10000000)
    end = i + n * 4
    m.removing_replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 4 > size - i:
        raise bad_count("PartitionRecord.AddingReplicas", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("PartitionRecord.AddingReplicas", 10000000)
    end = i + n * 4
    m.adding_replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
    i = end
    m.leader = read_i32_be(data, i)
    m.leader_epoch = read_i32_be(data, i + 4)
    m.partition_epoch = read_i32_be(data, i + 8)
    n = data[i + 12]
    i += 13
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
                m.leader_recovery_state = (data[i] ^ 0x80) - 0x80
                i += 1
                if i != stop1:
                    raise bad_tag_size("PartitionRecord.LeaderRecoveryState")
            else:
                check_unknown_tag(tag1, stop1 - i, unknown1)
                unknown1 += 1
                i = stop1
    return m, i


def _encode_0(m: PartitionRecord, w: BytesWriter, version: int) -> None:
    if len(m.directories) > 0:
        raise not_carried("PartitionRecord.Directories", version)
    if m.eligible_leader_replicas is not None:
        raise not_carried("PartitionRecord.EligibleLeaderReplicas", version)
    if m.last_known_elr is not None:
        raise not_carried("PartitionRecord.LastKnownElr", version)
    write_i32_be(w, m.partition_id)
    write_uuid(w, m.topic_id)
    v1 = m.replicas
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_i32_be(w, s1)
    v2 = m.isr
    write_uvarint(w, len(v2) + 1)
    for s2 in v2:
        write_i32_be(w, s2)
    v3 = m.removing_replicas
    write_uvarint(w, len(v3) + 1)
    for s3 in v3:
        write_i32_be(w, s3)
    v4 = m.adding_replicas
    write_uvarint(w, len(v4) + 1)
    for s4 in v4:
        write_i32_be(w, s4)
    write_i32_be(w, m.leader)
    write_i32_be(w, m.leader_epoch)
    write_i32_be(w, m.partition_epoch)
    t1 = m.leader_recovery_state != 0
    if t1:
        write_uvarint(w, int(t1))
        if t1:
            write_uvarint(w, 0)
            w.append(1)
            write_i8(w, m.leader_recovery_state)
    else:
        w.append(0)


def _decode_1(data: bytes, i: i64) -> tuple[PartitionRecord, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = PartitionRecord()
    m.partition_id = read_i32_be(data, i)
    i += 4
    end = i + 16
    if end > size:
        raise bad_length("PartitionRecord.TopicId", 16, size - i)
    m.topic_id = data[i:end]
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 4 > size - i:
        raise bad_count("PartitionRecord.Replicas", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("PartitionRecord.Replicas", 10000000)
    end = i + n * 4
    m.replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 4 > size - i:
        raise bad_count("PartitionRecord.Isr", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("PartitionRecord.Isr", 10000000)
    end = i + n * 4
    m.isr = [read_i32_be(data, j) for j in range(i, end, 4)]
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 4 > size - i:
        raise bad_count("PartitionRecord.RemovingReplicas", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("PartitionRecord.RemovingReplicas", 10000000)
    end = i + n * 4
    m.removing_replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 4 > size - i:
        raise bad_count("PartitionRecord.AddingReplicas", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("PartitionRecord.AddingReplicas", 10000000)
    end = i + n * 4
    m.adding_replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
    i = end
    m.leader = read_i32_be(data, i)
    m.leader_epoch = read_i32_be(data, i + 4)
    m.partition_epoch = read_i32_be(data, i + 8)
    n = data[i + 12]
    i += 13
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 16 > size - i:
        raise bad_count("PartitionRecord.Directories", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("PartitionRecord.Directories", 10000000)
    count1 = n
    found1: list[bytes] = []
    m.directories = found1
    for _ in range(count1):
        end = i + 16
        if end > size:
            raise bad_length("PartitionRecord.Directories", 16, size - i)
        v1 = data[i:end]
        i = end
        found1.append(v1)
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
                m.leader_recovery_state = (data[i] ^ 0x80) - 0x80
                i += 1
                if i != stop1:
                    raise bad_tag_size("PartitionRecord.LeaderRecoveryState")
            else:
                check_unknown_tag(tag1, stop1 - i, unknown1)
                unknown1 += 1
                i = stop1
    return m, i


def _encode_1(m: PartitionRecord, w: BytesWriter, version: int) -> None:
    if m.eligible_leader_replicas is not None:
        raise not_carried("PartitionRecord.EligibleLeaderReplicas", version)
    if m.last_known_elr is not None:
        raise not_carried("PartitionRecord.LastKnownElr", version)
    write_i32_be(w, m.partition_id)
    write_uuid(w, m.topic_id)
    v1 = m.replicas
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_i32_be(w, s1)
    v2 = m.isr
    write_uvarint(w, len(v2) + 1)
    for s2 in v2:
        write_i32_be(w, s2)
    v3 = m.removing_replicas
    write_uvarint(w, len(v3) + 1)
    for s3 in v3:
        write_i32_be(w, s3)
    v4 = m.adding_replicas
    write_uvarint(w, len(v4) + 1)
    for s4 in v4:
        write_i32_be(w, s4)
    write_i32_be(w, m.leader)
    write_i32_be(w, m.leader_epoch)
    write_i32_be(w, m.partition_epoch)
    v5 = m.directories
    write_uvarint(w, len(v5) + 1)
    for s5 in v5:
        write_uuid(w, s5)
    t1 = m.leader_recovery_state != 0
    if t1:
        write_uvarint(w, int(t1))
        if t1:
            write_uvarint(w, 0)
            w.append(1)
            write_i8(w, m.leader_recovery_state)
    else:
        w.append(0)


def _decode_2(data: bytes, i: i64) -> tuple[PartitionRecord, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = PartitionRecord()
    m.partition_id = read_i32_be(data, i)
    i += 4
    end = i + 16
    if end > size:
        raise bad_length("PartitionRecord.TopicId", 16, size - i)
    m.topic_id = data[i:end]
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 4 > size - i:
        raise bad_count("PartitionRecord.Replicas", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("PartitionRecord.Replicas", 10000000)
    end = i + n * 4
    m.replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 4 > size - i:
        raise bad_count("PartitionRecord.Isr", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("PartitionRecord.Isr", 10000000)
    end = i + n * 4
    m.isr = [read_i32_be(data, j) for j in range(i, end, 4)]
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 4 > size - i:
        raise bad_count("PartitionRecord.RemovingReplicas", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("PartitionRecord.RemovingReplicas", 10000000)
    end = i + n * 4
    m.removing_replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 4 > size - i:
        raise bad_count("PartitionRecord.AddingReplicas", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("PartitionRecord.AddingReplicas", 10000000)
    end = i + n * 4
    m.adding_replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
    i = end
    m.leader = read_i32_be(data, i)
    m.leader_epoch = read_i32_be(data, i + 4)
    m.partition_epoch = read_i32_be(data, i + 8)
    n = data[i + 12]
    i += 13
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 16 > size - i:
        raise bad_count("PartitionRecord.Directories", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("PartitionRecord.Directories", 10000000)
    count1 = n
    found1: list[bytes] = []
    m.directories = found1
    for _ in range(count1):
        end = i + 16
        if end > size:
            raise bad_length("PartitionRecord.Directories", 16, size - i)
        v1 = data[i:end]
        i = end
        found1.append(v1)
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
                m.leader_recovery_state = (data[i] ^ 0x80) - 0x80
                i += 1
                if i != stop1:
                    raise bad_tag_size("PartitionRecord.LeaderRecoveryState")
            elif tag1 == 1:
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n == -1:
                    m.eligible_leader_replicas = None
                else:
                    if n < 0 or n * 4 > size - i:
                        raise bad_count("PartitionRecord.EligibleLeaderReplicas", n, size - i)
                    budget -= n
                    if budget < 0:
                        raise over_budget("PartitionRecord.EligibleLeaderReplicas", 10000000)
                    end = i + n * 4
                    m.eligible_leader_replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
                    i = end
                if i != stop1:
                    raise bad_tag_size("PartitionRecord.EligibleLeaderReplicas")
            elif tag1 == 2:
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n == -1:
                    m.last_known_elr = None
                else:
                    if n < 0 or n * 4 > size - i:
                        raise bad_count("PartitionRecord.LastKnownElr", n, size - i)
                    budget -= n
                    if budget < 0:
                        raise over_budget("PartitionRecord.LastKnownElr", 10000000)
                    end = i + n * 4
                    m.last_known_elr = [read_i32_be(data, j) for j in range(i, end, 4)]
                    i = end
                if i != stop1:
                    raise bad_tag_size("PartitionRecord.LastKnownElr")
            else:
                check_unknown_tag(tag1, stop1 - i, unknown1)
                unknown1 += 1
                i = stop1
    return m, i


def _encode_2(m: PartitionRecord, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.partition_id)
    write_uuid(w, m.topic_id)
    v1 = m.replicas
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_i32_be(w, s1)
    v2 = m.isr
    write_uvarint(w, len(v2) + 1)
    for s2 in v2:
        write_i32_be(w, s2)
    v3 = m.removing_replicas
    write_uvarint(w, len(v3) + 1)
    for s3 in v3:
        write_i32_be(w, s3)
    v4 = m.adding_replicas
    write_uvarint(w, len(v4) + 1)
    for s4 in v4:
        write_i32_be(w, s4)
    write_i32_be(w, m.leader)
    write_i32_be(w, m.leader_epoch)
    write_i32_be(w, m.partition_epoch)
    v5 = m.directories
    write_uvarint(w, len(v5) + 1)
    for s5 in v5:
        write_uuid(w, s5)
    t1 = m.leader_recovery_state != 0
    t2 = m.eligible_leader_replicas is not None
    t3 = m.last_known_elr is not None
    if t1 or t2 or t3:
        write_uvarint(w, int(t1) + int(t2) + int(t3))
        if t1:
            write_uvarint(w, 0)
            w.append(1)
            write_i8(w, m.leader_recovery_state)
        if t2:
            w1 = BytesWriter()
            v6 = m.eligible_leader_replicas
            if v6 is None:
                w1.append(0)
            else:
                write_uvarint(w1, len(v6) + 1)
                for s6 in v6:
                    write_i32_be(w1, s6)
            write_tag(w, 1, w1)
        if t3:
            w2 = BytesWriter()
            v7 = m.last_known_elr
            if v7 is None:
                w2.append(0)
            else:
                write_uvarint(w2, len(v7) + 1)
                for s7 in v7:
                    write_i32_be(w2, s7)
            write_tag(w, 2, w2)
    else:
        w.append(0)
