"""Lives of a node that end by SIGKILL while it takes records, and what was acknowledged in each."""

from __future__ import annotations

import random
from typing import Any

from confluent_kafka import OFFSET_BEGINNING, Consumer, Producer, TopicPartition

from barnabas.testing.process import NodeProcess

TOPIC = "killed"


class Round:
    """One life of the node: produce until `acks_before_kill` acks came, then SIGKILL."""

    def __init__(self, node: NodeProcess, number: int, acks_before_kill: int) -> None:
        self.node = node
        self.number = number
        self.acks_before_kill = acks_before_kill
        self.acked: dict[int, bytes] = {}
        self.killed = False

    def run(self) -> dict[int, bytes]:
        """Returns offset -> value of all that was acked in this life."""
        producer = Producer(
            {
                "bootstrap.servers": self.node.bootstrap,
                "acks": "all",
                "enable.idempotence": True,
                "linger.ms": 0,
                "batch.num.messages": 7,
                "log_level": 0,
            }
        )
        sent = 0
        while not self.killed:
            value = b"round-%d-%d-" % (self.number, sent) + b"x" * (sent % 300)
            producer.produce(TOPIC, value, partition=0, on_delivery=self._on_delivery)
            sent += 1
            producer.poll(0 if sent % 20 else 0.01)
        producer.purge()
        producer.flush(5)
        return self.acked

    def _on_delivery(self, error: Any, message: Any) -> None:
        if error is None:
            self.acked[message.offset()] = message.value()
        if len(self.acked) >= self.acks_before_kill and not self.killed:
            self.killed = True
            self.node.kill()


def read_all(node: NodeProcess, start: int) -> dict[int, bytes]:
    """Offset -> value of all records from `start` to the end of the partition."""
    consumer = Consumer(
        {
            "bootstrap.servers": node.bootstrap,
            "group.id": "unused",
            "enable.auto.commit": False,
            "check.crcs": True,
        }
    )
    try:
        _, end = consumer.get_watermark_offsets(TopicPartition(TOPIC, 0), timeout=20)
        consumer.assign([TopicPartition(TOPIC, 0, start or OFFSET_BEGINNING)])
        found: dict[int, bytes] = {}
        while not found or max(found) < end - 1:
            # consume() waits until it has as many as it was asked for: ask for what is left.
            batch = consumer.consume(end - 1 - max(found, default=start - 1), timeout=20)
            assert batch, f"stuck at {max(found, default=start)} of {end}"
            for message in batch:
                assert message.error() is None, message.error()
                offset, value = message.offset(), message.value()
                assert offset is not None
                assert value is not None
                found[offset] = value
        return found
    finally:
        consumer.close()


def live_and_die(node: NodeProcess, rounds: int) -> None:
    """So many lives; after each, every record that was acknowledged in it is at its offset."""
    rng = random.Random(20261121)
    verified_to = 0
    for number in range(rounds):
        node.start()
        acked = Round(node, number, acks_before_kill=rng.randrange(1, 200)).run()
        node.start()
        found = read_all(node, verified_to)
        lost = {offset for offset, value in acked.items() if found.get(offset) != value}
        assert not lost, f"round {number}: acked records lost or changed at {sorted(lost)[:5]}"
        assert sorted(found) == list(range(min(found), max(found) + 1)), "a gap in the offsets"
        verified_to = max(found) + 1
        if number % 2:
            node.kill()
        else:
            assert node.stop() == 0
