"""How long a round of a fetch between two brokers takes, as clients see it.

A partition has a leader and one follower. A record is produced with acks=1, which is answered with
the append, while a consumer's Fetch is parked at the leader's end. The consumer gets the record as
soon as the leader knows that the follower has it: when the follower's next Fetch has come. From the
one answer to the other it takes the leader's answer to the follower, the follower's work, its next
request and the leader's look at it: once round, whatever brokers these are.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack

from ..wire import RefusedError, Wire, one_record_batch
from .requests import fetch_request, read_fetched

REPLICAS: tuple[tuple[int, ...], ...] = ((1, 2), (2, 3), (3, 1))
"""Of the partitions that are probed: each broker leads one, and follows in another."""
PROBES_PER_S = 50
MAX_WAIT_MS = 5_000
TIMEOUT_S = 30.0
ACKS_LEADER = 1


class Probe:
    """A partition's leader, written to on one connection and read on another."""

    def __init__(self, writer: Wire, reader: Wire, topic: str, partition: int) -> None:
        self.writer = writer
        self.reader = reader
        self.topic = topic
        self.partition = partition
        self.end = writer.end_offset(topic, partition)

    def one_round(self) -> float:
        """Seconds from the append to the moment when its follower has it. `RefusedError`."""
        request = fetch_request(self.topic, self.partition, self.end, max_wait_ms=MAX_WAIT_MS)
        self.reader.socket.sendall(request)
        batch = one_record_batch(b"round", int(time.time() * 1000))
        base = self.writer.produce_one(self.topic, self.partition, batch, ACKS_LEADER)
        appended = time.perf_counter()
        body = self.reader.receive()
        while True:
            arrived = time.perf_counter()
            error, size = read_fetched(body)
            if error:
                raise RefusedError("Fetch at a leader", error)
            if size:
                self.end = base + 1
                return arrived - appended
            body = self.reader.call(request)


class Rounds:
    """Round after round in a thread, at all leaders in turn, until it is told to end."""

    def __init__(self, topic: str, ports: Sequence[int]) -> None:
        """`ports`: of the leaders of partitions 0, 1, …"""
        self.found_ms: list[tuple[float, float]] = []
        """When each round began, and what it took."""
        self._topic = topic
        self._ports = ports
        self._is_over = threading.Event()
        self._failure: Exception | None = None
        self._thread = threading.Thread(target=self._run)

    def start(self) -> None:
        """Begin to measure."""
        self._thread.start()

    def end(self) -> None:
        """Wait for the last round. Raises what ended it before."""
        self._is_over.set()
        self._thread.join()
        if self._failure is not None:
            raise self._failure

    def _run(self) -> None:
        try:
            with ExitStack() as stack:
                probes = []
                for partition, port in enumerate(self._ports):
                    writer, reader = (stack.enter_context(Wire(port, TIMEOUT_S)) for _ in range(2))
                    probes.append(Probe(writer, reader, self._topic, partition))
                self._probe(probes)
        except (OSError, EOFError, RefusedError) as error:
            self._failure = error

    def _probe(self, probes: Sequence[Probe]) -> None:
        begun, count = time.monotonic(), 0
        while not self._is_over.wait(max(0.0, begun + count / PROBES_PER_S - time.monotonic())):
            now = time.monotonic()
            self.found_ms.append((now, probes[count % len(probes)].one_round() * 1e3))
            count += 1
