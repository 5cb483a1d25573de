"""Consumers in three racks (KIP-392): which bytes come from the own rack, and how late they are.

Three librdkafka consumers, one a rack, read all partitions while a producer writes at an even pace;
librdkafka counts the bytes that it got from each broker. Each value begins with the time at which
it was produced. On demand rounds of fetches between brokers are measured under the same load.
"""

from __future__ import annotations

import argparse
import json
import struct
import sys
import threading
import time
from collections.abc import Mapping, Sequence

from confluent_kafka import Consumer, Producer, TopicPartition

from ..figures import percentile
from .rounds import Rounds

PARTITIONS = 9
RECORDS_PER_S = 300
VALUE_BYTES = 4096
WARM_UP_S = 2.0
LATER_THAN_AT_LEADERS = 1.2
"""So many times as late, and a fetch round more: the follower must hear of the watermark first."""
STAMP = struct.Struct(">d")


class Reader:
    """One consumer in one rack; `rack` empty: it reads at leaders."""

    def __init__(self, bootstrap: str, topic: str, rack: str) -> None:
        self.delays_ms: list[tuple[float, float]] = []
        self.bytes_from: dict[int, int] = {}
        self.is_over = False
        self.consumer = Consumer(
            {
                "bootstrap.servers": bootstrap,
                "group.id": f"bench-{rack}",
                "client.rack": rack,
                "enable.auto.commit": False,
                "statistics.interval.ms": 250,
                "stats_cb": self._count,
                "log_level": 2,
            }
        )
        self.consumer.assign([TopicPartition(topic, index, 0) for index in range(PARTITIONS)])
        self.thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        while not self.is_over:
            message = self.consumer.poll(0.1)
            if message is not None and message.error() is None:
                (sent,) = STAMP.unpack_from(message.value() or b"")
                self.delays_ms.append((sent, (time.monotonic() - sent) * 1e3))
        self.consumer.close()

    def _count(self, text: str) -> None:
        brokers = json.loads(text)["brokers"].values()
        self.bytes_from = {one["nodeid"]: one["rxbytes"] for one in brokers if one["nodeid"] >= 0}


def own_share(
    before: Sequence[Mapping[int, int]], after: Sequence[Mapping[int, int]], own: Sequence[int]
) -> float:
    """Per cent of all bytes that each reader got from its own broker."""
    total = mine = 0
    for then, now, broker in zip(before, after, own, strict=True):
        for node, count in now.items():
            grown = count - then.get(node, 0)
            total += grown
            mine += grown if node == broker else 0
    return 100 * mine / total


def measure(
    bootstrap: str,
    topic: str,
    racks: Mapping[int, str],
    seconds: float,
    rounds: Rounds | None = None,
) -> dict[str, float]:
    """Read and write for a while; the share of bytes from the own rack, and delays."""
    readers = [Reader(bootstrap, topic, rack) for rack in racks.values()]
    for one in readers:
        one.thread.start()
    if rounds is not None:
        rounds.start(WARM_UP_S + seconds)
    producer = Producer({"bootstrap.servers": bootstrap, "linger.ms": 0, "log_level": 2})
    before: list[dict[int, int]] = []
    begun, counted_s = time.monotonic(), 0.0
    sent = 0
    while (now := time.monotonic()) < begun + WARM_UP_S + seconds:
        if not before and now > begun + WARM_UP_S:
            before, counted_s = [one.bytes_from for one in readers], now
        value = STAMP.pack(time.monotonic()) + bytes(VALUE_BYTES - STAMP.size)
        producer.produce(topic, value, partition=sent % PARTITIONS)
        sent += 1
        producer.poll(max(0.0, begun + sent / RECORDS_PER_S - time.monotonic()))
    after = [one.bytes_from for one in readers]
    found_ms = [] if rounds is None else rounds.end()
    producer.flush(10)
    time.sleep(1.0)
    for one in readers:
        one.is_over = True
    for one in readers:
        one.thread.join()
    found = since(counted_s, [one for reader in readers for one in reader.delays_ms])
    if rounds is not None:
        found |= {f"round_{name}": value for name, value in since(counted_s, found_ms).items()}
    return found | {
        "own_rack_percent": own_share(before, after, list(racks)),
        "missing": sent * len(readers) - sum(len(one.delays_ms) for one in readers),
    }


def allowed_ms(leader_p99_ms: float, round_p99_ms: float) -> float:
    """How late a record may be at a reader in its own rack (p99)."""
    return LATER_THAN_AT_LEADERS * leader_p99_ms + round_p99_ms


def since(counted_s: float, timed_ms: Sequence[tuple[float, float]]) -> dict[str, float]:
    """Percentiles of the times of what began then or later."""
    ordered = sorted(took for began, took in timed_ms if began >= counted_s)
    return {
        "p50_ms": percentile(ordered, 50),
        "p99_ms": percentile(ordered, 99),
        "records": len(ordered),
    }


def main() -> None:
    """Read the command line, run, print the figures as JSON."""
    parser = argparse.ArgumentParser(prog="python -m bench.cluster.racks", description=__doc__)
    parser.add_argument("--bootstrap", required=True)
    parser.add_argument("--topic", required=True)
    parser.add_argument("--racks", default="", help="of brokers 1, 2, 3; none: read at leaders")
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--rounds", default="", help="measure them in the topic of this name")
    parser.add_argument("--leaders", default="", help="ports of its partitions' leaders")
    options = parser.parse_args()
    names = options.racks.split(",") if options.racks else ["", "", ""]
    rounds = None
    if options.rounds:
        rounds = Rounds(options.rounds, options.leaders)
    racks = dict(enumerate(names, 1))
    found = measure(options.bootstrap, options.topic, racks, options.seconds, rounds)
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
