"""Bulk produce and consume with confluent-kafka (librdkafka), one partition.

Runs as a process of its own, `python -m bench.bulk produce|consume`, and prints one JSON object.
Producing is timed from the first record handed over until the last one is acknowledged, consuming
from `assign` until the last record is in hand; both are then checked against the log's end offset.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
import time

from confluent_kafka import Consumer, KafkaError, Producer, TopicPartition

from . import procfs

BATCH_RECORDS = 1_000
CONSUME_RECORDS = 10_000
POLL_S = 0.002
STALL_S = 15.0
CALL_TIMEOUT_S = 30.0


def connection(options: argparse.Namespace) -> dict[str, str]:
    """Where the broker is, and how to talk to it, in librdkafka's words."""
    found = {"bootstrap.servers": f"127.0.0.1:{options.port}"}
    if options.ca is not None:
        found |= {"security.protocol": "ssl", "ssl.ca.location": options.ca}
    return found


def end_offset(consumer: Consumer, topic: str) -> int:
    """Records in partition 0 of the topic, as the broker tells."""
    _, end = consumer.get_watermark_offsets(TopicPartition(topic, 0), timeout=CALL_TIMEOUT_S)
    return int(end)


def make_consumer(options: argparse.Namespace) -> Consumer:
    """A consumer for `assign` only: no group is joined and nothing committed."""
    return Consumer(
        {
            **connection(options),
            "group.id": "bench",
            "enable.auto.commit": False,
            "auto.offset.reset": "error",
            # librdkafka waits a second when its queue is full; we measure brokers, not that wait.
            "queued.min.messages": 1_000_000,
            "fetch.queue.backoff.ms": 2,
        }
    )


def produce(options: argparse.Namespace) -> dict[str, float]:
    """Send `count` records of `size` bytes, acks=all, linger 5 ms, batches up to 1 MB."""
    failures: list[KafkaError] = []
    producer = Producer(
        {
            **connection(options),
            "acks": "all",
            "linger.ms": 5,
            "batch.size": 1_000_000,
            "queue.buffering.max.messages": 1_000_000,
            "queue.buffering.max.kbytes": 262_144,
            "error_cb": failures.append,
        }
    )
    producer.list_topics(options.topic, timeout=CALL_TIMEOUT_S)
    batch = [{"value": os.urandom(options.size)} for _ in range(BATCH_RECORDS)]
    gc.disable()
    cpu, client_cpu = procfs.cpu_seconds(options.pid), time.process_time()
    started = time.perf_counter()
    left = options.count
    while left:
        wanted = min(left, BATCH_RECORDS)
        try:
            taken = producer.produce_batch(options.topic, batch[:wanted], 0)
        except BufferError:
            taken = 0
        if taken < wanted:  # the queue is full: let it drain a little
            producer.poll(POLL_S)
        left -= taken
    unsent = producer.flush(STALL_S)
    seconds = time.perf_counter() - started
    return figures(options, options.count - unsent, seconds, cpu, client_cpu) | {
        "errors": len(failures) + unsent
    }


def consume(options: argparse.Namespace) -> dict[str, float]:
    """Read partition 0 from its start to its end as it is now."""
    consumer = make_consumer(options)
    expected = end_offset(consumer, options.topic)
    gc.disable()
    cpu, client_cpu = procfs.cpu_seconds(options.pid), time.process_time()
    started = last = time.perf_counter()
    consumer.assign([TopicPartition(options.topic, 0, 0)])
    count = errors = 0
    while count < expected and time.perf_counter() - last < STALL_S:
        messages = consumer.consume(min(CONSUME_RECORDS, expected - count), timeout=0.1)
        if messages:
            last = time.perf_counter()
            errors += sum(1 for one in messages if one.error() is not None)
            count += len(messages)
    result = figures(options, count, last - started, cpu, client_cpu) if count else {}
    consumer.close()
    if count < expected or not count:
        sys.exit(f"{count} of {expected} records came, then none for {STALL_S:.0f} s")
    return result | {"errors": errors}


def figures(
    options: argparse.Namespace, count: int, seconds: float, cpu: float, client_cpu: float
) -> dict[str, float]:
    """Rates, and the broker's CPU for each GB (10^9 bytes) of values."""
    broker_cpu_s = procfs.cpu_seconds(options.pid) - cpu
    size = count * options.size
    return {
        "messages": count,
        "messages_per_s": count / seconds,
        "mb_per_s": size / seconds / 1e6,
        "cpu_s_per_gb": broker_cpu_s / (size / 1e9),
        "cpu_share": broker_cpu_s / seconds,
        "client_cpu_share": (time.process_time() - client_cpu) / seconds,
    }


def main() -> None:
    """Read the command line, run, print the figures as JSON."""
    parser = argparse.ArgumentParser(prog="python -m bench.bulk", description=__doc__)
    parser.add_argument("what", choices=["produce", "consume"])
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--pid", type=int, required=True, help="the broker's process")
    parser.add_argument("--topic", required=True)
    parser.add_argument("--ca", help="over TLS; the certificate of the broker's authority")
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--size", type=int, default=100, help="bytes of each record's value")
    options = parser.parse_args()
    json.dump((produce if options.what == "produce" else consume)(options), sys.stdout)


if __name__ == "__main__":
    main()
