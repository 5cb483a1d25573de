"""What tests with kafka-python take care of."""

from __future__ import annotations

from kafka import KafkaConsumer


def know_topic(consumer: KafkaConsumer, topic: str) -> None:
    """Have a member of a group know its topic before it joins.

    kafka-python (3.0.12) joins before it has asked for the topic's metadata; if it assigns, it
    assigns nothing then, and joins again for the metadata's sake 0.1 s later. When `poll` times out
    in that moment it forgets about that join: `ConsumerCoordinator.need_rejoin` does not look at
    one that is under way. It sends no heartbeats then, and is never heard of again.
    """
    assert consumer.partitions_for_topic(topic)
