"""TopicRecord, generated from TopicRecord.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (
    STRING_BYTES_MAX,
    ZERO_UUID,
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    skip_tagged_fields,
    trailing,
    write_compact_string,
    write_uuid,
)
from ..varints import (read_uvarint_rest)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":2,"type":"metadata","name":"TopicRecord","validVersions":"0","flexibleVersions":'
    '"0+","fields":[{"name":"Name","type":"string","versions":"0+","entityType":"topicName"},{"'
    'name":"TopicId","type":"uuid","versions":"0+"}]}'
)


class TopicRecord(Message):
    """Metadata: a topic is there; its partitions follow."""

    __slots__ = ("name", "topic_id")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "topic_id")
    NAME: ClassVar[str] = "TopicRecord"
    KIND: ClassVar[str] = "metadata"
    API_KEY: ClassVar[int | None] = 2
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    name: str  # Name of the topic.
    topic_id: bytes  # Id of the topic.

    def __init__(
        self,
        *,
        name: str = "",
        topic_id: bytes = ZERO_UUID,
    ) -> None:
        self.name = name
        self.topic_id = topic_id

    @staticmethod
    def decode(data: bytes, version: int) -> TopicRecord:
        message, end = TopicRecord.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("TopicRecord", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[TopicRecord, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("TopicRecord", version, len(data), error) from None
        raise no_version("TopicRecord", version)

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
            raise no_encoding("TopicRecord", version, error) from error
        raise no_encoding("TopicRecord", version)


def _decode_0(data: bytes, i: i64) -> tuple[TopicRecord, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = TopicRecord()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("TopicRecord.Name", n, size - i)
    m.name = data[i:end].decode()
    i = end
    end = i + 16
    if end > size:
        raise bad_length("TopicRecord.TopicId", 16, size - i)
    m.topic_id = data[i:end]
    i = end
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_0(m: TopicRecord, w: BytesWriter, version: int) -> None:
    v1 = m.name
    write_compact_string(w, v1)
    write_uuid(w, m.topic_id)
    w.append(0)
