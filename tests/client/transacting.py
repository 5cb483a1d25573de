"""Transactional producers over fake brokers, at both levels of `transaction.version`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple, Unpack

from barnabas.client import Outcome, Producer, Transaction
from barnabas.client.options import ProducerOptions

from .fake_cluster import FakeCluster
from .fake_transactions import FakeTransactions
from .producing import producing

LEVELS = (1, 2)
ID = "x"


class Stage(NamedTuple):
    """What a test of transactions plays on."""

    cluster: FakeCluster
    transactions: FakeTransactions
    producer: Producer

    def seen(self, number: int = 0) -> list[bytes | None]:
        """What read_committed consumers see of a partition of topic `t`."""
        return self.transactions.visible.get(("t", number), [])

    def asked(self, name: str) -> int:
        """How many requests of one API the first node got."""
        return self.cluster.node.count(name)


@asynccontextmanager
async def stage(
    level: int, *, partitions: int = 2, nodes: int = 1, **options: Unpack[ProducerOptions]
) -> AsyncIterator[Stage]:
    """A cluster with topic `t`, and a producer that has started."""
    async with FakeCluster(nodes) as cluster:
        cluster.add_topic("t", partitions)
        transactions = FakeTransactions(cluster, level=level)
        merged: ProducerOptions = {
            "default_api_timeout_ms": 5_000,
            **options,
            "transactional_id": ID,
        }
        async with producing(cluster, **merged) as producer:
            yield Stage(cluster, transactions, producer)


def outcome_of(transaction: Transaction) -> Outcome:
    """What has become of it by now; to type checkers a property stays as it was seen first."""
    return transaction.outcome
