"""What the admin clients of kafka-python and confluent-kafka can ask of a node besides the usual.

Creating, listing and deleting is in the tests of each client.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from confluent_kafka import ElectionType, KafkaException
from confluent_kafka import TopicPartition as CkTopicPartition
from confluent_kafka import admin as confluent_admin
from kafka import admin as kafka_admin
from kafka.structs import TopicPartition

from barnabas.testing.process import NodeProcess

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

TIMEOUT_S = 20

CK: Any = confluent_admin
KP: Any = kafka_admin
"""Any: their types export too little, or are narrower than what they take."""


@pytest.fixture
def admin(node: NodeProcess) -> Iterator[Any]:  # Any: its methods are made at run time
    client = KP.KafkaAdminClient(bootstrap_servers=node.bootstrap)
    try:
        yield client
    finally:
        client.close()


def test_levels_of_loggers(admin: Any) -> None:
    """KIP-412: told, changed and reset by kafka-python."""
    loggers = KP.ConfigResource(KP.ConfigResourceType.BROKER_LOGGER, "1")

    def level_of(name: str) -> str:
        told: str = admin.describe_configs([loggers])["broker_logger"]["1"][name]["value"]
        return told

    assert level_of("barnabas.network") == level_of("root") == "INFO"
    changed = KP.ConfigResource(
        KP.ConfigResourceType.BROKER_LOGGER, "1", {"barnabas.network": "DEBUG"}
    )
    assert admin.alter_configs([changed]) == {"broker_logger": {"1": "OK"}}
    assert (level_of("barnabas.network"), level_of("root")) == ("DEBUG", "INFO")
    reset = KP.ConfigResource(KP.ConfigResourceType.BROKER_LOGGER, "1", ["barnabas.network"])
    assert admin.reset_configs([reset]) == {"broker_logger": {"1": "OK"}}
    assert level_of("barnabas.network") == "INFO"
    assert admin.list_config_resources()["broker_logger"] == ["1"]


def test_partitions_of_a_topic(admin: Any, new_topic: Callable[[], str]) -> None:
    """KIP-455, KIP-460, KIP-966: described page by page, moved to where they are, elected."""
    topic = new_topic()
    admin.create_topics([KP.NewTopic(topic, 3, 1)])
    page = admin.describe_topic_partitions([topic], response_partition_limit=2)
    assert [one["partition_index"] for one in page["topics"][0]["partitions"]] == [0, 1]
    assert page["next_cursor"] == {"topic_name": topic, "partition_index": 2}
    page = admin.describe_topic_partitions([topic], cursor=page["next_cursor"])
    assert [one["partition_index"] for one in page["topics"][0]["partitions"]] == [2]
    first = TopicPartition(topic, 0)
    assert admin.alter_partition_reassignments({first: [1]}) == {first: None}
    assert admin.list_partition_reassignments() == {}
    (elected,) = admin.elect_leaders(0, {topic: [0, 1]}).replica_election_results
    assert [one.error_code for one in elected.partition_result] == [84, 84]
    assert admin.delete_records({first: 0})[first]["low_watermark"] == 0
    (of_node,) = admin.describe_log_dirs()
    (directory,) = of_node["log_dirs"]
    assert topic in [one["name"] for one in directory["topics"]]
    assert not any(row["is_future_key"] for row in directory["topics"][0]["partitions"])


def test_what_librdkafka_asks(node: NodeProcess, new_topic: Callable[[], str]) -> None:
    """KIP-339, KIP-460, KIP-396: settings step by step, elections, offsets, refusals in words."""
    topic = new_topic()
    admin = CK.AdminClient({"bootstrap.servers": node.bootstrap})
    admin.create_topics([CK.NewTopic(topic, 2, 1)])[topic].result(TIMEOUT_S)
    with pytest.raises(KafkaException, match="already exists"):
        admin.create_topics([CK.NewTopic(topic, 2, 1)])[topic].result(TIMEOUT_S)
    with pytest.raises(KafkaException, match="would not be an increase"):
        admin.create_partitions([CK.NewPartitions(topic, 1)])[topic].result(TIMEOUT_S)
    change = CK.ConfigResource(CK.ResourceType.TOPIC, topic)
    for name, value, operation in (
        ("retention.ms", "1234567", CK.AlterConfigOpType.SET),
        ("cleanup.policy", "compact", CK.AlterConfigOpType.APPEND),
    ):
        change.add_incremental_config(CK.ConfigEntry(name, value, incremental_operation=operation))
    (done,) = admin.incremental_alter_configs([change]).values()
    done.result(TIMEOUT_S)
    asked = CK.ConfigResource(CK.ResourceType.TOPIC, topic)
    (described,) = admin.describe_configs([asked]).values()
    told = {name: entry.value for name, entry in described.result(TIMEOUT_S).items()}
    assert (told["retention.ms"], told["cleanup.policy"]) == ("1234567", "delete,compact")
    partitions = [CkTopicPartition(topic, number) for number in (0, 9)]
    elected = admin.elect_leaders(ElectionType.PREFERRED, partitions).result(TIMEOUT_S)
    assert sorted(error.code() for error in elected.values()) == [3, 84]
    specs = {CkTopicPartition(topic, 0): CK.OffsetSpec.latest()}
    (ends,) = admin.list_offsets(specs).values()
    assert ends.result(TIMEOUT_S).offset == 0
