"""Where a command gets a password from: never from its arguments, which everybody can read."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

STDIN = "-"


def password_option(function: Any) -> Any:
    """`--password-file`; `password_of` reads what it names."""
    return click.option(
        "--password-file",
        type=click.Path(exists=True, dir_okay=False, allow_dash=True),
        metavar="FILE",
        help="A file whose one line is the password, or - for standard input. Without it the"
        " password is asked for, or read from standard input if that is no terminal.",
    )(function)


def password_of(file: str | None, user: str) -> str:
    """The password, from the file, the terminal or standard input.

    Raises click.UsageError: there is none, or more than one line.
    """
    if file not in (None, STDIN):
        return _one_line(Path(str(file)).read_bytes(), str(file))
    if file is None and sys.stdin.isatty():
        typed: str = click.prompt(
            f"Password of {user}", hide_input=True, confirmation_prompt=True, err=True
        )
        return typed
    return _one_line(sys.stdin.buffer.read(), "standard input")


def _one_line(data: bytes, source: str) -> str:
    try:
        # A mark of the byte order, with which some editors begin, is no part of a password.
        lines = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise click.UsageError(f"the password in {source} is not UTF-8") from None
    if len(lines) != 1 or not lines[0]:
        raise click.UsageError(f"{source} must have the password in one line, and nothing else")
    return lines[0]
