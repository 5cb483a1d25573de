"""Each check of groups on a history that breaks its promise, and on one that does not."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
from kit.batches import around, record

from barnabas.broker.core.cluster.topic_image import GROUPS_TOPIC
from barnabas.client import TopicPartition
from barnabas.protocol.coordinator_records import encode_key
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.consumer_group_metadata_key import ConsumerGroupMetadataKey
from barnabas.testing.simulation.checks.groups import GroupContract
from barnabas.testing.simulation.hooks import HookBus
from barnabas.testing.simulation.work import Work
from barnabas.testing.simulation.workload.group_history import (
    Commit,
    Found,
    GroupHistory,
    Handed,
    Told,
)

HERE = TopicPartition("grouped", 0)
THERE = TopicPartition("grouped", 1)


class Scene:
    """One group, whose history is made up; time goes on by one with each event."""

    def __init__(self) -> None:
        self.loop = cast("Any", SimpleNamespace(now=0.0, violation=None, work=Work()))
        self.history = GroupHistory(lambda text: None)
        self.is_off = False
        self.bus = HookBus(self.loop)
        self.contract = GroupContract(self.bus, self.history, lambda: self.is_off)

    @property
    def rule(self) -> str:
        """Of the promise that was broken first; empty: none was."""
        return "" if self.loop.violation is None else str(self.loop.violation.rule)

    def told(
        self, member: str, generation: int, *where: TopicPartition, instance: str | None = None
    ) -> None:
        self.loop.now += 1
        told = Told("g", member, generation, frozenset(where or (HERE,)), instance)
        self.history.tell(self.history.told, told)

    def forgotten(self) -> None:
        """The coordinator removes what it knew of the group."""
        gone = record(0, None, encode_key(ConsumerGroupMetadataKey(group_id="g")))
        log = SimpleNamespace(topic=GROUPS_TOPIC)
        batches = around(gone, count=1, timestamp=0)
        self.bus.tell("node-1", 1, "append", {"log": log, "batches": batches})

    def handed(self, first: int, end: int) -> None:
        self.loop.now += 1
        self.history.tell(self.history.handed, Handed("g", "client", HERE, first, end))

    def asked(self, member: str, generation: int, offset: int) -> Commit:
        """A commit is on its way."""
        self.loop.now += 1
        commit = Commit("g", member, generation, {HERE: offset}, self.loop.now)
        self.history.tell(self.history.committing, commit)
        return commit

    def answered(self, commit: Commit, code: int = 0) -> None:
        self.loop.now += 1
        commit.codes, commit.ended_s = {HERE: code}, self.loop.now
        self.history.tell(self.history.committed, commit)

    def found(self, offset: int, asked_s: float | None = None) -> None:
        self.loop.now += 1
        at_s = self.loop.now if asked_s is None else asked_s
        offsets = {HERE: offset} if offset >= 0 else {}
        self.history.tell(self.history.found, Found("g", (HERE,), offsets, at_s))


@pytest.fixture
def scene() -> Scene:
    made = Scene()
    made.told("a", 1)
    made.handed(0, 10)
    assert made.rule == ""
    return made


def test_i31_two_members_in_one_generation(scene: Scene) -> None:
    """I-31: one generation gives a partition to one member."""
    scene.told("b", 1)
    assert scene.rule == "I-31"


def test_i31_a_partition_that_changes_hands(scene: Scene) -> None:
    """I-31: in the next generation it may be another's, and so may other partitions in this one."""
    scene.told("b", 1, THERE)
    scene.told("b", 2, HERE)
    scene.answered(scene.asked("b", 2, 10))
    assert scene.rule == ""


def test_i31_a_group_that_was_forgotten(scene: Scene) -> None:
    """I-31: its generations begin anew: for a member whom nobody knew, and for one of the consumer
    protocol, which comes back with its id. Not before it was forgotten."""
    scene.told("a", 3)
    scene.forgotten()
    scene.told("a", 2)
    scene.told("b", 3)
    assert scene.rule == ""
    scene.forgotten()
    scene.told("c", 3)
    assert scene.rule == ""
    scene.told("b", 3)
    assert scene.rule == "I-31"


def test_i31_a_member_is_back_in_the_same_generation(scene: Scene) -> None:
    """I-31: the new life of a group reaches the generation in which it had been left (seed
    486623). What another has since is that one's, in the old life as in the new one."""
    scene.told("a", 2)
    scene.told("b", 6)
    scene.forgotten()
    scene.told("a", 2)
    scene.answered(scene.asked("a", 2, 0))
    assert scene.rule == ""
    scene.told("b", 3)
    scene.answered(scene.asked("a", 2, 0))
    assert scene.rule == "I-31"


def test_i31_a_static_member_that_is_back(scene: Scene) -> None:
    """I-31: under another id it may have the same in the same generation."""
    scene.told("i-1", 2, instance="i")
    scene.told("i-2", 2, instance="i")
    assert scene.rule == ""
    scene.answered(scene.asked("i-1", 2, 3))
    assert scene.rule == "I-31"


def test_i31_a_commit_of_who_lost_it(scene: Scene) -> None:
    """I-31: it succeeds although it was sent after another was told."""
    scene.told("b", 2)
    scene.answered(scene.asked("a", 1, 5))
    assert scene.rule == "I-31"


def test_i31_a_commit_that_was_on_its_way(scene: Scene) -> None:
    """I-31: it was sent before the other was told, or is refused."""
    commit = scene.asked("a", 1, 5)
    scene.told("b", 2)
    scene.answered(commit)
    scene.answered(scene.asked("a", 1, 5), ErrorCode.ILLEGAL_GENERATION)
    assert scene.rule == ""


def test_i32_records_between_are_left_out(scene: Scene) -> None:
    """I-32: a member begins behind what was handed out."""
    scene.handed(11, 12)
    assert scene.rule == "I-32"


def test_i32_records_are_handed_out_again(scene: Scene) -> None:
    """I-32: that is what a group may do."""
    scene.handed(4, 12)
    assert scene.rule == ""
    assert scene.contract.left("g", {HERE: 12}) == []
    assert scene.contract.left("g", {HERE: 13}) == [f"g has {HERE} up to 12 of 13"]


def test_i32_commit_of_what_nobody_got(scene: Scene) -> None:
    """I-32: an offset beyond what was handed out would skip records."""
    scene.asked("a", 1, 11)
    assert scene.rule == "I-32"


def test_i26_a_commit_that_was_answered_is_lost(scene: Scene) -> None:
    """I-26: after a change of coordinator, say."""
    scene.answered(scene.asked("a", 1, 5))
    scene.found(-1)
    assert scene.rule == "I-26"


def test_i26_the_offset_before_is_found(scene: Scene) -> None:
    """I-26: an answer to a question from before the success may have the older one."""
    scene.answered(scene.asked("a", 1, 3))
    asked_s = scene.loop.now
    scene.answered(scene.asked("a", 1, 5))
    scene.found(3, asked_s)
    assert scene.rule == ""
    scene.found(3)
    assert scene.rule == "I-26"


def test_i26_what_was_found_is_found_again(scene: Scene) -> None:
    """I-26: also where nobody knows what became of the commit."""
    scene.asked("a", 1, 4)
    scene.asked("a", 1, 6)
    scene.found(6)
    assert scene.rule == ""
    scene.found(4)
    assert scene.rule == "I-26"


def test_i26_a_refused_commit_counts(scene: Scene) -> None:
    """I-26: the group had gone on without this member."""
    scene.answered(scene.asked("a", 1, 5), ErrorCode.UNKNOWN_MEMBER_ID)
    scene.found(5)
    assert scene.rule == "I-26"


def test_i26_a_commit_that_took_too_long_may_count(scene: Scene) -> None:
    """I-26, CRT-08: its records may still be replicated."""
    scene.answered(scene.asked("a", 1, 5), ErrorCode.COORDINATOR_NOT_AVAILABLE)
    scene.found(-1)
    scene.found(5)
    assert scene.rule == ""


def test_nothing_is_promised_after_an_unclean_election(scene: Scene) -> None:
    """I-32: such an election was allowed to lose records."""
    scene.is_off = True
    scene.handed(11, 12)
    assert scene.rule == ""
    assert scene.contract.left("g", {HERE: 13}) == []
