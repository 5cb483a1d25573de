"""ConsumerGroupTargetAssignmentMetadataValue, generated from ConsumerGroupTargetAssignmentMetadataValue.json: do not edit, run `make generate`."""

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
    '{"apiKey":6,"type":"coordinator-value","name":"ConsumerGroupTargetAssignmentMetadataValue"'
    ',"validVersions":"0","flexibleVersions":"0+","fields":[{"name":"AssignmentEpoch","type":"i'
    'nt32","versions":"0+"},{"name":"AssignmentTimestamp","type":"int64","versions":"0+","tagge'
    'dVersions":"0+","tag":0,"default":0,"ignorable":true}]}'
)


class ConsumerGroupTargetAssignmentMetadataValue(Message):
    """Says for which epoch the target assignment of a consumer group was computed."""

    __slots__ = ("assignment_epoch", "assignment_timestamp")
    FIELDS: ClassVar[tuple[str, ...]] = ("assignment_epoch", "assignment_timestamp")
    NAME: ClassVar[str] = "ConsumerGroupTargetAssignmentMetadataValue"
    KIND: ClassVar[str] = "coordinator-value"
    API_KEY: ClassVar[int | None] = 6
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    assignment_epoch: int  # Group epoch for which the target assignment was computed.
    assignment_timestamp: int  # When it was computed, in ms since 1970; 0 if unknown.

    def __init__(
        self,
        *,
        assignment_epoch: int = 0,
        assignment_timestamp: int = 0,
    ) -> None:
        self.assignment_epoch = assignment_epoch
        self.assignment_timestamp = assignment_timestamp

    @staticmethod
    def decode(data: bytes, version: int) -> ConsumerGroupTargetAssignmentMetadataValue:
        message, end = ConsumerGroupTargetAssignmentMetadataValue.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ConsumerGroupTargetAssignmentMetadataValue", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ConsumerGroupTargetAssignmentMetadataValue, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ConsumerGroupTargetAssignmentMetadataValue", version, len(data), error) from None
        raise no_version("ConsumerGroupTargetAssignmentMetadataValue", version)

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
            raise no_encoding("ConsumerGroupTargetAssignmentMetadataValue", version, error) from error
        raise no_encoding("ConsumerGroupTargetAssignmentMetadataValue", version)


def _decode_0(data: bytes, i: i64) -> tuple[ConsumerGroupTargetAssignmentMetadataValue, i64]:
    n: int
    m = ConsumerGroupTargetAssignmentMetadataValue()
    m.assignment_epoch = read_i32_be(data, i)
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
                m.assignment_timestamp = read_i64_be(data, i)
                i += 8
                if i != stop1:
                    raise bad_tag_size("ConsumerGroupTargetAssignmentMetadataValue.AssignmentTimestamp")
            else:
                check_unknown_tag(tag1, stop1 - i, unknown1)
                unknown1 += 1
                i = stop1
    return m, i


def _encode_0(m: ConsumerGroupTargetAssignmentMetadataValue, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.assignment_epoch)
    t1 = m.assignment_timestamp != 0
    if t1:
        write_uvarint(w, int(t1))
        if t1:
            write_uvarint(w, 0)
            w.append(8)
            write_i64_be(w, m.assignment_timestamp)
    else:
        w.append(0)
