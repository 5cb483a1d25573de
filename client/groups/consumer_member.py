"""A member of a group of the consumer protocol (KIP-848), without I/O: the coordinator assigns, and
heartbeats carry everything.

A heartbeat says only what has changed since the last answer; all of it when the member joins
(epoch 0) and after an error (CLI-03).
"""

from __future__ import annotations

import base64
import random
from collections.abc import Iterable
from typing import NamedTuple

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.consumer_group_heartbeat_request import (
    ConsumerGroupHeartbeatRequest,
    TopicPartitions,
)
from barnabas.protocol.messages.consumer_group_heartbeat_response import (
    ConsumerGroupHeartbeatResponse,
)

from .reactions import CONSUMER_HEARTBEAT, Reaction, reaction_to
from .values import CloseOption, Identity

JOINING = 0
LEAVES = -1
LEAVES_FOR_A_WHILE = -2
"""Epochs of a heartbeat that are none: the member joins, goes, or (static) will be back."""
NO_REGEX = ""


class ConsumerMemberOptions(NamedTuple):
    """What the configuration says of a member."""

    group_id: str
    instance_id: str | None
    rebalance_timeout_ms: int
    assignor: str | None = None
    rack: str | None = None


class Said(NamedTuple):
    """What the coordinator knows of a member."""

    topics: tuple[str, ...]
    regex: str
    owned: frozenset[tuple[bytes, int]]


def new_member_id(randomness: random.Random) -> str:
    """A member id as Kafka's clients make it (KIP-1082): 128 random bits as text, without a leading
    dash."""
    while True:
        data = randomness.getrandbits(128).to_bytes(16, "big")
        text = base64.urlsafe_b64encode(data).rstrip(b"=").decode()
        if not text.startswith("-"):
            return text


class ConsumerMember:
    """One membership, over all its epochs."""

    def __init__(self, options: ConsumerMemberOptions, member_id: str) -> None:
        self._options = options
        self.member_id = member_id
        self.epoch = JOINING
        self.target: frozenset[tuple[bytes, int]] = frozenset()
        """The partitions that it should have: (topic id, number)."""
        self._known: Said | None = None
        self._saying: Said | None = None
        self._may_have_regex = False
        """The coordinator was told a pattern, and has not answered since that there is none."""

    @property
    def identity(self) -> Identity:
        """Who this member is in a commit; epoch 0 is none."""
        return Identity(self.epoch, self.member_id, self._options.instance_id, is_epoch=True)

    def request(
        self, topics: Iterable[str], regex: str | None, owned: Iterable[tuple[bytes, int]]
    ) -> ConsumerGroupHeartbeatRequest:
        """The next heartbeat."""
        is_joining = self.epoch == JOINING
        now = Said(
            tuple(sorted(set(topics))),
            NO_REGEX if regex is None else regex,
            frozenset() if is_joining else frozenset(owned),
        )
        self._saying = now
        self._may_have_regex |= now.regex != NO_REGEX
        request = ConsumerGroupHeartbeatRequest(
            group_id=self._options.group_id,
            member_id=self.member_id,
            member_epoch=self.epoch,
            instance_id=self._options.instance_id,
            rebalance_timeout_ms=-1,
            topic_partitions=None,
        )
        known = self._known
        if known is None:
            request.rebalance_timeout_ms = self._options.rebalance_timeout_ms
            request.server_assignor = self._options.assignor
            request.rack_id = self._options.rack
        if known is None or known.topics != now.topics:
            request.subscribed_topic_names = list(now.topics)
        # Who says everything again must take a pattern back, too: left out, it stays as it was.
        if self._may_have_regex if known is None else known.regex != now.regex:
            request.subscribed_topic_regex = now.regex
        if known is None or known.owned != now.owned:
            request.topic_partitions = listed_by_id(now.owned)
        return request

    def on_answer(
        self, response: ConsumerGroupHeartbeatResponse, asked: ConsumerGroupHeartbeatRequest
    ) -> Reaction:
        """What the coordinator says; of an earlier life of the member it does not matter."""
        if asked.member_epoch != self.epoch:
            return Reaction.DONE
        reaction = reaction_to(CONSUMER_HEARTBEAT, response.error_code)
        if reaction is not Reaction.DONE:
            self._known = None
            if reaction is Reaction.LOST:
                self.lost()
            return reaction
        self._known = self._saying
        self._may_have_regex = self._known is not None and self._known.regex != NO_REGEX
        self.epoch = response.member_epoch
        if response.assignment is not None:
            self.target = frozenset(
                (each.topic_id, number)
                for each in response.assignment.topic_partitions
                for number in each.partitions
            )
        return reaction

    def unanswered(self) -> None:
        """Nobody knows what the coordinator has heard: say everything again."""
        self._known = None

    def lost(self) -> None:
        """The group has gone on without this member: it joins again under its id."""
        self.epoch = JOINING
        self.target = frozenset()
        self._known = None

    def on_commit(self, code: int, by: Identity) -> Reaction:
        """What a commit's error says of the membership."""
        if by != self.identity:
            return Reaction.DONE
        if code in (ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.FENCED_MEMBER_EPOCH):
            self.lost()
            return Reaction.LOST
        if code == ErrorCode.FENCED_INSTANCE_ID:
            return Reaction.FATAL
        return Reaction.RETRY if code == ErrorCode.STALE_MEMBER_EPOCH else Reaction.DONE

    def leave_request(self, option: CloseOption) -> ConsumerGroupHeartbeatRequest | None:
        """The last heartbeat; None when there is nothing to say (CLI-05)."""
        is_static = self._options.instance_id is not None
        if self.epoch == JOINING or (option is CloseOption.REMAIN_IN_GROUP and not is_static):
            return None
        stays = is_static and option is not CloseOption.LEAVE_GROUP
        return ConsumerGroupHeartbeatRequest(
            group_id=self._options.group_id,
            member_id=self.member_id,
            member_epoch=LEAVES_FOR_A_WHILE if stays else LEAVES,
            instance_id=self._options.instance_id,
            rebalance_timeout_ms=-1,
            topic_partitions=None,
        )


def listed_by_id(partitions: Iterable[tuple[bytes, int]]) -> list[TopicPartitions]:
    """Partitions as a heartbeat has them."""
    grouped: dict[bytes, list[int]] = {}
    for topic_id, number in sorted(partitions):
        grouped.setdefault(topic_id, []).append(number)
    return [TopicPartitions(topic_id=key, partitions=each) for key, each in grouped.items()]
