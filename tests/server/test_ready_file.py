"""The file that says whether a node is ready."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest
from handlers.nodes import serving
from kit.list_logger import ListLogger
from kit.waiting import until

from barnabas.broker.server import ready_file
from barnabas.broker.server.ready_file import ReadyFile

from .clusters import cluster


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ready_file, "TOUCH_INTERVAL_MS", 1)


async def test_a_node_that_serves_has_it(tmp_path: Path) -> None:
    """Goal: it is there, and young, while the node is ready, and gone when it has stopped."""
    path = tmp_path / "ready"
    async with serving(tmp_path / "d", ready_file=str(path)):
        await until(path.exists)
        os.utime(path, (1, 1))
        await until(lambda: path.stat().st_mtime > 1)
    assert not path.exists()


async def test_a_node_that_is_not_let_in_has_none(tmp_path: Path) -> None:
    """Goal: what a killed process left is removed first; a port that is open is not readiness."""
    path = tmp_path / "ready"
    path.touch()
    let_in: list[bool] = []
    file = ReadyFile(str(path), lambda: bool(let_in), ListLogger())
    file.begin()
    assert not path.exists()
    file.start()
    let_in.append(True)
    await until(path.exists)
    let_in.clear()
    await until(lambda: not path.exists())
    await file.stop()


async def test_a_broker_without_a_controller_is_not_ready(tmp_path: Path) -> None:
    """Goal: who cannot be heard any more does not say that it is ready."""
    path = tmp_path / "ready"
    settings: dict[str, Any] = {"ready_file": None, "broker_heartbeat_interval_ms": 50}
    async with cluster(tmp_path, controllers=1, brokers=1, **settings) as nodes:
        broker = nodes.nodes[2]
        file = ReadyFile(str(path), broker._is_ready, ListLogger())
        file.start()
        await until(path.exists)
        await nodes.kill(1)
        await until(lambda: not path.exists())
        await file.stop()
    await asyncio.sleep(0)  # what the nodes' end has closed is gone a turn of the loop later
    await asyncio.sleep(0)


async def test_a_place_that_cannot_be_written_is_told_once(tmp_path: Path) -> None:
    """Goal: a wrong path is in the log, once, and the node lives."""
    log = ListLogger()
    asked: list[bool] = []

    def is_ready() -> bool:
        asked.append(True)
        return True

    file = ReadyFile(str(tmp_path / "none/ready"), is_ready, log)
    file.begin()
    file.start()
    await until(lambda: len(asked) > 3)
    await file.stop()
    assert [(level, event) for level, event, _ in log.lines] == [
        ("error", "ready.file cannot be kept")
    ]
    assert "No such file" in str(log.lines[0][2]["error"])


async def test_a_stop_leaves_no_late_touch(tmp_path: Path) -> None:
    """Goal: a touch that was under way when the node stopped does not come after the removal."""
    path = tmp_path / "ready"
    file = ReadyFile(str(path), lambda: True, ListLogger())
    for _ in range(20):
        file.start()
        await asyncio.sleep(0)
        await file.stop()
        assert not path.exists()
