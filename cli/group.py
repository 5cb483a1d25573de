"""`barnabas group`: list, describe, reset and delete consumer groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from barnabas.broker.core.config.field import LONG_MAX

from .connecting import admin_client, bootstrap_option, json_option, run
from .log_offsets import LATEST, offsets_in_time
from .output import counted, print_json, print_rows, print_table
from .partitions import partitions_of

if TYPE_CHECKING:
    from barnabas.client import Admin, GroupDescription, OffsetReset, TopicPartition

TOPIC_HELP = "A topic, or some of its partitions as TOPIC:0,1,2."
RESET_HELP = f"{TOPIC_HELP} Default: all committed."


@click.group()
def command() -> None:
    """List, describe, reset and delete consumer groups."""


@command.command("list")
@click.option("--state", "states", multiple=True, help="Only groups in this state.")
@click.option("--type", "types", multiple=True, help="Only classic, or only consumer groups.")
@bootstrap_option
@json_option
def list_groups(
    states: tuple[str, ...], types: tuple[str, ...], bootstrap: str, as_json: bool
) -> None:
    """List groups."""

    async def go() -> list[dict[str, Any]]:
        async with admin_client(bootstrap) as admin:
            found = await admin.list_groups(states=states, types=types)
        return [
            {
                "group": each.group_id,
                "type": each.group_type,
                "state": each.state,
                "protocol_type": each.protocol_type,
            }
            for each in found
        ]

    rows = run(go())
    print_rows(rows, as_json=as_json, empty="no groups")


@command.command()
@click.argument("names", nargs=-1, required=True)
@bootstrap_option
@json_option
def describe(names: tuple[str, ...], bootstrap: str, as_json: bool) -> None:
    """Show the members of groups, what they have, and how far each partition is behind."""

    async def go() -> list[dict[str, Any]]:
        async with admin_client(bootstrap) as admin:
            found = await admin.describe_groups(names)
            return [
                {**_group_row(each), "partitions": await _progress(admin, each)}
                for each in found.values()
            ]

    rows = run(go())
    if as_json:
        print_json(rows)
        return
    for row in rows:
        click.echo(
            f"{row['group']}: {row['type']}, {row['state']}, assignor {row['assignor'] or 'none'},"
            f" coordinator {row['coordinator']}, {counted(len(row['members']), 'member')}"
        )
        if row["members"]:
            columns = ["member", "instance", "client", "host", "partitions"]
            print_table("", columns, [_member_cells(each) for each in row["members"]])
        if row["partitions"]:
            columns = ["topic", "partition", "committed", "end", "lag", "member"]
            print_table("", columns, [list(each.values()) for each in row["partitions"]])


def _group_row(group: GroupDescription) -> dict[str, Any]:
    return {
        "group": group.group_id,
        "type": group.group_type,
        "state": group.state,
        "assignor": group.assignor,
        "coordinator": group.coordinator_id,
        "epoch": group.epoch if group.epoch >= 0 else None,
        "members": [
            {
                "member": each.member_id,
                "instance": each.instance_id,
                "client": each.client_id,
                "host": each.host,
                "partitions": [str(where) for where in sorted(each.assignment)],
            }
            for each in group.members
        ],
    }


def _member_cells(member: dict[str, Any]) -> list[Any]:
    return [*list(member.values())[:4], len(member["partitions"])]


async def _progress(admin: Admin, group: GroupDescription) -> list[dict[str, Any]]:
    """Each partition that is committed or assigned: how far it is, and who has it."""
    committed = await admin.list_group_offsets(group.group_id)
    owners = {where: each.member_id for each in group.members for where in each.assignment}
    wanted = sorted(committed.keys() | owners.keys())
    topics = await admin.list_topics(include_internal=True)
    known = sorted({where.topic for where in wanted if where.topic in topics})
    described = await admin.describe_topics(known) if known else {}
    ends = await offsets_in_time(admin, described, LATEST, set(wanted))
    rows = []
    for where in wanted:
        offset = committed[where].offset if where in committed else None
        end = ends.get(where)
        is_known = offset is not None and end is not None
        rows.append(
            {
                "topic": where.topic,
                "partition": where.partition,
                "committed": offset,
                "end": end,
                "lag": max(0, (end or 0) - (offset or 0)) if is_known else None,
                "member": owners.get(where),
            }
        )
    return rows


@command.command()
@click.argument("name")
@click.option("--topic", "-t", "topics", multiple=True, help=RESET_HELP)
@click.option("--to-earliest", is_flag=True, help="Where the log begins.")
@click.option("--to-latest", is_flag=True, help="Where the log ends.")
@click.option(
    "--to-time",
    type=click.IntRange(0, LONG_MAX),
    metavar="MS",
    help="The first record at or after a time.",
)
@click.option("--to-offset", type=click.IntRange(0, LONG_MAX), metavar="N", help="This offset.")
@click.option("--shift", type=int, metavar="N", help="So many offsets on; back if below zero.")
@click.option("--dry-run", is_flag=True, help="Show the new offsets, commit nothing.")
@bootstrap_option
@json_option
def reset(
    name: str,
    topics: tuple[str, ...],
    to_earliest: bool,
    to_latest: bool,
    to_time: int | None,
    to_offset: int | None,
    shift: int | None,
    dry_run: bool,
    bootstrap: str,
    as_json: bool,
) -> None:
    """Commit other offsets for a group without members."""
    place = _place(to_earliest, to_latest, to_time, to_offset, shift)

    async def go() -> list[dict[str, Any]]:
        async with admin_client(bootstrap) as admin:
            partitions = await partitions_of(admin, topics) if topics else None
            found = await admin.reset_group_offsets(name, place, partitions, dry_run=dry_run)
        return [
            {"topic": where.topic, "partition": where.partition, "offset": offset}
            for where, offset in sorted(found.items())
        ]

    rows = run(go())
    if as_json:
        print_json(rows)
        return
    print_table("", ["topic", "partition", "offset"], [list(row.values()) for row in rows])
    if dry_run:
        click.echo("nothing was committed: --dry-run", err=True)


def _place(
    to_earliest: bool,
    to_latest: bool,
    to_time: int | None,
    to_offset: int | None,
    shift: int | None,
) -> OffsetReset:
    from barnabas.client import OffsetReset, ResetTo

    numbers = {ResetTo.TIME: to_time, ResetTo.OFFSET: to_offset, ResetTo.SHIFT: shift}
    given = [OffsetReset(to, number) for to, number in numbers.items() if number is not None]
    if to_earliest:
        given.append(OffsetReset(ResetTo.EARLIEST))
    if to_latest:
        given.append(OffsetReset(ResetTo.LATEST))
    if len(given) != 1:
        raise click.UsageError(
            "give one of --to-earliest, --to-latest, --to-time, --to-offset, --shift"
        )
    return given[0]


@command.command()
@click.argument("names", nargs=-1, required=True)
@bootstrap_option
@json_option
def delete(names: tuple[str, ...], bootstrap: str, as_json: bool) -> None:
    """Delete groups without members, with all their committed offsets."""

    async def go() -> None:
        async with admin_client(bootstrap) as admin:
            await admin.delete_groups(names)

    run(go())
    if as_json:
        print_json([{"group": name} for name in names])
        return
    for name in names:
        click.echo(f"deleted {name}")


@command.command("delete-offsets")
@click.argument("name")
@click.option("--topic", "-t", "topics", multiple=True, required=True, help=TOPIC_HELP)
@bootstrap_option
@json_option
def delete_offsets(name: str, topics: tuple[str, ...], bootstrap: str, as_json: bool) -> None:
    """Forget a group's committed offsets of topics to which no member is subscribed."""

    async def go() -> list[TopicPartition]:
        async with admin_client(bootstrap) as admin:
            partitions = await partitions_of(admin, topics)
            await admin.delete_group_offsets(name, partitions)
            return partitions

    partitions = run(go())
    if as_json:
        print_json([{"topic": each.topic, "partition": each.partition} for each in partitions])
        return
    click.echo(f"forgot the offsets of {counted(len(partitions), 'partition')}")
