"""Produce requests that are appended in slices: who leads may change before all is appended."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from kit.batches import batch
from kit.broker import running
from kit.producing import produce
from kit.replicas import Replica, truncate

from barnabas.broker.handlers.produce import handler
from barnabas.broker.handlers.produce.answer import ACKS_ALL, ACKS_LEADER, ProduceWait
from barnabas.broker.serving.waiting import SLICE, in_slices
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.produce_request import PartitionProduceData
from barnabas.protocol.messages.produce_response import (
    PartitionProduceResponse,
    ProduceResponse,
    TopicProduceResponse,
)

from .clusters import create_replicated, elect, partition_of, register

LOST = ErrorCode.NOT_LEADER_OR_FOLLOWER


class Timers:
    """A node of which a wait wants nothing but its timer, which never fires."""

    def call_later(self, delay_ms: float, callback: object) -> Any:
        return SimpleNamespace(cancel=lambda: None)


class Wait:
    """The answer to one request, whose rows are made one after the other."""

    def __init__(self) -> None:
        node: Any = Timers()
        self.wait = ProduceWait(node, node, 9)
        self.topic = TopicProduceResponse(name="t")
        self.wait.response.responses.append(self.topic)
        self.answers: list[ProduceResponse] = []

    def append(self, replica: Replica, acks: int = ACKS_ALL) -> PartitionProduceResponse:
        """A batch, and its row."""
        number = len(self.topic.partition_responses)
        row = self.wait.add(number, replica.partition, replica.append(), acks)
        self.topic.partition_responses.append(row)
        return row

    def end(self, acks: int = ACKS_ALL) -> None:
        """All is appended: the answer is there, or waits."""
        answer = self.wait.answer(acks, 1000)
        if isinstance(answer, ProduceResponse):
            self.answers.append(answer)
        else:
            assert answer is self.wait
            self.wait.on_done(self.answers.append)


def all_fetch(replica: Replica, offset: int) -> None:
    for follower in (2, 3):
        replica.fetched(follower, offset)


@pytest.mark.parametrize("leads_again", [True, False])
def test_records_of_others_acknowledge_nothing(tmp_path: Path, leads_again: bool) -> None:
    """Goal: what was appended as a former leader is not the producer's any more, wherever the
    watermark is by now: its row is NOT_LEADER_OR_FOLLOWER (6)."""
    replica, wait = Replica(tmp_path), Wait()
    replica.lead()
    row = wait.append(replica)
    assert row.base_offset == 0
    partition = replica.partition
    partition.follow(2, 1)
    assert truncate(partition, 0) == 0
    if leads_again:
        replica.lead(leader_epoch=2, partition_epoch=2)
        replica.append()
        all_fetch(replica, 1)
    else:
        data = memoryview(batch(b"another"))
        partition.as_follower(1).append(data, 1, 0)
    assert replica.high_watermark == 1
    wait.end()
    (answer,) = wait.answers
    assert answer is wait.wait.response
    assert (row.error_code, row.base_offset) == (LOST, -1)


def test_each_partition_is_judged_by_itself(tmp_path: Path) -> None:
    """Goal: the others of the request wait for their own acknowledgements; a leader whose in-sync
    set changes is the same leader."""
    lost, kept, wait = Replica(tmp_path / "lost"), Replica(tmp_path / "kept"), Wait()
    lost.lead()
    kept.lead()
    rows = [wait.append(lost), wait.append(kept)]
    lost.partition.follow(2, 1)
    lost.lead(leader_epoch=2, partition_epoch=2)
    kept.lead(1, 2, partition_epoch=1)
    wait.end()
    assert not wait.answers
    assert rows[0].error_code == LOST
    all_fetch(kept, 1)
    assert len(wait.answers) == 1
    assert [(row.error_code, row.base_offset) for row in rows] == [(LOST, -1), (0, 0)]


def test_flushes_of_others_acknowledge_nothing(tmp_path: Path) -> None:
    """Goal: so it is where the leader's own disk is enough (acks=1)."""
    replica, wait = Replica(tmp_path, flush_messages=1), Wait()
    replica.lead()
    row = wait.append(replica, ACKS_LEADER)
    replica.partition.follow(2, 1)
    truncate(replica.partition, 0)
    replica.lead(leader_epoch=2, partition_epoch=2)
    replica.append()
    replica.flushes.run()
    wait.end(ACKS_LEADER)
    assert len(wait.answers) == 1
    assert (row.error_code, row.base_offset) == (LOST, -1)


async def test_a_request_in_slices_over_an_election(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Goal: a producer whose first slice was appended before this broker lost the partition, and
    got it back, is told to try again at once, and does not wait for its time-out."""
    async with running(tmp_path) as bench, bench.connect() as client:
        register(bench)
        create_replicated(bench)
        log = partition_of(bench).log

        async def append_slowly(*given: Any) -> Any:
            done = await in_slices(*given)
            if log.log_end_offset:
                elect(bench, 2)
                elect(bench, 1)
            return done

        monkeypatch.setattr(handler, "in_slices", append_slowly)
        request = produce(batch(b"a"))
        request.timeout_ms = 600_000
        unknown = [PartitionProduceData(index=1 + n, records=b"") for n in range(SLICE)]
        request.topic_data[0].partition_data += unknown
        answer = await client.ask(request, 9)
        rows = answer.responses[0].partition_responses
        assert log.log_end_offset == 1
        assert (rows[0].error_code, rows[0].base_offset) == (LOST, -1)
        assert {row.error_code for row in rows[1:]} == {ErrorCode.UNKNOWN_TOPIC_OR_PARTITION}
