"""ConsumerGroupMetadataValue, generated from ConsumerGroupMetadataValue.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i32_be, read_i64_be, write_i32_be, write_i64_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (
    bad_tag_size,
    check_tag_count,
    check_unknown_tag,
    decode_failure,
    no_encoding,
    no_version,
    read_tag,
    trailing,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":3,"type":"coordinator-value","name":"ConsumerGroupMetadataValue","validVersions"'
    ':"0","flexibleVersions":"0+","fields":[{"name":"Epoch","type":"int32","versions":"0+"},{"n'
    'ame":"MetadataHash","type":"int64","versions":"0+","taggedVersions":"0+","tag":0,"default"'
    ':0}]}'
)


class ConsumerGroupMetadataValue(Message):
    """The epoch of a consumer group, and what its topics looked like then."""

    __slots__ = ("epoch", "metadata_hash")
    FIELDS: ClassVar[tuple[str, ...]] = ("epoch", "metadata_hash")
    NAME: ClassVar[str] = "ConsumerGroupMetadataValue"
    KIND: ClassVar[str] = "coordinator-value"
    API_KEY: ClassVar[int | None] = 3
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    epoch: int  # Number that goes up whenever members, subscriptions or their topics change.
    metadata_hash: int  # Hash over the partitions and racks of all subscribed topics, by which a change is noticed; 0 without topics or if unknown.

    def __init__(
        self,
        *,
        epoch: int = 0,
        metadata_hash: int = 0,
    ) -> None:
        self.epoch = epoch
        self.metadata_hash = metadata_hash

    @staticmethod
    def decode(data: bytes, version: int) -> ConsumerGroupMetadataValue:
        message, end = ConsumerGroupMetadataValue.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ConsumerGroupMetadataValue", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ConsumerGroupMetadataValue, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ConsumerGroupMetadataValue", version, len(data), error) from None
        raise no_version("ConsumerGroupMetadataValue", version)

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
            raise no_encoding("ConsumerGroupMetadataValue", version, error) from error
        raise no_encoding("ConsumerGroupMetadataValue", version)


def _decode_0(data: bytes, i: i64) -> tuple[ConsumerGroupMetadataValue, i64]:
    n: int
    m = ConsumerGroupMetadataValue()
    m.epoch = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
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
                m.metadata_hash = read_i64_be(data, i)
                i += 8
                if i != stop1:
                    raise bad_tag_size("ConsumerGroupMetadataValue.MetadataHash")
            else:
                check_unknown_tag(tag1, stop1 - i, unknown1)
                unknown1 += 1
                i = stop1
    return m, i


def _encode_0(m: ConsumerGroupMetadataValue, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.epoch)
    t1 = m.metadata_hash != 0
    if t1:
        write_uvarint(w, int(t1))
        if t1:
            write_uvarint(w, 0)
            w.append(8)
            write_i64_be(w, m.metadata_hash)
    else:
        w.append(0)
