"""`barnabas produce`: lines or JSON records to a topic."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import click

from .connecting import bootstrap_option, json_option, run
from .output import counted, print_json

if TYPE_CHECKING:
    from barnabas.client import Producer, RecordMetadata

CODECS = ["none", "gzip", "snappy", "lz4", "zstd"]
READ_BYTES = 1 << 20
"""Of the input at a time; the records in it are on their way together."""


class Outgoing(NamedTuple):
    """One record to send."""

    value: bytes | None
    key: bytes | None = None
    partition: int | None = None
    timestamp_ms: int | None = None
    headers: tuple[tuple[str, bytes | None], ...] = ()


@click.command()
@click.argument("topic")
@click.argument("values", nargs=-1)
@click.option("--file", "-l", "file", type=click.File("rb"), help="Read lines from a file.")
@click.option("--key", "-k", help="Key of all records.")
@click.option("--key-delimiter", "-K", help="Each line is key, this text, value.")
@click.option("--partition", "-p", type=click.IntRange(0), help="Partition of all records.")
@click.option("--header", "-H", "headers", multiple=True, metavar="NAME=VALUE")
@click.option("--compression", "-z", type=click.Choice(CODECS), default="none")
@click.option("--acks", "-a", type=click.Choice(["0", "1", "all"]), default="all")
@click.option("--null", "-Z", "empty_is_null", is_flag=True, help="An empty value is null.")
@click.option(
    "--records",
    is_flag=True,
    help="Each line is a JSON object with value, and maybe key, partition, timestamp, headers.",
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
    """Send records to TOPIC: VALUES, or the lines of a file or of standard input."""
    from .connecting import parse_settings

    common = Outgoing(
        None,
        key.encode() if key is not None else None,
        partition,
        headers=tuple((name, text.encode()) for name, text in parse_settings(headers).items()),
    )
    delimiter = key_delimiter.encode() if key_delimiter is not None else None

    def parse(line: bytes, number: int) -> Outgoing:
        if records:
            return _from_json(line, number, common)
        return _from_line(line, common, delimiter, empty_is_null)

    given = [text.encode() for text in values]
    chunks = _given(given) if given else _lines(file or sys.stdin.buffer)
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


async def _lines(stream: Any) -> AsyncIterator[list[bytes]]:
    """Lines as they come: what is there is sent at once, also from a pipe that stays open."""
    rest = b""
    while data := await asyncio.to_thread(stream.read1, READ_BYTES):
        *lines, rest = (rest + data).split(b"\n")
        yield [line.removesuffix(b"\r") for line in lines]
    if rest:
        yield [rest]


def _from_line(
    line: bytes, common: Outgoing, delimiter: bytes | None, empty_is_null: bool
) -> Outgoing:
    if delimiter:
        key, separator, rest = line.partition(delimiter)
        if separator:
            common = common._replace(key=key)
            line = rest
    return common._replace(value=None if empty_is_null and not line else line)


def _from_json(line: bytes, number: int, common: Outgoing) -> Outgoing:
    try:
        record = json.loads(line)
        if not isinstance(record, dict):
            raise ValueError("not an object")
        found = headers_from_json(record.get("headers") or {})
        return Outgoing(
            _bytes(record.get("value")),
            _bytes(record["key"]) if "key" in record else common.key,
            record.get("partition", common.partition),
            record.get("timestamp"),
            found or common.headers,
        )
    except (ValueError, TypeError) as error:
        raise click.ClickException(f"line {number}: {error}") from None


def headers_from_json(headers: Any) -> tuple[tuple[str, bytes | None], ...]:
    """Headers as an object, or as the list of pairs that `consume --json` prints."""
    pairs = headers.items() if isinstance(headers, dict) else headers
    return tuple((str(name), _bytes(value)) for name, value in pairs)


def _bytes(value: Any) -> bytes | None:
    """Text, `{"base64": ...}`, null, or any other JSON, which is kept as JSON."""
    if value is None:
        return None
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, dict) and set(value) == {"base64"}:
        import base64

        return base64.b64decode(value["base64"], validate=True)
    return json.dumps(value, ensure_ascii=False).encode()


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
    async with Producer(
        bootstrap_servers=bootstrap,
        compression_type=None if compression == "none" else compression,
        acks=acks if acks == "all" else int(acks),
        enable_idempotence=acks == "all",
        linger_ms=5,
    ) as producer:
        async for lines in chunks:
            records = [parse(line, count + number) for number, line in enumerate(lines, 1)]
            count += len(records)
            futures = [await _hand_over(producer, topic, record) for record in records]
            for stored in await asyncio.gather(*futures):
                low, high = offsets.get(stored.partition, (stored.offset, stored.offset))
                offsets[stored.partition] = (min(low, stored.offset), max(high, stored.offset))
    return {"topic": topic, "records": count, "offsets": offsets}


async def _hand_over(
    producer: Producer, topic: str, record: Outgoing
) -> asyncio.Future[RecordMetadata]:
    return await producer.send(
        topic, record.value, record.key, record.partition, record.timestamp_ms, record.headers
    )
