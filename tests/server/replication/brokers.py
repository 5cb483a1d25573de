"""Several real brokers on one loop, over real sockets, with a controller that decides at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from kit.controllers import Cluster, register
from kit.list_logger import ListLogger
from kit.raw_client import RawClient
from kit.waiting import until

from barnabas.broker.core.cluster.broker_image import Endpoint
from barnabas.broker.core.cluster.commands import FenceBroker, UnfenceBroker
from barnabas.broker.core.cluster.image import ClusterImage
from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.log.identity import MetaProperties
from barnabas.broker.core.log.log_directory import LogDirectory
from barnabas.broker.core.replication.log_loading import LogLoader
from barnabas.broker.core.replication.partition import Partition
from barnabas.broker.handlers.controller import alter_partition, assign_replicas_to_dirs
from barnabas.broker.observe.metrics import Metrics
from barnabas.broker.server.broker import Broker
from barnabas.broker.server.peer_channel import PeerUnavailableError
from barnabas.broker.server.replication.replication import Replication
from barnabas.broker.serving.rights import EVERYTHING
from barnabas.broker.storage.files import real_env
from barnabas.protocol.primitives import uuid_to_text
from barnabas.protocol.stored import decode_metadata_record

HANDLERS: dict[int, Any] = {56: alter_partition, 73: assign_replicas_to_dirs}


class Member:
    """One broker; its `Membership` too."""

    quorum: Any = SimpleNamespace(kraft_version=0)
    is_here = False

    def __init__(self, number: int, cluster: Brokers, directory: Path) -> None:
        self.number = number
        self.cluster = cluster
        self.directory = directory
        self.image = ClusterImage("a-cluster")
        self.applied = 0
        self.is_held = False
        """Metadata does not reach it."""
        self.is_alive = True
        self.env = real_env()
        self.log = ListLogger()
        config = replace(BrokerConfig(log_dirs=(str(directory),)), **cluster.settings)
        self.logs = LogDirectory(str(directory), self.env)
        self.logs.open()
        self.logs.meta = MetaProperties("a-cluster", number, uuid_to_text(bytes([number]) * 16))
        self.broker = Broker(
            number,
            config,
            self.env,
            membership=self,
            directories=[self.logs],
            log=self.log,
            metrics=Metrics(),
        )
        self.replication = Replication(
            self.broker, on_news=lambda: None, on_unheard=lambda failure: None
        )

    # --- as a membership ----------------------------------------------------------------------

    @property
    def metadata(self) -> Any:
        return self.cluster

    @property
    def controllers(self) -> Any:
        return self

    @property
    def broker_epoch(self) -> int:
        broker = self.image.brokers.get(self.number)
        return -1 if broker is None else broker.epoch

    @property
    def metadata_fresh_since_ms(self) -> float:
        return self.env.clock.monotonic_ms()

    async def call(
        self, request: Any, *, timeout_ms: float, versions: tuple[int, int] | None = None
    ) -> Any:
        """The controller's answer, which comes in a later turn of the loop."""
        await asyncio.sleep(0)
        if not self.cluster.has_controller:
            raise PeerUnavailableError("planted")
        version = request.MAX_VERSION if versions is None else versions[1]
        sent = type(request).decode(request.encode(version), version)
        node = SimpleNamespace(metadata=self.cluster)
        context = SimpleNamespace(node=node, api_version=version, rights=EVERYTHING)
        return await HANDLERS[request.API_KEY].handle(sent, context)

    def forward(self, request: Any, context: Any) -> Any:
        raise AssertionError("nothing is sent on")

    # --- life ---------------------------------------------------------------------------------

    async def start(self) -> None:
        await self.broker.bind("PLAINTEXT", "127.0.0.1", 0)
        port = self.broker.listeners[0].port
        made = self.cluster.starts
        self.cluster.starts += 1
        command = register(self.number, incarnation=made)
        endpoint = Endpoint("PLAINTEXT", "127.0.0.1", port)
        rack = self.broker.config.broker_rack
        registered = await self.cluster.submit(replace(command, endpoints=(endpoint,), rack=rack))
        self.catch_up(tell=False)
        LogLoader(self.broker.replicas).load(self.image)
        self.replication.start()
        await self.broker.serve()
        self.cluster.members[self.number] = self
        await self.cluster.submit(UnfenceBroker(self.number, registered.broker_epoch))

    def catch_up(self, *, tell: bool = True) -> None:
        """Apply what the controller has written."""
        log = self.cluster.controller.log
        while self.applied < len(log):
            self.image.apply(decode_metadata_record(log[self.applied]), self.applied)
            self.applied += 1
        changes = self.image.take_changes()
        if tell:
            self.broker.replicas.on_image(self.image, changes)
            self.replication.on_image(self.image, changes)

    async def end(self, *, clean: bool = True) -> None:
        """Stop, or vanish: then the controller finds out, and no log is flushed."""
        self.is_alive = False
        del self.cluster.members[self.number]
        await self.replication.stop()
        await self.broker.stop()
        if clean:
            self.logs.close()
        else:
            for log in self.logs.logs.values():
                log.close(clean=False)
        if not self.image.brokers[self.number].fenced:
            epoch = self.cluster.controller.epoch(self.number)
            await self.cluster.submit(FenceBroker(self.number, epoch))

    def cut_off(self, is_cut: bool = True) -> None:
        """It finds no other broker any more, or does again."""
        if is_cut:
            self.broker.broker_address = lambda broker_id: None  # type: ignore[method-assign]
        else:
            del self.broker.broker_address

    def partition(self, topic: str = "t", index: int = 0) -> Partition:
        found = self.broker.replicas.get(topic, index)
        assert found is not None
        return found

    def client(self) -> RawClient:
        return RawClient("127.0.0.1", self.broker.listeners[0].port)


class Brokers:
    """The cluster: `submit` decides, and tells all brokers but those that are held."""

    def __init__(self, directory: Path, settings: dict[str, Any]) -> None:
        self.directory = directory
        self.settings = settings
        self.controller = Cluster(0)
        self.members: dict[int, Member] = {}
        self.starts = 0
        self.has_controller = True
        self.ended: list[Member] = []

    async def submit(self, command: Any) -> Any:
        answer = self.controller.do(command)
        self.tell()
        return answer

    def tell(self) -> None:
        """Metadata reaches everybody."""
        for member in list(self.members.values()):
            if not member.is_held:
                member.catch_up()

    async def start(self, number: int) -> Member:
        folder = self.directory / f"broker-{number}"
        folder.mkdir(exist_ok=True)
        member = Member(number, self, folder)
        await member.start()
        return member

    async def end(self, number: int, *, clean: bool = True) -> None:
        member = self.members[number]
        self.ended.append(member)
        await member.end(clean=clean)

    def create(
        self, name: str = "t", replicas: tuple[int, ...] = (1, 2, 3), **configs: str
    ) -> bytes:
        """A topic of one partition; configs with _ for . in their names."""
        settings = tuple((key.replace("_", "."), value) for key, value in configs.items())
        topic_id = self.controller.create(name, assignments=((0, replicas),), configs=settings)
        self.tell()
        return topic_id

    def isr(self, topic: str = "t") -> tuple[int, ...]:
        return self.controller.partition(topic).isr

    async def all_equal(self, *numbers: int, topic: str = "t") -> None:
        """Wait until the replicas of these brokers end at the same offset."""
        await until(
            lambda: (
                len({self.members[one].partition(topic).log.log_end_offset for one in numbers}) == 1
            )
        )


@asynccontextmanager
async def brokers(directory: Path, count: int = 3, **settings: Any) -> AsyncIterator[Brokers]:
    """Brokers 1 to `count`; settings by field name. Nothing may be logged as an error."""
    cluster = Brokers(directory, settings)
    try:
        for number in range(1, count + 1):
            await cluster.start(number)
        yield cluster
    finally:
        for member in list(cluster.members.values()):
            member.is_held = True
        # Nobody connects while a listener closes: asyncio of Python 3.11 loses such a socket.
        for member in list(cluster.members.values()):
            await member.replication.stop()
        for number in list(cluster.members):
            await cluster.end(number)
    for member in cluster.ended:
        bugs = [line for line in member.log.lines if line[0] == "error"]
        assert not bugs, bugs
