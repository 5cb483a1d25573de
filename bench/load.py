"""A load of small requests, one in flight on each connection, from a bare epoll loop.

Runs as a process of its own, `python -m bench.load`, with Produce of one record, and prints one
JSON object. Requests are bytes built before the clock starts; an answer is right when it begins
with the bytes that say so (correlation id, topic, partition, error code 0). Everything else is
counted under its error code.
"""

from __future__ import annotations

import argparse
import gc
import json
import select
import socket
import struct
import sys
import time
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter_ns
from typing import NamedTuple

from . import procfs, wire
from .figures import percentile

STALL_S = 10.0
RECEIVE_BYTES = 65_536


@dataclass(slots=True)
class Outcome:
    """What one timed window saw."""

    seconds: float = 0.0
    latencies_ns: array[int] = field(default_factory=lambda: array("q"))
    errors: dict[int, int] = field(default_factory=dict)
    generator_cpu_s: float = 0.0


def following(ports: Sequence[int]) -> list[int]:
    """For each partition the next one, in a circle, whose leader listens on the same port."""
    count = len(ports)
    return [
        next(other % count for other in range(p + 1, p + count + 1) if ports[other % count] == port)
        for p, port in enumerate(ports)
    ]


class Exchange(NamedTuple):
    """A request, and the beginning of its answer if all is well, up to the error code 0."""

    request: bytes
    prefix: bytes


def produce_exchanges(partitions: int, topic: str, size: int) -> list[Exchange]:
    """Produce of one record of so many bytes, for each partition."""
    batch = wire.one_record_batch(b"x" * size, int(time.time() * 1000))
    return [
        Exchange(
            wire.produce_request(topic, number, batch, number),
            wire.produce_success_prefix(topic, number, number),
        )
        for number in range(partitions)
    ]


class Load:
    """`connections` sockets, each to one broker, each always with one request in flight.

    `ports` has the port at which each exchange is to be made. Every connection goes round those of
    its broker, starting one further than its neighbour.
    """

    def __init__(
        self, ports: Sequence[int], connections: int, exchanges: Sequence[Exchange]
    ) -> None:
        partitions = len(ports)
        self.requests = [each.request for each in exchanges]
        self.prefixes = [each.prefix for each in exchanges]
        self.error_at = 4 + len(self.prefixes[0]) - 2  # in the frame, its length included
        self.following = following(ports)
        self.poll = select.epoll()
        self.sockets: dict[int, socket.socket] = {}
        self.turn: dict[int, int] = {}
        self.sent_ns: dict[int, int] = {}
        self.acked = 0
        for number in range(connections):
            one = socket.create_connection(("127.0.0.1", ports[number % partitions]))
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.sockets[one.fileno()] = one
            self.turn[one.fileno()] = number % partitions
            self.poll.register(one.fileno(), select.EPOLLIN)

    def start(self) -> None:
        """Send the first request of every connection."""
        for fd, one in self.sockets.items():
            self.sent_ns[fd] = perf_counter_ns()
            one.sendall(self.requests[self.turn[fd]])

    def run(self, seconds: float) -> Outcome:
        """Keep every connection busy for `seconds`; `TimeoutError` when all answers stop."""
        outcome = Outcome()
        receive = {fd: one.recv for fd, one in self.sockets.items()}
        send = {fd: one.send for fd, one in self.sockets.items()}
        requests, expected = self.requests, self.prefixes
        turn, sent_ns = self.turn, self.sent_ns
        successor, poll = self.following, self.poll.poll
        add = outcome.latencies_ns.append
        cpu = time.process_time()
        started = now = perf_counter_ns()
        end = started + int(seconds * 1e9)
        while now < end:
            ready = poll(STALL_S)
            if not ready:
                raise TimeoutError(f"no answer in {STALL_S:.0f} s")
            for fd, _ in ready:
                answer = receive[fd](RECEIVE_BYTES)
                now = perf_counter_ns()
                partition = turn[fd]
                if not answer.startswith(expected[partition], 4):
                    self._judge(fd, answer, outcome.errors)
                add(now - sent_ns[fd])
                turn[fd] = partition = successor[partition]
                sent_ns[fd] = now
                send[fd](requests[partition])
        outcome.seconds = (now - started) / 1e9
        outcome.generator_cpu_s = time.process_time() - cpu
        self.acked += len(outcome.latencies_ns) - sum(outcome.errors.values())
        return outcome

    def _judge(self, fd: int, answer: bytes, errors: dict[int, int]) -> None:
        """Complete an answer that came in pieces, and count it if it is an error."""
        one = self.sockets[fd]
        while len(answer) < 4 or len(answer) < 4 + int.from_bytes(answer[:4], "big"):
            piece = one.recv(RECEIVE_BYTES)
            if not piece:
                raise ConnectionResetError("the broker closed a connection under load")
            answer += piece
        if not answer.startswith(self.prefixes[self.turn[fd]], 4):
            code = struct.unpack_from(">h", answer, self.error_at)[0]
            errors[code] = errors.get(code, 0) + 1

    def finish(self) -> None:
        """Take the answers still on their way, and close."""
        rest: dict[int, int] = {}
        for fd, one in self.sockets.items():
            one.settimeout(STALL_S)
            self._judge(fd, one.recv(RECEIVE_BYTES), rest)
            one.close()
        self.acked += len(self.sockets) - sum(rest.values())
        self.poll.close()


def summary(outcome: Outcome, broker_cpu_s: float | None) -> dict[str, float]:
    """The window in figures: requests a second, latencies in ms, CPU a request in microseconds."""
    count = len(outcome.latencies_ns)
    ordered = sorted(outcome.latencies_ns)
    figures = {
        "requests": count,
        "requests_per_s": count / outcome.seconds,
        "p50_ms": percentile(ordered, 50) / 1e6,
        "p99_ms": percentile(ordered, 99) / 1e6,
        "p999_ms": percentile(ordered, 99.9) / 1e6,
        "max_ms": ordered[-1] / 1e6,
        "errors": sum(outcome.errors.values()),
        "generator_cpu_share": outcome.generator_cpu_s / outcome.seconds,
        "generator_cpu_us_per_request": outcome.generator_cpu_s / count * 1e6,
    }
    if broker_cpu_s is not None:
        figures["cpu_us_per_request"] = broker_cpu_s / count * 1e6
        figures["cpu_share"] = broker_cpu_s / outcome.seconds
    return figures


def timed(load: Load, warm_up_s: float, seconds: float, pid: int | None = None) -> dict[str, float]:
    """The figures of one window after a warm-up; `pid`: the broker, if its CPU time is wanted."""
    load.start()
    gc.disable()
    load.run(warm_up_s)
    cpu = procfs.cpu_seconds(pid) if pid else 0.0
    outcome = load.run(seconds)
    broker_cpu_s = procfs.cpu_seconds(pid) - cpu if pid else None
    load.finish()
    return summary(outcome, broker_cpu_s)


def measure(options: argparse.Namespace) -> dict[str, float]:
    """One warm-up, one timed window, and unless told otherwise a count of what the logs hold."""
    where = (options.topic, options.partitions)
    before = {}
    if options.check:
        with wire.Wire(options.port) as connection:
            before = connection.end_offsets(*where)
    ports = [options.port] * options.partitions
    exchanges = produce_exchanges(options.partitions, options.topic, options.size)
    load = Load(ports, options.connections, exchanges)
    figures = timed(load, options.warm_up, options.seconds, options.pid)
    if options.check:
        with wire.Wire(options.port) as connection:
            grown = sum(connection.end_offsets(*where).values()) - sum(before.values())
        figures["acked_but_absent"] = load.acked - grown
    return figures


def main() -> None:
    """Read the command line, run, print the figures as JSON."""
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--pid", type=int, help="the broker's process, for its CPU time")
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--warm-up", type=float, default=1.0)
    parser.add_argument("--size", type=int, default=100, help="bytes of each record's value")
    parser.add_argument("--topic", default="one-record")
    parser.add_argument("--partitions", type=int, default=8)
    parser.add_argument("--check", action="store_true", help="compare with the logs' end offsets")
    json.dump(measure(parser.parse_args()), sys.stdout)


if __name__ == "__main__":
    main()
