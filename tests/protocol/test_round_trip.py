"""Any value that a version can carry comes back the same, from bytes and from JSON."""

from __future__ import annotations

import json
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kit.examples import examples
from kit.message_values import messages

from barnabas.protocol.apis import message_class
from barnabas.protocol.json_form import from_json, to_json
from barnabas.protocol.message import Message

from .golden_files import NAMES

EXAMPLES_PER_VERSION = 10


@pytest.mark.parametrize("name", NAMES)
def test_round_trip(name: str) -> None:
    """Goal: encode and decode are each other's inverse, in every version."""
    message = message_class(name)
    for version in range(message.MIN_VERSION, message.MAX_VERSION + 1):
        _check_version(message, version)


def _check_version(message: type[Message], version: int) -> None:
    module = sys.modules[message.__module__]

    @settings(
        max_examples=examples(EXAMPLES_PER_VERSION),
        deadline=None,
        database=None,
        # Wide messages make large examples; there is nothing to shrink about that.
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(st.data())
    def check(data: st.DataObject) -> None:
        value = data.draw(messages(message, module, version))
        encoded = value.encode(version)
        assert message.decode(encoded, version) == value
        assert message.decode_at(b"ab" + encoded + b"cd", 2, version) == (value, len(encoded) + 2)
        as_json = json.loads(json.dumps(to_json(value, version)))
        assert from_json(message, as_json, version) == value

    check()
