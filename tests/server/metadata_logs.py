"""A quorum of one on a directory with its controller and a broker without partitions, for tests."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from barnabas.broker.core.cluster.broker_image import Endpoint
from barnabas.broker.core.cluster.commands import (
    Bootstrap,
    CreateTopics,
    NewTopic,
    RegisterController,
)
from barnabas.broker.core.cluster.features import SUPPORTED
from barnabas.broker.core.cluster.image import ClusterImage
from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.log.log_directory import LogDirectory
from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.broker.core.ports import Env
from barnabas.broker.observe.logging import Logger
from barnabas.broker.observe.metrics import Metrics
from barnabas.broker.server.formatting import first_records
from barnabas.broker.server.lifecycle.broker_lifecycle import BrokerLifecycle
from barnabas.broker.server.lifecycle.channel import ControllerChannel
from barnabas.broker.server.quorum.events import QuorumEvents
from barnabas.broker.server.quorum.publisher import ImageListener
from barnabas.broker.server.quorum.quorum import Quorum
from barnabas.broker.server.roles.controller_role import ControllerRole
from barnabas.broker.storage.files import real_env
from barnabas.protocol.errors import KafkaError

METADATA = "__cluster_metadata-0"
ENDPOINT = Endpoint("PLAINTEXT", "localhost", 9092)
CONTROLLER = Endpoint("CONTROLLER", "localhost", 9093)


class MetadataLog:
    """Made by `open_log`, which reads; `start` makes it work; `stop` ends it in good order."""

    def __init__(self, config: BrokerConfig, env: Env, quorum: Quorum) -> None:
        self.quorum = quorum
        self._config = replace(config, node_id=quorum.node_id)
        self._env = env
        self._controller: ControllerRole | None = None
        self._life: BrokerLifecycle | None = None
        self._channel: ControllerChannel | None = None

    @property
    def node_id(self) -> int:
        return self.quorum.node_id

    @property
    def cluster_id(self) -> str:
        return self.quorum.cluster_id

    @property
    def epoch(self) -> int:
        return self.quorum.leader.epoch

    @property
    def image(self) -> ClusterImage:
        return self.quorum.publisher.image

    @property
    def log(self) -> PartitionLog:
        return self.quorum.log.log

    @property
    def notes(self) -> list[str]:
        return self.quorum.notes

    @property
    def broker_epoch(self) -> int:
        assert self._life is not None
        return self._life.broker_epoch

    def add_listener(self, listener: ImageListener) -> None:
        self.quorum.publisher.add_listener(listener)

    async def start(self, on_failure: Callable[[KafkaError], object] = lambda _: None) -> None:
        config, env, quorum = self._config, self._env, self.quorum
        log = Logger(level="error")
        own = RegisterController(quorum.node_id, env.random.randbytes(16), (CONTROLLER,), SUPPORTED)
        first = Bootstrap(())
        if not self.image.features:
            first = first_records(env, config.metadata_directory)
        self._controller = ControllerRole(
            config,
            env,
            quorum,
            own=own,
            first=first,
            log=log,
            metrics=Metrics(),
        )
        server = self._controller.server
        self._channel = ControllerChannel(quorum, config, env, client_id="broker", local=server)
        self._life = BrokerLifecycle(
            quorum.identity, self._channel, quorum.publisher, config, env, log
        )
        service = self._controller.service

        def fail(failure: KafkaError) -> None:
            service.fail(failure)
            on_failure(failure)

        await quorum.start(QuorumEvents(failed=fail))

    async def submit(self, command: Any) -> Any:
        assert self._controller is not None
        return await self._controller.service.submit(command)

    async def join(self, endpoints: Sequence[Endpoint], previous_epoch: int) -> int:
        """Register the broker, and let it in; its epoch."""
        assert self._life is not None
        await self._life.register(endpoints, previous_epoch)
        self._life.start()
        await self._life.let_in()
        return self.broker_epoch

    async def leave(self) -> None:
        assert self._life is not None
        await self._life.leave()

    async def stop(self) -> None:
        if self._life is not None and self._channel is not None:
            await self._life.stop()
            self._channel.close()
        if self._controller is not None:
            self._controller.rest()
        await self.quorum.stop()
        if self._controller is not None:
            await self._controller.stop()


def open_log(path: Path, env: Env | None = None, **settings: Any) -> MetadataLog:
    return open_directories([path], env, **settings)


def open_directories(paths: Sequence[Path], env: Env | None = None, **settings: Any) -> MetadataLog:
    env = env or real_env()
    directories = [LogDirectory(str(path), env) for path in paths]
    for directory in directories:
        directory.open()
    config = replace(BrokerConfig(), log_dirs=tuple(map(str, paths)), **settings)
    return MetadataLog(config, env, Quorum.open(config, env, directories))


@asynccontextmanager
async def running(
    path: Path, env: Env | None = None, **settings: Any
) -> AsyncIterator[MetadataLog]:
    """A metadata log with its broker in; stopped without leaving."""
    metadata = open_log(path, env, **settings)
    await metadata.start()
    await metadata.join([ENDPOINT], -1)
    try:
        yield metadata
    finally:
        await metadata.stop()


async def create(metadata: MetadataLog, *names: str, **fields: Any) -> list[bytes]:
    answers = await metadata.submit(CreateTopics(tuple(NewTopic(name, **fields) for name in names)))
    assert all(answer.code == 0 for answer in answers)
    return [answer.topic_id for answer in answers]
