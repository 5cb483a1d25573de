"""Kafka's console consumer, kafka-consumer-groups and VerifiableConsumer with consumer groups."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from confluent_kafka import Producer
from kit.kafka_jars import KafkaJars

from barnabas.testing.process_cluster import ProcessCluster

from .coordinator_kill import GroupAccident, Journal, wait_until
from .leader_kill import PARTITIONS, PATIENCE_S

pytestmark = [pytest.mark.slow, pytest.mark.kafka]

TOOLS = "org.apache.kafka.tools"
GROUPS = f"{TOOLS}.consumer.group.ConsumerGroupCommand"
RECORDS = 300
EACH = RECORDS // PARTITIONS
PROTOCOLS = ("classic", "consumer")


@pytest.fixture
def accident(cluster: ProcessCluster) -> Iterator[GroupAccident]:
    made = GroupAccident(cluster)
    yield made
    made.clear_up()


def fill(accident: GroupAccident) -> None:
    """`RECORDS` values, as many in each partition, acknowledged."""
    producer = Producer({"bootstrap.servers": accident.bootstrap, "enable.idempotence": True})
    for number in range(RECORDS):
        producer.produce(accident.topic, b"%d" % number, partition=number % PARTITIONS)
    assert producer.flush(PATIENCE_S) == 0


def start(jars: KafkaJars, main_class: str, *arguments: str) -> subprocess.Popen[str]:
    """A tool as a process beside the test."""
    return subprocess.Popen(
        jars.command(main_class, *arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def rows_of(text: str) -> list[list[str]]:
    """Words of the lines that have any."""
    return [line.split() for line in text.splitlines() if line.strip()]


def test_console_consumer_and_tool(accident: GroupAccident, kafka_jars: KafkaJars) -> None:
    """Goal: groups of both protocols read everything, and are described, reset, robbed of offsets
    and deleted by kafka-consumer-groups (GRP-22, 848-12)."""
    topic = accident.topic
    fill(accident)
    readers = [
        start(
            kafka_jars,
            f"{TOOLS}.consumer.ConsoleConsumer",
            *("--bootstrap-server", accident.bootstrap, "--topic", topic, "--from-beginning"),
            *("--group", name, "--command-property", f"group.protocol={name}"),
            *("--max-messages", str(RECORDS), "--timeout-ms", "60000"),
        )
        for name in PROTOCOLS
    ]
    for reader in readers:
        read, _ = reader.communicate(timeout=PATIENCE_S)
        assert sorted(map(int, read.split())) == list(range(RECORDS))

    def tool(*arguments: str) -> str:
        done = kafka_jars.run(GROUPS, "--bootstrap-server", accident.bootstrap, *arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "Error" not in done.stdout + done.stderr, done.stdout + done.stderr
        return done.stdout

    listed = rows_of(tool("--list", "--state", "--type"))
    assert [row for row in listed if row[0] in PROTOCOLS] == [
        ["classic", "Classic", "Empty"],
        ["consumer", "Consumer", "Empty"],
    ]
    both = [word for name in PROTOCOLS for word in ("--group", name)]
    committed = rows_of(tool("--describe", *both))
    for name in PROTOCOLS:
        found = {row[2]: row[3:6] for row in committed if row[0] == name}
        assert found == {str(index): [str(EACH), str(EACH), "0"] for index in range(PARTITIONS)}
    shifted = ("--reset-offsets", "--topic", topic, "--shift-by", "-10", "--execute")
    moved = [row for row in rows_of(tool(*shifted, *both)) if row[0] in PROTOCOLS]
    assert len(moved) == 2 * PARTITIONS
    assert {row[3] for row in moved} == {str(EACH - 10)}
    deleted = tool("--delete-offsets", "--group", "consumer", "--topic", f"{topic}:1")
    assert [topic, "1", "Successful"] in rows_of(deleted)
    assert "was successful" in tool("--delete", *both)


class Verifiable:
    """A VerifiableConsumer: it commits after each poll, and prints what it does as JSON."""

    def __init__(
        self,
        jars: KafkaJars,
        accident: GroupAccident,
        protocol: str,
        journal: Journal,
        *arguments: str,
    ) -> None:
        self.assigned: set[int] = set()
        self.events: list[dict[str, Any]] = []
        self._journal = journal
        self._process = start(
            jars,
            f"{TOOLS}.VerifiableConsumer",
            *("--bootstrap-server", accident.bootstrap, "--topic", accident.topic),
            *("--group-id", accident.group, "--group-protocol", protocol),
            *("--reset-policy", "earliest"),
            *arguments,
        )
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def _follow(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("{"):
                self._take(json.loads(line))

    def _take(self, event: dict[str, Any]) -> None:
        self.events.append(event)
        match event["name"]:
            case "partitions_assigned":
                self.assigned |= {one["partition"] for one in event["partitions"]}
            case "partitions_revoked":
                self.assigned -= {one["partition"] for one in event["partitions"]}
            case "records_consumed":
                for one in event["partitions"]:
                    self._read(one["partition"], one["minOffset"], one["maxOffset"], one["count"])
            case "offsets_committed" if event["success"]:
                self._journal.committed(
                    {one["partition"]: one["offset"] for one in event["offsets"]}
                )

    def _read(self, partition: int, first: int, last: int, count: int) -> None:
        assert count == last - first + 1, self.events[-1]
        self._journal.read(
            (partition, offset, b"%d at %d" % (partition, offset))
            for offset in range(first, last + 1)
        )

    def stop(self) -> None:
        """SIGTERM: it leaves the group."""
        self._process.terminate()
        try:
            self._process.wait(PATIENCE_S)
            self._thread.join(PATIENCE_S)
        finally:
            self._process.kill()
            self._process.wait()
            if self._process.stdout is not None:
                self._process.stdout.close()


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_coordinator_dies(accident: GroupAccident, kafka_jars: KafkaJars, protocol: str) -> None:
    """Goal: three members go on when their coordinator is killed: every record is read, none
    again that a commit had covered (GRP-22, REC-01)."""
    journal = Journal()
    members = [Verifiable(kafka_jars, accident, protocol, journal) for _ in range(3)]
    try:
        wait_until(lambda: sorted(len(one.assigned) for one in members) == [1, 1, 1], "sharing")
        accident.find_victim()
        fill(accident)
        accident.happen()
        fill(accident)
        wait_until(lambda: len(journal.values) == 2 * RECORDS, "reading everything")
        wait_until(journal.is_all_committed, "committing everything")
        fill(accident)
        wait_until(lambda: len(journal.values) == 3 * RECORDS, "reading on")
    finally:
        for one in members:
            one.stop()
    assert journal.reads_after_commit == [], [one.events for one in members]
    assert members[0].events[-1]["name"] == "shutdown_complete"


ASSIGNORS = ("RangeAssignor", "CooperativeStickyAssignor")


@pytest.mark.parametrize("assignor", ASSIGNORS)
def test_members_change_their_protocol_one_by_one(
    accident: GroupAccident, kafka_jars: KafkaJars, assignor: str
) -> None:
    """Goal: a group of the classic protocol is brought to the consumer protocol member by member,
    and back; it reads everything, and nothing again that a commit had covered (848-40 to
    848-43)."""
    journal = Journal()
    strategy = ("--assignment-strategy", f"org.apache.kafka.clients.consumer.{assignor}")
    members: list[Verifiable] = []

    def start_one(protocol: str) -> None:
        extra = strategy if protocol == "classic" else ()
        members.append(Verifiable(kafka_jars, accident, protocol, journal, *extra))

    def share() -> bool:
        held = sorted(number for one in members for number in one.assigned)
        return held == list(range(PARTITIONS)) and all(one.assigned for one in members)

    def read_more(times: int) -> None:
        fill(accident)
        wait_until(lambda: len(journal.values) == times * RECORDS, "reading everything")
        wait_until(journal.is_all_committed, "committing everything")

    def group_type() -> str:
        tool = ("--bootstrap-server", accident.bootstrap, "--list", "--state", "--type")
        listed = rows_of(kafka_jars.run(GROUPS, *tool).stdout)
        return next(row[1] for row in listed if row[0] == accident.group)

    try:
        for _ in range(2):
            start_one("classic")
        wait_until(share, "sharing")
        read_more(1)
        for turn, protocol in enumerate(("consumer", "consumer", "classic", "classic")):
            start_one(protocol)
            wait_until(share, f"sharing after a {protocol} member came")
            members.pop(0).stop()
            wait_until(share, f"sharing after member {turn} left")
            read_more(turn + 2)
            assert group_type() == ("Consumer" if turn < 3 else "Classic")
    finally:
        for one in members:
            one.stop()
    assert journal.reads_after_commit == []
