"""DescribeConfigs and IncrementalAlterConfigs over the wire, in all versions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from kit.kafka_directory import expectations, unpack

from barnabas.broker.core.cluster.commands import AlterConfigs
from barnabas.broker.server.controller.controller_service import ControllerService
from barnabas.broker.settings import load_config
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.incremental_alter_configs_request import (
    IncrementalAlterConfigsRequest,
)

from .configs import (
    APPEND,
    BROKER,
    DELETE,
    GROUP,
    LOGGER,
    METRICS,
    SET,
    SUBTRACT,
    TOPIC,
    alter,
    describe,
    resource,
)
from .controller.asking import Asking
from .nodes import create, serving


@pytest.mark.parametrize("version", range(1, 5))
async def test_a_topic_in_every_version(tmp_path: Path, version: int) -> None:
    async with serving(tmp_path, log_segment_bytes=2_000_000) as (_, client):
        await create(client, "t", retention_ms="5")
        result = await describe(
            client,
            TOPIC,
            "t",
            version=version,
            include_synonyms=True,
            **({"include_documentation": True} if version >= 3 else {}),
        )
        assert (result.error_code, result.error_message) == (0, "")
        found = {one.name: one for one in result.configs}
        assert len(found) == len(result.configs) > 25
        assert "internal.segment.bytes" not in found
        retention, size = found["retention.ms"], found["segment.bytes"]
        assert (retention.value, retention.config_source) == ("5", 1)
        assert (size.value, size.config_source) == ("2000000", 4)
        assert (size.read_only, size.is_sensitive) == (False, False)
        assert [(one.name, one.value, one.source) for one in retention.synonyms] == [
            ("retention.ms", "5", 1)
        ]
        assert [(one.name, one.value, one.source) for one in size.synonyms] == [
            ("log.segment.bytes", "2000000", 4),
            ("log.segment.bytes", "1073741824", 5),
        ]
        assert found["flush.ms"].value == "9223372036854775807"
        if version >= 3:
            assert (retention.config_type, found["cleanup.policy"].config_type) == (5, 7)
            assert found["preallocate"].config_type == 1
            assert found["min.cleanable.dirty.ratio"].config_type == 6
            assert retention.documentation


async def test_settings_of_features_that_are_not_there(tmp_path: Path) -> None:
    """Those of tiered storage and of share groups are told as they were set, as by Kafka: tools
    that compare what is there with what they want would else set them for ever."""
    async with serving(tmp_path) as (_, client):
        await create(client, "t", remote_storage_enable="false", local_retention_ms="-2")
        changes = (
            ("share.auto.offset.reset", SET, "earliest"),
            ("streams.num.standby.replicas", SET, "1"),
        )
        assert await alter(client, resource(GROUP, "g", *changes)) == [(0, None)]
        wanted = ("remote.storage.enable", "local.retention.ms")
        rows = (await describe(client, TOPIC, "t", *wanted)).configs
        rows += (await describe(client, GROUP, "g", *(name for name, _, _ in changes))).configs
        told = [
            (one.name, one.value, one.config_source, one.config_type, one.is_sensitive)
            for one in rows
        ]
        assert told == [
            ("local.retention.ms", "-2", 1, 5, False),
            ("remote.storage.enable", "false", 1, 1, False),
            ("share.auto.offset.reset", "earliest", 8, 2, False),
            ("streams.num.standby.replicas", "1", 8, 3, False),
        ]


async def test_only_what_was_asked_for(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, client):
        await create(client, "t")
        result = await describe(client, TOPIC, "t", "retention.ms", "unheard.of")
        (found,) = result.configs
        assert (found.name, found.synonyms, found.documentation) == ("retention.ms", [], None)


async def test_brokers(tmp_path: Path) -> None:
    async with serving(tmp_path, num_partitions=3) as (_, client):
        found = {one.name: one for one in (await describe(client, BROKER, "1")).configs}
        assert (found["num.partitions"].value, found["num.partitions"].config_source) == ("3", 4)
        assert found["num.partitions"].read_only
        assert not found["log.retention.bytes"].read_only
        assert found["node.id"].value == "1"
        assert found["log.retention.ms"].value is None
        (only,) = (await describe(client, BROKER, "")).configs
        assert (only.name, only.value, only.config_source) == ("min.insync.replicas", "1", 3)
        assert await alter(client, resource(BROKER, "1", ("log.retention.ms", SET, "7"))) == [
            (0, None)
        ]
        (found,) = (await describe(client, BROKER, "1", "log.retention.ms")).configs
        assert (found.value, found.config_source) == ("7", 2)


async def test_groups_have_settings_of_their_own(tmp_path: Path) -> None:
    """Any group, also one that is not there: three of the consumer protocol and one of our own,
    with the broker's as defaults and within its bounds (848-26)."""
    session, heartbeat = "consumer.session.timeout.ms", "consumer.heartbeat.interval.ms"
    assignment, settling = "consumer.assignment.interval.ms", "consumer.settling.interval.ms"
    async with serving(tmp_path, group_consumer_heartbeat_interval_ms=6000) as (_, client):
        found = {one.name: one for one in (await describe(client, GROUP, "g")).configs}
        assert {name: (one.value, one.config_source) for name, one in found.items()} == {
            assignment: ("1000", 5),
            heartbeat: ("6000", 4),
            session: ("45000", 5),
            settling: ("50", 5),
        }
        changes = (session, SET, "60000"), (assignment, SET, "0"), (settling, SET, "0")
        assert await alter(client, resource(GROUP, "g", *changes)) == [(0, None)]
        (one,) = (await describe(client, GROUP, "g", session, include_synonyms=True)).configs
        assert (one.value, one.config_source, one.read_only) == ("60000", 8, False)
        assert [(a.name, a.value, a.source) for a in one.synonyms] == [
            (session, "60000", 8),
            ("group.consumer.session.timeout.ms", "45000", 5),
        ]
        for name, value in (
            (session, "60001"),
            (session, "44999"),
            (session, "soon"),
            (heartbeat, "4999"),
            (assignment, "15001"),
            (assignment, "-1"),
            (settling, "5001"),
            ("consumer.nonsense", "1"),
        ):
            ((code, text),) = await alter(client, resource(GROUP, "g", (name, SET, value)))
            assert code == ErrorCode.INVALID_CONFIG, name
            assert text, name
        (one,) = (await describe(client, GROUP, "g", session)).configs
        assert one.value == "60000"
        assert await alter(client, resource(GROUP, "g", (session, DELETE, None))) == [(0, None)]
        (one,) = (await describe(client, GROUP, "g", session)).configs
        assert (one.value, one.config_source) == ("45000", 5)


@pytest.mark.parametrize(
    ("kind", "name", "code", "message"),
    [
        (TOPIC, "none", 3, ""),
        (TOPIC, "", 17, "Topic name is invalid: the empty string is not allowed"),
        (BROKER, "2", 42, "Unexpected broker id, expected 1 or empty string, but received 2"),
        (BROKER, "x", 42, "Broker id must be an integer, but it is: x"),
        (LOGGER, "", 42, "Broker id must not be empty"),
        (GROUP, "", 42, "Group name must not be empty"),
        (METRICS, "", 42, "Client metrics subscription name must not be empty"),
        (99, "x", 42, "Unsupported resource type: 99"),
    ],
)
async def test_what_cannot_be_described(
    tmp_path: Path, kind: int, name: str, code: int, message: str
) -> None:
    async with serving(tmp_path) as (_, client):
        result = await describe(client, kind, name)
        assert (result.error_code, result.error_message, result.configs) == (code, message, [])


async def test_the_metadata_topic_is_kept_by_snapshots(tmp_path: Path) -> None:
    """630-17: it reads as `snapshot`, and nobody changes it."""
    async with serving(tmp_path) as (_, client):
        (found,) = (await describe(client, TOPIC, "__cluster_metadata", "cleanup.policy")).configs
        assert found.value == "snapshot"
        change = resource(TOPIC, "__cluster_metadata", ("cleanup.policy", SET, "delete"))
        ((code, _),) = await alter(client, change)
        assert code == 44


@pytest.mark.parametrize("version", range(2))
async def test_a_change_is_obeyed_when_it_is_answered(tmp_path: Path, version: int) -> None:
    """Decision 8: the logs have the new settings."""
    async with serving(tmp_path) as (node, client):
        await create(client, "t", cleanup_policy="")
        partition = node.broker.replicas.get("t", 0)
        assert partition is not None
        changes = resource(
            TOPIC, "t", ("retention.ms", SET, "5"), ("cleanup.policy", APPEND, "delete")
        )
        assert await alter(client, changes, version=version) == [(0, None)]
        assert (partition.config.retention_ms, partition.config.cleanup_policy) == (5, ("delete",))
        await alter(client, resource(BROKER, "", ("message.max.bytes", SET, "777")))
        assert partition.config.max_message_bytes == 777
        changes = resource(
            TOPIC, "t", ("retention.ms", DELETE, None), ("cleanup.policy", SUBTRACT, "delete")
        )
        assert await alter(client, changes, version=version) == [(0, None)]
        assert (partition.config.retention_ms, partition.config.cleanup_policy) == (
            604_800_000,
            (),
        )
        changes = resource(TOPIC, "t", ("retention.ms", SET, "9"))
        assert await alter(client, changes, validate_only=True) == [(0, None)]
        assert partition.config.retention_ms == 604_800_000


async def test_changes_that_are_refused(tmp_path: Path) -> None:
    """One resource's error does not touch the others."""
    async with serving(tmp_path) as (node, client):
        for name in "abcd":
            await create(client, name)
        answers = await alter(
            client,
            resource(TOPIC, "a", ("retention.ms", SET, "-5")),
            resource(TOPIC, "b", ("retention.ms", SET, "1"), ("retention.ms", SET, "2")),
            resource(TOPIC, "c", ("retention.ms", SET, None)),
            resource(TOPIC, "d", ("retention.ms", 7, "1")),
            resource(TOPIC, "none", ("retention.ms", SET, "1")),
            resource(BROKER, "1", ("num.partitions", SET, "1")),
            resource(BROKER, "2", ("log.retention.ms", SET, "8")),
            resource(BROKER, "x", ("log.retention.ms", SET, "8")),
            resource(BROKER, "", ("log.retention.ms", SET, "8")),
        )
        assert answers == [
            (40, "Invalid value -5 for configuration retention.ms: Value must be at least -1"),
            (42, "Error due to duplicate config keys"),
            (42, "Null value not supported for : retention.ms"),
            (42, "Unknown operations type 7"),
            (3, "The topic 'none' does not exist."),
            (42, "Cannot update these configs dynamically: [num.partitions]"),
            (42, "Unexpected broker id, expected 1, but received 2"),
            (42, "Node id must be an integer, but it is: x"),
            (0, None),
        ]
        twice = resource(TOPIC, "a", ("retention.ms", SET, "1"))
        assert (
            await alter(client, twice, twice)
            == [(42, "Each resource must appear at most once.")] * 2
        )
        assert node.image.config_of(2, "a") == {}
        assert node.image.config_of(4, "")["log.retention.ms"] == "8"


async def test_a_brokers_settings_of_others(tmp_path: Path) -> None:
    """Kafka keeps names on a broker that it does not know, and tells them without their value;
    its tool for reassignments sets throttles, its older clients send topics' settings."""
    rows = (
        ("leader.replication.throttled.rate", SET, "5000000"),
        ("follower.replication.throttled.rate", SET, "5000000"),
        ("log.cleaner.backoff.ms", SET, "15001"),
        ("cleanup.policy", SET, "delete"),
    )
    async with serving(tmp_path) as (node, client):
        assert await alter(client, resource(BROKER, "1", *rows)) == [(0, None)]
        assert set(node.image.config_of(BROKER, "1")) == {name for name, _, _ in rows}
        found = {one.name: one for one in (await describe(client, BROKER, "1")).configs}
        assert found["leader.replication.throttled.rate"].value == "5000000"
        stranger = found["cleanup.policy"]
        assert (stranger.value, stranger.is_sensitive) == (None, True)
        gone = tuple((name, DELETE, None) for name, _, _ in rows)
        assert await alter(client, resource(BROKER, "1", *gone)) == [(0, None)]
        assert not node.image.config_of(BROKER, "1")


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        ("9", 102, "No node with id 9 found."),
        ("x", 42, "Unable to parse broker name as a base 10 number."),
        ("1", 0, None),
    ],
)
async def test_a_controller_knows_every_node(name: str, code: int, message: str | None) -> None:
    """KIP-919: it is nobody's own broker, so it says that a node is not registered."""
    wanted = resource(BROKER, name, ("log.retention.ms", SET, "8"))
    answer = await Asking(1).ask(IncrementalAlterConfigsRequest(resources=[wanted]), 1)
    (found,) = answer.responses
    assert (found.error_code, found.error_message) == (code, message)


async def test_kafkas_settings_are_told_as_kafka_tells_them(tmp_path: Path) -> None:
    """Goal: on Kafka's directory, what was set on each topic, internal settings too."""
    async with serving(unpack(tmp_path)) as (_, client):
        for name, facts in expectations()["topics"].items():
            result = await describe(client, TOPIC, name)
            own = {one.name: one.value for one in result.configs if one.config_source == 1}
            assert own == facts["configs"], name
        group = (await describe(client, GROUP, "sg-0")).configs
        set_here = [one.name for one in group if one.config_source == 8]
        assert set_here == ["share.auto.offset.reset"]
        metrics = (await describe(client, METRICS, "m")).configs
        assert [one.config_source for one in metrics] == [5, 5, 5]


async def test_compaction_can_be_asked_for_and_taken_back(tmp_path: Path) -> None:
    """Goal: on a topic, and as the default of all; the logs follow at once (CMP-01)."""
    async with serving(tmp_path) as (node, client):
        await create(client, "t")
        partition = node.broker.replicas.get("t", 0)
        assert partition is not None
        for change, policy in (
            (("cleanup.policy", SET, "compact"), ("compact",)),
            (("cleanup.policy", APPEND, "delete"), ("compact", "delete")),
            (("cleanup.policy", DELETE, None), ("delete",)),
        ):
            assert await alter(client, resource(TOPIC, "t", change)) == [(0, None)]
            assert partition.config.cleanup_policy == policy
            assert partition.log.rules.compact is ("compact" in policy)
        change = ("log.cleanup.policy", SET, "compact")
        assert await alter(client, resource(BROKER, "", change)) == [(0, None)]
        assert partition.log.rules.compact
    assert load_config(assignments=["log.cleanup.policy=compact,delete"]).log_cleanup_policy


async def test_a_reign_that_ends_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """FWD-05: the next active controller decides, as if the request had been sent on to it."""
    submit = ControllerService.submit
    ended: list[object] = []

    async def ends_once(self: ControllerService, command: Any) -> Any:
        if isinstance(command, AlterConfigs) and not ended:
            ended.append(command)
            raise KafkaError(ErrorCode.NOT_CONTROLLER)
        return await submit(self, command)

    async with serving(tmp_path) as (_, client):
        await create(client, "t")
        monkeypatch.setattr(ControllerService, "submit", ends_once)
        change = resource(TOPIC, "t", ("retention.ms", SET, "7"))
        assert await alter(client, change) == [(0, None)]
        assert ended
        (found,) = (await describe(client, TOPIC, "t", "retention.ms")).configs
        assert found.value == "7"
