"""A log directory: what is found there, what is written there, who may use it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from kit.log_batches import batch
from kit.logs import SMALL, ManualClock, append, config_of, env_of, open_log, read_all

from barnabas.broker.core.log.checkpoints import read_offsets
from barnabas.broker.core.log.failures import DamagedLogError
from barnabas.broker.core.log.identity import (
    MetaProperties,
    read_meta_properties,
    write_meta_properties,
)
from barnabas.broker.core.log.log_directory import LogDirectory
from barnabas.broker.storage.files import RealDisk

TOPIC_ID = bytes(range(16))


def opened(path: Path, clock: ManualClock | None = None) -> LogDirectory:
    directory = LogDirectory(str(path), env_of(clock=clock))
    directory.open()
    for found in directory.partitions():
        directory.load(found, SMALL)
    return directory


def test_clean_stop_and_start(tmp_path: Path) -> None:
    """Goal: everything comes back as it was, and nothing is read through."""
    directory = opened(tmp_path)
    logs = [directory.create("orders", partition, TOPIC_ID, SMALL) for partition in range(3)]
    for partition, log in enumerate(logs):
        for _ in range(partition * 30):
            append(log, batch(b"x" * 50))
    logs[2].advance_log_start(7)
    directory.close(broker_epoch=41)
    assert json.loads((tmp_path / ".kafka_cleanshutdown").read_text()) == {
        "version": 0,
        "brokerEpoch": 41,
    }
    assert (tmp_path / "log-start-offset-checkpoint").read_text() == "0\n1\norders 2 7\n"
    again = opened(tmp_path)
    assert (again.clean, again.broker_epoch) == (True, 41)
    assert not (tmp_path / ".kafka_cleanshutdown").exists()
    assert [again.logs[("orders", number)].log_end_offset for number in range(3)] == [0, 30, 60]
    assert all(log.report.is_empty for log in again.logs.values())
    assert all(log.topic_id == TOPIC_ID for log in again.logs.values())
    assert again.logs[("orders", 2)].log_start_offset == 7
    assert again.logs[("orders", 1)].high_watermark == 30


def test_without_the_marker_logs_are_read_through(tmp_path: Path) -> None:
    """Goal: a killed node recovers from the checkpointed recovery points."""
    directory = opened(tmp_path)
    log = directory.create("orders", 0, TOPIC_ID, SMALL)
    for _ in range(30):
        append(log, batch(b"x" * 90))
    log.flush()
    directory.write_checkpoints()
    append(log, batch())
    again = opened(tmp_path)
    assert not again.clean
    found = again.logs[("orders", 0)]
    assert found.report.recovered == [found.segments[-1].path()]
    assert (found.log_end_offset, found.high_watermark) == (31, 30)


def test_a_lost_tail_before_the_first_checkpoint(tmp_path: Path) -> None:
    """I-2: a power loss takes whole batches off a segment; what came after the hole goes too."""
    directory = opened(tmp_path)
    log = directory.create("orders", 0, TOPIC_ID, SMALL)
    while len(log.segments) < 3:
        append(log, batch(b"x" * 90))
    end = log.segments[1].base_offset
    log.flush()
    first = Path(log.segments[0].path())
    lost = len(read_all(log)[0])
    first.write_bytes(first.read_bytes()[:-lost])
    again = opened(tmp_path).logs[("orders", 0)]
    assert again.log_end_offset == end - 1
    assert "are lost" in str(again.report)


def test_holes_of_a_directory_without_checkpoints_are_kept(tmp_path: Path) -> None:
    """Goal: where nobody says what is new, a hole may be old: nothing after it is dropped."""
    directory = opened(tmp_path)
    log = directory.create("orders", 0, TOPIC_ID, SMALL)
    while len(log.segments) < 3:
        append(log, batch(b"x" * 90))
    log.flush()
    first = Path(log.segments[0].path())
    first.write_bytes(first.read_bytes()[: -len(read_all(log)[0])])
    (tmp_path / "recovery-point-offset-checkpoint").unlink()
    again = opened(tmp_path)
    assert again.logs[("orders", 0)].log_end_offset == log.log_end_offset
    assert not (tmp_path / "recovery-point-offset-checkpoint").exists()


def test_what_was_recovered_is_flushed_where_flushes_count(tmp_path: Path) -> None:
    """207-01: after a crash no flush is waited for: the only replica knows its watermark."""
    config = config_of(internal_segment_bytes=2000, flush_messages=1)
    directory = opened(tmp_path)
    log = directory.create("orders", 0, TOPIC_ID, config)
    append(log, batch(b"x" * 90))
    assert log.recovery_point == 0
    again = LogDirectory(str(tmp_path), env_of())
    again.open()
    found = again.load(again.partitions()[0], config)
    assert (found.log_end_offset, found.recovery_point) == (1, 1)


def test_failed_logs_leave_no_marker(tmp_path: Path) -> None:
    """Goal: a stop with a failed log is not a clean one."""
    directory = opened(tmp_path)
    log = directory.create("orders", 0, TOPIC_ID, SMALL)
    log.fail("writing to", OSError(5, "broken"))
    directory.close()
    assert not (tmp_path / ".kafka_cleanshutdown").exists()
    assert "broken" in str(directory.failures[0])


def test_delete_and_make_again(tmp_path: Path) -> None:
    """Goal: the folder goes aside at once and for good after the delay; the name is free again."""
    clock = ManualClock()
    directory = opened(tmp_path, clock)
    append(directory.create("orders", 0, TOPIC_ID, SMALL), batch())
    directory.delete("orders", 0)
    names = [path.name for path in tmp_path.iterdir() if path.is_dir()]
    assert len(names) == 1
    assert names[0].startswith("orders-0.")
    assert names[0].endswith("-delete")
    assert directory.create("orders", 0, bytes(16), SMALL).log_end_offset == 0
    assert directory.deletions.run_due(59_999) == []
    assert directory.deletions.run_due(60_000) == [f"{tmp_path}/{names[0]}"]
    directory.close()


def test_folders_on_their_way_out_are_removed_after_a_restart(tmp_path: Path) -> None:
    """Goal: `-delete` folders are not opened, and go after the delay."""
    directory = opened(tmp_path)
    directory.create("orders", 0, TOPIC_ID, SMALL)
    directory.delete("orders", 0)
    directory.close()
    again = opened(tmp_path)
    assert not again.logs
    assert len(again.deletions) == 1
    assert len(again.deletions.run_due(1e12)) == 1
    assert not list(tmp_path.glob("*-delete"))


def test_unknown_folders_are_left_alone(tmp_path: Path) -> None:
    """Goal: F-16; nothing is deleted that we did not put there, and it is said."""
    for name in ("lost+found", "orders-007", "-1", "x-1-stray"):
        (tmp_path / name).mkdir()
    directory = opened(tmp_path)
    assert not directory.logs
    assert len(directory.notes) == 4
    assert sum(path.is_dir() for path in tmp_path.iterdir()) == 4


def test_set_aside(tmp_path: Path) -> None:
    """Goal: a folder that the cluster does not know is kept under another name."""
    opened(tmp_path).create("orders", 0, TOPIC_ID, SMALL)
    directory = LogDirectory(str(tmp_path), env_of())
    directory.open()
    (found,) = directory.partitions()
    renamed = directory.set_aside(found)
    assert renamed.endswith("-stray")
    assert (Path(renamed) / "partition.metadata").exists()
    assert not opened(tmp_path).logs


@pytest.mark.parametrize(
    "text",
    ["version: 1\ntopic_id: x", "version: 0\ntopic_id: " + 22 * "=", "\udcff", "topic_id: x"],
)
def test_a_folder_with_an_unreadable_topic_id_is_refused(tmp_path: Path, text: str) -> None:
    """Goal: F-16; starts or refuses with a named reason."""
    directory = opened(tmp_path)
    directory.create("orders", 0, TOPIC_ID, SMALL)
    path = tmp_path / "orders-0" / "partition.metadata"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(DamagedLogError, match=r"partition\.metadata"):
        opened(tmp_path)


@pytest.mark.parametrize("text", ["", "version: 0\n", "version: 0\ntopic_id: AAAA", "\0\0\0"])
def test_a_folder_that_was_never_flushed_is_set_aside(tmp_path: Path, text: str) -> None:
    """Goal: power lost right after a partition was made keeps no node from starting."""
    directory = opened(tmp_path)
    directory.create("orders", 0, TOPIC_ID, SMALL)
    directory.create("orders", 1, TOPIC_ID, SMALL)
    (tmp_path / "orders-0" / "partition.metadata").write_text(text)
    again = opened(tmp_path)
    assert [found.partition for found in again.partitions()] == [1]
    assert any("was not written to its end" in note for note in again.notes)
    assert not (tmp_path / "orders-0").exists()


def test_a_folder_without_a_topic_id_gets_one(tmp_path: Path) -> None:
    """516-01: a name that a power failure took away is written again at opening."""
    opened(tmp_path).create("orders", 0, TOPIC_ID, SMALL)
    (tmp_path / "orders-0" / "partition.metadata").unlink()
    directory = LogDirectory(str(tmp_path), env_of())
    directory.open()
    (found,) = directory.partitions()
    assert directory.load(found, SMALL, TOPIC_ID).topic_id == TOPIC_ID
    assert [each.topic_id for each in directory.partitions()] == [TOPIC_ID]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("version=0\ncluster.id=x\nnode.id=1\n", "version"),
        ("version=1\nnode.id=1\n", "cluster.id"),
        ("version=1\ncluster.id=x\n", "node.id"),
        ("version=1\ncluster.id=x\nnode.id=-3\n", "node.id"),
    ],
)
def test_meta_properties_that_cannot_be_true(tmp_path: Path, text: str, word: str) -> None:
    """Goal: F-16; the file and the field are named."""
    (tmp_path / "meta.properties").write_text(text)
    with pytest.raises(DamagedLogError, match=word):
        opened(tmp_path)


def test_meta_properties_round_trip(tmp_path: Path) -> None:
    """Goal: what we write is what Kafka's own file says."""
    disk = RealDisk()
    assert read_meta_properties(disk, str(tmp_path)) is None
    write_meta_properties(disk, str(tmp_path), MetaProperties("c-1", 7, "K33JQIyXSmWdLDFg66_QIw"))
    read = read_meta_properties(disk, str(tmp_path))
    assert read is not None
    assert (read.cluster_id, read.node_id, read.directory_id) == (
        "c-1",
        7,
        "K33JQIyXSmWdLDFg66_QIw",
    )


@pytest.mark.parametrize("content", [b"", b"0\n5\n", b"1\n0\n", b"\xff\xff", b"0\n1\na b\n"])
def test_damaged_checkpoints_cost_time_only(tmp_path: Path, content: bytes) -> None:
    """Goal: F-16; without recovery points everything is read through, nothing is lost."""
    directory = opened(tmp_path)
    log = directory.create("orders", 0, TOPIC_ID, SMALL)
    append(log, batch())
    for name in ("recovery-point-offset-checkpoint", "replication-offset-checkpoint"):
        (tmp_path / name).write_bytes(content)
    again = opened(tmp_path)
    assert len(read_all(again.logs[("orders", 0)])) == 1
    assert len(again.notes) == 2


def test_a_damaged_recovery_point_leaves_no_hole(tmp_path: Path) -> None:
    """I-2: what follows the lost tail of a segment goes too, though nobody knows any more what was
    flushed: else a follower would never ask for the lost records again."""
    directory = opened(tmp_path)
    log = directory.create("orders", 0, TOPIC_ID, SMALL)
    one = batch(b"x" * 50)
    while len(log.segments) < 3:
        append(log, one)
    second = log.segments[1].base_offset
    directory.write_checkpoints(durable=False)
    first = tmp_path / "orders-0" / f"{0:020d}.log"
    first.write_bytes(first.read_bytes()[: -len(one)])
    (tmp_path / "recovery-point-offset-checkpoint").write_bytes(b"0\n1\nord")
    again = opened(tmp_path)
    assert again.logs[("orders", 0)].log_end_offset == second - 1


@pytest.mark.parametrize("looks", [False, True])
def test_a_stop_before_the_logs_were_opened_is_not_clean(tmp_path: Path, looks: bool) -> None:
    """I-5: after a crash the next start still has to recover what this one did not get to."""
    directory = opened(tmp_path)
    directory.create("orders", 0, TOPIC_ID, SMALL)
    crashed = LogDirectory(str(tmp_path), env_of())
    crashed.open()
    if looks:
        assert len(crashed.partitions()) == 1
    crashed.close()
    assert not (tmp_path / ".kafka_cleanshutdown").exists()
    again = opened(tmp_path)
    assert not again.clean
    again.close()
    unread = LogDirectory(str(tmp_path), env_of())
    unread.open()
    unread.close()
    assert (tmp_path / ".kafka_cleanshutdown").exists()


def test_a_log_that_could_not_be_recovered(tmp_path: Path) -> None:
    """I-5: its disk refused while it was opened after a crash; the others do not make up for it."""
    directory = opened(tmp_path)
    for partition in range(2):
        append(directory.create("orders", partition, TOPIC_ID, SMALL), batch(b"x"))
    crashed = LogDirectory(str(tmp_path), env_of())
    crashed.open()
    first, second = crashed.partitions()
    crashed.load(second, SMALL)
    (tmp_path / "orders-0" / "leader-epoch-checkpoint").unlink(missing_ok=True)
    (tmp_path / "orders-0" / "leader-epoch-checkpoint.tmp").mkdir()
    with pytest.raises(OSError):
        crashed.load(first, SMALL)
    crashed.close()
    assert not (tmp_path / ".kafka_cleanshutdown").exists()
    (tmp_path / "orders-0" / "leader-epoch-checkpoint.tmp").rmdir()
    again = opened(tmp_path)
    assert not again.clean
    assert again.logs[("orders", 0)].leader_epochs.entries() == [(0, 0)]


def test_checkpoints_of_logs_that_were_not_opened(tmp_path: Path) -> None:
    """Goal: a stop before they were opened does not bring deleted records back."""
    directory = opened(tmp_path)
    for partition in range(2):
        log = directory.create("orders", partition, TOPIC_ID, SMALL)
        for _ in range(9):
            append(log, batch(b"x" * 50))
        log.advance_log_start(7)
    directory.close()
    names = ("log-start-offset", "recovery-point-offset", "replication-offset")
    texts = [(tmp_path / f"{name}-checkpoint").read_text() for name in names]
    brief = LogDirectory(str(tmp_path), env_of())
    brief.open()
    brief.close()
    assert [(tmp_path / f"{name}-checkpoint").read_text() for name in names] == texts
    again = LogDirectory(str(tmp_path), env_of())
    again.open()
    first, second = again.partitions()
    again.set_aside(first)
    again.write_checkpoints()
    assert [(tmp_path / f"{name}-checkpoint").read_text() for name in names] == [
        f"0\n1\norders 1 {offset}\n" for offset in (7, 9, 9)
    ]
    log = again.load(second, SMALL)
    assert (log.log_start_offset, log.high_watermark) == (7, 9)
    again.delete("orders", 1)
    again.write_checkpoints()
    assert {(tmp_path / f"{name}-checkpoint").read_text() for name in names} == {"0\n0\n"}


def test_checkpoints_name_every_log(tmp_path: Path) -> None:
    """Goal: the files are Kafka's, line by line."""
    directory = opened(tmp_path)
    append(directory.create("a-b", 3, TOPIC_ID, SMALL), batch())
    directory.write_checkpoints(durable=False)
    path = f"{tmp_path}/replication-offset-checkpoint"
    assert Path(path).read_text() == "0\n1\na-b 3 1\n"
    assert read_offsets(RealDisk(), path) == {("a-b", 3): 1}


def test_long_topic_names_can_be_deleted(tmp_path: Path) -> None:
    """Goal: a name of 249 letters still fits with the mark of deletion."""
    directory = opened(tmp_path)
    directory.create("t" * 249, 0, TOPIC_ID, SMALL)
    directory.delete("t" * 249, 0)
    assert not directory.logs


def test_empty_files(tmp_path: Path) -> None:
    """Goal: F-16; segments and indexes of no bytes are an empty log."""
    for suffix in (".log", ".index", ".timeindex", ".txnindex", ".snapshot"):
        (tmp_path / f"{0:020d}{suffix}").write_bytes(b"")
    (tmp_path / "leader-epoch-checkpoint").write_bytes(b"")
    for clean in (True, False):
        log = open_log(tmp_path, clean=clean)
        assert log.log_end_offset == 0
        log.close()


def test_a_new_folder_is_made_durable_with_its_first_flush(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Goal: no power failure takes the folder away with what was flushed; once is enough."""
    synced: list[str] = []
    sync = RealDisk.fsync_directory

    def sync_and_tell(self: RealDisk, path: str) -> None:
        synced.append(path)
        sync(self, path)

    directory = opened(tmp_path)
    log = directory.create("orders", 0, TOPIC_ID, SMALL)
    monkeypatch.setattr(RealDisk, "fsync_directory", sync_and_tell)
    append(log, batch())
    log.flush()
    assert synced == [log.directory, str(tmp_path)]
    append(log, batch())
    log.flush()
    assert str(tmp_path) not in synced[2:]
