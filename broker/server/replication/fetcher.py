"""Fetches the partitions that one leader leads: one request in flight, the next one at once.

- A fetch that is parked at the leader must not hold up a partition that came after it was sent (a
  new topic, a leader just elected, the end of a pause). Such partitions are fetched on a second
  connection, without a session and with short waits, until the parked fetch is back and its
  successor has them too. Whichever answer comes second is left (279-03).
- Where acknowledged means flushed (`flush.messages`), a fetch says that records are here only when
  an fsync has said so.
- 279-05: after an error of one partition that one pauses, for 2 ms at first, after an error of the
  whole request all do, for 20 ms; doubled with each failure up to `replica.fetch.backoff.ms`. A
  partition that comes or that gets a new epoch ends the pause of the fetcher: the controller thinks
  that this leader lives.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from functools import partial
from typing import Final

from barnabas.protocol.errors import ErrorCode, name_of
from barnabas.protocol.fetch_session import FULL_EPOCH, SESSION_ERRORS, SESSIONLESS_EPOCH
from barnabas.protocol.messages.fetch_request import FetchRequest, ReplicaState
from barnabas.protocol.messages.fetch_response import FetchResponse

from ...core.replication.partition import FlushQueue, Partition
from ...core.replication.truncation import Truncation
from ..peer_errors import PeerError
from .back_off import BackOff
from .channels import FETCHER, Connect
from .copying import Copying, Outcome
from .fetcher_session import Asked, fill, new_session, topics_of
from .followed import Followed, Key
from .repositioning import Repositioning
from .services import ReplicationServices

VERSIONS: Final = (15, 18)
"""Since 15 with the epoch of our broker (903-01)."""

LATECOMER_WAIT_MS: Final = 10
"""A fetch without a session learns of a watermark only when its wait is over (392-12)."""

PAUSE_S: Final = 0.1
"""After this time a replica that a throttle holds back is looked at again."""

LATECOMER_DELAY_MS: Final = 2
"""The time for more partitions to come, and for the request under way to return by itself."""


class Fetcher:
    """One of `num.replica.fetchers` connections to one leader."""

    def __init__(
        self, node: ReplicationServices, copying: Copying, leader_id: int, connect: Connect
    ) -> None:
        self._node = node
        self._copying = copying
        self.leader_id = leader_id
        self._loop = asyncio.get_running_loop()
        self._followed: dict[Key, Followed] = {}
        self._session = new_session()
        self._moved: dict[Key, None] = {}
        """Partitions whose position or state may differ from what the leader knows."""
        self._latecomers: dict[Key, None] = {}
        self._is_parked = False
        self._back_off = BackOff(node.config.replica_fetch_backoff_ms)
        self._channel = connect(leader_id, FETCHER)
        self._side_channel = connect(leader_id, "fetcher-side")
        self._repositioning = Repositioning(self._side_channel, copying, node.node_id)
        self._work = asyncio.Event()
        self._nudge = asyncio.Event()
        self._late_timer: asyncio.TimerHandle | None = None
        self._side_tasks: dict[asyncio.Task[None], None] = {}
        self._late_task: asyncio.Task[None] | None = None
        self._task = self._loop.create_task(self._run())

    def __len__(self) -> int:
        return len(self._followed)

    @property
    def is_closed(self) -> bool:
        """Whether nothing of this fetcher runs any more."""
        return all(task.done() for task in self._tasks())

    # --- which partitions ---------------------------------------------------------------------

    def add(self, followed: Followed) -> None:
        """Fetch this partition too; it replaces an earlier one with the same name."""
        self._followed[followed.key] = followed
        self._back_off.reset()
        self._nudge.set()
        self._go_on(followed, Outcome.NEXT if followed.cut is None else Outcome.CUT)

    def remove(self, key: Key) -> None:
        """Do not fetch this partition any more."""
        followed = self._followed.pop(key, None)
        if followed is not None:
            followed.end()
            self._moved[key] = None
            self._latecomers.pop(key, None)

    def close(self) -> None:
        """End connections and tasks; `closed` waits for them."""
        for followed in self._followed.values():
            followed.end()
        self._followed.clear()
        if self._late_timer is not None:
            self._late_timer.cancel()
        for task in self._tasks():
            task.cancel()
        self._channel.close()
        self._side_channel.close()

    async def closed(self) -> None:
        """Wait until nothing of this fetcher runs any more."""
        await asyncio.gather(*self._tasks(), return_exceptions=True)

    def _tasks(self) -> list[asyncio.Task[None]]:
        late = [] if self._late_task is None else [self._late_task]
        return [self._task, *late, *self._side_tasks]

    def _ready(self, followed: Followed) -> None:
        """The position of this partition is known: the next request includes it."""
        if followed.is_ended:
            return
        followed.is_ready = True
        followed.timer = None
        self._moved[followed.key] = None
        self._work.set()
        asked = self._session.asked.get(followed.key)
        if self._is_parked and (asked is None or asked.followed is not followed):
            self._latecomers[followed.key] = None
            if self._late_timer is None and self._late_task is None:
                delay_s = LATECOMER_DELAY_MS / 1000
                self._late_timer = self._loop.call_later(delay_s, self._begin_late)

    # --- the main connection ------------------------------------------------------------------

    async def _run(self) -> None:
        while True:
            try:
                await self._fetch_once()
            except Exception as error:
                self._node.metrics.unexpected_errors += 1
                self._node.log.error(
                    "replica fetcher", leader=self.leader_id, error=repr(error), exc_info=error
                )
                self._session.lose()
                await self._pause()

    async def _fetch_once(self) -> None:
        self._work.clear()
        if self._node.env.maybe("replica-session-forgotten"):
            self._session.lose()
        request = self._next_request()
        if request is None:
            await self._work.wait()
            return
        asked = self._session.asked
        self._is_parked = True
        try:
            answer: FetchResponse = await self._channel.call(
                request,
                timeout_ms=self._node.config.replica_socket_timeout_ms,
                versions=VERSIONS,
            )
        except PeerError as error:
            self._session.lose()
            await self._pause(str(error))
            return
        finally:
            self._is_parked = False
        self._node.lost_leaders.heard(self.leader_id)
        if self._node.env.maybe("replica-answer-lost"):
            self._session.lose()
            await self._pause("the answer got lost")
        elif self._session.take(answer.error_code, answer.session_id):
            self._back_off.reset()
            await self._take(answer, asked)
        elif answer.error_code not in SESSION_ERRORS or request.session_epoch == FULL_EPOCH:
            await self._pause(name_of(answer.error_code))

    def _next_request(self) -> FetchRequest | None:
        """All partitions that are ready, or have changed; None if there is nothing to fetch."""
        moved, self._moved = self._moved, {}
        self._latecomers.clear()
        keys = self._followed if self._session.is_full else moved
        max_bytes = self._node.config.replica_fetch_max_bytes
        wanted: dict[Key, Asked] = {}
        gone: list[Key] = []
        for key in keys:
            followed = self._followed.get(key)
            if followed is not None and followed.is_ready:
                wanted[key] = Asked(followed, followed.position(max_bytes))
            else:
                gone.append(key)
        request = self._request(self._node.config.replica_fetch_wait_max_ms)
        return request if fill(request, self._session, wanted, gone) else None

    def _request(self, max_wait_ms: int) -> FetchRequest:
        config = self._node.config
        return FetchRequest(
            replica_state=ReplicaState(
                replica_id=self._node.node_id, replica_epoch=self._node.broker_epoch
            ),
            max_wait_ms=max_wait_ms,
            min_bytes=config.replica_fetch_min_bytes,
            max_bytes=config.replica_fetch_response_max_bytes,
            session_epoch=SESSIONLESS_EPOCH,
        )

    async def _pause(self, reason: str = "") -> None:
        """Wait after a failure of the whole request, or until there is something new."""
        if reason and self._back_off.is_fresh:
            self._node.log.warning(
                "cannot fetch from a leader; trying again", leader=self.leader_id, error=reason
            )
        self._nudge.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(self._back_off.next_ms() / 1000):
                await self._nudge.wait()

    # --- answers ------------------------------------------------------------------------------

    async def _take(self, answer: FetchResponse, asked: Mapping[Key, Asked]) -> None:
        out_of_range: list[Followed] = []
        unflushed: list[Followed] = []
        throttle = self._node.replication_quotas.follower
        for topic in answer.responses:
            for data in topic.partitions:
                one = asked.get((topic.topic_id, data.partition_index))
                if one is None:
                    continue
                outcome = await self._copying.take(one.followed, one.position, data)
                one.followed.count(throttle, data)
                if outcome is Outcome.ASK:
                    self._hold(one.followed)
                    out_of_range.append(one.followed)
                elif outcome is Outcome.NEXT and _must_flush(one.followed):
                    self._hold(one.followed)
                    unflushed.append(one.followed)
                else:
                    self._go_on(one.followed, outcome)
        if unflushed:
            await self._flush(unflushed)
        if out_of_range:
            self._in_background(self._reposition(out_of_range))

    def _go_on(self, followed: Followed, outcome: Outcome) -> None:
        if followed.is_ended or outcome is Outcome.LEAVE:
            return
        if outcome is Outcome.NEXT:
            followed.back_off.reset()
            followed.is_reported = False
            if _must_flush(followed):
                # Records of the last leader, whose flush was under way when it was left.
                self._hold(followed)
                self._in_background(self._flush([followed]))
                return
            if followed.must_wait(self._node.replication_quotas.follower):
                self._hold(followed)
                followed.timer = self._loop.call_later(PAUSE_S, self._go_on, followed, outcome)
            else:
                self._ready(followed)
            return
        self._hold(followed)
        if outcome is Outcome.CUT:
            self._in_background(self._cut(followed))
        elif outcome is Outcome.PAUSE:
            due, pause_s = _due_before(followed), followed.back_off.next_ms() / 1000
            work = partial(self._go_on, followed, due) if due else partial(self._ready, followed)
            followed.timer = self._loop.call_later(pause_s, work)

    async def _flush(self, partitions: list[Followed]) -> None:
        """Wait for the fsync that makes the log durable; one round serves all partitions."""
        flushes = self._node.replicas.ports.flushes
        waits = [(followed, _flushed(followed.partition, flushes)) for followed in partitions]
        for followed, future in waits:
            is_durable = await future == ErrorCode.NONE
            self._go_on(followed, Outcome.NEXT if is_durable else Outcome.STOP)

    def _hold(self, followed: Followed) -> None:
        followed.is_ready = False
        self._moved[followed.key] = None

    async def _reposition(self, partitions: list[Followed]) -> None:
        try:
            outcomes = await self._repositioning.run(
                partitions, timeout_ms=self._node.config.replica_socket_timeout_ms
            )
        except PeerError:
            outcomes = [(one, Outcome.PAUSE) for one in partitions]
        for followed, outcome in outcomes:
            self._go_on(followed, outcome)

    async def _cut(self, followed: Followed) -> None:
        self._go_on(followed, await self._copying.cut_later(followed))

    def _in_background(self, work: Coroutine[object, object, None]) -> None:
        task = self._loop.create_task(work)
        self._side_tasks[task] = None
        task.add_done_callback(self._on_side_task_done)

    def _on_side_task_done(self, task: asyncio.Task[None]) -> None:
        self._side_tasks.pop(task, None)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._node.metrics.unexpected_errors += 1
            self._node.log.error("replica fetcher", error=repr(error), exc_info=error)

    # --- latecomers ---------------------------------------------------------------------------

    def _begin_late(self) -> None:
        self._late_timer = None
        if self._is_parked and self._latecomers and self._late_task is None:
            self._late_task = self._loop.create_task(self._fetch_late())
            self._late_task.add_done_callback(self._on_late_done)

    def _on_late_done(self, task: asyncio.Task[None]) -> None:
        self._late_task = None
        self._on_side_task_done(task)

    async def _fetch_late(self) -> None:
        """Fetch the partitions that came after the request under way, until the next request has
        them."""
        while self._latecomers:
            asked = self._late_positions()
            if not asked:
                return
            request = self._request(LATECOMER_WAIT_MS)
            request.topics = topics_of(asked.items())
            try:
                answer = await self._side_channel.call(
                    request,
                    timeout_ms=self._node.config.replica_socket_timeout_ms,
                    versions=VERSIONS,
                )
            except PeerError:
                return  # the main connection will report it
            if answer.error_code != ErrorCode.NONE:
                return
            await self._take(answer, asked)

    def _late_positions(self) -> dict[Key, Asked]:
        max_bytes = self._node.config.replica_fetch_max_bytes
        return {
            key: Asked(followed, followed.position(max_bytes))
            for key in self._latecomers
            if (followed := self._followed.get(key)) is not None and followed.is_ready
        }


def _due_before(followed: Followed) -> Outcome | None:
    """What comes after a pause before the partition is asked for again; None: nothing.

    A truncation that was not possible, and the flush of what came before the failure. To begin a
    log anew is for the leader's next answer to say.
    """
    if followed.cut is not None and isinstance(followed.cut[0], Truncation):
        return Outcome.CUT
    return Outcome.NEXT if _must_flush(followed) else None


def _must_flush(followed: Followed) -> bool:
    log = followed.partition.log
    return log.log_end_offset - log.recovery_point >= log.rules.flush_messages


def _flushed(partition: Partition, flushes: FlushQueue) -> asyncio.Future[ErrorCode]:
    """Complete when everything that the log has now is on the disk, or can never be."""
    future: asyncio.Future[ErrorCode] = asyncio.get_running_loop().create_future()
    flushes.request(partition)
    partition.waiters.when_durable(partition.log.log_end_offset, partial(_answer, future))
    return future


def _answer(future: asyncio.Future[ErrorCode], code: ErrorCode) -> None:
    if not future.done():
        future.set_result(code)
