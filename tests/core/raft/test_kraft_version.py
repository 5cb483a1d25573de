"""kraft.version is raised while the quorum runs (KIP-853): who tells what, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from barnabas.broker.core.raft.messages import (
    AddVoter,
    BeginEpoch,
    Fetch,
    FetchAnswer,
    ReplicaKey,
    UpdateVoter,
    VoterChangeAnswer,
)
from barnabas.broker.core.raft.ports import KRaftVersion
from barnabas.broker.core.raft.voters import Voter, Voters
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.primitives import ZERO_UUID
from barnabas.testing.simulation.raft.memory_log import MemoryRaftLog

from .replicas import NONE, Driven, directory, key, voter, voters

CONFIGURED = Voters(tuple(Voter(one, ZERO_UUID, voter(one).addresses, 0, 0) for one in (1, 2, 3)))


def configured(node_id: int = 1) -> Driven:
    """A node of a quorum whose voters are configured on each node, without directories."""
    log = MemoryRaftLog(())
    log.bootstrap = (CONFIGURED,)
    return Driven(node_id, log=log)


def acknowledge(node: Driven, *ids: int) -> None:
    """Those replicas have all of the log."""
    for node_id in ids:
        node.ask(Fetch("quorum", key(node_id), 1, node.log.end_offset, 1, 0, 1000))


def leading() -> Driven:
    """The leader of configured voters; all is committed."""
    node = configured().lead()
    acknowledge(node, 2, 3, 4)
    return node


def told_by(node: Driven, *ids: int, **other: Any) -> None:
    """Those voters tell the leader who they are."""
    for node_id in ids:
        answer = node.ask(UpdateVoter("quorum", 1, voter(node_id)._replace(**other)))
        assert answer.error is NONE, answer


def raise_level(node: Driven, level: int = 1) -> int:
    """Ask the leader for another level."""
    offset = node.raft.raise_kraft_version(level, node.raft.epoch, node.now)
    node.settle()
    return offset


def test_level_and_voters_are_one_batch_and_count_at_once() -> None:
    """853-01: from then on the voters are those of the log, with directories and addresses."""
    node = leading()
    told_by(node, 2, 3)
    offset = raise_level(node)
    assert (node.raft.kraft_version, node.raft.voters) == (1, voters(1, 2, 3))
    assert [one.control for one in node.log.controls()[1:]] == [KRaftVersion(1), voters(1, 2, 3)]
    assert node.raft.pending_voter_change() == offset
    acknowledge(node, 2)
    assert node.raft.high_watermark == offset + 1


def test_what_is_known_of_voters_is_kept_when_they_get_directories() -> None:
    """595-03: the level changes nothing of who has which part of the log."""
    node = leading()
    told_by(node, 2, 3)
    before = {one.replica.node_id: one[1:] for one in node.raft.describe(node.now).voters}
    raise_level(node)
    after = {one.replica.node_id: one[1:] for one in node.raft.describe(node.now).voters}
    assert (after[2], after[3]) == (before[2], before[3])


def test_voters_can_change_after_it() -> None:
    """853-01: AddRaftVoter is refused at level 0 and done at level 1."""
    node = leading()
    assert node.ask(AddVoter("quorum", 1000, voter(4))).error is ErrorCode.UNSUPPORTED_VERSION
    told_by(node, 2, 3)
    raise_level(node)
    acknowledge(node, 2, 3, 4)
    assert node.ask(AddVoter("quorum", 1000, voter(4))) is None
    acknowledge(node, 2, 3, 4)
    assert node.raft.voters == voters(1, 2, 3, 4)
    assert node.answers[node.next_token - 4].error is NONE


def test_every_voter_must_have_told_who_it_is() -> None:
    """853-01: a voter set without directories cannot be written."""
    node = leading()
    told_by(node, 2)
    with pytest.raises(ValueError, match="Voter 3 has not told"):
        raise_level(node)
    assert node.raft.kraft_version == 0


def test_every_voter_must_support_the_level() -> None:
    """853-01: one that knows level 0 alone would not find the voters."""
    node = leading()
    told_by(node, 2)
    told_by(node, 3, kraft_version_max=0)
    with pytest.raises(ValueError, match="Voter 3 only supports versions 0-0"):
        raise_level(node)


def test_a_voter_with_a_new_disk_must_tell_again() -> None:
    """853-01: what was told is of another directory than the one that fetches now."""
    node = leading()
    told_by(node, 2, 3)
    node.ask(Fetch("quorum", ReplicaKey(3, directory(9)), 1, node.log.end_offset, 1, 0, 1000))
    with pytest.raises(ValueError, match="Voter 3 has not told"):
        raise_level(node)
    told_by(node, 3, directory_id=directory(9))
    raise_level(node)
    assert node.raft.voters.has(3, directory(9))


def test_there_is_no_way_back() -> None:
    """853-01: a downgrade is refused, the level that stands is no change."""
    node = leading()
    told_by(node, 2, 3)
    raise_level(node)
    acknowledge(node, 2, 3)
    end_offset = node.log.end_offset
    with pytest.raises(ValueError, match="cannot go back"):
        raise_level(node, 0)
    assert raise_level(node, 1) == end_offset - 1
    assert node.log.end_offset == end_offset


def test_unknown_levels_and_early_ones_are_refused() -> None:
    """853-01: no level that we do not know, and none before the epoch has committed."""
    node = leading()
    with pytest.raises(ValueError, match="only supports versions 0-1"):
        raise_level(node, 2)
    early = configured().lead()
    with pytest.raises(ValueError, match="not committed a record"):
        raise_level(early)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"voter_id": 9}, ErrorCode.VOTER_NOT_FOUND),
        ({"directory_id": ZERO_UUID}, ErrorCode.INVALID_REQUEST),
        ({"addresses": ()}, ErrorCode.INVALID_REQUEST),
        ({"kraft_version_min": 1}, ErrorCode.INVALID_REQUEST),
    ],
)
def test_what_no_voter_may_tell(change: dict[str, Any], error: ErrorCode) -> None:
    """853-01: as at level 1, without looking at the directory."""
    node = leading()
    answer = node.ask(UpdateVoter("quorum", 1, voter(2)._replace(**change)))
    assert answer.error is error


def following() -> Driven:
    """Voter 1, which follows 2 and has heard it once."""
    node = configured()
    node.ask(BeginEpoch("quorum", 2, 1, key(1), voter(2).addresses))
    hear(node)
    return node


def hear(node: Driven) -> None:
    """The leader answers the Fetch that is under way, with nothing new."""
    (fetch,) = node.take(Fetch)
    node.answer(fetch, FetchAnswer(NONE, 2, 1, 0))


def test_a_follower_tells_each_leader_once() -> None:
    """853-01: it says who it is, and again later if there was no answer."""
    node = following()
    (first,) = node.take(UpdateVoter)
    assert (first.to, first.request) == (2, UpdateVoter("quorum", 1, voter(1)))
    hear(node)
    assert not node.take(UpdateVoter)
    node.now += node.config.fetch_timeout_ms
    hear(node)
    (again,) = node.take(UpdateVoter)
    node.answer(again, VoterChangeAnswer(NONE, 2, 1))
    node.now += 10 * node.config.fetch_timeout_ms
    hear(node)
    assert not node.take(UpdateVoter)
    node.take(Fetch)
    node.ask(BeginEpoch("quorum", 3, 2, key(1), voter(3).addresses))
    (fetch,) = node.take(Fetch)
    node.answer(fetch, FetchAnswer(NONE, 3, 2, 0))
    assert [one.to for one in node.take(UpdateVoter)] == [3]


def test_a_leader_that_wants_to_know_nothing_is_left_alone() -> None:
    """853-01: UNSUPPORTED_VERSION of an older controller is an answer too."""
    node = following()
    (first,) = node.take(UpdateVoter)
    node.answer(first, VoterChangeAnswer(ErrorCode.UNSUPPORTED_VERSION, 2, 1))
    node.now += 10 * node.config.fetch_timeout_ms
    hear(node)
    assert not node.take(UpdateVoter)


def test_a_snapshot_after_it_begins_with_level_and_voters() -> None:
    """630-03: those who load it go by the voters of the log, whatever they have configured."""
    node = leading()
    told_by(node, 2, 3)
    raise_level(node)
    assert node.raft.controls_before(node.log.end_offset) == [KRaftVersion(1), voters(1, 2, 3)]
    assert node.raft.controls_before(node.log.end_offset - 2) == []
