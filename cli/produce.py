"""`barnabas produce`: lines or JSON records to a topic."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable
from typing import IO, TYPE_CHECKING, Any

import click

from .connecting import bootstrap_option, client_options, json_option, parse_pair, run
from .formats import unescaped
from .input import lines_of
from .json_records import record_of
from .outgoing import Outgoing
from .output import counted, print_json

if TYPE_CHECKING:
    from barnabas.client import Producer, RecordMetadata

CODECS = ["none", "gzip", "snappy", "lz4", "zstd"]
INTERRUPTED_FLUSH_MS = 2_000
"""What was read before Ctrl-C may still be acknowledged for so long."""

EPILOG = """\b
Examples:
  barnabas produce greetings hello world
  printf 'k1\\tv1\\nk2\\tv2\\n' | barnabas produce greetings -K '\\t'
  barnabas consume from -e --json | barnabas produce to --records
"""


@click.command(epilog=EPILOG)
@click.argument("topic")
@click.argument("values", nargs=-1)
@click.option("--file", "-l", "file", type=click.File("rb"), help="Read lines from a file.")
@click.option("--key", "-k", help="Key of all records.")
@click.option(
    "--key-delimiter",
    "-K",
    help=r"Each line is key, this text, value; \t, \n, \\ and \xHH are understood. A line"
    " without it has no key.",
)
@click.option("--partition", "-p", type=click.IntRange(0), help="Partition of all records.")
@click.option(
    "--header",
    "-H",
    "headers",
    multiple=True,
    metavar="NAME=VALUE",
    help="A header of all records; a name may come twice.",
)
@click.option("--compression", "-z", type=click.Choice(CODECS), default="none")
@click.option("--acks", "-a", type=click.Choice(["0", "1", "all"]), default="all")
@click.option("--null", "-Z", "empty_is_null", is_flag=True, help="An empty value is null.")
@click.option(
    "--records",
    is_flag=True,
    help='Each line is a JSON object with value (text, null, or {"base64": ...}), and maybe key,'
    " partition, timestamp (in ms) and headers, as `consume --json` prints it.",
)
@bootstrap_option
@json_option
def command(
    topic: str,
    values: tuple[str, ...],
    file: IO[bytes] | None,
    key: str | None,
    key_delimiter: str | None,
    partition: int | None,
    headers: tuple[str, ...],
    compression: str,
    acks: str,
    empty_is_null: bool,
    records: bool,
    bootstrap: str,
    as_json: bool,
) -> None:
    """Send records to TOPIC: VALUES, or the lines of a file or of standard input.

    A line that is wrong ends the command; those before it are sent.
    """
    pairs = [parse_pair(each) for each in headers]
    common = Outgoing(
        None,
        os.fsencode(key) if key is not None else None,
        partition,
        headers=tuple((name, os.fsencode(text)) for name, text in pairs),
    )
    delimiter = delimiter_of(key_delimiter)

    def parse(line: bytes, number: int) -> Outgoing:
        if records:
            return record_of(line, number, common)
        return _from_line(line, common, delimiter, empty_is_null)

    # An argument's bytes as they were typed, also where they are no text.
    given = [os.fsencode(text) for text in values]
    chunks = _given(given) if given else lines_of(file or sys.stdin.buffer)
    summary = run(_send(bootstrap, topic, chunks, parse, compression, acks))
    if as_json:
        print_json(summary)
    else:
        where = ", ".join(
            f"partition {part}: " + (f"offset {low}" if low == high else f"offsets {low} to {high}")
            for part, (low, high) in sorted(summary["offsets"].items())
        )
        click.echo(
            f"{counted(summary['records'], 'record')} to {topic}" + (f" ({where})" if where else "")
        )


async def _given(lines: list[bytes]) -> AsyncIterator[list[bytes]]:
    yield lines


def delimiter_of(text: str | None) -> bytes | None:
    """The bytes between key and value, with escapes understood."""
    if text is None:
        return None
    if not text:
        raise click.BadParameter("it is empty", param_hint="--key-delimiter")
    return unescaped(text)


def _from_line(
    line: bytes, common: Outgoing, delimiter: bytes | None, empty_is_null: bool
) -> Outgoing:
    if delimiter:
        key, separator, rest = line.partition(delimiter)
        if separator:
            common = common._replace(key=key)
            line = rest
    return common._replace(value=None if empty_is_null and not line else line)


async def _send(
    bootstrap: str,
    topic: str,
    chunks: AsyncIterator[list[bytes]],
    parse: Callable[[bytes, int], Outgoing],
    compression: str,
    acks: str,
) -> dict[str, Any]:
    from barnabas.client import Producer

    offsets: dict[int, tuple[int, int]] = {}
    count = 0
    producer = Producer(
        **client_options(bootstrap),
        compression_type=None if compression == "none" else compression,
        acks=acks if acks == "all" else int(acks),
        enable_idempotence=acks == "all",
        linger_ms=5,
    )
    await producer.start()
    limit_ms = None
    try:
        async for lines in chunks:
            # One by one: what comes before a line that is wrong is sent.
            futures = [
                await _hand_over(producer, topic, parse(line, count + number))
                for number, line in enumerate(lines, 1)
            ]
            for stored in await asyncio.gather(*futures):
                low, high = offsets.get(stored.partition, (stored.offset, stored.offset))
                offsets[stored.partition] = (min(low, stored.offset), max(high, stored.offset))
            count += len(lines)
    except asyncio.CancelledError:
        limit_ms = INTERRUPTED_FLUSH_MS
        raise
    finally:
        await producer.stop(limit_ms)
    return {"topic": topic, "records": count, "offsets": offsets}


async def _hand_over(
    producer: Producer, topic: str, record: Outgoing
) -> asyncio.Future[RecordMetadata]:
    return await producer.send(
        topic, record.value, record.key, record.partition, record.timestamp_ms, record.headers
    )
