"""Membership by the consumer protocol (KIP-848): heartbeats, and taking over what they assign; the
decisions are in `consumer_member`."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random

from barnabas.protocol.errors import EncodeError, ErrorCode
from barnabas.protocol.messages.consumer_group_heartbeat_response import (
    ConsumerGroupHeartbeatResponse,
)

from ..config import ConsumerConfig
from ..errors import (
    ClientError,
    GroupsNotSupportedError,
    MembershipLostError,
    PollIntervalExceededError,
    error_of,
    is_retriable,
)
from ..structs import TopicPartition
from ..wire.cluster import Cluster
from ..wire.pool import Lane
from .consumer_member import ConsumerMember, ConsumerMemberOptions, new_member_id
from .coordinator import Coordinator
from .health import Assignee, Health
from .pulse import Pulse
from .reactions import Reaction
from .topics import names_of
from .values import CloseOption, GroupState, Identity
from .waiting import end, watched

log = logging.getLogger("barnabas.client")

PROTOCOL = "consumer"
FIRST_INTERVAL_MS = 1_000
"""Between heartbeats until the coordinator says how often."""
INTERVAL_MIN_MS = 10
"""However often the coordinator wants to hear; nor less often than once in the session's time."""
UNKNOWN_TOPIC_WAIT_S = 0.1
"""An assigned topic of which no broker knows the name yet is asked for again after this."""


class ConsumerMembership:
    """One consumer in one group; `run` is its task."""

    def __init__(
        self,
        cluster: Cluster,
        config: ConsumerConfig,
        coordinator: Coordinator,
        assignee: Assignee,
        health: Health,
        randomness: random.Random,
    ) -> None:
        self._cluster = cluster
        self._config = config
        self._coordinator = coordinator
        self._assignee = assignee
        self._health = health
        self._loop = asyncio.get_running_loop()
        options = ConsumerMemberOptions(
            coordinator.key,
            config.group_instance_id,
            config.max_poll_interval_ms,
            config.group_remote_assignor,
            config.client_rack or None,
        )
        self._member = ConsumerMember(options, new_member_id(randomness))
        self._pulse = Pulse(FIRST_INTERVAL_MS, config, health)
        self._beats = self._pulse.beats
        self._beating: asyncio.Task[None] | None = None
        self._beat_now = asyncio.Event()
        self._changed = asyncio.Event()
        self._answered = asyncio.Event()
        self._is_stale = False
        self._has_joined = False
        self._lost: MembershipLostError | None = None
        self._fatal: Exception | None = None
        self._names: dict[bytes, str] = {}

    # ------------------------------------------------------------ what others ask

    @property
    def identity(self) -> Identity:
        """Who this consumer is in a commit."""
        return self._member.identity

    @property
    def is_joining(self) -> bool:
        """Whether the next heartbeat brings another epoch."""
        return self._is_stale

    async def joined(self) -> None:
        """Wait until it has."""
        while self._is_stale:
            self._answered.clear()
            await self._answered.wait()

    def rejoin(self, reason: str) -> None:
        """Tell the coordinator what changed; it alone decides on rebalances."""
        log.debug("group %s: a heartbeat now: %s", self._coordinator.key, reason)
        self._beat_now.set()

    def on_commit(self, code: int, by: Identity) -> None:
        """A commit was refused: its epoch is too old, or the membership over."""
        reaction = self._member.on_commit(code, by)
        if reaction is Reaction.RETRY:
            self._is_stale = True
            self._beat_now.set()
        elif reaction is not Reaction.DONE:
            self._react(reaction, error_of(code, "committing offsets"))

    # ------------------------------------------------------------ the task

    async def run(self) -> None:
        """Be a member until cancelled.

        Raises:
            ClientError: what ended it.
        """
        self._pulse.start()
        try:
            while True:
                if self._beating is None or self._beating.done():
                    self._beating = watched(self._beat(), self._fail)
                await self._changed.wait()
                self._changed.clear()
                if self._fatal is not None:
                    raise self._fatal
                if self._lost is not None:
                    await self._give_up(self._lost)
                else:
                    await self._reconcile()
        finally:
            self._pulse.stop()
            await end(self._beating)

    def _is_over(self) -> bool:
        return self._lost is not None or self._fatal is not None

    async def _give_up(self, lost: MembershipLostError) -> None:
        """Everything is lost: begin anew, when the program asks for records."""
        await end(self._beating)
        self._health.set(GroupState.FENCED, lost)
        await self._assignee.lose(self._assignee.owned)
        if isinstance(lost, PollIntervalExceededError):
            await self._assignee.asked_again()
        self._lost = None
        self._has_joined = False
        self._member.lost()
        self._beats.restarted(self._pulse.now_ms())
        self._beat_now.set()

    async def _reconcile(self) -> None:
        """Have what the coordinator says: first give up, then take over, and tell it at once."""
        target = self._member.target
        try:
            self._names.update(await names_of(self._cluster, {each for each, _ in target}))
        except ClientError as error:
            self._health.note(error)
        wanted = frozenset(
            TopicPartition(self._names[topic_id], number)
            for topic_id, number in target
            if topic_id in self._names
        )
        owned = self._assignee.owned
        excess, added = owned - wanted, wanted - owned
        if excess or added:
            self._health.set(GroupState.REBALANCING)
        if excess and not await self._assignee.revoke(excess, self._is_over):
            return
        if added or not self._has_joined:
            self._has_joined = True
            await self._assignee.grant(added)
        if excess or added:
            self._beat_now.set()
        if len(wanted) < len(target):
            # A topic that this side has never heard of: made a moment ago, or matched by a pattern.
            self._loop.call_later(UNKNOWN_TOPIC_WAIT_S, self._changed.set)
        elif not self._is_over() and self._member.target == target:
            self._health.set(GroupState.STABLE)

    def _owned(self) -> set[tuple[bytes, int]]:
        ids = {name: topic_id for topic_id, name in self._names.items()}
        return {(ids[each.topic], each.partition) for each in self._assignee.owned}

    # ------------------------------------------------------------ heartbeats

    async def _beat(self) -> None:
        """Heartbeats until the membership is over, or the program has stopped asking."""
        backoff = self._cluster.new_backoff()
        polls = self._assignee.polls
        self._beat_now.set()
        while not self._is_over():
            now = self._pulse.now_ms()
            wait_ms = min(self._beats.wait_ms(now), polls.left_ms(now))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait_ms / 1000):
                    await self._beat_now.wait()
            now = self._pulse.now_ms()
            if polls.left_ms(now) <= 0:
                await self._leave_for_silence()
                return
            if not self._beat_now.is_set() and self._beats.wait_ms(now) > 1:
                continue
            if self._is_over():
                return  # a commit was refused meanwhile: what it had must be lost before it rejoins
            self._beat_now.clear()
            self._beats.woke(now)
            try:
                await self._one_beat()
                backoff.reset()
            except ClientError as error:
                self._member.unanswered()
                if not is_retriable(error):
                    self._fail(error)
                    return
                self._pulse.unanswered(error, backoff.next_s() * 1000)

    async def _one_beat(self) -> None:
        wish = self._assignee.wish
        request = self._member.request(wish.topics, wish.pattern, self._owned())
        try:
            response = await self._coordinator.call(
                request,
                ConsumerGroupHeartbeatResponse,
                lane=Lane.GROUP,
                timeout_s=min(self._cluster.request_timeout_s, self._beats.session_ms / 1000),
            )
        except EncodeError as error:
            raise GroupsNotSupportedError(f"the coordinator takes no pattern: {error}") from error
        target = self._member.target
        reaction = self._member.on_answer(response, request)
        if reaction is Reaction.DONE:
            self._beats.answered(self._pulse.now_ms())
            limit_ms = self._config.session_timeout_ms
            self._beats.interval_ms = min(
                max(INTERVAL_MIN_MS, response.heartbeat_interval_ms), limit_ms
            )
            self._beats.restarted(self._pulse.now_ms())
            self._health.is_member(self._member.identity, PROTOCOL)
            if self._member.target != target or not self._has_joined:
                self._changed.set()
            elif self._health.now.state is GroupState.FENCED:
                self._health.set(GroupState.STABLE)
        else:
            text = response.error_message or "a heartbeat"
            self._react(
                reaction,
                error_of(response.error_code, f"group {self._coordinator.key!r}: {text}"),
            )
        self._is_stale = False
        self._answered.set()

    def _react(self, reaction: Reaction, error: ClientError) -> None:
        """What an answer says of the membership."""
        if reaction is Reaction.LOST:
            cause = self._beats.cause(self._pulse.now_ms())
            cause.__cause__ = error
            self._lost = cause
            self._changed.set()
            self._assignee.look()
        elif reaction is Reaction.FATAL:
            self._fail(error)
        else:
            if reaction is Reaction.FIND_COORDINATOR:
                self._coordinator.lost()
            self._health.note(error)
            self._beats.retry_in(self._config.retry_backoff_ms, self._pulse.now_ms())

    def _fail(self, error: Exception) -> None:
        self._fatal = error
        self._changed.set()
        self._assignee.look()

    async def _leave_for_silence(self) -> None:
        """The program has not asked for records for too long: let others have the partitions."""
        self._lost = silence = self._pulse.program_is_silent(self._coordinator.key)
        with contextlib.suppress(ClientError):
            await self.leave(CloseOption.DEFAULT, str(silence))
        self._member.lost()
        self._changed.set()
        self._assignee.look()

    # ------------------------------------------------------------ leaving

    async def leave(self, option: CloseOption, reason: str) -> None:
        """Tell the group that this member goes, if `option` says so."""
        log.debug("leaving group %s: %s", self._coordinator.key, reason)
        request = self._member.leave_request(option)
        if request is None:
            return
        response = await self._coordinator.call(request, ConsumerGroupHeartbeatResponse)
        gone = (ErrorCode.NONE, ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.GROUP_ID_NOT_FOUND)
        if response.error_code not in gone:
            log.info("leaving: %s", error_of(response.error_code, response.error_message))
        self._member.lost()
