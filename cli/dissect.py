"""`barnabas dissect`: explain bytes, byte by byte."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .errors import fail
from .output import print_json

if TYPE_CHECKING:
    from barnabas.protocol.dissect import Row

KINDS = (
    "request",
    "response",
    "segment",
    "metadata-segment",
    "snapshot",
    "index",
    "timeindex",
    "txnindex",
    "producer-snapshot",
    "leader-epochs",
    "offset-checkpoint",
    "properties",
    "json",
)


@click.command()
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False))
@click.option("--hex", "hex_text", help="The bytes in hex instead of a file.")
@click.option(
    "--kind",
    type=click.Choice(KINDS),
    help="What it is; by default the file's name says it, or its bytes do.",
)
@click.option("--api", help="API of a response: its key or its name, as 1 or Fetch.")
@click.option("--version", "api_version", type=int, help="API version of a response.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    file: str | None,
    hex_text: str | None,
    kind: str | None,
    api: str | None,
    api_version: int | None,
    as_json: bool,
) -> None:
    """Explain a frame or a file of a log directory: offset, hex, field, value.

    Files: segments, indexes, snapshots, checkpoints, `quorum-state`, `partition.metadata`,
    `meta.properties`. Bytes also come from standard input; without a name and --kind,
    the bytes themselves are looked at, and are a request if they say nothing else.
    Exit status 1 when something in the bytes is wrong; the last row says what.
    """
    from barnabas.protocol.dissect import Request, dissect, kind_of, kind_of_contents

    data = _data(file, hex_text)
    if kind is None and file is not None:
        kind = kind_of(str(Path(file).absolute()))
    kind = kind or kind_of_contents(data) or (None if file else "request")
    if kind is None:
        fail(
            f"{file}: neither its name nor its bytes say what it is; "
            f"give --kind, one of {', '.join(KINDS)}"
        )
    rows = dissect(data, Request(kind, file or "", _api_key(api), api_version))
    if as_json:
        print_json([row.to_json() for row in rows])
    else:
        _print_rows(rows)
    sys.exit(1 if any(row.is_problem for row in rows) else 0)


def _data(file: str | None, hex_text: str | None) -> bytes:
    if file is not None and hex_text is not None:
        raise click.UsageError("give a file or --hex, not both")
    if file is not None:
        return Path(file).read_bytes()
    if hex_text is None:
        return sys.stdin.buffer.read()
    try:
        return bytes.fromhex("".join(hex_text.split()))
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--hex") from None


def _api_key(api: str | None) -> int | None:
    if api is None or api.isdecimal():
        return None if api is None else int(api)
    from barnabas.protocol.apis import APIS

    for key in APIS:
        if APIS[key].name.lower() == api.lower():
            return key
    raise click.BadParameter(f"{api!r} is no API that barnabas knows", param_hint="--api")


def _print_rows(rows: list[Row]) -> None:
    width = max((len(row.path) for row in rows), default=0)
    for row in rows:
        offset = "packed" if row.offset < 0 else f"{row.offset:6d}"
        mark = "!! " if row.is_problem else ""
        click.echo(f"{offset}  {row.hex:<50} {row.path:<{width}}  {mark}{row.value}")
