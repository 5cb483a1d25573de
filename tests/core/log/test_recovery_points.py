"""What a start writes to the recovery points of a log that it cut."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.log_batches import batch
from kit.logs import SMALL, append, env_of

from barnabas.broker.core.log.checkpoints import read_offsets
from barnabas.broker.core.log.log_directory import LogDirectory
from barnabas.broker.storage.files import RealDisk

TOPIC_ID = bytes(range(16))


def opened(path: Path) -> LogDirectory:
    """With all its logs."""
    directory = LogDirectory(str(path), env_of())
    directory.open()
    for found in directory.partitions():
        directory.load(found, SMALL)
    return directory


@pytest.mark.parametrize("is_damaged", [False, True])
def test_a_recovery_below_the_recovery_point_lowers_it(tmp_path: Path, is_damaged: bool) -> None:
    """I-5: a flushed segment was damaged and cut. What comes instead is not durable, and after
    another kill the next life must read it through; a log that is whole keeps its point."""
    directory = opened(tmp_path)
    log = directory.create("orders", 0, TOPIC_ID, SMALL)
    for _ in range(5):
        append(log, batch(b"x" * 50))
    log.flush()
    directory.write_checkpoints()
    path = tmp_path / "orders-0" / f"{0:020d}.log"
    content = bytearray(path.read_bytes())
    content[-1] ^= is_damaged
    path.write_bytes(content)
    points = tmp_path / "recovery-point-offset-checkpoint"
    ends = opened(tmp_path).logs[("orders", 0)].log_end_offset
    assert ends == 5 - is_damaged
    assert read_offsets(RealDisk(), str(points)) == {("orders", 0): ends}
