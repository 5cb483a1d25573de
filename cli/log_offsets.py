"""Where logs begin and end, of all partitions that answer in time."""

from __future__ import annotations

import asyncio
from collections.abc import Container, Mapping
from typing import TYPE_CHECKING, Final

import click

from .output import counted

if TYPE_CHECKING:
    from barnabas.client import Admin, TopicDescription, TopicPartition

EARLIEST: Final = -2
LATEST: Final = -1

TIMEOUT_MS: Final = 5_000


async def offsets_in_time(
    admin: Admin,
    topics: Mapping[str, TopicDescription],
    when: int,
    wanted: Container[TopicPartition] | None = None,
) -> dict[TopicPartition, int]:
    """Offsets of all partitions that a leader answers for in time; a cluster in trouble is what
    one describes things for, so that the others are left out instead of waited for.

    `wanted`: of these partitions alone.
    """
    from barnabas.client import TopicPartition
    from barnabas.client.errors import ClientError

    by_leader: dict[int, list[TopicPartition]] = {}
    for name, topic in topics.items():
        for part in topic.partitions:
            where = TopicPartition(name, part.partition)
            if part.leader is not None and (wanted is None or where in wanted):
                by_leader.setdefault(part.leader, []).append(where)
    found: dict[TopicPartition, int] = {}

    async def ask(partitions: list[TopicPartition]) -> None:
        try:
            answers = await admin.list_offsets(
                dict.fromkeys(partitions, when), timeout_ms=TIMEOUT_MS
            )
        except ClientError as error:
            click.echo(
                f"barnabas: no offsets of {counted(len(partitions), 'partition')}: {error}",
                err=True,
            )
        else:
            found.update({key: each.offset for key, each in answers.items()})

    await asyncio.gather(*[ask(partitions) for partitions in by_leader.values()])
    return found
