"""Copies a topic exactly once by librdkafka: BOOTSTRAP SOURCE TARGET NAME, ended by SIGTERM.

NAME is its group and its transactional id.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Sequence

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaException, Message, Producer

AT_ONCE = 20
POLL_S = 0.2
PATIENCE_S = 60.0


def again(call: Callable[[], object]) -> None:
    """What librdkafka says may be tried again is."""
    while True:
        try:
            call()
        except KafkaException as error:
            if not error.args[0].retriable():
                raise
        else:
            return


def go_back(consumer: Consumer) -> None:
    """To what is committed, after an abort."""
    for at in consumer.committed(consumer.assignment(), PATIENCE_S):
        if at.offset < 0:
            at.offset = OFFSET_BEGINNING
        consumer.seek(at)


def copy_once(
    producer: Producer, consumer: Consumer, records: Sequence[Message], target: str
) -> None:
    """One transaction; what has to be aborted is read again."""
    producer.begin_transaction()
    for record in records:
        producer.produce(target, record.value(), partition=record.partition() or 0)
    offsets = [at for at in consumer.position(consumer.assignment()) if at.offset >= 0]
    group = consumer.consumer_group_metadata()
    try:
        again(lambda: producer.send_offsets_to_transaction(offsets, group, PATIENCE_S))
        again(lambda: producer.commit_transaction(PATIENCE_S))
    except KafkaException as error:
        print(error, flush=True)
        if not error.args[0].txn_requires_abort():
            raise
        again(lambda: producer.abort_transaction(PATIENCE_S))
        go_back(consumer)


def main() -> None:
    """Copy until SIGTERM."""
    bootstrap, source, target, name = sys.argv[1:]
    stopped: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: stopped.append(number))
    producer = Producer({"bootstrap.servers": bootstrap, "transactional.id": name})
    again(lambda: producer.init_transactions(PATIENCE_S))
    consumer = Consumer(
        {
            "bootstrap.servers": bootstrap,
            "group.id": name,
            "session.timeout.ms": 6000,
            "enable.auto.commit": False,
            "auto.offset.reset": "earliest",
            "isolation.level": "read_committed",
        }
    )
    consumer.subscribe([source])
    while not stopped:
        records = [one for one in consumer.consume(AT_ONCE, POLL_S) if one.error() is None]
        if records:
            copy_once(producer, consumer, records, target)
    consumer.close()


if __name__ == "__main__":
    main()
