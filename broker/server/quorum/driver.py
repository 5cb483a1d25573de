"""Does what the consensus core asks for: files, flushes, timers, requests and answers.

Before `start` everything happens at once and blocks, so that a quorum of one leads when its
directory has been opened; requests to other nodes wait. After it nothing blocks: `quorum-state` and
fsyncs run on other threads, one of each at a time, and the core holds back what depends on them.

A disk that fails, or a quorum that contradicts itself, ends the driver by name: the core may be
half way, so it is asked nothing more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from math import inf
from typing import Final, TypeVar

from barnabas.protocol.errors import ErrorCode, KafkaError

from ...core.cluster.image import DamagedMetadataError
from ...core.log.failures import LogDirectoryFailure
from ...core.ports import Env
from ...core.raft.messages import NOBODY, Answer, Fetch, FetchSnapshot, LeaderAndEpoch, Request
from ...core.raft.quorum_state import QuorumState
from ...core.raft.raft import QuorumBrokenError, Raft
from ...core.raft.ready import Flush, Outgoing, Ready
from ...core.raft.snapshot_file import SnapshotId
from ..formatting import MetadataError
from ..peer_errors import PeerError, PeerTimeoutError, is_lost, is_refused
from .delivery import Delivery
from .durable import Durable
from .events import QuorumEvents
from .floor import FloorKeeper
from .peers import Peers
from .raft_log import QuorumLog
from .strangers import Strangers

_FATAL: Final = (QuorumBrokenError, KafkaError, OSError)

_WAIT_MIN_MS: Final = 0.01

ResultT = TypeVar("ResultT")

Step = Callable[[float], ResultT]
"""Something to ask of the core, with the present time in milliseconds."""


class Driver:
    """Connects the core with the world. Everything that happens enters through `step`."""

    def __init__(  # noqa: PLR0913 -- the core, and each part that does what it asks for
        self,
        raft: Raft,
        log: QuorumLog,
        env: Env,
        write_state: Callable[[QuorumState], None],
        *,
        delivery: Delivery,
        on_leader: Callable[[LeaderAndEpoch], object],
        events: QuorumEvents,
        strangers: Strangers,
        floor: FloorKeeper | None = None,
    ) -> None:
        """`floor` keeps what this disk is known to have had; a node that may vote has one."""
        self.raft = raft
        self.log = log
        self.delivery = delivery
        self.peers: Peers | None = None
        self._make_peers: Callable[[], Peers]
        self.failure: KafkaError | None = None
        self.leader = LeaderAndEpoch(NOBODY, 0)
        self.strangers = strangers
        self._on_leader = on_leader
        self._events = events
        self._env = env
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_settling = False
        self._floor = floor
        self._held: list[Outgoing] = []
        self._timer: asyncio.TimerHandle | None = None
        self._timer_ms = inf
        self._next_token = 1
        self._replies: dict[int, Callable[[Answer | None], object]] = {}
        self._written = QuorumState()
        self._durable = Durable(
            log,
            write_state,
            self._state_written,
            self._flushed,
            self.fail,
            floor.write if floor is not None else lambda floor: None,
        )

    # --- life ---------------------------------------------------------------------------------

    def boot(self) -> None:
        """Do what the core wants at first, before returning. Raises what the disk raises."""
        while (ready := self.raft.take_ready(self._now_ms())) is not None:
            self._do(ready)
        self.delivery.run_to_end()
        while (ready := self.raft.take_ready(self._now_ms())) is not None:
            self._do(ready)

    def start(self, make_peers: Callable[[], Peers]) -> None:
        """Go on in the background, together with the other nodes; `make_peers` connects to them."""
        self._loop = asyncio.get_running_loop()
        self._durable.go_on(self._loop)
        self._make_peers = make_peers
        if self._floor is not None and self.raft.abstains:
            self._events.alarmed(self._floor.explain(self.log.end_offset))
        held, self._held = self._held, []
        for outgoing in held:
            self._send(outgoing)
        self.settle()

    async def stop(self, patience_ms: float) -> None:
        """Stop in good order: a leader stands down and tells the others. Nothing happens after
        that."""
        if self.failure is None and self._loop is not None:
            self.step(self.raft.stop)
            await self._durable.drain()
            self._keep_floor(at_once=True)
            await self._durable.drain()
            if self.peers is not None:
                await self.peers.drain(patience_ms)
        await self.halt()

    async def halt(self) -> None:
        """Stop at once; only what a thread has begun is waited for."""
        self._disarm()
        loop, self._loop = self._loop, None
        if loop is not None and self.peers is not None:
            await self.peers.close()
        await self.strangers.close()
        await self._durable.drain()
        self._refuse_waiting()

    @property
    def is_running(self) -> bool:
        """Whether it has been started and not stopped yet."""
        return self._loop is not None and self.failure is None

    # --- what happens -------------------------------------------------------------------------

    def step(self, do: Step[ResultT]) -> ResultT:
        """Call the core, and do what it then asks for. Errors of `do` that are neither a failure of
        the disk nor of the quorum reach the caller."""
        if self.failure is not None:
            raise self.failure
        try:
            result = do(self._now_ms())
        except _FATAL as error:
            self.fail(error)
            raise self._failed() from error
        self.settle()
        return result

    def on_request(self, request: Request, reply: Callable[[Answer | None], object]) -> int:
        """Give another node's request to the core; returns its token. `reply` gets the answer,
        perhaps at once, or None if this node fails before there is one."""
        token = self._next_token
        self._next_token += 1
        self._replies[token] = reply
        self.step(lambda now_ms: self.raft.on_request(token, request, now_ms))
        return token

    def forget_request(self, token: int) -> None:
        """Drop the answer to this request: nobody waits for it any more."""
        if self._replies.pop(token, None) is not None:
            self.raft.forget_request(token)

    def on_answer(self, number: int, answer: Answer) -> None:
        """An answer to one of the core's requests has come."""
        if self.is_running and answer.error is ErrorCode.INCONSISTENT_CLUSTER_ID:
            self.strangers.refused_by(self.raft.destination_of(number))
        if self.is_running and self._env.maybe("raft-answer-lost"):
            self._quietly(lambda now_ms: self.raft.on_failure(number, now_ms, is_refused=False))
        elif self.is_running:
            self._quietly(lambda now_ms: self.raft.on_answer(number, answer, now_ms))

    def on_failure_of(self, outgoing: Outgoing, error: PeerError) -> None:
        """One of the core's requests will get no answer."""
        if self.is_running:
            refused = is_refused(error)
            self._quietly(
                lambda now_ms: self.raft.on_failure(outgoing.number, now_ms, is_refused=refused)
            )
            is_fetch = isinstance(outgoing.request, Fetch | FetchSnapshot)
            if is_fetch and outgoing.to == self.leader.leader_id and is_lost(error):
                # A connection broke while a Fetch was under way: its process has probably died.
                self._quietly(self.raft.on_leader_lost)

    def delivered(self, offset: int) -> None:
        """The listeners were handed everything below this offset."""
        self.raft.on_delivered(offset)
        if self._loop is not None:
            self.settle()

    def _quietly(self, do: Step[object]) -> None:
        """As `step`, for calls whose caller cannot handle a failure: `events.failed` has been told
        of it."""
        if self.failure is None:
            try:
                self.step(do)
            except KafkaError:
                if self.failure is None:
                    raise

    def settle(self) -> None:
        """Do everything that the core has ready. Nested calls leave the work to the outermost
        one."""
        if self._is_settling or self.failure is not None:
            return
        self._is_settling = True
        try:
            while (ready := self.raft.take_ready(self._now_ms())) is not None:
                self._do(ready)
        except _FATAL as error:
            self.fail(error)
        finally:
            self._is_settling = False
        self._arm()

    def _do(self, ready: Ready) -> None:
        if ready.abstains is not None:
            self._abstain(ready.abstains)
        if ready.state is not None:
            self._durable.want_state(ready.state)
        if ready.flush is not None:
            self._durable.want_flush(ready.flush)
        if ready.freeze is not None:
            self._freeze(ready.freeze)
        if ready.leader is not None:
            self._new_leader(ready.leader)
        if ready.snapshot is not None:
            self.delivery.load_snapshot(ready.snapshot.end_offset)
        if ready.high_watermark >= 0:
            self._commit(ready.high_watermark)
        for text in ready.alarms:
            self._events.alarmed(text)
        self._talk(ready)
        if self._loop is not None and (ready.snapshot is not None or ready.high_watermark >= 0):
            self.delivery.pump()

    def _commit(self, watermark: int) -> None:
        self.log.log.high_watermark = watermark
        self.delivery.advance(watermark)
        if (hooks := self._env.hooks) is not None:
            hooks.on("quorum-hw", high_watermark=watermark, epoch=self.raft.epoch)

    def _new_leader(self, leader: LeaderAndEpoch) -> None:
        before, self.leader = self.leader, leader
        if (hooks := self._env.hooks) is not None:
            mine = self.raft.replica_key.node_id
            if before.leader_id == mine and leader != before:
                hooks.on("resigned", epoch=before.epoch)
            if leader.leader_id == mine:
                hooks.on("elected", epoch=leader.epoch)
        self._on_leader(leader)

    def _talk(self, ready: Ready) -> None:
        for token, answer in ready.replies:
            reply = self._replies.pop(token, None)
            if reply is not None:
                reply(answer)
        for outgoing in ready.requests:
            if self._loop is None:
                self._held.append(outgoing)
            else:
                self._send(outgoing)

    def _send(self, outgoing: Outgoing) -> None:
        if self._loop is not None and self._env.maybe("raft-request-lost"):
            self._loop.call_soon(self.on_failure_of, outgoing, PeerTimeoutError("not sent"))
            return
        if self.peers is None:
            self.peers = self._make_peers()
        self.peers.send(outgoing)

    # --- time ---------------------------------------------------------------------------------

    def _now_ms(self) -> float:
        return self._env.clock.monotonic_ms()

    def _arm(self) -> None:
        """Set the one timer to the next deadline; a timer that ends too early sets itself anew."""
        if self._loop is None or self.failure is not None:
            return
        deadline_ms = self.raft.next_deadline_ms
        if self._timer is not None:
            if self._timer_ms <= deadline_ms:
                return
            self._timer.cancel()
            self._timer = None
        if deadline_ms < inf:
            # Clocks are rounded: without a minimum the timer could end too early again and again.
            wait_ms = max(_WAIT_MIN_MS, deadline_ms - self._now_ms())
            self._timer_ms = deadline_ms
            self._timer = self._loop.call_later(wait_ms / 1000, self._tick)

    def _tick(self) -> None:
        self._timer = None
        if self._now_ms() >= self.raft.next_deadline_ms:
            self._quietly(self.raft.tick)
        else:
            self._arm()

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    # --- durable ------------------------------------------------------------------------------

    def _state_written(self, state: QuorumState) -> None:
        self._tell_state(state)
        self._apart(lambda now_ms: self.raft.on_state_written(state, now_ms))

    def _tell_state(self, state: QuorumState) -> None:
        before, self._written = self._written, state
        if (hooks := self._env.hooks) is not None:
            if state.leader_epoch > before.leader_epoch:
                hooks.on("epoch", epoch=state.leader_epoch)
            if state.voted_id >= 0 and state != before:
                hooks.on("vote", epoch=state.leader_epoch, voted_id=state.voted_id)

    def _flushed(self, flush: Flush) -> None:
        self._apart(lambda now_ms: self.raft.on_flushed(flush, now_ms))
        if self._loop is not None:
            self._keep_floor()

    def _keep_floor(self, *, at_once: bool = False) -> None:
        if self._floor is not None and not self.raft.abstains:
            offset = self.raft.durable_watermark
            floor = self._floor.take(offset, self._now_ms(), at_once=at_once)
            if floor is not None:
                self._durable.want_floor(floor)

    def _abstain(self, abstains: bool) -> None:
        if self._floor is not None:
            floor = self._floor.note(abstains=abstains)
            if floor is not None:
                self._durable.want_floor(floor)
            if not abstains:
                self._events.noted(
                    "the metadata log is complete again: this voter takes part in elections"
                )

    def _freeze(self, snapshot: SnapshotId) -> None:
        part = self.log.files.take_part(snapshot)

        def frozen(is_valid: bool) -> None:
            if is_valid:
                self.log.files.frozen(part.snapshot, part.content)
            elif part.damage is not None:
                self._events.noted(part.damage)
            self._apart(lambda now_ms: self.raft.on_frozen(snapshot, is_valid, now_ms))

        self._durable.elsewhere(partial(part.run, check=True), frozen)

    def _apart(self, do: Step[object]) -> None:
        """A step of its own while the node runs; at start it is part of the round that asked for
        it."""
        if self._loop is None:
            do(self._now_ms())
        else:
            self._quietly(do)

    # --- the end ------------------------------------------------------------------------------

    def fail(self, error: BaseException) -> None:
        """Ask nothing more of the core: the node has failed. All who wait for an answer get
        none."""
        if self.failure is not None:
            return
        self.failure = _failure_of(error, self.log.log.directory)
        self._disarm()
        self._refuse_waiting()
        self._events.failed(self.failure)

    def _refuse_waiting(self) -> None:
        """Drop all requests that wait for an answer of the core."""
        replies, self._replies = self._replies, {}
        for reply in replies.values():
            reply(None)

    def _failed(self) -> KafkaError:
        assert self.failure is not None
        return self.failure


def _failure_of(error: BaseException, folder: str) -> KafkaError:
    if isinstance(error, KafkaError):
        return error
    if isinstance(error, OSError):
        return LogDirectoryFailure(folder, "writing to", error)
    is_known = isinstance(error, QuorumBrokenError | MetadataError | DamagedMetadataError)
    text = str(error) if is_known else repr(error)
    return KafkaError(ErrorCode.UNKNOWN_SERVER_ERROR, f"the metadata quorum: {text}")
