"""The settings that make a node of a local cluster a secured one."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Final

CLIENTS: Final = "CLIENTS"
"""The listener of clients: TLS, and logins by SCRAM."""

BROKERS: Final = "BROKERS"
"""The listener of brokers: TLS, where both sides show certificates."""

CONTROLLER: Final = "CONTROLLER"
"""The listener of the metadata quorum: TLS, where both sides show certificates."""

MECHANISMS: Final = ("SCRAM-SHA-256", "SCRAM-SHA-512")
_NODE: Final = re.compile(r"node-(\d+)")
_AUTHORIZER: Final = "org.apache.kafka.metadata.authorizer.StandardAuthorizer"


def principal_of_node(node_id: int) -> str:
    """Who a node is by its certificate."""
    return f"User:CN={subject_of_node(node_id)}"


def subject_of_node(node_id: int) -> str:
    """The common name in a node's certificate."""
    return f"node-{node_id}"


def node_of_subject(name: str) -> int | None:
    """The node whose certificate has this common name; None: it is no node's."""
    found = _NODE.fullmatch(name)
    return None if found is None else int(found[1])


def security_settings(
    *,
    listeners: Collection[str],
    keystore: Path,
    truststore: Path,
    nodes: Sequence[int],
    admin: str,
    first_users: Mapping[str, str],
) -> dict[str, str]:
    """Settings of one node.

    Args:
        listeners: those that it has.
        keystore: its key and certificate.
        truststore: the authority of all nodes.
        nodes: the numbers of all nodes: they are super users.
        admin: a user who is one, too.
        first_users: names and passwords of a new cluster's users.
    """
    super_users = [f"User:{admin}", *map(principal_of_node, nodes)]
    both_sides = {
        f"listener.name.{name.lower()}.ssl.client.auth": "required"
        for name in (BROKERS, CONTROLLER)
        if name in listeners
    }
    return {
        "listener.security.protocol.map": f"{CLIENTS}:SASL_SSL,{BROKERS}:SSL,{CONTROLLER}:SSL",
        "inter.broker.listener.name": BROKERS,
        "ssl.keystore.location": str(keystore),
        "ssl.truststore.location": str(truststore),
        **both_sides,
        "sasl.enabled.mechanisms": ",".join(MECHANISMS),
        "authorizer.class.name": _AUTHORIZER,
        "allow.everyone.if.no.acl.found": "false",
        "super.users": ";".join(super_users),
        "metadata.bootstrap.scram": " ".join(
            f"{mechanism}=[name={name},password={password}]"
            for name, password in first_users.items()
            for mechanism in MECHANISMS
        ),
    }


def as_toml(settings: Mapping[str, str], comment: str) -> str:
    """Settings as a file that `barnabas serve --config` reads."""
    # Strings of JSON are strings of TOML.
    lines = [f"{json.dumps(name)} = {json.dumps(value)}" for name, value in settings.items()]
    return "\n".join([f"# {comment}", *lines, ""])
