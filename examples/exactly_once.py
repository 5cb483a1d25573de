"""Consume, transform, produce, exactly once: what docs/transactions.md shows, as a program.

    python -m examples.exactly_once localhost:9092 orders invoices

Start it as often as you like, each time with another `--name`: the processes share the partitions.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
from collections.abc import Callable

from barnabas.client import Consumer, Producer
from barnabas.client.errors import AbortableTransactionError

log = logging.getLogger("exactly_once")


async def transform(
    bootstrap: str,
    source: str,
    target: str,
    group_id: str,
    name: str,
    change: Callable[[bytes | None], bytes | None],
) -> None:
    """Write what `change` makes of each record of one topic to another, until it is cancelled.

    `name` is this process's own, and the same after a restart.
    """
    async with (
        Producer(bootstrap_servers=bootstrap, transactional_id=name) as producer,
        Consumer(
            source,
            bootstrap_servers=bootstrap,
            group_id=group_id,
            enable_auto_commit=False,
            auto_offset_reset="earliest",
            isolation_level="read_committed",
        ) as consumer,
    ):
        while True:
            found = await consumer.getmany(timeout_ms=500, max_records=500)
            if not found:
                continue
            try:
                async with producer.transaction() as transaction:
                    for records in found.values():
                        for record in records:
                            await producer.send(target, change(record.value), key=record.key)
                    await transaction.send_offsets(consumer)
            except AbortableTransactionError as error:
                log.warning("once more: %s", error)
                await consumer.seek_to_committed()


def main() -> None:
    """Run until Ctrl-C."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bootstrap", help="host:port of a broker")
    parser.add_argument("source", help="the topic to read")
    parser.add_argument("target", help="the topic to write")
    parser.add_argument("--group", default="exactly-once", help="the consumer group")
    parser.add_argument("--name", default="exactly-once-1", help="this process's own name")
    given = parser.parse_args()
    try:
        asyncio.run(
            transform(
                given.bootstrap,
                given.source,
                given.target,
                given.group,
                given.name,
                lambda value: value and value.upper(),
            )
        )
    except KeyboardInterrupt:
        log.info("stopped")


if __name__ == "__main__":
    main()
