"""`barnabas quorum`: who keeps the cluster's metadata, and how far each node is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .connecting import admin_client, bootstrap_option, json_option, run
from .output import counted, print_json, print_table

if TYPE_CHECKING:
    from barnabas.client import QuorumDescription


@click.group()
def command() -> None:
    """Look at the metadata quorum."""


@command.command()
@bootstrap_option
@json_option
def describe(bootstrap: str, as_json: bool) -> None:
    """Show the quorum's leader, its voters and observers, and how far they are behind."""

    async def go() -> QuorumDescription:
        async with admin_client(bootstrap) as admin:
            return await admin.describe_quorum()

    row = _row_of(run(go()))
    if as_json:
        print_json(row)
        return
    leader = "no leader" if row["leader"] < 0 else f"leader {row['leader']}"
    click.echo(
        f"{leader}, epoch {row['leader_epoch']}, high watermark {row['high_watermark']},"
        f" {counted(len(row['voters']), 'voter')}, {counted(len(row['observers']), 'observer')}"
    )
    columns = [
        "node",
        "role",
        "log end",
        "lag",
        "ms since fetch",
        "ms since caught up",
        "directory",
    ]
    print_table(
        "",
        columns,
        [
            (
                each["node"],
                each["role"],
                each["log_end_offset"],
                each["lag"],
                _shown(each["ms_since_fetch"]),
                _shown(each["ms_since_caught_up"]),
                each["directory"],
            )
            for each in row["voters"] + row["observers"]
        ],
    )


def _shown(number: int | None) -> Any:
    return "" if number is None else number


def _row_of(quorum: QuorumDescription) -> dict[str, Any]:
    """The description as plain values; what is not known is None."""
    from barnabas.protocol.primitives import uuid_to_text

    newest_ms = max(
        (each.last_fetch_timestamp_ms for each in quorum.voters + quorum.observers), default=-1
    )

    def since(when_ms: int) -> int | None:
        # By the leader's own clock, which its newest entry shows: ours may be another.
        return None if when_ms < 0 else max(0, newest_ms - when_ms)

    def rows(role: str) -> list[dict[str, Any]]:
        replicas = quorum.observers if role == "observer" else quorum.voters
        return [
            {
                "node": each.replica_id,
                "role": "leader" if each.replica_id == quorum.leader_id else role,
                "log_end_offset": each.log_end_offset,
                "lag": quorum.lag_of(each),
                "ms_since_fetch": since(each.last_fetch_timestamp_ms),
                "ms_since_caught_up": since(each.last_caught_up_timestamp_ms),
                "last_fetch_timestamp_ms": each.last_fetch_timestamp_ms,
                "last_caught_up_timestamp_ms": each.last_caught_up_timestamp_ms,
                "directory": uuid_to_text(each.directory_id),
                "listeners": [
                    f"{name}://{host}:{port}"
                    for name, host, port in quorum.nodes.get(each.replica_id, ())
                ],
            }
            for each in sorted(replicas, key=lambda one: one.replica_id)
        ]

    return {
        "leader": quorum.leader_id,
        "leader_epoch": quorum.leader_epoch,
        "high_watermark": quorum.high_watermark,
        "voters": rows("voter"),
        "observers": rows("observer"),
    }
