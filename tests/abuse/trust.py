"""Clusters of three, open or locked, and a client that is nobody special on either listener."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import inf
from pathlib import Path
from typing import Any

from kit.raw_client import RawClient
from kit.secured import ADMIN, ADMIN_PASSWORD, PASSWORD, USER, fields_of, log_in, logins
from kit.waiting import until
from server.clusters import NodesCluster, cluster

from barnabas.broker.core.config.authorization import STANDARD_AUTHORIZER
from barnabas.broker.core.security.principal import ANONYMOUS, Principal
from barnabas.broker.node import Node
from barnabas.client import Admin, NewTopic

LOCKED = "locked"
OPEN = "open"


class Trust:
    """A cluster with a topic `t` on all three nodes; `mallory` is who attacks it."""

    def __init__(self, cluster_: NodesCluster, *, is_locked: bool) -> None:
        self.cluster = cluster_
        self.is_locked = is_locked
        self.mallory = Principal("User", USER) if is_locked else ANONYMOUS

    @property
    def active(self) -> Node:
        return self.cluster.active

    def leader_of(self, topic: str = "t") -> Node:
        """Of partition 0."""
        image = self.active.image
        return self.cluster.nodes[image.topics_by_name[topic].partitions[0].leader]

    @asynccontextmanager
    async def client(self, node: Node, user: str = USER) -> AsyncIterator[RawClient]:
        """At the listener of clients, with a login where there is one."""
        async with self._connected(node.port, user) as client:
            yield client

    @asynccontextmanager
    async def at_controller(self, node: Node, user: str = USER) -> AsyncIterator[RawClient]:
        """At the listener of controllers."""
        assert node.controller is not None
        port = node.controller.server.listeners[0].port
        async with self._connected(port, user) as client:
            yield client

    @asynccontextmanager
    async def _connected(self, port: int, user: str) -> AsyncIterator[RawClient]:
        async with RawClient("127.0.0.1", port) as client:
            if self.is_locked:
                password = PASSWORD if user == USER else ADMIN_PASSWORD
                await log_in(client, "PLAIN", user, password)
            yield client

    @asynccontextmanager
    async def admin(self) -> AsyncIterator[Admin]:
        """Somebody who may do everything."""
        options: dict[str, Any] = {}
        if self.is_locked:
            options = {
                "security_protocol": "SASL_PLAINTEXT",
                "sasl_mechanism": "PLAIN",
                "sasl_plain_username": ADMIN,
                "sasl_plain_password": ADMIN_PASSWORD,
            }
        async with Admin(bootstrap_servers=self.cluster.bootstrap, **options) as admin:
            yield admin

    async def check_well(self) -> None:
        """Nobody has failed, all brokers are in, and changes go on."""
        assert all(not node.failed.is_set() for node in self.cluster.nodes.values())
        brokers = self.active.image.brokers
        assert sorted(brokers) == [1, 2, 3]
        assert not any(one.fenced for one in brokers.values())
        async with self.admin() as admin:
            await admin.create_topics([NewTopic("after", 1, 3)])


@asynccontextmanager
async def trusting(directory: Path, kind: str, **settings: Any) -> AsyncIterator[Trust]:
    """Three nodes that are broker and controller; settings by field name.

    Locked: logins on both listeners, and rights for the nodes alone.
    """
    if kind == LOCKED:
        text = {
            **logins("PLAINTEXT", "CONTROLLER"),
            "controller.listener.names": "CONTROLLER",
            "listener.security.protocol.map": "PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:SASL_PLAINTEXT",
            "super.users": f"User:{ADMIN}",
            "authorizer.class.name": STANDARD_AUTHORIZER,
            "audit.enable": "false",
        }
        fields = fields_of(text)
        del fields["controller_listener_names"]  # `cluster` says it
        settings = {**fields, **settings}
    async with cluster(directory, combined=3, **settings) as nodes:
        trust = Trust(nodes, is_locked=kind == LOCKED)
        async with trust.admin() as admin:
            await admin.create_topics([NewTopic("t", 1, 3)])
        # Before that a node knows nothing of rights, and says so (ACL-22).
        await until(lambda: all(one.quorum.fresh_since_ms > -inf for one in nodes.nodes.values()))
        yield trust
