"""Goal: an operator reads at level info what became of the cluster, in few lines."""

from __future__ import annotations

from pathlib import Path

from kit.list_logger import ListLogger
from kit.waiting import until

from barnabas.broker.core.cluster.changes import Changes
from barnabas.broker.core.cluster.image import ClusterImage
from barnabas.broker.core.raft.messages import LeaderAndEpoch
from barnabas.broker.server.cluster_log import ClusterLog, shortened
from barnabas.client import Admin, NewTopic
from barnabas.protocol.message import Message
from barnabas.protocol.messages.fence_broker_record import FenceBrokerRecord
from barnabas.protocol.messages.partition_change_record import PartitionChangeRecord
from barnabas.protocol.messages.partition_record import PartitionRecord
from barnabas.protocol.messages.register_broker_record import RegisterBrokerRecord
from barnabas.protocol.messages.remove_topic_record import RemoveTopicRecord
from barnabas.protocol.messages.topic_record import TopicRecord
from barnabas.protocol.messages.unfence_broker_record import UnfenceBrokerRecord
from barnabas.protocol.messages.unregister_broker_record import UnregisterBrokerRecord

from .clusters import cluster

TOPIC = bytes(15) + b"\x09"
PARTITIONS = 1_000


class Told:
    """A log of node 1 over an image that records change; each step is one change."""

    def __init__(self) -> None:
        self.log = ListLogger()
        self.image = ClusterImage()
        self.offset = 0
        self.subject = ClusterLog(1, self.log)
        for broker in (1, 2, 3):
            self.image.apply(RegisterBrokerRecord(broker_id=broker, broker_epoch=1), 0)
            self.image.apply(UnfenceBrokerRecord(id=broker, epoch=1), 0)
        self.image.take_changes()
        self.subject.begin(self.image)

    def change(self, *records: Message) -> None:
        for record in records:
            self.offset += 1
            self.image.apply(record, self.offset)
        changes: Changes = self.image.take_changes()
        for part in changes.slices(8):
            self.subject.on_image(self.image, part)

    def make_topic(self) -> None:
        partitions = [
            PartitionRecord(
                partition_id=number,
                topic_id=TOPIC,
                replicas=[1, 2, 3],
                isr=[1, 2, 3],
                leader=1 + number % 2,
                directories=[bytes(15) + b"\x20"] * 3,
            )
            for number in range(PARTITIONS)
        ]
        self.change(TopicRecord(name="t", topic_id=TOPIC), *partitions)


async def test_a_broker_that_dies_with_a_thousand_partitions_is_two_lines() -> None:
    """Goal: one line for the broker, one for all its partitions, with counts."""
    told = Told()
    told.make_topic()
    told.subject.tell()
    told.log.lines.clear()
    moved = [
        PartitionChangeRecord(
            partition_id=number, topic_id=TOPIC, isr=[1, 3], leader=1 if number % 2 else -2
        )
        for number in range(PARTITIONS)
    ]
    told.change(FenceBrokerRecord(id=2, epoch=1), *moved)
    told.subject.tell()
    assert [(level, event) for level, event, _ in told.log.lines] == [
        ("info", "broker changed"),
        ("info", "partitions of this node changed"),
    ]
    assert told.log.lines[0][2] == {"broker": 2, "state": "fenced", "before": "active"}
    assert told.log.lines[1][2] == {
        "leader_moved": PARTITIONS // 2,
        "led_here_now": PARTITIONS // 2,
        "in_sync_shrunk": PARTITIONS,
        "partitions": f"t-0, t-1, t-2, t-3, t-4 and {PARTITIONS - 5} more",
    }


async def test_it_is_told_by_itself_after_a_moment() -> None:
    """Goal: what happens at once is one line, without anybody who asks for it."""
    told = Told()
    told.make_topic()
    told.change(RemoveTopicRecord(topic_id=TOPIC))
    assert told.log.events("topics created") == []
    await until(lambda: told.log.events("topics deleted"))
    assert told.log.events("topics created") == [{"count": 1, "topics": "t"}]
    assert told.log.events("topics deleted") == [{"count": 1, "topics": "t"}]


async def test_a_partition_without_a_leader_is_a_warning() -> None:
    """Goal: what nobody can read or write now is louder than what moved."""
    told = Told()
    told.make_topic()
    told.change(PartitionChangeRecord(partition_id=0, topic_id=TOPIC, leader=-1))
    told.change(PartitionChangeRecord(partition_id=1, topic_id=TOPIC, replicas=[1, 2]))
    told.subject.tell()
    (line,) = [one for one in told.log.lines if one[1] == "partitions of this node changed"]
    assert line[0] == "warning"
    assert line[2] == {"without_leader": 1, "replicas_changed": 1, "partitions": "t-0, t-1"}


async def test_controllers_and_brokers() -> None:
    """Goal: who is the controller, who came, who went; nothing twice."""
    told = Told()
    told.subject.on_leader(LeaderAndEpoch(-1, 0))
    assert told.log.lines == [], "nobody was elected so far, which is no news"
    told.subject.on_leader(LeaderAndEpoch(2, 5))
    told.subject.on_leader(LeaderAndEpoch(-1, 6))
    told.subject.on_leader(LeaderAndEpoch(1, 7))
    told.change(UnregisterBrokerRecord(broker_id=3, broker_epoch=1))
    told.change(UnfenceBrokerRecord(id=2, epoch=1))
    assert [event for _, event, _ in told.log.lines] == [
        "another controller is active",
        "no controller is active",
        "this node is the active controller",
        "broker changed",
    ]
    assert told.log.lines[-1][2] == {"broker": 3, "state": "unregistered", "before": "active"}


def test_names_are_bounded() -> None:
    """Goal: a line stays a line."""
    assert shortened(["a"]) == "a"
    assert shortened([str(n) for n in range(7)]) == "0, 1, 2, 3, 4 and 2 more"


async def test_a_node_tells_of_topics_and_of_its_end(tmp_path: Path) -> None:
    """Goal: the parts are wired: topics, the controller, stopping."""
    async with cluster(tmp_path, 1) as nodes:
        node = nodes.nodes[1]
        log = ListLogger()
        node.log = node.cluster_log._log = log
        async with Admin(bootstrap_servers=nodes.bootstrap) as admin:
            await admin.create_topics([NewTopic("t", 1, 1)])
            await until(lambda: log.events("topics created"))
        await nodes.stop(1)
        assert [event for _, event, _ in log.lines][:2] == ["topics created", "stopping"]
        assert log.lines[-1][1] == "stopped"
