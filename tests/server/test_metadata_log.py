"""The metadata log of a quorum of one: format, commands, restart, failing disks."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from kit.kafka_directory import unpack

from barnabas.broker.core.cluster.changes import Changes
from barnabas.broker.core.cluster.commands import (
    AllocateProducerIds,
    DeleteTopics,
)
from barnabas.broker.core.cluster.features import FINALISED_AT_FIRST
from barnabas.broker.core.cluster.image import ClusterImage
from barnabas.broker.core.log.failures import LogDirectoryFailure
from barnabas.broker.core.ports import Env
from barnabas.broker.core.raft.snapshot_file import decode_snapshot
from barnabas.broker.server.formatting import MetadataError
from barnabas.broker.storage.files import RealClock, RealDisk, RealFile, real_env
from barnabas.protocol.errors import ErrorCode, KafkaError

from .metadata_logs import ENDPOINT, METADATA, create, open_directories, open_log, running

# --- a new directory ------------------------------------------------------------------------------


async def test_an_empty_directory_is_formatted_as_kafka_does(tmp_path: Path) -> None:
    """Design, decision 7: the same files with the same content as Kafka's own directory."""
    kafka = unpack(tmp_path)
    async with running(tmp_path / "new") as metadata:
        assert dict(FINALISED_AT_FIRST) == metadata.image.features
    ours = tmp_path / "new"
    for name in (
        "meta.properties",
        "bootstrap.checkpoint",
        f"{METADATA}/quorum-state",
        f"{METADATA}/partition.metadata",
        f"{METADATA}/00000000000000000000-0000000000.checkpoint",
    ):
        assert (ours / name).exists(), name
    keys = {line.partition("=")[0] for line in (ours / "meta.properties").read_text().split()}
    assert keys == {"version", "node.id", "cluster.id", "directory.id"}
    mine = decode_snapshot((ours / "bootstrap.checkpoint").read_bytes())
    expected = decode_snapshot((kafka / "bootstrap.checkpoint").read_bytes())
    assert mine == expected
    assert (ours / METADATA / "partition.metadata").read_text() == (
        kafka / METADATA / "partition.metadata"
    ).read_text()
    state = json.loads((ours / METADATA / "quorum-state").read_text())
    theirs = json.loads((kafka / METADATA / "quorum-state").read_text())
    # Our vote for ourselves stays in the file; Kafka's leaves it out once it was elected.
    theirs |= {key: state[key] for key in ("votedId", "votedDirectoryId")}
    assert state == {**theirs, "leaderEpoch": 1}


async def test_ids_may_be_given_and_must_fit(tmp_path: Path) -> None:
    """A configured node.id or cluster.id that differs from the directory's is refused."""
    async with running(tmp_path, node_id=7, cluster_id="my-cluster") as metadata:
        assert (metadata.node_id, metadata.cluster_id) == (7, "my-cluster")
        assert list(metadata.image.brokers) == [7]
    with pytest.raises(MetadataError, match=r"node\.id is 8, but .* belongs to node 7"):
        open_log(tmp_path, node_id=8)
    with pytest.raises(
        MetadataError, match=r"cluster\.id is x, but .* belongs to cluster my-cluster"
    ):
        open_log(tmp_path, cluster_id="x")
    async with running(tmp_path) as metadata:
        assert metadata.node_id == 7


async def test_directories_must_agree(tmp_path: Path) -> None:
    """A second directory is formatted for the same node; one of another node is refused."""
    both = [tmp_path / name for name in "ab"]
    async with running(tmp_path / "a"):
        pass
    metadata = open_directories(both)
    assert len(set(metadata.quorum.identity.directory_ids)) == 2
    await metadata.stop()
    meta = tmp_path / "b" / "meta.properties"
    meta.write_text(meta.read_text().replace("node.id=1", "node.id=2"))
    with pytest.raises(MetadataError, match=r"of node 1 in cluster .* but .* of node 2"):
        open_directories(both)


# --- commands -------------------------------------------------------------------------------------


async def test_an_answer_means_durable_applied_and_acted_upon(tmp_path: Path) -> None:
    """Decision 8: when the answer is there, fsync was, the image has it, listeners ran."""
    events: list[str] = []

    async with running(tmp_path, watched_env(events)) as metadata:
        metadata.add_listener(
            lambda image, changes: events.append(f"told of {len(changes.topics)}")
        )
        events.clear()
        (topic_id,) = await create(metadata, "t")
        assert events == ["fsync", "told of 1"]
        assert topic_id in metadata.image.topics_by_id
        assert metadata.log.high_watermark == metadata.log.log_end_offset


def watched_env(events: list[str]) -> Env:
    """An environment that notes each fsync of the metadata log."""

    class Disk(RealDisk):
        def open(self, path: str, *, create: bool = False, truncate: bool = False) -> RealFile:
            file = super().open(path, create=create, truncate=truncate)
            if METADATA in path and path.endswith(".log"):
                watched: Any = _Watched(file, events)
                return watched  # type: ignore[no-any-return]
            return file

    return Env(RealClock(), Disk(), real_env().random)


class _Watched:
    def __init__(self, file: RealFile, events: list[str]) -> None:
        self._file = file
        self._events = events

    def fsync(self) -> None:
        self._events.append("fsync")
        self._file.fsync()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


async def test_commands_that_wait_together_share_a_write(tmp_path: Path) -> None:
    """Goal: many commands, few fsyncs, answers in order and none of them twice."""
    events: list[str] = []
    async with running(tmp_path, watched_env(events)) as metadata:
        events.clear()
        made = await asyncio.gather(*(create(metadata, f"t{number}") for number in range(50)))
        assert len({topic_id for (topic_id,) in made}) == 50
        assert events.count("fsync") <= 3
        epoch = metadata.broker_epoch
        blocks = await asyncio.gather(
            *(metadata.submit(AllocateProducerIds(1, epoch)) for _ in range(20))
        )
        assert [block.first for block in blocks] == [1000 * number for number in range(20)]


async def test_refusals_and_limits(tmp_path: Path) -> None:
    async with running(tmp_path, controller_queue_max_commands=1) as metadata:
        with pytest.raises(KafkaError) as caught:
            await metadata.submit(AllocateProducerIds(9, 9))
        assert caught.value.code == ErrorCode.STALE_BROKER_EPOCH
        first = asyncio.ensure_future(create(metadata, "a"))
        second = asyncio.ensure_future(create(metadata, "b"))
        done = await asyncio.gather(first, second, return_exceptions=True)
        assert isinstance(done[1], KafkaError)
        assert done[1].code == ErrorCode.REQUEST_TIMED_OUT
        assert list(metadata.image.topics_by_name) == ["a"]
    with pytest.raises(KafkaError) as caught:
        await metadata.submit(AllocateProducerIds(9, 9))
    assert caught.value.code == ErrorCode.NOT_CONTROLLER


# --- again ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("clean", [True, False])
async def test_a_restart_has_everything_again(tmp_path: Path, clean: bool) -> None:
    """631-01, 595-01: the same topics, a new epoch, a new registration, new leader epochs."""
    async with running(tmp_path) as metadata:
        await create(metadata, "a", "b", configs=(("retention.ms", "5"),))
        (gone,) = await create(metadata, "gone")
        await metadata.submit(DeleteTopics((gone,)))
        if clean:
            await metadata.leave()
        before = metadata.image.copy()
        epoch, broker_epoch = metadata.epoch, metadata.broker_epoch
    metadata = open_log(tmp_path)
    assert metadata.epoch == epoch + 1
    opened = metadata.image.copy()
    opened.controllers = before.controllers
    assert opened == before
    await metadata.start()
    new_epoch = await metadata.join([ENDPOINT], broker_epoch if clean else -1)
    assert new_epoch > broker_epoch
    partition = metadata.image.partition("a", 0)
    assert partition is not None
    assert (partition.leader, partition.isr) == (1, (1,))
    assert partition.leader_epoch == 2, "given up (or taken away), and taken again"
    await metadata.stop()


async def test_the_image_is_the_log(tmp_path: Path) -> None:
    """631-04: after any number of restarts, the live image equals the one from the log."""
    live = ClusterImage()
    for life in range(3):
        async with running(tmp_path) as metadata:
            await create(metadata, f"t{life}", num_partitions=life + 1)
            live = metadata.image.copy()
    metadata = open_log(tmp_path)
    found = metadata.image.copy()
    found.controllers = live.controllers
    assert found == live
    await metadata.stop()


async def test_a_torn_tail_is_cut(tmp_path: Path) -> None:
    """Half a batch at the end was never answered: it is cut off, and named."""
    async with running(tmp_path) as metadata:
        await create(metadata, "a")
        await create(metadata, "b")
    path = tmp_path / METADATA / "00000000000000000000.log"
    path.write_bytes(path.read_bytes()[:-10])
    metadata = open_log(tmp_path)
    assert list(metadata.image.topics_by_name) == ["a"]
    assert "cut" in "".join(metadata.notes)
    await metadata.stop()


async def test_a_lost_quorum_state_does_not_repeat_an_epoch(tmp_path: Path) -> None:
    epoch = 0
    for _ in range(3):
        async with running(tmp_path) as metadata:
            epoch = metadata.epoch
    (tmp_path / METADATA / "quorum-state").unlink()
    metadata = open_log(tmp_path)
    assert metadata.epoch == epoch + 1
    await metadata.stop()


# --- failures -------------------------------------------------------------------------------------


class FailingDisk(RealDisk):
    """Refuses to sync, or to write, the metadata log when told to."""

    def __init__(self) -> None:
        super().__init__()
        self.failing = ""

    def open(self, path: str, *, create: bool = False, truncate: bool = False) -> RealFile:
        file = super().open(path, create=create, truncate=truncate)
        if METADATA not in path or not path.endswith(".log"):
            return file
        disk = self

        class Failing(RealFile):
            __slots__ = ()

            def fsync(self) -> None:
                if disk.failing == "fsync":
                    raise OSError(5, "Input/output error")
                super().fsync()

            def append(self, buffers: Any) -> int:
                if disk.failing == "append":
                    raise OSError(28, "No space left on device")
                return super().append(buffers)

        file.__class__ = Failing
        return file


@pytest.mark.parametrize("failing", ["fsync", "append"])
async def test_a_failing_disk_ends_it_with_a_clear_error(tmp_path: Path, failing: str) -> None:
    """Nothing that was not durable is told to anybody; afterwards every command is refused."""
    disk = FailingDisk()
    env = Env(RealClock(), disk, real_env().random)
    metadata = open_log(tmp_path, env)
    failures: list[KafkaError] = []
    told: list[Changes] = []
    await metadata.start(failures.append)
    await metadata.join([ENDPOINT], -1)
    metadata.add_listener(lambda image, changes: told.append(changes))
    disk.failing = failing
    waiting = [asyncio.ensure_future(create(metadata, f"t{number}")) for number in range(3)]
    for one in await asyncio.gather(*waiting, return_exceptions=True):
        assert isinstance(one, LogDirectoryFailure)
        assert one.code == ErrorCode.KAFKA_STORAGE_ERROR
        assert METADATA in str(one)
    with pytest.raises(LogDirectoryFailure):
        await create(metadata, "late")
    assert len(failures) == 1
    assert not told
    assert not metadata.image.topics_by_name
    await metadata.stop()
    disk.failing = ""
    metadata = open_log(tmp_path)
    assert set(metadata.image.topics_by_name) <= {"t0", "t1", "t2"}
    await metadata.stop()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (f"{METADATA}/quorum-state", b"{", "quorum-state"),
        ("meta.properties", b"version=1\ncluster.id=a\nnode.id=x\n", "node.id"),
        (
            "meta.properties",
            b"version=1\ncluster.id=a\nnode.id=1\ndirectory.id=!\n",
            "directory.id",
        ),
    ],
)
async def test_damaged_files_stop_the_start(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    async with running(tmp_path):
        pass
    (tmp_path / name).write_bytes(content)
    with pytest.raises(Exception, match=message):
        open_log(tmp_path)


async def test_a_record_that_we_do_not_know_stops_the_start(tmp_path: Path) -> None:
    """It would be lost in our next snapshot: refused by name and offset, not skipped."""
    from barnabas.broker.core.log.origin import Origin
    from barnabas.protocol.record_builder import RecordBatchBuilder

    async with running(tmp_path) as metadata:
        builder = RecordBatchBuilder()
        builder.append(1, None, b"\x01\x63\x00\x00")
        batch = builder.build()
        metadata.log.append_batch(batch, 0, len(batch), 1, 1, Origin.RAFT)
    with pytest.raises(MetadataError, match="unknown type 99"):
        open_log(tmp_path)


async def test_an_unfinished_transaction_is_aborted(tmp_path: Path) -> None:
    """What a controller before us began in several batches and did not finish never happened."""
    from barnabas.broker.core.log.origin import Origin
    from barnabas.broker.core.raft.metadata_batches import metadata_batch
    from barnabas.protocol.messages.begin_transaction_record import BeginTransactionRecord
    from barnabas.protocol.messages.topic_record import TopicRecord

    async with running(tmp_path) as metadata:
        records = [BeginTransactionRecord(name="x"), TopicRecord(name="t", topic_id=b"t" * 16)]
        end = metadata.log.log_end_offset
        batch = metadata_batch(records, 30, base_offset=end, epoch=1, now_ms=1)
        metadata.log.append_batch(batch, 0, len(batch), 1, 1, Origin.RAFT)
    async with running(tmp_path) as metadata:
        assert not metadata.image.is_in_transaction
        assert not metadata.image.topics_by_name
        await create(metadata, "t")
    async with running(tmp_path) as metadata:
        assert list(metadata.image.topics_by_name) == ["t"]


async def test_a_damaged_bootstrap_stops_the_first_start(tmp_path: Path) -> None:
    metadata = open_log(tmp_path)
    await metadata.stop()
    for name in (f"{METADATA}/00000000000000000000.log", f"{METADATA}/quorum-state"):
        (tmp_path / name).unlink()
    (tmp_path / "bootstrap.checkpoint").write_bytes(b"?" * 61)
    metadata = open_log(tmp_path)
    with pytest.raises(MetadataError, match=r"bootstrap\.checkpoint"):
        await metadata.start()
    await metadata.stop()
