"""OffsetCommitValue, generated from OffsetCommitValue.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (
    BytesWriter,
    read_i16_be,
    read_i32_be,
    read_i64_be,
    write_i32_be,
    write_i64_be,
)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (
    STRING_BYTES_MAX,
    ZERO_UUID,
    bad_length,
    bad_tag_size,
    check_tag_count,
    check_unknown_tag,
    decode_failure,
    no_encoding,
    no_version,
    read_tag,
    trailing,
    write_compact_string,
    write_string,
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":1,"type":"coordinator-value","name":"OffsetCommitValue","validVersions":"0-4","f'
    'lexibleVersions":"4+","fields":[{"name":"offset","type":"int64","versions":"0+"},{"name":"'
    'leaderEpoch","type":"int32","versions":"3+","default":-1,"ignorable":true},{"name":"metada'
    'ta","type":"string","versions":"0+"},{"name":"commitTimestamp","type":"int64","versions":"'
    '0+"},{"name":"expireTimestamp","type":"int64","versions":"1","default":-1,"ignorable":true'
    '},{"name":"topicId","type":"uuid","versions":"4+","taggedVersions":"4+","tag":0,"ignorable'
    '":true}]}'
)


class OffsetCommitValue(Message):
    """How far the group has read the partition."""

    __slots__ = (
        "offset",
        "leader_epoch",
        "metadata",
        "commit_timestamp",
        "expire_timestamp",
        "topic_id",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "offset",
        "leader_epoch",
        "metadata",
        "commit_timestamp",
        "expire_timestamp",
        "topic_id",
    )
    NAME: ClassVar[str] = "OffsetCommitValue"
    KIND: ClassVar[str] = "coordinator-value"
    API_KEY: ClassVar[int | None] = 1
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 4
    FLEXIBLE_SINCE: ClassVar[int | None] = 4
    SCHEMA: ClassVar[str] = _SCHEMA

    offset: int  # Offset of the next record that the group will read.
    leader_epoch: int  # Leader epoch of the last record that was read, or -1 if unknown.
    metadata: str  # The note that the group stored with the offset; may be empty.
    commit_timestamp: int  # When it was committed, in ms since 1970.
    expire_timestamp: int  # When to forget it, in ms since 1970; -1 to go by the broker's configuration.
    topic_id: bytes  # Id of the topic, so that a later topic of the same name starts afresh; zero if unknown.

    def __init__(
        self,
        *,
        offset: int = 0,
        leader_epoch: int = -1,
        metadata: str = "",
        commit_timestamp: int = 0,
        expire_timestamp: int = -1,
        topic_id: bytes = ZERO_UUID,
    ) -> None:
        self.offset = offset
        self.leader_epoch = leader_epoch
        self.metadata = metadata
        self.commit_timestamp = commit_timestamp
        self.expire_timestamp = expire_timestamp
        self.topic_id = topic_id

    @staticmethod
    def decode(data: bytes, version: int) -> OffsetCommitValue:
        message, end = OffsetCommitValue.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("OffsetCommitValue", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[OffsetCommitValue, int]:
        try:
            if version == 4:
                return _decode_4(data, offset)
            if version == 3:
                return _decode_3(data, offset)
            if version == 2:
                return _decode_0(data, offset)
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("OffsetCommitValue", version, len(data), error) from None
        raise no_version("OffsetCommitValue", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 4:
                return _encode_4(self, writer, version)
            if version == 3:
                return _encode_3(self, writer, version)
            if version == 2:
                return _encode_0(self, writer, version)
            if version == 1:
                return _encode_1(self, writer, version)
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("OffsetCommitValue", version, error) from error
        raise no_encoding("OffsetCommitValue", version)


def _decode_0(data: bytes, i: i64) -> tuple[OffsetCommitValue, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = OffsetCommitValue()
    m.offset = read_i64_be(data, i)
    n = read_i16_be(data, i + 8)
    i += 10
    end = i + n
    if n < 0 or end > size:
        raise bad_length("OffsetCommitValue.metadata", n, size - i)
    m.metadata = data[i:end].decode()
    i = end
    m.commit_timestamp = read_i64_be(data, i)
    i += 8
    return m, i


def _encode_0(m: OffsetCommitValue, w: BytesWriter, version: int) -> None:
    write_i64_be(w, m.offset)
    v1 = m.metadata
    write_string(w, v1)
    write_i64_be(w, m.commit_timestamp)


def _decode_1(data: bytes, i: i64) -> tuple[OffsetCommitValue, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = OffsetCommitValue()
    m.offset = read_i64_be(data, i)
    n = read_i16_be(data, i + 8)
    i += 10
    end = i + n
    if n < 0 or end > size:
        raise bad_length("OffsetCommitValue.metadata", n, size - i)
    m.metadata = data[i:end].decode()
    i = end
    m.commit_timestamp = read_i64_be(data, i)
    m.expire_timestamp = read_i64_be(data, i + 8)
    i += 16
    return m, i


def _encode_1(m: OffsetCommitValue, w: BytesWriter, version: int) -> None:
    write_i64_be(w, m.offset)
    v1 = m.metadata
    write_string(w, v1)
    write_i64_be(w, m.commit_timestamp)
    write_i64_be(w, m.expire_timestamp)


def _decode_3(data: bytes, i: i64) -> tuple[OffsetCommitValue, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = OffsetCommitValue()
    m.offset = read_i64_be(data, i)
    m.leader_epoch = read_i32_be(data, i + 8)
    n = read_i16_be(data, i + 12)
    i += 14
    end = i + n
    if n < 0 or end > size:
        raise bad_length("OffsetCommitValue.metadata", n, size - i)
    m.metadata = data[i:end].decode()
    i = end
    m.commit_timestamp = read_i64_be(data, i)
    i += 8
    return m, i


def _encode_3(m: OffsetCommitValue, w: BytesWriter, version: int) -> None:
    write_i64_be(w, m.offset)
    write_i32_be(w, m.leader_epoch)
    v1 = m.metadata
    write_string(w, v1)
    write_i64_be(w, m.commit_timestamp)


def _decode_4(data: bytes, i: i64) -> tuple[OffsetCommitValue, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = OffsetCommitValue()
    m.offset = read_i64_be(data, i)
    m.leader_epoch = read_i32_be(data, i + 8)
    n = data[i + 12]
    i += 13
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("OffsetCommitValue.metadata", n, size - i)
    m.metadata = data[i:end].decode()
    i = end
    m.commit_timestamp = read_i64_be(data, i)
    n = data[i + 8]
    i += 9
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
                end = i + 16
                if end > size:
                    raise bad_length("OffsetCommitValue.topicId", 16, size - i)
                m.topic_id = data[i:end]
                i = end
                if i != stop1:
                    raise bad_tag_size("OffsetCommitValue.topicId")
            else:
                check_unknown_tag(tag1, stop1 - i, unknown1)
                unknown1 += 1
                i = stop1
    return m, i


def _encode_4(m: OffsetCommitValue, w: BytesWriter, version: int) -> None:
    write_i64_be(w, m.offset)
    write_i32_be(w, m.leader_epoch)
    v1 = m.metadata
    write_compact_string(w, v1)
    write_i64_be(w, m.commit_timestamp)
    t1 = m.topic_id != ZERO_UUID
    if t1:
        write_uvarint(w, int(t1))
        if t1:
            write_uvarint(w, 0)
            w.append(16)
            write_uuid(w, m.topic_id)
    else:
        w.append(0)
