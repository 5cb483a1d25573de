"""Fetches of followers over the wire: what they tell, what they are told, when they wait."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from kit.batches import batch
from kit.broker import Bench, running
from kit.fetching import base_offsets, fetch, read, wanted
from kit.producing import produce, send
from kit.raw_client import RawClient
from kit.waiting import until

from barnabas.broker.core.log.reader import LogReader
from barnabas.protocol.messages.broker_registration_change_record import (
    BrokerRegistrationChangeRecord,
)
from barnabas.protocol.messages.register_broker_record import RegisterBrokerRecord

from .clusters import Follower, create_replicated, elect, epoch_of, partition_of, register


async def test_acks_all_wait_for_the_followers(tmp_path: Path) -> None:
    """I-6, 497-03: acks=all is answered once all in sync have asked for what comes after."""
    async with running(tmp_path) as bench, bench.connect() as writer, bench.connect() as reader:
        register(bench)
        create_replicated(bench)
        writer.send(produce(batch(b"a", b"b")), 9)
        two, three = Follower(reader, 2), Follower(reader, 3)
        partition = partition_of(bench)
        await until(lambda: partition.log.log_end_offset == 2)
        row = await two.fetch(0)
        assert base_offsets(row.records) == [0]
        assert (row.high_watermark, row.aborted_transactions) == (0, None)
        await two.fetch(2)
        assert partition.high_watermark == 0
        row = await three.fetch(2)
        assert row.high_watermark == 2
        answer = await asyncio.wait_for(writer.receive(0, 9), 5)
        assert answer.responses[0].partition_responses[0].error_code == 0


async def test_acks_one_wait_for_nobody(tmp_path: Path) -> None:
    """497-03: acks=1 is answered with the append; consumers see nothing of it yet."""
    async with running(tmp_path) as bench, bench.connect() as client:
        register(bench)
        create_replicated(bench)
        assert (await send(client, batch(b"a"), acks=1)).error_code == 0
        data = await read(client, fetch(wanted()))
        assert (data.error_code, data.records, data.high_watermark) == (0, b"", 0)


async def test_too_few_in_sync(tmp_path: Path) -> None:
    """966-01: with |ISR| < min.insync.replicas acks=all is refused with 19, acks=1 is not."""
    async with running(tmp_path) as bench, bench.connect() as client:
        register(bench)
        create_replicated(bench, isr=(1,), min_insync_replicas=2)
        assert (await send(client, batch(b"a"))).error_code == 19
        assert partition_of(bench).log.log_end_offset == 0
        assert (await send(client, batch(b"a"), acks=1)).error_code == 0
        assert partition_of(bench).high_watermark == 0


async def test_a_parked_follower_is_woken_by_the_append(tmp_path: Path) -> None:
    """74-02: it gets records before they are committed, with the append and not later."""
    async with running(tmp_path) as bench, bench.connect() as writer, bench.connect() as reader:
        register(bench)
        create_replicated(bench)
        follower = Follower(reader, 2)
        follower.session_epoch = -1
        reader.send(follower.request(0, max_wait_ms=60_000), 17)
        await until(lambda: partition_of(bench).waiters.parked_count)
        assert (await send(writer, batch(b"a"), acks=1)).error_code == 0
        answer = await asyncio.wait_for(reader.receive(1, 17), 5)
        row = answer.responses[0].partitions[0]
        assert (base_offsets(row.records), row.high_watermark) == ([0], 0)
        assert partition_of(bench).waiters.parked_count == 0


async def test_the_deadline_brings_the_present_watermark(tmp_path: Path) -> None:
    """392-12: without a selector a follower hears of the watermark when its fetch times out."""
    async with running(tmp_path) as bench, bench.connect() as one, bench.connect() as other:
        register(bench)
        create_replicated(bench)
        assert (await send(one, batch(b"a"), acks=1)).error_code == 0
        follower = Follower(one, 2)
        await follower.fetch_in_session(1)
        one.send(follower.request(None, max_wait_ms=150), 17)
        await until(lambda: partition_of(bench).waiters.parked_count)
        await Follower(other, 3).fetch(1)
        assert partition_of(bench).high_watermark == 1
        assert partition_of(bench).waiters.parked_count == 1
        answer = await asyncio.wait_for(one.receive(1, 17), 5)
        assert answer.responses[0].partitions[0].high_watermark == 1


async def test_with_a_selector_the_watermark_comes_at_once(tmp_path: Path) -> None:
    """392-12: the first fetch of a session does not park, later ones end with a new watermark."""
    settings: dict[str, Any] = {"replica_selector_class": "RackAwareReplicaSelector"}
    async with (
        running(tmp_path, **settings) as bench,
        bench.connect() as one,
        bench.connect() as other,
    ):
        register(bench)
        create_replicated(bench)
        assert (await send(one, batch(b"a"), acks=1)).error_code == 0
        follower = Follower(one, 2)
        rows = await follower.fetch_in_session(1, max_wait_ms=60_000)
        assert [row.high_watermark for row in rows] == [0]
        one.send(follower.request(None, max_wait_ms=60_000), 17)
        await until(lambda: partition_of(bench).waiters.parked_count)
        await Follower(other, 3).fetch(1)
        answer = await asyncio.wait_for(one.receive(1, 17), 5)
        assert answer.responses[0].partitions[0].high_watermark == 1


async def test_answers_with_a_watermark_only_are_rare(tmp_path: Path) -> None:
    """392-12: not more than one such answer in replica.fetch.hw.propagation.min.ms."""
    settings: dict[str, Any] = {
        "replica_selector_class": "RackAwareReplicaSelector",
        "replica_fetch_hw_propagation_min_ms": 60_000,
    }
    async with (
        running(tmp_path, **settings) as bench,
        bench.connect() as one,
        bench.connect() as other,
    ):
        register(bench)
        create_replicated(bench)
        for _ in range(2):
            assert (await send(one, batch(b"a"), acks=1)).error_code == 0
        follower, third = Follower(one, 2), Follower(other, 3)
        await follower.fetch_in_session(2)
        one.send(follower.request(None, max_wait_ms=60_000), 17)
        await until(lambda: partition_of(bench).waiters.parked_count)
        await third.fetch(2)
        assert partition_of(bench).high_watermark == 2
        assert partition_of(bench).waiters.parked_count == 1, "it waits for the pause to be over"
        assert (await send(other, batch(b"a"), acks=1)).error_code == 0
        answer = await asyncio.wait_for(one.receive(1, 17), 5)
        row = answer.responses[0].partitions[0]
        assert (row.high_watermark, base_offsets(row.records)) == (2, [2])


async def test_older_incarnations_are_refused(tmp_path: Path) -> None:
    """903-01: a broker epoch older than the registered one is answered with 6, and not noted."""
    async with running(tmp_path) as bench, bench.connect() as client:
        register(bench)
        create_replicated(bench)
        follower = Follower(client, 2)
        row = await follower.fetch(0, broker_epoch=epoch_of(2) - 1)
        assert row.error_code == 6
        assert partition_of(bench).as_leader().followers[2].log_end_offset == -1
        assert (await follower.fetch(0)).error_code == 0
        bench.apply(RegisterBrokerRecord(broker_id=2, broker_epoch=500, fenced=False))
        assert (await follower.fetch(0)).error_code == 6
        assert (await Follower(client, 9).fetch(0)).error_code == 6


async def test_followers_fetch_from_leaders_only(tmp_path: Path) -> None:
    """392-01, 392-03: 6 from who does not lead; 74 and 75 for a leader epoch that is not ours."""
    async with running(tmp_path) as bench, bench.connect() as client:
        register(bench)
        create_replicated(bench)
        elect(bench, 1)
        follower = Follower(client, 2)
        codes = [
            (await follower.fetch(0, current_leader_epoch=epoch)).error_code for epoch in (0, 1, 2)
        ]
        assert codes == [74, 0, 75]
        elect(bench, 3)
        assert (await follower.fetch(0)).error_code == 6


async def write_in_two_epochs(bench: Bench, client: RawClient) -> None:
    """Offset 0 in epoch 0 and offset 1 in epoch 1, which no follower has."""
    register(bench)
    create_replicated(bench)
    assert (await send(client, batch(b"a"), acks=1)).error_code == 0
    elect(bench, 1)
    assert (await send(client, batch(b"b"), acks=1)).error_code == 0


async def test_what_a_follower_lacks_is_not_noted(tmp_path: Path) -> None:
    """279-02: a diverging epoch, and an offset out of range, leave the follower's state alone."""
    async with running(tmp_path) as bench, bench.connect() as client:
        await write_in_two_epochs(bench, client)
        follower = Follower(client, 2)
        row = await follower.fetch(2, last_fetched_epoch=0)
        assert (row.error_code, row.diverging_epoch.epoch) == (0, 0)
        assert row.diverging_epoch.end_offset == 1
        assert not row.records
        assert partition_of(bench).as_leader().followers[2].log_end_offset == -1
        row = await follower.fetch(7)
        assert (row.error_code, row.log_start_offset) == (1, 0)
        assert partition_of(bench).as_leader().followers[2].log_end_offset == -1


async def test_a_follower_that_ends_where_the_leaders_log_begins(tmp_path: Path) -> None:
    """I-2: it is a copy if its last record is of the epoch of the one before that start. A log
    that began anew there cannot tell. Who holds no records below is told nothing: a follower
    whose log begins there too, a consumer."""
    async with running(tmp_path) as bench, bench.connect() as client:
        await write_in_two_epochs(bench, client)
        partition = partition_of(bench)
        row = await Follower(client, 2).fetch(0, last_fetched_epoch=0, log_start_offset=-1)
        assert row.diverging_epoch.epoch == -1  # nothing is below the first offset
        for node_id in (2, 3):
            await Follower(client, node_id).fetch(2)
        assert partition.high_watermark == 2
        assert partition.advance_log_start(2)

        async def told(epoch: int, start: int = 0) -> tuple[int, int, int]:
            row = await Follower(client, 2).fetch(
                2, last_fetched_epoch=epoch, log_start_offset=start
            )
            return row.error_code, row.diverging_epoch.epoch, row.diverging_epoch.end_offset

        assert await told(1) == (0, -1, -1)
        assert await told(0) == (0, 0, 1)
        assert await told(-1) == (0, -1, -1)
        data = await read(client, fetch(wanted(2, last_fetched_epoch=0)), 12)
        assert (data.error_code, data.diverging_epoch.epoch) == (0, -1)
        partition.log.truncate_fully_and_start_at(2)
        partition.log.assign_epoch(1)
        assert await told(1) == (0, 1, 1)
        assert await told(0) == (0, 0, 1)
        assert await told(-1) == (0, -1, -1)
        assert await told(1, start=2) == (0, -1, -1)


async def test_fenced_followers_do_not_join(tmp_path: Path) -> None:
    """497-04, 841-01: a change is proposed once the broker is unfenced, not before."""
    async with running(tmp_path) as bench, bench.connect() as client:
        register(bench, fenced=(2,))
        create_replicated(bench, isr=(1, 3))
        proposed = []

        class Controller:
            def propose(self, change: object, done: object) -> None:
                proposed.append(change)

        bench.broker.replicas.surroundings.isr = Controller()
        follower = Follower(client, 2)
        await follower.fetch(0)
        assert proposed == []
        unfenced = BrokerRegistrationChangeRecord(broker_id=2, broker_epoch=epoch_of(2), fenced=-1)
        bench.apply(unfenced)
        await follower.fetch(0)
        assert [change.isr for change in proposed] == [  # type: ignore[attr-defined]
            ((1, epoch_of(1)), (3, -1), (2, epoch_of(2)))
        ]


# --- pending fetches (KIP-501) ---


@pytest.mark.parametrize("is_closed", [False, True])
async def test_pending_ends_with_the_answer_or_the_connection(
    tmp_path: Path, is_closed: bool
) -> None:
    """501-04, 501-06, I-11: pending while it is parked; not after its answer or its connection."""
    settings: dict[str, Any] = {"follower_fetch_pending_reads_insync_enable": True}
    async with running(tmp_path, **settings) as bench, bench.connect() as writer:
        register(bench)
        create_replicated(bench)
        partition = partition_of(bench)
        reader = RawClient("127.0.0.1", bench.port)
        async with reader:
            follower = Follower(reader, 2)
            await follower.fetch(0)
            assert partition.as_leader().pending_count == 0
            reader.send(follower.request(0, max_wait_ms=60_000), 17)
            await until(lambda: partition.waiters.parked_count)
            assert partition.as_leader().pending_count == 1
            if not is_closed:
                assert (await send(writer, batch(b"a"), acks=1)).error_code == 0
                await asyncio.wait_for(reader.receive(1, 17), 5)
                assert partition.as_leader().pending_count == 0
        await until(lambda: partition.as_leader().pending_count == 0)
        assert partition.waiters.parked_count == 0


@pytest.mark.parametrize("broker_epoch", [-1, epoch_of(2) + 1])
async def test_a_fetch_of_another_broker_epoch_is_not_pending(
    tmp_path: Path, broker_epoch: int
) -> None:
    """903-01, 501-04: of no epoch, or of one that the cluster has not told yet, it keeps nobody in
    sync, and no former leader is taken for one that knows it (207-09)."""
    settings: dict[str, Any] = {"follower_fetch_pending_reads_insync_enable": True}
    async with running(tmp_path, **settings) as bench, bench.connect() as reader:
        register(bench)
        create_replicated(bench)
        partition = partition_of(bench)
        now_ms = bench.broker.env.clock.monotonic_ms()
        partition.former_leaders.note(2, now_ms + 60_000)
        follower = Follower(reader, 2)
        await follower.fetch(0, broker_epoch=broker_epoch)
        assert not partition.former_leaders.are_silent(now_ms)
        await follower.fetch(0, current_leader_epoch=partition.leader_epoch)
        assert partition.former_leaders.are_silent(now_ms)
        reader.send(follower.request(0, broker_epoch=broker_epoch, max_wait_ms=60_000), 17)
        await until(lambda: partition.waiters.parked_count)
        assert partition.as_leader().pending_count == 0


@pytest.mark.parametrize(("is_on", "took_ms"), [(True, 91), (True, 89), (False, 9000)])
async def test_slow_work_hands_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_on: bool, took_ms: int
) -> None:
    """501-10, C2: more than follower.fetch.process.time.max.ms of work, not of waiting."""
    settings: dict[str, Any] = {
        "follower_fetch_pending_reads_insync_enable": is_on,
        "follower_fetch_process_time_max_ms": 90,
    }
    async with running(tmp_path, **settings) as bench, bench.connect() as client:
        register(bench)
        create_replicated(bench)
        proposed = []

        class Controller:
            def propose(self, change: object, done: object) -> None:
                proposed.append(change)

        class SlowClock:
            """Stands still but for the work of a read."""

            def __init__(self) -> None:
                self.late_ms = 0.0
                self._clock = bench.broker.env.clock
                self._began_ms = self._clock.monotonic_ms()

            def monotonic_ms(self) -> float:
                return self._began_ms + self.late_ms

            def wall_ms(self) -> int:
                return self._clock.wall_ms()

        bench.broker.replicas.surroundings.isr = Controller()
        follower = Follower(client, 2)
        await follower.fetch(0, max_wait_ms=100)
        partition = partition_of(bench)
        assert proposed == [], "it was parked for longer than that, which is no work"
        clock = SlowClock()
        bench.broker.env.clock = clock
        finding = LogReader.finding

        def read_slowly(reader: LogReader, *args: Any, **fields: Any) -> Any:
            if reader is partition.log.reader:
                clock.late_ms += took_ms
            return finding(reader, *args, **fields)

        assert (await send(client, batch(b"a"), acks=1)).error_code == 0
        monkeypatch.setattr(LogReader, "finding", read_slowly)
        await follower.fetch(0)
        assert len(proposed) == (is_on and took_ms > 90)
        if proposed:
            assert proposed[0].relinquish  # type: ignore[attr-defined]
