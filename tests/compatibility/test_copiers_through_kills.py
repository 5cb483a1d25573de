"""Other people's clients copy a topic exactly once, while a coordinator, a leader and they die."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from kit.foreign_clients import MEMBERS, franz_go_copier

from barnabas.testing.process_cluster import ProcessCluster

from .java_processes import (
    JavaProcess,
    committed,
    coordinator_of,
    create,
    killed,
    leader_of,
    running,
    until,
    write,
)
from .leader_kill import check_read_once

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

ROUND = 300
"""So many records are written before and after each death."""


def librdkafka_copier() -> Sequence[str]:
    """By confluent-kafka."""
    return (sys.executable, str(MEMBERS / "librdkafka_copier.py"))


def aiokafka_copier() -> Sequence[str]:
    """By aiokafka, whose versions of the requests are the oldest."""
    return (sys.executable, str(MEMBERS / "aiokafka_copier.py"))


class Copy:
    """What was written to a topic, and what is seen of its copy."""

    def __init__(self, cluster: ProcessCluster, name: str) -> None:
        self.bootstrap = cluster.bootstrap
        self.name, self.source, self.target = name, f"{name}-from", f"{name}-to"
        self.written: list[bytes] = []
        asyncio.run(create(cluster, self.source, self.target))

    @property
    def arguments(self) -> tuple[str, ...]:
        """Of each copier."""
        return (self.bootstrap, self.source, self.target, self.name)

    def write(self) -> None:
        """A round, acknowledged, while the copier is at work."""
        begin = len(self.written)
        values = [b"value-%06d" % number for number in range(begin, begin + ROUND)]
        asyncio.run(write(self.bootstrap, self.source, values))
        self.written += values

    def seen(self) -> list[bytes]:
        """By readers of committed records."""
        return [value for _, value in asyncio.run(committed(self.bootstrap, self.target))]

    def is_begun(self) -> bool:
        """Something of the last round is there, and most likely not all."""
        return len(self.seen()) > len(self.written) - ROUND

    def is_whole(self) -> bool:
        """Everything is there."""
        return len(self.seen()) >= len(self.written)

    def victims(self) -> tuple[int, int]:
        """Who coordinates its transactions, and who leads partition 0 of the copy, now."""
        coordinator = asyncio.run(coordinator_of(self.bootstrap, self.name))
        return coordinator, asyncio.run(leader_of(self.bootstrap, self.target))


@pytest.mark.parametrize("copier", [librdkafka_copier, aiokafka_copier, franz_go_copier])
def test_deaths(
    cluster: ProcessCluster, tmp_path: Path, copier: Callable[[], Sequence[str]]
) -> None:
    """KIP-98, KIP-447, TXN-54: each record has one copy, whoever gets SIGKILL: the coordinator of
    the transactions, the leader of the copy, and the program itself, which comes back."""
    copy = Copy(cluster, copier.__name__)
    command = [*copier(), *copy.arguments]
    with running(command, tmp_path / "first.txt") as first:
        for which in (0, 1):
            copy.write()
            until(copy.is_begun, first, "copying")
            with killed(cluster, copy.victims()[which]):
                copy.write()
                until(copy.is_whole, first, "copying without a broker")
        copy.write()
        until(copy.is_begun, first, "copying on")
        first.kill()
    with running(command, tmp_path / "second.txt") as second:
        copy.write()
        until(copy.is_whole, second, "copying what the dead one left")
        check_only_once(copy, second)


def check_only_once(copy: Copy, process: JavaProcess) -> None:
    """No record is missing or there twice, nor is after the program has ended in good order."""
    check_read_once(copy.written, copy.seen())
    process.stop()
    check_read_once(copy.written, copy.seen())
