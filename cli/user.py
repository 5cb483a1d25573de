"""`barnabas user`: who can log in by SCRAM, and with which password."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from barnabas.protocol.sasl.scram import BY_NAME, ITERATIONS_MAX, ITERATIONS_MIN

from .connecting import admin_client, bootstrap_option, json_option, run
from .errors import fail
from .output import print_json, print_table
from .passwords import password_of, password_option

if TYPE_CHECKING:
    from barnabas.client import Admin, ScramAlteration

DEFAULT_MECHANISM = "SCRAM-SHA-512"

Credentials = dict[str, int]
"""Mechanism -> iterations."""


@click.group()
def command() -> None:
    """Make, list, change and delete users who log in by SCRAM.

    Passwords are asked for, or read from a file or standard input. Only what is hashed of them
    leaves this machine. What a user may do is said by `barnabas acl`.
    """


def _mechanism_option(text: str) -> Callable[[Any], Any]:
    return click.option(
        "--mechanism",
        "mechanisms",
        multiple=True,
        type=click.Choice(tuple(BY_NAME), case_sensitive=False),
        help=text,
    )


def _iterations_option(default: int | None) -> Callable[[Any], Any]:
    more = "" if default is not None else " By default as often as before."
    return click.option(
        "--iterations",
        type=click.IntRange(ITERATIONS_MIN, ITERATIONS_MAX),
        default=default,
        show_default=default is not None,
        help=f"How often the password is hashed.{more}",
    )


def _with_password(mechanisms: str, iterations: int | None) -> Callable[[Any], Any]:
    """A user and the password that is to be; `mechanisms` is the help of `--mechanism`,
    `iterations` the default of `--iterations`."""

    def add_options(function: Any) -> Any:
        for add in (
            json_option,
            bootstrap_option,
            password_option,
            _iterations_option(iterations),
            _mechanism_option(mechanisms),
            click.argument("user"),
        ):
            function = add(function)
        return function

    return add_options


@command.command()
@_with_password(f"{DEFAULT_MECHANISM} unless given; may be repeated.", ITERATIONS_MIN)
def create(
    user: str,
    mechanisms: tuple[str, ...],
    iterations: int,
    password_file: str | None,
    bootstrap: str,
    as_json: bool,
) -> None:
    """Make a user who is not there yet."""
    password = password_of(password_file, user)
    wanted = list(dict.fromkeys(mechanisms)) or [DEFAULT_MECHANISM]

    async def go() -> None:
        async with admin_client(bootstrap) as admin:
            if user in await admin.describe_user_scram_credentials():
                fail(f"user {user} is there already; `barnabas user alter` changes the password")
            await _set(admin, user, password, dict.fromkeys(wanted, iterations))

    run(go())
    _tell(user, dict.fromkeys(wanted, iterations), "created", as_json=as_json)


@command.command()
@_with_password("One that the user shall have, too; those that there are change anyhow.", None)
def alter(
    user: str,
    mechanisms: tuple[str, ...],
    iterations: int | None,
    password_file: str | None,
    bootstrap: str,
    as_json: bool,
) -> None:
    """Change a user's password, for all mechanisms that the user has.

    Connections that are logged in stay so.
    """
    password = password_of(password_file, user)

    async def go() -> Credentials:
        async with admin_client(bootstrap) as admin:
            (found,) = (await admin.describe_user_scram_credentials([user])).values()
            before = dict.fromkeys(mechanisms, ITERATIONS_MIN) | found
            wanted = {each: iterations or count for each, count in before.items()}
            await _set(admin, user, password, wanted)
        return wanted

    _tell(user, run(go()), "changed", as_json=as_json)


@command.command("list")
@bootstrap_option
@json_option
def list_(bootstrap: str, as_json: bool) -> None:
    """List all users of SCRAM."""
    _show(_described(bootstrap, None), as_json=as_json)


@command.command()
@click.argument("users", nargs=-1, required=True, metavar="USER...")
@bootstrap_option
@json_option
def describe(users: tuple[str, ...], bootstrap: str, as_json: bool) -> None:
    """Show by which mechanisms users log in."""
    _show(_described(bootstrap, list(dict.fromkeys(users))), as_json=as_json)


@command.command()
@click.argument("user")
@_mechanism_option("Only this one; all that the user has unless given.")
@bootstrap_option
@json_option
def delete(user: str, mechanisms: tuple[str, ...], bootstrap: str, as_json: bool) -> None:
    """Delete a user, or some of the mechanisms.

    Connections that are logged in stay so, and entries of the user stay, too.
    """
    from barnabas.client import ScramDeletion

    async def go() -> Credentials:
        async with admin_client(bootstrap) as admin:
            (found,) = (await admin.describe_user_scram_credentials([user])).values()
            gone = list(dict.fromkeys(mechanisms)) or list(found)
            if missing := [one for one in gone if one not in found]:
                fail(f"user {user} has no {missing[0]}, but {', '.join(found)}")
            await _alter(admin, [ScramDeletion(user, one) for one in gone])
        return {one: found[one] for one in gone}

    _tell(user, run(go()), "deleted", as_json=as_json)


async def _set(admin: Admin, user: str, password: str, wanted: Credentials) -> None:
    from barnabas.client import ScramUpsertion

    await _alter(
        admin, [ScramUpsertion(user, password, one, count) for one, count in wanted.items()]
    )


async def _alter(admin: Admin, changes: Sequence[ScramAlteration]) -> None:
    for one in changes:  # of one user a request may have but one
        await admin.alter_user_scram_credentials([one])


def _described(bootstrap: str, users: Sequence[str] | None) -> dict[str, Credentials]:
    async def go() -> dict[str, Credentials]:
        async with admin_client(bootstrap) as admin:
            return await admin.describe_user_scram_credentials(users)

    return run(go())


def _show(found: dict[str, Credentials], *, as_json: bool) -> None:
    if as_json:
        print_json([{"user": user, "mechanisms": found[user]} for user in found])
    elif not found:
        click.echo("no users")
    else:
        rows = [
            (user, mechanism, count)
            for user, some in found.items()
            for mechanism, count in some.items()
        ]
        print_table("", ("user", "mechanism", "iterations"), rows)


def _tell(user: str, credentials: Credentials, done: str, *, as_json: bool) -> None:
    if as_json:
        print_json({"user": user, "mechanisms": credentials, "action": done})
    else:
        click.echo(f"{done} user {user} for {', '.join(credentials)}")
