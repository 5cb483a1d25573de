"""The cluster as one client sees it: bootstrap, fresh metadata, and calls that are retried."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from functools import partial
from typing import Any, Protocol, TypeVar

from barnabas.protocol.connection.client_end import ResponseClass
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.message import Message
from barnabas.protocol.messages.metadata_response import MetadataResponse

from ..config import ClientConfig
from ..env import REAL_ENV, ClientEnv
from ..errors import (
    BootstrapError,
    ClientClosedError,
    ClientError,
    ClientTimeoutError,
    ConnectionFailedError,
    LeaderNotAvailableError,
    UnknownTopicOrPartitionError,
    error_of,
    is_retriable,
)
from ..login_errors import AuthenticationError
from .backoff import Backoff
from .connection import Connection
from .first_success import AllFailedError, first_success
from .leadership import leader_in
from .metadata import MetadataCache, Node, TopicMetadata, metadata_request, reliable
from .pool import SILENCE_CHECK_S, ConnectionPool, Lane
from .shared import shared

log = logging.getLogger("barnabas.client")

STAGGER_S = 0.5
"""When a broker has not answered for this long, another broker is asked the same question."""

STEADY_REFRESHES = 20
"""After so many refreshes in a row without a change, refreshes become rarer."""

T = TypeVar("T")
A = TypeVar("A")


class LeaderHint(Protocol):
    """The `CurrentLeader` of a Produce or Fetch answer (KIP-951)."""

    leader_id: int
    leader_epoch: int


class Cluster:
    """Shared by all parts of one producer, consumer or admin client."""

    def __init__(
        self, config: ClientConfig, env: ClientEnv = REAL_ENV, *, may_create_topics: bool = False
    ) -> None:
        self.config = config
        self._env = env
        self.metadata = MetadataCache()
        self._may_create_topics = may_create_topics
        self._topics: set[str] = set()
        self._sought: set[str] = set()
        """Topics that somebody needs and that were not there. These alone may be made: one that is
        in use no more, and is deleted, must not come back."""
        self._pool: ConnectionPool | None = None
        self._refreshing: asyncio.Task[None] | None = None
        self._refresher: asyncio.Task[None] | None = None
        self._refresh_wanted = asyncio.Event()
        self._is_news = False
        self._random = env.new_random()
        self.when_changed: list[Callable[[], None]] = []

    # ------------------------------------------------------------ start and stop

    async def start(self) -> None:
        """Learn the cluster from the first bootstrap address that answers.

        Raises:
            NotABrokerError: the only address is no broker.
            BootstrapError: none answered.
        """
        if self._pool is not None:
            return
        self._refresh_wanted = asyncio.Event()  # it belongs to one loop
        self._pool = ConnectionPool(self.config, self._env, self.refresh_soon)
        try:
            await self.refresh()
        except BaseException:
            await self.close()
            raise
        self._refresher = asyncio.get_running_loop().create_task(self._keep_fresh())

    async def close(self) -> None:
        """Close all connections; calls that wait end with ClientClosedError or similar."""
        tasks = [each for each in (self._refresher, self._refreshing) if each is not None]
        self._refresher = self._refreshing = None
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        pool, self._pool = self._pool, None
        if pool is not None:
            await pool.close()

    @property
    def pool(self) -> ConnectionPool:
        if self._pool is None:
            raise ClientClosedError("not started, or stopped already: await start() first")
        return self._pool

    def new_backoff(self, first_ms: int | None = None) -> Backoff:
        """The waits between the attempts of one operation; the first is at most
        `retry_backoff_ms`."""
        usual_ms = self.config.retry_backoff_ms
        first_ms = usual_ms if first_ms is None else min(first_ms, usual_ms)
        return Backoff(first_ms, self.config.retry_backoff_max_ms, self._random)

    # ------------------------------------------------------------ connections

    @property
    def request_timeout_s(self) -> float:
        return self.config.request_timeout_ms / 1000

    async def connection(self, node: Node, lane: Lane = Lane.CONTROL) -> Connection:
        """The connection to a node for one kind of work; opens it if necessary."""
        return await self.pool.get(node.host, node.port, lane)

    def ready_connection(self, node: Node, lane: Lane) -> Connection | None:
        """The connection to a node for one kind of work if it is open already; never waits."""
        return self.pool.ready(node.host, node.port, lane)

    async def any_connection(self) -> Connection:
        """A connection to any broker: known nodes are tried first, then the bootstrap list.

        Raises:
            NotABrokerError, BootstrapError: no address answers; the text gives the reason for each.
        """
        return await self._first_of_all(lambda host, port: self.pool.get(host, port, Lane.CONTROL))

    def _addresses(self) -> list[tuple[str, int]]:
        """Addresses at which a broker may answer, the most likely ones first."""
        pool = self.pool
        known = [(node.host, node.port) for node in self.metadata.nodes.values()]
        self._random.shuffle(known)
        known.sort(
            key=lambda at: (pool.is_silent(*at), pool.ready(at[0], at[1], Lane.CONTROL) is None)
        )
        return list(dict.fromkeys(known + self.config.addresses()))

    async def _first_of_all(self, ask: Callable[[str, int], Coroutine[Any, Any, T]]) -> T:
        """The answer of the first broker that succeeds; if one is slow, others are asked as
        well."""
        try:
            return await first_success(
                [partial(ask, host, port) for host, port in self._addresses()], STAGGER_S
            )
        except AllFailedError as error:
            failures = error.failures
        refused = [each for each in failures if isinstance(each, AuthenticationError)]
        if refused and len(refused) == len(failures):
            raise refused[0]
        if len(failures) == 1 and type(failures[0]) is not ConnectionFailedError:
            raise failures[0]  # says what it is better than "cannot be reached"
        reasons = "; ".join(str(each) for each in failures)
        failed = BootstrapError(f"no broker can be reached: {reasons}")
        failed.retriable = any(map(is_retriable, failures))
        raise failed from failures[0]

    async def call_any(self, request: Message, answer: ResponseClass[A]) -> A:
        """One call to any broker, without retries."""
        connection = await self.any_connection()
        return await connection.call(request, answer, timeout_s=self.request_timeout_s)

    async def call_node(self, node: Node, request: Message, answer: ResponseClass[A]) -> A:
        """One call to one broker, without retries."""
        connection = await self.connection(node)
        return await connection.call(request, answer, timeout_s=self.request_timeout_s)

    async def call_controller(self, request: Message, answer: ResponseClass[A]) -> A:
        """One call to the broker that the metadata names as controller; in KRaft any broker
        forwards it."""
        node = self.metadata.nodes.get(self.metadata.controller_id)
        if node is None:
            return await self.call_any(request, answer)
        return await self.call_node(node, request, answer)

    async def retrying(
        self,
        attempt: Callable[[], Awaitable[T]],
        what: str,
        timeout_s: float | None = None,
        backoff: Backoff | None = None,
    ) -> T:
        """Run `attempt` until it succeeds, fails for good, or the time is up.

        The metadata is refreshed before each further attempt. A topic that no broker knows is
        waited for, for at most `topic_wait_ms`. When the time is up, the last error is raised, or
        ClientTimeoutError if the attempt itself did not return.
        """
        limit_s = self.config.default_api_timeout_ms / 1000 if timeout_s is None else timeout_s
        loop = asyncio.get_running_loop()
        started = loop.time()
        deadline = started + limit_s
        # It may have just been made, and this broker not know it yet; but not for a minute.
        unknown_until = started + self.config.topic_wait_ms / 1000
        backoff = backoff or self.new_backoff()
        last: Exception | None = None
        try:
            async with asyncio.timeout_at(deadline):
                while True:
                    try:
                        return await attempt()
                    except ClientError as error:
                        is_unknown = isinstance(error, UnknownTopicOrPartitionError)
                        if not is_retriable(error) or (is_unknown and loop.time() > unknown_until):
                            raise
                        last = error
                        log.debug("%s: %s; trying again", what, error)
                    await asyncio.sleep(backoff.next_s())
                    self.refresh_soon()
        except TimeoutError as error:
            if last is not None:
                raise last from error
            raise ClientTimeoutError(f"{what} took longer than {limit_s:g} s") from error

    # ------------------------------------------------------------ metadata

    def track(self, topics: Iterable[str]) -> None:
        """Include these topics in all refreshes from now on."""
        self._topics.update(topics)

    def untrack(self, topic: str) -> None:
        """Leave this topic out of refreshes: no part of the client uses it any more."""
        self._topics.discard(topic)
        self._sought.discard(topic)

    def seek(self, topic: str) -> None:
        """Somebody needs this topic: have it made if it is missing, where brokers do that."""
        self._topics.add(topic)
        if topic not in self.metadata.topics:
            self._sought.add(topic)

    def refresh_soon(self) -> None:
        """Have the metadata refreshed in the background; many calls in a row cause one request."""
        self._refresh_wanted.set()

    async def refresh(self) -> None:
        """Refresh the metadata now; callers that come while a refresh is running share the next
        one."""
        running = self._refreshing
        if running is not None:
            await asyncio.wait([running])
            if self._refreshing is not None:
                await shared(self._refreshing)
                return
        task = asyncio.get_running_loop().create_task(self._refresh())
        self._refreshing = task
        task.add_done_callback(self._refreshed)
        await shared(task)

    def _refreshed(self, task: asyncio.Task[None]) -> None:
        if self._refreshing is task:
            self._refreshing = None
        if not task.cancelled():
            task.exception()  # whoever awaits it gets it; nobody may be left to

    async def _refresh(self) -> None:
        self._refresh_wanted.clear()
        self._is_news = False
        sought = set(self._sought) if self._may_create_topics else set()
        if sought:
            await self._ask_about(sorted(sought), may_create=True)
        if self._topics - sought or not sought:
            await self._ask_about(sorted(self._topics - sought))
        self._sought.difference_update(self.metadata.topics)
        nodes = [(node.host, node.port) for node in self.metadata.nodes.values()]
        if nodes:
            self.pool.keep_only(nodes, self.config.addresses())
        for changed in list(self.when_changed):
            changed()

    async def _ask_about(self, topics: list[str], *, may_create: bool = False) -> None:
        request = metadata_request(topics, may_create)

        async def ask(host: str, port: int) -> MetadataResponse:
            connection = await self.pool.get(host, port, Lane.CONTROL)
            response = await connection.call(
                request, MetadataResponse, timeout_s=self.request_timeout_s
            )
            return reliable(response, connection.version_of(request))

        self._is_news |= self.metadata.apply(await self._first_of_all(ask))

    async def _keep_fresh(self) -> None:
        loop = asyncio.get_running_loop()
        config = self.config
        backoff = Backoff(
            config.retry_backoff_ms,
            config.retry_backoff_max_ms,
            self._random,
            steady=STEADY_REFRESHES,
        )
        while True:
            started = loop.time()
            try:
                async with asyncio.timeout(config.metadata_max_age_ms / 1000):
                    await self._refresh_wanted.wait()
            except TimeoutError:
                pass
            was_quiet = loop.time() - started > config.retry_backoff_max_ms / 1000
            try:
                await self.refresh()
                if was_quiet or self._is_news:
                    backoff.reset()
            except ClientClosedError:
                return
            except ClientError as error:
                log.warning("metadata could not be refreshed: %s", error)
                self._refresh_wanted.set()
            except Exception:
                # A bug of ours must not end refreshing in silence.
                log.exception("refreshing metadata")
                self._refresh_wanted.set()
            # Never faster than the backoff, however often somebody asks; but what a broker that
            # stands still leads goes to others at some time, and then nobody should wait longer.
            wait_s = backoff.next_s()
            await asyncio.sleep(min(wait_s, SILENCE_CHECK_S) if self._has_silence() else wait_s)

    def _has_silence(self) -> bool:
        return self._pool is not None and self._pool.has_silence

    def take_hint(
        self,
        where: tuple[str, int],
        leader: LeaderHint,
        endpoints: Mapping[int, Node],
    ) -> bool:
        """Adopt the leader that an answer named, if it is newer than the known one (951-06). The
        metadata is refreshed in either case. Returns whether it was adopted."""
        self.refresh_soon()
        return self.config.leader_hints and self.metadata.apply_leader_hint(
            *where, leader.leader_id, leader.leader_epoch, endpoints.get(leader.leader_id)
        )

    def knows_more(self, where: tuple[str, int], leader: LeaderHint) -> bool:
        """Whether the leader that an answer named is older than the one that is known here."""
        return 0 <= leader.leader_epoch < self.metadata.leader_epoch(*where)

    async def topic(self, name: str, timeout_s: float | None = None) -> TopicMetadata:
        """The metadata of a topic; brokers are asked until they know it.

        Raises:
            UnknownTopicOrPartitionError: no broker knew it within `topic_wait_ms`.
            InvalidTopicError, TopicAuthorizationFailedError: retrying is useless.
            ClientTimeoutError: no broker answered within `timeout_s`.
        """
        known = self.metadata.topics.get(name)
        if known is not None:
            return known
        was_tracked = name in self._topics

        async def attempt() -> TopicMetadata:
            self.seek(name)  # each time: another caller, whose time was over, may untrack it
            await self.refresh()
            found = self.metadata.topics.get(name)
            if found is None:
                code = self.metadata.errors.get(name, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
                raise error_of(code, f"topic {name!r}")
            return found

        try:
            found = await self.retrying(attempt, f"looking for topic {name!r}", timeout_s)
        except BaseException:
            if not was_tracked and name not in self.metadata.topics:
                self.untrack(name)  # else others use it
            raise
        self.track((name,))  # another caller, who began before this one, may have given it up
        return found

    async def leader(self, topic: str, partition: int) -> Node:
        """The node that leads a partition; the metadata is refreshed if the leader is not known.

        Raises:
            LeaderNotAvailableError: the partition has no leader at the moment (retriable).
            UnknownTopicOrPartitionError: there is no such partition.
        """
        info = await self.topic(topic)
        if partition not in info.partitions:
            await self.refresh()
        try:
            return leader_in(self.metadata, topic, partition)
        except LeaderNotAvailableError:
            self.refresh_soon()
            raise
