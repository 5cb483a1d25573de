"""How long a round of a fetch between two brokers takes, as clients see it.

A partition has a leader and one follower. A record is produced with acks=1, which is answered with
the append, while a consumer's Fetch is parked at the leader's end. The consumer gets the record as
soon as the leader knows that the follower has it: when the follower's next Fetch has come. From the
one answer to the other it takes the leader's answer to the follower, the follower's work, its next
request and the leader's look at it: once round, whatever brokers these are.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack

from ..wire import RefusedError, Wire, one_record_batch
from .requests import fetch_request, read_fetched

REPLICAS: tuple[tuple[int, ...], ...] = ((1, 2), (2, 3), (3, 1))
"""Of the partitions that are probed: each broker leads one, and follows in another."""
PROBES_PER_S = 47
"""No divisor of the load's pace: else each probe would meet a record, or none would."""
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


def measure(topic: str, ports: Sequence[int], seconds: float) -> list[tuple[float, float]]:
    """Round after round at all leaders in turn: when each began, and how many ms it took.

    `ports`: of the leaders of partitions 0, 1, …
    """
    with ExitStack() as stack:
        probes = []
        for partition, port in enumerate(ports):
            writer, reader = (stack.enter_context(Wire(port, TIMEOUT_S)) for _ in range(2))
            probes.append(Probe(writer, reader, topic, partition))
        found_ms = []
        begun = time.monotonic()
        for number in range(int(seconds * PROBES_PER_S)):
            time.sleep(max(0.0, begun + number / PROBES_PER_S - time.monotonic()))
            now = time.monotonic()
            found_ms.append((now, probes[number % len(probes)].one_round() * 1e3))
        return found_ms


class Rounds:
    """Rounds that are measured in a process of their own, while this one reads and writes.

    In a thread of a program that decodes records, a round would be longer than it is.
    """

    def __init__(self, topic: str, ports: str) -> None:
        """`ports`: as the program is told them, with commas between."""
        self._options = ("--topic", topic, "--leaders", ports)
        self._process: subprocess.Popen[str] | None = None

    def start(self, seconds: float) -> None:
        """Begin to measure, for so long."""
        command = [sys.executable, "-m", "bench.cluster.rounds", *self._options]
        self._process = subprocess.Popen(
            [*command, "--seconds", str(seconds)], stdout=subprocess.PIPE, text=True
        )

    def end(self) -> list[tuple[float, float]]:
        """What `measure` found. Raises CalledProcessError if it failed."""
        assert self._process is not None
        try:
            printed, _ = self._process.communicate(timeout=TIMEOUT_S)
        finally:
            self._process.kill()  # no error if it has ended
        if code := self._process.returncode:
            raise subprocess.CalledProcessError(code, self._process.args)
        return [(began, took_ms) for began, took_ms in json.loads(printed)]


def main() -> None:
    """Read the command line, run, print what was found as JSON."""
    parser = argparse.ArgumentParser(prog="python -m bench.cluster.rounds", description=__doc__)
    parser.add_argument("--topic", required=True)
    parser.add_argument("--leaders", required=True, help="ports of its partitions' leaders")
    parser.add_argument("--seconds", type=float, default=8.0)
    options = parser.parse_args()
    ports = [int(port) for port in options.leaders.split(",")]
    json.dump(measure(options.topic, ports, options.seconds), sys.stdout)


if __name__ == "__main__":
    main()
