"""A producer that numbers its records and notes when each was acknowledged.

Runs as a process of its own, `python -m bench.cluster.writer`: writes one number a millisecond,
says `ready` when the first are acknowledged, goes on until a line comes in, and prints one JSON
object: how many were sent, which failed, and the longest time without an acknowledgement.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import sys
import threading
import time
from collections.abc import Callable, Sequence

from confluent_kafka import Producer as Librdkafka

from barnabas.client import Producer

CLIENTS = ("ours", "librdkafka")
INTERVAL_S = 0.001
READY_AFTER = 100
DELIVERY_TIMEOUT_MS = 60_000


class Ledger:
    """What became of each number."""

    def __init__(self) -> None:
        self.sent = 0
        self.acked_s: list[float] = []
        self.failed: list[int] = []
        self.errors: dict[str, int] = {}

    def acked(self) -> None:
        """One more was acknowledged, now."""
        self.acked_s.append(time.monotonic())
        if len(self.acked_s) == READY_AFTER:
            print("ready", flush=True)

    def refused(self, number: int, error: object) -> None:
        """This one has failed for good."""
        self.failed.append(number)
        name = type(error).__name__ if isinstance(error, Exception) else str(error)
        self.errors[name] = self.errors.get(name, 0) + 1

    def summary(self) -> dict[str, object]:
        """For the program that started this one."""
        gap_s, at_s = longest_gap(self.acked_s)
        return {
            "sent": self.sent,
            "acked": len(self.acked_s),
            "failed": self.failed,
            "errors": self.errors,
            "gap_ms": gap_s * 1e3,
            "gap_began_s": at_s,
        }


def longest_gap(times: Sequence[float]) -> tuple[float, float]:
    """The longest time between two that follow each other, and when it began; 0, 0 if none."""
    gaps = itertools.pairwise(times)
    return max(((later - before, before) for before, later in gaps), default=(0.0, 0.0))


async def write_ours(bootstrap: str, topic: str, ledger: Ledger, done: threading.Event) -> None:
    """With the idempotent producer of this repository."""

    def settled(number: int) -> Callable[[asyncio.Future[object]], None]:
        def hear(future: asyncio.Future[object]) -> None:
            error = future.exception()
            if error is None:
                ledger.acked()
            else:
                ledger.refused(number, error)

        return hear

    producer = Producer(
        bootstrap_servers=bootstrap,
        acks="all",
        enable_idempotence=True,
        delivery_timeout_ms=DELIVERY_TIMEOUT_MS,
    )
    async with producer:
        begun = time.monotonic()
        while not done.is_set():
            number = ledger.sent
            future = await producer.send(topic, b"%d" % number, partition=0)
            future.add_done_callback(settled(number))  # type: ignore[arg-type]
            ledger.sent += 1
            await asyncio.sleep(max(0.0, begun + ledger.sent * INTERVAL_S - time.monotonic()))


def write_librdkafka(bootstrap: str, topic: str, ledger: Ledger, done: threading.Event) -> None:
    """With librdkafka's."""
    producer = Librdkafka(
        {
            "bootstrap.servers": bootstrap,
            "acks": "all",
            "enable.idempotence": True,
            "linger.ms": 0,
            "delivery.timeout.ms": DELIVERY_TIMEOUT_MS,
            "log_level": 2,
        }
    )

    def hear(error: object, message: object) -> None:
        if error is None:
            ledger.acked()
        else:
            ledger.refused(int(message.value()), error)  # type: ignore[attr-defined]

    begun = time.monotonic()
    while not done.is_set():
        producer.produce(topic, b"%d" % ledger.sent, partition=0, on_delivery=hear)
        ledger.sent += 1
        producer.poll(max(0.0, begun + ledger.sent * INTERVAL_S - time.monotonic()))
    producer.flush(DELIVERY_TIMEOUT_MS / 1000)


def main() -> None:
    """Read the command line, write, print what came of it."""
    parser = argparse.ArgumentParser(prog="python -m bench.cluster.writer", description=__doc__)
    parser.add_argument("--bootstrap", required=True)
    parser.add_argument("--topic", required=True)
    parser.add_argument("--client", choices=CLIENTS, default=CLIENTS[0])
    options = parser.parse_args()
    ledger, done = Ledger(), threading.Event()

    def wait_for_a_line() -> None:
        sys.stdin.readline()
        done.set()

    threading.Thread(target=wait_for_a_line, daemon=True).start()
    if options.client == CLIENTS[0]:
        asyncio.run(write_ours(options.bootstrap, options.topic, ledger, done))
    else:
        write_librdkafka(options.bootstrap, options.topic, ledger, done)
    print(json.dumps(ledger.summary()), flush=True)


if __name__ == "__main__":
    main()
