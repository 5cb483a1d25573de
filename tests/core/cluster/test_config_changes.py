"""IncrementalAlterConfigs: operations, refusals, and which value holds in the end."""

from __future__ import annotations

import pytest
from kit.controllers import CLUSTER_ID, Cluster, register

from barnabas.broker.core.cluster.commands import (
    APPEND,
    DELETE,
    SET,
    SUBTRACT,
    AlterConfigs,
    ConfigChange,
    ResourceChange,
)
from barnabas.broker.core.cluster.effective import (
    DEFAULT,
    DYNAMIC_BROKER,
    DYNAMIC_DEFAULT_BROKER,
    DYNAMIC_TOPIC,
    STATIC_BROKER,
    Synonym,
    broker_entries,
    config_of_topic,
    topic_entries,
)
from barnabas.broker.core.cluster.image import ClusterImage
from barnabas.broker.core.cluster.topic_image import NO_LEADER, RECOVERED, RECOVERING

TOPIC, BROKER, LOGGER, METRICS, GROUP = 2, 4, 8, 16, 32


def change(
    cluster: Cluster, kind: int, resource: str, *changes: tuple[str, int, str | None]
) -> tuple[int, str | None]:
    asked = ResourceChange(kind, resource, tuple(ConfigChange(*one) for one in changes))
    (answer,) = cluster.do(AlterConfigs((asked,)))
    return answer.code, answer.message


def with_topic(**settings: object) -> Cluster:
    cluster = Cluster(1, **settings)  # type: ignore[arg-type]
    cluster.create("t")
    return cluster


def test_the_four_operations() -> None:
    cluster = with_topic()
    assert change(cluster, TOPIC, "t", ("retention.ms", SET, "5")) == (0, None)
    assert cluster.image.config_of(TOPIC, "t") == {"retention.ms": "5"}
    assert change(cluster, TOPIC, "t", ("cleanup.policy", SUBTRACT, "delete")) == (0, None)
    assert cluster.image.config_of(TOPIC, "t")["cleanup.policy"] == ""
    assert change(cluster, TOPIC, "t", ("cleanup.policy", APPEND, "delete")) == (0, None)
    assert cluster.image.config_of(TOPIC, "t")["cleanup.policy"] == "delete"
    assert change(cluster, TOPIC, "t", ("retention.ms", DELETE, None)) == (0, None)
    assert change(cluster, TOPIC, "t", ("cleanup.policy", DELETE, "x")) == (0, None)
    assert cluster.image.config_of(TOPIC, "t") == {}


def test_an_unchanged_value_writes_nothing_for_a_topic() -> None:
    cluster = with_topic()
    change(cluster, TOPIC, "t", ("retention.ms", SET, "5"))
    before = len(cluster.log)
    change(cluster, TOPIC, "t", ("retention.ms", SET, "5"))
    assert len(cluster.log) == before
    change(cluster, BROKER, "", ("log.retention.ms", SET, "5"))
    change(cluster, BROKER, "", ("log.retention.ms", SET, "5"))
    assert len(cluster.log) == before + 2


REFUSALS = (
    (
        TOPIC,
        "t",
        ("retention.ms", SET, "-2"),
        (40, ("Invalid value -2 for configuration retention.ms: Value must be at least -1")),
    ),
    (TOPIC, "t", ("x", SET, "1"), (40, "Unknown topic config name: x")),
    (
        TOPIC,
        "t",
        ("retention.ms", APPEND, "1"),
        (40, "Can't APPEND to key retention.ms because its type is not LIST."),
    ),
    (
        TOPIC,
        "t",
        ("cleanup.policy", SET, "y" * 40_000),
        (
            40,
            (
                "The configuration value cannot be added because it exceeds "
                "the maximum value size of 32767 bytes."
            ),
        ),
    ),
    (TOPIC, "none", ("retention.ms", SET, "1"), (3, "The topic 'none' does not exist.")),
    (TOPIC, "", ("retention.ms", SET, "1"), (42, "Default topic resources are not allowed.")),
    (
        TOPIC,
        "a b",
        ("retention.ms", SET, "1"),
        (
            17,
            (
                "Topic name is invalid: 'a b' contains one or more characters "
                "other than ASCII alphanumerics, '.', '_' and '-'"
            ),
        ),
    ),
    (
        BROKER,
        "x",
        ("log.retention.ms", SET, "1"),
        (42, "Unable to parse broker name as a base 10 number."),
    ),
    (BROKER, "9", ("log.retention.ms", SET, "1"), (102, "No node with id 9 found.")),
    (
        BROKER,
        "1",
        ("num.partitions", SET, "1"),
        (42, "Cannot update these configs dynamically: [num.partitions]"),
    ),
    (
        BROKER,
        "",
        ("log.retention.ms", SET, "x"),
        (42, ("Invalid value x for configuration log.retention.ms: Not a number of type LONG")),
    ),
    (
        BROKER,
        "1",
        ("min.insync.replicas", SET, "1"),
        (40, ("Broker-level min.insync.replicas cannot be altered while ELR is enabled.")),
    ),
    (
        BROKER,
        "",
        ("min.insync.replicas", DELETE, None),
        (40, ("Cluster-level min.insync.replicas cannot be removed while ELR is enabled.")),
    ),
    (LOGGER, "1", ("root", SET, "INFO"), (42, "Unknown resource type 8")),
    (
        TOPIC,
        "t",
        ("remote.storage.enable", SET, "true"),
        (
            40,
            (
                "Invalid value true for configuration remote.storage.enable: "
                "barnabas has no tiered storage; only false is allowed"
            ),
        ),
    ),
)


def test_refusals_have_kafkas_codes_and_words() -> None:
    cluster = with_topic()
    before = len(cluster.log)
    for kind, resource, asked, answer in REFUSALS:
        assert change(cluster, kind, resource, asked) == answer
    assert len(cluster.log) == before


def test_any_setting_of_a_broker_may_be_removed() -> None:
    """Kafka's reassignment tool removes throttles that nobody has set when it is done."""
    cluster = with_topic()
    throttle = ("leader.replication.throttled.rate", DELETE, None)
    assert change(cluster, BROKER, "1", throttle) == (0, None)
    assert cluster.image.config_of(BROKER, "1") == {}


def test_a_resource_is_changed_whole_or_not_at_all() -> None:
    cluster = with_topic()
    good = ResourceChange(TOPIC, "t", (ConfigChange("segment.ms", SET, "9"),))
    bad = ResourceChange(
        BROKER,
        "",
        (ConfigChange("log.retention.ms", SET, "1"), ConfigChange("broker.rack", SET, "x")),
    )
    first, second = cluster.do(AlterConfigs((good, bad)))
    assert (first.code, second.code) == (0, 42)
    assert cluster.image.config_of(TOPIC, "t") == {"segment.ms": "9"}
    assert "log.retention.ms" not in cluster.image.config_of(BROKER, "")
    records, (answer,) = cluster.decide(AlterConfigs((good,), validate_only=True))
    assert (records, answer.code) == ([], 0)


def offline() -> Cluster:
    """Two in sync are wanted; topic t has lost 3, 2 and 1 one by one, topic led is led by 4."""
    cluster = Cluster(4, min_insync_replicas=2)
    cluster.create("t", assignments=((0, (1, 2, 3)),))
    cluster.create("led", assignments=((0, (4, 2)),))
    cluster.fence(3, 2, 1)
    return cluster


def from_a_snapshot(cluster: Cluster) -> ClusterImage:
    image = ClusterImage(CLUSTER_ID)
    for offset, record in enumerate(cluster.image.records()):
        image.apply(record, offset)
    return image


@pytest.mark.parametrize("resource", [(TOPIC, "t"), (BROKER, "")])
@pytest.mark.parametrize("minimum", ["1", "3"])
def test_another_minimum_takes_no_candidate_from_a_partition_without_a_leader(
    resource: tuple[int, str], minimum: str
) -> None:
    """966-02: nothing was committed since the leader was lost, whatever the minimum is now.

    Log and snapshot tell every node the same.
    """
    cluster = offline()
    before = cluster.partition()
    assert (before.leader, before.isr) == (NO_LEADER, ())
    assert (before.elr, before.last_known_elr) == ((2, 1), (1,))
    assert change(cluster, *resource, ("min.insync.replicas", SET, minimum)) == (0, None)
    now = cluster.partition()
    assert (now.leader, now.isr, now.replicas) == (before.leader, before.isr, before.replicas)
    assert (now.elr, now.last_known_elr) == (before.elr, before.last_known_elr)
    assert cluster.replayed() == cluster.image == from_a_snapshot(cluster)
    cluster.unfence(3)
    assert cluster.partition().leader == NO_LEADER, "it left while two others were in sync"
    cluster.unfence(2)
    now = cluster.partition()
    assert (now.leader, now.isr, now.leader_recovery_state) == (2, (2,), RECOVERED)


def test_another_minimum_leaves_the_last_known_leader_in_question() -> None:
    """966-02, 966-03: its stop was unclean, and it is the only replica there is."""
    cluster = Cluster(1)
    cluster.create("t", assignments=((0, (1,)),))
    cluster.fence(1)
    cluster.do(register(1, incarnation=9))
    assert (cluster.partition().elr, cluster.partition().last_known_elr) == ((), (1,))
    assert change(cluster, TOPIC, "t", ("min.insync.replicas", SET, "2")) == (0, None)
    assert (cluster.partition().elr, cluster.partition().last_known_elr) == ((), (1,))
    assert cluster.replayed() == cluster.image == from_a_snapshot(cluster)
    cluster.unfence(1)
    now = cluster.partition()
    assert (now.leader, now.isr, now.leader_recovery_state) == (1, (1,), RECOVERING)


@pytest.mark.parametrize("resource", [(TOPIC, "led"), (BROKER, "")])
def test_another_minimum_clears_the_eligible_of_a_partition_with_a_leader(
    resource: tuple[int, str],
) -> None:
    """966-02: membership was judged by the old value; topics that it does not concern keep it."""
    cluster = offline()
    assert (cluster.partition("led").leader, cluster.partition("led").elr) == (4, (2,))
    change(cluster, TOPIC, "t", ("min.insync.replicas", SET, "1"))
    assert cluster.partition("led").elr == (2,)
    change(cluster, *resource, ("min.insync.replicas", SET, "1"))
    assert (cluster.partition("led").leader, cluster.partition("led").elr) == (4, ())
    assert cluster.replayed() == cluster.image == from_a_snapshot(cluster)


def test_groups_and_client_metrics_are_kept_as_given() -> None:
    cluster = with_topic()
    assert change(cluster, GROUP, "g", ("share.auto.offset.reset", SET, "earliest")) == (0, None)
    assert cluster.image.config_of(GROUP, "g") == {"share.auto.offset.reset": "earliest"}


def test_groups_and_client_metrics_have_names_of_their_own() -> None:
    """A name that is misspelt is told, not kept; what a directory of Kafka's has may go."""
    cluster = with_topic()
    text = "Unknown group config name: retention.ms"
    assert change(cluster, GROUP, "g", ("retention.ms", SET, "1")) == (40, text)
    text = "Unknown client metrics configuration: retention.ms"
    assert change(cluster, METRICS, "m", ("retention.ms", SET, "1")) == (42, text)
    assert change(cluster, METRICS, "m", ("interval.ms", SET, "1000")) == (0, None)
    assert change(cluster, GROUP, "g", ("retention.ms", DELETE, None)) == (0, None)
    text = "Default group resources are not allowed."
    assert change(cluster, GROUP, "", ("consumer.session.timeout.ms", SET, "50000")) == (42, text)


def entry(cluster: Cluster, name: str) -> tuple[str | None, int, list[Synonym]]:
    overrides = cluster.image.config_of(TOPIC, "t")
    (found,) = (
        one
        for one in topic_entries(cluster.config, cluster.image, 1, overrides)
        if one.name == name
    )
    return found.value, found.source, list(found.synonyms)


def test_topic_before_broker_before_all_brokers_before_file_before_default() -> None:
    cluster = with_topic(log_segment_bytes=2_000_000)
    static = Synonym("log.segment.bytes", "2000000", STATIC_BROKER)
    default = Synonym("log.segment.bytes", "1073741824", DEFAULT)
    assert entry(cluster, "segment.bytes") == ("2000000", STATIC_BROKER, [static, default])
    change(cluster, BROKER, "", ("log.segment.bytes", SET, "3000000"))
    everyone = Synonym("log.segment.bytes", "3000000", DYNAMIC_DEFAULT_BROKER)
    assert entry(cluster, "segment.bytes")[:2] == ("3000000", DYNAMIC_DEFAULT_BROKER)
    change(cluster, BROKER, "1", ("log.segment.bytes", SET, "4000000"))
    own = Synonym("log.segment.bytes", "4000000", DYNAMIC_BROKER)
    change(cluster, TOPIC, "t", ("segment.bytes", SET, "5000000"))
    topic = Synonym("segment.bytes", "5000000", DYNAMIC_TOPIC)
    assert entry(cluster, "segment.bytes") == (
        "5000000",
        DYNAMIC_TOPIC,
        [topic, own, everyone, static, default],
    )
    config = config_of_topic(cluster.config, cluster.image, 1, "t")
    assert config.segment_bytes == 5_000_000
    assert config_of_topic(cluster.config, cluster.image, 1, "other").segment_bytes == 4_000_000


def test_a_setting_of_another_unit_is_shown_as_kafka_shows_it() -> None:
    """Hours give `retention.ms` its value, but no synonym before `log.retention.ms` itself."""
    cluster = with_topic(log_retention_hours=1)
    assert entry(cluster, "retention.ms") == ("3600000", DEFAULT, [])
    change(cluster, BROKER, "", ("log.retention.ms", SET, "7"))
    assert entry(cluster, "retention.ms")[:2] == ("7", DYNAMIC_DEFAULT_BROKER)


def test_values_that_kafka_left_do_no_harm() -> None:
    """A setting that we do not know, or would not allow, is passed over, and told as it is."""
    from barnabas.protocol.messages.config_record import ConfigRecord

    cluster = with_topic()
    for kind, resource, name, value in (
        (TOPIC, "t", "segment.bytes", "1"),
        (TOPIC, "t", "retention.ms", "9"),
        (TOPIC, "t", "remote.storage.enable", "true"),
        (BROKER, "", "log.cleaner.threads", "1"),
        (BROKER, "", "log.roll.ms", "nonsense"),
    ):
        record = ConfigRecord(resource_type=kind, resource_name=resource, name=name, value=value)
        cluster.image.apply(record, cluster.image.last_offset + 1)
    config = config_of_topic(cluster.config, cluster.image, 1, "t")
    assert (config.retention_ms, config.segment_bytes) == (9, 1 << 30)
    overrides = cluster.image.config_of(TOPIC, "t")
    names = [one.name for one in topic_entries(cluster.config, cluster.image, 1, overrides)]
    assert "remote.storage.enable" in names
    assert names == sorted(names)


def test_entries_of_a_broker() -> None:
    cluster = with_topic(num_partitions=3)
    change(cluster, BROKER, "1", ("log.retention.ms", SET, "7"))
    entries = {one.name: one for one in broker_entries(cluster.config, cluster.image, 1)}
    assert entries["num.partitions"][1:3] == ("3", STATIC_BROKER)
    assert entries["log.retention.ms"][1:3] == ("7", DYNAMIC_BROKER)
    assert entries["log.retention.bytes"][1:3] == ("-1", DEFAULT)
