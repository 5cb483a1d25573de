"""`barnabas codec`: check the codecs against vectors, decode one message."""

from __future__ import annotations

import sys

import click

from .errors import fail
from .output import print_json


@click.group()
def command() -> None:
    """Check and use the message codecs."""


@command.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False))
@click.option("--backend", type=click.Choice(["python", "construct"]), default="python")
@click.option(
    "--schemas",
    type=click.Path(exists=True, file_okay=False),
    help="Compile the schemas below this directory instead of using the built-in codecs.",
)
@click.option("--verbose", "-v", is_flag=True, help="Name every file.")
def check(files: tuple[str, ...], backend: str, schemas: str | None, verbose: bool) -> None:
    """Run vector FILES (.jsonl.gz): each must decode to its JSON and encode to its bytes."""
    from barnabas.protocol.vector_files import FileResult
    from barnabas.protocol.vectors import check_files

    def show(result: FileResult) -> None:
        for failure in result.failures:
            click.echo(f"FAILED {failure}", err=True)
        if verbose:
            click.echo(f"{result.path}: {result.passed} passed, {len(result.failures)} failed")

    passed, failures = check_files(files, backend, schemas, on_progress=show)
    click.echo(f"{passed} passed, {len(failures)} failed")
    sys.exit(1 if failures else 0)


@command.command()
@click.option("--message", required=True, help="Schema name, as FetchRequest.")
@click.option("--version", "api_version", required=True, type=int)
@click.option("--hex", "hex_text", help="The body in hex; without it, hex on standard input.")
@click.option("--schemas", type=click.Path(exists=True, file_okay=False))
@click.option("--backend", type=click.Choice(["python", "construct"]), default="python")
def decode(
    message: str, api_version: int, hex_text: str | None, schemas: str | None, backend: str
) -> None:
    """Print the JSON of one message body given in hex."""
    from barnabas.protocol.vectors import message_codec

    text = hex_text if hex_text is not None else sys.stdin.read()
    try:
        body = bytes.fromhex("".join(text.split()))
    except ValueError as error:
        fail(f"--hex: {error}")
    codec = message_codec(message, backend, schemas)
    print_json(codec.decode_to_json(body, api_version))
