"""One shard with consumer groups, topics that come and go, and members that play by the rules."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kit.logs import ManualClock, env_of
from kit.shards import OneShard

from barnabas.broker.core.cluster.image import RESOURCE_GROUP, ClusterImage
from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.coordination.groups.classic.classic_groups import ClassicGroups
from barnabas.broker.core.coordination.groups.consumer.consumer_group import ConsumerGroup
from barnabas.broker.core.coordination.groups.consumer.consumer_groups import ConsumerGroups
from barnabas.broker.core.coordination.groups.consumer.heartbeat_checks import check_heartbeat
from barnabas.broker.core.coordination.groups.consumer.member import Client
from barnabas.broker.core.coordination.groups.consumer.partitions import TopicPartition
from barnabas.broker.core.coordination.groups.group import Group
from barnabas.broker.core.coordination.groups.surroundings import GroupSurroundings
from barnabas.broker.core.coordination.machine import Producer, Record
from barnabas.broker.core.coordination.timeline import Timeline, TimelineDict
from barnabas.broker.core.reads import finish
from barnabas.protocol.coordinator_records import (
    CONSUMER_GROUP_VERSION,
    UnknownRecordType,
    decode_group_key,
    decode_group_value,
    encode_key,
    encode_value,
)
from barnabas.protocol.errors import KafkaError
from barnabas.protocol.messages.config_record import ConfigRecord
from barnabas.protocol.messages.consumer_group_describe_response import DescribedGroup
from barnabas.protocol.messages.consumer_group_heartbeat_request import (
    ConsumerGroupHeartbeatRequest,
    TopicPartitions,
)
from barnabas.protocol.messages.consumer_group_heartbeat_response import (
    ConsumerGroupHeartbeatResponse,
)
from barnabas.protocol.messages.partition_record import PartitionRecord
from barnabas.protocol.messages.register_broker_record import RegisterBrokerRecord
from barnabas.protocol.messages.remove_topic_record import RemoveTopicRecord
from barnabas.protocol.messages.topic_record import TopicRecord

GROUP = "g"
CLIENT = Client("client", "/127.0.0.1")
SESSION_MS = 45_000
REBALANCE_MS = 30_000


class Topics:
    """The cluster's metadata, as far as groups look at it."""

    def __init__(self) -> None:
        self.image = ClusterImage()
        self._made = 0
        for broker_id in (1, 2, 3):
            self._apply(
                RegisterBrokerRecord(broker_id=broker_id, broker_epoch=1, rack=f"r{broker_id}")
            )

    def make(self, name: str, partitions: int) -> bytes:
        """A topic, or a topic of that name once more; its id."""
        self._made += 1
        topic_id = self._made.to_bytes(16, "big")
        self._apply(TopicRecord(name=name, topic_id=topic_id))
        self.grow(name, partitions)
        return topic_id

    def grow(self, name: str, partitions: int) -> None:
        """Give a topic so many partitions."""
        topic = self.image.topics_by_name[name]
        for number in range(len(topic.partitions), partitions):
            replicas = [1 + number % 3]
            self._apply(
                PartitionRecord(
                    partition_id=number,
                    topic_id=topic.topic_id,
                    replicas=replicas,
                    isr=replicas,
                    leader=replicas[0],
                )
            )

    def remove(self, name: str) -> None:
        self._apply(RemoveTopicRecord(topic_id=self.image.topics_by_name[name].topic_id))

    def configure(self, group_id: str, name: str, value: str | None) -> None:
        """A setting of a group."""
        self._apply(
            ConfigRecord(
                resource_type=RESOURCE_GROUP, resource_name=group_id, name=name, value=value
            )
        )

    def _apply(self, record: Any) -> None:
        self.image.apply(record, self.image.last_offset + 1)


class Machine:
    """The part of a shard's machine that consumer groups are."""

    def __init__(self, around: GroupSurroundings) -> None:
        self.around = around
        self.classic = ClassicGroups(around)
        self.groups = ConsumerGroups(around, self.classic)

    def replay(self, record: Record, offset: int, producer: Producer | None) -> None:
        del offset, producer
        self.groups.replay(record)

    def replay_end(self, producer: Producer, *, is_commit: bool) -> None:
        raise AssertionError(f"{producer} {is_commit}: no record of consumer groups is of any")

    def on_loaded(self) -> None:
        self.groups.on_loaded()

    def on_unloaded(self) -> None:
        self.groups.on_unloaded()


class Scene:
    """A shard and its surroundings; it can be loaded anew from its log."""

    def __init__(self, **settings: Any) -> None:
        self.clock = ManualClock()
        self.topics = Topics()
        self.config = replace(BrokerConfig(), **settings)
        self.reports: list[tuple[str, dict[str, object]]] = []
        self._load([])

    def _load(self, log: list[Record]) -> None:
        timeline = Timeline()
        self.shard = OneShard(timeline, self.clock)
        self.around = GroupSurroundings(
            env=env_of(clock=self.clock),
            config=self.config,
            image=lambda: self.topics.image,
            timeline=timeline,
            timers=self.shard.timers,
            groups=TimelineDict[str, Group](timeline),
            report=lambda event, fields: self.reports.append((event, fields)),
        )
        self.machine = Machine(self.around)
        self.groups = self.machine.groups
        self.shard.run(self.machine)
        for offset, record in enumerate(log):
            self.machine.replay(through_bytes(record), offset, None)
        self.shard.log = list(log)
        self.shard.commit()
        self.machine.on_loaded()

    def reload(self) -> None:
        """Another node takes the shard over: what is not committed is lost."""
        self._load(self.shard.log[: self.shard.committed])

    # --- looking --------------------------------------------------------------------------------

    @property
    def group(self) -> ConsumerGroup:
        found = self.around.groups[GROUP]
        assert isinstance(found, ConsumerGroup)
        return found

    @property
    def epoch(self) -> int:
        return self.group.state.numbers.epoch

    def state_name(self) -> str:
        return self.group.state_name_at(self.shard.committed)

    def described(self, group_id: str = GROUP) -> DescribedGroup:
        """As ConsumerGroupDescribe tells it. Raises KafkaError."""
        return finish(self.groups.describing(group_id, self.shard.committed))

    def keys_since(self, start: int) -> list[int]:
        """Types of the keys written from a place of the log on; tombstones are negative."""
        return [
            (record.key.API_KEY or 0) * (1 if record.value is not None else -1)
            for record in self.shard.log[start:]
        ]

    # --- doing ----------------------------------------------------------------------------------

    def change(self, *names: str) -> None:
        """Tell the shard that topics changed."""
        self.groups.on_metadata_changed(names)

    def ask(
        self, request: ConsumerGroupHeartbeatRequest, api_version: int = 1
    ) -> ConsumerGroupHeartbeatResponse:
        """One heartbeat, with the checks before it."""
        check_heartbeat(request, api_version, self.config.group_consumer_assignors)
        return self.shard.write(lambda: self.groups.heartbeat(request, CLIENT))

    def wait(self, ms: float) -> None:
        self.shard.timers.advance(ms)


class Consumer:
    """A member as a client plays it: it owns what it is told, and says so."""

    def __init__(
        self,
        scene: Scene,
        member_id: str,
        *topics: str,
        pattern: str | None = None,
        instance_id: str | None = None,
        assignor: str | None = None,
    ) -> None:
        self.scene = scene
        self.member_id = member_id
        self.instance_id = instance_id
        self.topics: list[str] | None = list(topics)
        self.pattern = pattern
        self.assignor = assignor
        self.epoch = 0
        self.owned: set[TopicPartition] = set()
        self.gives_up = True
        """False: it goes on with partitions that are taken from it."""

    @property
    def numbers(self) -> list[int]:
        """Numbers of the partitions that it owns."""
        return sorted(partition for _, partition in self.owned)

    def request(self, *, full: bool = True, **changes: Any) -> ConsumerGroupHeartbeatRequest:
        """Its next heartbeat; not `full`: with the owned partitions and nothing else."""
        fields: dict[str, Any] = {
            "group_id": GROUP,
            "member_id": self.member_id,
            "member_epoch": self.epoch,
            "instance_id": self.instance_id,
            "topic_partitions": listed(self.owned),
        }
        if full:
            fields["rebalance_timeout_ms"] = REBALANCE_MS
            fields["subscribed_topic_names"] = self.topics
            fields["subscribed_topic_regex"] = self.pattern
            fields["server_assignor"] = self.assignor
        return ConsumerGroupHeartbeatRequest(**{**fields, **changes})

    def beat(self, *, full: bool = True, **changes: Any) -> ConsumerGroupHeartbeatResponse:
        """Send a heartbeat and do as the answer says."""
        answer = self.scene.ask(self.request(full=full, **changes))
        self.take(answer)
        return answer

    def take(self, answer: ConsumerGroupHeartbeatResponse) -> None:
        """Do as an answer says."""
        self.epoch = answer.member_epoch
        if answer.assignment is None:
            return
        told = {
            (topic.topic_id, partition)
            for topic in answer.assignment.topic_partitions
            for partition in topic.partitions
        }
        self.owned = told if self.gives_up else self.owned | told

    def join(self) -> ConsumerGroupHeartbeatResponse:
        """Begin anew, with nothing."""
        self.epoch, self.owned = 0, set()
        return self.beat()

    def leave(self, epoch: int = -1) -> ConsumerGroupHeartbeatResponse:
        return self.scene.ask(
            ConsumerGroupHeartbeatRequest(
                group_id=GROUP,
                member_id=self.member_id,
                member_epoch=epoch,
                instance_id=self.instance_id,
            )
        )


def listed(partitions: set[TopicPartition]) -> list[TopicPartitions]:
    """As a request lists them."""
    return [
        TopicPartitions(topic_id=topic_id, partitions=[partition])
        for topic_id, partition in sorted(partitions)
    ]


def settle(scene: Scene, *consumers: Consumer, rounds: int = 12) -> None:
    """Let all heartbeat, a second apart, until they have what they shall have."""
    for _ in range(rounds):
        for consumer in consumers:
            consumer.beat()
        scene.wait(1000)


def refusal(ask: Any) -> int:
    """The error code that a call raises; 0 if it raises none."""
    try:
        ask()
    except KafkaError as error:
        return int(error.code)
    return 0


def through_bytes(record: Record) -> Record:
    """The record as the log gives it back."""
    key = decode_group_key(encode_key(record.key))
    assert not isinstance(key, UnknownRecordType)
    if record.value is None:
        return Record(key, None)
    assert key.API_KEY is not None
    value = encode_value(record.value, CONSUMER_GROUP_VERSION)
    return Record(key, decode_group_value(key.API_KEY, value))
