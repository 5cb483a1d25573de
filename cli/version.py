"""`barnabas version`."""

from __future__ import annotations

import platform

import click

from barnabas.build_info import PACKAGE, build_info

from .output import print_json


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(as_json: bool) -> None:
    """Print the version, the Python that runs it, and which modules are compiled.

    The broker is Python everywhere; a wheel may have compiled modules that build and read records.
    """
    info = build_info()
    python = platform.python_version()
    if as_json:
        print_json(
            {
                "version": info.version,
                "python": python,
                "compiled": info.is_compiled,
                "compiled_modules": list(info.compiled_modules),
                "package": str(PACKAGE),
            }
        )
        return
    click.echo(f"barnabas {info.version} ({info.describe()}, Python {python})")
    for name in info.compiled_modules:
        click.echo(f"  {name}")
