"""Hints, refusals, positions and repeated batches of clients."""

from __future__ import annotations

import copy
from collections import deque
from random import Random
from typing import Any

from barnabas.broker.serving.leader_hints import LeaderHints
from barnabas.client.consuming.refusals import Refusal

from .altered import NEAR, QUESTIONS, Altered, Questions, altered


def named(random: Random, hints: Any, version: int) -> Questions:
    del version
    for _ in range(QUESTIONS):
        peer = altered(hints._peer, client_software=random.choice(("", "kafka-python")))
        yield LeaderHints(hints._node, peer), random.randint(10, 18)


def addressed(random: Random, hints: Any, leader_id: int) -> Questions:
    del random
    node, brokers = hints._node, hints._node.image.brokers
    if leader_id in brokers:
        fenced = {**brokers, leader_id: Altered(brokers[leader_id], fenced=True)}
        quiet = Altered(node.env, hooks=None)
        near = altered(node, image=Altered(node.image, brokers=fenced), env=quiet)
        yield LeaderHints(near, hints._peer), leader_id


def followed(random: Random, cache: Any, topic: str, partition: int, *hint: Any) -> Questions:
    """Only hints that do not count: any other would be followed."""
    known = cache.partition(topic, partition)
    if known is None:
        return
    for back in (0, 1, 2):
        leader = random.choice(tuple(cache.nodes))
        yield cache, topic, partition, leader, known.leader_epoch - back, hint[-1]


def must_be_looked_for(random: Random, resets: Any, state: Any, leader_epoch: int) -> Questions:
    for _ in range(QUESTIONS):
        near = Altered(
            state,
            validated_epoch=leader_epoch + random.choice(NEAR),
            fetch_epoch=random.choice((-1, leader_epoch - 1, leader_epoch)),
        )
        yield Altered(resets, wake=int), near, leader_epoch


def course(random: Random, refusal: Any) -> Questions:
    for _ in range(QUESTIONS):
        start, end = sorted(random.randint(0, 5) for _ in range(2))
        yield (
            Refusal(
                refusal.node_id,
                random.random() < 0.5,
                random.randint(0, 6),
                random.choice((-1, 3)),
                random.choice((-1, start, start)),
                random.choice((-1, end, end)),
            ),
        )


def put_back(
    random: Random, queue: Any, batch: Any, not_before: float, **options: Any
) -> Questions:
    del options
    near = copy.copy(queue)
    later = sorted(random.sample(range(1, 9), 3))
    near.waiting = deque(Altered(batch, order=batch.order + each) for each in later)
    near.in_flight = [batch]
    yield near, batch, not_before
