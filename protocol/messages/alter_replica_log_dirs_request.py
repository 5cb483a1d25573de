"""AlterReplicaLogDirsRequest, generated from AlterReplicaLogDirsRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message, Struct, UNSET_LIST)
from ..primitives import (
    STRING_BYTES_MAX,
    bad_count,
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    over_budget,
    skip_tagged_fields,
    trailing,
    write_compact_string,
    write_string,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":34,"type":"request","listeners":["broker"],"name":"AlterReplicaLogDirsRequest","'
    'validVersions":"1-2","flexibleVersions":"2+","fields":[{"name":"Dirs","type":"[]AlterRepli'
    'caLogDir","versions":"0+","fields":[{"name":"Path","type":"string","versions":"0+","mapKey'
    '":true},{"name":"Topics","type":"[]AlterReplicaLogDirTopic","versions":"0+","fields":[{"na'
    'me":"Name","type":"string","versions":"0+","mapKey":true,"entityType":"topicName"},{"name"'
    ':"Partitions","type":"[]int32","versions":"0+"}]}]}]}'
)


class AlterReplicaLogDirTopic(Struct):
    """One entry for each topic."""

    __slots__ = ("name", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "partitions")
    name: str  # Name of the topic.
    partitions: list[int]  # Numbers of the partitions.

    def __init__(
        self,
        *,
        name: str = "",
        partitions: list[int] = UNSET_LIST,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET_LIST else partitions


class AlterReplicaLogDir(Struct):
    """One entry for each directory that replicas go to."""

    __slots__ = ("path", "topics")
    FIELDS: ClassVar[tuple[str, ...]] = ("path", "topics")
    path: str  # Absolute path of the directory.
    topics: list[AlterReplicaLogDirTopic]  # One entry for each topic.

    def __init__(
        self,
        *,
        path: str = "",
        topics: list[AlterReplicaLogDirTopic] = UNSET_LIST,
    ) -> None:
        self.path = path
        self.topics = [] if topics is UNSET_LIST else topics


class AlterReplicaLogDirsRequest(Message):
    """Has replicas of the broker that is asked moved to others of its log directories."""

    __slots__ = ("dirs",)
    FIELDS: ClassVar[tuple[str, ...]] = ("dirs",)
    NAME: ClassVar[str] = "AlterReplicaLogDirsRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 34
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 2
    FLEXIBLE_SINCE: ClassVar[int | None] = 2
    SCHEMA: ClassVar[str] = _SCHEMA

    dirs: list[AlterReplicaLogDir]  # One entry for each directory that replicas go to.

    def __init__(
        self,
        *,
        dirs: list[AlterReplicaLogDir] = UNSET_LIST,
    ) -> None:
        self.dirs = [] if dirs is UNSET_LIST else dirs

    @staticmethod
    def decode(data: bytes, version: int) -> AlterReplicaLogDirsRequest:
        message, end = AlterReplicaLogDirsRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("AlterReplicaLogDirsRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[AlterReplicaLogDirsRequest, int]:
        try:
            if version == 2:
                return _decode_2(data, offset)
            if version == 1:
                return _decode_1(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("AlterReplicaLogDirsRequest", version, len(data), error) from None
        raise no_version("AlterReplicaLogDirsRequest", version)

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
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("AlterReplicaLogDirsRequest", version, error) from error
        raise no_encoding("AlterReplicaLogDirsRequest", version)


def _decode_1(data: bytes, i: i64) -> tuple[AlterReplicaLogDirsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = AlterReplicaLogDirsRequest()
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 6 > size - i:
        raise bad_count("AlterReplicaLogDirsRequest.Dirs", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("AlterReplicaLogDirsRequest.Dirs", 100000)
    count1 = n
    found1: list[AlterReplicaLogDir] = []
    m.dirs = found1
    for _ in range(count1):
        s1 = AlterReplicaLogDir()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("AlterReplicaLogDirsRequest.Dirs.Path", n, size - i)
        s1.path = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 6 > size - i:
            raise bad_count("AlterReplicaLogDirsRequest.Dirs.Topics", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("AlterReplicaLogDirsRequest.Dirs.Topics", 100000)
        count2 = n
        found2: list[AlterReplicaLogDirTopic] = []
        s1.topics = found2
        for _ in range(count2):
            s2 = AlterReplicaLogDirTopic()
            n = read_i16_be(data, i)
            i += 2
            end = i + n
            if n < 0 or end > size:
                raise bad_length("AlterReplicaLogDirsRequest.Dirs.Topics.Name", n, size - i)
            s2.name = data[i:end].decode()
            i = end
            n = read_i32_be(data, i)
            i += 4
            if n < 0 or n * 4 > size - i:
                raise bad_count("AlterReplicaLogDirsRequest.Dirs.Topics.Partitions", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("AlterReplicaLogDirsRequest.Dirs.Topics.Partitions", 100000)
            end = i + n * 4
            s2.partitions = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            found2.append(s2)
        found1.append(s1)
    return m, i


def _encode_1(m: AlterReplicaLogDirsRequest, w: BytesWriter, version: int) -> None:
    v1 = m.dirs
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.path
        write_string(w, v2)
        v3 = s1.topics
        write_i32_be(w, len(v3))
        for s2 in v3:
            v4 = s2.name
            write_string(w, v4)
            v5 = s2.partitions
            write_i32_be(w, len(v5))
            for s3 in v5:
                write_i32_be(w, s3)


def _decode_2(data: bytes, i: i64) -> tuple[AlterReplicaLogDirsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = AlterReplicaLogDirsRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("AlterReplicaLogDirsRequest.Dirs", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("AlterReplicaLogDirsRequest.Dirs", 100000)
    count1 = n
    found1: list[AlterReplicaLogDir] = []
    m.dirs = found1
    for _ in range(count1):
        s1 = AlterReplicaLogDir()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("AlterReplicaLogDirsRequest.Dirs.Path", n, size - i)
        s1.path = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 3 > size - i:
            raise bad_count("AlterReplicaLogDirsRequest.Dirs.Topics", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("AlterReplicaLogDirsRequest.Dirs.Topics", 100000)
        count2 = n
        found2: list[AlterReplicaLogDirTopic] = []
        s1.topics = found2
        for _ in range(count2):
            s2 = AlterReplicaLogDirTopic()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("AlterReplicaLogDirsRequest.Dirs.Topics.Name", n, size - i)
            s2.name = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("AlterReplicaLogDirsRequest.Dirs.Topics.Partitions", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("AlterReplicaLogDirsRequest.Dirs.Topics.Partitions", 100000)
            end = i + n * 4
            s2.partitions = [read_i32_be(data, j) for j in range(i, end, 4)]
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
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_2(m: AlterReplicaLogDirsRequest, w: BytesWriter, version: int) -> None:
    v1 = m.dirs
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.path
        write_compact_string(w, v2)
        v3 = s1.topics
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            v4 = s2.name
            write_compact_string(w, v4)
            v5 = s2.partitions
            write_uvarint(w, len(v5) + 1)
            for s3 in v5:
                write_i32_be(w, s3)
            w.append(0)
        w.append(0)
    w.append(0)
