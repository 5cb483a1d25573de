"""`barnabas topic`: create, list, describe, alter and delete topics."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from barnabas.broker.core.config.field import INT_MAX

from .connecting import admin_client, bootstrap_option, json_option, parse_settings, run
from .log_offsets import EARLIEST, LATEST, offsets_in_time
from .output import counted, print_json, print_table

if TYPE_CHECKING:
    from barnabas.client import TopicDescription


REPLICAS_MAX = 2**15 - 1


def _count_option(*names: str, at_most: int, text: str) -> Callable[[Any], Any]:
    """A number; without it the broker's own, which requests call -1."""
    return click.option(*names, type=click.IntRange(-1, at_most), default=-1, help=text)


@click.group()
def command() -> None:
    """Create, list, describe, alter and delete topics."""


@command.command()
@click.argument("names", nargs=-1, required=True)
@_count_option("--partitions", "-p", at_most=INT_MAX, text="How many; default the broker's.")
@_count_option("--replication-factor", "-r", at_most=REPLICAS_MAX, text="Default the broker's.")
@click.option("--config", "-c", "settings", multiple=True, metavar="NAME=VALUE")
@click.option("--if-not-exists", is_flag=True, help="A topic that is there already is fine.")
@click.option("--validate-only", is_flag=True, help="Check, create nothing.")
@bootstrap_option
@json_option
def create(
    names: tuple[str, ...],
    partitions: int,
    replication_factor: int,
    settings: tuple[str, ...],
    if_not_exists: bool,
    validate_only: bool,
    bootstrap: str,
    as_json: bool,
) -> None:
    """Create topics; when the command ends, they can be used."""
    from barnabas.client import NewTopic
    from barnabas.client.errors import TopicAlreadyExistsError

    word = "could be created" if validate_only else "created"

    async def go() -> list[dict[str, Any]]:
        created = []
        async with admin_client(bootstrap) as admin:
            for name in names:
                topic = NewTopic(
                    name, partitions, replication_factor, topic_configs=parse_settings(settings)
                )
                try:
                    made = await admin.create_topics([topic], validate_only=validate_only)
                except TopicAlreadyExistsError:
                    if not if_not_exists:
                        raise
                    continue
                topic_id, count = uuid_text(made[name].topic_id), made[name].num_partitions
                created.append(
                    {
                        "topic": name,
                        "id": topic_id,
                        "partitions": count,
                        "replication_factor": made[name].replication_factor,
                    }
                )
                if not as_json:  # at once: the next one may be refused
                    parts = counted(count, "partition")
                    click.echo(f"{word} {name} with {parts}, id {topic_id}")
        return created

    created = run(go())
    if as_json:
        print_json(created)


@command.command("list")
@click.option("--internal", is_flag=True, help="Show internal topics too.")
@bootstrap_option
@json_option
def list_topics(internal: bool, bootstrap: str, as_json: bool) -> None:
    """List topics."""

    async def go() -> list[dict[str, Any]]:
        async with admin_client(bootstrap) as admin:
            names = await admin.list_topics(include_internal=internal)
            described = await admin.describe_topics(sorted(names)) if names else {}
        return [
            {
                "topic": name,
                "partitions": len(topic.partitions),
                "replication_factor": max((len(p.replicas) for p in topic.partitions), default=0),
                "id": uuid_text(topic.topic_id),
                "internal": topic.is_internal,
            }
            for name, topic in sorted(described.items())
        ]

    rows = run(go())
    if as_json:
        print_json(rows)
    elif not rows:
        click.echo("no topics")
    else:
        columns = ["topic", "partitions", "replicas", "id"]
        print_table("", columns, [list(row.values())[:4] for row in rows])


@command.command()
@click.argument("names", nargs=-1)
@bootstrap_option
@json_option
def describe(names: tuple[str, ...], bootstrap: str, as_json: bool) -> None:
    """Show partitions, leaders, replicas, ISR, ELR, offsets and changed settings; default all
    topics."""
    rows = run(_describe(names, bootstrap))
    if as_json:
        print_json(rows)
        return
    for topic in rows:
        changed = ", ".join(f"{name}={value}" for name, value in topic["configs"].items())
        title = f"{topic['topic']}  id {topic['id']}" + (f"  {changed}" if changed else "")
        columns = ["partition", "leader", "epoch", "replicas", "ISR", "ELR", "earliest", "latest"]
        print_table(
            title,
            columns,
            [
                (
                    part["partition"],
                    "none" if part["leader"] is None else part["leader"],
                    part["leader_epoch"],
                    ",".join(map(str, part["replicas"])),
                    ",".join(map(str, part["isr"])),
                    ",".join(map(str, part["elr"])),
                    "?" if part["earliest"] is None else part["earliest"],
                    "?" if part["latest"] is None else part["latest"],
                )
                for part in topic["partitions"]
            ],
        )


async def _describe(names: tuple[str, ...], bootstrap: str) -> list[dict[str, Any]]:
    from barnabas.client import ConfigResource, TopicPartition

    async with admin_client(bootstrap) as admin:
        topics = await admin.describe_topics(list(names) or None)
        earliest = await offsets_in_time(admin, topics, EARLIEST)
        latest = await offsets_in_time(admin, topics, LATEST)
        resources = [ConfigResource.topic(name) for name in topics]
        configs = await admin.describe_configs(resources) if resources else {}
        rows = []
        for name, topic in sorted(topics.items()):
            row = _topic_row(topic)
            for part in row["partitions"]:
                where = TopicPartition(name, part["partition"])
                part["earliest"] = earliest.get(where)
                part["latest"] = latest.get(where)
            entries = configs[ConfigResource.topic(name)].values()
            row["configs"] = {e.name: e.value for e in entries if e.source == TOPIC_SOURCE}
            rows.append(row)
        return rows


TOPIC_SOURCE = 1  # a setting of this very topic, not a default


def _topic_row(topic: TopicDescription) -> dict[str, Any]:
    return {
        "topic": topic.name,
        "id": uuid_text(topic.topic_id),
        "internal": topic.is_internal,
        "partitions": [
            {
                "partition": part.partition,
                "leader": part.leader,
                "leader_epoch": part.leader_epoch,
                "replicas": list(part.replicas),
                "isr": list(part.isr),
                "elr": list(part.eligible_leader_replicas),
                "offline": list(part.offline_replicas),
            }
            for part in topic.partitions
        ],
    }


@command.command()
@click.argument("name")
@click.option(
    "--partitions", "-p", type=click.IntRange(1, INT_MAX), help="The new total; it can only grow."
)
@click.option("--config", "-c", "settings", multiple=True, metavar="NAME=VALUE")
@click.option("--delete-config", "-d", "deleted", multiple=True, metavar="NAME")
@bootstrap_option
@json_option
def alter(
    name: str,
    partitions: int | None,
    settings: tuple[str, ...],
    deleted: tuple[str, ...],
    bootstrap: str,
    as_json: bool,
) -> None:
    """Add partitions to a topic, set or unset its settings."""
    from .config import as_values, changes_of

    changes = changes_of(settings, deleted)
    if partitions is None and not changes:
        raise click.UsageError("nothing to alter: give --partitions, --config or --delete-config")

    async def go() -> None:
        from barnabas.client import ConfigResource

        async with admin_client(bootstrap) as admin:
            if changes:
                await admin.incremental_alter_configs({ConfigResource.topic(name): changes})
            if partitions is not None:
                await admin.create_partitions({name: partitions})

    run(go())
    if as_json:
        print_json({"topic": name, "partitions": partitions, "configs": as_values(changes)})
    else:
        click.echo(f"altered {name}")


@command.command()
@click.argument("names", nargs=-1, required=True)
@click.option("--if-exists", is_flag=True, help="A topic that is not there is fine.")
@bootstrap_option
@json_option
def delete(names: tuple[str, ...], if_exists: bool, bootstrap: str, as_json: bool) -> None:
    """Delete topics with all their records; when the command ends, they are gone."""
    from barnabas.client.errors import UnknownTopicOrPartitionError

    rows: list[dict[str, Any]] = []

    async def go() -> None:
        async with admin_client(bootstrap) as admin:
            for name in names:
                try:
                    await admin.delete_topics([name])
                except UnknownTopicOrPartitionError:
                    if not if_exists:
                        raise
                    rows.append({"topic": name, "deleted": False})
                else:
                    rows.append({"topic": name, "deleted": True})
                    if not as_json:
                        click.echo(f"deleted {name}")

    run(go())
    if as_json:
        print_json(rows)


def uuid_text(uuid: bytes) -> str:
    """An id as Kafka's tools print it."""
    from barnabas.protocol.primitives import uuid_to_text

    return uuid_to_text(uuid)
