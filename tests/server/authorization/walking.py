"""A node with an authorizer, a client without a login, and whoever gives it rights."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from kit.authorization import acl_for
from kit.raw_client import RawClient

from barnabas.broker.core.cluster.acl_changes import CreateAcls, DeleteAcls
from barnabas.broker.core.config.authorization import STANDARD_AUTHORIZER
from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.security.acl import Acl, AclFilter
from barnabas.broker.core.security.principal import ANONYMOUS
from barnabas.broker.node import Node

EVERYTHING = (
    "TOPIC:*:ALL",
    "GROUP:*:ALL",
    "TRANSACTIONAL_ID:*:ALL",
    "CLUSTER:kafka-cluster:ALL",
)


class Guarded:
    """A node that refuses everything, until rights are given to its client."""

    def __init__(self, node: Node, client: RawClient, controller: RawClient) -> None:
        self.node = node
        self.client = client
        self.controller = controller
        """The same client at the listener of controllers."""

    async def submit(self, command: Any) -> Any:
        """Have the controller decide; no right is asked for that."""
        assert self.node.controller is not None
        return await self.node.controller.service.submit(command)

    async def grant(self, *grants: str | Acl) -> None:
        """Give rights, in the words of the table or as entries."""
        acls = [acl_for(one, str(ANONYMOUS)) if isinstance(one, str) else one for one in grants]
        outcomes = await self.submit(CreateAcls(tuple(acls)))
        assert not any(outcome.code for outcome in outcomes), outcomes

    async def revoke_all(self) -> None:
        """Take all rights away."""
        await self.submit(DeleteAcls((AclFilter(1, None, 1, None, None, 1, 1),)))


@asynccontextmanager
async def guarded(directory: Path, **settings: Any) -> AsyncIterator[Guarded]:
    """A single node with an authorizer; settings by field name."""
    config = replace(
        BrokerConfig(),
        log_dirs=(str(directory),),
        listeners=("PLAINTEXT://127.0.0.1:0", "CONTROLLER://127.0.0.1:0"),
        controller_listener_names=("CONTROLLER",),
        offsets_topic_replication_factor=1,
        offsets_topic_num_partitions=2,
        transaction_state_log_replication_factor=1,
        transaction_state_log_min_isr=1,
        transaction_state_log_num_partitions=2,
        group_initial_rebalance_delay_ms=0,
        authorizer_class_name=STANDARD_AUTHORIZER,
        audit_enable=False,
        **settings,
    )
    node = await Node.start(config)
    try:
        assert node.controller is not None
        port = node.controller.server.listeners[0].port
        async with (
            RawClient("127.0.0.1", node.port) as client,
            RawClient("127.0.0.1", port) as controller,
        ):
            yield Guarded(node, client, controller)
    finally:
        await node.stop()
