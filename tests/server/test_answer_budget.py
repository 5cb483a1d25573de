"""Answers that nobody reads: what is counted, who waits, and who is closed."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import pytest

from barnabas.broker.core.log.stored_records import StoredRecords
from barnabas.broker.core.ports import Buffer
from barnabas.broker.server.answer_budget import (
    LARGE_REQUEST_BYTES,
    PROMPT,
    SMALL_BYTES,
    AnswerBudget,
)
from barnabas.broker.server.trickle import PIECE_BYTES, TURN_BYTES, Trickle
from barnabas.broker.storage.files import RealDisk, RealFile
from barnabas.protocol.apis import APIS
from barnabas.testing.simulation.disk import SimulatedDisk, SimulatedFile

METADATA, FETCH, HEARTBEAT = 3, 1, 63
KEEPS_GOING = (
    "OffsetCommit",
    "Heartbeat",
    "LeaveGroup",
    "ConsumerGroupHeartbeat",
    "InitProducerId",
    "AddPartitionsToTxn",
    "AddOffsetsToTxn",
    "EndTxn",
    "TxnOffsetCommit",
    "WriteTxnMarkers",
)
MIB = 1 << 20


class Holder:
    """A connection with so many unsent bytes."""

    def __init__(self, budget: AnswerBudget) -> None:
        self.unsent = 0
        self.closed = ""
        self._budget = budget

    def holds(self, unsent: int) -> None:
        self.unsent = unsent
        self.count_unsent()

    def count_unsent(self) -> None:
        self._budget.resize(self, self.unsent)

    def close(self, reason: str) -> None:
        self.closed = reason


class Time:
    """Seconds, as the test says."""

    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


@pytest.mark.parametrize("name", KEEPS_GOING)
def test_members_and_producers_are_heard_whoever_does_not_read(name: str) -> None:
    """Goal: clients that do not read large answers cost nobody the place in a group, nor the time
    of a transaction: whose answer is small is answered with the budget spent too (GRP-18)."""
    budget = AnswerBudget(MIB, 1000, Time())
    Holder(budget).holds(2 * MIB)
    (key,) = [one.key for one in APIS.values() if one.name == name]
    assert not budget.must_wait(key, 100)
    assert budget.must_wait(key, LARGE_REQUEST_BYTES + 1)


async def test_who_may_be_large_waits_in_order() -> None:
    """Goal: with the budget spent Metadata waits, what keeps a cluster alive does not."""
    budget = AnswerBudget(MIB, 1000, Time())
    one, other = Holder(budget), Holder(budget)
    one.holds(SMALL_BYTES)
    assert budget.used == 0
    one.holds(MIB)
    assert not budget.must_wait(METADATA, 100)
    other.holds(SMALL_BYTES + 1)
    assert budget.must_wait(METADATA, 100)
    assert budget.must_wait(FETCH, 100_000)
    assert not any(budget.must_wait(key, 100) for key in PROMPT)
    assert HEARTBEAT in PROMPT
    order: list[int] = []

    async def wait(number: int) -> None:
        await budget.room()
        order.append(number)
        if number == 1:  # its answer fills the room again
            other.holds(2 * MIB)

    tasks = [asyncio.create_task(wait(number)) for number in range(4)]
    await asyncio.sleep(0)
    tasks[2].cancel()
    other.holds(0)
    await asyncio.gather(*tasks[:2])
    for _ in range(10):
        await asyncio.sleep(0)
    assert order == [0, 1]
    one.holds(0)
    other.holds(0)
    await tasks[3]
    assert order == [0, 1, 3]
    assert budget.used == 0


@pytest.mark.parametrize("is_late", [False, True], ids=["before its turn", "in its turn"])
async def test_who_goes_away_while_there_is_room_again(is_late: bool) -> None:
    """Goal: it raises nothing but its cancellation, and the next one in line has its turn."""
    budget = AnswerBudget(MIB, 1000, Time())
    holder = Holder(budget)
    holder.holds(2 * MIB)
    first, second = (asyncio.create_task(budget.room()) for _ in range(2))
    await asyncio.sleep(0)
    if is_late:
        holder.holds(0)
        first.cancel()
    else:
        first.cancel()
        holder.holds(0)
    with pytest.raises(asyncio.CancelledError):
        await first
    await asyncio.wait_for(second, 1.0)


def test_who_reads_too_slowly_is_overdue_only_when_others_wait() -> None:
    """ENV-08: a slow reader is left alone; under pressure it must read 64 bytes a millisecond."""
    time = Time()
    budget = AnswerBudget(MIB, 1000, time)
    still, slow, late = Holder(budget), Holder(budget), Holder(budget)
    still.holds(MIB // 2)
    slow.holds(MIB // 2)
    time.now_s = 100.0
    assert budget.overdue() == []
    late.holds(MIB)
    slow.unsent = SMALL_BYTES + 1  # found out when it is looked at
    assert budget.overdue() == [still, slow]
    assert budget.used == MIB // 2 + SMALL_BYTES + 1 + MIB
    slow.unsent += 100 * 64_000
    slow.count_unsent()
    slow.holds(SMALL_BYTES + 1)
    assert budget.overdue() == [still]


class Socket:
    """A transport and its connection: takes some bytes, then no more until it is told to."""

    def __init__(self) -> None:
        self.written = bytearray()
        self.room = 0
        self.closed = ""
        self.is_done = False

    @property
    def is_writable(self) -> bool:
        return self.room > 0 and not self.closed

    def write_pieces(self, transport: Any, pieces: Any) -> None:
        assert transport is self
        for piece in pieces:
            self.written += piece
            self.room -= len(piece)

    def on_trickled(self) -> None:
        self.is_done = True

    def close(self, reason: str) -> None:
        self.closed = reason


class Bench:
    """A trickle into such a socket; threads and later turns come when the test says."""

    def __init__(self) -> None:
        self.socket = Socket()
        self.reads: list[tuple[Any, Any]] = []
        self.turns: list[Any] = []
        outlet: Any = self.socket
        self.trickle = Trickle(
            outlet, outlet, lambda *one: self.reads.append(one), self.turns.append
        )
        self.failures: list[OSError] = []

    def lend(self, file: RealFile | SimulatedFile, size: int) -> StoredRecords:
        lent = file.lend(size, 0)
        assert lent is not None
        return StoredRecords(lent, 1, self.failures.append)

    def run(self, room: int) -> None:
        self.socket.room = room
        self.trickle.go_on()
        while self.turns and self.socket.is_writable:
            self.turns.pop()()

    def read_late(self) -> None:
        read, done = self.reads.pop()
        try:
            result: Buffer | OSError = read()
        except OSError as error:
            result = error
        done(result)


@pytest.fixture
def content() -> bytes:
    return Random(1).randbytes(3 * TURN_BYTES)


@pytest.fixture
def file(tmp_path: Path, content: bytes) -> RealFile:
    file = RealDisk().open(str(tmp_path / "f"), create=True)
    file.append([content])
    return file


def test_it_reads_no_faster_than_the_client(file: RealFile, content: bytes) -> None:
    """ENV-08: all pieces in order, about `PIECE_BYTES` beyond what was taken, others get turns."""
    bench = Bench()
    bench.trickle.add([b"head", bench.lend(file, len(content)), b"tail", b"next answer"])
    assert bench.trickle.in_memory == 19
    file.close()
    expected = b"head" + content + b"tail" + b"next answer"
    while not bench.socket.is_done:
        before = len(bench.socket.written)
        bench.run(1000)
        assert len(bench.socket.written) - before <= PIECE_BYTES + 1000
        assert bench.trickle.left == len(expected) - len(bench.socket.written)
    assert bench.socket.written == expected
    assert bench.trickle.in_memory == 0
    bench = Bench()
    bench.trickle.add([content])
    bench.trickle.add([content])
    bench.socket.room = 1 << 40
    bench.trickle.go_on()
    assert len(bench.turns) == 1
    assert len(bench.socket.written) == len(content)


def test_pieces_grow_for_who_takes_them(file: RealFile, content: bytes) -> None:
    """I-28: few calls for a client that keeps up; small pieces again for one that stops reading."""
    bench = Bench()
    bench.trickle.add([bench.lend(file, len(content))])
    file.close()
    bench.run(PIECE_BYTES + 2)
    assert len(bench.socket.written) == 3 * PIECE_BYTES, "the second piece is twice as large"
    bench.run(1)
    assert len(bench.socket.written) == 4 * PIECE_BYTES, "it took no more, and begins anew"
    bench.run(1 << 40)
    assert bench.socket.written == content


def test_what_is_not_in_memory_is_read_on_a_thread(content: bytes) -> None:
    """501-10: the loop does not wait for a disk; nothing overtakes what is being read."""
    disk = SimulatedDisk(Random(1))
    disk.faults.cold_reads = 0.5
    file = disk.open("/f", create=True)
    file.append([content])
    bench = Bench()
    bench.trickle.add([b"head", bench.lend(file, len(content)), b"tail"])
    late = 0
    while not bench.socket.is_done:
        bench.run(10 * PIECE_BYTES)
        if bench.reads:
            late += 1
            bench.trickle.go_on()  # the client has taken more: still nothing to send
            bench.read_late()
    assert late
    assert bench.socket.written == b"head" + content + b"tail"


@pytest.mark.parametrize("is_cold", [False, True])
def test_a_cut_closes_the_connection(content: bytes, is_cold: bool) -> None:
    """279-01: what was announced cannot come any more, and bytes of another leader must not."""
    disk = SimulatedDisk(Random(1))
    file = disk.open("/f", create=True)
    file.append([content])
    bench = Bench()
    bench.trickle.add([bench.lend(file, len(content)), b"tail"])
    bench.run(1)
    sent = len(bench.socket.written)
    if is_cold:
        disk.faults.cold_reads = 1.0
        bench.run(1)
    file.truncate(2 * TURN_BYTES)
    file.append([bytes(TURN_BYTES)])
    if is_cold:
        bench.read_late()
    else:
        bench.run(1 << 40)
    assert "truncated" in bench.socket.closed
    assert len(bench.socket.written) == sent


def test_a_disk_that_fails_takes_the_log_offline(content: bytes) -> None:
    """Goal: the log hears of the error; the connection is closed."""
    disk = SimulatedDisk(Random(1))
    file = disk.open("/f", create=True)
    file.append([content])
    bench = Bench()
    bench.trickle.add([bench.lend(file, len(content))])
    disk.faults.cold_reads = disk.faults.read_error = 1.0
    bench.run(1)
    bench.read_late()
    assert len(bench.failures) == 1
    assert "disk" in bench.socket.closed
    bench.trickle.stop()
    assert bench.trickle.left == 0
