"""What can be asked of an in-process cluster, or waited for: leaders, in-sync replicas, brokers.

"The cluster says" means: the metadata of the running node that has applied most of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

from .process_cluster import ClusterError
from .secured.client_files import Access, librdkafka_properties, python_options
from .secured.folder import APPLICATION

if TYPE_CHECKING:
    from barnabas.broker.core.cluster.image import ClusterImage
    from barnabas.broker.core.cluster.topic_image import PartitionImage
    from barnabas.broker.core.replication.partition import Partition
    from barnabas.broker.node import Node

    from .cluster_layout import ClusterLayout
    from .links import Links
    from .secured.folder import SecurityFolder

WAIT_S: Final = 60.0
"""How long to wait, by default, for what the cluster does by itself."""

_LOOK_S: Final = 0.005


class ClusterView:
    """The part of `cluster.Cluster` that only looks."""

    layout: ClusterLayout
    links: Links
    security: SecurityFolder | None
    nodes: dict[int, Node]
    """The running nodes, by number."""

    @property
    def bootstrap(self) -> str:
        """The addresses of all brokers, running or not, as `host:port,…`."""
        return self.layout.bootstrap

    def client_options(self, user: str = APPLICATION) -> dict[str, Any]:
        """Keyword arguments for our clients and kafka-python's: the brokers' addresses, and in a
        secured cluster authority, user and password. `user` is `app` or `admin`."""
        access = self._access_of(user)
        return {"bootstrap_servers": self.bootstrap} if access is None else python_options(access)

    def client_properties(self, user: str = APPLICATION) -> dict[str, str]:
        """Settings for confluent-kafka's clients: the brokers' addresses, and in a secured cluster
        authority, user and password. `user` is `app` or `admin`."""
        access = self._access_of(user)
        return (
            {"bootstrap.servers": self.bootstrap}
            if access is None
            else librdkafka_properties(access)
        )

    def _access_of(self, user: str) -> Access | None:
        if not self.layout.is_secured:
            return None
        if self.security is None:
            raise ClusterError("keys and users are made when the cluster starts")
        if user not in self.security.users:
            known = ", ".join(self.security.users)
            raise ClusterError(f"there is no user {user!r}; the users are {known}")
        return self.security.access_of(user)

    def node(self, node_id: int) -> Node:
        """A running node. Raises ClusterError if it does not run, LayoutError if there is none."""
        found = self.nodes.get(self.layout.node(node_id).id)
        if found is None:
            raise ClusterError(f"node {node_id} does not run")
        return found

    @property
    def image(self) -> ClusterImage:
        """The newest metadata of all running nodes. Raises ClusterError if none runs."""
        if not self.nodes:
            raise ClusterError("no node runs")
        return max((node.image for node in self.nodes.values()), key=lambda one: one.last_offset)

    @property
    def active_controller(self) -> Node | None:
        """The active controller; if several believe to be it, the one with the newest epoch."""
        active = [
            node
            for node in self.nodes.values()
            if node.controller is not None and node.controller.service.is_active
        ]
        return max(active, key=lambda node: node.quorum.leader.epoch, default=None)

    def partition(self, topic: str, partition: int = 0) -> PartitionImage:
        """Replicas, ISR, leader and epochs of a partition. Raises ClusterError if there is none."""
        found = self.image.partition(topic, partition)
        if found is None:
            raise ClusterError(f"the cluster has no partition {topic}-{partition}")
        return found

    def replica(self, node_id: int, topic: str, partition: int = 0) -> Partition:
        """A replica with its log, as its broker has it. Raises ClusterError if it is not there."""
        found = self.node(node_id).broker.replicas.get(topic, partition)
        if found is None:
            raise ClusterError(f"node {node_id} holds no replica of {topic}-{partition}")
        return found

    # --- waiting ------------------------------------------------------------------------------

    async def wait_until(
        self, condition: Callable[[], object], what: str = "it", timeout_s: float = WAIT_S
    ) -> None:
        """Wait until the condition holds.

        Raises ClusterError, which describes the cluster's state, if it does not hold in time.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout_s
        while not condition():
            if loop.time() > deadline:
                raise ClusterError(f"{what} did not come in {timeout_s:g} s; {self.describe()}")
            await asyncio.sleep(_LOOK_S)

    async def wait_for_leader(
        self,
        topic: str,
        partition: int = 0,
        *,
        not_: int | None = None,
        timeout_s: float = WAIT_S,
    ) -> int:
        """Wait until a running broker leads the partition and knows it; returns its number.

        `not_` is a broker that must not be the one, usually the leader before.
        """
        what = f"a leader of {topic}-{partition}"
        if not_ is not None:
            what += f" other than {not_}"
        await self.wait_until(
            lambda: self._leader(topic, partition) not in (None, not_), what, timeout_s
        )
        leader = self._leader(topic, partition)
        assert leader is not None
        return leader

    def _leader(self, topic: str, partition: int) -> int | None:
        """The leader of a partition that runs and knows that it leads."""
        said = self.image.partition(topic, partition)
        node = None if said is None else self.nodes.get(said.leader)
        if said is None or node is None or self.links.is_paused(said.leader):
            return None
        heard = node.image.partition(topic, partition)
        has_begun = node.role is not None and node.broker.replicas.get(topic, partition)
        is_told = heard is not None and heard.leader_epoch == said.leader_epoch
        return said.leader if has_begun and is_told else None

    async def wait_for_isr(
        self, topic: str, partition: int, isr: Iterable[int], timeout_s: float = WAIT_S
    ) -> None:
        """Wait until the cluster says that exactly these replicas are in sync."""
        wanted = sorted(isr)

        def is_so() -> bool:
            found = self.image.partition(topic, partition)
            return found is not None and sorted(found.isr) == wanted

        await self.wait_until(is_so, f"ISR {wanted} of {topic}-{partition}", timeout_s)

    async def wait_for_brokers(
        self, brokers: Iterable[int] | None = None, timeout_s: float = WAIT_S
    ) -> None:
        """Wait until each of these brokers (those that run) knows all of them as unfenced."""
        wanted = set(self._running_brokers() if brokers is None else brokers)

        def is_so() -> bool:
            nodes = [self.nodes.get(one) for one in sorted(wanted)]
            return all(
                node is not None
                and wanted <= {broker.broker_id for broker in node.image.active_brokers()}
                for node in nodes
            )

        await self.wait_until(is_so, f"brokers {sorted(wanted)}, unfenced,", timeout_s)

    async def wait_for_fencing(self, broker: int, timeout_s: float = WAIT_S) -> None:
        """Wait until the cluster has fenced this broker."""

        def is_so() -> bool:
            found = self.image.brokers.get(broker)
            return found is not None and found.fenced

        await self.wait_until(is_so, f"the fencing of broker {broker}", timeout_s)

    def _running_brokers(self) -> list[int]:
        return [number for number, node in self.nodes.items() if node.role is not None]

    def describe(self) -> str:
        """The state of the cluster in one line, for error messages."""
        if not self.nodes:
            return "no node runs"
        image = self.image
        active = self.active_controller
        fenced = [number for number, one in sorted(image.brokers.items()) if one.fenced]
        partitions = [
            f"{name}-{index} leader {one.leader} isr {list(one.isr)}"
            for name, topic in sorted(image.topics_by_name.items())
            for index, one in sorted(topic.partitions.items())
        ]
        return (
            f"running: {sorted(self.nodes)}, paused: {self.links.paused}, fenced: {fenced}, "
            f"active controller: {active.node_id if active else 'none'}, "
            f"partitions: {'; '.join(partitions) or 'none'}"
        )
