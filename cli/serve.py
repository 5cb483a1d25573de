"""`barnabas serve`: run a node until it is told to stop."""

from __future__ import annotations

import click


@click.command()
@click.option(
    "--config", "config_file", type=click.Path(exists=True, dir_okay=False), help="A TOML file."
)
@click.option(
    "--set", "settings", multiple=True, metavar="NAME=VALUE", help="One setting; may be repeated."
)
@click.option("--dir", "directory", type=click.Path(file_okay=False), help="The log directory.")
@click.option(
    "--port", type=click.IntRange(0, 65535), help="Port to listen on; 0 picks a free one."
)
@click.option("--host", help="Address to listen on; 127.0.0.1 unless set.")
@click.option(
    "--add-scram",
    multiple=True,
    metavar="SCRAM-SHA-256=[name=…,password=…]",
    help="A first user, where the directory is empty; may be repeated.",
)
def command(
    config_file: str | None,
    settings: tuple[str, ...],
    directory: str | None,
    port: int | None,
    host: str | None,
    add_scram: tuple[str, ...],
) -> None:
    """Run a node: broker and controller in one process.

    An empty directory is formatted by itself; a directory that Apache Kafka wrote is taken over.
    It listens on 127.0.0.1 unless --host, or the setting listeners, says else. One line on
    standard output says when and where the node is ready, and whether it is open to the network
    without authentication. SIGTERM or SIGHUP stops it cleanly.
    """
    from barnabas.broker.__main__ import serve

    first = [f"metadata.bootstrap.scram={' '.join(add_scram)}"] if add_scram else []
    serve(
        config_file=config_file,
        settings=[*settings, *first],
        directory=directory,
        port=port,
        host=host,
    )
