"""Offsets that programs give to be committed: what cannot be is named before anything is sent."""

from __future__ import annotations

from typing import Any

import pytest

from barnabas.client import TopicPartition
from barnabas.client.errors import ConfigurationError
from barnabas.client.groups.given_offsets import EPOCH_MAX, METADATA_CHARS_MAX, checked_offsets
from barnabas.client.groups.values import OffsetAndMetadata

T0 = TopicPartition("t", 0)


@pytest.mark.parametrize("given", [5, (5,), (5, "why"), (5, "why", 3), (0, "", EPOCH_MAX)])
def test_what_can_be_committed(given: Any) -> None:
    parts = given if isinstance(given, tuple) else (given,)
    assert checked_offsets({T0: given}) == {T0: OffsetAndMetadata(*parts)}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (-1, "offset -1"),
        (2**63, "offset 9223372036854775808"),
        ((5, "", EPOCH_MAX + 1), "leader epoch 2147483648"),
        ((5, "x" * (METADATA_CHARS_MAX + 1)), "too long"),
        ((5, "\udcff"), "UTF-8"),
    ],
)
def test_what_cannot(given: Any, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        checked_offsets({T0: given})


@pytest.mark.parametrize("given", ["5", 5.0, True, (5, b"why"), (5, "", "3"), (5, "", 3, 4), ()])
def test_what_is_no_offset(given: Any) -> None:
    with pytest.raises(TypeError, match="t-0"):
        checked_offsets({T0: given})
