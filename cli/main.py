"""The `barnabas` command: subcommands are loaded when they are called, so that each starts fast."""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

import click

from barnabas.cli.errors import one_line_errors, quiet_pipe, wants_json

SUBCOMMANDS = {
    "serve": "Run a broker node.",
    "cluster": "Run a whole cluster on this machine, one process a node.",
    "quorum": "Show who keeps the cluster's metadata, and how far each node is.",
    "topic": "Create, list, describe, alter and delete topics.",
    "produce": "Send records from a file, standard input or the command line.",
    "consume": "Read records, in the format that you ask for.",
    "group": "List, describe, reset and delete consumer groups.",
    "txn": "List, describe and end transactions, and find those that hang.",
    "config": "Show and change the settings of topics and brokers.",
    "quota": "Set, list and remove quotas of users, client ids and addresses.",
    "certificates": "Make an authority, and keys and certificates that it signs.",
    "user": "Make, list, change and delete users who log in by SCRAM.",
    "acl": "Say who may do what: add, list and remove access control entries.",
    "log": "Look into log directories.",
    "dissect": "Explain a frame or a file of a log directory byte by byte.",
    "simulate": "Simulate a cluster under faults, on virtual time, from a seed.",
    "codec": "Check and use the message codecs.",
    "version": "Print the version and which modules are compiled.",
}
"""Name of a subcommand -> its one line in the help; module `barnabas.cli.<name>` has `command`."""


class LazyGroup(click.Group):
    """A group whose subcommands are imported on use; the help needs none of them."""

    def invoke(self, ctx: click.Context) -> Any:
        # Here, since click itself takes a pipe that was closed for a failure.
        with quiet_pipe():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in SUBCOMMANDS:
            return None
        module = importlib.import_module(f"barnabas.cli.{cmd_name}")
        command = module.command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(SUBCOMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in SUBCOMMANDS:
            import difflib

            near = difflib.get_close_matches(args[0], SUBCOMMANDS, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            ctx.fail(f"No such command {args[0]!r}.{hint}")
        return super().resolve_command(ctx, args)


def _print_version(context: click.Context, option: click.Parameter, is_asked: bool) -> None:
    del option
    if is_asked and not context.resilient_parsing:
        importlib.import_module("barnabas.cli.version").command.main(args=[], prog_name="barnabas")


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print the version, as `barnabas version` does.",
)
def command() -> None:
    """barnabas: a broker cluster that speaks Apache Kafka's wire protocol."""


def open_what_is_closed() -> None:
    """Where the caller closed a standard stream (`<&-`, `>&-`), Python has None in its place.

    Reading then fails as a read of what is closed does, and what is written goes nowhere. The
    numbers are taken, too, so that no socket or file of ours becomes "standard output".
    """
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            mode = "r" if name == "stdin" else "w"
            # For writing in any case: that is how a read of it fails.
            descriptor = os.open(os.devnull, os.O_WRONLY)
            setattr(sys, name, os.fdopen(descriptor, mode, encoding="utf-8"))


def main() -> None:
    """Entry point of the console script; errors that a user can mend end in one line."""
    open_what_is_closed()
    arguments = sys.argv[1:]
    with one_line_errors(as_json=wants_json(arguments)):
        status = command.main(args=arguments, prog_name="barnabas", standalone_mode=False)
        raise SystemExit(status if isinstance(status, int) else 0)


if __name__ == "__main__":
    main()
