"""The construct backend against the generated codecs: two readings of one schema must agree."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from kit.examples import examples
from kit.message_values import messages

from barnabas.protocol.apis import message_class
from barnabas.protocol.errors import DecodeError, EncodeError
from barnabas.protocol.json_form import to_json
from barnabas.protocol.message import Message
from barnabas.protocol.vector_files import read_lines
from barnabas.protocol.vectors import BACKENDS, Codecs, check_files

from .golden_files import NAMES

GOLDEN = sorted(
    path
    for path in (Path(__file__).parent / "golden").glob("*.jsonl*")
    if not path.name.startswith("record-")
)
MUTATIONS_PER_FILE = 60
EXAMPLES_PER_VERSION = 3


def outcome(codecs: Codecs, name: str, body: bytes, version: int) -> Any:
    """The JSON of a body as text, or that there is none."""
    try:
        return json.dumps(codecs.codec(name).decode_to_json(body, version), sort_keys=True)
    except DecodeError:
        return None


def mutated(body: bytes, random: Random) -> bytes:
    """One to three bytes changed, the end cut off, or bytes put in."""
    data = bytearray(body)
    for _ in range(random.randrange(1, 4)):
        kind = random.randrange(4)
        if kind == 0 and data:
            del data[random.randrange(len(data)) :]
        elif kind == 1:
            at = random.randrange(len(data) + 1)
            data[at:at] = random.randbytes(random.randrange(1, 4))
        elif data:
            at = random.randrange(len(data))
            data[at] = random.choice([0, 1, 2, 0x7F, 0x80, 0xFF, data[at] ^ 1])
    return bytes(data)


def test_golden_vectors_hold() -> None:
    """Goal: what Kafka's own classes wrote decodes and encodes through construct too."""
    passed, failures = check_files(GOLDEN, backend="construct")
    assert not failures
    assert passed > 500


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.name.split(".")[0])
def test_backends_agree_on_mutated_bytes(path: Path) -> None:
    """Goal: both accept and refuse the same bytes, and read the same value (ENV-06, ENV-07)."""
    random = Random(path.name)
    vectors = [json.loads(line) for line in read_lines(path)]
    python, construct = (Codecs(backend) for backend in BACKENDS)
    for _ in range(MUTATIONS_PER_FILE):
        vector = random.choice(vectors)
        body = mutated(bytes.fromhex(vector["hex"]), random)
        name, version = vector["message"], vector["version"]
        one = outcome(python, name, body, version)
        other = outcome(construct, name, body, version)
        assert one == other, f"{name} version {version}: {body.hex()}"


@pytest.mark.parametrize("name", NAMES)
def test_backends_agree_on_random_values(name: str) -> None:
    """Goal: both write the same bytes of any value, in every version, and read them alike."""
    message = message_class(name)
    for version in range(message.MIN_VERSION, message.MAX_VERSION + 1):
        _check_random_values(message, version)


def _check_random_values(message: type[Message], version: int) -> None:
    construct = Codecs("construct").codec(message.NAME)
    module = sys.modules[message.__module__]

    @settings(
        max_examples=examples(EXAMPLES_PER_VERSION),
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(messages(message, module, version))
    def check(value: Message) -> None:
        encoded = value.encode(version)
        as_json = to_json(value, version)
        assert construct.encode_json(as_json, version) == encoded
        assert construct.decode_to_json(encoded, version) == as_json

    check()


def test_errors_name_message_and_field() -> None:
    """Goal: an error says which message and where in it."""
    codec = Codecs("construct").codec("FetchRequest")
    with pytest.raises(DecodeError, match="FetchRequest version 12"):
        codec.decode_to_json(b"\x00", 12)
    with pytest.raises(EncodeError, match="forgottenTopicsData' is missing"):
        codec.encode_json({}, 12)
    with pytest.raises(DecodeError, match="no version 3"):
        codec.decode_to_json(b"", 3)
