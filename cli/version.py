"""`barnabas version`."""

from __future__ import annotations

import platform

import click

from barnabas import __version__
from barnabas.build_info import is_compiled

from .output import print_json


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(as_json: bool) -> None:
    """Print the version, the Python that runs it, and whether hot modules are compiled."""
    compiled = is_compiled()
    if as_json:
        print_json(
            {"version": __version__, "python": platform.python_version(), "compiled": compiled}
        )
        return
    kind = "hot modules compiled by mypyc" if compiled else "pure Python"
    click.echo(f"barnabas {__version__} ({kind}, Python {platform.python_version()})")
