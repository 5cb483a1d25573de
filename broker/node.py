"""A node: its directories, its part in the quorum, controller and broker; their start and stop.

Start: lock and open the log directories; open (or format) the metadata log; bind the listeners;
serve as a controller; take part in the quorum; register with the active controller; open the
partitions that the metadata assigns to this broker; serve clients; and be unfenced.
Stop does the reverse: first other brokers take over the leaderships, if there are others, and at
the end each directory gets the marker of a clean stop. After SIGKILL at any point recovery finds
what it needs.

A node has the role of broker or controller, or both (`process.roles`). A single node has both,
leads its quorum of one at once, and reaches its controller without a connection.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any

from barnabas.protocol.errors import KafkaError

from .core.cluster.broker_image import Endpoint
from .core.cluster.commands import Bootstrap, RegisterController
from .core.cluster.features import SUPPORTED
from .core.cluster.ids import random_uuid
from .core.cluster.image import ClusterImage
from .core.config.broker import BrokerConfig
from .core.config.field import ConfigError, without_effect
from .core.config.listeners import parse_address, protocols
from .core.config.security import PROTOCOLS
from .core.log.log_directory import LogDirectory
from .core.ports import Env
from .observe.logging import Logger
from .observe.metrics import Metrics
from .server.broker import Broker
from .server.cluster_log import ClusterLog
from .server.formatting import controller_address, first_records
from .server.listener import Listener
from .server.open_files import limit_connections, limit_open_files
from .server.quorum.observing import log_notes, logged_events, quorum_figures
from .server.quorum.quorum import Quorum
from .server.ready_file import ReadyFile
from .server.roles.broker_role import BrokerRole
from .server.roles.cluster_membership import ClusterMembership
from .server.roles.controller_role import ControllerRole
from .storage.files import RealDisk, real_env
from .storage.lock import DirectoryLock

WILDCARD_HOSTS = ("", "0.0.0.0", "::")


class Node:
    """One `barnabas serve`. Made by `start`; `stop` ends it."""

    def __init__(
        self,
        config: BrokerConfig,
        env: Env,
        locks: list[DirectoryLock],
        directories: list[LogDirectory],
        quorum: Quorum,
        log: Logger,
    ) -> None:
        self.config = config
        self.env = env
        self.quorum = quorum
        self.publisher = quorum.publisher
        self.log = log
        self.metrics = Metrics()
        self.failed = asyncio.Event()
        """Set when the node can no longer work: the program that runs it should stop it."""
        self._failure: KafkaError | None = None
        self._locks = locks
        self._directories = directories
        self.cluster_log = ClusterLog(quorum.node_id, log.named("barnabas.cluster"))
        self.controller = self._controller_role() if config.is_controller else None
        """The part of this node that takes part in governing the cluster; None without the role."""
        self.role = self._broker_role() if config.is_broker else None
        """The part that has partitions and serves clients; None without the role of a broker."""
        self._ready_file: ReadyFile | None = None
        if config.ready_file is not None:
            self._ready_file = ReadyFile(config.ready_file, self._is_ready, self.log)
        self.publisher.leader_listeners.append(self._on_leader_changed)
        self.publisher.leader_listeners.append(self.cluster_log.on_leader)
        if self.controller is not None:
            self.controller.service.reign_listeners.append(self._on_leader_changed)

    def _controller_role(self) -> ControllerRole:
        config, quorum = self.config, self.quorum
        address = controller_address(config)
        spoken = protocols(config).get(address.name.upper(), PROTOCOLS[0])
        protocol = PROTOCOLS.index(spoken)
        endpoint = Endpoint(address.name, address.host, address.port, protocol)
        # What this node was formatted with counts for a new cluster, which has no features yet.
        has_begun = bool(self.publisher.image.features)
        first = Bootstrap(()) if has_begun else first_records(self.env, config.metadata_directory)
        return ControllerRole(
            config,
            self.env,
            quorum,
            own=RegisterController(quorum.node_id, random_uuid(self.env), (endpoint,), SUPPORTED),
            first=first,
            log=self.log.named("barnabas.controller"),
            metrics=self.metrics,
        )

    def _broker_role(self) -> BrokerRole:
        return BrokerRole(
            self.config,
            self.env,
            self.quorum,
            self.controller,
            directories=self._directories,
            log=self.log.named("barnabas.broker"),
            metrics=self.metrics,
            on_unheard=self._on_directory_unheard,
        )

    # --- what others ask ----------------------------------------------------------------------

    @property
    def node_id(self) -> int:
        """This node's number."""
        return self.quorum.node_id

    @property
    def cluster_id(self) -> str:
        """The cluster's id."""
        return self.quorum.cluster_id

    @property
    def image(self) -> ClusterImage:
        """The cluster's metadata, as this node has applied it."""
        return self.publisher.image

    @property
    def broker(self) -> Broker:
        """The partitions and their listeners; exists only on a node with the role of a broker."""
        assert self.role is not None, "process.roles has no broker"
        return self.role.broker

    @property
    def metadata(self) -> ClusterMembership:
        """The broker's way to the active controller, which takes commands."""
        assert self.role is not None, "process.roles has no broker"
        return self.role.membership

    @property
    def listeners(self) -> list[Listener]:
        """The listeners: those for clients first, then those for controllers and brokers."""
        found = [] if self.role is None else list(self.role.broker.listeners)
        return found if self.controller is None else found + self.controller.server.listeners

    @property
    def host(self) -> str:
        """The host of the first listener."""
        return self.listeners[0].host

    @property
    def port(self) -> int:
        """The port of the first listener."""
        return self.listeners[0].port

    # --- start --------------------------------------------------------------------------------

    @classmethod
    async def start(
        cls, config: BrokerConfig, env: Env | None = None, log: Logger | None = None
    ) -> Node:
        """Open everything; when this returns, the node serves. `log`, unless None, takes the place
        of the one on standard error.

        A cluster of several nodes needs an active controller for that: without one this waits up
        to `initial.broker.registration.timeout.ms`.

        Raises MetadataError, DamagedLogError or DirectoryLockedError for a directory that cannot be
        used; OSError for the disk, or an address that is in use; KafkaError if the controller
        refuses this broker, or there is none; ConfigError for an invalid setting.
        """
        for text in config.listeners:
            parse_address(text)
        for text in config.advertised_listeners:
            parse_address(text, "advertised.listeners")
        env = env or real_env()
        locks: list[DirectoryLock] = []
        try:
            directories = _open_directories(config, env, locks)
            quorum = Quorum.open(config, env, directories)
            # The settings may leave the number out; then the log directory has it.
            config = replace(config, node_id=quorum.node_id)
            log = log or Logger(config.logging_format, config.logging_level, node=config.node_id)
            node = cls(config, env, locks, directories, quorum, log)
        except BaseException:
            _release(locks)
            raise
        if isinstance(env.disk, RealDisk):
            limit_open_files(env.disk, config, directories, node.log)
            if node.role is not None:
                limit_connections(node.role.broker.connections.limits, node.log)
        try:
            await node._serve()
        except BaseException:
            await node.abort()
            raise
        return node

    async def _serve(self) -> None:
        if self._ready_file is not None:
            self._ready_file.begin()
        self._tell_notes()
        await self._bind()
        if self.controller is not None:
            await self.controller.server.serve()
        events = logged_events(
            self.quorum, self.log, failed=self._on_failure, hopeless=self._on_hopeless
        )
        await self.quorum.start(events)
        if self.controller is not None:
            self.controller.start()
        certificates = self.quorum.security.certificates
        certificates.start(self.node_id, lambda: self.image, self.log.named("barnabas.security"))
        if self.role is not None:
            await self._unless_failed(self._start_role(self.role))
        if certificates.are_used:
            self.publisher.add_listener(certificates.on_image)
            await certificates.renew()  # by what was set before
        if self._ready_file is not None:
            self._ready_file.start()

    async def _start_role(self, role: BrokerRole) -> None:
        try:
            await role.start(self._endpoints(), self._previous_epoch())
        except KafkaError as error:
            # Name the nodes that do not answer: many users read only the last line of the log.
            if not (missing := self.quorum.reachability.describe()):
                raise
            raise KafkaError(error.code, f"{error.message}; no answer from {missing}") from error
        self.cluster_log.begin(self.publisher.image)
        self.publisher.add_listener(self.cluster_log.on_image)

    def _is_ready(self) -> bool:
        """Whether the broker is unfenced and in contact; without one, whether a leader is known."""
        if self.role is not None:
            return self.role.lifecycle.is_in
        return self.quorum.leader.leader_id >= 0

    async def _unless_failed(self, work: Coroutine[Any, Any, None]) -> None:
        """Wait for `work`, but cancel it when this node fails, since it could then wait for ever.

        Raises the failure, a KafkaError.
        """
        doing = asyncio.ensure_future(work)
        failing = asyncio.ensure_future(self.failed.wait())
        try:
            await asyncio.wait((doing, failing), return_when=asyncio.FIRST_COMPLETED)
            if not doing.done() and self._failure is not None:
                raise self._failure
            await doing
        finally:
            for task in (doing, failing):
                task.cancel()
            await asyncio.gather(doing, failing, return_exceptions=True)

    def _tell_notes(self) -> None:
        for name in without_effect(self.config):
            self.log.warning("this setting has no effect", setting=name)
        for event, fields in self.quorum.security.notes:
            self.log.warning(event, **fields)
        for directory in self._directories:
            for note in directory.notes:
                self.log.warning("log directory", note=note)
        log_notes(self.quorum, self.log)
        self.metrics.sources += (lambda: quorum_figures(self.quorum), self.quorum.security.figures)

    async def _bind(self) -> None:
        """Bind all listeners first: a port in use must end the start before others hear of it."""
        names = self.config.controller_listener_names
        for address in map(parse_address, self.config.listeners):
            if address.name not in names:
                if self.role is not None:
                    await self.role.broker.bind(*address)
            elif self.controller is not None:
                security = self.quorum.security
                await self.controller.server.bind(*address, security)

    def _endpoints(self) -> list[Endpoint]:
        """The addresses to register; if none are set, clients are told the one they used."""
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
            protocol = PROTOCOLS.index(listener.security.protocol)
            endpoints.append(Endpoint(listener.name, host, port, protocol))
        return endpoints

    def _previous_epoch(self) -> int:
        """This broker's epoch at its last stop; -1 unless all directories were closed cleanly."""
        if all(directory.clean for directory in self._directories):
            return max(directory.broker_epoch for directory in self._directories)
        return -1

    def _on_leader_changed(self, _: object) -> None:
        if self.role is not None:
            self.role.on_leader_changed()
        if self.controller is not None:
            self.controller.on_leader_changed()

    def _on_failure(self, failure: KafkaError) -> None:
        self.log.error("the metadata log failed: this node can change nothing", error=str(failure))
        self._failure = failure
        self.failed.set()
        if self.controller is not None:
            self.controller.service.fail(failure)

    def _on_directory_unheard(self, failure: KafkaError) -> None:
        setting = "log.dir.failure.timeout.ms"
        self.log.error("no controller hears of a failed directory: this node stops", within=setting)
        self._failure = failure
        self.failed.set()

    def _on_hopeless(self, failure: KafkaError) -> None:
        """This node can never register: a broker that waits for its first registration fails."""
        if self.role is not None and self.role.lifecycle.broker_epoch < 0:
            self._failure = failure
            self.failed.set()

    # --- stop ---------------------------------------------------------------------------------

    async def stop(self) -> None:
        """Hand over leaderships, finish the requests that were begun, then close everything."""
        self.log.info("stopping")
        await self.quorum.security.certificates.stop()
        if self._ready_file is not None:
            await self._ready_file.stop()
        if self.role is not None:
            await self.role.leave()
            await self.role.stop()
        if self.controller is not None:
            self.controller.rest()
        await self.quorum.stop()
        if self.controller is not None:
            await self.controller.stop()
        epoch = -1 if self.role is None else self.role.lifecycle.broker_epoch
        for directory in self._directories:
            directory.close(broker_epoch=epoch)
            for failure in directory.failures:
                self.log.error("not a clean stop", error=str(failure))
        _release(self._locks)
        self.cluster_log.tell()
        self.log.info("stopped")

    async def abort(self) -> None:
        """Give up a start that failed halfway: close, and leave no marker of a clean stop."""
        if self._ready_file is not None:
            await self._ready_file.stop()
        self.cluster_log.tell()
        await self.quorum.security.certificates.stop()
        if self.role is not None:
            await self.role.stop()
        if self.controller is not None:
            await self.controller.stop()
        await self.quorum.abort()
        for directory in self._directories:
            for log in directory.all_logs().values():
                log.close(clean=False)
        _release(self._locks)


def _open_directories(
    config: BrokerConfig, env: Env, locks: list[DirectoryLock]
) -> list[LogDirectory]:
    directories = []
    paths: dict[str, str] = {}
    for path in config.log_dirs:
        env.disk.make_directory(path)
        if isinstance(env.disk, RealDisk):
            other = paths.setdefault(os.path.realpath(path), path)
            if other != path:
                raise ConfigError("log.dirs", path, f"must not be the same directory as {other}")
            locks.append(DirectoryLock(path))  # a simulated disk belongs to one node anyway
        directory = LogDirectory(path, env, producer_expiration_ms=config.producer_id_expiration_ms)
        directory.open()
        directories.append(directory)
    return directories


def _release(locks: list[DirectoryLock]) -> None:
    for lock in locks:
        lock.release()
