"""`barnabas consume`: records of a topic, in the format that one asks for, as kcat does it."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from barnabas.broker.core.config.field import LONG_MAX

from .connecting import bootstrap_option, client_options, run
from .consume_group import consume_in_group, reset_of
from .formats import FORMAT_HELP, Record, compile_format, record_to_json
from .output import counted

if TYPE_CHECKING:
    from barnabas.client import Consumer, TopicPartition

POLL_MS = 250


@click.command(epilog=FORMAT_HELP)
@click.argument("topic")
@click.option("--group", "-g", help="Read as a member of this group, and commit what is printed.")
@click.option("--partition", "-p", "partitions", type=int, multiple=True, help="Default: all.")
@click.option(
    "--offset",
    "-o",
    show_default="beginning with --exit, --until or --group, else end",
    help="beginning, end, a number, -N (N before the end), s@MS (time, in milliseconds).",
)
@click.option("--until", help="Stop at e@MS (a time), or at an offset.")
@click.option("--exit", "-e", "exit_at_end", is_flag=True, help="Stop at the end of the topic.")
@click.option("--count", "-c", type=click.IntRange(1), help="Stop after so many records.")
@click.option(
    "--format", "-f", "format_text", default=r"%v\n", help=r"Like '%k %v %h %o %T\n'; see below."
)
@click.option(
    "--json", "as_json", is_flag=True, help="One JSON object a line; an error is one, too."
)
@click.option(
    "--isolation",
    type=click.Choice(["read_uncommitted", "read_committed"]),
    default="read_uncommitted",
)
@bootstrap_option
def command(
    topic: str,
    group: str | None,
    partitions: tuple[int, ...],
    offset: str | None,
    until: str | None,
    exit_at_end: bool,
    count: int | None,
    format_text: str,
    as_json: bool,
    isolation: str,
    bootstrap: str,
) -> None:
    """Read records of TOPIC and print them."""
    render = _json_line if as_json else compile_format(format_text)
    is_bounded = exit_at_end or until is not None
    if group is not None:
        if partitions or until is not None:
            raise click.UsageError("--group shares whole topics: no --partition, no --until")
        reset = reset_of(parse_offset(offset or "end"), offset is not None)
        run(
            consume_in_group(
                bootstrap,
                topic,
                group,
                reset=reset,
                exit_at_end=exit_at_end,
                count=count,
                render=render,
                isolation=isolation,
            )
        )
        return
    start = parse_offset(offset or ("beginning" if is_bounded else "end"))
    if offset is None and not is_bounded and sys.stderr.isatty():
        click.echo(
            "waiting for new records; -o beginning reads those that are there, Ctrl-C ends",
            err=True,
        )
    stop = parse_offset(until) if until is not None else None
    run(_consume(bootstrap, topic, partitions, start, stop, exit_at_end, count, render, isolation))


def _json_line(record: Record) -> bytes:
    return json.dumps(record_to_json(record), ensure_ascii=False).encode() + b"\n"


def parse_offset(text: str) -> tuple[str, int]:
    """How an offset was given: `("time", ms)`, `("end", -n)`, `("beginning", 0)`, `("at", n)`."""
    if text in ("beginning", "earliest", "start"):
        return "beginning", 0
    if text in ("end", "latest"):
        return "end", 0
    try:
        if text[:2] in ("s@", "e@"):
            return "time", _time_of(text)
        number = int(text)
    except ValueError:
        raise click.BadParameter(
            f"{text!r} is none of beginning, end, a number, -N, s@MS, e@MS"
        ) from None
    return ("end", number) if text.startswith("-") else ("at", number)


def _time_of(text: str) -> int:
    when = int(text[2:])
    if not 0 <= when <= LONG_MAX:
        raise click.BadParameter(f"{text!r}: a time is 0 to {LONG_MAX}, in milliseconds since 1970")
    return when


async def _consume(
    bootstrap: str,
    topic: str,
    chosen: tuple[int, ...],
    start: tuple[str, int],
    stop: tuple[str, int] | None,
    exit_at_end: bool,
    count: int | None,
    render: Callable[[Record], bytes],
    isolation: str,
) -> None:
    from barnabas.client import Consumer, TopicPartition

    async with Consumer(
        **client_options(bootstrap), isolation_level=isolation, auto_offset_reset="earliest"
    ) as consumer:
        known = await consumer.partitions_for_topic(topic)
        unknown = sorted(set(chosen) - known)
        if unknown or not known:
            have = (
                f"it has {counted(len(known), 'partition')}" if known else "there is no such topic"
            )
            raise click.ClickException(f"{topic}: no partition {unknown or 'at all'}; {have}")
        wanted = [TopicPartition(topic, number) for number in sorted(chosen or known)]
        starts = await starts_of(consumer, wanted, start)
        ends: dict[TopicPartition, int] = {}
        if stop is not None:
            ends = await _offsets(consumer, wanted, stop)
        if exit_at_end:
            last = await consumer.end_offsets(wanted)
            ends = {where: min(ends.get(where, last[where]), last[where]) for where in wanted}
        consumer.assign(
            [where for where in wanted if where not in ends or starts[where] < ends[where]]
        )
        for where in consumer.assignment():
            consumer.seek(where, starts[where])
        await _print_all(consumer, ends, count, render)


async def starts_of(
    consumer: Consumer, wanted: list[TopicPartition], given: tuple[str, int]
) -> dict[TopicPartition, int]:
    """Where each begins; a number beyond a partition's end stands for what comes next."""
    found = await _offsets(consumer, wanted, given)
    if given[0] != "at":
        return found
    last = await consumer.end_offsets(wanted)
    return {where: min(offset, last[where]) for where, offset in found.items()}


async def _offsets(
    consumer: Consumer, wanted: list[TopicPartition], given: tuple[str, int]
) -> dict[TopicPartition, int]:
    kind, number = given
    first = await consumer.beginning_offsets(wanted)
    if kind == "beginning":
        return first
    if kind == "at":
        return {where: max(number, first[where]) for where in wanted}
    last = await consumer.end_offsets(wanted)
    if kind == "end":
        return {where: max(last[where] + number, first[where]) for where in wanted}
    found = await consumer.offsets_for_times(dict.fromkeys(wanted, number))
    at = {where: found[where] for where in wanted}
    return {where: last[where] if hit is None else hit.offset for where, hit in at.items()}


async def _print_all(
    consumer: Consumer,
    ends: dict[TopicPartition, int],
    count: int | None,
    render: Callable[[Record], bytes],
) -> None:
    """Print until the ends are reached, so many were printed, or for ever."""
    out = sys.stdout.buffer
    printed = 0
    while consumer.assignment():
        left = None if count is None else count - printed
        batches = await consumer.getmany(timeout_ms=POLL_MS, max_records=left)
        for where, records in batches.items():
            inside = records
            if where in ends:
                inside = [record for record in records if record.offset < ends[where]]
            out.write(b"".join(map(render, inside)))
            printed += len(inside)
        if batches:
            out.flush()
        if count is not None and printed >= count:
            return
        await _drop_finished(consumer, ends)
        await asyncio.sleep(0)


async def _drop_finished(consumer: Consumer, ends: dict[TopicPartition, int]) -> None:
    """Positions, not printed offsets, say that an end is reached: control records count too."""
    if not ends:
        return
    assigned = consumer.assignment()
    finished = {where for where in assigned if await consumer.position(where) >= ends[where]}
    if finished:
        positions = {w: await consumer.position(w) for w in assigned - finished}
        consumer.assign(sorted(positions))
        for where, position in positions.items():
            consumer.seek(where, position)
