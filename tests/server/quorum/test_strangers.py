"""Goal: nodes of different clusters that meet say so, both by name, and not again and again."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from typing import Any

from kit.logs import ManualClock

from barnabas.broker.core.raft.messages import Fetch, LeaderAndEpoch, ReplicaKey
from barnabas.broker.server.quorum.strangers import GUESTS_MAX, REPEAT_MS, Strangers
from barnabas.protocol.errors import ErrorCode, KafkaError

from .opening import open_quorum


class Asked:
    """The part of the core that is asked here: two servers, of which nobody answers."""

    cluster_id = "ours"
    replica_key = ReplicaKey(4)
    leader = LeaderAndEpoch(-1, 0)

    def __init__(self) -> None:
        self.ports = [closed_port(), closed_port()]

    def address_of(self, to: int) -> tuple[str, int]:
        return ("127.0.0.1", self.ports[-2 - to])

    def targets(self) -> list[int]:
        return [-2, -3]


def closed_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def fetch_of(node_id: int) -> Fetch:
    return Fetch("theirs", ReplicaKey(node_id), 1, 0, 0, 0, 1)


async def ended(strangers: Strangers) -> None:
    while strangers._asking:
        await asyncio.wait(list(strangers._asking.values()))
        await asyncio.sleep(0)


async def test_a_refusal_is_said_once_a_minute_and_ends_when_all_refuse() -> None:
    """853-01: one wrong address is no reason to give up; all of them are."""
    notes: list[str] = []
    given_up: list[KafkaError] = []
    clock = ManualClock()
    core: Any = Asked()
    strangers = Strangers(core, clock, notes.append, given_up.append)
    for _ in range(3):
        strangers.refused_by(-2)
        await ended(strangers)
    (said,) = notes
    assert f":{core.ports[0]} belongs to cluster" in said
    assert "this node to ours" in said
    assert given_up == []
    clock.now_ms += REPEAT_MS
    strangers.refused_by(-2)
    assert notes == [said, said]
    strangers.refused_by(-3)
    await ended(strangers)
    (error,) = given_up
    assert error.code is ErrorCode.INCONSISTENT_CLUSTER_ID
    await strangers.close()


async def test_who_is_refused_is_said_once_for_each_node_and_cluster() -> None:
    """853-01: and a crowd of strangers takes no more than so much memory."""
    notes: list[str] = []
    core: Any = Asked()
    strangers = Strangers(core, ManualClock(), notes.append, lambda _: None)
    for _ in range(2):
        strangers.refuse(fetch_of(7), "theirs")
        strangers.refuse(fetch_of(7), "others")
        strangers.refuse(None, "theirs")
    assert notes == [
        "node 7 of another cluster is refused: it says theirs, this is ours",
        "node 7 of another cluster is refused: it says others, this is ours",
        "a client of another cluster is refused: it says theirs, this is ours",
    ]
    for number in range(GUESTS_MAX + 10):
        strangers.refuse(fetch_of(number), "many")
    assert len(strangers._guests) == GUESTS_MAX


async def test_a_quorum_keeps_its_last_notes_and_no_more(tmp_path: Path) -> None:
    """Goal: whoever makes it say things has no say in how much memory that takes."""
    quorum = open_quorum(tmp_path)
    notes = quorum.notes
    for number in range(3000):
        quorum.note(f"stranger {number}")
    assert len(notes) == 1000
    assert (notes[0], notes[-1]) == ("stranger 2000", "stranger 2999")
    assert quorum.notes is notes, "whoever shows them holds this list"
    await quorum.stop()
