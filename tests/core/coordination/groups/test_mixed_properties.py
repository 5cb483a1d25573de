"""Groups of both protocols under everything at once: no partition has two owners (848-18)."""

from __future__ import annotations

from typing import cast

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from kit.examples import examples

from barnabas.broker.core.coordination.groups.consumer.partitions import TopicPartition
from barnabas.protocol.errors import ErrorCode, KafkaError

from .classic_consumer import ClassicConsumer
from .consumer.scene import Consumer, Scene
from .mixed import Mixed

NAMES = ("t", "u")
FENCED = (25, 69, 82, 110)
CONSUMER = "consumer"
"""Accidents happen to groups of this kind: in a classic one the members, not the coordinator, see
to it that no partition has two owners."""
STEP_MS = 1000
SILENT_AT_MOST = 2
"""Steps of the clock after which a consumer has done something in any case."""

AnyConsumer = Consumer | ClassicConsumer


class Groups(RuleBasedStateMachine):
    """Consumers of both protocols come and go, so that the group changes its kind; appends fail,
    and another coordinator loads the log."""

    def __init__(self) -> None:
        super().__init__()
        self.scene = Mixed()
        self.consumers: list[AnyConsumer] = []
        self.heard: dict[int, int] = {}
        self.number = 0
        self.steps = 0
        self.is_cooperative = True

    @initialize(is_cooperative=st.booleans())
    def begin(self, is_cooperative: bool) -> None:
        self.is_cooperative = is_cooperative
        self.scene.topics.make("t", 3)
        self.scene.topics.make("u", 2)

    # --- consumers ------------------------------------------------------------------------------

    @rule(names=st.sampled_from([("t",), ("t", "u")]))
    @precondition(lambda self: len(self.consumers) < 5)
    def come_with_the_consumer_protocol(self, names: tuple[str, ...]) -> None:
        self.number += 1
        scene = cast("Scene", self.scene)  # of a scene a Consumer uses `ask` alone
        self._come(Consumer(scene, f"m{self.number}", *names))

    @rule()
    @precondition(lambda self: len(self.consumers) < 5)
    def come_with_the_classic_protocol(self) -> None:
        self._come(ClassicConsumer(self.scene, *NAMES, is_cooperative=self.is_cooperative))

    @rule(data=st.data(), times=st.integers(1, 4))
    @precondition(lambda self: self.consumers)
    def do_something(self, data: st.DataObject, times: int) -> None:
        one = self._any(data)
        for _ in range(times):
            self._step(one)

    @rule(data=st.data())
    @precondition(lambda self: self.consumers)
    def vanish(self, data: st.DataObject) -> None:
        self.consumers.remove(self._any(data))

    @rule(data=st.data())
    @precondition(lambda self: self.consumers)
    def leave(self, data: st.DataObject) -> None:
        one = self._any(data)
        self.consumers.remove(one)
        if isinstance(one, ClassicConsumer):
            self.scene.leave((one.member_id, None))
            return
        try:
            one.leave()
        except KafkaError as error:
            assert error.code in FENCED, error

    # --- time and accidents ---------------------------------------------------------------------

    @rule(seconds=st.integers(1, 12))
    def wait(self, seconds: int) -> None:
        for _ in range(seconds):
            self._tick()

    @rule()
    @precondition(lambda self: self.scene.kind == CONSUMER)
    def move(self) -> None:
        self.scene.reload()

    @rule(data=st.data(), times=st.integers(1, 3))
    @precondition(lambda self: self.consumers and self.scene.kind == CONSUMER)
    def fail(self, data: st.DataObject, times: int) -> None:
        """What one consumer does for a while cannot be written; nobody hears the answers."""
        self.scene.shard.commits_at_once = False
        one = self._any(data)
        for _ in range(times):
            if isinstance(one, Consumer):
                try:
                    self.scene.ask(one.request(full=True))
                except KafkaError as error:
                    assert error.code in FENCED, error
            else:
                one.step()
        self.scene.shard.fail(ErrorCode.COORDINATOR_NOT_AVAILABLE)
        self.scene.shard.commits_at_once = True
        if isinstance(one, ClassicConsumer):
            one.give_up_waiting()

    # --- what must hold -------------------------------------------------------------------------

    @invariant()
    def nobody_shares(self) -> None:
        owned: list[TopicPartition] = [p for one in self.consumers for p in one.owned]
        assert len(owned) == len(set(owned)), [(one, one.owned) for one in self.consumers]

    def teardown(self) -> None:
        """Left in peace, all partitions find an owner."""
        for _ in range(120):
            for one in self.consumers:
                self._step(one)
                self._step(one)
            self._tick()
            self.nobody_shares()
        topics = self.scene.topics.image.topics_by_name
        wanted = {name for one in self.consumers for name in one.topics or ()}
        there = {(topics[name].topic_id, n) for name in wanted for n in topics[name].partitions}
        assert {p for one in self.consumers for p in one.owned} == there, self.scene.kind

    # --- what is used above ---------------------------------------------------------------------

    def _come(self, one: AnyConsumer) -> None:
        self.consumers.append(one)
        self._step(one)

    def _any(self, data: st.DataObject) -> AnyConsumer:
        return self.consumers[data.draw(st.integers(0, len(self.consumers) - 1))]

    def _tick(self) -> None:
        self.steps += 1
        for one in self.consumers:
            if self.steps - self.heard.get(id(one), 0) >= SILENT_AT_MOST:
                self._step(one)
        self.scene.wait(STEP_MS)

    def _step(self, one: AnyConsumer) -> None:
        self.heard[id(one)] = self.steps
        if isinstance(one, ClassicConsumer):
            one.step()
            return
        try:
            one.beat()
        except KafkaError as error:
            assert error.code in FENCED, error
            one.epoch, one.owned = 0, set()


TestMixedGroups = Groups.TestCase
TestMixedGroups.settings = settings(max_examples=examples(8), stateful_step_count=25, deadline=None)


@pytest.mark.slow
def test_mixed_groups_at_length() -> None:
    """The same with many more turns of events (848-18)."""
    run_state_machine_as_test(
        Groups, settings=settings(max_examples=examples(150), stateful_step_count=50, deadline=None)
    )
