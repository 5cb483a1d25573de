"""Three nodes from the wheel: one is killed under traffic and comes back, consumers read on."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import IO

import pytest

from .clusters import InstalledCluster
from .installed import Installed

pytestmark = [pytest.mark.slow, pytest.mark.artifact]

TRAFFIC = Path(__file__).parent / "traffic.py"
PARTITIONS = 6
ENOUGH = 2_000
"""Records read since something happened: several fetches of each partition's session."""


def read_so_far(said: IO[str]) -> int:
    """How many records were read when the program spoke next."""
    line = said.readline()
    assert line, "the program has ended"
    return int(json.loads(line)["read"])


def read_on(said: IO[str], count: int) -> None:
    """Wait until so many more were read."""
    wanted = read_so_far(said) + count
    while read_so_far(said) < wanted:
        pass


def test_a_killed_replica_comes_back_and_consumers_read_on(
    installed: Installed, cluster: InstalledCluster
) -> None:
    """227-02, I-5: sessions of consumers and followers go on over a kill and a rejoin."""
    topic = "rejoin"
    cluster.create(topic, PARTITIONS)
    killed = cluster.partitions(topic)[0]["leader"]
    command = [str(installed.python), "-I", str(TRAFFIC), cluster.bootstrap, topic, str(PARTITIONS)]
    with subprocess.Popen(
        command,
        cwd=installed.home,
        env=installed.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as traffic:
        try:
            assert traffic.stdout is not None
            read_on(traffic.stdout, ENOUGH)
            cluster.node("kill", killed)
            read_on(traffic.stdout, ENOUGH)
            cluster.node("restart", killed)
            cluster.wait_until_all_in_sync(topic)
            read_on(traffic.stdout, ENOUGH)
            told, errors = traffic.communicate(timeout=90)
        finally:
            traffic.kill()
    assert traffic.returncode == 0, errors
    total = json.loads(told.splitlines()[-1])
    assert 0 < total["acked"] <= total["read"]
