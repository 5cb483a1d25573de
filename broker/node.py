"""A node: directories, metadata log, broker; started and stopped in the order that they need.

Start: lock and open the log directories; open (or format) the metadata log and apply it; open the
partitions that the cluster says are here; take the addresses; register with the controller, which
makes this broker lead; only then serve. Stop is the same backwards, and ends with the marker that
says so in each directory. SIGKILL at any point leaves what recovery can read.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from barnabas.protocol.errors import KafkaError

from .core.cluster.broker_image import Endpoint
from .core.config.field import ConfigError
from .core.log.log_directory import LogDirectory
from .observe.logging import Logger
from .observe.metrics import Metrics
from .server.broker import Broker
from .server.metadata_log import MetadataLog
from .storage.files import real_env
from .storage.lock import DirectoryLock

if TYPE_CHECKING:
    from .core.cluster.image import ClusterImage
    from .core.config.broker import BrokerConfig
    from .core.ports import Env

WILDCARD_HOSTS = ("", "0.0.0.0", "::")


class Address(NamedTuple):
    """One entry of `listeners` or `advertised.listeners`: NAME://host:port."""

    name: str
    host: str
    port: int


def parse_address(text: str, setting: str = "listeners") -> Address:
    """Raises ConfigError if it is not NAME://host:port."""
    name, separator, rest = text.partition("://")
    host, colon, port = rest.rpartition(":")
    if not separator or not colon or not name or not _is_port(port):
        raise ConfigError(setting, text, "must be NAME://host:port, the port at most 65535")
    return Address(name, host.strip("[]"), int(port))


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 5 and int(text) <= 65_535


class Node:
    """One `barnabas serve`. Made by `start`; `stop` ends it."""

    def __init__(
        self,
        config: BrokerConfig,
        env: Env,
        locks: list[DirectoryLock],
        directories: list[LogDirectory],
        metadata: MetadataLog,
    ) -> None:
        self.config = config
        self.env = env
        self.metadata = metadata
        self.log = Logger(config.logging_format, config.logging_level, node=metadata.node_id)
        self.metrics = Metrics()
        self._locks = locks
        self._directories = directories
        self.broker = Broker(
            metadata.node_id,
            config,
            env,
            membership=_Alone(metadata, env),
            directories=directories,
            log=self.log,
            metrics=self.metrics,
        )
        self.failed = asyncio.Event()
        """Set when the node can no longer work: whoever runs it should stop it."""

    # --- what others ask ----------------------------------------------------------------------

    @property
    def node_id(self) -> int:
        """This node's number."""
        return self.metadata.node_id

    @property
    def cluster_id(self) -> str:
        """The cluster's id."""
        return self.metadata.cluster_id

    @property
    def image(self) -> ClusterImage:
        """All that brokers agree on, as this broker has applied it."""
        return self.metadata.image

    @property
    def host(self) -> str:
        """Where the first listener listens."""
        return self.broker.listeners[0].host

    @property
    def port(self) -> int:
        """The port of the first listener."""
        return self.broker.listeners[0].port

    # --- start --------------------------------------------------------------------------------

    @classmethod
    async def start(cls, config: BrokerConfig, env: Env | None = None) -> Node:
        """Open everything, and serve when this returns.

        Raises MetadataError, DamagedLogError, DirectoryLockedError: the directories; OSError: the
        disk, or an address that is taken; KafkaError: the controller refuses this broker;
        ConfigError: a listener that is none.
        """
        for text in config.listeners:
            parse_address(text)
        for text in config.advertised_listeners:
            parse_address(text, "advertised.listeners")
        env = env or real_env()
        locks: list[DirectoryLock] = []
        try:
            directories = _open_directories(config, env, locks)
            metadata = MetadataLog.open(config, env, directories)
            # Without a number in the settings, the directory says who this node is.
            config = replace(config, node_id=metadata.node_id)
            node = cls(config, env, locks, directories, metadata)
        except BaseException:
            _release(locks)
            raise
        try:
            await node._serve()
        except BaseException:
            await node.abort()
            raise
        return node

    async def _serve(self) -> None:
        metadata, broker = self.metadata, self.broker
        for directory in self._directories:
            for note in directory.notes:
                self.log.warning("log directory", note=note)
        for note in metadata.notes:
            self.log.warning("metadata log", note=note)
        metadata.start(self._on_metadata_failure)
        metadata.add_listener(broker.replicas.on_image)
        broker.replicas.load(metadata.image)
        controllers = self.config.controller_listener_names
        for text in self.config.listeners:
            address = parse_address(text)
            if address.name not in controllers:
                await broker.bind(address.name, address.host, address.port)
        await metadata.join(self._endpoints(), self._previous_epoch())
        # What was recovered but not known to be on the disk: no watermark waits for it any more.
        await broker.flushes.drain()
        await broker.serve()

    def _endpoints(self) -> list[Endpoint]:
        """What other brokers are told; clients without a setting get the address they dialled."""
        advertised = {
            address.name: address
            for address in map(parse_address, self.config.advertised_listeners)
        }
        endpoints = []
        for listener in self.broker.listeners:
            address = advertised.get(listener.name)
            host = address.host if address else listener.host
            port = address.port if address and address.port else listener.port
            if host in WILDCARD_HOSTS:
                host = "localhost"
            endpoints.append(Endpoint(listener.name, host, port))
        return endpoints

    def _previous_epoch(self) -> int:
        """This broker's epoch at its last stop, if all directories were closed in good order."""
        if all(directory.clean for directory in self._directories):
            return max(directory.broker_epoch for directory in self._directories)
        return -1

    def _on_metadata_failure(self, failure: KafkaError) -> None:
        self.log.error("the metadata log failed: this node can change nothing", error=str(failure))
        self.failed.set()

    # --- stop ---------------------------------------------------------------------------------

    async def stop(self) -> None:
        """Serve to the end what was begun, then close everything in good order."""
        await self.broker.stop()
        epoch = self.metadata.broker_epoch
        try:
            await self.metadata.leave()
        except KafkaError as error:
            self.log.warning("the controller did not let this broker go", error=str(error))
        await self.metadata.stop()
        for directory in self._directories:
            directory.close(broker_epoch=epoch)
            for failure in directory.failures:
                self.log.error("not a clean stop", error=str(failure))
        _release(self._locks)

    async def abort(self) -> None:
        """Give up a start that failed half-way: close, and leave no marker of a clean stop."""
        await self.broker.stop()
        await self.metadata.stop()
        for directory in self._directories:
            for log in directory.logs.values():
                log.close(clean=False)
        _release(self._locks)


class _Alone:
    """The membership of a node that is its cluster's only one."""

    is_here = True
    quorum: Any = None
    controllers: Any = None

    def __init__(self, metadata: MetadataLog, env: Env) -> None:
        self.metadata = metadata
        self._env = env

    @property
    def image(self) -> ClusterImage:
        return self.metadata.image

    @property
    def broker_epoch(self) -> int:
        return self.metadata.broker_epoch

    @property
    def metadata_fresh_since_ms(self) -> float:
        return self._env.clock.monotonic_ms()

    def forward(self, request: Any, version: int) -> Any:
        raise AssertionError("nothing is sent on")


def _open_directories(
    config: BrokerConfig, env: Env, locks: list[DirectoryLock]
) -> list[LogDirectory]:
    directories = []
    for path in config.log_dirs:
        env.disk.make_directory(path)
        locks.append(DirectoryLock(path))
        directory = LogDirectory(path, env, producer_expiration_ms=config.producer_id_expiration_ms)
        directory.open()
        directories.append(directory)
    return directories


def _release(locks: list[DirectoryLock]) -> None:
    for lock in locks:
        lock.release()
