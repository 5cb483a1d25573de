"""The image: every record type, metadata transactions, snapshots, and the same from the log."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit.controllers import Cluster, register
from kit.examples import examples

from barnabas.broker.core.cluster import commands
from barnabas.broker.core.cluster import image as image_module
from barnabas.broker.core.cluster.commands import AllocateProducerIds, ProducerIdBlock
from barnabas.broker.core.cluster.features import UnsupportedFeatureError, check_supported
from barnabas.broker.core.cluster.image import ClusterImage, DamagedMetadataError
from barnabas.broker.core.cluster.partition_commands import (
    AlterPartitionReassignments,
    ElectLeaders,
    Reassignment,
)
from barnabas.broker.core.cluster.record_versions import METADATA_VERSION_MAX, record_version
from barnabas.protocol.apis import message_class
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.message import Message
from barnabas.protocol.messages.index import METADATA_RECORDS


def record(type_name: str, /, **fields: Any) -> Message:
    return message_class(type_name)(**fields)


def test_every_record_of_kafkas_metadata_log_has_a_row() -> None:
    """No type is skipped by accident: unknown ones are refused when they are decoded."""
    assert set(image_module._APPLY) == set(METADATA_RECORDS.values())


def test_metadata_transactions_are_seen_whole_or_not_at_all() -> None:
    """631-04: kept back until the end; an abort drops them; nothing else is lost."""
    image = ClusterImage("c")
    topic = record("TopicRecord", name="t", topic_id=b"t" * 16)
    image.apply(record("BeginTransactionRecord", name="x"), 0)
    image.apply(topic, 1)
    assert image.is_in_transaction
    assert not image.topics_by_name
    copy = image.copy()
    copy.apply(record("EndTransactionRecord"), 2)
    assert "t" in copy.topics_by_name
    image.apply(record("AbortTransactionRecord", reason="y"), 2)
    assert not image.topics_by_name
    image.apply(topic, 3)
    assert "t" in image.topics_by_name
    assert image.last_offset == 3


def test_what_cannot_follow_is_named() -> None:
    image = ClusterImage("c")
    for one in (
        record("EndTransactionRecord"),
        record("AbortTransactionRecord"),
        record("RemoveTopicRecord", topic_id=b"t" * 16),
        record("PartitionRecord", topic_id=b"t" * 16, partition_id=0),
        record("PartitionChangeRecord", topic_id=b"t" * 16, partition_id=0),
        record("ClearElrRecord", topic_name="t"),
        record("FenceBrokerRecord", id=1, epoch=2),
        record("UnregisterBrokerRecord", broker_id=1, broker_epoch=2),
        record("BrokerRegistrationChangeRecord", broker_id=1, broker_epoch=2),
    ):
        with pytest.raises(DamagedMetadataError, match="offset 7"):
            image.apply(one, 7)
    image.apply(record("BeginTransactionRecord"), 8)
    with pytest.raises(DamagedMetadataError, match="within a transaction"):
        image.apply(record("BeginTransactionRecord"), 9)


def test_partition_changes_follow_kafkas_rules() -> None:
    """A named leader begins a leader epoch, though it is the same; any change a partition epoch."""
    cluster = Cluster(2)
    topic_id = cluster.create("t", assignments=((0, (1, 2)),))

    def change(**fields: Any) -> None:
        cluster.image.apply(
            record("PartitionChangeRecord", topic_id=topic_id, partition_id=0, **fields), 99
        )

    change(isr=[1])
    assert cluster.partition()[:5] == ((1, 2), (1,), 1, 0, 1)
    change(leader=1)
    assert cluster.partition()[:5] == ((1, 2), (1,), 1, 1, 2)
    change(replicas=[1], directories=[b"x" * 16], eligible_leader_replicas=[2], last_known_elr=[2])
    partition = cluster.partition()
    assert (partition.replicas, partition.directories) == ((1,), (b"x" * 16,))
    assert (partition.elr, partition.last_known_elr) == ((2,), (2,))
    cluster.image.apply(record("ClearElrRecord", topic_name=""), 100)
    partition = cluster.partition()
    assert (partition.elr, partition.last_known_elr, partition.partition_epoch) == ((), (), 4)


def test_security_records_are_kept_and_removed() -> None:
    image = ClusterImage("c")
    entity = message_class("ClientQuotaRecord")
    quota_entity = __import__(entity.__module__, fromlist=["EntityData"]).EntityData
    rows: list[tuple[Message, Message]] = [
        (
            record("AccessControlEntryRecord", id=b"a" * 16),
            record("RemoveAccessControlEntryRecord", id=b"a" * 16),
        ),
        (
            record("UserScramCredentialRecord", name="u", mechanism=1),
            record("RemoveUserScramCredentialRecord", name="u", mechanism=1),
        ),
        (
            record("DelegationTokenRecord", token_id="t"),
            record("RemoveDelegationTokenRecord", token_id="t"),
        ),
        (
            record(
                "ClientQuotaRecord",
                entity=[quota_entity(entity_type="user", entity_name=None)],
                key="k",
                value=1.0,
            ),
            record(
                "ClientQuotaRecord",
                entity=[quota_entity(entity_type="user", entity_name=None)],
                key="k",
                remove=True,
            ),
        ),
    ]
    for added, _ in rows:
        image.apply(added, 0)
    assert len(list(image.security.records())) == len(rows)
    assert image.copy() == image
    for _, removed in rows:
        image.apply(removed, 1)
    assert list(image.security.records()) == []


def test_changes_say_where_to_look() -> None:
    cluster = Cluster(1)
    cluster.image.take_changes()
    topic_id = cluster.create("t", num_partitions=2)
    changes = cluster.image.take_changes()
    assert list(changes.topics) == [topic_id]
    assert {key: list(numbers) for key, numbers in changes.partitions.items()} == {topic_id: [0, 1]}
    cluster.do(commands.DeleteTopics((topic_id,)))
    changes = cluster.image.take_changes()
    assert list(changes.removed_topics) == [topic_id]
    brief = cluster.create("brief")
    cluster.do(commands.DeleteTopics((brief,)))
    assert not cluster.image.take_changes(), "it came and went unseen"


def test_changes_in_slices_are_the_same_changes() -> None:
    """Goal: the same partitions in the same order, few at a time; the rest once."""
    cluster = Cluster(1)
    gone = cluster.create("gone")
    cluster.image.take_changes()
    cluster.do(commands.DeleteTopics((gone,)))
    topics = [cluster.create(name, num_partitions=3) for name in "abc"]
    changes = cluster.image.take_changes()
    parts = list(changes.slices(2))
    flat = [
        (topic_id, number)
        for part in parts
        for topic_id, numbers in part.partitions.items()
        for number in numbers
    ]
    assert flat == [(topic_id, number) for topic_id in topics for number in range(3)]
    assert all(sum(map(len, part.partitions.values())) <= 2 for part in parts)
    assert [list(part.removed_topics) for part in parts] == [[gone], [], [], [], []]
    assert sum(len(part.topics) for part in parts) == 3


def test_producer_id_blocks_never_overlap() -> None:
    """98-01: blocks of 1000, durable before use, only for the broker that is registered."""
    cluster = Cluster(1)
    epoch = cluster.image.brokers[1].epoch
    blocks = [cluster.do(AllocateProducerIds(1, epoch)) for _ in range(3)]
    assert blocks == [ProducerIdBlock(first, 1000) for first in (0, 1000, 2000)]
    for broker, wrong in ((1, epoch + 1), (2, epoch)):
        with pytest.raises(KafkaError) as caught:
            cluster.decide(AllocateProducerIds(broker, wrong))
        assert caught.value.code == ErrorCode.STALE_BROKER_EPOCH
    cluster.image.next_producer_id = 2**63 - 500
    with pytest.raises(KafkaError):
        cluster.decide(AllocateProducerIds(1, epoch))


def test_features_that_we_do_not_know_are_refused() -> None:
    image = ClusterImage("c")
    image.features["metadata.version"] = METADATA_VERSION_MAX + 1
    with pytest.raises(UnsupportedFeatureError, match=r"metadata\.version at level 31"):
        check_supported(image)
    image.features = {"metadata.version": 7, "unheard.of": 1}
    with pytest.raises(UnsupportedFeatureError, match="does not know"):
        check_supported(image)


@pytest.mark.parametrize("level", range(7, METADATA_VERSION_MAX + 1))
def test_records_are_written_for_the_oldest_node(level: int) -> None:
    """Goal: at every level of metadata.version, all records of an image can be encoded."""
    cluster = Cluster(3, min_insync_replicas=2)
    cluster.create("t", num_partitions=2, replication_factor=3)
    cluster.do(commands.FenceBroker(3, cluster.image.brokers[3].epoch))
    for one in cluster.image.records():
        version = record_version(one, level)
        decoded, end = type(one).decode_at(one.encode(version), 0, version)
        assert end > 0
        assert decoded == one


COMMANDS = st.one_of(
    st.builds(
        lambda n, p, r: ("create", n, p, r),
        st.sampled_from("abc"),
        st.integers(1, 4),
        st.integers(1, 3),
    ),
    st.builds(lambda n: ("delete", n), st.sampled_from("abc")),
    st.builds(lambda n, p: ("grow", n, p), st.sampled_from("abc"), st.integers(1, 6)),
    st.builds(
        lambda n, v: ("set", n, v), st.sampled_from("abc"), st.sampled_from(["1", "2", None])
    ),
    st.builds(lambda b: ("fence", b), st.integers(1, 3)),
    st.builds(lambda b: ("unfence", b), st.integers(1, 3)),
    st.builds(lambda b: ("stop", b), st.integers(1, 3)),
    st.builds(lambda b, clean: ("register", b, clean), st.integers(1, 3), st.booleans()),
    st.builds(lambda b: ("ids", b), st.integers(1, 3)),
    st.builds(lambda b, stop: ("beat", b, stop), st.integers(1, 3), st.booleans()),
    st.builds(lambda ms: ("silence", ms), st.sampled_from([4000, 9000])),
    st.builds(lambda kind: ("elect", kind), st.integers(0, 1)),
    st.builds(
        lambda name, to: ("move", name, tuple(to)),
        st.sampled_from(["a", "b"]),
        st.lists(st.integers(1, 3), min_size=1, unique=True),
    ),
)


def command_of(cluster: Cluster, step: tuple[Any, ...], number: int) -> Any:
    image = cluster.image
    kind: str = step[0]
    who: Any = step[1]
    rest: list[Any] = list(step[2:])
    broker = image.brokers.get(who)
    epoch = -1 if broker is None else broker.epoch
    topic = image.topics_by_name.get(who)
    if kind == "create":
        return commands.CreateTopics((commands.NewTopic(who, *rest),))
    if kind == "delete":
        return commands.DeleteTopics((b"?" * 16 if topic is None else topic.topic_id,))
    if kind == "grow":
        return commands.CreatePartitions((commands.MorePartitions(who, *rest),))
    if kind == "set":
        operation = commands.DELETE if rest[0] is None else commands.SET
        change = commands.ConfigChange("min.insync.replicas", operation, rest[0])
        return commands.AlterConfigs((commands.ResourceChange(2, who, (change,)),))
    if kind == "register":
        return register(who, incarnation=number % 250, previous_epoch=epoch if rest[0] else -1)
    if kind in ("beat", "silence", "elect", "move"):
        return later_command_of(cluster, kind, who, rest)
    if kind == "ids":
        return AllocateProducerIds(who, epoch)
    made = {"fence": commands.FenceBroker, "unfence": commands.UnfenceBroker}
    return made.get(kind, commands.StopBroker)(who, epoch)


def later_command_of(cluster: Cluster, kind: str, who: Any, rest: list[Any]) -> Any:
    if kind == "silence":
        cluster.now_ms += who
        return commands.FenceExpired()
    if kind == "elect":
        return ElectLeaders(who, None)
    if kind == "move":
        return AlterPartitionReassignments((Reassignment(who, 0, rest[0]),))
    broker = cluster.image.brokers.get(who)
    epoch = -1 if broker is None else broker.epoch
    last = cluster.image.last_offset
    return commands.BrokerHeartbeat(who, epoch, last, wants_shutdown=rest[0])


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(COMMANDS, max_size=25), st.booleans(), st.integers(0, 9))
def test_what_is_in_the_log_is_what_is_so(
    steps: list[tuple[Any, ...]], elr: bool, seed: int
) -> None:
    """Goal: whatever is asked, `decide` changes nothing; log and snapshot rebuild the image.

    And in every state: leaders are active members of the ISR, and so are all others beside them
    (841-01); sets are within the replicas.
    """
    cluster = Cluster(3, elr=elr, seed=seed)
    for number, step in enumerate(steps):
        command = command_of(cluster, step, number)
        before = cluster.image.copy()
        try:
            cluster.decide(command)
        except KafkaError:
            assert cluster.image == before
            continue
        assert cluster.image == before
        cluster.do(command)
        check(cluster.image, elr)
    assert cluster.replayed() == cluster.image
    assert cluster.image.copy() == cluster.image
    again = ClusterImage(cluster.image.cluster_id)
    for offset, one in enumerate(cluster.image.records()):
        again.apply(one, offset)
    assert again == cluster.image


def check(image: ClusterImage, elr: bool) -> None:
    for topic in image.topics_by_id.values():
        for partition in topic.partitions.values():
            members = set(partition.isr)
            assert members <= set(partition.replicas)
            assert len(members) == len(partition.isr)
            assert set(partition.elr) <= set(partition.replicas) - members
            assert not (partition.elr and not elr)
            assert len(partition.directories) == len(partition.replicas)
            if partition.leader >= 0:
                assert partition.leader in members
                assert image.brokers[partition.leader].is_active
                assert all(image.brokers[one].is_active for one in members)
            assert members or elr
