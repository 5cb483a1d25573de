"""Topics: created, grown and deleted as Kafka's controller does, with its codes and words."""

from __future__ import annotations

import pytest
from kit.controllers import Cluster

from barnabas.broker.core.cluster.commands import (
    CreatePartitions,
    CreateTopics,
    DeleteTopics,
    MorePartitions,
    NewTopic,
    StopBroker,
)
from barnabas.broker.core.cluster.topic_image import TopicImage
from barnabas.protocol.errors import ErrorCode, KafkaError


def refusal(cluster: Cluster, topic: NewTopic) -> tuple[ErrorCode, str]:
    before = len(cluster.log)
    (answer,) = cluster.do(CreateTopics((topic,)))
    assert len(cluster.log) == before
    return answer.code, answer.message


def test_a_topic_is_created_with_leaders() -> None:
    """516-01: it has an id; every partition is led by its first replica, in epoch 0."""
    cluster = Cluster(3)
    topic_id = cluster.create("t", num_partitions=6, replication_factor=3)
    topic = cluster.image.topics_by_id[topic_id]
    assert topic is cluster.image.topics_by_name["t"]
    assert sorted(topic.partitions) == list(range(6))
    for partition in topic.partitions.values():
        assert sorted(partition.replicas) == [1, 2, 3]
        assert partition.isr == partition.replicas
        assert partition.leader == partition.replicas[0]
        assert (partition.leader_epoch, partition.partition_epoch) == (0, 0)
        assert partition.directories == tuple(bytes([one]) * 16 for one in partition.replicas)
    assert topic_id[6] >> 4 == 4  # a uuid of version 4


def test_defaults() -> None:
    cluster = Cluster(2, num_partitions=4, default_replication_factor=2)
    cluster.create("t")
    assert len(cluster.image.topics_by_name["t"].partitions) == 4
    assert len(cluster.partition().replicas) == 2


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("", "the empty string is not allowed"),
        (".", "'.' is not allowed"),
        ("..", "'..' is not allowed"),
        (
            "a b",
            (
                "'a b' contains one or more characters other than ASCII "
                "alphanumerics, '.', '_' and '-'"
            ),
        ),
        (
            "ü",
            (
                "'ü' contains one or more characters other than ASCII "
                "alphanumerics, '.', '_' and '-'"
            ),
        ),
        ("x" * 250, f"the length of '{'x' * 250}' is longer than the max allowed length 249"),
    ],
)
def test_names_that_are_no_names(name: str, fault: str) -> None:
    code, message = refusal(Cluster(), NewTopic(name))
    assert (code, message) == (ErrorCode.INVALID_TOPIC_EXCEPTION, f"Topic name is invalid: {fault}")
    Cluster().create("x" * 249)


def test_names_that_are_taken() -> None:
    cluster = Cluster()
    cluster.create("a.b")
    cluster.create("plain")
    assert refusal(cluster, NewTopic("a.b")) == (
        ErrorCode.TOPIC_ALREADY_EXISTS,
        "Topic 'a.b' already exists.",
    )
    assert refusal(cluster, NewTopic("a_b")) == (
        ErrorCode.INVALID_TOPIC_EXCEPTION,
        "Topic 'a_b' collides with existing topic: a.b",
    )
    assert refusal(cluster, NewTopic("__cluster_metadata")) == (
        ErrorCode.INVALID_REQUEST,
        "Creation of internal topic __cluster_metadata is prohibited.",
    )
    first, second = cluster.do(CreateTopics((NewTopic("c.d"), NewTopic("c_d"))))
    assert first.code == ErrorCode.NONE
    assert "collides with existing topic: c.d" in second.message


def test_a_name_asked_for_twice_is_refused_once() -> None:
    cluster = Cluster()
    answers = cluster.do(CreateTopics((NewTopic("a"), NewTopic("b"), NewTopic("a"))))
    assert [(one.name, one.code, one.message) for one in answers] == [
        ("a", ErrorCode.INVALID_REQUEST, "Duplicate topic name."),
        ("b", ErrorCode.NONE, None),
    ]
    assert list(cluster.image.topics_by_name) == ["b"]


@pytest.mark.parametrize(
    ("topic", "code", "message"),
    [
        (NewTopic("t", 0, 1), 37, "Number of partitions was set to an invalid non-positive value."),
        (
            NewTopic("t", -2, 1),
            37,
            "Number of partitions was set to an invalid non-positive value.",
        ),
        (
            NewTopic("t", 1, 0),
            38,
            ("Replication factor must be larger than 0, or -1 to use the default value."),
        ),
        (
            NewTopic("t", 1, -2),
            38,
            ("Replication factor must be larger than 0, or -1 to use the default value."),
        ),
        (
            NewTopic("t", 1, 3),
            38,
            (
                "Unable to replicate the partition 3 time(s): The target "
                "replication factor of 3 cannot be reached because only 2 "
                "broker(s) are registered or some brokers have all their log "
                "directories cordoned."
            ),
        ),
        (NewTopic("t", 10_001, 1), 44, "Excessively large number of partitions per request."),
        (
            NewTopic("t", configs=(("retention.ms", "-2"),)),
            40,
            ("Invalid value -2 for configuration retention.ms: Value must be at least -1"),
        ),
        (NewTopic("t", configs=(("nonsense", "1"),)), 40, "Unknown topic config name: nonsense"),
        (
            NewTopic("t", configs=(("b", None), ("a", None))),
            40,
            "Null value not supported for topic configs: a,b",
        ),
        (
            NewTopic("t", 1, -1, ((0, (1,)),)),
            42,
            ("A manual partition assignment was specified, but numPartitions was not set to -1."),
        ),
        (
            NewTopic("t", -1, 1, ((0, (1,)),)),
            42,
            (
                "A manual partition assignment was specified, but replication "
                "factor was not set to -1."
            ),
        ),
        (
            NewTopic("t", assignments=((0, (1,)), (0, (2,)))),
            39,
            "Found multiple manual partition assignments for partition 0",
        ),
        (
            NewTopic("t", assignments=((1, (1,)),)),
            39,
            "partitions should be a consecutive 0-based integer sequence",
        ),
        (
            NewTopic("t", assignments=((0, ()),)),
            39,
            "The manual partition assignment includes an empty replica list.",
        ),
        (
            NewTopic("t", assignments=((0, (1, 9)),)),
            39,
            (
                "The manual partition assignment includes broker 9, but no "
                "such broker is registered."
            ),
        ),
        (
            NewTopic("t", assignments=((0, (1, 1)),)),
            39,
            ("The manual partition assignment includes the broker 1 more than once."),
        ),
        (
            NewTopic("t", assignments=((0, (1, 2)), (1, (1,)))),
            39,
            (
                "The manual partition assignment includes a partition with 1 "
                "replica(s), but this is not consistent with previous "
                "partitions, which have 2 replica(s)."
            ),
        ),
        (
            NewTopic("t", assignments=((0, (3,)),)),
            39,
            (
                "All brokers specified in the manual partition assignment for "
                "partition 0 are fenced or in controlled shutdown."
            ),
        ),
    ],
)
def test_what_cannot_be_created(topic: NewTopic, code: int, message: str) -> None:
    cluster = Cluster(2)
    if "fenced" in message:
        cluster.add(3, fenced=True)
    assert refusal(cluster, topic) == (code, message)


def test_nothing_can_be_created_without_an_active_broker() -> None:
    cluster = Cluster(0)
    cluster.add(1, fenced=True)
    code, message = refusal(cluster, NewTopic("t", 1, 1))
    assert code == ErrorCode.INVALID_REPLICATION_FACTOR
    assert message.endswith(
        "All brokers are currently fenced, or have all their log directories cordoned."
    )


def test_manual_assignments_and_fenced_replicas() -> None:
    cluster = Cluster(2)
    cluster.add(3, fenced=True)
    cluster.create("t", assignments=((1, (2, 1)), (0, (3, 1))))
    assert cluster.partition("t", 0).replicas == (3, 1)
    assert cluster.partition("t", 0).isr == (1,)
    assert cluster.partition("t", 0).leader == 1
    assert cluster.partition("t", 1).leader == 2


def test_validate_only_says_and_does_nothing() -> None:
    cluster = Cluster()
    before = len(cluster.log)
    (answer,) = cluster.do(CreateTopics((NewTopic("t", 3, 1),), validate_only=True))
    assert (answer.code, answer.num_partitions, answer.replication_factor) == (0, 3, 1)
    assert len(cluster.log) == before
    assert not cluster.image.topics_by_name


def test_too_much_in_one_command_is_refused_whole() -> None:
    cluster = Cluster(max_partitions_per_request=50)
    topics = tuple(NewTopic(f"t{number}", 20, 1) for number in range(5))
    with pytest.raises(KafkaError) as caught:
        cluster.decide(CreateTopics(topics))
    assert caught.value.code == ErrorCode.POLICY_VIOLATION


def test_min_insync_replicas_clears_the_elr() -> None:
    """As in Kafka's log: the settings, then ClearElr, then the partitions."""
    cluster = Cluster()
    records, _ = cluster.decide(
        CreateTopics((NewTopic("t", configs=(("min.insync.replicas", "1"),)),))
    )
    assert [record.NAME for record in records] == [
        "TopicRecord",
        "ConfigRecord",
        "ClearElrRecord",
        "PartitionRecord",
    ]


def test_a_topic_is_deleted_with_its_settings() -> None:
    """516-01: created again under its name it has another id, and none of its old settings."""
    cluster = Cluster()
    first = cluster.create("t", configs=(("retention.ms", "5"),))
    gone, unknown = cluster.do(DeleteTopics((first, b"\xee" * 16)))
    assert (gone.code, unknown.code) == (ErrorCode.NONE, ErrorCode.UNKNOWN_TOPIC_ID)
    assert not cluster.image.topics_by_name
    assert not cluster.image.topics_by_id
    second = cluster.create("t")
    assert second != first
    assert cluster.image.config_of(2, "t") == {}


def grow(cluster: Cluster, topic: MorePartitions) -> tuple[int, str | None]:
    (answer,) = cluster.do(CreatePartitions((topic,)))
    return answer.code, answer.message


def test_partitions_are_added() -> None:
    cluster = Cluster(3)
    cluster.create("t", num_partitions=2, replication_factor=2)
    old = dict(cluster.image.topics_by_name["t"].partitions)
    assert grow(cluster, MorePartitions("t", 4)) == (0, None)
    partitions = cluster.image.topics_by_name["t"].partitions
    assert {number: partitions[number] for number in (0, 1)} == old
    assert all(len(partitions[number].replicas) == 2 for number in (2, 3))
    assert grow(cluster, MorePartitions("t", 6, ((3, 1), (1, 2)))) == (0, None)
    assert cluster.partition("t", 4).replicas == (3, 1)
    (answer,) = cluster.do(CreatePartitions((MorePartitions("t", 9),), validate_only=True))
    assert answer.code == 0
    assert len(partitions) == 6


@pytest.mark.parametrize(
    ("topic", "code", "message"),
    [
        (MorePartitions("none", 3), 3, None),
        (MorePartitions("t", 2), 37, "Topic already has 2 partition(s)."),
        (
            MorePartitions("t", 1),
            37,
            ("The topic t currently has 2 partition(s); 1 would not be an increase."),
        ),
        (
            MorePartitions("t", 3, ()),
            39,
            (
                "Attempted to add 1 additional partition(s), but only 0 "
                "assignment(s) were specified."
            ),
        ),
        (
            MorePartitions("t", 3, ((1, 2),)),
            39,
            (
                "The manual partition assignment includes a partition with 2 "
                "replica(s), but this is not consistent with previous "
                "partitions, which have 1 replica(s)."
            ),
        ),
        (MorePartitions("t", 99_999), 44, "Excessively large number of partitions per request."),
    ],
)
def test_partitions_that_cannot_be_added(topic: MorePartitions, code: int, message: str) -> None:
    cluster = Cluster(2)
    cluster.create("t", num_partitions=2, replication_factor=1)
    assert grow(cluster, topic) == (code, message)
    assert len(cluster.image.topics_by_name["t"].partitions) == 2


def test_internal_topics_are_known_by_name() -> None:
    assert TopicImage("__consumer_offsets", bytes(16)).is_internal
    assert not TopicImage("t", bytes(16)).is_internal


def test_nothing_grows_while_no_broker_can_lead() -> None:
    """CreatePartitions is refused as CreateTopics is, when all brokers are fenced or stopping."""
    cluster = Cluster(1)
    cluster.create("t")
    cluster.do(StopBroker(1, cluster.image.brokers[1].epoch))
    (answer,) = cluster.decide(CreatePartitions((MorePartitions("t", 2),)))[1]
    assert answer.code == ErrorCode.INVALID_REPLICATION_FACTOR
    assert "in controlled shutdown" in (answer.message or "")
