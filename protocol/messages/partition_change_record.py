"""PartitionChangeRecord, generated from PartitionChangeRecord.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i32_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
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
    '{"apiKey":5,"type":"metadata","name":"PartitionChangeRecord","validVersions":"0-2","flexib'
    'leVersions":"0+","fields":[{"name":"PartitionId","type":"int32","versions":"0+","default":'
    '"-1"},{"name":"TopicId","type":"uuid","versions":"0+"},{"name":"Isr","type":"[]int32","def'
    'ault":"null","entityType":"brokerId","versions":"0+","nullableVersions":"0+","taggedVersio'
    'ns":"0+","tag":0},{"name":"Leader","type":"int32","default":"-2","entityType":"brokerId","'
    'versions":"0+","taggedVersions":"0+","tag":1},{"name":"Replicas","type":"[]int32","default'
    '":"null","entityType":"brokerId","versions":"0+","nullableVersions":"0+","taggedVersions":'
    '"0+","tag":2},{"name":"RemovingReplicas","type":"[]int32","default":"null","entityType":"b'
    'rokerId","versions":"0+","nullableVersions":"0+","taggedVersions":"0+","tag":3},{"name":"A'
    'ddingReplicas","type":"[]int32","default":"null","entityType":"brokerId","versions":"0+","'
    'nullableVersions":"0+","taggedVersions":"0+","tag":4},{"name":"LeaderRecoveryState","type"'
    ':"int8","default":"-1","versions":"0+","taggedVersions":"0+","tag":5},{"name":"Directories'
    '","type":"[]uuid","default":"null","versions":"1+","nullableVersions":"1+","taggedVersions'
    '":"1+","tag":8},{"name":"EligibleLeaderReplicas","type":"[]int32","default":"null","entity'
    'Type":"brokerId","versions":"2+","nullableVersions":"2+","taggedVersions":"2+","tag":6},{"'
    'name":"LastKnownElr","type":"[]int32","default":"null","entityType":"brokerId","versions":'
    '"2+","nullableVersions":"2+","taggedVersions":"2+","tag":7}]}'
)


class PartitionChangeRecord(Message):
    """Metadata: what has changed of a partition; absent tags have not."""

    __slots__ = (
        "partition_id",
        "topic_id",
        "isr",
        "leader",
        "replicas",
        "removing_replicas",
        "adding_replicas",
        "leader_recovery_state",
        "directories",
        "eligible_leader_replicas",
        "last_known_elr",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "partition_id",
        "topic_id",
        "isr",
        "leader",
        "replicas",
        "removing_replicas",
        "adding_replicas",
        "leader_recovery_state",
        "directories",
        "eligible_leader_replicas",
        "last_known_elr",
    )
    NAME: ClassVar[str] = "PartitionChangeRecord"
    KIND: ClassVar[str] = "metadata"
    API_KEY: ClassVar[int | None] = 5
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    partition_id: int  # Number of the partition.
    topic_id: bytes  # Id of its topic.
    isr: list[int] | None  # The replicas that are in sync from now on, or null.
    leader: int  # The leader from now on; -1 for none, -2 for no change.
    replicas: list[int] | None  # The brokers that hold it from now on, or null.
    removing_replicas: list[int] | None  # The replicas that are on their way out, or null.
    adding_replicas: list[int] | None  # The replicas that are on their way in, or null.
    leader_recovery_state: int  # 1 after an unclean election until the leader has recovered, 0 then, -1 for no change.
    directories: list[bytes] | None  # Id of the directory on each replica, in their order, or null.
    eligible_leader_replicas: list[int] | None  # Replicas out of sync that have all committed records, or null.
    last_known_elr: list[int] | None  # Replicas that might have them, or null.

    def __init__(
        self,
        *,
        partition_id: int = -1,
        topic_id: bytes = ZERO_UUID,
        isr: list[int] | None = None,
        leader: int = -2,
        replicas: list[int] | None = None,
        removing_replicas: list[int] | None = None,
        adding_replicas: list[int] | None = None,
        leader_recovery_state: int = -1,
        directories: list[bytes] | None = None,
        eligible_leader_replicas: list[int] | None = None,
        last_known_elr: list[int] | None = None,
    ) -> None:
        self.partition_id = partition_id
        self.topic_id = topic_id
        self.isr = isr
        self.leader = leader
        self.replicas = replicas
        self.removing_replicas = removing_replicas
        self.adding_replicas = adding_replicas
        self.leader_recovery_state = leader_recovery_state
        self.directories = directories
        self.eligible_leader_replicas = eligible_leader_replicas
        self.last_known_elr = last_known_elr

    @staticmethod
    def decode(data: bytes, version: int) -> PartitionChangeRecord:
        message, end = PartitionChangeRecord.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("PartitionChangeRecord", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[PartitionChangeRecord, int]:
        try:
            if version == 2:
                return _decode_2(data, offset)
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("PartitionChangeRecord", version, len(data), error) from None
        raise no_version("PartitionChangeRecord", version)

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
            raise no_encoding("PartitionChangeRecord", version, error) from error
        raise no_encoding("PartitionChangeRecord", version)


def _decode_0(data: bytes, i: i64) -> tuple[PartitionChangeRecord, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = PartitionChangeRecord()
    m.partition_id = read_i32_be(data, i)
    i += 4
    end = i + 16
    if end > size:
        raise bad_length("PartitionChangeRecord.TopicId", 16, size - i)
    m.topic_id = data[i:end]
    i = end
    n = data[i]
    i += 1
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
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n == -1:
                    m.isr = None
                else:
                    if n < 0 or n * 4 > size - i:
                        raise bad_count("PartitionChangeRecord.Isr", n, size - i)
                    budget -= n
                    if budget < 0:
                        raise over_budget("PartitionChangeRecord.Isr", 10000000)
                    end = i + n * 4
                    m.isr = [read_i32_be(data, j) for j in range(i, end, 4)]
                    i = end
                if i != stop1:
                    raise bad_tag_size("PartitionChangeRecord.Isr")
            elif tag1 == 1:
                m.leader = read_i32_be(data, i)
                i += 4
                if i != stop1:
                    raise bad_tag_size("PartitionChangeRecord.Leader")
            elif tag1 == 2:
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n == -1:
                    m.replicas = None
                else:
                    if n < 0 or n * 4 > size - i:
                        raise bad_count("PartitionChangeRecord.Replicas", n, size - i)
                    budget -= n
                    if budget < 0:
                        raise over_budget("PartitionChangeRecord.Replicas", 10000000)
                    end = i + n * 4
                    m.replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
                    i = end
                if i != stop1:
                    raise bad_tag_size("PartitionChangeRecord.Replicas")
            elif tag1 == 3:
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n == -1:
                    m.removing_replicas = None
                else:
                    if n < 0 or n * 4 > size - i:
                        raise bad_count("PartitionChangeRecord.RemovingReplicas", n, size - i)
                    budget -= n
                    if budget < 0:
                        raise over_budget("PartitionChangeRecord.RemovingReplicas", 10000000)
                    end = i + n * 4
                    m.removing_replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
                    i = end
                if i != stop1:
                    raise bad_tag_size("PartitionChangeRecord.RemovingReplicas")
            elif tag1 == 4:
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n == -1:
                    m.adding_replicas = None
                else:
                    if n < 0 or n * 4 > size - i:
                        raise bad_count("PartitionChangeRecord.AddingReplicas", n, size - i)
                    budget -= n
                    if budget < 0:
                        raise over_budget("PartitionChangeRecord.AddingReplicas", 10000000)
                    end = i + n * 4
                    m.adding_replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
                    i = end
                if i != stop1:
                    raise bad_tag_size("PartitionChangeRecord.AddingReplicas")
            elif tag1 == 5:
                m.leader_recovery_state = (data[i] ^ 0x80) - 0x80
                i += 1
                if i != stop1:
                    raise bad_tag_size("PartitionChangeRecord.LeaderRecoveryState")
            else:
                check_unknown_tag(tag1, stop1 - i, unknown1)
                unknown1 += 1
                i = stop1
    return m, i


def _encode_0(m: PartitionChangeRecord, w: BytesWriter, version: int) -> None:
    if m.directories is not None:
        raise not_carried("PartitionChangeRecord.Directories", version)
    if m.eligible_leader_replicas is not None:
        raise not_carried("PartitionChangeRecord.EligibleLeaderReplicas", version)
    if m.last_known_elr is not None:
        raise not_carried("PartitionChangeRecord.LastKnownElr", version)
    write_i32_be(w, m.partition_id)
    write_uuid(w, m.topic_id)
    t1 = m.isr is not None
    t2 = m.leader != -2
    t3 = m.replicas is not None
    t4 = m.removing_replicas is not None
    t5 = m.adding_replicas is not None
    t6 = m.leader_recovery_state != -1
    if t1 or t2 or t3 or t4 or t5 or t6:
        write_uvarint(w, int(t1) + int(t2) + int(t3) + int(t4) + int(t5) + int(t6))
        if t1:
            w1 = BytesWriter()
            v1 = m.isr
            if v1 is None:
                w1.append(0)
            else:
                write_uvarint(w1, len(v1) + 1)
                for s1 in v1:
                    write_i32_be(w1, s1)
            write_tag(w, 0, w1)
        if t2:
            write_uvarint(w, 1)
            w.append(4)
            write_i32_be(w, m.leader)
        if t3:
            w2 = BytesWriter()
            v2 = m.replicas
            if v2 is None:
                w2.append(0)
            else:
                write_uvarint(w2, len(v2) + 1)
                for s2 in v2:
                    write_i32_be(w2, s2)
            write_tag(w, 2, w2)
        if t4:
            w3 = BytesWriter()
            v3 = m.removing_replicas
            if v3 is None:
                w3.append(0)
            else:
                write_uvarint(w3, len(v3) + 1)
                for s3 in v3:
                    write_i32_be(w3, s3)
            write_tag(w, 3, w3)
        if t5:
            w4 = BytesWriter()
            v4 = m.adding_replicas
            if v4 is None:
                w4.append(0)
            else:
                write_uvarint(w4, len(v4) + 1)
                for s4 in v4:
                    write_i32_be(w4, s4)
            write_tag(w, 4, w4)
        if t6:
            write_uvarint(w, 5)
            w.append(1)
            write_i8(w, m.leader_recovery_state)
    else:
        w.append(0)


def _decode_1(data: bytes, i: i64) -> tuple[PartitionChangeRecord, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = PartitionChangeRecord()
    m.partition_id = read_i32_be(data, i)
    i += 4
    end = i + 16
    if end > size:
        raise bad_length("PartitionChangeRecord.TopicId", 16, size - i)
    m.topic_id = data[i:end]
    i = end
    n = data[i]
    i += 1
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
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n == -1:
                    m.isr = None
                else:
                    if n < 0 or n * 4 > size - i:
                        raise bad_count("PartitionChangeRecord.Isr", n, size - i)
                    budget -= n
                    if budget < 0:
                        raise over_budget("PartitionChangeRecord.Isr", 10000000)
                    end = i + n * 4
                    m.isr = [read_i32_be(data, j) for j in range(i, end, 4)]
                    i = end
                if i != stop1:
                    raise bad_tag_size("PartitionChangeRecord.Isr")
            elif tag1 == 1:
                m.leader = read_i32_be(data, i)
                i += 4
                if i != stop1:
                    raise bad_tag_size("PartitionChangeRecord.Leader")
            elif tag1 == 2:
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n == -1:
                    m.replicas = None
                else:
                    if n < 0 or n * 4 > size - i:
                        raise bad_count("PartitionChangeRecord.Replicas", n, size - i)
                    budget -= n
                    if budget < 0:
                        raise over_budget("PartitionChangeRecord.Replicas", 10000000)
                    end = i + n * 4
                    m.replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
                    i = end
                if i != stop1:
                    raise bad_tag_size("PartitionChangeRecord.Replicas")
            elif tag1 == 3:
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n == -1:
                    m.removing_replicas = None
                else:
                    if n < 0 or n * 4 > size - i:
                        raise bad_count("PartitionChangeRecord.RemovingReplicas", n, size - i)
                    budget -= n
                    if budget < 0:
                        raise over_budget("PartitionChangeRecord.RemovingReplicas", 10000000)
                    end = i + n * 4
                    m.removing_replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
                    i = end
                if i != stop1:
                    raise bad_tag_size("PartitionChangeRecord.RemovingReplicas")
            elif tag1 == 4:
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n == -1:
                    m.adding_replicas = None
                else:
                    if n < 0 or n * 4 > size - i:
                        raise bad_count("PartitionChangeRecord.AddingReplicas", n, size - i)
                    budget -= n
                    if budget < 0:
                        raise over_budget("PartitionChangeRecord.AddingReplicas", 10000000)
                    end = i + n * 4
                    m.adding_replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
                    i = end
                if i != stop1:
                    raise bad_tag_size("PartitionChangeRecord.AddingReplicas")
            elif tag1 == 5:
                m.leader_recovery_state = (data[i] ^ 0x80) - 0x80
                i += 1
                if i != stop1:
                    raise bad_tag_size("PartitionChangeRecord.LeaderRecoveryState")
            elif tag1 == 8:
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n == -1:
                    m.directories = None
                else:
                    if n < 0 or n * 16 > size - i:
                        raise bad_count("PartitionChangeRecord.Directories", n, size - i)
                    budget -= n
                    if budget < 0:
                        raise over_budget("PartitionChangeRecord.Directories", 10000000)
                    count2 = n
                    found1: list[bytes] = []
                    m.directories = found1
                    for _ in range(count2):
                        end = i + 16
                        if end > size:
                            raise bad_length("PartitionChangeRecord.Directories", 16, size - i)
                        v1 = data[i:end]
                        i = end
                        found1.append(v1)
                if i != stop1:
                    raise bad_tag_size("PartitionChangeRecord.Directories")
            else:
                check_unknown_tag(tag1, stop1 - i, unknown1)
                unknown1 += 1
                i = stop1
    return m, i


def _encode_1(m: PartitionChangeRecord, w: BytesWriter, version: int) -> None:
    if m.eligible_leader_replicas is not None:
        raise not_carried("PartitionChangeRecord.EligibleLeaderReplicas", version)
    if m.last_known_elr is not None:
        raise not_carried("PartitionChangeRecord.LastKnownElr", version)
    write_i32_be(w, m.partition_id)
    write_uuid(w, m.topic_id)
    t1 = m.isr is not None
    t2 = m.leader != -2
    t3 = m.replicas is not None
    t4 = m.removing_replicas is not None
    t5 = m.adding_replicas is not None
    t6 = m.leader_recovery_state != -1
    t7 = m.directories is not None
    if t1 or t2 or t3 or t4 or t5 or t6 or t7:
        write_uvarint(w, int(t1) + int(t2) + int(t3) + int(t4) + int(t5) + int(t6) + int(t7))
        if t1:
            w1 = BytesWriter()
            v1 = m.isr
            if v1 is None:
                w1.append(0)
            else:
                write_uvarint(w1, len(v1) + 1)
                for s1 in v1:
                    write_i32_be(w1, s1)
            write_tag(w, 0, w1)
        if t2:
            write_uvarint(w, 1)
            w.append(4)
            write_i32_be(w, m.leader)
        if t3:
            w2 = BytesWriter()
            v2 = m.replicas
            if v2 is None:
                w2.append(0)
            else:
                write_uvarint(w2, len(v2) + 1)
                for s2 in v2:
                    write_i32_be(w2, s2)
            write_tag(w, 2, w2)
        if t4:
            w3 = BytesWriter()
            v3 = m.removing_replicas
            if v3 is None:
                w3.append(0)
            else:
                write_uvarint(w3, len(v3) + 1)
                for s3 in v3:
                    write_i32_be(w3, s3)
            write_tag(w, 3, w3)
        if t5:
            w4 = BytesWriter()
            v4 = m.adding_replicas
            if v4 is None:
                w4.append(0)
            else:
                write_uvarint(w4, len(v4) + 1)
                for s4 in v4:
                    write_i32_be(w4, s4)
            write_tag(w, 4, w4)
        if t6:
            write_uvarint(w, 5)
            w.append(1)
            write_i8(w, m.leader_recovery_state)
        if t7:
            w5 = BytesWriter()
            v5 = m.directories
            if v5 is None:
                w5.append(0)
            else:
                write_uvarint(w5, len(v5) + 1)
                for s5 in v5:
                    write_uuid(w5, s5)
            write_tag(w, 8, w5)
    else:
        w.append(0)


def _decode_2(data: bytes, i: i64) -> tuple[PartitionChangeRecord, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = PartitionChangeRecord()
    m.partition_id = read_i32_be(data, i)
    i += 4
    end = i + 16
    if end > size:
        raise bad_length("PartitionChangeRecord.TopicId", 16, size - i)
    m.topic_id = data[i:end]
    i = end
    n = data[i]
    i += 1
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
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n == -1:
                    m.isr = None
                else:
                    if n < 0 or n * 4 > size - i:
                        raise bad_count("PartitionChangeRecord.Isr", n, size - i)
                    budget -= n
                    if budget < 0:
                        raise over_budget("PartitionChangeRecord.Isr", 10000000)
                    end = i + n * 4
                    m.isr = [read_i32_be(data, j) for j in range(i, end, 4)]
                    i = end
                if i != stop1:
                    raise bad_tag_size("PartitionChangeRecord.Isr")
            elif tag1 == 1:
                m.leader = read_i32_be(data, i)
                i += 4
                if i != stop1:
                    raise bad_tag_size("PartitionChangeRecord.Leader")
            elif tag1 == 2:
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n == -1:
                    m.replicas = None
                else:
                    if n < 0 or n * 4 > size - i:
                        raise bad_count("PartitionChangeRecord.Replicas", n, size - i)
                    budget -= n
                    if budget < 0:
                        raise over_budget("PartitionChangeRecord.Replicas", 10000000)
                    end = i + n * 4
                    m.replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
                    i = end
                if i != stop1:
                    raise bad_tag_size("PartitionChangeRecord.Replicas")
            elif tag1 == 3:
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n == -1:
                    m.removing_replicas = None
                else:
                    if n < 0 or n * 4 > size - i:
                        raise bad_count("PartitionChangeRecord.RemovingReplicas", n, size - i)
                    budget -= n
                    if budget < 0:
                        raise over_budget("PartitionChangeRecord.RemovingReplicas", 10000000)
                    end = i + n * 4
                    m.removing_replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
                    i = end
                if i != stop1:
                    raise bad_tag_size("PartitionChangeRecord.RemovingReplicas")
            elif tag1 == 4:
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n == -1:
                    m.adding_replicas = None
                else:
                    if n < 0 or n * 4 > size - i:
                        raise bad_count("PartitionChangeRecord.AddingReplicas", n, size - i)
                    budget -= n
                    if budget < 0:
                        raise over_budget("PartitionChangeRecord.AddingReplicas", 10000000)
                    end = i + n * 4
                    m.adding_replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
                    i = end
                if i != stop1:
                    raise bad_tag_size("PartitionChangeRecord.AddingReplicas")
            elif tag1 == 5:
                m.leader_recovery_state = (data[i] ^ 0x80) - 0x80
                i += 1
                if i != stop1:
                    raise bad_tag_size("PartitionChangeRecord.LeaderRecoveryState")
            elif tag1 == 6:
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n == -1:
                    m.eligible_leader_replicas = None
                else:
                    if n < 0 or n * 4 > size - i:
                        raise bad_count("PartitionChangeRecord.EligibleLeaderReplicas", n, size - i)
                    budget -= n
                    if budget < 0:
                        raise over_budget("PartitionChangeRecord.EligibleLeaderReplicas", 10000000)
                    end = i + n * 4
                    m.eligible_leader_replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
                    i = end
                if i != stop1:
                    raise bad_tag_size("PartitionChangeRecord.EligibleLeaderReplicas")
            elif tag1 == 7:
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n == -1:
                    m.last_known_elr = None
                else:
                    if n < 0 or n * 4 > size - i:
                        raise bad_count("PartitionChangeRecord.LastKnownElr", n, size - i)
                    budget -= n
                    if budget < 0:
                        raise over_budget("PartitionChangeRecord.LastKnownElr", 10000000)
                    end = i + n * 4
                    m.last_known_elr = [read_i32_be(data, j) for j in range(i, end, 4)]
                    i = end
                if i != stop1:
                    raise bad_tag_size("PartitionChangeRecord.LastKnownElr")
            elif tag1 == 8:
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n == -1:
                    m.directories = None
                else:
                    if n < 0 or n * 16 > size - i:
                        raise bad_count("PartitionChangeRecord.Directories", n, size - i)
                    budget -= n
                    if budget < 0:
                        raise over_budget("PartitionChangeRecord.Directories", 10000000)
                    count2 = n
                    found1: list[bytes] = []
                    m.directories = found1
                    for _ in range(count2):
                        end = i + 16
                        if end > size:
                            raise bad_length("PartitionChangeRecord.Directories", 16, size - i)
                        v1 = data[i:end]
                        i = end
                        found1.append(v1)
                if i != stop1:
                    raise bad_tag_size("PartitionChangeRecord.Directories")
            else:
                check_unknown_tag(tag1, stop1 - i, unknown1)
                unknown1 += 1
                i = stop1
    return m, i


def _encode_2(m: PartitionChangeRecord, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.partition_id)
    write_uuid(w, m.topic_id)
    t1 = m.isr is not None
    t2 = m.leader != -2
    t3 = m.replicas is not None
    t4 = m.removing_replicas is not None
    t5 = m.adding_replicas is not None
    t6 = m.leader_recovery_state != -1
    t7 = m.eligible_leader_replicas is not None
    t8 = m.last_known_elr is not None
    t9 = m.directories is not None
    if t1 or t2 or t3 or t4 or t5 or t6 or t7 or t8 or t9:
        write_uvarint(w, int(t1) + int(t2) + int(t3) + int(t4) + int(t5) + int(t6) + int(t7) + int(t8) + int(t9))
        if t1:
            w1 = BytesWriter()
            v1 = m.isr
            if v1 is None:
                w1.append(0)
            else:
                write_uvarint(w1, len(v1) + 1)
                for s1 in v1:
                    write_i32_be(w1, s1)
            write_tag(w, 0, w1)
        if t2:
            write_uvarint(w, 1)
            w.append(4)
            write_i32_be(w, m.leader)
        if t3:
            w2 = BytesWriter()
            v2 = m.replicas
            if v2 is None:
                w2.append(0)
            else:
                write_uvarint(w2, len(v2) + 1)
                for s2 in v2:
                    write_i32_be(w2, s2)
            write_tag(w, 2, w2)
        if t4:
            w3 = BytesWriter()
            v3 = m.removing_replicas
            if v3 is None:
                w3.append(0)
            else:
                write_uvarint(w3, len(v3) + 1)
                for s3 in v3:
                    write_i32_be(w3, s3)
            write_tag(w, 3, w3)
        if t5:
            w4 = BytesWriter()
            v4 = m.adding_replicas
            if v4 is None:
                w4.append(0)
            else:
                write_uvarint(w4, len(v4) + 1)
                for s4 in v4:
                    write_i32_be(w4, s4)
            write_tag(w, 4, w4)
        if t6:
            write_uvarint(w, 5)
            w.append(1)
            write_i8(w, m.leader_recovery_state)
        if t7:
            w5 = BytesWriter()
            v5 = m.eligible_leader_replicas
            if v5 is None:
                w5.append(0)
            else:
                write_uvarint(w5, len(v5) + 1)
                for s5 in v5:
                    write_i32_be(w5, s5)
            write_tag(w, 6, w5)
        if t8:
            w6 = BytesWriter()
            v6 = m.last_known_elr
            if v6 is None:
                w6.append(0)
            else:
                write_uvarint(w6, len(v6) + 1)
                for s6 in v6:
                    write_i32_be(w6, s6)
            write_tag(w, 7, w6)
        if t9:
            w7 = BytesWriter()
            v7 = m.directories
            if v7 is None:
                w7.append(0)
            else:
                write_uvarint(w7, len(v7) + 1)
                for s7 in v7:
                    write_uuid(w7, s7)
            write_tag(w, 8, w7)
    else:
        w.append(0)
