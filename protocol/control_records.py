"""Control records: transaction markers, and what the metadata quorum notes in its own log.

Key: int16 version, int16 type. A transaction marker's value is an int16 version and the body; the
others are one message whose first field is its version (KIP-98, KIP-595, KIP-630, KIP-853).
"""

from __future__ import annotations

from enum import IntEnum
from struct import Struct
from typing import Final

from .apis import message_class
from .batch_errors import InvalidBatchError
from .errors import DecodeError
from .message import Message

_KEY: Final = Struct(">hh")
_VERSION: Final = Struct(">h")
_MARKER: Final = Struct(">hi")
KEY_VERSION: Final = 0


class ControlType(IntEnum):
    """What a control record is about."""

    ABORT = 0
    COMMIT = 1
    LEADER_CHANGE = 2
    SNAPSHOT_HEADER = 3
    SNAPSHOT_FOOTER = 4
    KRAFT_VERSION = 5
    KRAFT_VOTERS = 6


_VALUES: Final = {
    ControlType.ABORT: "EndTxnMarker",
    ControlType.COMMIT: "EndTxnMarker",
    ControlType.LEADER_CHANGE: "LeaderChangeMessage",
    ControlType.SNAPSHOT_HEADER: "SnapshotHeaderRecord",
    ControlType.SNAPSHOT_FOOTER: "SnapshotFooterRecord",
    ControlType.KRAFT_VERSION: "KRaftVersionRecord",
    ControlType.KRAFT_VOTERS: "VotersRecord",
}


_TYPES: Final = {name: kind for kind, name in _VALUES.items() if name != "EndTxnMarker"}


class ControlRecord:
    """A decoded control record; `value` is None for a type that we do not know."""

    __slots__ = ("key_version", "type_id", "value", "version")

    def __init__(self, type_id: int, key_version: int, version: int, value: Message | None) -> None:
        self.type_id = type_id
        self.key_version = key_version
        self.version = version
        """Version that the value was written in; -1 without a value."""
        self.value = value

    @property
    def type(self) -> ControlType | None:
        """The type by its name; None for one that a later Kafka added."""
        try:
            return ControlType(self.type_id)
        except ValueError:
            return None

    @property
    def is_marker(self) -> bool:
        """Whether it ends a transaction."""
        return self.type_id in (ControlType.ABORT, ControlType.COMMIT)


def read_control_type(key: bytes | None) -> int:
    """The type in the key of a control record; InvalidBatchError(87) when the key is cut."""
    if key is None or len(key) < _KEY.size:
        raise InvalidBatchError("a control record with a key of fewer than four bytes")
    type_id: int = _KEY.unpack_from(key)[1]
    return type_id


def read_end_marker(key: bytes | None, value: bytes | None) -> tuple[ControlType, int] | None:
    """ABORT or COMMIT, and the coordinator's epoch; None for a record that ends no transaction.

    A record that is too short ends none, and bytes behind the epoch are left alone, as Kafka does:
    it is read from logs that are stored already, and must not stop their recovery.
    """
    if key is None or value is None or len(key) < _KEY.size or len(value) < _MARKER.size:
        return None
    type_id = read_control_type(key)
    if type_id not in (ControlType.ABORT, ControlType.COMMIT):
        return None
    return ControlType(type_id), _MARKER.unpack_from(value)[1]


def decode_control(key: bytes | None, value: bytes | None) -> ControlRecord:
    """What a record of a control batch says; InvalidBatchError(87) when it cannot be read.

    A version of the value above the ones that we know is read as the highest that we know, as
    Kafka does.
    """
    type_id = read_control_type(key)
    assert key is not None
    key_version: int = _KEY.unpack_from(key)[0]
    control = ControlRecord(type_id, key_version, -1, None)
    kind = control.type
    if kind is None:
        return control
    if value is None or len(value) < _VERSION.size:
        raise InvalidBatchError(f"a {kind.name} record without a version")
    version: int = _VERSION.unpack_from(value)[0]
    if version < 0:
        raise InvalidBatchError(f"a {kind.name} record of version {version}")
    message = message_class(_VALUES[kind])
    body = value[_VERSION.size :] if control.is_marker else value
    try:
        if version > message.MAX_VERSION:
            control.value = message.decode_at(body, 0, message.MAX_VERSION)[0]
        else:
            control.value = message.decode(body, version)
    except DecodeError as error:
        raise InvalidBatchError(f"a {kind.name} record: {error}") from None
    control.version = version
    return control


def control_type_of(message: Message) -> ControlType:
    """The type of the control record that has this message, which is no marker, as its value."""
    return _TYPES[message.NAME]


def encode_control(kind: ControlType, value: Message, version: int = 0) -> tuple[bytes, bytes]:
    """Key and value of a control record."""
    assert _VALUES[kind] == value.NAME
    body = value.encode(version)
    if kind in (ControlType.ABORT, ControlType.COMMIT):
        body = _VERSION.pack(version) + body
    return _KEY.pack(KEY_VERSION, kind), body
