"""Goal: what members tell each other is read in all its versions, and damage is an error."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from barnabas.client import TopicPartition
from barnabas.client.groups import formats
from barnabas.client.groups.formats import Subscribed
from barnabas.protocol.errors import DecodeError
from barnabas.protocol.messages.consumer_protocol_subscription import (
    ConsumerProtocolSubscription,
)

A1, B0 = TopicPartition("a", 1), TopicPartition("b", 0)
SAID = Subscribed(("a", "b"), (A1, B0), 5, "rack", b"mine")


def test_there_and_back() -> None:
    """CLI-08: version, topics, user data, owned partitions, generation and rack."""
    data = formats.encode_subscription(SAID)
    assert data[:2] == b"\0\3"
    assert formats.decode_subscription(data) == SAID
    assert formats.decode_assignment(formats.encode_assignment([B0, A1])) == [A1, B0]
    assert formats.decode_assignment(b"") == []


@pytest.mark.parametrize("version", [0, 1, 2])
def test_older_versions_say_less(version: int) -> None:
    """CLI-08: owned partitions come with 1, the generation with 2, the rack with 3."""
    message = ConsumerProtocolSubscription(topics=["a"], user_data=None, generation_id=4)
    data = struct.pack(">h", version) + message.encode(version)
    found = formats.decode_subscription(data)
    assert found.topics == ("a",)
    assert found.generation == (4 if version == 2 else -1)
    assert found.rack is None


def test_a_later_version_is_read_as_far_as_it_is_known() -> None:
    """CLI-08: what follows the fields that are known is left."""
    data = b"\0\x09" + formats.encode_subscription(SAID)[2:] + b"more"
    assert formats.decode_subscription(data) == SAID
    later = b"\0\x09" + formats.encode_assignment([A1])[2:] + b"more"
    assert formats.decode_assignment(later) == [A1]


def test_sticky_user_data_has_two_forms() -> None:
    """CLI-09: with and without a generation at its end, told apart by the length."""
    data = formats.sticky_user_data([B0, A1], 6)
    assert data == (b"\0\0\0\2" + b"\0\1a\0\0\0\1\0\0\0\1" + b"\0\1b\0\0\0\1\0\0\0\0" + b"\0\0\0\6")
    assert formats.read_sticky_user_data(data) == ([A1, B0], 6)
    assert formats.read_sticky_user_data(data[:-4]) == ([A1, B0], -1)


@given(data=st.binary(max_size=80))
def test_damage_is_a_decode_error(data: bytes) -> None:
    """Goal: bytes of a hostile member raise DecodeError and nothing else."""
    for read in (
        formats.decode_subscription,
        formats.decode_assignment,
        formats.read_sticky_user_data,
    ):
        try:
            read(data)
        except DecodeError:
            continue
