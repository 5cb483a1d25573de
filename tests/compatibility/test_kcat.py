"""kcat, where it is installed: a group of three whose coordinator is killed."""

from __future__ import annotations

import re
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from kit.foreign_clients import kcat_program

from .coordinator_kill import ROUND, GroupAccident, Journal, wait_until
from .leader_kill import PARTITIONS, PATIENCE_S, new_cluster

pytestmark = pytest.mark.slow

_ASSIGNED = re.compile(r"\): assigned: (.*)")
_REVOKED = re.compile(r"\): revoked")


@pytest.fixture
def accident(tmp_path: Path) -> Iterator[GroupAccident]:
    kcat_program()  # skips before there is a cluster
    with new_cluster(tmp_path / "cluster") as running:
        yield GroupAccident(running)


class Member:
    """`kcat -G`, what it prints of its records, and what it says of its partitions."""

    def __init__(self, accident: GroupAccident, journal: Journal) -> None:
        command = [kcat_program(), "-b", accident.bootstrap, "-G", accident.group, "-u"]
        command += ["-X", "auto.offset.reset=earliest", "-X", "auto.commit.interval.ms=100"]
        self.assigned: set[int] = set()
        self.said: list[str] = []
        self._journal = journal
        self._process = subprocess.Popen(
            [*command, "-f", r"%p %o %s\n", accident.topic],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._threads = [
            threading.Thread(target=each, daemon=True) for each in (self._read, self._listen)
        ]
        for each in self._threads:
            each.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            partition, offset, value = line.split()
            self._journal.read([(int(partition), int(offset), value.encode())])

    def _listen(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self.said.append(line)
            if found := _ASSIGNED.search(line):
                self.assigned = {int(index) for index in re.findall(r"\[(\d+)\]", found[1])}
            elif _REVOKED.search(line):
                self.assigned = set()

    def stop(self) -> None:
        """SIGTERM: it commits and leaves the group."""
        self._process.terminate()
        try:
            assert self._process.wait(PATIENCE_S) == 0, self.said
            for each in self._threads:
                each.join(PATIENCE_S)
        finally:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdout, self._process.stderr):
                assert pipe is not None
                pipe.close()


def test_coordinator_dies(accident: GroupAccident) -> None:
    """Goal: three of `kcat -G` go on when their coordinator is killed; everything is read, and
    committed in the end (GRP-22, REC-01). kcat does not tell when a commit is stored."""
    journal = Journal()
    members = [Member(accident, journal) for _ in range(3)]
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
