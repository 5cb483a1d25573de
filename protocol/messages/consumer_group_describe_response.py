"""ConsumerGroupDescribeResponse, generated from ConsumerGroupDescribeResponse.json: do not edit, run `make generate`."""

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
    decode_failure,
    no_encoding,
    no_version,
    over_budget,
    skip_tagged_fields,
    trailing,
    write_compact_nullable_string,
    write_compact_string,
    write_i8,
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":69,"type":"response","name":"ConsumerGroupDescribeResponse","validVersions":"0-1'
    '","flexibleVersions":"0+","commonStructs":[{"name":"TopicPartitions","versions":"0+","fiel'
    'ds":[{"name":"TopicId","type":"uuid","versions":"0+"},{"name":"TopicName","type":"string",'
    '"versions":"0+","entityType":"topicName"},{"name":"Partitions","type":"[]int32","versions"'
    ':"0+"}]},{"name":"Assignment","versions":"0+","fields":[{"name":"TopicPartitions","type":"'
    '[]TopicPartitions","versions":"0+"}]}],"fields":[{"name":"ThrottleTimeMs","type":"int32","'
    'versions":"0+"},{"name":"Groups","type":"[]DescribedGroup","versions":"0+","fields":[{"nam'
    'e":"ErrorCode","type":"int16","versions":"0+"},{"name":"ErrorMessage","type":"string","ver'
    'sions":"0+","nullableVersions":"0+","default":"null"},{"name":"GroupId","type":"string","v'
    'ersions":"0+","entityType":"groupId"},{"name":"GroupState","type":"string","versions":"0+"'
    '},{"name":"GroupEpoch","type":"int32","versions":"0+"},{"name":"AssignmentEpoch","type":"i'
    'nt32","versions":"0+"},{"name":"AssignorName","type":"string","versions":"0+"},{"name":"Me'
    'mbers","type":"[]Member","versions":"0+","fields":[{"name":"MemberId","type":"string","ver'
    'sions":"0+"},{"name":"InstanceId","type":"string","versions":"0+","nullableVersions":"0+",'
    '"default":"null"},{"name":"RackId","type":"string","versions":"0+","nullableVersions":"0+"'
    ',"default":"null"},{"name":"MemberEpoch","type":"int32","versions":"0+"},{"name":"ClientId'
    '","type":"string","versions":"0+"},{"name":"ClientHost","type":"string","versions":"0+"},{'
    '"name":"SubscribedTopicNames","type":"[]string","versions":"0+","entityType":"topicName"},'
    '{"name":"SubscribedTopicRegex","type":"string","versions":"0+","nullableVersions":"0+","de'
    'fault":"null"},{"name":"Assignment","type":"Assignment","versions":"0+"},{"name":"TargetAs'
    'signment","type":"Assignment","versions":"0+"},{"name":"MemberType","type":"int8","version'
    's":"1+","default":"-1","ignorable":true}]},{"name":"AuthorizedOperations","type":"int32","'
    'versions":"0+","default":"-2147483648"}]}]}'
)


class TopicPartitions(Struct):
    """Partitions of one topic."""

    __slots__ = ("topic_id", "topic_name", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("topic_id", "topic_name", "partitions")
    topic_id: bytes  # Id of the topic.
    topic_name: str  # Name of the topic.
    partitions: list[int]  # Numbers of the partitions.

    def __init__(
        self,
        *,
        topic_id: bytes = ZERO_UUID,
        topic_name: str = "",
        partitions: list[int] = UNSET_LIST,
    ) -> None:
        self.topic_id = topic_id
        self.topic_name = topic_name
        self.partitions = [] if partitions is UNSET_LIST else partitions


class Assignment(Struct):
    """What a member has, or shall have."""

    __slots__ = ("topic_partitions",)
    FIELDS: ClassVar[tuple[str, ...]] = ("topic_partitions",)
    topic_partitions: list[TopicPartitions]  # The partitions, topic by topic.

    def __init__(
        self,
        *,
        topic_partitions: list[TopicPartitions] = UNSET_LIST,
    ) -> None:
        self.topic_partitions = [] if topic_partitions is UNSET_LIST else topic_partitions


class Member(Struct):
    """The members of the group."""

    __slots__ = (
        "member_id",
        "instance_id",
        "rack_id",
        "member_epoch",
        "client_id",
        "client_host",
        "subscribed_topic_names",
        "subscribed_topic_regex",
        "assignment",
        "target_assignment",
        "member_type",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "member_id",
        "instance_id",
        "rack_id",
        "member_epoch",
        "client_id",
        "client_host",
        "subscribed_topic_names",
        "subscribed_topic_regex",
        "assignment",
        "target_assignment",
        "member_type",
    )
    member_id: str  # Id of the member.
    instance_id: str | None  # Name that the member keeps over restarts (a static member), or null.
    rack_id: str | None  # Where the member stands, or null.
    member_epoch: int  # Group epoch that the member has reached.
    client_id: str  # Client id that the member sends with its requests.
    client_host: str  # Address that the member's requests come from.
    subscribed_topic_names: list[str]  # Names of the topics that the member asked for.
    subscribed_topic_regex: str | None  # Regular expression of the topics that the member asked for; null or empty for none.
    assignment: Assignment  # The partitions that the member has now.
    target_assignment: Assignment  # The partitions that the member shall have once every member has caught up.
    member_type: int  # How the member takes part: 0 by the classic protocol, 1 by KIP-848, -1 unknown.

    def __init__(
        self,
        *,
        member_id: str = "",
        instance_id: str | None = None,
        rack_id: str | None = None,
        member_epoch: int = 0,
        client_id: str = "",
        client_host: str = "",
        subscribed_topic_names: list[str] = UNSET_LIST,
        subscribed_topic_regex: str | None = None,
        assignment: Assignment | None = None,
        target_assignment: Assignment | None = None,
        member_type: int = -1,
    ) -> None:
        self.member_id = member_id
        self.instance_id = instance_id
        self.rack_id = rack_id
        self.member_epoch = member_epoch
        self.client_id = client_id
        self.client_host = client_host
        self.subscribed_topic_names = [] if subscribed_topic_names is UNSET_LIST else subscribed_topic_names
        self.subscribed_topic_regex = subscribed_topic_regex
        self.assignment = Assignment() if assignment is None else assignment
        self.target_assignment = Assignment() if target_assignment is None else target_assignment
        self.member_type = member_type


class DescribedGroup(Struct):
    """One entry for each group."""

    __slots__ = (
        "error_code",
        "error_message",
        "group_id",
        "group_state",
        "group_epoch",
        "assignment_epoch",
        "assignor_name",
        "members",
        "authorized_operations",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "error_code",
        "error_message",
        "group_id",
        "group_state",
        "group_epoch",
        "assignment_epoch",
        "assignor_name",
        "members",
        "authorized_operations",
    )
    error_code: int  # Zero, or why the group is not described.
    error_message: str | None  # The reason in words, or null.
    group_id: str  # Id of the group.
    group_state: str  # State of the group: Empty, Assigning, Reconciling, Stable or Dead.
    group_epoch: int  # Number that goes up whenever members, subscriptions or their topics change.
    assignment_epoch: int  # Group epoch for which the target assignment was computed.
    assignor_name: str  # Name of the way of sharing partitions that is in use.
    members: list[Member]  # The members of the group.
    authorized_operations: int  # Bits of what the user may do to the group, one for each operation; -2147483648 if it was not asked for.

    def __init__(
        self,
        *,
        error_code: int = 0,
        error_message: str | None = None,
        group_id: str = "",
        group_state: str = "",
        group_epoch: int = 0,
        assignment_epoch: int = 0,
        assignor_name: str = "",
        members: list[Member] = UNSET_LIST,
        authorized_operations: int = -2147483648,
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.group_id = group_id
        self.group_state = group_state
        self.group_epoch = group_epoch
        self.assignment_epoch = assignment_epoch
        self.assignor_name = assignor_name
        self.members = [] if members is UNSET_LIST else members
        self.authorized_operations = authorized_operations


class ConsumerGroupDescribeResponse(Message):
    """State, members and assignments of consumer groups."""

    __slots__ = ("throttle_time_ms", "groups")
    FIELDS: ClassVar[tuple[str, ...]] = ("throttle_time_ms", "groups")
    NAME: ClassVar[str] = "ConsumerGroupDescribeResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 69
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    groups: list[DescribedGroup]  # One entry for each group.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        groups: list[DescribedGroup] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.groups = [] if groups is UNSET_LIST else groups

    @staticmethod
    def decode(data: bytes, version: int) -> ConsumerGroupDescribeResponse:
        message, end = ConsumerGroupDescribeResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ConsumerGroupDescribeResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ConsumerGroupDescribeResponse, int]:
        try:
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ConsumerGroupDescribeResponse", version, len(data), error) from None
        raise no_version("ConsumerGroupDescribeResponse", version)

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
            raise no_encoding("ConsumerGroupDescribeResponse", version, error) from error
        raise no_encoding("ConsumerGroupDescribeResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[ConsumerGroupDescribeResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ConsumerGroupDescribeResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 20 > size - i:
        raise bad_count("ConsumerGroupDescribeResponse.Groups", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ConsumerGroupDescribeResponse.Groups", 10000000)
    count1 = n
    found1: list[DescribedGroup] = []
    m.groups = found1
    for _ in range(count1):
        s1 = DescribedGroup()
        s1.error_code = read_i16_be(data, i)
        n = data[i + 2]
        i += 3
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.error_message = None
        else:
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("ConsumerGroupDescribeResponse.Groups.ErrorMessage", n, size - i)
            s1.error_message = data[i:end].decode()
            i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ConsumerGroupDescribeResponse.Groups.GroupId", n, size - i)
        s1.group_id = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ConsumerGroupDescribeResponse.Groups.GroupState", n, size - i)
        s1.group_state = data[i:end].decode()
        i = end
        s1.group_epoch = read_i32_be(data, i)
        s1.assignment_epoch = read_i32_be(data, i + 4)
        n = data[i + 8]
        i += 9
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ConsumerGroupDescribeResponse.Groups.AssignorName", n, size - i)
        s1.assignor_name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 16 > size - i:
            raise bad_count("ConsumerGroupDescribeResponse.Groups.Members", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ConsumerGroupDescribeResponse.Groups.Members", 10000000)
        count2 = n
        found2: list[Member] = []
        s1.members = found2
        for _ in range(count2):
            s2 = Member()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("ConsumerGroupDescribeResponse.Groups.Members.MemberId", n, size - i)
            s2.member_id = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n == -1:
                s2.instance_id = None
            else:
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("ConsumerGroupDescribeResponse.Groups.Members.InstanceId", n, size - i)
                s2.instance_id = data[i:end].decode()
                i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n == -1:
                s2.rack_id = None
            else:
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("ConsumerGroupDescribeResponse.Groups.Members.RackId", n, size - i)
                s2.rack_id = data[i:end].decode()
                i = end
            s2.member_epoch = read_i32_be(data, i)
            n = data[i + 4]
            i += 5
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("ConsumerGroupDescribeResponse.Groups.Members.ClientId", n, size - i)
            s2.client_id = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("ConsumerGroupDescribeResponse.Groups.Members.ClientHost", n, size - i)
            s2.client_host = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n > size - i:
                raise bad_count("ConsumerGroupDescribeResponse.Groups.Members.SubscribedTopicNames", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("ConsumerGroupDescribeResponse.Groups.Members.SubscribedTopicNames", 10000000)
            count3 = n
            found3: list[str] = []
            s2.subscribed_topic_names = found3
            for _ in range(count3):
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("ConsumerGroupDescribeResponse.Groups.Members.SubscribedTopicNames", n, size - i)
                v1 = data[i:end].decode()
                i = end
                found3.append(v1)
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n == -1:
                s2.subscribed_topic_regex = None
            else:
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("ConsumerGroupDescribeResponse.Groups.Members.SubscribedTopicRegex", n, size - i)
                s2.subscribed_topic_regex = data[i:end].decode()
                i = end
            s3 = Assignment()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 19 > size - i:
                raise bad_count("ConsumerGroupDescribeResponse.Groups.Members.Assignment.TopicPartitions", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("ConsumerGroupDescribeResponse.Groups.Members.Assignment.TopicPartitions", 10000000)
            count4 = n
            found4: list[TopicPartitions] = []
            s3.topic_partitions = found4
            for _ in range(count4):
                s4 = TopicPartitions()
                end = i + 16
                if end > size:
                    raise bad_length("ConsumerGroupDescribeResponse.Groups.Members.Assignment.TopicPartitions.TopicId", 16, size - i)
                s4.topic_id = data[i:end]
                i = end
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("ConsumerGroupDescribeResponse.Groups.Members.Assignment.TopicPartitions.TopicName", n, size - i)
                s4.topic_name = data[i:end].decode()
                i = end
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n < 0 or n * 4 > size - i:
                    raise bad_count("ConsumerGroupDescribeResponse.Groups.Members.Assignment.TopicPartitions.Partitions", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("ConsumerGroupDescribeResponse.Groups.Members.Assignment.TopicPartitions.Partitions", 10000000)
                end = i + n * 4
                s4.partitions = [read_i32_be(data, j) for j in range(i, end, 4)]
                i = end
                if data[i] == 0:
                    i += 1
                else:
                    i = skip_tagged_fields(data, i)
                found4.append(s4)
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            s2.assignment = s3
            s5 = Assignment()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 19 > size - i:
                raise bad_count("ConsumerGroupDescribeResponse.Groups.Members.TargetAssignment.TopicPartitions", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("ConsumerGroupDescribeResponse.Groups.Members.TargetAssignment.TopicPartitions", 10000000)
            count5 = n
            found5: list[TopicPartitions] = []
            s5.topic_partitions = found5
            for _ in range(count5):
                s6 = TopicPartitions()
                end = i + 16
                if end > size:
                    raise bad_length("ConsumerGroupDescribeResponse.Groups.Members.TargetAssignment.TopicPartitions.TopicId", 16, size - i)
                s6.topic_id = data[i:end]
                i = end
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("ConsumerGroupDescribeResponse.Groups.Members.TargetAssignment.TopicPartitions.TopicName", n, size - i)
                s6.topic_name = data[i:end].decode()
                i = end
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n < 0 or n * 4 > size - i:
                    raise bad_count("ConsumerGroupDescribeResponse.Groups.Members.TargetAssignment.TopicPartitions.Partitions", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("ConsumerGroupDescribeResponse.Groups.Members.TargetAssignment.TopicPartitions.Partitions", 10000000)
                end = i + n * 4
                s6.partitions = [read_i32_be(data, j) for j in range(i, end, 4)]
                i = end
                if data[i] == 0:
                    i += 1
                else:
                    i = skip_tagged_fields(data, i)
                found5.append(s6)
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            s2.target_assignment = s5
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            found2.append(s2)
        s1.authorized_operations = read_i32_be(data, i)
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


def _encode_0(m: ConsumerGroupDescribeResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.groups
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_i16_be(w, s1.error_code)
        v2 = s1.error_message
        write_compact_nullable_string(w, v2)
        v3 = s1.group_id
        write_compact_string(w, v3)
        v4 = s1.group_state
        write_compact_string(w, v4)
        write_i32_be(w, s1.group_epoch)
        write_i32_be(w, s1.assignment_epoch)
        v5 = s1.assignor_name
        write_compact_string(w, v5)
        v6 = s1.members
        write_uvarint(w, len(v6) + 1)
        for s2 in v6:
            v7 = s2.member_id
            write_compact_string(w, v7)
            v8 = s2.instance_id
            write_compact_nullable_string(w, v8)
            v9 = s2.rack_id
            write_compact_nullable_string(w, v9)
            write_i32_be(w, s2.member_epoch)
            v10 = s2.client_id
            write_compact_string(w, v10)
            v11 = s2.client_host
            write_compact_string(w, v11)
            v12 = s2.subscribed_topic_names
            write_uvarint(w, len(v12) + 1)
            for s3 in v12:
                write_compact_string(w, s3)
            v13 = s2.subscribed_topic_regex
            write_compact_nullable_string(w, v13)
            v14 = s2.assignment
            v15 = v14.topic_partitions
            write_uvarint(w, len(v15) + 1)
            for s4 in v15:
                write_uuid(w, s4.topic_id)
                v16 = s4.topic_name
                write_compact_string(w, v16)
                v17 = s4.partitions
                write_uvarint(w, len(v17) + 1)
                for s5 in v17:
                    write_i32_be(w, s5)
                w.append(0)
            w.append(0)
            v18 = s2.target_assignment
            v19 = v18.topic_partitions
            write_uvarint(w, len(v19) + 1)
            for s6 in v19:
                write_uuid(w, s6.topic_id)
                v20 = s6.topic_name
                write_compact_string(w, v20)
                v21 = s6.partitions
                write_uvarint(w, len(v21) + 1)
                for s7 in v21:
                    write_i32_be(w, s7)
                w.append(0)
            w.append(0)
            w.append(0)
        write_i32_be(w, s1.authorized_operations)
        w.append(0)
    w.append(0)


def _decode_1(data: bytes, i: i64) -> tuple[ConsumerGroupDescribeResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ConsumerGroupDescribeResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 20 > size - i:
        raise bad_count("ConsumerGroupDescribeResponse.Groups", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ConsumerGroupDescribeResponse.Groups", 10000000)
    count1 = n
    found1: list[DescribedGroup] = []
    m.groups = found1
    for _ in range(count1):
        s1 = DescribedGroup()
        s1.error_code = read_i16_be(data, i)
        n = data[i + 2]
        i += 3
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.error_message = None
        else:
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("ConsumerGroupDescribeResponse.Groups.ErrorMessage", n, size - i)
            s1.error_message = data[i:end].decode()
            i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ConsumerGroupDescribeResponse.Groups.GroupId", n, size - i)
        s1.group_id = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ConsumerGroupDescribeResponse.Groups.GroupState", n, size - i)
        s1.group_state = data[i:end].decode()
        i = end
        s1.group_epoch = read_i32_be(data, i)
        s1.assignment_epoch = read_i32_be(data, i + 4)
        n = data[i + 8]
        i += 9
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ConsumerGroupDescribeResponse.Groups.AssignorName", n, size - i)
        s1.assignor_name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 17 > size - i:
            raise bad_count("ConsumerGroupDescribeResponse.Groups.Members", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ConsumerGroupDescribeResponse.Groups.Members", 10000000)
        count2 = n
        found2: list[Member] = []
        s1.members = found2
        for _ in range(count2):
            s2 = Member()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("ConsumerGroupDescribeResponse.Groups.Members.MemberId", n, size - i)
            s2.member_id = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n == -1:
                s2.instance_id = None
            else:
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("ConsumerGroupDescribeResponse.Groups.Members.InstanceId", n, size - i)
                s2.instance_id = data[i:end].decode()
                i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n == -1:
                s2.rack_id = None
            else:
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("ConsumerGroupDescribeResponse.Groups.Members.RackId", n, size - i)
                s2.rack_id = data[i:end].decode()
                i = end
            s2.member_epoch = read_i32_be(data, i)
            n = data[i + 4]
            i += 5
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("ConsumerGroupDescribeResponse.Groups.Members.ClientId", n, size - i)
            s2.client_id = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("ConsumerGroupDescribeResponse.Groups.Members.ClientHost", n, size - i)
            s2.client_host = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n > size - i:
                raise bad_count("ConsumerGroupDescribeResponse.Groups.Members.SubscribedTopicNames", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("ConsumerGroupDescribeResponse.Groups.Members.SubscribedTopicNames", 10000000)
            count3 = n
            found3: list[str] = []
            s2.subscribed_topic_names = found3
            for _ in range(count3):
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("ConsumerGroupDescribeResponse.Groups.Members.SubscribedTopicNames", n, size - i)
                v1 = data[i:end].decode()
                i = end
                found3.append(v1)
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n == -1:
                s2.subscribed_topic_regex = None
            else:
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("ConsumerGroupDescribeResponse.Groups.Members.SubscribedTopicRegex", n, size - i)
                s2.subscribed_topic_regex = data[i:end].decode()
                i = end
            s3 = Assignment()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 19 > size - i:
                raise bad_count("ConsumerGroupDescribeResponse.Groups.Members.Assignment.TopicPartitions", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("ConsumerGroupDescribeResponse.Groups.Members.Assignment.TopicPartitions", 10000000)
            count4 = n
            found4: list[TopicPartitions] = []
            s3.topic_partitions = found4
            for _ in range(count4):
                s4 = TopicPartitions()
                end = i + 16
                if end > size:
                    raise bad_length("ConsumerGroupDescribeResponse.Groups.Members.Assignment.TopicPartitions.TopicId", 16, size - i)
                s4.topic_id = data[i:end]
                i = end
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("ConsumerGroupDescribeResponse.Groups.Members.Assignment.TopicPartitions.TopicName", n, size - i)
                s4.topic_name = data[i:end].decode()
                i = end
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n < 0 or n * 4 > size - i:
                    raise bad_count("ConsumerGroupDescribeResponse.Groups.Members.Assignment.TopicPartitions.Partitions", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("ConsumerGroupDescribeResponse.Groups.Members.Assignment.TopicPartitions.Partitions", 10000000)
                end = i + n * 4
                s4.partitions = [read_i32_be(data, j) for j in range(i, end, 4)]
                i = end
                if data[i] == 0:
                    i += 1
                else:
                    i = skip_tagged_fields(data, i)
                found4.append(s4)
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            s2.assignment = s3
            s5 = Assignment()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 19 > size - i:
                raise bad_count("ConsumerGroupDescribeResponse.Groups.Members.TargetAssignment.TopicPartitions", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("ConsumerGroupDescribeResponse.Groups.Members.TargetAssignment.TopicPartitions", 10000000)
            count5 = n
            found5: list[TopicPartitions] = []
            s5.topic_partitions = found5
            for _ in range(count5):
                s6 = TopicPartitions()
                end = i + 16
                if end > size:
                    raise bad_length("ConsumerGroupDescribeResponse.Groups.Members.TargetAssignment.TopicPartitions.TopicId", 16, size - i)
                s6.topic_id = data[i:end]
                i = end
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("ConsumerGroupDescribeResponse.Groups.Members.TargetAssignment.TopicPartitions.TopicName", n, size - i)
                s6.topic_name = data[i:end].decode()
                i = end
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n < 0 or n * 4 > size - i:
                    raise bad_count("ConsumerGroupDescribeResponse.Groups.Members.TargetAssignment.TopicPartitions.Partitions", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("ConsumerGroupDescribeResponse.Groups.Members.TargetAssignment.TopicPartitions.Partitions", 10000000)
                end = i + n * 4
                s6.partitions = [read_i32_be(data, j) for j in range(i, end, 4)]
                i = end
                if data[i] == 0:
                    i += 1
                else:
                    i = skip_tagged_fields(data, i)
                found5.append(s6)
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            s2.target_assignment = s5
            s2.member_type = (data[i] ^ 0x80) - 0x80
            if data[i + 1] == 0:
                i += 2
            else:
                i = skip_tagged_fields(data, i + 1)
            found2.append(s2)
        s1.authorized_operations = read_i32_be(data, i)
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


def _encode_1(m: ConsumerGroupDescribeResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.groups
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_i16_be(w, s1.error_code)
        v2 = s1.error_message
        write_compact_nullable_string(w, v2)
        v3 = s1.group_id
        write_compact_string(w, v3)
        v4 = s1.group_state
        write_compact_string(w, v4)
        write_i32_be(w, s1.group_epoch)
        write_i32_be(w, s1.assignment_epoch)
        v5 = s1.assignor_name
        write_compact_string(w, v5)
        v6 = s1.members
        write_uvarint(w, len(v6) + 1)
        for s2 in v6:
            v7 = s2.member_id
            write_compact_string(w, v7)
            v8 = s2.instance_id
            write_compact_nullable_string(w, v8)
            v9 = s2.rack_id
            write_compact_nullable_string(w, v9)
            write_i32_be(w, s2.member_epoch)
            v10 = s2.client_id
            write_compact_string(w, v10)
            v11 = s2.client_host
            write_compact_string(w, v11)
            v12 = s2.subscribed_topic_names
            write_uvarint(w, len(v12) + 1)
            for s3 in v12:
                write_compact_string(w, s3)
            v13 = s2.subscribed_topic_regex
            write_compact_nullable_string(w, v13)
            v14 = s2.assignment
            v15 = v14.topic_partitions
            write_uvarint(w, len(v15) + 1)
            for s4 in v15:
                write_uuid(w, s4.topic_id)
                v16 = s4.topic_name
                write_compact_string(w, v16)
                v17 = s4.partitions
                write_uvarint(w, len(v17) + 1)
                for s5 in v17:
                    write_i32_be(w, s5)
                w.append(0)
            w.append(0)
            v18 = s2.target_assignment
            v19 = v18.topic_partitions
            write_uvarint(w, len(v19) + 1)
            for s6 in v19:
                write_uuid(w, s6.topic_id)
                v20 = s6.topic_name
                write_compact_string(w, v20)
                v21 = s6.partitions
                write_uvarint(w, len(v21) + 1)
                for s7 in v21:
                    write_i32_be(w, s7)
                w.append(0)
            w.append(0)
            write_i8(w, s2.member_type)
            w.append(0)
        write_i32_be(w, s1.authorized_operations)
        w.append(0)
    w.append(0)
