"""Goal: a round of a fetch is timed from the append to the follower's next fetch, and only that."""

from __future__ import annotations

import itertools
import subprocess
import time

import pytest

from barnabas.protocol.messages.fetch_response import (
    FetchableTopicResponse,
    FetchResponse,
    PartitionData,
)
from bench import wire
from bench.cluster import racks, rounds
from bench.wire import RefusedError, Wire


def answer(records: bytes = b"", error: int = 0) -> bytes:
    """A Fetch answer of one partition."""
    partition = PartitionData(
        partition_index=1, error_code=error, aborted_transactions=[], records=records
    )
    topic = FetchableTopicResponse(topic="t", partitions=[partition])
    return FetchResponse(responses=[topic]).encode(12)


class FakeSocket:
    """Notes what is sent."""

    def __init__(self, events: list[str]) -> None:
        self.events = events

    def sendall(self, _request: bytes) -> None:
        self.events.append("parked")


class FakeWire(Wire):
    """A broker whose log ends at 7; answers to Fetch come in order."""

    def __init__(self, events: list[str], *answers: bytes) -> None:
        self.socket = FakeSocket(events)  # type: ignore[assignment]
        self.events = events
        self.answers = iter(answers)

    def end_offset(self, topic: str, partition: int) -> int:
        assert (topic, partition) == ("t", 1)
        return 7

    def produce_one(
        self, topic: str, partition: int, batch: bytes, acks: int = wire.ACKS_ALL
    ) -> int:
        assert (topic, partition, acks) == ("t", 1, 1)
        assert batch
        self.events.append("appended")
        return 7

    def receive(self) -> bytes:
        self.events.append("answer")
        return next(self.answers)

    def call(self, request: bytes) -> bytes:
        assert request
        return self.receive()


def probe_of(events: list[str], *answers: bytes) -> rounds.Probe:
    return rounds.Probe(FakeWire(events), FakeWire(events, *answers), "t", 1)


def test_a_round_is_from_the_append_to_the_records(monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: an answer without records is not the end of it."""
    ticks = itertools.count()
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(ticks)))
    events: list[str] = []
    probe = probe_of(events, answer(), answer(b"12345"))
    assert probe.one_round() == 2.0
    assert events == ["parked", "appended", "answer", "answer"]
    assert probe.end == 8


def test_an_error_ends_it() -> None:
    """Goal: a leader that refuses is no fast one."""
    with pytest.raises(RefusedError, match="6"):
        probe_of([], answer(error=6)).one_round()


def test_a_failure_is_told() -> None:
    """Goal: a run without rounds is no run."""
    measured = rounds.Rounds("t", "no-port")
    measured.start(1.0)
    with pytest.raises(subprocess.CalledProcessError, match="no-port"):
        measured.end()


def test_acks_are_in_the_request() -> None:
    """Goal: acks=1 is what makes the first answer come with the append."""
    to_all, to_leader = (wire.produce_request("t", 0, b"batch", 1, acks) for acks in (-1, 1))
    assert to_all == wire.produce_request("t", 0, b"batch", 1)
    assert to_all.replace(b"\xff\xff", b"\x00\x01", 1) == to_leader


def test_what_began_in_the_warm_up_does_not_count() -> None:
    """Goal: percentiles of the rest."""
    found = racks.since(1.0, [(0.5, 900.0), (1.0, 3.0), (2.0, 1.0)])
    assert found == {"p50_ms": 1.0, "p99_ms": 3.0, "records": 2}


def test_what_is_allowed_at_followers() -> None:
    """Goal: 1.2 x of leaders' p99 and one round more."""
    assert racks.allowed_ms(4.0, 2.5) == pytest.approx(7.3)
