"""The follower's side of a partition: the copy of its leader's log."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.replicas import Replica, from_leader, truncate

from barnabas.broker.core.log.failures import LogDirectoryFailure
from barnabas.broker.core.log.leader_epochs import LeaderEpochs
from barnabas.broker.core.replication.partition import Partition
from barnabas.protocol.errors import ErrorCode, KafkaError


class Sleeper:
    """Counts what it is told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def on_bytes(self, place: int, size: int) -> None:
        self.told.append("bytes")

    def on_high_watermark(self, place: int) -> None:
        self.told.append("watermark")

    def on_change(self, place: int) -> None:
        self.told.append("change")

    def wake_up(self) -> None:
        raise AssertionError("nobody asked for it")


def following(directory: Path, epoch: int = 3) -> tuple[Replica, Partition]:
    one = Replica(directory)
    one.partition.follow(2, epoch)
    assert one.fetchers.calls == [("follow", 2, epoch)]
    return one, one.partition


def test_appends_and_watermark(tmp_path: Path) -> None:
    """392-06, I-3: the watermark is the leader's, as far as the own log reaches; both are kept."""
    _, partition = following(tmp_path)
    assert partition.as_follower(partition.leader_epoch).position() == (0, -1, 0)
    assert partition.as_follower(3).append(from_leader(0, 5, 3), 2, 0) == 5
    assert (partition.high_watermark, partition.leader_high_watermark) == (2, 2)
    partition.as_follower(3).append(from_leader(5, 2, 3), 100, 0)
    assert (partition.high_watermark, partition.leader_high_watermark) == (7, 100)
    assert partition.as_follower(partition.leader_epoch).position() == (7, 3, 0)


def test_answers_of_another_epoch_are_left(tmp_path: Path) -> None:
    """279-03: records that were asked for in an older epoch are not appended in the new one."""
    one, partition = following(tmp_path)
    partition.follow(3, 4)
    with pytest.raises(KafkaError) as refused:
        partition.as_follower(3).append(from_leader(0), 1, 0)
    assert refused.value.code is ErrorCode.FENCED_LEADER_EPOCH
    one.lead(leader_epoch=5)
    with pytest.raises(KafkaError):
        partition.as_follower(5).append(from_leader(0), 1, 0)
    assert partition.log.log_end_offset == 0


def test_damage_on_the_way_is_not_stored(tmp_path: Path) -> None:
    """I-2: a batch whose checksum is wrong is refused, and nothing of the answer is appended."""
    _, partition = following(tmp_path)
    data = bytearray(from_leader(0)) + bytearray(from_leader(1))
    data[-1] ^= 1
    with pytest.raises(KafkaError) as refused:
        partition.as_follower(3).append(memoryview(data), 2, 0)
    assert refused.value.code is ErrorCode.CORRUPT_MESSAGE
    assert partition.log.log_end_offset == 0


def test_a_new_leader_does_not_take_back_the_watermark(tmp_path: Path) -> None:
    """I-3: what was committed stays readable although the new leader does not know it yet."""
    _, partition = following(tmp_path)
    partition.as_follower(3).append(from_leader(0, 5, 3), 5, 0)
    partition.follow(3, 4)
    assert partition.leader_high_watermark == -1
    partition.as_follower(partition.leader_epoch).observe(2, 0)
    assert (partition.high_watermark, partition.leader_high_watermark) == (5, 2)


def test_truncation(tmp_path: Path) -> None:
    """279-01, 279-04: the log is cut, or begins anew elsewhere; the watermark goes with it."""
    _, partition = following(tmp_path)
    for offset in range(5):
        partition.as_follower(3).append(from_leader(offset, 1, 3), 5, 0)
    sleeper = Sleeper()
    partition.waiters.park(sleeper, 0)
    assert truncate(partition, 3) == 3
    assert partition.high_watermark == 3
    partition.as_follower(partition.leader_epoch).restart_at(40)
    assert partition.as_follower(partition.leader_epoch).position() == (40, -1, 40)
    assert partition.high_watermark == 40
    assert sleeper.told == ["change", "change"]


def test_leading_in_vain_leaves_no_trace(tmp_path: Path) -> None:
    """279-02: an epoch without records is not the last epoch that was fetched."""
    one = Replica(tmp_path)
    one.lead(leader_epoch=1)
    one.append(2)
    one.lead(leader_epoch=4)
    assert one.partition.log.leader_epochs.entries() == [(1, 0), (4, 2)]
    one.partition.follow(2, 5)
    assert one.partition.as_follower(one.partition.leader_epoch).position() == (2, 1, 0)
    one.partition.as_follower(5).append(from_leader(2, 1, 3), 0, 0)
    assert one.partition.log.leader_epochs.entries() == [(1, 0), (3, 2)]


def test_the_start_follows_the_leader(tmp_path: Path) -> None:
    """C9, I-13: the log's start is the leader's, never beyond the watermark, never lowered."""
    _, partition = following(tmp_path)
    partition.as_follower(3).append(from_leader(0, 5, 3), 4, 2)
    assert partition.log.log_start_offset == 2
    partition.as_follower(partition.leader_epoch).observe(4, 1)
    assert partition.log.log_start_offset == 2
    partition.as_follower(partition.leader_epoch).observe(4, 5)
    assert partition.log.log_start_offset == 4


def test_a_follower_retires_nothing_by_itself(tmp_path: Path) -> None:
    """C9, I-13: however old and large, segments go once the leader's log begins behind them."""
    one = Replica(tmp_path, internal_segment_bytes=200, retention_ms=1, retention_bytes=1)
    partition = one.partition
    partition.follow(2, 3)
    for offset in range(9):
        partition.as_follower(3).append(from_leader(offset, 1, 3), 9, 0)
    bases = [segment.base_offset for segment in partition.log.segments]
    assert len(bases) > 3
    one.clock.now_ms = 10 * 86_400_000
    assert partition.apply_retention(one.clock.wall_ms()) == 0
    partition.as_follower(partition.leader_epoch).observe(9, bases[2] + 1)
    assert partition.apply_retention(one.clock.wall_ms()) == 2
    assert partition.log.first_segment_offset == bases[2]
    one.lead(1, leader_epoch=4)
    assert partition.apply_retention(one.clock.wall_ms()) == len(bases) - 2


def test_parked_consumers_of_a_follower_are_woken(tmp_path: Path) -> None:
    """392-13: by the watermark, not by records that nobody may read yet."""
    _, partition = following(tmp_path)
    sleeper = Sleeper()
    partition.waiters.park(sleeper, 0)
    partition.as_follower(3).append(from_leader(0, 5, 3), 0, 0)
    assert sleeper.told == []
    partition.as_follower(3).append(memoryview(b""), 5, 0)
    assert sleeper.told == ["bytes"]
    partition.waiters.unpark(sleeper)
    assert partition.waiters.parked_count == 0


def test_parked_followers_are_woken_by_the_append(tmp_path: Path) -> None:
    """74-02: a follower's fetch reads what is in the log; the watermark is news of its own."""
    one = Replica(tmp_path)
    partition = one.lead(1, 2)
    consumer, follower = Sleeper(), Sleeper()
    partition.waiters.park(consumer, 0)
    partition.waiters.park(follower, 0, is_follower=True)
    one.append(1)
    assert (consumer.told, follower.told) == ([], ["bytes"])
    one.fetched(2, 1)
    assert (consumer.told, follower.told) == (["bytes"], ["bytes", "watermark"])
    partition.follow(2, 1)
    assert follower.told[-1] == consumer.told[-1] == "change"


def test_changes_of_role_are_told_to_the_fetchers(tmp_path: Path) -> None:
    """279-05: begun with each new leader epoch, ended when there is nobody to follow."""
    one, partition = following(tmp_path)
    partition.follow(2, 3)
    partition.follow(2, 4)
    partition.follow(-1, 5)
    one.lead(leader_epoch=6)
    partition.follow(3, 7)
    partition.retire()
    assert one.fetchers.calls == [
        ("follow", 2, 3),
        ("follow", 2, 4),
        ("unfollow",),
        ("unfollow",),
        ("follow", 3, 7),
        ("unfollow",),
    ]


def test_an_epoch_that_cannot_be_written_down_takes_the_log_offline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Goal: a disk that is full just then is a failed disk, not an unexpected error."""
    _, partition = following(tmp_path)

    def full(_: LeaderEpochs) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(LeaderEpochs, "write", full)
    partition.as_follower(3).append(from_leader(0, 2, leader_epoch=3), 0, 0)
    with pytest.raises(LogDirectoryFailure):
        partition.log.flush()
    assert partition.is_offline
    assert partition.log.recovery_point == 0


def test_an_epoch_that_cannot_be_taken_back_takes_the_log_offline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Goal: the same where the file has it already, so that it must be written anew at once."""
    one, partition = following(tmp_path)
    partition.as_follower(3).append(from_leader(0, 2, leader_epoch=3), 0, 0)
    partition.log.flush()

    def full(_: LeaderEpochs) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(LeaderEpochs, "write", full)
    with pytest.raises(KafkaError) as caught:
        truncate(partition, 0)
    assert caught.value.code is ErrorCode.KAFKA_STORAGE_ERROR
    assert one.failures == [caught.value]
