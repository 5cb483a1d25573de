"""In place of Kafka: its own log directory, opened, read, recovered and written again."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.kafka_directory import consume, expectations, open_directory, unpack
from kit.logs import files_in

from barnabas.broker.core.log.identity import read_clean_shutdown, read_meta_properties
from barnabas.broker.core.log.log_directory import LogDirectory
from barnabas.broker.core.log.producer_snapshots import decode_snapshot, encode_snapshot
from barnabas.broker.storage.files import RealDisk

EXPECTED = expectations()
PARTITIONS = [
    (topic, int(number), facts)
    for topic, entry in EXPECTED["topics"].items()
    for number, facts in entry["partitions"].items()
]


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory as Kafka left it; not to be opened."""
    return unpack(tmp_path_factory.mktemp("kafka"))


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> LogDirectory:
    """All logs, opened in trust of Kafka's clean stop."""
    return open_directory(unpack(tmp_path_factory.mktemp("clean")))


@pytest.fixture(scope="module")
def recovered(tmp_path_factory: pytest.TempPathFactory) -> LogDirectory:
    """All logs, as after a kill: no marker, no checkpoints, no snapshots, no indexes."""
    path = unpack(tmp_path_factory.mktemp("recovered"))
    for name in (".kafka_cleanshutdown", "recovery-point-offset-checkpoint"):
        (path / name).unlink()
    for pattern in ("*.index", "*.timeindex", "*.txnindex", "leader-epoch-checkpoint"):
        for file in path.glob(f"*-[0-9]/{pattern}"):
            file.unlink()
    return open_directory(path)


def test_identity(pristine: Path) -> None:
    """Goal: whose directory it is, and that Kafka stopped in good order."""
    disk = RealDisk()
    meta = read_meta_properties(disk, str(pristine))
    assert meta is not None
    assert (meta.cluster_id, meta.node_id) == (EXPECTED["cluster_id"], 1)
    assert meta.directory_id == "K33JQIyXSmWdLDFg66_QIw"
    assert read_clean_shutdown(disk, str(pristine)) == 107


def test_nothing_had_to_be_put_right(directory: LogDirectory) -> None:
    """Goal: a clean stop costs no reading; only renamed files of compaction went."""
    assert directory.clean
    assert not directory.notes
    assert len(directory.logs) == len(PARTITIONS)
    assert len(directory.deletions) == 2
    for log in directory.logs.values():
        assert not log.report.notes
        assert not log.report.recovered
        assert not log.report.cuts
        assert all(name.endswith(".deleted") for name in log.report.removed)


@pytest.mark.parametrize("state", ["directory", "recovered"])
@pytest.mark.parametrize(("topic", "partition", "facts"), PARTITIONS)
def test_clients_read_what_they_read_through_kafka(
    request: pytest.FixtureRequest, state: str, topic: str, partition: int, facts: dict[str, object]
) -> None:
    """Goal: every offset, count and sha256, at both isolation levels, trusted or recovered."""
    opened: LogDirectory = request.getfixturevalue(state)
    log = opened.logs[(topic, partition)]
    log.high_watermark = log.log_end_offset
    assert log.log_start_offset == facts["log_start_offset"]
    assert log.log_end_offset == log.high_watermark == facts["high_watermark"]
    assert log.last_stable_offset == facts["last_stable_offset"]
    for size in (1, 3000, 1 << 20):
        assert consume(log, committed=False, max_bytes=size) == facts["read_uncommitted"]
        if "read_committed" in facts:
            assert consume(log, committed=True, max_bytes=size) == facts["read_committed"]


@pytest.mark.parametrize(("topic", "partition"), [part[:2] for part in PARTITIONS])
def test_indexes_made_again_are_kafkas(
    pristine: Path, recovered: LogDirectory, topic: str, partition: int
) -> None:
    """Goal: rebuilt .index, .timeindex and .txnindex are byte for byte what Kafka wrote.

    Kafka counts the bytes since the last entry from 0 again when a broker starts, so segments
    that lived through its restart have other entries than a recovery would make; compaction
    indexes by another rule.
    """
    kafka_folder = pristine / f"{topic}-{partition}"
    log = recovered.logs[(topic, partition)]
    restarted = {
        epoch_start
        for epoch, epoch_start in log.leader_epochs.entries()
        if epoch == 2 and epoch_start > 0
    }
    for at, segment in enumerate(log.segments):
        end = log.segments[at + 1].base_offset if at + 1 < len(log.segments) else log.log_end_offset
        if any(segment.base_offset < offset < end for offset in restarted) or topic == "users":
            continue
        segment.save_indexes()
        for suffix in (".index", ".timeindex", ".txnindex"):
            ours = Path(segment.path(suffix))
            theirs = kafka_folder / ours.name
            assert ours.exists() == theirs.exists()
            if theirs.exists():
                assert ours.read_bytes() == theirs.read_bytes(), ours.name


def test_leader_epochs_found_in_the_batches(pristine: Path, recovered: LogDirectory) -> None:
    """Goal: 101-01; epochs that have a batch are found again as Kafka noted them.

    Not in the compacted `users`, where the batches that began an epoch are gone.
    """
    for (topic, partition), log in recovered.logs.items():
        if log.log_end_offset > 0 and topic != "users":
            theirs = pristine / f"{topic}-{partition}" / "leader-epoch-checkpoint"
            ours = Path(log.directory) / "leader-epoch-checkpoint"
            assert ours.read_text() == theirs.read_text(), (topic, partition)


def test_producer_snapshots_are_kafkas(pristine: Path) -> None:
    """Goal: every snapshot is read, and written again gives the same bytes."""
    snapshots = sorted(pristine.glob("*/*.snapshot"))
    assert len(snapshots) > 40
    for path in snapshots:
        data = path.read_bytes()
        assert encode_snapshot(decode_snapshot(data)) == data, path


def test_producer_state_replayed_is_that_of_the_snapshot(pristine: Path, tmp_path: Path) -> None:
    """Goal: 98-04; without any snapshot, replaying the log gives Kafka's last one.

    Not for compacted logs, where batches are gone that the snapshot still knows.
    """
    path = unpack(tmp_path)
    for file in path.glob("*-[0-9]/*.snapshot"):
        file.unlink()
    replayed = open_directory(path)
    compared = 0
    for (topic, partition), log in replayed.logs.items():
        if log.log_end_offset == 0 or topic in {"users", "trimmed"}:
            continue
        theirs = files_in(pristine / f"{topic}-{partition}", ".snapshot")[-1]
        ours = {entry.producer_id: encode_snapshot([entry]) for entry in log.producers.in_order()}
        for entry in decode_snapshot(theirs.read_bytes()):
            assert ours[entry.producer_id] == encode_snapshot([entry]), (topic, entry.producer_id)
            compared += 1
    assert compared > 10


def test_taken_over_and_closed_again(tmp_path: Path) -> None:
    """Goal: after a clean stop of ours everything is read as before, and stays Kafka's format."""
    path = unpack(tmp_path)
    first = open_directory(path)
    first.close(broker_epoch=200)
    again = open_directory(path)
    assert (again.clean, again.broker_epoch) == (True, 200)
    for topic, partition, facts in PARTITIONS:
        log = again.logs[(topic, partition)]
        assert log.report.is_empty
        assert log.high_watermark == facts["high_watermark"]
        assert consume(log, committed=False) == facts["read_uncommitted"]
