"""ProduceResponse, generated from ProduceResponse.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (
    BytesWriter,
    read_i16_be,
    read_i32_be,
    read_i64_be,
    write_i16_be,
    write_i32_be,
    write_i64_be,
)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message, Struct, UNSET_LIST)
from ..primitives import (
    STRING_BYTES_MAX,
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
    write_compact_nullable_string,
    write_compact_string,
    write_nullable_string,
    write_string,
    write_tag,
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":0,"type":"response","name":"ProduceResponse","validVersions":"3-13","flexibleVer'
    'sions":"9+","fields":[{"name":"Responses","type":"[]TopicProduceResponse","versions":"0+",'
    '"fields":[{"name":"Name","type":"string","versions":"0-12","entityType":"topicName","mapKe'
    'y":true,"ignorable":true},{"name":"TopicId","type":"uuid","versions":"13+","mapKey":true,"'
    'ignorable":true},{"name":"PartitionResponses","type":"[]PartitionProduceResponse","version'
    's":"0+","fields":[{"name":"Index","type":"int32","versions":"0+"},{"name":"ErrorCode","typ'
    'e":"int16","versions":"0+"},{"name":"BaseOffset","type":"int64","versions":"0+"},{"name":"'
    'LogAppendTimeMs","type":"int64","versions":"2+","default":"-1","ignorable":true},{"name":"'
    'LogStartOffset","type":"int64","versions":"5+","default":"-1","ignorable":true},{"name":"R'
    'ecordErrors","type":"[]BatchIndexAndErrorMessage","versions":"8+","ignorable":true,"fields'
    '":[{"name":"BatchIndex","type":"int32","versions":"8+"},{"name":"BatchIndexErrorMessage","'
    'type":"string","default":"null","versions":"8+","nullableVersions":"8+"}]},{"name":"ErrorM'
    'essage","type":"string","default":"null","versions":"8+","nullableVersions":"8+","ignorabl'
    'e":true},{"name":"CurrentLeader","type":"LeaderIdAndEpoch","versions":"10+","taggedVersion'
    's":"10+","tag":0,"fields":[{"name":"LeaderId","type":"int32","versions":"10+","default":"-'
    '1","entityType":"brokerId"},{"name":"LeaderEpoch","type":"int32","versions":"10+","default'
    '":"-1"}]}]}]},{"name":"ThrottleTimeMs","type":"int32","versions":"1+","ignorable":true,"de'
    'fault":"0"},{"name":"NodeEndpoints","type":"[]NodeEndpoint","versions":"10+","taggedVersio'
    'ns":"10+","tag":0,"fields":[{"name":"NodeId","type":"int32","versions":"10+","mapKey":true'
    ',"entityType":"brokerId"},{"name":"Host","type":"string","versions":"10+"},{"name":"Port",'
    '"type":"int32","versions":"10+"},{"name":"Rack","type":"string","versions":"10+","nullable'
    'Versions":"10+","default":"null"}]}]}'
)


class BatchIndexAndErrorMessage(Struct):
    """The records that made the broker refuse the batch."""

    __slots__ = ("batch_index", "batch_index_error_message")
    FIELDS: ClassVar[tuple[str, ...]] = ("batch_index", "batch_index_error_message")
    batch_index: int  # Place of the record in the batch, from 0.
    batch_index_error_message: str | None  # What is wrong with this record.

    def __init__(
        self,
        *,
        batch_index: int = 0,
        batch_index_error_message: str | None = None,
    ) -> None:
        self.batch_index = batch_index
        self.batch_index_error_message = batch_index_error_message


class LeaderIdAndEpoch(Struct):
    """Who leads the partition now, when this broker does not."""

    __slots__ = ("leader_id", "leader_epoch")
    FIELDS: ClassVar[tuple[str, ...]] = ("leader_id", "leader_epoch")
    leader_id: int  # Broker that leads it, or -1.
    leader_epoch: int  # Its leader epoch, or -1.

    def __init__(
        self,
        *,
        leader_id: int = -1,
        leader_epoch: int = -1,
    ) -> None:
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch


class PartitionProduceResponse(Struct):
    """One entry for each partition."""

    __slots__ = (
        "index",
        "error_code",
        "base_offset",
        "log_append_time_ms",
        "log_start_offset",
        "record_errors",
        "error_message",
        "current_leader",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "index",
        "error_code",
        "base_offset",
        "log_append_time_ms",
        "log_start_offset",
        "record_errors",
        "error_message",
        "current_leader",
    )
    index: int  # Number of the partition.
    error_code: int  # Zero, or why nothing was appended.
    base_offset: int  # Offset that the first record got.
    log_append_time_ms: int  # Time of the append where the broker stamps records, else -1; ms since 1970.
    log_start_offset: int  # First offset that the log still has.
    record_errors: list[BatchIndexAndErrorMessage]  # The records that made the broker refuse the batch.
    error_message: str | None  # What is wrong with the batch as a whole.
    current_leader: LeaderIdAndEpoch  # Who leads the partition now, when this broker does not.

    def __init__(
        self,
        *,
        index: int = 0,
        error_code: int = 0,
        base_offset: int = 0,
        log_append_time_ms: int = -1,
        log_start_offset: int = -1,
        record_errors: list[BatchIndexAndErrorMessage] = UNSET_LIST,
        error_message: str | None = None,
        current_leader: LeaderIdAndEpoch | None = None,
    ) -> None:
        self.index = index
        self.error_code = error_code
        self.base_offset = base_offset
        self.log_append_time_ms = log_append_time_ms
        self.log_start_offset = log_start_offset
        self.record_errors = [] if record_errors is UNSET_LIST else record_errors
        self.error_message = error_message
        self.current_leader = LeaderIdAndEpoch() if current_leader is None else current_leader


class TopicProduceResponse(Struct):
    """One entry for each topic."""

    __slots__ = ("name", "topic_id", "partition_responses")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "topic_id", "partition_responses")
    name: str  # Name of the topic.
    topic_id: bytes  # Id of the topic.
    partition_responses: list[PartitionProduceResponse]  # One entry for each partition.

    def __init__(
        self,
        *,
        name: str = "",
        topic_id: bytes = ZERO_UUID,
        partition_responses: list[PartitionProduceResponse] = UNSET_LIST,
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.partition_responses = [] if partition_responses is UNSET_LIST else partition_responses


class NodeEndpoint(Struct):
    """Where the leaders named above are reached."""

    __slots__ = ("node_id", "host", "port", "rack")
    FIELDS: ClassVar[tuple[str, ...]] = ("node_id", "host", "port", "rack")
    node_id: int  # Id of the broker.
    host: str  # Host name or address of the broker.
    port: int  # Port of the broker.
    rack: str | None  # Where the broker stands, or null.

    def __init__(
        self,
        *,
        node_id: int = 0,
        host: str = "",
        port: int = 0,
        rack: str | None = None,
    ) -> None:
        self.node_id = node_id
        self.host = host
        self.port = port
        self.rack = rack


class ProduceResponse(Message):
    """Where the batches went, or why they were refused."""

    __slots__ = ("responses", "throttle_time_ms", "node_endpoints")
    FIELDS: ClassVar[tuple[str, ...]] = ("responses", "throttle_time_ms", "node_endpoints")
    NAME: ClassVar[str] = "ProduceResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 0
    MIN_VERSION: ClassVar[int] = 3
    MAX_VERSION: ClassVar[int] = 13
    FLEXIBLE_SINCE: ClassVar[int | None] = 9
    SCHEMA: ClassVar[str] = _SCHEMA

    responses: list[TopicProduceResponse]  # One entry for each topic.
    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    node_endpoints: list[NodeEndpoint]  # Where the leaders named above are reached.

    def __init__(
        self,
        *,
        responses: list[TopicProduceResponse] = UNSET_LIST,
        throttle_time_ms: int = 0,
        node_endpoints: list[NodeEndpoint] = UNSET_LIST,
    ) -> None:
        self.responses = [] if responses is UNSET_LIST else responses
        self.throttle_time_ms = throttle_time_ms
        self.node_endpoints = [] if node_endpoints is UNSET_LIST else node_endpoints

    @staticmethod
    def decode(data: bytes, version: int) -> ProduceResponse:
        message, end = ProduceResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ProduceResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ProduceResponse, int]:
        try:
            if version == 13:
                return _decode_13(data, offset)
            if 10 <= version <= 12:
                return _decode_10(data, offset)
            if version == 9:
                return _decode_9(data, offset)
            if version == 8:
                return _decode_8(data, offset)
            if 5 <= version <= 7:
                return _decode_5(data, offset)
            if 3 <= version <= 4:
                return _decode_3(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ProduceResponse", version, len(data), error) from None
        raise no_version("ProduceResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 13:
                return _encode_13(self, writer, version)
            if 10 <= version <= 12:
                return _encode_10(self, writer, version)
            if version == 9:
                return _encode_9(self, writer, version)
            if version == 8:
                return _encode_8(self, writer, version)
            if 5 <= version <= 7:
                return _encode_5(self, writer, version)
            if 3 <= version <= 4:
                return _encode_3(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("ProduceResponse", version, error) from error
        raise no_encoding("ProduceResponse", version)


def _decode_3(data: bytes, i: i64) -> tuple[ProduceResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ProduceResponse()
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 6 > size - i:
        raise bad_count("ProduceResponse.Responses", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ProduceResponse.Responses", 10000000)
    count1 = n
    found1: list[TopicProduceResponse] = []
    m.responses = found1
    for _ in range(count1):
        s1 = TopicProduceResponse()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("ProduceResponse.Responses.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 22 > size - i:
            raise bad_count("ProduceResponse.Responses.PartitionResponses", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ProduceResponse.Responses.PartitionResponses", 10000000)
        count2 = n
        found2: list[PartitionProduceResponse] = []
        s1.partition_responses = found2
        for _ in range(count2):
            s2 = PartitionProduceResponse()
            s2.index = read_i32_be(data, i)
            s2.error_code = read_i16_be(data, i + 4)
            s2.base_offset = read_i64_be(data, i + 6)
            s2.log_append_time_ms = read_i64_be(data, i + 14)
            found2.append(s2)
            i += 22
        found1.append(s1)
    m.throttle_time_ms = read_i32_be(data, i)
    i += 4
    return m, i


def _encode_3(m: ProduceResponse, w: BytesWriter, version: int) -> None:
    if len(m.node_endpoints) > 0:
        raise not_carried("ProduceResponse.NodeEndpoints", version)
    v1 = m.responses
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.name
        write_string(w, v2)
        v3 = s1.partition_responses
        write_i32_be(w, len(v3))
        for s2 in v3:
            if (s2.current_leader.leader_id != -1 or s2.current_leader.leader_epoch != -1):
                raise not_carried("ProduceResponse.Responses.PartitionResponses.CurrentLeader", version)
            write_i32_be(w, s2.index)
            write_i16_be(w, s2.error_code)
            write_i64_be(w, s2.base_offset)
            write_i64_be(w, s2.log_append_time_ms)
    write_i32_be(w, m.throttle_time_ms)


def _decode_5(data: bytes, i: i64) -> tuple[ProduceResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ProduceResponse()
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 6 > size - i:
        raise bad_count("ProduceResponse.Responses", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ProduceResponse.Responses", 10000000)
    count1 = n
    found1: list[TopicProduceResponse] = []
    m.responses = found1
    for _ in range(count1):
        s1 = TopicProduceResponse()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("ProduceResponse.Responses.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 30 > size - i:
            raise bad_count("ProduceResponse.Responses.PartitionResponses", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ProduceResponse.Responses.PartitionResponses", 10000000)
        count2 = n
        found2: list[PartitionProduceResponse] = []
        s1.partition_responses = found2
        for _ in range(count2):
            s2 = PartitionProduceResponse()
            s2.index = read_i32_be(data, i)
            s2.error_code = read_i16_be(data, i + 4)
            s2.base_offset = read_i64_be(data, i + 6)
            s2.log_append_time_ms = read_i64_be(data, i + 14)
            s2.log_start_offset = read_i64_be(data, i + 22)
            found2.append(s2)
            i += 30
        found1.append(s1)
    m.throttle_time_ms = read_i32_be(data, i)
    i += 4
    return m, i


def _encode_5(m: ProduceResponse, w: BytesWriter, version: int) -> None:
    if len(m.node_endpoints) > 0:
        raise not_carried("ProduceResponse.NodeEndpoints", version)
    v1 = m.responses
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.name
        write_string(w, v2)
        v3 = s1.partition_responses
        write_i32_be(w, len(v3))
        for s2 in v3:
            if (s2.current_leader.leader_id != -1 or s2.current_leader.leader_epoch != -1):
                raise not_carried("ProduceResponse.Responses.PartitionResponses.CurrentLeader", version)
            write_i32_be(w, s2.index)
            write_i16_be(w, s2.error_code)
            write_i64_be(w, s2.base_offset)
            write_i64_be(w, s2.log_append_time_ms)
            write_i64_be(w, s2.log_start_offset)
    write_i32_be(w, m.throttle_time_ms)


def _decode_8(data: bytes, i: i64) -> tuple[ProduceResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ProduceResponse()
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 6 > size - i:
        raise bad_count("ProduceResponse.Responses", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ProduceResponse.Responses", 10000000)
    count1 = n
    found1: list[TopicProduceResponse] = []
    m.responses = found1
    for _ in range(count1):
        s1 = TopicProduceResponse()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("ProduceResponse.Responses.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 36 > size - i:
            raise bad_count("ProduceResponse.Responses.PartitionResponses", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ProduceResponse.Responses.PartitionResponses", 10000000)
        count2 = n
        found2: list[PartitionProduceResponse] = []
        s1.partition_responses = found2
        for _ in range(count2):
            s2 = PartitionProduceResponse()
            s2.index = read_i32_be(data, i)
            s2.error_code = read_i16_be(data, i + 4)
            s2.base_offset = read_i64_be(data, i + 6)
            s2.log_append_time_ms = read_i64_be(data, i + 14)
            s2.log_start_offset = read_i64_be(data, i + 22)
            n = read_i32_be(data, i + 30)
            i += 34
            if n < 0 or n * 6 > size - i:
                raise bad_count("ProduceResponse.Responses.PartitionResponses.RecordErrors", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("ProduceResponse.Responses.PartitionResponses.RecordErrors", 10000000)
            count3 = n
            found3: list[BatchIndexAndErrorMessage] = []
            s2.record_errors = found3
            for _ in range(count3):
                s3 = BatchIndexAndErrorMessage()
                s3.batch_index = read_i32_be(data, i)
                n = read_i16_be(data, i + 4)
                i += 6
                if n == -1:
                    s3.batch_index_error_message = None
                else:
                    end = i + n
                    if n < 0 or end > size:
                        raise bad_length("ProduceResponse.Responses.PartitionResponses.RecordErrors.BatchIndexErrorMessage", n, size - i)
                    s3.batch_index_error_message = data[i:end].decode()
                    i = end
                found3.append(s3)
            n = read_i16_be(data, i)
            i += 2
            if n == -1:
                s2.error_message = None
            else:
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("ProduceResponse.Responses.PartitionResponses.ErrorMessage", n, size - i)
                s2.error_message = data[i:end].decode()
                i = end
            found2.append(s2)
        found1.append(s1)
    m.throttle_time_ms = read_i32_be(data, i)
    i += 4
    return m, i


def _encode_8(m: ProduceResponse, w: BytesWriter, version: int) -> None:
    if len(m.node_endpoints) > 0:
        raise not_carried("ProduceResponse.NodeEndpoints", version)
    v1 = m.responses
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.name
        write_string(w, v2)
        v3 = s1.partition_responses
        write_i32_be(w, len(v3))
        for s2 in v3:
            if (s2.current_leader.leader_id != -1 or s2.current_leader.leader_epoch != -1):
                raise not_carried("ProduceResponse.Responses.PartitionResponses.CurrentLeader", version)
            write_i32_be(w, s2.index)
            write_i16_be(w, s2.error_code)
            write_i64_be(w, s2.base_offset)
            write_i64_be(w, s2.log_append_time_ms)
            write_i64_be(w, s2.log_start_offset)
            v4 = s2.record_errors
            write_i32_be(w, len(v4))
            for s3 in v4:
                write_i32_be(w, s3.batch_index)
                v5 = s3.batch_index_error_message
                write_nullable_string(w, v5)
            v6 = s2.error_message
            write_nullable_string(w, v6)
    write_i32_be(w, m.throttle_time_ms)


def _decode_9(data: bytes, i: i64) -> tuple[ProduceResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ProduceResponse()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("ProduceResponse.Responses", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ProduceResponse.Responses", 10000000)
    count1 = n
    found1: list[TopicProduceResponse] = []
    m.responses = found1
    for _ in range(count1):
        s1 = TopicProduceResponse()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ProduceResponse.Responses.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 33 > size - i:
            raise bad_count("ProduceResponse.Responses.PartitionResponses", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ProduceResponse.Responses.PartitionResponses", 10000000)
        count2 = n
        found2: list[PartitionProduceResponse] = []
        s1.partition_responses = found2
        for _ in range(count2):
            s2 = PartitionProduceResponse()
            s2.index = read_i32_be(data, i)
            s2.error_code = read_i16_be(data, i + 4)
            s2.base_offset = read_i64_be(data, i + 6)
            s2.log_append_time_ms = read_i64_be(data, i + 14)
            s2.log_start_offset = read_i64_be(data, i + 22)
            n = data[i + 30]
            i += 31
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 6 > size - i:
                raise bad_count("ProduceResponse.Responses.PartitionResponses.RecordErrors", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("ProduceResponse.Responses.PartitionResponses.RecordErrors", 10000000)
            count3 = n
            found3: list[BatchIndexAndErrorMessage] = []
            s2.record_errors = found3
            for _ in range(count3):
                s3 = BatchIndexAndErrorMessage()
                s3.batch_index = read_i32_be(data, i)
                n = data[i + 4]
                i += 5
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n == -1:
                    s3.batch_index_error_message = None
                else:
                    end = i + n
                    if n < 0 or end > size or n > STRING_BYTES_MAX:
                        raise bad_length("ProduceResponse.Responses.PartitionResponses.RecordErrors.BatchIndexErrorMessage", n, size - i)
                    s3.batch_index_error_message = data[i:end].decode()
                    i = end
                if data[i] == 0:
                    i += 1
                else:
                    i = skip_tagged_fields(data, i)
                found3.append(s3)
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n == -1:
                s2.error_message = None
            else:
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("ProduceResponse.Responses.PartitionResponses.ErrorMessage", n, size - i)
                s2.error_message = data[i:end].decode()
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
        found1.append(s1)
    m.throttle_time_ms = read_i32_be(data, i)
    if data[i + 4] == 0:
        i += 5
    else:
        i = skip_tagged_fields(data, i + 4)
    return m, i


def _encode_9(m: ProduceResponse, w: BytesWriter, version: int) -> None:
    if len(m.node_endpoints) > 0:
        raise not_carried("ProduceResponse.NodeEndpoints", version)
    v1 = m.responses
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.name
        write_compact_string(w, v2)
        v3 = s1.partition_responses
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            if (s2.current_leader.leader_id != -1 or s2.current_leader.leader_epoch != -1):
                raise not_carried("ProduceResponse.Responses.PartitionResponses.CurrentLeader", version)
            write_i32_be(w, s2.index)
            write_i16_be(w, s2.error_code)
            write_i64_be(w, s2.base_offset)
            write_i64_be(w, s2.log_append_time_ms)
            write_i64_be(w, s2.log_start_offset)
            v4 = s2.record_errors
            write_uvarint(w, len(v4) + 1)
            for s3 in v4:
                write_i32_be(w, s3.batch_index)
                v5 = s3.batch_index_error_message
                write_compact_nullable_string(w, v5)
                w.append(0)
            v6 = s2.error_message
            write_compact_nullable_string(w, v6)
            w.append(0)
        w.append(0)
    write_i32_be(w, m.throttle_time_ms)
    w.append(0)


def _decode_10(data: bytes, i: i64) -> tuple[ProduceResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ProduceResponse()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("ProduceResponse.Responses", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ProduceResponse.Responses", 10000000)
    count1 = n
    found1: list[TopicProduceResponse] = []
    m.responses = found1
    for _ in range(count1):
        s1 = TopicProduceResponse()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ProduceResponse.Responses.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 33 > size - i:
            raise bad_count("ProduceResponse.Responses.PartitionResponses", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ProduceResponse.Responses.PartitionResponses", 10000000)
        count2 = n
        found2: list[PartitionProduceResponse] = []
        s1.partition_responses = found2
        for _ in range(count2):
            s2 = PartitionProduceResponse()
            s2.index = read_i32_be(data, i)
            s2.error_code = read_i16_be(data, i + 4)
            s2.base_offset = read_i64_be(data, i + 6)
            s2.log_append_time_ms = read_i64_be(data, i + 14)
            s2.log_start_offset = read_i64_be(data, i + 22)
            n = data[i + 30]
            i += 31
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 6 > size - i:
                raise bad_count("ProduceResponse.Responses.PartitionResponses.RecordErrors", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("ProduceResponse.Responses.PartitionResponses.RecordErrors", 10000000)
            count3 = n
            found3: list[BatchIndexAndErrorMessage] = []
            s2.record_errors = found3
            for _ in range(count3):
                s3 = BatchIndexAndErrorMessage()
                s3.batch_index = read_i32_be(data, i)
                n = data[i + 4]
                i += 5
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n == -1:
                    s3.batch_index_error_message = None
                else:
                    end = i + n
                    if n < 0 or end > size or n > STRING_BYTES_MAX:
                        raise bad_length("ProduceResponse.Responses.PartitionResponses.RecordErrors.BatchIndexErrorMessage", n, size - i)
                    s3.batch_index_error_message = data[i:end].decode()
                    i = end
                if data[i] == 0:
                    i += 1
                else:
                    i = skip_tagged_fields(data, i)
                found3.append(s3)
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n == -1:
                s2.error_message = None
            else:
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("ProduceResponse.Responses.PartitionResponses.ErrorMessage", n, size - i)
                s2.error_message = data[i:end].decode()
                i = end
            n = data[i]
            i += 1
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
                        s4 = LeaderIdAndEpoch()
                        s4.leader_id = read_i32_be(data, i)
                        s4.leader_epoch = read_i32_be(data, i + 4)
                        if data[i + 8] == 0:
                            i += 9
                        else:
                            i = skip_tagged_fields(data, i + 8)
                        s2.current_leader = s4
                        if i != stop1:
                            raise bad_tag_size("ProduceResponse.Responses.PartitionResponses.CurrentLeader")
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
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 0:
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        check_tag_count(data, i, n)
        count5 = n
        tag2 = -1
        unknown2 = 0
        for _ in range(count5):
            tag2, start2, stop2 = read_tag(data, i, tag2)
            i = start2
            if tag2 == 0:
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n < 0 or n * 11 > size - i:
                    raise bad_count("ProduceResponse.NodeEndpoints", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("ProduceResponse.NodeEndpoints", 10000000)
                count6 = n
                found4: list[NodeEndpoint] = []
                m.node_endpoints = found4
                for _ in range(count6):
                    s5 = NodeEndpoint()
                    s5.node_id = read_i32_be(data, i)
                    n = data[i + 4]
                    i += 5
                    if n > 127:
                        n, i = read_uvarint_rest(data, i, n)
                    n -= 1
                    end = i + n
                    if n < 0 or end > size or n > STRING_BYTES_MAX:
                        raise bad_length("ProduceResponse.NodeEndpoints.Host", n, size - i)
                    s5.host = data[i:end].decode()
                    i = end
                    s5.port = read_i32_be(data, i)
                    n = data[i + 4]
                    i += 5
                    if n > 127:
                        n, i = read_uvarint_rest(data, i, n)
                    n -= 1
                    if n == -1:
                        s5.rack = None
                    else:
                        end = i + n
                        if n < 0 or end > size or n > STRING_BYTES_MAX:
                            raise bad_length("ProduceResponse.NodeEndpoints.Rack", n, size - i)
                        s5.rack = data[i:end].decode()
                        i = end
                    if data[i] == 0:
                        i += 1
                    else:
                        i = skip_tagged_fields(data, i)
                    found4.append(s5)
                if i != stop2:
                    raise bad_tag_size("ProduceResponse.NodeEndpoints")
            else:
                check_unknown_tag(tag2, stop2 - i, unknown2)
                unknown2 += 1
                i = stop2
    return m, i


def _encode_10(m: ProduceResponse, w: BytesWriter, version: int) -> None:
    v1 = m.responses
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.name
        write_compact_string(w, v2)
        v3 = s1.partition_responses
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            write_i32_be(w, s2.index)
            write_i16_be(w, s2.error_code)
            write_i64_be(w, s2.base_offset)
            write_i64_be(w, s2.log_append_time_ms)
            write_i64_be(w, s2.log_start_offset)
            v4 = s2.record_errors
            write_uvarint(w, len(v4) + 1)
            for s3 in v4:
                write_i32_be(w, s3.batch_index)
                v5 = s3.batch_index_error_message
                write_compact_nullable_string(w, v5)
                w.append(0)
            v6 = s2.error_message
            write_compact_nullable_string(w, v6)
            t1 = (s2.current_leader.leader_id != -1 or s2.current_leader.leader_epoch != -1)
            if t1:
                write_uvarint(w, int(t1))
                if t1:
                    w1 = BytesWriter()
                    v7 = s2.current_leader
                    write_i32_be(w1, v7.leader_id)
                    write_i32_be(w1, v7.leader_epoch)
                    w1.append(0)
                    write_tag(w, 0, w1)
            else:
                w.append(0)
        w.append(0)
    write_i32_be(w, m.throttle_time_ms)
    t2 = len(m.node_endpoints) > 0
    if t2:
        write_uvarint(w, int(t2))
        if t2:
            w2 = BytesWriter()
            v8 = m.node_endpoints
            write_uvarint(w2, len(v8) + 1)
            for s4 in v8:
                write_i32_be(w2, s4.node_id)
                v9 = s4.host
                write_compact_string(w2, v9)
                write_i32_be(w2, s4.port)
                v10 = s4.rack
                write_compact_nullable_string(w2, v10)
                w2.append(0)
            write_tag(w, 0, w2)
    else:
        w.append(0)


def _decode_13(data: bytes, i: i64) -> tuple[ProduceResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ProduceResponse()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 18 > size - i:
        raise bad_count("ProduceResponse.Responses", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ProduceResponse.Responses", 10000000)
    count1 = n
    found1: list[TopicProduceResponse] = []
    m.responses = found1
    for _ in range(count1):
        s1 = TopicProduceResponse()
        end = i + 16
        if end > size:
            raise bad_length("ProduceResponse.Responses.TopicId", 16, size - i)
        s1.topic_id = data[i:end]
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 33 > size - i:
            raise bad_count("ProduceResponse.Responses.PartitionResponses", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ProduceResponse.Responses.PartitionResponses", 10000000)
        count2 = n
        found2: list[PartitionProduceResponse] = []
        s1.partition_responses = found2
        for _ in range(count2):
            s2 = PartitionProduceResponse()
            s2.index = read_i32_be(data, i)
            s2.error_code = read_i16_be(data, i + 4)
            s2.base_offset = read_i64_be(data, i + 6)
            s2.log_append_time_ms = read_i64_be(data, i + 14)
            s2.log_start_offset = read_i64_be(data, i + 22)
            n = data[i + 30]
            i += 31
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 6 > size - i:
                raise bad_count("ProduceResponse.Responses.PartitionResponses.RecordErrors", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("ProduceResponse.Responses.PartitionResponses.RecordErrors", 10000000)
            count3 = n
            found3: list[BatchIndexAndErrorMessage] = []
            s2.record_errors = found3
            for _ in range(count3):
                s3 = BatchIndexAndErrorMessage()
                s3.batch_index = read_i32_be(data, i)
                n = data[i + 4]
                i += 5
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n == -1:
                    s3.batch_index_error_message = None
                else:
                    end = i + n
                    if n < 0 or end > size or n > STRING_BYTES_MAX:
                        raise bad_length("ProduceResponse.Responses.PartitionResponses.RecordErrors.BatchIndexErrorMessage", n, size - i)
                    s3.batch_index_error_message = data[i:end].decode()
                    i = end
                if data[i] == 0:
                    i += 1
                else:
                    i = skip_tagged_fields(data, i)
                found3.append(s3)
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n == -1:
                s2.error_message = None
            else:
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("ProduceResponse.Responses.PartitionResponses.ErrorMessage", n, size - i)
                s2.error_message = data[i:end].decode()
                i = end
            n = data[i]
            i += 1
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
                        s4 = LeaderIdAndEpoch()
                        s4.leader_id = read_i32_be(data, i)
                        s4.leader_epoch = read_i32_be(data, i + 4)
                        if data[i + 8] == 0:
                            i += 9
                        else:
                            i = skip_tagged_fields(data, i + 8)
                        s2.current_leader = s4
                        if i != stop1:
                            raise bad_tag_size("ProduceResponse.Responses.PartitionResponses.CurrentLeader")
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
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 0:
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        check_tag_count(data, i, n)
        count5 = n
        tag2 = -1
        unknown2 = 0
        for _ in range(count5):
            tag2, start2, stop2 = read_tag(data, i, tag2)
            i = start2
            if tag2 == 0:
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n < 0 or n * 11 > size - i:
                    raise bad_count("ProduceResponse.NodeEndpoints", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("ProduceResponse.NodeEndpoints", 10000000)
                count6 = n
                found4: list[NodeEndpoint] = []
                m.node_endpoints = found4
                for _ in range(count6):
                    s5 = NodeEndpoint()
                    s5.node_id = read_i32_be(data, i)
                    n = data[i + 4]
                    i += 5
                    if n > 127:
                        n, i = read_uvarint_rest(data, i, n)
                    n -= 1
                    end = i + n
                    if n < 0 or end > size or n > STRING_BYTES_MAX:
                        raise bad_length("ProduceResponse.NodeEndpoints.Host", n, size - i)
                    s5.host = data[i:end].decode()
                    i = end
                    s5.port = read_i32_be(data, i)
                    n = data[i + 4]
                    i += 5
                    if n > 127:
                        n, i = read_uvarint_rest(data, i, n)
                    n -= 1
                    if n == -1:
                        s5.rack = None
                    else:
                        end = i + n
                        if n < 0 or end > size or n > STRING_BYTES_MAX:
                            raise bad_length("ProduceResponse.NodeEndpoints.Rack", n, size - i)
                        s5.rack = data[i:end].decode()
                        i = end
                    if data[i] == 0:
                        i += 1
                    else:
                        i = skip_tagged_fields(data, i)
                    found4.append(s5)
                if i != stop2:
                    raise bad_tag_size("ProduceResponse.NodeEndpoints")
            else:
                check_unknown_tag(tag2, stop2 - i, unknown2)
                unknown2 += 1
                i = stop2
    return m, i


def _encode_13(m: ProduceResponse, w: BytesWriter, version: int) -> None:
    v1 = m.responses
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_uuid(w, s1.topic_id)
        v2 = s1.partition_responses
        write_uvarint(w, len(v2) + 1)
        for s2 in v2:
            write_i32_be(w, s2.index)
            write_i16_be(w, s2.error_code)
            write_i64_be(w, s2.base_offset)
            write_i64_be(w, s2.log_append_time_ms)
            write_i64_be(w, s2.log_start_offset)
            v3 = s2.record_errors
            write_uvarint(w, len(v3) + 1)
            for s3 in v3:
                write_i32_be(w, s3.batch_index)
                v4 = s3.batch_index_error_message
                write_compact_nullable_string(w, v4)
                w.append(0)
            v5 = s2.error_message
            write_compact_nullable_string(w, v5)
            t1 = (s2.current_leader.leader_id != -1 or s2.current_leader.leader_epoch != -1)
            if t1:
                write_uvarint(w, int(t1))
                if t1:
                    w1 = BytesWriter()
                    v6 = s2.current_leader
                    write_i32_be(w1, v6.leader_id)
                    write_i32_be(w1, v6.leader_epoch)
                    w1.append(0)
                    write_tag(w, 0, w1)
            else:
                w.append(0)
        w.append(0)
    write_i32_be(w, m.throttle_time_ms)
    t2 = len(m.node_endpoints) > 0
    if t2:
        write_uvarint(w, int(t2))
        if t2:
            w2 = BytesWriter()
            v7 = m.node_endpoints
            write_uvarint(w2, len(v7) + 1)
            for s4 in v7:
                write_i32_be(w2, s4.node_id)
                v8 = s4.host
                write_compact_string(w2, v8)
                write_i32_be(w2, s4.port)
                v9 = s4.rack
                write_compact_nullable_string(w2, v9)
                w2.append(0)
            write_tag(w, 0, w2)
    else:
        w.append(0)
