"""`barnabas acl`: who may do what, as the cluster's access control entries say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from .connecting import admin_client, bootstrap_option, json_option, run
from .output import counted, print_json, print_table

if TYPE_CHECKING:
    from barnabas.client import AclBinding, AclBindingFilter

Function = TypeVar("Function", bound=Callable[..., object])

CLUSTER_NAME = "kafka-cluster"


@click.group()
def command() -> None:
    """Say who may do what: add, list and remove access control entries."""


def resource_options(function: Function) -> Function:
    """What an entry is about, one of them."""
    for option in (
        click.option("--prefixed", is_flag=True, help="All names that begin with this one."),
        click.option("--cluster", is_flag=True, help="The cluster itself."),
        click.option("--transactional-id", metavar="ID", help="A transactional id, or '*'."),
        click.option("--group", "-g", metavar="ID", help="A group, or '*'."),
        click.option("--topic", "-t", metavar="NAME", help="A topic, or '*'."),
    ):
        function = option(function)
    return function


def whom_options(function: Function) -> Function:
    """Whom an entry is about, and what it says."""
    for option in (
        click.option("--deny", is_flag=True, help="Entries that deny, not those that allow."),
        click.option("--host", metavar="IP", help="From this address alone."),
        click.option(
            "--operation", "-o", "operations", multiple=True, metavar="NAME", help="Read, Write, …"
        ),
        click.option("--principal", "-p", metavar="TYPE:NAME", help="Such as User:alice."),
    ):
        function = option(function)
    return function


@command.command()
@resource_options
@whom_options
@bootstrap_option
@json_option
def add(bootstrap: str, as_json: bool, **options: Any) -> None:
    """Allow a principal an operation on a resource, or deny it with --deny."""
    bindings = _bindings(**options)

    async def go() -> None:
        async with admin_client(bootstrap) as admin:
            await admin.create_acls(bindings)

    run(go())
    _show(bindings, as_json=as_json, done="added")


@command.command("list")
@resource_options
@whom_options
@bootstrap_option
@json_option
def list_(bootstrap: str, as_json: bool, **options: Any) -> None:
    """List entries: all of them, or those that are as the options say."""
    filters = _filters(**options)

    async def go() -> list[AclBinding]:
        async with admin_client(bootstrap) as admin:
            return [one for wanted in filters for one in await admin.describe_acls(wanted)]

    _show(run(go()), as_json=as_json)


@command.command()
@resource_options
@whom_options
@click.option("--all", "is_all", is_flag=True, help="Every entry, if nothing else is said.")
@bootstrap_option
@json_option
def remove(bootstrap: str, as_json: bool, is_all: bool, **options: Any) -> None:
    """Remove the entries that are as the options say.

    With a resource, a principal and an operation that is the one entry which `acl add` makes of the
    same options; with less it is all that fit: also those that deny, or are prefixed.
    """
    if not is_all and not any(options.values()):
        raise click.UsageError("say which entries, or --all")
    filters = _filters(**options, names_one=True)

    async def go() -> list[AclBinding]:
        async with admin_client(bootstrap) as admin:
            found = await admin.delete_acls(filters)
        return list(dict.fromkeys(one for some in found for one in some))

    _show(run(go()), as_json=as_json, done="removed")


# --- what the options mean ----------------------------------------------------------------------


def _resource(
    topic: str | None, group: str | None, transactional_id: str | None, cluster: bool
) -> tuple[str, str] | None:
    """The name of the kind, and of the resource; None if none is given."""
    given = [
        (kind, name)
        for kind, name in (
            ("TOPIC", topic),
            ("GROUP", group),
            ("TRANSACTIONAL_ID", transactional_id),
            ("CLUSTER", CLUSTER_NAME if cluster else None),
        )
        if name is not None
    ]
    if len(given) > 1:
        raise click.UsageError("give one of --topic, --group, --transactional-id, --cluster")
    return given[0] if given else None


def _operation(text: str) -> Any:
    from barnabas.client import AclOperation

    name = text.replace("-", "_").upper()
    known = {one.name: one for one in AclOperation if one > AclOperation.ANY}
    matches = {key.replace("_", ""): one for key, one in known.items()}
    found = known.get(name, matches.get(name))
    if found is None:
        names = ", ".join(key.lower() for key in known)
        raise click.UsageError(f"there is no operation {text!r}; one of {names}")
    return found


def _bindings(
    *,
    prefixed: bool,
    principal: str | None,
    operations: Sequence[str],
    host: str | None,
    deny: bool,
    **resource: Any,
) -> list[AclBinding]:
    from barnabas.broker.core.security.acl import is_host
    from barnabas.client import AclBinding, AclPatternType, AclPermission, AclResourceType

    about = _resource(**resource)
    if about is None or principal is None or not operations:
        raise click.UsageError("give a resource such as --topic, --principal and --operation")
    if host is not None and not is_host(host):
        raise click.UsageError(f"--host {host!r} is no IP address: such an entry matches nobody")
    return [
        AclBinding(
            AclResourceType[about[0]],
            about[1],
            principal,
            _operation(one),
            AclPermission.DENY if deny else AclPermission.ALLOW,
            AclPatternType.PREFIXED if prefixed else AclPatternType.LITERAL,
            host or "*",
        )
        for one in operations
    ]


def _filters(
    *,
    prefixed: bool,
    principal: str | None,
    operations: Sequence[str],
    host: str | None,
    deny: bool,
    names_one: bool = False,
    **resource: Any,
) -> list[AclBindingFilter]:
    """`names_one`: where all is given that makes an entry, what `add` takes for granted counts."""
    from barnabas.client import (
        AclBindingFilter,
        AclOperation,
        AclPatternType,
        AclPermission,
        AclResourceType,
    )

    about = _resource(**resource)
    is_one = names_one and about is not None and principal is not None and bool(operations)
    return [
        AclBindingFilter(
            AclResourceType.ANY if about is None else AclResourceType[about[0]],
            None if about is None else about[1],
            principal,
            one,
            AclPermission.DENY if deny else (AclPermission.ALLOW if is_one else AclPermission.ANY),
            AclPatternType.PREFIXED
            if prefixed
            else (AclPatternType.LITERAL if is_one else AclPatternType.ANY),
            host or ("*" if is_one else None),
        )
        for one in (list(map(_operation, operations)) or [AclOperation.ANY])
    ]


def _show(found: Sequence[AclBinding], *, as_json: bool, done: str = "") -> None:
    rows = [
        {
            "resource_type": one.resource_type.name.lower(),
            "resource_name": one.resource_name,
            "pattern_type": one.pattern_type.name.lower(),
            "principal": one.principal,
            "host": one.host,
            "operation": one.operation.name.lower(),
            "permission": one.permission.name.lower(),
        }
        for one in found
    ]
    if as_json:
        print_json(rows)
        return
    if rows:
        print_table("", list(rows[0]), [list(row.values()) for row in rows])
    if done or not rows:
        click.echo(
            f"{counted(len(rows), 'entry') if len(rows) == 1 else f'{len(rows):,} entries'}"
            f" {done}".rstrip()
        )
