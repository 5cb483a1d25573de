"""What every subcommand that talks to a broker shares: where it is, and a client of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from barnabas.client import Admin

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

DEFAULT_BOOTSTRAP = "localhost:9092"


def bootstrap_option(function: F) -> F:
    """`--bootstrap-server`, with the names that users of kcat and Kafka's tools type."""
    return click.option(
        "--bootstrap-server",
        "--bootstrap",
        "-b",
        "bootstrap",
        default=DEFAULT_BOOTSTRAP,
        show_default=True,
        envvar="BARNABAS_BOOTSTRAP_SERVER",
        help="host:port of any broker; several with commas.",
    )(function)


def json_option(function: F) -> F:
    """`--json`: machine output."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(function)


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
    settings = {}
    for pair in pairs:
        name, separator, value = pair.partition("=")
        if not separator or not name:
            raise click.BadParameter(f"{pair!r} is not NAME=VALUE")
        settings[name] = value
    return settings
