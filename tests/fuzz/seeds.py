"""First inputs of each target, from the vectors that Apache Kafka's own classes made."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from librt.strings import BytesWriter

from barnabas.broker.server.produce_walk import FIRST_VERSION, FLEXIBLE_SINCE, LAST_VERSION
from barnabas.protocol.apis import APIS, message_class
from barnabas.protocol.header import write_request_header
from barnabas.protocol.messages.produce_request import ProduceRequest, TopicProduceData
from barnabas.protocol.record_batch import HEADER_SIZE

from .login_seeds import login_seeds
from .message_targets import selector

GOLDEN: Final = Path(__file__).parents[1] / "protocol" / "golden"
SEED_BYTES_MAX: Final = 4096

_KINDS: Final = {
    "codecs": ("defaults", "full-0", "random-0", "nulls-0", "unknown-tags-0"),
    "construct": ("defaults", "full-0", "random-0", "nulls-0", "unknown-tags-0"),
    "headers": ("defaults", "full-0"),
}


def seeds(target: str) -> Iterator[bytes]:
    """Inputs of a target that reach far at once."""
    if target == "batches":
        yield from _batches()
        return
    if target == "walk":
        yield from _produce_requests()
        return
    if target == "logins":
        yield from login_seeds()
        return
    for path in sorted(GOLDEN.glob("*.jsonl.gz")):
        if not path.name.startswith("record-"):
            yield from _messages(path, target)


def request_seeds() -> Iterator[tuple[int, bytes]]:
    """Whole frames of requests, with the API key of each."""
    for path in sorted(GOLDEN.glob("*Request.jsonl.gz")):
        for vector in _lines(path):
            body = bytes.fromhex(vector["hex"])
            if vector["case"] in _KINDS["codecs"] and len(body) <= SEED_BYTES_MAX:
                yield from ((vector["api_key"], frame) for frame in _framed(vector, body))


def _messages(path: Path, target: str) -> Iterator[bytes]:
    for vector in _lines(path):
        body = bytes.fromhex(vector["hex"])
        if vector["case"] not in _KINDS[target] or len(body) > SEED_BYTES_MAX:
            continue
        if target == "headers":
            yield from _framed(vector, body)
        else:
            yield selector(vector["message"], vector["version"]) + body


def _framed(vector: dict[str, Any], body: bytes) -> Iterator[bytes]:
    """A request as a frame, a response as a frame behind the two bytes that choose it."""
    key, version = vector.get("api_key"), vector["version"]
    if key not in APIS or "header_version" not in vector:
        return
    if message_class(vector["message"]).KIND == "request":
        writer = BytesWriter()
        write_request_header(writer, key, version, 5, "fuzz")
        content = writer.getvalue() + body
    else:
        chosen = bytes([list(APIS).index(key), version - APIS[key].min_version])
        content = chosen + b"\0\0\0\5" + b"\0" * vector["header_version"] + body
    yield len(content).to_bytes(4, "big") + content


def _produce_requests() -> Iterator[bytes]:
    """Client id, tags of the header, body; also as the hot path likes it best."""
    for vector in _lines(GOLDEN / "ProduceRequest.jsonl.gz"):
        body, version = bytes.fromhex(vector["hex"]), vector["version"]
        if not FIRST_VERSION <= version <= LAST_VERSION or len(body) > SEED_BYTES_MAX:
            continue
        front = bytes([version - FIRST_VERSION]) + b"\0\4fuzz"
        front += b"\0" if version >= FLEXIBLE_SINCE else b""
        yield front + body
        request = ProduceRequest.decode(body, version)
        request.transactional_id, request.acks = None, -1
        yield front + request.encode(version)
        request.topic_data.append(TopicProduceData(name="empty"))
        yield front + request.encode(version).replace(b"empty", b"\xff\xff\xff\xff\xff")


def _batches() -> Iterator[bytes]:
    for path in sorted(GOLDEN.glob("record-*.jsonl.gz")):
        for vector in _lines(path):
            data = bytes.fromhex(vector["hex"])
            if len(data) > SEED_BYTES_MAX:
                continue
            yield b"\0" + data
            if vector.get("magic") == 2:
                yield b"\1" + data
                yield bytes([3, data[22] & 7]) + data[HEADER_SIZE:]
                if not data[22] & 7:
                    yield bytes([2, 0]) + data[59:61] + data[HEADER_SIZE:]
            elif "magic" in vector:
                entry = data[16 : 12 + int.from_bytes(data[8:12], "big")]
                yield bytes([4, len(entry) - 2 & 0xFF]) + entry
                yield bytes([5, vector["magic"] | 2, len(entry) - 2 & 0xFF]) + entry
            for record in vector.get("records", ()):
                if record.get("control"):
                    key = bytes.fromhex(record["key"] or "")
                    yield bytes([6, len(key) & 7]) + key + bytes.fromhex(record["value"] or "")


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)
