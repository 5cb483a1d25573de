"""Records of `__consumer_offsets` and `__transaction_state`: their frames, and what is refused."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit.examples import examples
from kit.message_values import messages

from barnabas.protocol.apis import message_class
from barnabas.protocol.coordinator_records import (
    CLASSIC_GROUP_VERSION,
    CONSUMER_GROUP_VERSION,
    OFFSET_COMMIT_VERSION,
    OFFSET_COMMIT_WITH_EXPIRY_VERSION,
    TRANSACTION_VERSION,
    TRANSACTION_VERSION_BEFORE_KIP_890,
    UnknownRecordType,
    UnknownValueVersionError,
    decode_group_key,
    decode_group_value,
    decode_transaction_key,
    decode_transaction_value,
    encode_key,
    encode_value,
)
from barnabas.protocol.errors import DecodeError
from barnabas.protocol.message import Message
from barnabas.protocol.messages.group_metadata_key import GroupMetadataKey
from barnabas.protocol.messages.group_metadata_value import GroupMetadataValue
from barnabas.protocol.messages.legacy_offset_commit_key import LegacyOffsetCommitKey
from barnabas.protocol.messages.legacy_offset_commit_value import LegacyOffsetCommitValue
from barnabas.protocol.messages.offset_commit_key import OffsetCommitKey
from barnabas.protocol.messages.offset_commit_value import OffsetCommitValue
from barnabas.protocol.messages.transaction_log_key import TransactionLogKey
from barnabas.protocol.messages.transaction_log_value import TransactionLogValue

from .golden_files import NAMES, vectors

KEYS = [name for name in NAMES if message_class(name).KIND == "coordinator-key"]
VALUES = [name for name in NAMES if message_class(name).KIND == "coordinator-value"]
EXAMPLES = 20


def decode_key(name: str) -> Callable[[bytes], Message | UnknownRecordType]:
    """How keys of the topic of this message are read."""
    return decode_transaction_key if name.startswith("TransactionLog") else decode_group_key


def decode_value(name: str) -> Callable[[int, bytes], Message]:
    """How values of the topic of this message are read."""
    return decode_transaction_value if name.startswith("TransactionLog") else decode_group_value


def api_key(name: str) -> int:
    """The type of the record that a key or a value belongs to."""
    found = message_class(name).API_KEY
    assert found is not None
    return found


def newest(name: str) -> int:
    """The newest version of a message."""
    return message_class(name).MAX_VERSION


def test_every_type_of_a_classic_or_consumer_group_and_of_a_transaction_is_known() -> None:
    """Goal: each key has its value, and nothing but share and streams groups is unknown."""
    assert [name.removesuffix("Key") for name in KEYS] == [
        name.removesuffix("Value") for name in VALUES
    ]
    group_types = sorted(api_key(name) for name in KEYS if name != "TransactionLogKey")
    assert group_types == [0, 1, 2, 3, 4, 5, 6, 7, 8, 16]


@pytest.mark.parametrize("name", KEYS)
def test_keys_are_as_kafka_stores_them(name: str) -> None:
    """Goal: Kafka's bytes of each key, type in front, in both directions."""
    prefix = api_key(name).to_bytes(2, "big")
    for vector in vectors(name):
        stored = prefix + bytes.fromhex(vector["hex"])
        assert stored.hex() == vector.get("framed_hex", stored.hex())
        found = decode_key(name)(stored)
        assert isinstance(found, message_class(name))
        assert encode_key(found) == stored


@pytest.mark.parametrize("name", VALUES)
def test_values_are_as_kafka_stores_them(name: str) -> None:
    """Goal: Kafka's bytes of each value, version in front, in both directions."""
    framed = 0
    for vector in vectors(name):
        version = vector["version"]
        stored = version.to_bytes(2, "big") + bytes.fromhex(vector["hex"])
        assert stored.hex() == vector.get("framed_hex", stored.hex())
        framed += "framed_hex" in vector
        found = decode_value(name)(api_key(name), stored)
        assert type(found) is message_class(name)
        if not vector["unknown_tags"]:
            assert encode_value(found, version) == stored
    assert framed > 0


@pytest.mark.parametrize("name", [*KEYS, *VALUES])
def test_any_record_comes_back(name: str) -> None:
    """Goal: encode and decode are each other's inverse for whatever a version can carry."""
    message = message_class(name)
    versions = range(message.MIN_VERSION, message.MAX_VERSION + 1)
    is_key = message.KIND == "coordinator-key"

    @settings(max_examples=examples(EXAMPLES), deadline=None, database=None)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        version = data.draw(st.sampled_from(versions))
        made = data.draw(messages(message, sys.modules[message.__module__], version))
        if is_key:
            assert decode_key(name)(encode_key(made)) == made
        else:
            found = decode_value(name)(api_key(name), encode_value(made, version))
            assert found == made

    check()


@settings(max_examples=examples(500), deadline=None, database=None)
@given(st.integers(-1, 20), st.binary(max_size=60))
def test_garbage_is_a_decode_error(key_type: int, data: bytes) -> None:
    """Goal: no bytes of a log raise anything but DecodeError."""
    for read in (decode_group_value, decode_transaction_value):
        with suppress(DecodeError):
            read(key_type, data)
    for read_key in (decode_group_key, decode_transaction_key):
        with suppress(DecodeError):
            read_key(key_type.to_bytes(2, "big", signed=True) + data)


@pytest.mark.parametrize("type_id", [-1, 9, 15, 17, 23, 32767])
def test_a_key_type_that_is_not_known_is_no_error(type_id: int) -> None:
    """CRT-15: share groups, streams groups and what a later Kafka writes are skipped."""
    key = type_id.to_bytes(2, "big", signed=True) + b"anything"
    assert decode_group_key(key) == UnknownRecordType(type_id)
    assert decode_transaction_key(key) == UnknownRecordType(type_id)


@pytest.mark.parametrize("name", VALUES)
def test_a_value_version_of_a_later_kafka_has_its_own_error(name: str) -> None:
    """CRT-15: the loader can tell a version above the known one from broken bytes."""
    version = newest(name) + 1
    with pytest.raises(UnknownValueVersionError, match=f"^{name} of version {version}") as caught:
        decode_value(name)(api_key(name), version.to_bytes(2, "big") + b"anything")
    error = caught.value
    assert (error.name, error.version, error.newest) == (name, version, version - 1)


def test_both_kinds_of_committed_offset() -> None:
    """Goal: types 0 and 1 have the same fields, and are kept apart by their classes (REC-05)."""
    legacy, present = (
        decode_group_key(bytes([0, type_id]) + b"\0\1g\0\1t\0\0\0\7") for type_id in (0, 1)
    )
    assert legacy == LegacyOffsetCommitKey(group="g", topic="t", partition=7)
    assert present == OffsetCommitKey(group="g", topic="t", partition=7)
    value = decode_group_value(0, b"\0\0" + bytes(7) + b"\5\0\1m" + bytes(7) + b"\6")
    assert value == LegacyOffsetCommitValue(offset=5, metadata="m", commit_timestamp=6)


@pytest.mark.parametrize(
    ("value", "version"),
    [
        (OffsetCommitValue(topic_id=bytes(15) + b"\1"), OFFSET_COMMIT_VERSION),
        (OffsetCommitValue(expire_timestamp=5), OFFSET_COMMIT_WITH_EXPIRY_VERSION),
        (GroupMetadataValue(current_state_timestamp=1), CLASSIC_GROUP_VERSION),
        (TransactionLogValue(client_transaction_version=2), TRANSACTION_VERSION),
        (TransactionLogValue(), TRANSACTION_VERSION_BEFORE_KIP_890),
    ],
)
def test_the_versions_that_are_written(value: Message, version: int) -> None:
    """REC-05: each can carry what it is written for."""
    assert value.API_KEY is not None
    read = (
        decode_transaction_value if isinstance(value, TransactionLogValue) else decode_group_value
    )
    assert read(value.API_KEY, encode_value(value, version)) == value


def test_the_version_of_consumer_group_records_is_their_only_one() -> None:
    """Goal: one constant is enough for all of KIP-848."""
    names = [name for name in VALUES if name.startswith("ConsumerGroup")]
    assert {newest(name) for name in names} == {CONSUMER_GROUP_VERSION}


@pytest.mark.parametrize(
    ("read", "reason"),
    [
        (lambda: decode_group_key(b""), "a key without its type"),
        (lambda: decode_group_key(b"\0"), "a key without its type"),
        (lambda: decode_group_key(b"\0\2\0\2g"), "GroupMetadataKey.group: 2 bytes, 1 are left"),
        (
            lambda: decode_group_key(encode_key(GroupMetadataKey(group="g")) + b"\0"),
            "GroupMetadataKey: 1 bytes too many",
        ),
        (lambda: decode_group_value(2, b"\0"), "GroupMetadataValue without its version"),
        (lambda: decode_group_value(2, b"\xff\xff"), "GroupMetadataValue has no version -1"),
        (lambda: decode_group_value(2, b"\0\3"), "GroupMetadataValue version 3: cut short"),
        (lambda: decode_group_value(9, b"\0\0"), "the value of a record of unknown type 9"),
        (lambda: decode_transaction_value(1, b"\0\0"), "of unknown type 1"),
        (
            lambda: decode_transaction_value(0, encode_value(TransactionLogValue(), 1) + b"\0"),
            "TransactionLogValue: 1 bytes too many",
        ),
        (
            lambda: decode_transaction_key(
                encode_key(TransactionLogKey(transactional_id="t"))[:-1]
            ),
            "TransactionLogKey.TransactionalId: 1 bytes, 0 are left",
        ),
    ],
)
def test_what_is_no_record(read: Callable[[], object], reason: str) -> None:
    """Goal: a broken record is refused with a reason, not as a version of a later Kafka."""
    with pytest.raises(DecodeError, match=reason) as caught:
        read()
    assert not isinstance(caught.value, UnknownValueVersionError)
