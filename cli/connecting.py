"""What every subcommand that talks to a broker shares: where it is, and a client of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from .bootstrap import (
    BOOTSTRAP_VARIABLE,
    CLUSTER_DIRECTORY,
    DEFAULT_BOOTSTRAP,
    DEFAULT_PORT,
    default_bootstrap,
    with_ports,
)

if TYPE_CHECKING:
    from barnabas.client import Admin

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


def bootstrap_option(function: F) -> F:
    """`--bootstrap-server`, with the names that users of kcat and Kafka's tools type."""
    return click.option(
        "--bootstrap-server",
        "--bootstrap",
        "-b",
        "bootstrap",
        default=default_bootstrap,
        show_default=f"the cluster in ./{CLUSTER_DIRECTORY} if one runs there, else"
        f" {DEFAULT_BOOTSTRAP}",
        envvar=BOOTSTRAP_VARIABLE,
        show_envvar=True,
        callback=with_ports,
        metavar="HOST[:PORT],…",
        help=f"Any brokers of the cluster; the port is {DEFAULT_PORT} if none is given.",
    )(function)


def json_option(function: F) -> F:
    """`--json`: machine output; `errors` shows errors as JSON, too, where it is given."""
    return click.option(
        "--json", "as_json", is_flag=True, help="Print JSON; an error is JSON on standard error."
    )(function)


@asynccontextmanager
async def admin_client(bootstrap: str) -> AsyncIterator[Admin]:
    """A started admin client, stopped at the end."""
    from barnabas.client import Admin

    async with Admin(bootstrap_servers=bootstrap) as admin:
        yield admin


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run one asynchronous subcommand to its end."""
    return asyncio.run(coroutine)


def parse_settings(pairs: tuple[str, ...]) -> dict[str, str]:
    """`name=value` pairs as a dict; an error names the pair that is none."""
    return dict(map(parse_pair, pairs))


def parse_pair(pair: str) -> tuple[str, str]:
    """`name=value` as the two; an error shows what is none."""
    name, separator, value = pair.partition("=")
    if not separator or not name:
        raise click.BadParameter(f"{pair!r} is not NAME=VALUE")
    return name, value
