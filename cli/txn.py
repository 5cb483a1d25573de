"""`barnabas txn`: list, describe and end transactions, and find those that hang."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from barnabas.broker.core.config.field import LONG_MAX

from .connecting import admin_client, bootstrap_option, json_option, run
from .errors import CommandError
from .output import counted, print_json, print_rows
from .partitions import parse_partition, partitions_of

if TYPE_CHECKING:
    from barnabas.client import (
        HangingTransaction,
        ProducerState,
        TopicPartition,
        TransactionDescription,
    )

TOPIC_HELP = "A topic, or some of its partitions as TOPIC:0,1,2. Default: every topic."


@click.group()
def command() -> None:
    """List, describe and end transactions, and find those that hang."""


@command.command("list")
@click.option("--state", "states", multiple=True, help="Only ids in this state, as Ongoing.")
@click.option(
    "--producer-id",
    "producer_ids",
    type=click.IntRange(0, LONG_MAX),
    multiple=True,
    help="Only this producer.",
)
@click.option(
    "--open-longer-than", type=click.IntRange(0, LONG_MAX), metavar="MS", help="Open so long."
)
@click.option("--pattern", metavar="REGEX", help="Only ids that match as a whole (RE2).")
@bootstrap_option
@json_option
def list_transactions(
    states: tuple[str, ...],
    producer_ids: tuple[int, ...],
    open_longer_than: int | None,
    pattern: str | None,
    bootstrap: str,
    as_json: bool,
) -> None:
    """List transactional ids; each option takes some of them away."""

    async def go() -> list[dict[str, Any]]:
        async with admin_client(bootstrap) as admin:
            found = await admin.list_transactions(
                states=states,
                producer_ids=producer_ids,
                open_longer_than_ms=open_longer_than,
                pattern=pattern,
            )
        return [
            {
                "transactional_id": each.transactional_id,
                "state": each.state,
                "producer_id": each.producer_id,
                "coordinator": each.coordinator_id,
            }
            for each in found
        ]

    rows = run(go())
    print_rows(rows, as_json=as_json, empty="no transactions")


@command.command()
@click.argument("names", nargs=-1, required=True)
@bootstrap_option
@json_option
def describe(names: tuple[str, ...], bootstrap: str, as_json: bool) -> None:
    """Show state, producer, time and partitions of transactional ids."""
    from barnabas.client.env import REAL_ENV

    async def go() -> list[dict[str, Any]]:
        async with admin_client(bootstrap) as admin:
            found = await admin.describe_transactions(names)
        now_ms = REAL_ENV.wall_ms()
        return [_description_row(each, now_ms) for each in found.values()]

    rows = run(go())
    if as_json:
        print_json(rows)
        return
    for row in rows:
        is_open = row["open_ms"] is not None
        since = f"open for {row['open_ms']} ms of at most {row['timeout_ms']}" if is_open else ""
        click.echo(
            f"{row['transactional_id']}: {row['state']}, producer {row['producer_id']} epoch"
            f" {row['producer_epoch']}, coordinator {row['coordinator']}, "
            + (since or f"time limit {row['timeout_ms']} ms")
        )
        for each in row["partitions"]:
            click.echo(f"  {each}")


def _description_row(found: TransactionDescription, now_ms: int) -> dict[str, Any]:
    started = found.start_time_ms
    return {
        "transactional_id": found.transactional_id,
        "state": found.state,
        "producer_id": found.producer_id,
        "producer_epoch": found.producer_epoch,
        "coordinator": found.coordinator_id,
        "timeout_ms": found.timeout_ms,
        "start_time_ms": started,
        "open_ms": max(0, now_ms - started) if found.is_open and started is not None else None,
        "partitions": [str(each) for each in found.partitions],
    }


@command.command()
@click.argument("topics", nargs=-1, required=True, metavar="TOPIC[:0,1,2]...")
@click.option("--broker", type=int, metavar="ID", help="Ask this one, not the leaders.")
@bootstrap_option
@json_option
def producers(topics: tuple[str, ...], broker: int | None, bootstrap: str, as_json: bool) -> None:
    """Show the idempotent and transactional producers that partitions know."""

    async def go() -> list[dict[str, Any]]:
        async with admin_client(bootstrap) as admin:
            partitions = await partitions_of(admin, topics)
            found = await admin.describe_producers(partitions, broker_id=broker)
        return [
            _producer_row(where, each) for where, states in sorted(found.items()) for each in states
        ]

    rows = run(go())
    print_rows(rows, as_json=as_json, empty="no producers")


def _producer_row(where: TopicPartition, found: ProducerState) -> dict[str, Any]:
    return {
        "topic": where.topic,
        "partition": where.partition,
        "producer_id": found.producer_id,
        "epoch": found.producer_epoch,
        "last_sequence": found.last_sequence,
        "last_time_ms": found.last_timestamp_ms,
        "coordinator_epoch": found.coordinator_epoch,
        "open_since_offset": found.transaction_start_offset,
    }


@command.command("find-hanging")
@click.option("--topic", "-t", "topics", multiple=True, help=TOPIC_HELP)
@click.option(
    "--open-longer-than",
    type=click.IntRange(0),
    metavar="MS",
    help="For how long its producer is silent. Default: 900000, the longest that brokers allow.",
)
@bootstrap_option
@json_option
def find_hanging(
    topics: tuple[str, ...], open_longer_than: int | None, bootstrap: str, as_json: bool
) -> None:
    """Find transactions that no coordinator will ever end; `txn abort` ends them."""

    async def go() -> list[HangingTransaction]:
        from barnabas.client.admin.transaction_admin import HANGING_AFTER_MS

        async with admin_client(bootstrap) as admin:
            partitions = await partitions_of(admin, topics) if topics else None
            limit_ms = HANGING_AFTER_MS if open_longer_than is None else open_longer_than
            return await admin.find_hanging_transactions(partitions, open_longer_than_ms=limit_ms)

    rows = [
        {
            "topic": each.partition.topic,
            "partition": each.partition.partition,
            "open_since_offset": each.producer.transaction_start_offset,
            "producer_id": each.producer.producer_id,
            "epoch": each.producer.producer_epoch,
            "coordinator_epoch": each.producer.coordinator_epoch,
            "transactional_id": each.transactional_id,
            "silent_ms": each.open_ms,
        }
        for each in run(go())
    ]
    print_rows(rows, as_json=as_json, empty="no hanging transactions")


@command.command()
@click.argument("where", metavar="TOPIC:PARTITION")
@click.option(
    "--start-offset", type=click.IntRange(0), metavar="N", help="The one that is open from here."
)
@click.option("--producer-id", type=int, metavar="N", help="The one of this producer.")
@bootstrap_option
@json_option
def abort(
    where: str, start_offset: int | None, producer_id: int | None, bootstrap: str, as_json: bool
) -> None:
    """Abort a hanging transaction in one partition, as find-hanging shows it.

    A transaction that its coordinator still knows is ended as a whole by `txn fence`; of such a one
    this would abort a part.
    """
    partition = parse_partition(where)
    if (start_offset is None) == (producer_id is None):
        raise click.UsageError("give one of --start-offset and --producer-id")

    async def go() -> ProducerState:
        async with admin_client(bootstrap) as admin:
            known = (await admin.describe_producers([partition]))[partition]
            for each in known:
                start = each.transaction_start_offset
                if start is not None and (start == start_offset or each.producer_id == producer_id):
                    await admin.abort_transaction(
                        partition, each.producer_id, each.producer_epoch, each.coordinator_epoch
                    )
                    return each
        sought = f"from offset {start_offset}" if producer_id is None else f"of {producer_id}"
        raise CommandError(f"{where}: no transaction is open there {sought}")

    ended = run(go())
    if as_json:
        print_json(_producer_row(partition, ended))
        return
    click.echo(
        f"aborted in {where}: producer {ended.producer_id} epoch {ended.producer_epoch}, open since"
        f" offset {ended.transaction_start_offset}"
    )


@command.command()
@click.argument("names", nargs=-1, required=True)
@bootstrap_option
@json_option
def fence(names: tuple[str, ...], bootstrap: str, as_json: bool) -> None:
    """Make the producers of transactional ids useless, and abort what they have open."""

    async def go() -> list[dict[str, Any]]:
        async with admin_client(bootstrap) as admin:
            found = await admin.fence_producers(names)
        return [
            {"transactional_id": name, "producer_id": each.producer_id, "epoch": each.epoch}
            for name, each in found.items()
        ]

    rows = run(go())
    if as_json:
        print_json(rows)
        return
    for row in rows:
        click.echo(f"fenced {row['transactional_id']}: now epoch {row['epoch']}")
    click.echo(counted(len(rows), "producer"), err=True)
