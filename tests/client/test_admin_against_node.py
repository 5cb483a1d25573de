"""Goal: the admin client works against a barnabas node and Apache Kafka alike."""

from __future__ import annotations

import pytest
from kit.waiting import eventually

from barnabas.client import (
    Admin,
    AlterConfig,
    AlterConfigOp,
    ConfigResource,
    ConfigSource,
    Consumer,
    NewPartitions,
    NewTopic,
    Producer,
    TopicPartition,
)
from barnabas.client.errors import (
    BrokerError,
    InvalidConfigError,
    InvalidPartitionsError,
    InvalidReplicationFactorError,
    InvalidTopicError,
    OffsetOutOfRangeError,
    TopicAlreadyExistsError,
    UnknownTopicOrPartitionError,
)

from .brokers import create, partitions_of


async def test_topics(address: str, topic: str) -> None:
    async with Admin(bootstrap_servers=address) as admin:
        made = await admin.create_topics([NewTopic(topic, 2, 1)])
        assert made[topic].num_partitions == 2
        await eventually(lambda: partitions_of(admin, topic), lambda count: count == 2)
        described = (await admin.describe_topics([topic]))[topic]
        assert described.topic_id == made[topic].topic_id
        assert [each.partition for each in described.partitions] == [0, 1]
        assert described.partitions[0].leader in described.partitions[0].isr
        assert topic in await admin.list_topics()
        with pytest.raises(TopicAlreadyExistsError):
            await admin.create_topics([NewTopic(topic)])
        with pytest.raises(InvalidTopicError):
            await admin.create_topics([NewTopic("no/such name")])
        with pytest.raises(InvalidReplicationFactorError):
            await admin.create_topics([NewTopic(topic + "-r", 1, 5)])
        with pytest.raises(InvalidConfigError):
            await admin.create_topics([NewTopic(topic + "-c", topic_configs={"retention.ms": "x"})])
        await admin.create_topics([NewTopic(topic + "-v")], validate_only=True)
        with pytest.raises(BrokerError) as caught:
            await admin.create_topics([NewTopic(topic), NewTopic("bad name")])
        assert set(caught.value.failures) == {topic, "bad name"}
        await admin.create_partitions({topic: 3})
        await admin.create_partitions({topic: NewPartitions(4)}, validate_only=True)
        with pytest.raises(InvalidPartitionsError):
            await admin.create_partitions({topic: 1})
        await eventually(lambda: partitions_of(admin, topic), lambda count: count == 3)

        async def replicas() -> list[tuple[str, int]]:
            found = await admin.describe_log_dirs()
            return [(each.topic, each.partition) for one in found for each in one.replicas]

        await eventually(replicas, lambda found: (topic, 2) in found)
        await admin.delete_topics([topic])
        with pytest.raises(UnknownTopicOrPartitionError):
            await admin.delete_topics([topic])
        await eventually(lambda: partitions_of(admin, topic), lambda count: count == 0)
        with pytest.raises(UnknownTopicOrPartitionError):
            await admin.describe_topics([topic])


async def test_settings(address: str, topic: str) -> None:
    resource = ConfigResource.topic(topic)
    await create(address, topic, retention_ms="123456", cleanup_policy="")
    async with Admin(bootstrap_servers=address) as admin:

        async def values(*names: str) -> dict[str, str | None]:
            found = await admin.describe_configs([resource], names=names)
            return {name: each.value for name, each in found[resource].items()}

        entry = (await admin.describe_configs([resource]))[resource]["retention.ms"]
        assert (entry.value, entry.is_default) == ("123456", False)
        changes = [
            AlterConfig("retention.ms", operation=AlterConfigOp.DELETE),
            AlterConfig("cleanup.policy", "delete", AlterConfigOp.APPEND),
        ]
        await admin.incremental_alter_configs({resource: changes})
        appended = {"cleanup.policy": "delete"}
        await eventually(lambda: values("cleanup.policy"), lambda found: found == appended)
        assert (await values("retention.ms"))["retention.ms"] == str(7 * 24 * 3600 * 1000)
        with pytest.raises(InvalidConfigError):
            await admin.incremental_alter_configs({resource: [AlterConfig("segment.ms", "no")]})
        with pytest.raises(UnknownTopicOrPartitionError):
            await admin.describe_configs([ConfigResource.topic("missing")])
        cluster = await admin.describe_cluster()
        broker = ConfigResource.broker(cluster.brokers[0].node_id)
        assert "num.partitions" in (await admin.describe_configs([broker]))[broker]


async def test_settings_of_a_group(address: str, topic: str) -> None:
    """848-26: of one that nobody has joined yet, too."""
    group = ConfigResource.group(f"of-{topic}")
    name = "consumer.session.timeout.ms"
    async with Admin(bootstrap_servers=address) as admin:

        async def session() -> tuple[str | None, int]:
            found = (await admin.describe_configs([group]))[group][name]
            return found.value, found.source

        await admin.incremental_alter_configs({group: [AlterConfig(name, "50000")]})
        await eventually(session, lambda found: found == ("50000", ConfigSource.GROUP))
        with pytest.raises(InvalidConfigError):
            await admin.incremental_alter_configs({group: [AlterConfig("segment.ms", "1")]})


async def test_delete_records(address: str, topic: str) -> None:
    await create(address, topic)
    here = TopicPartition(topic, 0)
    async with Producer(bootstrap_servers=address) as producer:
        await producer.send_many(topic, [b"%d" % n for n in range(100)])
    async with Admin(bootstrap_servers=address) as admin:
        assert await admin.delete_records({here: 40}) == {here: 40}
        with pytest.raises(OffsetOutOfRangeError):
            await admin.delete_records({here: 101})
    async with Consumer(bootstrap_servers=address, auto_offset_reset="earliest") as consumer:
        consumer.assign([here])
        consumer.seek(here, 10)
        assert (await consumer.getone()).offset == 40
        event = consumer.reset_events()[0]
        assert event[:3] == (here, 10, 40)
