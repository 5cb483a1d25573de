"""Truncation of a follower: the cases of KIP-279 and KIP-320, on epochs alone."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from barnabas.broker.core.log.leader_epochs import UNDEFINED_EPOCH, LeaderEpochs
from barnabas.broker.core.replication.truncation import (
    EpochEnd,
    LocalLog,
    Restart,
    Truncation,
    position_after_out_of_range,
    truncation_by_epoch,
)
from barnabas.testing.simulation.disk import SimulatedDisk

Record = tuple[int, int]
"""Leader epoch and a number that no other record has."""


def epochs_of(*entries: tuple[int, int]) -> LeaderEpochs:
    disk = SimulatedDisk(Random(1))
    disk.make_directory("/t-0")
    epochs = LeaderEpochs(disk, "/t-0/leader-epoch-checkpoint")
    for epoch, start in entries:
        epochs.assign(epoch, start)
    return epochs


def local(*entries: tuple[int, int], end: int, watermark: int = 0) -> LocalLog:
    return LocalLog(epochs_of(*entries), watermark, end)


def test_undefined_answer_cuts_to_the_watermark() -> None:
    """279-01: a leader that can say nothing leaves only what was committed as common."""
    log = local((0, 0), (3, 10), end=20, watermark=7)
    assert truncation_by_epoch(log, EpochEnd(-1, -1)) == Truncation(7, is_complete=True)


def test_known_epoch_cuts_to_the_smallest_end() -> None:
    """279-01: min(local end of the epoch, the leader's end of it, the log's end)."""
    log = local((0, 0), (3, 10), end=20)
    assert truncation_by_epoch(log, EpochEnd(3, 15)) == Truncation(15, is_complete=True)
    assert truncation_by_epoch(log, EpochEnd(3, 25)) == Truncation(20, is_complete=True)
    assert truncation_by_epoch(log, EpochEnd(0, 12)) == Truncation(10, is_complete=True)
    assert truncation_by_epoch(log, EpochEnd(0, 4)) == Truncation(4, is_complete=True)


def test_unknown_epoch_cuts_to_the_next_lower_and_asks_again() -> None:
    """279-01: the leader names epoch 2, we have 1 and 3: our end of 1 is where to ask again."""
    log = local((1, 0), (3, 10), end=20)
    assert truncation_by_epoch(log, EpochEnd(2, 15)) == Truncation(10, is_complete=False)


def test_epoch_older_than_all_of_ours() -> None:
    """101-02: asked about an epoch below our first, we begin where our first epoch begins."""
    log = local((5, 8), end=20)
    assert truncation_by_epoch(log, EpochEnd(2, 15)) == Truncation(8, is_complete=True)


def test_an_epoch_newer_than_all_of_ours_cuts_to_the_leaders_end() -> None:
    """279-01: nothing here belongs to that epoch, and the leader's log ends there."""
    log = local((1, 0), end=20)
    assert truncation_by_epoch(log, EpochEnd(4, 15)) == Truncation(15, is_complete=True)


def test_the_latest_epoch_is_asked_first() -> None:
    """101-01: the epoch cache names the latest epoch; an empty one has nothing to ask."""
    assert local((1, 0), (3, 10), end=20).epochs.latest == 3
    assert local(end=0).epochs.latest == UNDEFINED_EPOCH


def test_out_of_range_positions() -> None:
    """279-04: shorter leader, leader that begins later, and a position that is fine."""
    assert position_after_out_of_range(20, 0, 15) == Truncation(15, is_complete=True)
    assert position_after_out_of_range(20, 30, 40) == Restart(30)
    assert position_after_out_of_range(20, 5, 40) == Truncation(20, is_complete=True)
    assert position_after_out_of_range(20, 20, 20) == Truncation(20, is_complete=True)


def common_prefix(one: list[Record], other: list[Record]) -> int:
    for number, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return number
    return min(len(one), len(other))


def histories(random: Random, replicas: int, reigns: int) -> list[list[Record]]:
    """Logs after elections of arbitrary replicas, none of which waited for anybody."""
    logs: list[list[Record]] = [[] for _ in range(replicas)]
    number = 0
    for epoch in range(reigns):
        leader = random.choice(logs)
        for _ in range(random.randrange(4)):
            number += 1
            leader.append((epoch, number))
        for follower in logs:
            if follower is not leader and random.random() < 0.4:
                common = common_prefix(follower, leader)
                copied = random.randint(common, len(leader))
                follower[common:] = leader[common:copied]
    return logs


def cached(log: list[Record]) -> LeaderEpochs:
    starts: dict[int, int] = {}
    for offset, (epoch, _) in enumerate(log):
        starts.setdefault(epoch, offset)
    return epochs_of(*starts.items())


@given(seed=st.integers(0, 2**32), replicas=st.integers(2, 5), reigns=st.integers(1, 9))
def test_a_follower_ends_as_a_prefix_of_its_leader(seed: int, replicas: int, reigns: int) -> None:
    """279-01: fast elections in a row; asking until complete leaves a prefix, and all of it.

    Method: logs that grew under random leaders; the DivergingEpoch loop of KIP-320 between two.
    """
    random = Random(seed)
    logs = histories(random, replicas, reigns)
    follower, leader = random.sample(logs, 2)
    leader.append((reigns, -1))  # a new leader: its epoch is the newest of all
    common = common_prefix(follower, leader)
    leader_epochs = cached(leader)
    for _ in range(reigns + 1):
        mine = LocalLog(cached(follower), 0, len(follower))
        asked = mine.epochs.latest
        if asked == UNDEFINED_EPOCH:
            break
        told = EpochEnd(*leader_epochs.end_offset_for(asked, len(leader)))
        if told.epoch == asked and told.end_offset >= len(follower):
            break  # no divergence: a fetch would get records
        decided = truncation_by_epoch(mine, told)
        assert decided.offset < len(follower)
        del follower[decided.offset :]
    assert follower == leader[:common]
