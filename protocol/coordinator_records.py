"""Records of the coordinators' topics, `__consumer_offsets` and `__transaction_state`, as stored.

Key: int16 type, then the key message, always its version 0. Value: int16 version, then the value
message. A record without a value (a tombstone) takes back what its key had; that is the caller's
to see. The two topics count their types each for itself: 0 is another record in either.

Which version to write is the caller's choice: tools that read these topics know only those that
Kafka writes (REC-05), so they are named here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from struct import Struct
from typing import Final

from .apis import message_class
from .errors import DecodeError
from .message import Message

OFFSET_COMMIT_VERSION: Final = 4
OFFSET_COMMIT_WITH_EXPIRY_VERSION: Final = 1
"""Of a commit whose request said how long to keep the offset (OffsetCommit 2 to 4)."""
CLASSIC_GROUP_VERSION: Final = 3
"""One below the newest that is read."""
CONSUMER_GROUP_VERSION: Final = 0
"""Of every record of a KIP-848 group."""
TRANSACTION_VERSION: Final = 1
TRANSACTION_VERSION_BEFORE_KIP_890: Final = 0
"""While the feature `transaction.version` is 0."""

_NUMBER: Final = Struct(">h")
_KEY_VERSION: Final = 0

_GROUP_RECORDS: Final[Mapping[int, str]] = {
    0: "LegacyOffsetCommit",
    1: "OffsetCommit",
    2: "GroupMetadata",
    3: "ConsumerGroupMetadata",
    4: "ConsumerGroupPartitionMetadata",
    5: "ConsumerGroupMemberMetadata",
    6: "ConsumerGroupTargetAssignmentMetadata",
    7: "ConsumerGroupTargetAssignmentMember",
    8: "ConsumerGroupCurrentMemberAssignment",
    16: "ConsumerGroupRegularExpression",
}
_TRANSACTION_RECORDS: Final[Mapping[int, str]] = {0: "TransactionLog"}


@dataclass(frozen=True, slots=True)
class UnknownRecordType:
    """A key of a type that we do not know: skip the record and leave it in the log (CRT-15)."""

    type_id: int


class UnknownValueVersionError(DecodeError):
    """A value of a version above the newest that we know (CRT-15).

    The group coordinator fails its load with it; the transaction coordinator skips the record.
    """

    def __init__(self, name: str, version: int, newest: int) -> None:
        super().__init__(f"{name} of version {version}, but the newest known is {newest}")
        self.name = name
        self.version = version
        self.newest = newest


def encode_key(message: Message) -> bytes:
    """The key of a record of either topic.

    Type 0 of `__consumer_offsets` (LegacyOffsetCommitKey) is there to be read, and to be taken
    back by a tombstone; offsets are committed under type 1.
    """
    assert message.KIND == "coordinator-key" and message.API_KEY is not None
    return _NUMBER.pack(message.API_KEY) + message.encode(_KEY_VERSION)


def encode_value(message: Message, version: int) -> bytes:
    """The value of a record of either topic; EncodeError for what `version` cannot carry."""
    assert message.KIND == "coordinator-value"
    return _NUMBER.pack(version) + message.encode(version)


def decode_group_key(data: bytes) -> Message | UnknownRecordType:
    """What a record of `__consumer_offsets` is about; its type is the message's API_KEY.

    Types 0 and 1 are both a committed offset, with the same fields. Raises DecodeError for a key
    that is cut or has bytes too many.
    """
    return _decode_key(_GROUP_RECORDS, data)


def decode_group_value(key_type: int, data: bytes) -> Message:
    """The value of a record of `__consumer_offsets` whose key is of this type.

    Raises UnknownValueVersionError for a version above the newest known (CRT-15), and DecodeError
    for a type that is not known and for bytes that are no such value.
    """
    return _decode_value(_GROUP_RECORDS, key_type, data)


def decode_transaction_key(data: bytes) -> Message | UnknownRecordType:
    """What a record of `__transaction_state` is about; raises as `decode_group_key`."""
    return _decode_key(_TRANSACTION_RECORDS, data)


def decode_transaction_value(key_type: int, data: bytes) -> Message:
    """The value of a record of `__transaction_state`; raises as `decode_group_value`."""
    return _decode_value(_TRANSACTION_RECORDS, key_type, data)


def _decode_key(records: Mapping[int, str], data: bytes) -> Message | UnknownRecordType:
    type_id = _leading_number(data, "a key without its type")
    name = records.get(type_id)
    if name is None:
        return UnknownRecordType(type_id)
    return _whole(_class(f"{name}Key"), data, _KEY_VERSION)


def _decode_value(records: Mapping[int, str], key_type: int, data: bytes) -> Message:
    name = records.get(key_type)
    if name is None:
        raise DecodeError(f"the value of a record of unknown type {key_type}")
    message = _class(f"{name}Value")
    version = _leading_number(data, f"{message.NAME} without its version")
    if version > message.MAX_VERSION:
        raise UnknownValueVersionError(message.NAME, version, message.MAX_VERSION)
    return _whole(message, data, version)


@cache
def _class(name: str) -> type[Message]:
    """The class by its name: a log has a hundred thousand records, and finding it costs as much as
    decoding one."""
    return message_class(name)


def _leading_number(data: bytes, failure: str) -> int:
    if len(data) < _NUMBER.size:
        raise DecodeError(failure)
    number: int = _NUMBER.unpack_from(data)[0]
    return number


def _whole(message: type[Message], data: bytes, version: int) -> Message:
    decoded, end = message.decode_at(data, _NUMBER.size, version)
    if end != len(data):
        raise DecodeError(f"{message.NAME}: {len(data) - end} bytes too many")
    return decoded
