"""What `barnabas cluster up` says about a secured cluster: how each kind of client connects."""

from __future__ import annotations

import click

from barnabas.testing.process_cluster import ProcessCluster
from barnabas.testing.secured.folder import ADMIN, APPLICATION
from barnabas.testing.secured.grants import PREFIX

_HEADS = {
    "java": "Java, and `--client-config` of these commands",
    "librdkafka": "librdkafka (kcat -F, confluent-kafka, …)",
    "python": "barnabas.client and kafka-python, as keyword arguments",
}
_AIOKAFKA = """\
aiokafka: the same, but a context in place of ssl_cafile:
  options = json.load(open({path!r}))
  options["ssl_context"] = aiokafka.helpers.create_ssl_context(cafile=options.pop("ssl_cafile"))"""


def show_clients(cluster: ProcessCluster) -> None:
    """Print the users, and the application user's properties; nothing for an open cluster."""
    folder = cluster.security
    if folder is None:
        return
    click.echo(
        f"""
user {ADMIN} may do everything; user {APPLICATION} may do everything with topics, groups and \
transactional ids
whose names begin with {PREFIX}, and nothing else. Keys, passwords and clients' properties are in
{folder.path}; nobody else can read them. Properties of user {APPLICATION}:"""
    )
    for kind, head in _HEADS.items():
        path = folder.client_file(APPLICATION, kind)
        click.echo(f"\n# {head}: {path}")
        click.echo(_without_comments(path.read_text(encoding="utf-8")), nl=False)
    path = folder.client_file(APPLICATION, "python")
    click.echo("\n# " + _AIOKAFKA.format(path=str(path)).replace("\n", "\n# "))


def _without_comments(text: str) -> str:
    return "".join(line for line in text.splitlines(True) if not line.startswith("#"))
