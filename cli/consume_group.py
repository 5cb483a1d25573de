"""`barnabas consume -g`: read a topic as a member of a group, which remembers how far it is."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from .connecting import client_options
from .formats import Record

if TYPE_CHECKING:
    from barnabas.client import Consumer

POLL_MS = 250


def reset_of(start: tuple[str, int], is_given: bool) -> str:
    """Where a group without committed offsets begins."""
    kind, number = start
    if kind not in ("beginning", "end") or number:
        raise click.UsageError("--group: --offset is beginning or end, for what is not committed")
    return "earliest" if kind == "beginning" or not is_given else "latest"


async def consume_in_group(
    bootstrap: str,
    topic: str,
    group: str,
    *,
    reset: str,
    exit_at_end: bool,
    count: int | None,
    render: Callable[[Record], bytes],
    isolation: str,
) -> None:
    """Print records until the end, so many, or for ever. What was printed is committed."""
    from barnabas.client import Consumer

    async with Consumer(
        topic,
        **client_options(bootstrap),
        group_id=group,
        auto_offset_reset=reset,
        isolation_level=isolation,
    ) as consumer:
        out = sys.stdout.buffer
        printed = 0
        while count is None or printed < count:
            left = None if count is None else count - printed
            batches = await consumer.getmany(timeout_ms=POLL_MS, max_records=left)
            for records in batches.values():
                out.write(b"".join(map(render, records)))
                printed += len(records)
            if batches:
                out.flush()
            elif exit_at_end and await _is_at_end(consumer):
                return


async def _is_at_end(consumer: Consumer) -> bool:
    """Whether this member has read all of its partitions; with none it waits for some."""
    from barnabas.client import GroupState

    assigned = consumer.assignment()
    if consumer.state.state is not GroupState.STABLE or not assigned:
        return False
    ends = await consumer.end_offsets(assigned)
    if consumer.assignment() != assigned:  # another member came meanwhile
        return False
    return all([await consumer.position(where) >= end for where, end in ends.items()])
