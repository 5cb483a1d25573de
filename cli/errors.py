"""How the command line ends: errors in one line that says what was wrong, and the exit status.

1: it failed. 2: it was called wrongly. 130: Ctrl-C, or what a shell takes for it. 0 also where the
reader of the output went away (`barnabas consume | head`).
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterator, Sequence
from typing import IO, Any, NoReturn

import click

from barnabas.broker.core.config.field import ConfigError
from barnabas.client.errors import ClientError
from barnabas.protocol.compiler.source_json import SchemaError
from barnabas.protocol.errors import KafkaError, ProtocolError
from barnabas.protocol.vector_files import VectorError
from barnabas.testing.cluster_layout import LayoutError
from barnabas.testing.process_cluster import ClusterError
from barnabas.testing.secured.folder import SecurityFolderError

INTERRUPTED = 130

USER_ERRORS = (
    OSError,
    ProtocolError,
    KafkaError,
    SchemaError,
    VectorError,
    ConfigError,
    ClientError,
    LayoutError,
    ClusterError,
    SecurityFolderError,
)
"""Classes whose text is meant for a user; everything else is our bug."""


class CommandError(click.ClickException):
    """What a command found to be wrong; shown as `barnabas: message`, exit status 1."""

    def show(self, file: IO[Any] | None = None) -> None:
        """Print it on standard error."""
        print(f"barnabas: {self.message}", file=file or sys.stderr)


def fail(message: str) -> NoReturn:
    """End the command with this message and exit status 1."""
    raise CommandError(message)


@contextlib.contextmanager
def quiet_pipe() -> Iterator[None]:
    """Nothing is wrong when the reader of our output has enough (`barnabas consume | head`)."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        # What is left in the buffer has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from None


def wants_json(arguments: Sequence[str]) -> bool:
    """Whether `--json` is among the options that were typed."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return "--json" in options


@contextlib.contextmanager
def one_line_errors(*, as_json: bool = False) -> Iterator[None]:
    """Turn errors that the user can mend into one line, or one JSON object; bugs keep their
    traceback."""
    try:
        yield
    except (KeyboardInterrupt, click.Abort):
        raise SystemExit(INTERRUPTED) from None
    except click.ClickException as error:
        _show(error, type(error).__name__, as_json=as_json)
        raise SystemExit(error.exit_code) from None
    except Exception as error:
        if not _is_for_the_user(error):
            raise
        kind = type(error).__name__
        text = f"what was given is not UTF-8: {error}" if _is_no_text(error) else str(error)
        _show(CommandError(text or kind), kind, as_json=as_json)
        raise SystemExit(1) from None


def _show(error: click.ClickException, kind: str, *, as_json: bool) -> None:
    if not as_json:
        error.show()
        return
    found = {"error": error.format_message(), "type": kind}
    print(json.dumps(found, ensure_ascii=False), file=sys.stderr)


def _is_for_the_user(error: Exception) -> bool:
    return isinstance(error, USER_ERRORS) or _is_no_text(error)


def _is_no_text(error: Exception) -> bool:
    """Whether a name has bytes that are none of UTF-8: Python keeps those of an argument as
    surrogates, which nothing can encode."""
    return isinstance(error, ValueError) and "surrogates not allowed" in str(error)
