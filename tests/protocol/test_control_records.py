"""Control records: every type both ways, unknown ones passed over, broken ones named."""

from __future__ import annotations

import pytest

from barnabas.protocol.batch_errors import InvalidBatchError
from barnabas.protocol.control_records import (
    ControlType,
    decode_control,
    encode_control,
    read_control_type,
    read_end_marker,
)
from barnabas.protocol.message import Message
from barnabas.protocol.messages.end_txn_marker import EndTxnMarker
from barnabas.protocol.messages.k_raft_version_record import KRaftVersionRecord
from barnabas.protocol.messages.leader_change_message import LeaderChangeMessage, Voter
from barnabas.protocol.messages.snapshot_footer_record import SnapshotFooterRecord
from barnabas.protocol.messages.snapshot_header_record import SnapshotHeaderRecord
from barnabas.protocol.messages.voters_record import VotersRecord

VALUES: dict[ControlType, Message] = {
    ControlType.ABORT: EndTxnMarker(coordinator_epoch=3),
    ControlType.COMMIT: EndTxnMarker(coordinator_epoch=4),
    ControlType.LEADER_CHANGE: LeaderChangeMessage(leader_id=1, voters=[Voter(voter_id=1)]),
    ControlType.SNAPSHOT_HEADER: SnapshotHeaderRecord(last_contained_log_timestamp=5),
    ControlType.SNAPSHOT_FOOTER: SnapshotFooterRecord(),
    ControlType.KRAFT_VERSION: KRaftVersionRecord(k_raft_version=1),
    ControlType.KRAFT_VOTERS: VotersRecord(),
}


@pytest.mark.parametrize("kind", ControlType)
def test_both_ways(kind: ControlType) -> None:
    """Goal: what we write is what we read, with the type by its name."""
    key, value = encode_control(kind, VALUES[kind])
    found = decode_control(key, value)
    assert (found.type, found.type_id, found.version, found.key_version) == (kind, kind, 0, 0)
    assert found.value == VALUES[kind]
    assert found.is_marker == (kind in (ControlType.ABORT, ControlType.COMMIT))


def test_a_marker_is_as_kafka_writes_it() -> None:
    """Goal: the bytes of a COMMIT marker of the golden batches."""
    key, value = encode_control(ControlType.COMMIT, EndTxnMarker(coordinator_epoch=9))
    assert (key.hex(), value.hex()) == ("00000001", "000000000009")


def test_a_type_of_a_later_kafka_is_passed_over() -> None:
    """Goal: as Kafka: an unknown control type is no error."""
    found = decode_control(b"\0\0\0\x63", b"anything")
    assert (found.type, found.type_id, found.value, found.version) == (None, 99, None, -1)


def test_a_version_of_a_later_kafka_is_read_as_ours() -> None:
    """Goal: fields that came behind are left alone."""
    found = decode_control(b"\0\0\0\1", b"\0\5" + b"\0\0\0\7" + b"more")
    assert found.value == EndTxnMarker(coordinator_epoch=7)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (None, b""),
        (b"\0\0\0", b""),
        (b"\0\0\0\1", None),
        (b"\0\0\0\1", b"\0"),
        (b"\0\0\0\1", b"\0\0\0\0"),
        (b"\0\0\0\1", b"\xff\xff\0\0\0\1"),
        (b"\0\0\0\1", b"\0\0\0\0\0\1x"),
        (b"\0\0\0\2", b"\0\0\0\0"),
    ],
)
def test_broken_control_records_are_invalid(key: bytes | None, value: bytes | None) -> None:
    """Goal: INVALID_RECORD(87) and no other exception."""
    with pytest.raises(InvalidBatchError):
        decode_control(key, value)


def test_the_type_alone() -> None:
    """Goal: a reader that only wants to know commit or abort need not decode the value."""
    assert read_control_type(b"\0\0\0\0") == ControlType.ABORT


@pytest.mark.parametrize("kind", [ControlType.ABORT, ControlType.COMMIT])
def test_the_end_of_a_transaction(kind: ControlType) -> None:
    """98-05: a marker says how its transaction ended, and in which epoch of the coordinator."""
    key, value = encode_control(kind, EndTxnMarker(coordinator_epoch=-7))
    assert read_end_marker(key, value) == (kind, -7)
    assert read_end_marker(key, value + b"more") == (kind, -7)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (None, b"\0\0\0\0\0\1"),
        (b"\0\0\0", b"\0\0\0\0\0\1"),
        (b"\0\0\0\1", None),
        (b"\0\0\0\1", b"\0\0\0\0\0"),
        (b"\0\0\0\2", b"\0\0\0\0\0\1"),
        (b"\0\0\xff\xff", b"\0\0\0\0\0\1"),
    ],
)
def test_what_ends_no_transaction(key: bytes | None, value: bytes | None) -> None:
    """Goal: a stored record of another type, or one that is cut, is passed over, not an error."""
    assert read_end_marker(key, value) is None
