"""One transaction, step by step, as a process of its own (P-29).

`python -m lab.chaos.transaction_client BOOTSTRAP TOPIC ID NUMBER` does the steps of `STEPS`. It
tells each one that is done on standard output, and goes on when it is given a line on standard
input; in the end it tells what became of the transaction. Its records are `NUMBER-0`, `NUMBER-1`,
..., and it commits NUMBER + 1 for partition 0 to the group that is named as its transactional id.
"""

from __future__ import annotations

import asyncio
import sys

from barnabas.client import GroupMetadata, Outcome, Producer, TopicPartition
from barnabas.client.errors import ClientError

STEPS = ("begin", "add", "produce", "offsets", "end")
"""A producer with its id has begun; the first record is stored; records are in all partitions; the
offset is with the group; the coordinator is told to commit."""
PARTITIONS = 3
RECORDS = 6


async def transact(bootstrap: str, topic: str, transactional_id: str, number: int) -> None:
    """All steps."""
    async with Producer(bootstrap_servers=bootstrap, transactional_id=transactional_id) as producer:
        transaction = producer.transaction()
        try:
            async with transaction:
                await _told("begin")
                await producer.send(topic, b"%d-0" % number, partition=0)
                await producer.flush()
                await _told("add")
                for each in range(1, RECORDS):
                    await producer.send(
                        topic, b"%d-%d" % (number, each), partition=each % PARTITIONS
                    )
                await producer.flush()
                await _told("produce")
                offsets = {TopicPartition(topic, 0): number + 1}
                await transaction.send_offsets(GroupMetadata(transactional_id), offsets)
                await _told("offsets")
        except ClientError as error:
            print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
        outcome = transaction.outcome
        print(Outcome.UNKNOWN if outcome is Outcome.OPEN else outcome, flush=True)


async def _told(step: str) -> None:
    """Tell it, and wait until the other side says to go on."""
    print(step, flush=True)
    if not await asyncio.to_thread(sys.stdin.readline):
        raise SystemExit("nobody is left to go on for")


if __name__ == "__main__":
    _, bootstrap, topic, transactional_id, number = sys.argv
    asyncio.run(transact(bootstrap, topic, transactional_id, int(number)))
