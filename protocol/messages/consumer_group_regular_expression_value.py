"""ConsumerGroupRegularExpressionValue, generated from ConsumerGroupRegularExpressionValue.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i64_be, write_i64_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message, UNSET_LIST)
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
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":16,"type":"coordinator-value","name":"ConsumerGroupRegularExpressionValue","vali'
    'dVersions":"0","flexibleVersions":"0+","fields":[{"name":"Topics","type":"[]string","versi'
    'ons":"0+"},{"name":"Version","type":"int64","versions":"0+"},{"name":"Timestamp","type":"i'
    'nt64","versions":"0+"}]}'
)


class ConsumerGroupRegularExpressionValue(Message):
    """The topics that the expression stands for."""

    __slots__ = ("topics", "version", "timestamp")
    FIELDS: ClassVar[tuple[str, ...]] = ("topics", "version", "timestamp")
    NAME: ClassVar[str] = "ConsumerGroupRegularExpressionValue"
    KIND: ClassVar[str] = "coordinator-value"
    API_KEY: ClassVar[int | None] = 16
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    topics: list[str]  # Names of the topics that matched, as far as the member that asked may see them.
    version: int  # Version of the cluster's metadata in which they were looked up: an offset of the metadata log.
    timestamp: int  # When they were looked up, in ms since 1970.

    def __init__(
        self,
        *,
        topics: list[str] = UNSET_LIST,
        version: int = 0,
        timestamp: int = 0,
    ) -> None:
        self.topics = [] if topics is UNSET_LIST else topics
        self.version = version
        self.timestamp = timestamp

    @staticmethod
    def decode(data: bytes, version: int) -> ConsumerGroupRegularExpressionValue:
        message, end = ConsumerGroupRegularExpressionValue.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ConsumerGroupRegularExpressionValue", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ConsumerGroupRegularExpressionValue, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ConsumerGroupRegularExpressionValue", version, len(data), error) from None
        raise no_version("ConsumerGroupRegularExpressionValue", version)

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
            raise no_encoding("ConsumerGroupRegularExpressionValue", version, error) from error
        raise no_encoding("ConsumerGroupRegularExpressionValue", version)


def _decode_0(data: bytes, i: i64) -> tuple[ConsumerGroupRegularExpressionValue, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ConsumerGroupRegularExpressionValue()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n > size - i:
        raise bad_count("ConsumerGroupRegularExpressionValue.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ConsumerGroupRegularExpressionValue.Topics", 10000000)
    count1 = n
    found1: list[str] = []
    m.topics = found1
    for _ in range(count1):
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ConsumerGroupRegularExpressionValue.Topics", n, size - i)
        v1 = data[i:end].decode()
        i = end
        found1.append(v1)
    m.version = read_i64_be(data, i)
    m.timestamp = read_i64_be(data, i + 8)
    if data[i + 16] == 0:
        i += 17
    else:
        i = skip_tagged_fields(data, i + 16)
    return m, i


def _encode_0(m: ConsumerGroupRegularExpressionValue, w: BytesWriter, version: int) -> None:
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_compact_string(w, s1)
    write_i64_be(w, m.version)
    write_i64_be(w, m.timestamp)
    w.append(0)
