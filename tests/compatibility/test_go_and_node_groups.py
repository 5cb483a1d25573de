"""Groups of three by Go and Node.js clients go on while their coordinator is killed.

Every acknowledged record is read, and the group commits all of it.
"""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from kit.foreign_clients import (
    franz_go_848_member,
    franz_go_member,
    kafkajs_member,
    sarama_member,
)

from .coordinator_kill import ROUND, GroupAccident, Journal, wait_until
from .leader_kill import PARTITIONS, PATIENCE_S, new_cluster

pytestmark = pytest.mark.slow

Command = tuple[Sequence[str], dict[str, str]]


@pytest.fixture
def accident(tmp_path: Path) -> Iterator[GroupAccident]:
    with new_cluster(tmp_path / "cluster") as running:
        yield GroupAccident(running)


class Member:
    """One of the programs in `members/`, and what it says that it does."""

    def __init__(self, run: Command, accident: GroupAccident, journal: Journal) -> None:
        command, environment = run
        self.assigned: set[int] = set()
        self.events: list[dict[str, Any]] = []
        self._journal = journal
        self._process = subprocess.Popen(
            [*command, accident.bootstrap, accident.topic, accident.group],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, **environment},
        )
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def _follow(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._take(json.loads(line))

    def _take(self, event: dict[str, Any]) -> None:
        match event["name"]:
            case "assigned":
                self.assigned = set(event["partitions"])
            case "read":
                partition = event["partition"]
                self._journal.read(
                    (partition, offset, value.encode()) for offset, value in event["records"]
                )
                return  # the rest is kept, for whoever looks at a failure
            case "committed":
                self._journal.committed({event["partition"]: event["offset"]})
        self.events.append(event)

    def stop(self) -> None:
        """SIGTERM: it leaves the group."""
        self._process.terminate()
        try:
            assert self._process.wait(PATIENCE_S) == 0
            self._thread.join(PATIENCE_S)
        finally:
            self._process.kill()
            self._process.wait()
            if self._process.stdout is not None:
                self._process.stdout.close()


@pytest.mark.parametrize(
    "member", [kafkajs_member, sarama_member, franz_go_member, franz_go_848_member]
)
def test_coordinator_dies(accident: GroupAccident, member: Callable[[], Command]) -> None:
    """Goal: three members go on when their coordinator is killed: every record is read, none again
    that a member knew to be committed (sarama tells of none), and all is committed in the end
    (GRP-22, REC-01)."""
    run, journal = member(), Journal()
    members = [Member(run, accident, journal) for _ in range(3)]
    try:
        wait_until(lambda: sorted(len(one.assigned) for one in members) == [1, 1, 1], "sharing")
        accident.find_victim()
        written = accident.write("before")
        accident.happen()
        written |= accident.write("meanwhile")
        wait_until(lambda: journal.values >= written, "reading everything")
        written |= accident.write("after")
        wait_until(lambda: journal.values >= written, "reading on")
        whole = dict.fromkeys(range(PARTITIONS), 3 * ROUND // PARTITIONS)
        wait_until(lambda: accident.committed() == whole, "committing")
    finally:
        for one in members:
            one.stop()
    assert journal.values == written
    assert journal.reads_after_commit == [], [one.events for one in members]
