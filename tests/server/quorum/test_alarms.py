"""Goal: what the consensus core finds alarming reaches whoever writes the node's log."""

from __future__ import annotations

from pathlib import Path

from barnabas.broker.server.quorum.events import QuorumEvents

from .opening import open_quorum


async def test_an_alarm_of_the_core_is_heard_once(tmp_path: Path) -> None:
    """853-01: also when nothing else is to do."""
    quorum = open_quorum(tmp_path)
    heard: list[str] = []
    await quorum.start(QuorumEvents(alarmed=heard.append))
    quorum.raft._replica.ready.alarms.append("look")
    for _ in range(2):
        quorum.driver.settle()
    assert heard == ["look"]
    await quorum.stop()
