"""What every subcommand that talks to a broker shares: where it is, and a client of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from .bootstrap import (
    BOOTSTRAP_VARIABLE,
    CLIENT_CONFIG_VARIABLE,
    CLUSTER_DIRECTORY,
    DEFAULT_BOOTSTRAP,
    DEFAULT_PORT,
    default_bootstrap,
    running_cluster,
    with_ports,
)
from .errors import fail

if TYPE_CHECKING:
    from barnabas.client import Admin

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


_OPTIONS = "barnabas.client.options"
"""Where a command's context has the options of `--client-config`."""


def bootstrap_option(function: F) -> F:
    """`--bootstrap-server`, with the names that users of kcat and Kafka's tools type, and
    `--client-config`, whose options `client_options` gives."""
    return click.option(
        "--client-config",
        "--command-config",
        "client_config",
        type=click.Path(exists=True, dir_okay=False),
        envvar=CLIENT_CONFIG_VARIABLE,
        show_envvar=True,
        callback=_read_client_config,
        expose_value=False,
        metavar="FILE",
        help="Properties of a client, as of Java or librdkafka: TLS, login, bootstrap.servers.",
    )(_server_option(function))


def _server_option(function: F) -> F:
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


def _read_client_config(context: click.Context, option: click.Parameter, path: str | None) -> None:
    del option
    if path is None:
        return
    from . import client_properties

    try:
        with open(path, encoding="utf-8-sig") as stream:  # some editors begin with a mark
            text = stream.read()
    except UnicodeDecodeError:
        fail(f"--client-config: {path} is not UTF-8")
    context.meta[_OPTIONS] = client_properties.client_options(
        client_properties.read_properties(text)
    )


def client_options(bootstrap: str) -> dict[str, Any]:
    """The options of this command's client: where the brokers are, and those of its file.

    What was typed wins over the file.
    """
    context = click.get_current_context()
    options: dict[str, Any] = dict(context.meta.get(_OPTIONS, {}))
    is_default = context.get_parameter_source("bootstrap") is ParameterSource.DEFAULT
    if not (is_default and "bootstrap_servers" in options):
        options["bootstrap_servers"] = bootstrap
    if is_default and _OPTIONS not in context.meta:
        _check_open()
    return options


def _check_open() -> None:
    """End the command where only a login could help: nobody typed which cluster it is for."""
    cluster = running_cluster()
    if cluster is None or cluster.security is None:
        return
    from barnabas.testing.secured.folder import ADMIN

    path = cluster.security.client_file(ADMIN, "java")
    fail(
        f"the cluster in {cluster.directory} has TLS and logins: add --client-config {path},"
        f" or set {CLIENT_CONFIG_VARIABLE} to it"
    )


def json_option(function: F) -> F:
    """`--json`: machine output; `errors` shows errors as JSON, too, where it is given."""
    return click.option(
        "--json", "as_json", is_flag=True, help="Print JSON; an error is JSON on standard error."
    )(function)


@asynccontextmanager
async def admin_client(bootstrap: str) -> AsyncIterator[Admin]:
    """A started admin client, stopped at the end."""
    from barnabas.client import Admin

    async with Admin(**client_options(bootstrap)) as admin:
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
