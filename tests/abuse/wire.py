"""A client of one socket that sends what a test likes, and a node to send it to."""

from __future__ import annotations

import hashlib
import itertools
import socket
import struct
from pathlib import Path
from types import TracebackType
from typing import Any

import psutil
from kit import producing

from barnabas.protocol.apis import api
from barnabas.protocol.header import decode_response_header, encode_request
from barnabas.protocol.message import Message
from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest
from barnabas.protocol.messages.create_topics_request import CreatableTopic, CreateTopicsRequest
from barnabas.protocol.messages.produce_request import (
    ProduceRequest,
)
from barnabas.testing.process import NodeProcess

TIMEOUT_S = 10.0
MIB = 1 << 20


class Wire:
    """One connection; every wait ends after ten seconds with an error."""

    def __init__(self, node: NodeProcess, source: str = "") -> None:
        self.socket = socket.create_connection((node.host, node.port), TIMEOUT_S, (source, 0))
        self._correlation = itertools.count(1)

    def __enter__(self) -> Wire:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.socket.close()

    def reset(self) -> None:
        """Close without a farewell: the other side gets RST."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def frame(self, request: Message, version: int) -> bytes:
        """The whole frame of a request."""
        return encode_request(request, version, next(self._correlation), "abuse")

    def send(self, data: bytes) -> None:
        """These bytes and no others."""
        self.socket.sendall(data)

    def try_to_send(self, data: bytes) -> bool:
        """Send to who may close meanwhile; whether all went out."""
        try:
            self.socket.sendall(data)
        except ConnectionError:
            return False
        return True

    def read_exactly(self, size: int) -> bytes:
        """So many bytes. Raises ConnectionError when the node closes before."""
        found = bytearray()
        while len(found) < size:
            part = self.socket.recv(min(size - len(found), MIB))
            if not part:
                raise ConnectionError(f"closed after {len(found)} of {size} bytes")
            found += part
        return bytes(found)

    def read_frame(self) -> bytes:
        """The content of one frame."""
        return self.read_exactly(int.from_bytes(self.read_exactly(4), "big"))

    def receive(self, key: int, version: int) -> Any:
        """The answer to a request of this API and version."""
        frame = self.read_frame()
        _, at = decode_response_header(frame, 0, key, version)
        return api(key).response.decode(frame[at:], version)

    def ask(self, request: Message, version: int) -> Any:
        """Send a request and wait for its answer."""
        assert request.API_KEY is not None
        self.send(self.frame(request, version))
        return self.receive(request.API_KEY, version)

    def is_closed(self) -> bool:
        """Wait until the node closes; what it still says is thrown away."""
        try:
            while self.socket.recv(MIB):
                pass
        except ConnectionError:
            return True
        except TimeoutError:
            return False
        return True


def produce_request(topic: str, records: bytes | None, acks: int = -1) -> ProduceRequest:
    """For partition 0 of one topic."""
    return producing.produce(records, topic=topic, acks=acks)


def produce(wire: Wire, topic: str, records: bytes | None, version: int = 9) -> Any:
    """The one row of the answer."""
    answer = wire.ask(produce_request(topic, records), version)
    return answer.responses[0].partition_responses[0]


def create_topic(node: NodeProcess, name: str, partitions: int = 1) -> None:
    """A topic that is there when this returns."""
    topic = CreatableTopic(name=name, num_partitions=partitions, replication_factor=1)
    with Wire(node) as wire:
        answer = wire.ask(CreateTopicsRequest(topics=[topic], timeout_ms=10_000), 7)
    assert answer.topics[0].error_code == 0, answer


def is_served(wire: Wire) -> bool:
    """Whether somebody who was connected all the time still gets answers."""
    return bool(wire.ask(ApiVersionsRequest(), 0).error_code == 0)


def fingerprint(node: NodeProcess, topic: str) -> str:
    """A hash over all files of the topic's logs."""
    found = hashlib.sha256()
    for path in sorted(Path(node.directory).glob(f"{topic}-*/*")):
        found.update(path.name.encode() + path.read_bytes())
    return found.hexdigest()


def memory(node: NodeProcess) -> int:
    """Resident bytes of the node."""
    return int(psutil.Process(node.pid).memory_info().rss)


def peak_memory(node: NodeProcess) -> int:
    """The most resident bytes that the node ever had; see `forget_peak`."""
    for line in Path(f"/proc/{node.pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no VmHWM")


def forget_peak(node: NodeProcess) -> int:
    """Begin a new peak; what is resident now."""
    Path(f"/proc/{node.pid}/clear_refs").write_text("5")
    return memory(node)


def complaints(node: NodeProcess) -> list[bytes]:
    """What the node logged of errors that it had not expected."""
    return [line for line in list(node.output) if b"unexpected" in line or b"Traceback" in line]
