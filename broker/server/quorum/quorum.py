"""A node's part in the metadata quorum, as a voter or an observer: the interface of this package.

`open` (blocking, before anything is served), `add_listener` and `start` come first; then `append`,
`resign` and `handle`; `stop` comes last. What is committed goes to the listeners. The first of them
is `publisher`, which owns the image that this node's broker reads and snapshots are made from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol

from barnabas.protocol.errors import KafkaError
from barnabas.protocol.message import Message

from ...core.cluster.features import UnsupportedFeatureError, check_supported
from ...core.config.broker import BrokerConfig
from ...core.log.log_directory import LogDirectory
from ...core.ports import Env
from ...core.raft.messages import Answer
from ...core.raft.quorum_state import QuorumState
from ...core.raft.raft import NotLeaderError as CoreNotLeaderError
from ...core.raft.raft import Raft
from ...core.raft.ready import Outgoing
from ...core.raft.snapshot_file import SnapshotId
from ...serving.waiting import Waiting
from ..formatting import Identity, MetadataError
from ..peer_errors import PeerError
from ..security.node_security import NodeSecurity
from .delivery import Delivery
from .driver import Driver
from .events import QuorumEvents, relayed
from .floor import FloorKeeper
from .listener import LeaderAndEpoch, NotLeaderError, QuorumListener
from .log_cleaner import LogCleaner
from .lost_log import markers_kept
from .opening import Opened, open_directories, write_quorum_state
from .peers import Peers
from .publisher import ImagePublisher
from .reachability import Reachability
from .serving import Serving
from .speakers import Speakers
from .strangers import Strangers

END_PATIENCE_MS = 1000.0
"""How long a stopping leader waits for the others to hear that it stands down (595-08)."""


class Asker(Protocol):
    """What `handle` needs of a request's context; `RequestContext` has it."""

    @property
    def api_version(self) -> int: ...


class Quorum:
    """See the module. All methods belong to the event loop's thread."""

    def __init__(
        self,
        config: BrokerConfig,
        env: Env,
        opened: Opened,
        publisher: ImagePublisher,
        security: NodeSecurity,
    ) -> None:
        self.identity: Identity = opened.identity
        """Cluster id, node id and directory ids."""
        self.publisher = publisher
        """The image of what is committed, as this node has applied it."""
        self.notes = opened.notes
        """What was unusual when the directory was opened, or since: for the node's log."""
        self._events = QuorumEvents()
        events = relayed(lambda: self._events)
        self.log = opened.log
        """The metadata log with its snapshots."""
        self.security = security  # of all listeners, and towards other nodes
        self._config = config
        self._env = env
        self._listeners: list[QuorumListener] = []
        self._is_stopped = False
        now_ms = env.clock.monotonic_ms()
        self.raft = Raft(opened.raft, opened.log, opened.state, env.random, now_ms)
        """The consensus core, for reading its state; to change it, call the methods here."""
        self.reachability = Reachability(
            env.clock, self.raft.address_of, on_lost=events.lost, on_found=events.found
        )
        """Which other nodes of the quorum do not answer."""
        write_state = partial(self._write_state, opened.identity.metadata_directory)
        self.speakers = Speakers(self.raft)
        """The connection over which each voter fetches."""
        keeper = FloorKeeper(
            env,
            self.identity.metadata_directory,
            self.identity.metadata_directory_id,
            opened.floor,
        )
        self._delivery = Delivery(opened.log, env, self._delivered, self._fail)
        self._driver = Driver(
            self.raft,
            opened.log,
            env,
            write_state,
            delivery=self._delivery,
            on_leader=self._tell_leader,
            events=replace(events, noted=self.note),
            strangers=Strangers(
                self.raft, env.clock, self.note, events.hopeless, security.to_controllers
            ),
            floor=keeper if config.is_controller else None,
        )
        self._cleaner = LogCleaner(
            config,
            env,
            deletions=opened.home.deletions,
            driver=self._driver,
            delivery=self._delivery,
            publisher=publisher,
            notes=self.notes,
            note=self.note,
        )
        self._serving = Serving(self._driver, self.speakers, env.clock)
        self._delivery.add(publisher)
        self._listeners.append(publisher)
        newest = opened.log.files.latest
        if newest is not None:
            self._delivery.advance(newest.end_offset)

    # --- opening: blocking, before anything is served -----------------------------------------

    @classmethod
    def open(cls, config: BrokerConfig, env: Env, directories: Sequence[LogDirectory]) -> Quorum:
        """Read (or format) the directories, which are open. A quorum of one leads when this
        returns, and `publisher` has applied all that is committed.

        Raises:
            MetadataError: the directories, the log or the configuration do not go together.
            ConfigError: settings of the quorum, or keys and logins, that cannot be.
            LogDirectoryFailure, OSError: the disk.
        """
        with markers_kept(env.disk, directories):
            return cls._open(config, env, directories)

    @classmethod
    def _open(cls, config: BrokerConfig, env: Env, directories: Sequence[LogDirectory]) -> Quorum:
        security = NodeSecurity(config, env.clock)  # before anything is written
        publisher = ImagePublisher("", env)
        opened = open_directories(
            config, env, directories, lambda: publisher.image.metadata_version
        )
        publisher.image.cluster_id = opened.identity.cluster_id
        self = cls(config, env, opened, publisher, security)
        self._driver.boot()
        if self._driver.failure is not None:
            raise self._driver.failure
        try:
            check_supported(publisher.image)
        except UnsupportedFeatureError as error:
            raise MetadataError(f"{opened.log.log.directory}: {error}") from None
        return self

    def _write_state(self, directory: str, state: QuorumState) -> None:
        write_quorum_state(self._env, directory, state)

    # --- who and where ------------------------------------------------------------------------

    @property
    def node_id(self) -> int:
        """This node's number."""
        return self.identity.node_id

    @property
    def cluster_id(self) -> str:
        """The cluster's id."""
        return self.identity.cluster_id

    @property
    def directory_id(self) -> bytes:
        """The id of the directory with the metadata log; with the node's number it is the voter."""
        return self.identity.metadata_directory_id

    @property
    def leader(self) -> LeaderAndEpoch:
        """The leader as far as this node knows; its id is -1 while it is not known."""
        return self.raft.leader

    @property
    def is_leader(self) -> bool:
        """Whether this node leads."""
        return self.raft.is_leader

    @property
    def is_voter(self) -> bool:
        """Whether this node has a vote."""
        return self.raft.is_voter

    @property
    def high_watermark(self) -> int:
        """Everything below is committed."""
        return self.raft.high_watermark

    @property
    def log_end_offset(self) -> int:
        """The offset that the next record will get."""
        return self.log.end_offset

    @property
    def failure(self) -> KafkaError | None:
        """Why this node has stopped taking part; None while it takes part."""
        return self._driver.failure

    def leader_address(self) -> tuple[str, int] | None:
        """Controller listener of the present leader; None while it is not known."""
        leader_id = self.raft.leader.leader_id
        return self.raft.address_of(leader_id) if leader_id >= 0 else None

    @property
    def fresh_since_ms(self) -> float:
        """207-09: what was committed before this time of the monotonic clock was acted on here.

        -inf: not known so far.
        """
        applied_end = self.publisher.applied_offset + 1
        return self.raft.fresh_since_ms(applied_end, self._env.clock.monotonic_ms())

    def replica_progress(self) -> dict[int, int]:
        """At the leader: replica id -> everything below this offset is applied there (KIP-1166).

        This node is included; -1 stands for a replica that does not report it. Empty on other
        nodes.
        """
        if not self.raft.is_leader:
            return {}
        return {**self.raft.replica_progress(), self.node_id: self.publisher.applied_offset + 1}

    # --- life ---------------------------------------------------------------------------------

    def add_listener(self, listener: QuorumListener) -> None:
        """Add a listener, which gets the newest snapshot and then all committed batches.

        Listeners that are added earlier are told earlier.
        """
        self._listeners.append(listener)
        self._delivery.add(listener)
        if self._driver.is_running:
            listener.on_leader(self.raft.leader)
            self._delivery.pump()

    async def start(self, events: QuorumEvents) -> None:
        """Take part: timers, requests to other nodes, deliveries in the background.

        From now on the listeners in `events` are called.
        """
        self._events = events
        for listener in self._listeners:
            listener.on_leader(self.raft.leader)
        self._driver.start(self._peers)
        self._delivery.pump()
        self._cleaner.start()

    def _peers(self) -> Peers:
        return Peers(
            self.node_id,
            self._env.clock,
            self.raft.address_of,
            float(self._config.controller_quorum_request_timeout_ms),
            _Answered(self._driver),
            self.reachability,
            self.security.to_controllers,
        )

    async def stop(self) -> None:
        """Stand down if this node leads, tell the others, flush and close the log."""
        if self._is_stopped:
            return
        self._is_stopped = True
        await self._cleaner.stop()
        await self._driver.stop(END_PATIENCE_MS)
        await self._delivery.stop()
        self.log.files.close()
        self.log.log.close(clean=self._driver.failure is None)

    async def abort(self) -> None:
        """Stop without telling anybody and without the marks of a clean stop: a start has
        failed."""
        if self._is_stopped:
            return
        self._is_stopped = True
        await self._cleaner.stop()
        await self._driver.halt()
        await self._delivery.stop()
        self.log.files.close()
        self.log.log.close(clean=False)

    # --- the leader's own ---------------------------------------------------------------------

    def append(self, records: Sequence[Message], epoch: int) -> int:
        """Append one atomic batch as the leader of `epoch`; the offset of its last record.

        It is committed when listeners get it. Flush and replication go on by themselves; batches
        that are appended in one turn of the event loop share one fsync.

        Raises NotLeaderError (nothing was appended); KafkaError, the reason, if this node failed.
        """
        try:
            offset: int = self._driver.step(partial(self._append, records, epoch))
        except CoreNotLeaderError as error:
            raise NotLeaderError(str(error)) from None
        return offset

    def _append(self, records: Sequence[Message], epoch: int, now_ms: float) -> int:
        return self.raft.append(records, epoch, now_ms)

    @property
    def kraft_version(self) -> int:
        """The level of `kraft.version`: with 0 the settings name the voters, with 1 the log
        does."""
        return self.raft.kraft_version

    def kraft_version_obstacle(self, level: int) -> str | None:
        """Why this leader cannot raise `kraft.version` to this level now; None if it can."""
        return self.raft.kraft_version_obstacle(level)

    def raise_kraft_version(self, level: int, epoch: int) -> int:
        """Raise `kraft.version` as the leader of `epoch`; returns the offset of the last record
        (KIP-853).

        Raises NotLeaderError; ValueError with the obstacle; KafkaError if this node failed.
        """
        try:
            offset: int = self._driver.step(partial(self._raise_kraft_version, level, epoch))
        except CoreNotLeaderError as error:
            raise NotLeaderError(str(error)) from None
        return offset

    def _raise_kraft_version(self, level: int, epoch: int, now_ms: float) -> int:
        return self.raft.raise_kraft_version(level, epoch, now_ms)

    def resign(self, epoch: int) -> None:
        """Stand down as the leader of `epoch` and name successors; no-op for any other epoch."""
        if self._driver.failure is None:
            self._driver.step(partial(self.raft.resign, epoch))

    async def make_snapshot(self) -> SnapshotId | None:
        """Write a snapshot of what is applied here, due or not; None if it must not be made now.

        Snapshots that are due (630-06) are made without being asked for. Raises KafkaError,
        OSError: the disk.
        """
        return await self._cleaner.make_snapshot()

    # --- other nodes --------------------------------------------------------------------------

    def handle(self, request: Message, context: Asker) -> Message | Waiting[Message]:
        """Answer Vote, BeginQuorumEpoch, EndQuorumEpoch, Fetch and FetchSnapshot of the metadata
        log, DescribeQuorum, AddRaftVoter, RemoveRaftVoter and UpdateRaftVoter.

        Never raises for what the request says: errors are in the response.
        """
        return self._serving.serve(request, context.api_version, getattr(context, "peer", None))

    # --- inside -------------------------------------------------------------------------------

    def _tell_leader(self, leader: LeaderAndEpoch) -> None:
        if self._driver.is_running:
            for listener in self._listeners:
                listener.on_leader(leader)

    def _delivered(self, offset: int) -> None:
        self._driver.delivered(offset)
        if self._driver.is_running:
            self._cleaner.look()

    def _fail(self, error: Exception) -> None:
        self._driver.fail(error)

    def note(self, text: str) -> None:
        """Note something unusual for the node's log; the last thousand of these are kept."""
        self.notes[:] = [*self.notes[-999:], text]
        self._events.noted(text)

    @property
    def driver(self) -> Driver:
        """The driver of the core."""
        return self._driver


class _Answered:
    """Adapts the driver to `peers.Answered`."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver

    def on_answer(self, number: int, answer: Answer) -> None:
        self._driver.on_answer(number, answer)

    def on_failure(self, outgoing: Outgoing, error: PeerError) -> None:
        self._driver.on_failure_of(outgoing, error)
