"""`barnabas config`: show and change the settings of topics, brokers and groups."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click

from .connecting import admin_client, bootstrap_option, json_option, parse_settings, run
from .output import print_json, print_rows

if TYPE_CHECKING:
    from barnabas.client import AlterConfig, ConfigResource

SOURCES = {
    1: "topic",
    2: "dynamic broker",
    3: "dynamic default",
    4: "static broker",
    5: "default",
    6: "logger",
    8: "group",
}


@click.group()
def command() -> None:
    """Show and change the settings of topics, brokers and consumer groups."""


def _resource(topic: str | None, broker: str | None, group: str | None) -> ConfigResource:
    from barnabas.client import ConfigResource

    if [topic, broker, group].count(None) != 2:
        raise click.UsageError("give one of --topic NAME, --broker ID and --group NAME")
    if topic is not None:
        return ConfigResource.topic(topic)
    return ConfigResource.group(group) if group is not None else ConfigResource.broker(broker or "")


@command.command()
@click.option("--topic", "-t", help="A topic's settings.")
@click.option("--broker", help="A broker's settings, by its id.")
@click.option("--group", "-g", help="A consumer group's settings.")
@click.option("--all", "show_all", is_flag=True, help="Defaults too, not only what was set.")
@click.option("--doc", is_flag=True, help="With one line of documentation each.")
@bootstrap_option
@json_option
def describe(
    topic: str | None,
    broker: str | None,
    group: str | None,
    show_all: bool,
    doc: bool,
    bootstrap: str,
    as_json: bool,
) -> None:
    """Show settings, their values and where these come from."""
    resource = _resource(topic, broker, group)

    async def go() -> list[dict[str, Any]]:
        async with admin_client(bootstrap) as admin:
            found = await admin.describe_configs([resource], include_documentation=doc)
        return [
            {
                "name": entry.name,
                "value": entry.value,
                "source": SOURCES.get(entry.source, "unknown"),
                "read_only": entry.is_read_only,
                "sensitive": entry.is_sensitive,
                **({"documentation": entry.documentation} if doc else {}),
            }
            for entry in sorted(found[resource].values(), key=lambda entry: entry.name)
            if show_all or not entry.is_default
        ]

    rows = run(go())
    empty = "all settings have their defaults; --all shows them"
    columns = ["name", "value", "source", *(["documentation"] if doc else [])]
    print_rows(rows, as_json=as_json, empty=empty, columns=columns)


@command.command()
@click.argument("settings", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("--topic", "-t", help="Change a topic's settings.")
@click.option("--broker", help="Change a broker's settings, by its id.")
@click.option("--group", "-g", help="Change a consumer group's settings.")
@click.option("--delete", "-d", "deleted", multiple=True, metavar="NAME", help="Back to default.")
@click.option("--validate-only", is_flag=True, help="Check, change nothing.")
@click.option("--unknown", is_flag=True, help="Set a name that brokers do not know, for others.")
@bootstrap_option
@json_option
def alter(
    settings: tuple[str, ...],
    topic: str | None,
    broker: str | None,
    group: str | None,
    deleted: tuple[str, ...],
    validate_only: bool,
    unknown: bool,
    bootstrap: str,
    as_json: bool,
) -> None:
    """Set NAME=VALUE..., or unset with --delete NAME; all changes or none."""
    resource = _resource(topic, broker, group)
    changes = changes_of(settings, deleted)
    if not changes:
        raise click.UsageError("nothing to change: give NAME=VALUE or --delete NAME")

    async def go() -> None:
        async with admin_client(bootstrap) as admin:
            if broker and not unknown:
                found = await admin.describe_configs([resource])
                refuse_unknown(parse_settings(settings), found[resource])
            await admin.incremental_alter_configs({resource: changes}, validate_only=validate_only)

    run(go())
    if as_json:
        found = {resource.resource_type.name.lower(): resource.name, "validate_only": validate_only}
        print_json({**found, "configs": as_values(changes)})
    else:
        click.echo("valid" if validate_only else "changed")


def refuse_unknown(settings: Mapping[str, str], known: Iterable[str]) -> None:
    """Raise ClickException for a name that is misspelt: brokers keep any name, as Kafka's do, and
    nobody would hear of it. Throttles are Kafka's tools' own."""
    have = list(known)
    for name, value in settings.items():
        if name in have or name.endswith(".replication.throttled.rate"):
            continue
        if not _is_of_a_listener(name, value):
            near = difflib.get_close_matches(name, have, n=1)
            hint = f"did you mean {near[0]}?" if near else "config describe --all lists them"
            raise click.ClickException(
                f"no setting of a broker is called {name}; {hint} (--unknown sets it all the same)"
            )


def _is_of_a_listener(name: str, value: str) -> bool:
    """Whether it is a setting with a listener's prefix; if it cannot be changed, brokers say so."""
    from barnabas.broker.core.config.field import ConfigError
    from barnabas.broker.core.config.live_overrides import override_of

    try:
        return override_of(name, value) is not None
    except ConfigError:
        return True


def changes_of(settings: tuple[str, ...], deleted: tuple[str, ...]) -> list[AlterConfig]:
    """`NAME=VALUE` pairs and names to unset, as the admin client takes them."""
    from barnabas.client import AlterConfig, AlterConfigOp

    changes = [AlterConfig(name, value) for name, value in parse_settings(settings).items()]
    return changes + [AlterConfig(name, operation=AlterConfigOp.DELETE) for name in deleted]


def as_values(changes: list[AlterConfig]) -> dict[str, str | None]:
    """Changes for machines: the new value of each setting, None where it is the default again."""
    return {each.name: each.value for each in changes}
