"""Kafka's own load and copy tools with transactions, while a leader or a coordinator is killed."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from kit.kafka_jars import KafkaJars
from kit.markers import until_markers_are_written

from barnabas.testing.process_cluster import ProcessCluster

from .java_processes import (
    committed,
    coordinator_of,
    create,
    killed,
    leader_of,
    running,
    size_of,
    until,
    write,
)
from .leader_kill import check_read_once, values

pytestmark = [pytest.mark.slow, pytest.mark.kafka]

TOOLS = "org.apache.kafka.tools"
ID = "by-a-tool"
COPIED = 1500
SENT = 3000

Victim = Callable[[str, str], int]
"""Who is to die, by bootstrap servers and topic."""


def leader(bootstrap: str, topic: str) -> int:
    return asyncio.run(leader_of(bootstrap, topic))


def coordinator(bootstrap: str, topic: str) -> int:
    return asyncio.run(coordinator_of(bootstrap, f"{ID}-{topic}"))


victims = pytest.mark.parametrize("victim", [leader, coordinator])


def values_of(bootstrap: str, topic: str) -> list[bytes]:
    """What read_committed consumers see once the ended transactions are through."""
    asyncio.run(until_markers_are_written(bootstrap))
    return [value for _, value in asyncio.run(committed(bootstrap, topic))]


def copier_command(kafka_jars: KafkaJars, bootstrap: str, source: str, sink: str) -> list[str]:
    """Kafka's own loop that consumes and produces; it aborts some transactions on purpose."""
    return kafka_jars.command(
        f"{TOOLS}.TransactionalMessageCopier",
        *("--broker-list", bootstrap, "--input-topic", source, "--input-partition", "0"),
        *("--output-topic", sink, "--transactional-id", f"{ID}-{sink}"),
        *("--consumer-group", f"{ID}-{sink}", "--transaction-size", "10"),
        *("--group-mode", "--use-group-metadata", "--enable-random-aborts"),
    )


@victims
def test_transactional_message_copier(
    cluster: ProcessCluster, kafka_jars: KafkaJars, tmp_path: Path, victim: Victim
) -> None:
    """KIP-447: it copies with its offsets, and aborts some of its transactions on purpose."""
    bootstrap = cluster.bootstrap
    source, sink = f"from-{victim.__name__}", f"copy-{victim.__name__}"
    asyncio.run(create(cluster, source, sink))
    wanted = values()[:COPIED]
    asyncio.run(write(bootstrap, source, wanted))
    command = copier_command(kafka_jars, bootstrap, source, sink)
    with running(command, tmp_path / "copier.txt") as copier:
        until(lambda: asyncio.run(size_of(bootstrap, sink)) > 50, copier, "copying")
        with killed(cluster, victim(bootstrap, sink)):
            before = asyncio.run(size_of(bootstrap, sink))

            def goes_on() -> bool:
                is_over = not copier.is_running
                return is_over or asyncio.run(size_of(bootstrap, sink)) > before + 50

            until(goes_on, copier, "copying without it")
        copier.ended()
    check_read_once(wanted, values_of(bootstrap, sink))


def test_a_copier_is_killed(cluster: ProcessCluster, kafka_jars: KafkaJars, tmp_path: Path) -> None:
    """KIP-447, 98-05: the next one with its id aborts what it left, and goes on where it was."""
    bootstrap, source, sink = cluster.bootstrap, "from-the-dead", "copy-of-two"
    asyncio.run(create(cluster, source, sink))
    wanted = values()[:COPIED]
    asyncio.run(write(bootstrap, source, wanted))
    command = copier_command(kafka_jars, bootstrap, source, sink)
    with running(command, tmp_path / "first.txt") as first:
        until(lambda: asyncio.run(size_of(bootstrap, sink)) > 50, first, "copying")
        first.kill()
    assert 0 < len(values_of(bootstrap, sink)) < COPIED
    with running(command, tmp_path / "second.txt") as second:
        second.ended()
    check_read_once(wanted, values_of(bootstrap, sink))


@victims
def test_producer_perf_test_with_transactions(
    cluster: ProcessCluster, kafka_jars: KafkaJars, tmp_path: Path, victim: Victim
) -> None:
    """KIP-98: as many records as were sent are committed, in many transactions."""
    bootstrap, topic = cluster.bootstrap, f"load-{victim.__name__}"
    asyncio.run(create(cluster, topic))
    command = kafka_jars.command(
        f"{TOOLS}.ProducerPerformance",
        *("--bootstrap-server", bootstrap, "--topic", topic, "--payload-monotonic"),
        *("--num-records", str(SENT), "--throughput", "400"),
        *("--transactional-id", f"{ID}-{topic}", "--transaction-duration-ms", "50"),
    )
    with running(command, tmp_path / "load.txt") as load:
        until(lambda: asyncio.run(size_of(bootstrap, topic)) > 100, load, "sending")
        with killed(cluster, victim(bootstrap, topic)):
            pass
        assert f"{SENT} records sent" in load.ended()
    found = Counter(values_of(bootstrap, topic))
    assert found == Counter(b"%d" % number for number in range(SENT))


def events(text: str, name: str) -> list[dict[str, object]]:
    """What a verifiable tool tells, one JSON object a line."""
    whole = text[: text.rfind("\n") + 1]  # it may be writing the next line
    found = [json.loads(line) for line in whole.splitlines() if line.startswith("{")]
    return [each for each in found if each["name"] == name]


def test_verifiable_producer_and_consumer(
    cluster: ProcessCluster, kafka_jars: KafkaJars, tmp_path: Path
) -> None:
    """KIP-98: what is acknowledged is stored once, and read_committed consumes it."""
    bootstrap, topic = cluster.bootstrap, "verified"
    asyncio.run(create(cluster, topic))
    config = tmp_path / "consumer.properties"
    config.write_text("isolation.level=read_committed\n")
    producing = kafka_jars.command(
        f"{TOOLS}.VerifiableProducer",
        *("--bootstrap-server", bootstrap, "--topic", topic),
        *("--max-messages", str(SENT), "--throughput", "400"),
    )
    consuming = kafka_jars.command(
        f"{TOOLS}.VerifiableConsumer",
        *("--bootstrap-server", bootstrap, "--topic", topic, "--group-id", "verified"),
        *("--command-config", str(config), "--verbose"),
    )
    with (
        running(producing, tmp_path / "producer.txt") as producer,
        running(consuming, tmp_path / "consumer.txt") as consumer,
    ):
        until(lambda: asyncio.run(size_of(bootstrap, topic)) > 100, producer, "producing")
        with killed(cluster, leader(bootstrap, topic)):
            pass
        told = producer.ended()
        sent = {each["value"] for each in events(told, "producer_send_success")}
        # It tries nothing again, so that what is on its way to the killed leader may fail.
        assert len(sent) + len(events(told, "producer_send_error")) == SENT
        assert len(sent) > SENT // 2

        def has_read_all() -> bool:
            return sent <= {each["value"] for each in events(consumer.text, "record_data")}

        until(has_read_all, consumer, "reading")
    check_read_once([str(each).encode() for each in sent], values_of(bootstrap, topic))


def test_end_to_end_latency(cluster: ProcessCluster, kafka_jars: KafkaJars) -> None:
    """Goal: it sends and reads one record at a time, and finds each."""
    asyncio.run(create(cluster, "echo", partitions=1))
    done = kafka_jars.run(
        f"{TOOLS}.EndToEndLatency",
        *("--bootstrap-server", cluster.bootstrap, "--topic", "echo", "--num-records", "200"),
        *("--producer-acks", "all", "--record-size", "100"),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"Percentiles: 50th = \d+", done.stdout), done.stdout
