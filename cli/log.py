"""`barnabas log`: look into log directories."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from .connecting import admin_client, bootstrap_option, json_option, run
from .errors import fail
from .formats import text_or_base64
from .metadata_secrets import is_metadata, is_secret
from .output import counted, print_json, print_table
from .partitions import partitions_of

if TYPE_CHECKING:
    from barnabas.client import Admin, TopicPartition

WAIT_S: Final = 0.5
"""Between two looks whether replicas have moved."""


@click.group()
def command() -> None:
    """Look into log directories."""


@command.command()
@bootstrap_option
@json_option
def dirs(bootstrap: str, as_json: bool) -> None:
    """Show the log directories of the brokers and the size of each partition."""

    async def go() -> list[dict[str, Any]]:
        async with admin_client(bootstrap) as admin:
            found = await admin.describe_log_dirs()
        for one in found:
            if one.error_code:
                click.echo(f"broker {one.node_id}: {one.path} is offline", err=True)
        return [
            {
                "broker": one.node_id,
                "path": one.path,
                "topic": replica.topic,
                "partition": replica.partition,
                "bytes": replica.size_bytes,
                "future": replica.is_future,
                "lag": replica.offset_lag,
            }
            for one in found
            for replica in sorted(one.replicas, key=lambda each: (each.topic, each.partition))
        ]

    rows = run(go())
    if as_json:
        print_json(rows)
    else:
        print_table(
            "",
            ["broker", "path", "topic", "partition", "bytes", ""],
            [[*list(row.values())[:5], _state_of(row)] for row in rows],
        )


def _state_of(row: dict[str, Any]) -> str:
    """Of a copy that will take the replica's place."""
    return f"moves here, {row['lag']} offsets left" if row["future"] else ""


@command.command()
@click.argument("partitions", nargs=-1, required=True)
@click.option("--broker", type=int, required=True, help="The broker that has the replicas.")
@click.option("--to", "path", required=True, help="The log directory, as `log dirs` shows it.")
@click.option("--wait", is_flag=True, help="Return when all replicas are there.")
@bootstrap_option
@json_option
def move(
    partitions: tuple[str, ...], broker: int, path: str, wait: bool, bootstrap: str, as_json: bool
) -> None:
    """Move replicas of a broker to another of its log directories: TOPIC or TOPIC:0,1,2.

    The broker copies them while they are used; `log dirs` shows how far it is. The directory that
    a replica is in already ends its move.
    """

    path = path.rstrip("/") or "/"

    async def go() -> list[TopicPartition]:
        async with admin_client(bootstrap) as admin:
            wanted = await partitions_of(admin, partitions)
            await admin.alter_replica_log_dirs(broker, dict.fromkeys(wanted, path))
            if wait:
                await _all_there(admin, broker, path, wanted)
        return wanted

    moved = run(go())
    if as_json:
        print_json([{"topic": one.topic, "partition": one.partition, "to": path} for one in moved])
        return
    state = "is in" if wait else "moves to"
    for one in moved:
        click.echo(f"{one.topic}:{one.partition} {state} {path}")


async def _all_there(
    admin: Admin, broker: int, path: str, wanted: Sequence[TopicPartition]
) -> None:
    while True:
        found = await admin.describe_log_dirs([broker], wanted)
        known = {(each.topic, each.partition) for one in found for each in one.replicas}
        if gone := [one for one in wanted if one not in known]:
            fail(f"broker {broker} has no replica of {gone[0]} any more")
        there = {
            (replica.topic, replica.partition)
            for one in found
            if one.path == path
            for replica in one.replicas
            if not replica.is_future
        }
        if there.issuperset(wanted):
            return
        await asyncio.sleep(WAIT_S)


@command.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True))
@click.option("--records", "-r", is_flag=True, help="Show records, not only batches.")
@click.option("--secrets", is_flag=True, help="Of the metadata log, credentials and passwords too.")
@json_option
def dump(paths: tuple[str, ...], records: bool, secrets: bool, as_json: bool) -> None:
    """Show the batches of segment files, or of all segments of partition directories.

    Exit status 1 when a batch is damaged; the line says where.
    """
    rows = [
        row
        for path in _segments(paths)
        for row in _batches(path, with_records=records, hides=is_metadata(path) and not secrets)
    ]
    if as_json:
        print_json(rows)
    else:
        for row in rows:
            _print_batch(row)
    damaged = [row for row in rows if "error" in row]
    if damaged:
        fail(f"{len(damaged)} of {len(rows)} batches are damaged")


def _segments(paths: tuple[str, ...]) -> Iterator[Path]:
    for text in paths:
        path = Path(text)
        if not path.is_dir():
            yield path
            continue
        found = sorted(path.glob("*.log"))
        if not found:
            fail(f"{path}: no segment (*.log) in this directory")
        yield from found


def _batches(path: Path, *, with_records: bool, hides: bool) -> Iterator[dict[str, Any]]:
    from barnabas.protocol.errors import KafkaError
    from barnabas.protocol.record_batch import check_batch

    data = path.read_bytes()
    position = 0
    while position < len(data):
        try:
            header = check_batch(data, position, len(data))
        except KafkaError as error:
            yield {"file": str(path), "position": position, "error": str(error)}
            return
        row: dict[str, Any] = {
            "file": str(path),
            "position": position,
            "base_offset": header.base_offset,
            "last_offset": header.last_offset,
            "count": header.record_count,
            "bytes": header.size,
            "leader_epoch": header.partition_leader_epoch,
            "codec": codec_name(header.codec),
            "producer_id": header.producer_id,
            "producer_epoch": header.producer_epoch,
            "base_sequence": header.base_sequence,
            "transactional": header.is_transactional,
            "control": header.is_control,
            "max_timestamp": header.max_timestamp,
        }
        if with_records:
            row["records"] = _records(data, position, hides=hides and not header.is_control)
        yield row
        position += header.size


def codec_name(number: int) -> str:
    """A codec by its number in a batch's attributes."""
    from barnabas.protocol.compression import codec_of

    return codec_of(number).name.lower()


def _records(data: bytes, position: int, *, hides: bool) -> list[dict[str, Any]]:
    from barnabas.protocol.records import decode_batch

    return [
        {
            "offset": record.offset,
            "timestamp": record.timestamp,
            "key": text_or_base64(record.key),
            "value": "[hidden]"
            if hides and is_secret(record.value)
            else text_or_base64(record.value),
            "headers": [[name, text_or_base64(value)] for name, value in record.headers],
        }
        for record in decode_batch(data, position)
    ]


def _print_batch(row: dict[str, Any]) -> None:
    if "error" in row:
        click.echo(f"{row['file']} @{row['position']}: DAMAGED: {row['error']}")
        return
    flags = [name for name in ("transactional", "control") if row[name]]
    click.echo(
        f"{row['file']} @{row['position']}: offsets {row['base_offset']}-{row['last_offset']}, "
        f"{counted(row['count'], 'record')}, {row['bytes']} bytes, epoch {row['leader_epoch']}, "
        f"codec {row['codec']}, "
        f"producer {row['producer_id']}/{row['producer_epoch']}@{row['base_sequence']}"
        + "".join(f", {flag}" for flag in flags)
    )
    for record in row.get("records", ()):
        click.echo(f"    {record['offset']}: {record['key']!r} = {record['value']!r}")
