"""A node with an authorizer, a client with or without a login, and whoever gives it rights."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from kit.authorization import acl_for
from kit.raw_client import RawClient
from kit.secured import ADMIN, KEYS, USER, SecureClient, context, fields_of, log_in, logins

from barnabas.broker.core.cluster.acl_changes import CreateAcls, DeleteAcls
from barnabas.broker.core.cluster.commands import CreateTopics, NewTopic
from barnabas.broker.core.config.authorization import STANDARD_AUTHORIZER
from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.security.acl import Acl, AclFilter
from barnabas.broker.core.security.principal import ANONYMOUS, Principal
from barnabas.broker.node import Node

EVERYTHING = (
    "TOPIC:*:ALL",
    "GROUP:*:ALL",
    "TRANSACTIONAL_ID:*:ALL",
    "CLUSTER:kafka-cluster:ALL",
)


class Door:
    """How the client gets in: anybody does."""

    principal = ANONYMOUS

    def settings(self) -> dict[str, Any]:
        """What the node must be told, by field name."""
        return {}

    def client(self, port: int) -> RawClient:
        """One that is not connected yet."""
        return RawClient("127.0.0.1", port)

    async def log_in(self, client: RawClient) -> None:
        """Say who it is."""


class LockedDoor(Door):
    """By a login, on both listeners."""

    principal = Principal("User", USER)

    def __init__(self, protocol: str, mechanism: str) -> None:
        self._protocol = protocol
        self._mechanism = mechanism

    def settings(self) -> dict[str, Any]:
        own = {"PLAINTEXT": self._protocol, "CONTROLLER": self._protocol}
        text = {
            **KEYS,
            **logins(*own),
            "controller.listener.names": "CONTROLLER",
            "listener.security.protocol.map": ",".join(map(":".join, own.items())),
            "super.users": f"User:{ADMIN}",
        }
        return fields_of(text)

    def client(self, port: int) -> RawClient:
        tls = context() if self._protocol == "SASL_SSL" else None
        return SecureClient(port, tls)

    async def log_in(self, client: RawClient) -> None:
        await log_in(client, self._mechanism)


class Guarded:
    """A node that refuses everything, until rights are given to its client."""

    def __init__(self, node: Node, door: Door) -> None:
        self.node = node
        self._door = door
        assert node.controller is not None
        self.client = door.client(node.port)
        self.controller = door.client(node.controller.server.listeners[0].port)
        """The same client at the listener of controllers."""

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[RawClient]:
        """One more connection of the client, logged in."""
        async with self._door.client(self.node.port) as client:
            await self._door.log_in(client)
            yield client

    async def log_in(self) -> None:
        """Of both connections that stay."""
        for client in (self.client, self.controller):
            await self._door.log_in(client)

    async def submit(self, command: Any) -> Any:
        """Have the controller decide; no right is asked for that."""
        assert self.node.controller is not None
        return await self.node.controller.service.submit(command)

    async def create_topic(self, name: str) -> None:
        """Of one partition."""
        await self.submit(CreateTopics((NewTopic(name, 1, 1),)))

    async def grant(self, *grants: str | Acl) -> None:
        """Give rights, in the words of the table or as entries."""
        acls = [
            acl_for(one, str(self._door.principal)) if isinstance(one, str) else one
            for one in grants
        ]
        outcomes = await self.submit(CreateAcls(tuple(acls)))
        assert not any(outcome.code for outcome in outcomes), outcomes

    async def revoke_all(self) -> None:
        """Take all rights away."""
        await self.submit(DeleteAcls((AclFilter(1, None, 1, None, None, 1, 1),)))


@asynccontextmanager
async def guarded(
    directory: Path, door: Door | None = None, **settings: Any
) -> AsyncIterator[Guarded]:
    """A single node with an authorizer; settings by field name. Without a `door` it is open."""
    door = door or Door()
    fields: dict[str, Any] = {
        "log_dirs": (str(directory),),
        "listeners": ("PLAINTEXT://127.0.0.1:0", "CONTROLLER://127.0.0.1:0"),
        "controller_listener_names": ("CONTROLLER",),
        "offsets_topic_replication_factor": 1,
        "offsets_topic_num_partitions": 2,
        "transaction_state_log_replication_factor": 1,
        "transaction_state_log_min_isr": 1,
        "transaction_state_log_num_partitions": 2,
        "group_initial_rebalance_delay_ms": 0,
        "authorizer_class_name": STANDARD_AUTHORIZER,
        "audit_enable": False,
    }
    config = replace(BrokerConfig(), **{**fields, **door.settings(), **settings})
    node = await Node.start(config)
    try:
        found = Guarded(node, door)
        async with found.client, found.controller:
            await found.log_in()
            yield found
    finally:
        await node.stop()
