"""A node with a listener of each secured protocol, for clients of other libraries."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from kit.authorization import acl_for
from kit.secured import ADMIN, KEYS, TLS, USER, assignments, logins

from barnabas.broker.core.cluster.acl_changes import CreateAcls
from barnabas.broker.core.config.authorization import STANDARD_AUTHORIZER
from barnabas.broker.node import Node
from barnabas.broker.settings import load_config

PROTOCOLS = ("SSL", "SASL_PLAINTEXT", "SASL_SSL")
LISTENERS = ",".join(f"{one}://localhost:0" for one in PROTOCOLS)
ALICE = str(TLS / "alice.pem")
OF_THE_KEY = "User:CN=alice,OU=Eng,O=Org,C=DE"


@asynccontextmanager
async def ports(directory: Path, **more: str) -> AsyncIterator[dict[str, str]]:
    """Protocol -> address, of a node with one listener each; alice may use `t` and `g`. Further
    settings with _ for ."""
    settings = {
        "log.dirs": str(directory),
        "listeners": LISTENERS,
        "logging.level": "error",
        "listener.name.ssl.ssl.client.auth": "required",
        "security.inter.broker.protocol": "SASL_SSL",
        "authorizer.class.name": STANDARD_AUTHORIZER,
        "super.users": f"User:{ADMIN}",
        "audit.enable": "false",
        "group.initial.rebalance.delay.ms": "0",
        **KEYS,
        **logins("SASL_PLAINTEXT", "SASL_SSL"),
        **{name.replace("_", "."): value for name, value in more.items()},
    }
    node = await Node.start(load_config(assignments=assignments(settings)))
    try:
        assert node.controller is not None
        rights = ("TOPIC:t:CREATE", "TOPIC:t:READ", "TOPIC:t:WRITE", "GROUP:g:READ")
        acls = [acl_for(right, who) for right in rights for who in (f"User:{USER}", OF_THE_KEY)]
        await node.controller.service.submit(CreateAcls(tuple(acls)))
        yield {one.name: f"localhost:{one.port}" for one in node.listeners}
    finally:
        await node.stop()
