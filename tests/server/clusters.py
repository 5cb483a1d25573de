"""Several whole nodes on one event loop, with ports taken in advance."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.node import Node
from barnabas.protocol.primitives import uuid_to_text
from barnabas.testing.cluster_layout import free_ports

CLUSTER_ID = uuid_to_text(b"three nodes, one")


class NodesCluster:
    """Nodes by number, from 1 on; those that are down are not among `nodes`."""

    def __init__(self, configs: list[BrokerConfig]) -> None:
        self.configs = {config.node_id: config for config in configs}
        self.nodes: dict[int, Node] = {}

    async def start(self, *node_ids: int) -> None:
        """Start them at the same time; all of them if none is named."""
        wanted = node_ids or tuple(self.configs)
        started = await asyncio.gather(*(Node.start(self.configs[one]) for one in wanted))
        self.nodes.update(zip(wanted, started, strict=True))

    async def kill(self, node_id: int) -> None:
        """End it without a word to anybody and without the marks of a clean stop."""
        await self.nodes.pop(node_id).abort()

    async def stop(self, node_id: int) -> None:
        """Stop it in good order."""
        await self.nodes.pop(node_id).stop()

    @property
    def bootstrap(self) -> str:
        """Addresses of the brokers that run."""
        brokers = [node for node in self.nodes.values() if node.role is not None]
        return ",".join(f"127.0.0.1:{node.port}" for node in brokers)

    @property
    def active(self) -> Node:
        """The node that is the active controller."""
        return next(
            node
            for node in self.nodes.values()
            if node.controller is not None and node.controller.service.is_active
        )


@asynccontextmanager
async def cluster(
    directory: Path, combined: int = 0, controllers: int = 0, brokers: int = 0, **settings: Any
) -> AsyncIterator[NodesCluster]:
    """So many nodes of each kind, started; killed at the end. Settings by field name."""
    count = combined + controllers + brokers
    ports = free_ports(2 * count)
    voters = range(1, combined + controllers + 1)
    configs = []
    for number in range(1, count + 1):
        is_voter = number in voters
        is_broker = number <= combined or number > combined + controllers
        listeners = []
        if is_broker:
            listeners.append(f"PLAINTEXT://127.0.0.1:{ports[number - 1]}")
        if is_voter:
            listeners.append(f"CONTROLLER://127.0.0.1:{ports[count + number - 1]}")
        roles = [("broker", is_broker), ("controller", is_voter)]
        config = replace(
            BrokerConfig(),
            node_id=number,
            cluster_id=CLUSTER_ID,
            process_roles=tuple(role for role, has_it in roles if has_it),
            log_dirs=(str(directory / f"node-{number}"),),
            listeners=tuple(listeners),
            controller_listener_names=("CONTROLLER",),
            controller_quorum_voters=tuple(
                f"{voter}@127.0.0.1:{ports[count + voter - 1]}" for voter in voters
            ),
            controller_quorum_election_timeout_ms=200,
            logging_level="error",
            **settings,
        )
        configs.append(config)
    made = NodesCluster(configs)
    try:
        await made.start()
        yield made
    finally:
        for node_id in list(made.nodes):
            await made.kill(node_id)
