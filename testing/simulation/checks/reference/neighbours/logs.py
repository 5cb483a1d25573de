"""Epochs, cuts, producers, and questions about offsets; fetch sessions."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

from barnabas.broker.core.replication.truncation import EpochEnd

from .. import logs
from .altered import NEAR, QUESTIONS, Altered, Questions


def epochs(random: Random, epochs: Any, epoch: int, end: int) -> Questions:
    known = epochs.entries()
    last = known[-1][0] if known else epoch
    for _ in range(QUESTIONS):
        yield epochs, random.randint(-1, max(last, -1) + 1), end


def truncation(random: Random, local: Any, told: Any) -> Questions:
    known = local.epochs.entries()
    last = known[-1][0] if known else told.epoch
    for _ in range(QUESTIONS):
        end = local.end_offset + random.choice((0, 0, 1, -1))
        mine = local._replace(high_watermark=max(end - random.randint(0, 3), 0), end_offset=end)
        offset = random.choice((-1, end - 2, end, end + 2))
        yield mine, EpochEnd(random.randint(-1, max(last, -1) + 1), offset)


def out_of_range(random: Random, mine: int, leader_start: int, leader_end: int) -> Questions:
    del leader_start
    for _ in range(QUESTIONS):
        end = random.choice((mine, leader_end))
        start = end + random.randint(-2, 2)
        yield end, start, start + random.randint(0, 3)


def sequence(
    random: Random,
    producers: Any,
    producer_id: int,
    epoch: int,
    first: int,
    last: int,
    **options: Any,
) -> Questions:
    entry = producers.by_id.get(producer_id)
    if entry is None:
        return
    places = [entry.next_sequence, first, *((batch[0] - batch[2]) for batch in entry.batches)]
    for _ in range(QUESTIONS):
        begin = max(random.choice(places) + random.choice(NEAR), 0)
        near_epoch = entry.epoch + random.choice((-1, 0, 0, 1))
        yield producers, producer_id, near_epoch, begin, begin + last - first


def rolled_back(random: Random, entry: Any, offset: int) -> Questions:
    del offset
    for _ in range(QUESTIONS):
        near = copy.copy(entry)
        near.batches = list(entry.batches)
        # One batch stays: a producer of which nothing is left is forgotten as a whole.
        last = random.choice(near.batches)[1]
        yield near, max(last, near.batches[0][1]) + 1


def may_answer(random: Random, partition: Any, replica_id: int, timestamp: int) -> Questions:
    del replica_id, timestamp
    leader = partition.leader
    if leader is None:
        return
    for _ in range(QUESTIONS):
        watermark = leader.epoch_start_offset + random.choice(NEAR)
        yield (
            Altered(
                partition,
                high_watermark=watermark,
                log=Altered(partition.log, high_watermark=watermark),
            ),
            random.choice((-1, logs.ANY_REPLICA, 1)),
            random.choice((logs.LATEST, logs.EARLIEST, 5)),
        )


def epoch_question(
    random: Random, topic: str, wanted: Any, context: Any, **options: Any
) -> Questions:
    partition = context.node.replicas.get(topic, wanted.partition)
    if partition is None:
        return
    epoch = partition.leader_epoch
    for _ in range(QUESTIONS):
        asked = copy.copy(wanted)
        asked.current_leader_epoch = random.choice((-1, epoch - 1, epoch, epoch + 1))
        asked.leader_epoch = random.randint(0, epoch + 1)
        yield topic, asked, context
