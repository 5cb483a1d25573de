"""The checkpoints of every few seconds: each directory has its own, and is tried until it works."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from kit.broker import running
from kit.log_batches import Batch

from barnabas.broker.core.log.checkpoints import read_offsets
from barnabas.broker.core.log.file_names import LOG_START_OFFSETS
from barnabas.broker.core.log.log_directory import LogDirectory
from barnabas.broker.storage.files import real_env


async def test_a_directory_that_fails(tmp_path: Path) -> None:
    """Goal: it keeps up no other directory, is told of once, and has its checkpoint as soon as it
    can be written, though nothing has changed since."""
    first, second = tmp_path / "first", tmp_path / "second"
    async with running(second) as bench:
        bench.create_topic("t")
        partition = bench.broker.replicas.get("t", 0)
        assert partition is not None
        for _ in range(5):
            raw = Batch().encoded
            partition.append(memoryview(raw), 0, len(raw), bench.broker.env.clock.wall_ms())
        sick = LogDirectory(str(first), real_env())
        sick.open()
        sick.logs["t", 0] = partition.log  # it needs something to tell
        bench.broker.replicas.directories.insert(0, sick)
        env = bench.broker.env

        def starts(path: Path) -> dict[tuple[str, int], int]:
            file = path / LOG_START_OFFSETS
            return read_offsets(env.disk, str(file)) if file.exists() else {}

        with pytest.MonkeyPatch.context() as patch:

            def fails(**_: Any) -> None:
                raise OSError(5, "planted")

            patch.setattr(sick, "checkpoint_write", fails)
            for start in (3, 4, 4):
                partition.advance_log_start(start)
                await bench.broker.background.write_checkpoints()
                assert (starts(first), starts(second)) == ({}, {("t", 0): start})
        told = [line for line in bench.log.lines if line[1] == "checkpoint failed"]
        assert [line[2]["path"] for line in told] == [str(first)]
        await bench.broker.background.write_checkpoints()
        assert starts(first) == {("t", 0): 4}
        bench.broker.replicas.directories.remove(sick)
        for line in told:
            bench.log.lines.remove(line)
