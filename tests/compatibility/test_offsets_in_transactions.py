"""librdkafka commits offsets in transactions while the group's coordinator is killed (SIGKILL).

It keeps the coordinator's broker in a cache, and waits for it without end once Metadata does not
name that broker any more (librdkafka issue 5511); so brokers go on naming it (decision 9).
"""

from __future__ import annotations

import threading

import pytest
from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition

from barnabas.testing.process_cluster import ProcessCluster

from .coordinator_kill import GroupAccident
from .leader_kill import PARTITIONS, PATIENCE_S

pytestmark = pytest.mark.slow

KILLS = 3


class Copier:
    """A transactional producer that writes to all partitions and commits a group's offset."""

    def __init__(self, accident: GroupAccident) -> None:
        self._topic = accident.topic
        options = {"bootstrap.servers": accident.bootstrap}
        self.producer = Producer(options | {"transactional.id": accident.topic})
        self.consumer = Consumer(options | {"group.id": accident.group})
        self._group = self.consumer.consumer_group_metadata()
        self.producer.init_transactions(PATIENCE_S)

    def copy(self, offset: int) -> None:
        """One transaction; begun again when librdkafka says that it has to be aborted."""
        while True:
            self.producer.begin_transaction()
            for partition in range(PARTITIONS):
                self.producer.produce(self._topic, b"%d" % offset, partition=partition)
            try:
                # Where a leader is gone, this is over when Metadata told of another.
                self.producer.flush(PATIENCE_S)
                self.producer.send_offsets_to_transaction(
                    [TopicPartition(self._topic, 0, offset)], self._group, PATIENCE_S
                )
                self.producer.commit_transaction(PATIENCE_S)
                return
            except KafkaException as error:
                assert error.args[0].txn_requires_abort(), error
                self.producer.abort_transaction(PATIENCE_S)

    def committed(self) -> int:
        """The group's offset."""
        (found,) = self.consumer.committed([TopicPartition(self._topic, 0)], PATIENCE_S)
        return found.offset


def in_time(copier: Copier, offset: int) -> None:
    """A transaction that is over within a client's patience; librdkafka does not count its own."""
    copying = threading.Thread(target=copier.copy, args=[offset], daemon=True)
    copying.start()
    copying.join(PATIENCE_S)
    assert not copying.is_alive(), "librdkafka waits for a coordinator that it takes for removed"


def test_a_killed_coordinator_is_replaced(cluster: ProcessCluster) -> None:
    """Each transaction commits its offset, before and after each kill (TXN-12, decision 9)."""
    accident = GroupAccident(cluster)
    copier = Copier(accident)
    offset = 0
    for _ in range(KILLS):
        for _ in range(3):
            offset += 1
            in_time(copier, offset)
        accident.find_victim()
        accident.happen()
        offset += 1
        in_time(copier, offset)
        accident.clear_up()
        offset += 1
        in_time(copier, offset)
        assert copier.committed() == offset
    copier.consumer.close()
