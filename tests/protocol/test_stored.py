"""Records of the metadata log: the frame around them, and what is refused."""

from __future__ import annotations

import pytest

from barnabas.protocol.apis import message_class
from barnabas.protocol.errors import DecodeError
from barnabas.protocol.messages.index import METADATA_RECORDS
from barnabas.protocol.messages.topic_record import TopicRecord
from barnabas.protocol.stored import (
    decode_metadata_record,
    decode_metadata_record_version,
    encode_metadata_record,
)

from .golden_files import vectors

FRAMED = [
    (vector["message"], vector["version"], bytes.fromhex(vector["framed_hex"]))
    for name in METADATA_RECORDS.values()
    for vector in vectors(name)
    if "framed_hex" in vector
]


@pytest.mark.parametrize(("name", "version", "framed"), FRAMED)
def test_frames_as_kafka_stores_them(name: str, version: int, framed: bytes) -> None:
    """Goal: frame version, type, version and body, in both directions."""
    record, found_version = decode_metadata_record_version(framed)
    assert (type(record), found_version) == (message_class(name), version)
    assert decode_metadata_record(framed) == record
    assert encode_metadata_record(record, version) == framed


def test_every_type_of_record_is_known() -> None:
    """Goal: nothing that Kafka 4.3 writes to its metadata log is unknown."""
    assert len(METADATA_RECORDS) == 26
    assert {name for name, _, _ in FRAMED} == set(METADATA_RECORDS.values())


@pytest.mark.parametrize(
    ("framed", "reason"),
    [
        ("", "cut within its first three numbers"),
        ("0102", "cut within its first three numbers"),
        ("000200", "of frame version 0"),
        ("020200", "of frame version 2"),
        ("016300", "of unknown type 99"),
        ("01027f", "TopicRecord has no version 127"),
        ("010200", "TopicRecord version 0: cut short"),
        ("01ffffffffff01", "more than 32 bits"),
    ],
)
def test_what_is_no_metadata_record(framed: str, reason: str) -> None:
    """Goal: a log that is not ours is refused with a reason, by DecodeError alone."""
    with pytest.raises(DecodeError, match=reason):
        decode_metadata_record(bytes.fromhex(framed))


def test_trailing_bytes() -> None:
    """ENV-06, for stored records."""
    with pytest.raises(DecodeError, match="TopicRecord: 1 bytes too many"):
        decode_metadata_record(encode_metadata_record(TopicRecord(name="a"), 0) + b"\0")
