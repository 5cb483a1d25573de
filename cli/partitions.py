"""Partitions as they are typed: `TOPIC`, `TOPIC:0,1,2`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from barnabas.broker.core.config.field import INT_MAX, integer_of

if TYPE_CHECKING:
    from barnabas.client import Admin, TopicPartition


async def partitions_of(admin: Admin, given: Sequence[str]) -> list[TopicPartition]:
    """`TOPIC` or `TOPIC:0,1` as partitions; those of a whole topic are asked for."""
    from barnabas.client import TopicPartition

    found: list[TopicPartition] = []
    for text in given:
        topic, colon, numbers = text.partition(":")
        if not colon:
            described = await admin.describe_topics([topic])
            found += [TopicPartition(topic, n) for n in range(len(described[topic].partitions))]
            continue
        try:
            found += [TopicPartition(topic, _number(number)) for number in numbers.split(",")]
        except ValueError:
            raise click.BadParameter(f"{text!r} is not of the form TOPIC:0,1,2") from None
    return found


def _number(text: str) -> int:
    """The number of a partition. Raises ValueError."""
    number = integer_of(text) if text.isdigit() else None  # no sign
    if number is None or number > INT_MAX:
        raise ValueError(text)
    return number


def parse_partition(text: str) -> TopicPartition:
    """`TOPIC:0` as one partition."""
    from barnabas.client import TopicPartition

    topic, _, number = text.rpartition(":")
    try:
        if topic:
            return TopicPartition(topic, _number(number))
    except ValueError:
        pass
    raise click.BadParameter(f"{text!r} is not of the form TOPIC:PARTITION")
