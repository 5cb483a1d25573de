"""A group under everything at once, as a state machine for hypothesis."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from barnabas.broker.core.coordination.groups.consumer.consumer_group import ConsumerGroup
from barnabas.broker.core.coordination.groups.consumer.partitions import TopicPartition
from barnabas.protocol.errors import ErrorCode, KafkaError

from .scene import GROUP, Consumer, Scene

NAMES = ("t", "u", "ux")
SUBSCRIPTIONS: tuple[tuple[list[str], str], ...] = (
    (["t"], ""),
    (["t", "u"], ""),
    ([], "u.*"),
    (["t"], "ux"),
    ([], ""),
)
FENCED = (25, 69, 82, 110)


class Groups(RuleBasedStateMachine):
    """Members that join, leave, are fenced and revoke slowly; topics that grow and vanish;
    appends that fail; another coordinator that loads the log."""

    def __init__(self) -> None:
        super().__init__()
        self.scene = Scene()
        self.consumers: dict[str, Consumer] = {}
        self.waiting: list[tuple[Consumer, Any]] = []
        self.number = 0

    @initialize()
    def begin(self) -> None:
        self.scene.topics.make("t", 3)
        self.scene.topics.make("u", 2)

    # --- members --------------------------------------------------------------------------------

    @rule(
        subscription=st.sampled_from(SUBSCRIPTIONS),
        instance_id=st.sampled_from([None, None, "i", "j"]),
        assignor=st.sampled_from([None, None, "range"]),
    )
    @precondition(lambda self: len(self.consumers) < 5)
    def join(
        self, subscription: tuple[list[str], str], instance_id: str | None, assignor: str | None
    ) -> None:
        names, pattern = subscription
        self.number += 1
        consumer = Consumer(
            self.scene,
            f"m{self.number}",
            *names,
            pattern=pattern,
            instance_id=instance_id,
            assignor=assignor,
        )
        self.consumers[consumer.member_id] = consumer
        self._beat(consumer)

    @rule(data=st.data(), full=st.booleans())
    @precondition(lambda self: self.consumers)
    def heartbeat(self, data: st.DataObject, full: bool) -> None:
        self._beat(self._any(data), full=full)

    @rule(data=st.data())
    @precondition(lambda self: self.consumers)
    def lose_an_answer(self, data: st.DataObject) -> None:
        consumer = self._any(data)
        try:
            self.scene.ask(consumer.request())
        except KafkaError as error:
            self._refused(consumer, error)

    @rule(data=st.data())
    @precondition(lambda self: self.consumers)
    def restart(self, data: st.DataObject) -> None:
        consumer = self._any(data)
        consumer.epoch, consumer.owned = 0, set()
        self._beat(consumer)

    @rule(data=st.data(), subscription=st.sampled_from(SUBSCRIPTIONS))
    @precondition(lambda self: self.consumers)
    def subscribe(self, data: st.DataObject, subscription: tuple[list[str], str]) -> None:
        consumer = self._any(data)
        consumer.topics, consumer.pattern = subscription
        self._beat(consumer)

    @rule(data=st.data(), gives_up=st.booleans())
    @precondition(lambda self: self.consumers)
    def change_pace(self, data: st.DataObject, gives_up: bool) -> None:
        self._any(data).gives_up = gives_up

    @rule(data=st.data(), for_a_while=st.booleans())
    @precondition(lambda self: self.consumers)
    def leave(self, data: st.DataObject, for_a_while: bool) -> None:
        consumer = self._any(data)
        epoch = -2 if for_a_while and consumer.instance_id is not None else -1
        del self.consumers[consumer.member_id]
        try:
            consumer.leave(epoch)
        except KafkaError as error:
            assert error.code in FENCED

    @rule(data=st.data())
    @precondition(lambda self: self.consumers)
    def crash(self, data: st.DataObject) -> None:
        del self.consumers[self._any(data).member_id]

    # --- surroundings ---------------------------------------------------------------------------

    @rule(rounds=st.integers(1, 4))
    def go_on(self, rounds: int) -> None:
        """Everybody heartbeats, a second apart."""
        for _ in range(rounds):
            for consumer in list(self.consumers.values()):
                self._beat(consumer)
            self.scene.wait(1000)

    @rule(data=st.data(), ms=st.sampled_from([0, 1000, 1000, 11_000, 31_000]))
    @precondition(lambda self: self.consumers)
    def wait(self, data: st.DataObject, ms: int) -> None:
        """Time passes, and one of them is heard of next."""
        self.scene.wait(ms)
        self._beat(self._any(data))

    @rule(name=st.sampled_from(NAMES), is_told=st.booleans())
    def change_topic(self, name: str, is_told: bool) -> None:
        topics = self.scene.topics
        topic = topics.image.topics_by_name.get(name)
        if topic is None:
            topics.make(name, 2)
        elif len(topic.partitions) < 4:
            topics.grow(name, len(topic.partitions) + 1)
        else:
            topics.remove(name)
        if is_told:
            self.scene.change(name)

    @rule()
    def stop_committing(self) -> None:
        self.scene.shard.commits_at_once = False

    @rule()
    def commit(self) -> None:
        """All that was written is replicated: the answers that waited for it leave."""
        self.scene.shard.commits_at_once = True
        self.scene.shard.commit()
        self._answer()

    @rule()
    def fail(self) -> None:
        """What was not committed is taken back: its clients hear of an error, and try again."""
        self.scene.shard.fail(ErrorCode.NOT_COORDINATOR)
        self.waiting.clear()
        self.scene.shard.commits_at_once = True

    @rule()
    def load(self) -> None:
        """Another coordinator goes on with what is committed."""
        self.waiting.clear()
        before = self._described()
        self.scene.reload()
        assert self._described() == before

    # --- what must hold -------------------------------------------------------------------------

    @invariant()
    def nobody_shares(self) -> None:
        """What members have or must give up overlaps nowhere, and the owners are known
        (848-18)."""
        group = self.scene.around.groups.get(GROUP)
        if not isinstance(group, ConsumerGroup):
            return
        seen: dict[TopicPartition, str] = {}
        for member_id in group.state.members:
            for partition in group.state.current(member_id).held:
                assert partition not in seen, (partition, seen[partition], member_id)
                seen[partition] = member_id
                assert group.state.owner_of(partition) == member_id

    @invariant()
    def what_clients_have_is_theirs(self) -> None:
        """A client goes on with nothing that the coordinator thinks it has given up (848-17)."""
        group = self.scene.around.groups.get(GROUP)
        if not isinstance(group, ConsumerGroup):
            return
        for consumer in self.consumers.values():
            current = group.state.currents.get(consumer.member_id)
            if current is not None and consumer.epoch == current.epoch:
                assert consumer.owned <= current.held, consumer.member_id

    @invariant()
    def targets_are_of_members(self) -> None:
        """Nothing is left of members that are gone (REC-02)."""
        group = self.scene.around.groups.get(GROUP)
        if isinstance(group, ConsumerGroup):
            members = set(group.state.members)
            assert set(group.state.targets) <= members
            assert set(group.state.currents) <= members
            assert set(group.state.instances.values()) <= members

    def teardown(self) -> None:
        """All who are left heartbeat for a while: everybody comes to the target."""
        self.scene.shard.fail(ErrorCode.NOT_COORDINATOR)
        self.waiting.clear()
        self.scene.shard.commits_at_once = True
        self.scene.change(*NAMES)
        for consumer in self.consumers.values():
            consumer.gives_up = True
        for _ in range(65):  # longer than a session, so that who crashed is gone
            for consumer in list(self.consumers.values()):
                self._beat(consumer)
            self.scene.wait(1000)
        if self.consumers:
            self._check_target()
        before = self._described()
        self.scene.reload()
        assert self._described() == before
        super().teardown()

    def _check_target(self) -> None:
        """Each partition of a subscribed topic is one member's, and the member knows."""
        scene, group = self.scene, self.scene.group
        assert scene.state_name() == "Stable"
        assert set(group.state.members) == set(self.consumers)
        names = {name for one in self.consumers.values() for name in one.topics or ()}
        patterns = {one.pattern for one in self.consumers.values()}
        topics = scene.topics.image.topics_by_name
        names |= {
            name
            for name in topics
            if ("u.*" in patterns and name.startswith("u")) or ("ux" in patterns and name == "ux")
        }
        there = {
            (topics[name].topic_id, number)
            for name in names
            if name in topics
            for number in topics[name].partitions
        }
        owned = [one for consumer in self.consumers.values() for one in consumer.owned]
        assert sorted(owned) == sorted(there)

    # --- how ------------------------------------------------------------------------------------

    def _any(self, data: st.DataObject) -> Consumer:
        return self.consumers[data.draw(st.sampled_from(sorted(self.consumers)))]

    def _beat(self, consumer: Consumer, *, full: bool = True) -> None:
        if any(one is consumer for one, _ in self.waiting):
            return  # a client has one heartbeat under way
        try:
            answer = self.scene.ask(consumer.request(full=full or consumer.epoch == 0))
        except KafkaError as error:
            self._refused(consumer, error)
            return
        if self.scene.shard.commits_at_once:
            consumer.take(answer)
        else:
            self.waiting.append((consumer, answer))

    def _answer(self) -> None:
        waiting, self.waiting = self.waiting, []
        for consumer, answer in waiting:
            consumer.take(answer)

    def _refused(self, consumer: Consumer, error: KafkaError) -> None:
        if error.code == ErrorCode.UNRELEASED_INSTANCE_ID:
            consumer.instance_id = None  # somebody else is that instance: join as nobody special
            consumer.epoch, consumer.owned = 0, set()
        else:
            assert error.code in FENCED, error
            consumer.epoch, consumer.owned = 0, set()
            if error.code == ErrorCode.FENCED_INSTANCE_ID:
                consumer.instance_id = None

    def _described(self) -> Any:
        try:
            return self.scene.described()
        except KafkaError as error:
            return error.code
