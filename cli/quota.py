"""`barnabas quota`: limits of users, client ids and addresses."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import click

from .connecting import admin_client, bootstrap_option, json_option, parse_settings, run
from .output import print_json, print_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from barnabas.client import QuotaEntity

KEYS = {
    "producer-byte-rate": "producer_byte_rate",
    "consumer-byte-rate": "consumer_byte_rate",
    "request-percentage": "request_percentage",
    "controller-mutation-rate": "controller_mutation_rate",
    "connection-creation-rate": "connection_creation_rate",
}
DEFAULT = "default"
"""What is typed for the entity that holds for all others; `=default` is a name."""


@click.group()
def command() -> None:
    """Set, list and remove quotas of users, client ids and addresses.

    Rates are for each broker: producer_byte_rate, consumer_byte_rate (bytes a second),
    request_percentage (of one processor), and for the cluster controller_mutation_rate (partitions
    created or deleted a second). An address has connection_creation_rate (a second).
    """


def _entity_options(function: Callable[..., Any]) -> Callable[..., Any]:
    for name, what in (("ip", "An address"), ("client-id", "A client id"), ("user", "A user")):
        function = click.option(
            f"--{name}",
            metavar="NAME",
            help=f"{what}, or `{DEFAULT}` for all that have no quota of their own.",
        )(function)
    return function


def _parts(user: str | None, client_id: str | None, ip: str | None) -> dict[str, str | None]:
    given = {"user": user, "client-id": client_id, "ip": ip}
    return {
        kind: None if name == DEFAULT else name.removeprefix("=")
        for kind, name in given.items()
        if name is not None
    }


def _entity(user: str | None, client_id: str | None, ip: str | None) -> QuotaEntity:
    from barnabas.client import QuotaEntity

    parts = _parts(user, client_id, ip)
    if not parts:
        raise click.UsageError("whose quota? give --user, --client-id, both, or --ip")
    if "ip" in parts and len(parts) > 1:
        raise click.UsageError("an address has quotas of its own: give --ip alone")
    return QuotaEntity.of(parts)


def _shown(entity: QuotaEntity) -> dict[str, str | None]:
    return {kind.replace("-", "_"): name for kind, name in entity.parts}


@command.command(name="set")
@click.argument("limits", nargs=-1, required=True, metavar="KEY=NUMBER...")
@_entity_options
@click.option("--validate-only", is_flag=True, help="Check, change nothing.")
@bootstrap_option
@json_option
def set_(
    limits: tuple[str, ...],
    user: str | None,
    client_id: str | None,
    ip: str | None,
    validate_only: bool,
    bootstrap: str,
    as_json: bool,
) -> None:
    """Set limits of one entity; all of them or none."""
    entity = _entity(user, client_id, ip)
    values = {KEYS.get(key, key): _number(text) for key, text in parse_settings(limits).items()}
    _alter(bootstrap, entity, dict(values), validate_only)
    if as_json:
        print_json({"entity": _shown(entity), "limits": values, "validate_only": validate_only})
    else:
        click.echo("valid" if validate_only else "changed")


@command.command()
@click.argument("keys", nargs=-1, metavar="[KEY]...")
@_entity_options
@bootstrap_option
@json_option
def remove(
    keys: tuple[str, ...],
    user: str | None,
    client_id: str | None,
    ip: str | None,
    bootstrap: str,
    as_json: bool,
) -> None:
    """Remove limits of one entity; without KEY all that it has."""
    entity = _entity(user, client_id, ip)
    wanted = [KEYS.get(key, key) for key in keys]

    async def go() -> list[str]:
        async with admin_client(bootstrap) as admin:
            found = await admin.describe_client_quotas(dict(entity.parts), strict=True)
            have = found.get(entity, {})
            missing = [key for key in wanted if key not in have]
            if missing or not have:
                what = f"no {missing[0]}" if missing else "no quota"
                raise click.ClickException(f"{entity} has {what}")
            gone = wanted or sorted(have)
            await admin.alter_client_quotas({entity: dict.fromkeys(gone)})
        return gone

    gone = run(go())
    if as_json:
        print_json({"entity": _shown(entity), "removed": gone})
    else:
        click.echo(f"removed {', '.join(gone)}")


@command.command(name="list")
@_entity_options
@bootstrap_option
@json_option
def list_(
    user: str | None, client_id: str | None, ip: str | None, bootstrap: str, as_json: bool
) -> None:
    """List quotas: all, or those of one user, client id or address."""
    parts = _parts(user, client_id, ip)

    async def go() -> dict[QuotaEntity, dict[str, float]]:
        async with admin_client(bootstrap) as admin:
            return await admin.describe_client_quotas(parts)

    found = run(go())
    if as_json:
        print_json([{"entity": _shown(each), "limits": found[each]} for each in found])
    elif not found:
        click.echo("no quotas")
    else:
        rows = [
            [str(entity), key, f"{value:g}" if value < 1e6 else f"{value:.0f}"]
            for entity, limits in found.items()
            for key, value in sorted(limits.items())
        ]
        print_table("", ["for", "key", "limit"], rows)


def _alter(
    bootstrap: str, entity: QuotaEntity, limits: dict[str, float | None], validate_only: bool
) -> None:
    async def go() -> None:
        async with admin_client(bootstrap) as admin:
            await admin.alter_client_quotas({entity: limits}, validate_only=validate_only)

    run(go())


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise click.BadParameter(f"{text!r} is no number")
    return value
