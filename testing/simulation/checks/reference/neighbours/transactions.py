"""Transactions: epochs a little older or newer than those that came."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from barnabas.broker.core.coordination.machine import Producer
from barnabas.broker.core.log.producers import Producers

from .altered import NEAR, QUESTIONS, Questions


def ended(
    random: Random, transactions: Any, transactional_id: str, producer: Any, is_commit: bool
) -> Questions:
    """What it would decide; nobody carries it out."""
    del is_commit
    for _ in range(QUESTIONS):
        epoch = producer.epoch + random.choice((-2, *NEAR))
        asks = Producer(producer.producer_id, epoch)
        yield transactions, transactional_id, asks, random.random() < 0.5


def asked_to_add(
    random: Random,
    transactions: Any,
    transactional_id: str,
    producer: Any,
    partitions: frozenset[Any],
    client_version: int,
) -> Questions:
    """Partitions of which some are there and some are not; nobody carries it out."""
    one = transactions.by_id.get(transactional_id)
    known = frozenset() if one is None else one.partitions
    for _ in range(QUESTIONS):
        other = frozenset({("another", random.randrange(2))})
        yield transactions, transactional_id, producer, known | other, client_version
        yield transactions, transactional_id, producer, known or partitions, client_version


def marker_fits(random: Random, partition: Any, marker: Any) -> Questions:
    for _ in range(QUESTIONS):
        other = replace(
            marker,
            epoch=marker.epoch + random.choice(NEAR),
            coordinator_epoch=marker.coordinator_epoch + random.choice(NEAR),
            client_version=random.choice((0, 2)),
        )
        yield partition, other


def begins(
    random: Random, producers: Any, producer_id: int, epoch: int, first: int, last: int
) -> Questions:
    for _ in range(QUESTIONS):
        step = random.choice((0, 1, 5))
        yield producers, producer_id, epoch + random.choice(NEAR), first + step, last + step


def told(random: Random, entries: list[Any], from_offset: int, upto_offset: int) -> Questions:
    for one in random.sample(entries, min(QUESTIONS, len(entries))):
        start = random.randint(one.first_offset, one.last_offset)
        yield entries, start, start + random.randint(1, 20)
        yield entries, from_offset, upto_offset + random.randint(0, 3)


def taken_over_by_a_cut(random: Random, *args: Any) -> Questions:
    """A log with an open transaction that is cut to one that has it, or not."""
    del args
    for ends in (5, 0):
        mine, other = Producers("a-0", 1000), Producers("a-0", 1000)
        offset = random.randrange(20)
        mine.add_batch(7, 0, 0, offset, offset, 0, txn=True)
        other.add_batch(7, 0, 0, offset + ends, offset + ends, 0, txn=bool(ends))
        yield mine, other


def commit_allowed(
    random: Random, offsets: Any, group_id: str, committer: Any, partitions: Any
) -> Questions:
    """The same member in other generations, and as part of a transaction."""
    for _ in range(QUESTIONS):
        other = replace(
            committer,
            epoch=committer.epoch + random.choice(NEAR),
            is_transactional=random.random() < 0.5,
        )
        yield offsets, group_id, other, partitions


def overdue_now(random: Random, transactions: Any, transactional_id: str) -> Questions:
    del transactional_id
    ids = list(transactions.ongoing)
    for name in random.sample(ids, min(QUESTIONS, len(ids))):
        yield transactions, name
