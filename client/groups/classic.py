"""Membership by the classic protocol: join, sync, heartbeats; the decisions are in
`classic_member`."""

from __future__ import annotations

import asyncio
import contextlib
import logging

from barnabas.protocol.messages.heartbeat_response import HeartbeatResponse

from ..config import ConsumerConfig
from ..errors import (
    ClientError,
    MembershipLostError,
    PollIntervalExceededError,
    error_of,
    is_retriable,
)
from ..structs import TopicPartition
from ..wire.cluster import Cluster
from ..wire.pool import Lane
from .classic_member import ClassicMember, ClassicOptions
from .coordinator import Coordinator
from .health import Assignee, Health
from .join_exchange import JoinExchange
from .leaving import leave_group
from .pulse import Pulse
from .reactions import Reaction
from .second_round import SecondRound
from .topic_watch import TopicWatch
from .topics import named_by
from .values import CloseOption, GroupState, Identity
from .waiting import end, watched

log = logging.getLogger("barnabas.client")


class ClassicMembership:
    """One consumer in one group; `run` is its task."""

    def __init__(
        self,
        cluster: Cluster,
        config: ConsumerConfig,
        coordinator: Coordinator,
        assignee: Assignee,
        health: Health,
    ) -> None:
        self._cluster = cluster
        self._config = config
        self._coordinator = coordinator
        self._assignee = assignee
        self._health = health
        self._member = ClassicMember(
            ClassicOptions(
                coordinator.key,
                config.group_instance_id,
                config.session_timeout_ms,
                config.max_poll_interval_ms,
                tuple(config.partition_assignment_strategy),
                config.client_rack or None,
            )
        )
        self._pulse = Pulse(config.heartbeat_interval_ms, config, health)
        self._beats = self._pulse.beats
        self._beating: asyncio.Task[None] | None = None
        self._rejoin = asyncio.Event()
        self._reason = "the consumer starts"
        self._lost: MembershipLostError | None = None
        self._fatal: Exception | None = None
        self._is_joining = False
        self._joined = asyncio.Event()
        self._watch = TopicWatch(cluster, config, assignee, self.rejoin)
        self._second_round = SecondRound(config.max_poll_interval_ms / 1000, self.rejoin)
        self._exchange = JoinExchange(
            cluster, config, coordinator, self._member, self._watch, self._second_round
        )

    # ------------------------------------------------------------ what others ask

    @property
    def identity(self) -> Identity:
        """Who this consumer is in a commit."""
        return self._member.identity

    @property
    def is_joining(self) -> bool:
        """Whether the group is deciding on a new generation, and this member waits for it."""
        return self._is_joining

    async def joined(self) -> None:
        """Wait until it is not."""
        while self._is_joining:
            self._joined.clear()
            await self._joined.wait()

    def rejoin(self, reason: str) -> None:
        """Have the group assigned anew (KIP-568); the reason is for the coordinator's log."""
        self._reason = reason
        self._rejoin.set()

    def on_commit(self, code: int, by: Identity) -> None:
        """A commit was refused; that may say that the membership is over."""
        reaction = self._member.on_commit(code, by)
        if reaction is not Reaction.DONE:
            self._react(reaction, code, "committing offsets")

    # ------------------------------------------------------------ the task

    async def run(self) -> None:
        """Be a member until cancelled.

        Raises:
            ClientError: what ended it.
        """
        watch = watched(self._watch.run(), self._fail)
        self._pulse.start()
        try:
            while True:
                await self._join()
                await self._rejoin.wait()
        finally:
            self._pulse.stop()
            self._second_round.ended()
            await end(watch)
            await end(self._beating)

    async def _join(self) -> None:
        """Join until there is an assignment, and take it over."""
        backoff = self._cluster.new_backoff()
        was_sent_back = False
        while True:
            self._raise_fatal()
            if self._health.now.state is not GroupState.FENCED:
                is_first = self._health.now.state in (GroupState.NO_GROUP, GroupState.JOINING)
                self._health.set(GroupState.JOINING if is_first else GroupState.REBALANCING)
            await self._give_up()
            if self._lost is not None:
                continue
            reaction = await self._attempt()
            if reaction is Reaction.DONE:
                return
            if reaction is not Reaction.COME_BACK or was_sent_back:
                await asyncio.sleep(backoff.next_s())
            was_sent_back = reaction is Reaction.COME_BACK

    async def _give_up(self) -> None:
        """Before a join: what is lost already, or may not be kept while joining (CLI-07)."""
        self._rejoin.clear()
        lost, self._lost = self._lost, None
        if lost is not None:
            self._health.set(GroupState.FENCED, lost)
            await end(self._beating)
            await self._assignee.lose(self._assignee.owned)
            if isinstance(lost, PollIntervalExceededError):
                await self._assignee.asked_again()
            return
        owned = self._assignee.owned
        if self._member.is_cooperative:
            wish = self._assignee.wish
            owned = frozenset(
                each for each in owned if wish.pattern is None and each.topic not in wish.topics
            )
        if owned:
            await self._assignee.revoke(owned, self._is_over)

    def _is_over(self) -> bool:
        return self._lost is not None or self._fatal is not None

    def _raise_fatal(self) -> None:
        if self._fatal is not None:
            raise self._fatal

    async def _attempt(self) -> Reaction:
        """One join and sync; errors on the way are noted and tried again."""
        self._is_joining = True
        try:
            reaction, assigned = await self._join_and_sync()
        except ClientError as error:
            if not is_retriable(error):
                raise
            self._health.note(error)
            return Reaction.RETRY
        finally:
            self._is_joining = False
            self._joined.set()
        if reaction is Reaction.DONE:
            self._health.is_member(self.identity, self._member.protocol)
            self._beats.restarted(self._pulse.now_ms())
            self._beating = watched(self._beat(), self._fail)
            await self._take_over(assigned)
        return reaction

    async def _join_and_sync(self) -> tuple[Reaction, frozenset[TopicPartition]]:
        nothing: frozenset[TopicPartition] = frozenset()
        wish = self._assignee.wish
        topics = await named_by(self._cluster, wish)
        self._watch.topics = topics
        self._cluster.track(topics)
        self._member.owned = self._assignee.owned
        request = self._member.join_request(topics, self._reason)
        await end(self._beating)
        self._beating = None
        if self._is_over():
            return Reaction.RETRY, nothing
        reaction, code = await self._exchange.join(request)
        self._react(reaction, code, "joining")
        if reaction is not Reaction.DONE:
            return reaction, nothing
        reaction, code, assigned = await self._exchange.sync()
        self._react(reaction, code, "asking for the assignment")
        return reaction, assigned

    async def _take_over(self, assigned: frozenset[TopicPartition]) -> None:
        if self._member.came_late:
            await self._assignee.lose(self._assignee.owned)
        owned = self._assignee.owned
        excess = owned - assigned
        if excess:
            if not await self._assignee.revoke(excess, self._is_over):
                return
            self.rejoin("partitions were given up for others")  # CLI-10
        await self._assignee.grant(assigned - owned)
        if not self._is_over() and not self._rejoin.is_set():
            self._health.set(GroupState.STABLE)

    # ------------------------------------------------------------ heartbeats

    async def _beat(self) -> None:
        """Heartbeats until the group wants something, or the program has stopped asking."""
        backoff = self._cluster.new_backoff()
        polls = self._assignee.polls
        while True:
            now = self._pulse.now_ms()
            wait_ms = min(self._beats.wait_ms(now), polls.left_ms(now))
            if wait_ms > 0:
                await asyncio.sleep(wait_ms / 1000)
            now = self._pulse.now_ms()
            if polls.left_ms(now) <= 0:
                await self._leave_for_silence()
                return
            if self._beats.wait_ms(now) > 1:
                continue
            self._beats.woke(now)
            try:
                is_over = await self._one_beat()
                backoff.reset()
            except ClientError as error:
                if not is_retriable(error):
                    self._fail(error)
                    return
                self._pulse.unanswered(error, backoff.next_s() * 1000)
                continue
            if is_over:
                return

    async def _one_beat(self) -> bool:
        """One heartbeat; whether it was the last of this generation."""
        request = self._member.heartbeat_request()
        response = await self._coordinator.call(
            request,
            HeartbeatResponse,
            lane=Lane.GROUP,
            timeout_s=min(self._cluster.request_timeout_s, self._beats.session_ms / 1000),
        )
        reaction = self._member.on_heartbeat(response.error_code, request)
        if reaction in (Reaction.DONE, Reaction.REJOIN):
            self._beats.answered(self._pulse.now_ms())
            if self._health.now.state is GroupState.FENCED and self._lost is None:
                self._health.set(GroupState.STABLE)
        self._react(reaction, response.error_code, "a heartbeat")
        if reaction in (Reaction.RETRY, Reaction.FIND_COORDINATOR):
            self._beats.retry_in(self._config.retry_backoff_ms, self._pulse.now_ms())
        return self._is_over()

    async def _leave_for_silence(self) -> None:
        """The program has not asked for records for too long: let others have the partitions."""
        self._lost = silence = self._pulse.program_is_silent(self._coordinator.key)
        with contextlib.suppress(ClientError):
            await self.leave(CloseOption.DEFAULT, str(silence))
        self._member.left()
        self.rejoin("the program asks for records again")
        self._assignee.look()

    def _react(self, reaction: Reaction, code: int, doing: str) -> None:
        """What an answer says of the membership."""
        if reaction is Reaction.FIND_COORDINATOR:
            self._coordinator.lost()
        elif reaction is Reaction.REJOIN:
            self.rejoin("the group rebalances")
        elif reaction in (Reaction.LOST, Reaction.UNKNOWN):
            cause = self._beats.cause(self._pulse.now_ms())
            cause.__cause__ = error_of(code, doing)
            self._lost = cause
            self.rejoin(f"the membership was lost: {cause}")
            self._assignee.look()
        elif reaction is Reaction.FATAL:
            self._fail(error_of(code, f"group {self._coordinator.key!r}: {doing}"))

    def _fail(self, error: Exception) -> None:
        self._fatal = error
        self._rejoin.set()
        self._assignee.look()

    # ------------------------------------------------------------ leaving

    async def leave(self, option: CloseOption, reason: str) -> None:
        """Tell the group that this member goes, if `option` says so."""
        if not self._member.leaves(option):
            return
        await leave_group(self._cluster, self._coordinator, self._member, reason)
        self._member.left()
