"""Votes, pre-votes, epochs (KIP-595, KIP-996)."""

from __future__ import annotations

import pytest

from barnabas.broker.core.raft.messages import (
    BeginEpoch,
    EndEpoch,
    EpochAnswer,
    Fetch,
    FetchAnswer,
    ReplicaKey,
    Vote,
    VoteAnswer,
)
from barnabas.broker.core.raft.quorum_state import QuorumState
from barnabas.broker.core.raft.raft import QuorumBrokenError
from barnabas.protocol.errors import ErrorCode

from .replicas import NONE, Driven, key


def vote(epoch: int, candidate: int = 2, *, pre: bool = False, **fields: object) -> Vote:
    """A request for node 1's vote."""
    request = Vote("quorum", epoch, key(candidate), key(1), 0, 0, pre)
    for name, value in fields.items():
        setattr(request, name, value)
    return request


def follower(leader_id: int = 2, epoch: int = 1) -> Driven:
    """Node 1, which has heard its leader."""
    node = Driven()
    node.ask(BeginEpoch("quorum", leader_id, epoch, key(1)))
    [fetch] = node.take(Fetch)
    node.answer(fetch, FetchAnswer(NONE, leader_id, epoch, 0, 0))
    assert node.raft.leader == (leader_id, epoch)
    return node


def test_a_vote_leaves_when_it_is_durable() -> None:
    """595-01: the answer is held back until `quorum-state` is written."""
    node = Driven(is_slow=True)
    assert node.ask(vote(1)) is None
    state = node.readies[-1].state
    assert state is not None
    assert state == QuorumState(1, -1, 2, key(2).directory_id)
    node.raft.on_state_written(state, node.now)
    node.settle()
    assert node.answers[1] == VoteAnswer(NONE, -1, 1, True)


def test_a_candidate_asks_when_its_own_vote_is_durable() -> None:
    """595-01: no request for a vote, and no vote for itself, before that."""
    node = Driven(is_slow=True)
    node.wait_for_election()
    for one in node.take(Vote):
        assert one.request.pre_vote
        node.answer(one, VoteAnswer(NONE, -1, 0, True))
    assert node.raft.state_name == "candidate"
    assert not node.take(Vote)
    state = node.readies[-1].state
    assert state is not None
    assert (state.leader_epoch, state.voted_id) == (1, 1)
    node.raft.on_state_written(state, node.now)
    node.settle()
    assert [one.request.epoch for one in node.take(Vote)] == [1, 1]


@pytest.mark.parametrize(
    ("request_", "error"),
    [
        (vote(1), ErrorCode.FENCED_LEADER_EPOCH),
        (vote(5, last_offset=-1), ErrorCode.INVALID_REQUEST),
        (vote(5, last_epoch=-1), ErrorCode.INVALID_REQUEST),
        (vote(5, last_epoch=5), ErrorCode.INVALID_REQUEST),
        (vote(5, voter=key(3)), ErrorCode.INVALID_VOTER_KEY),
        (vote(5, voter=ReplicaKey(1, key(9).directory_id)), ErrorCode.INVALID_VOTER_KEY),
        (vote(5, cluster_id="another"), ErrorCode.INCONSISTENT_CLUSTER_ID),
    ],
)
def test_votes_that_are_wrong(request_: Vote, error: ErrorCode) -> None:
    """595-02: 74, 42; 853-01: 125; and 104 for another cluster."""
    node = follower(epoch=3)
    assert node.ask(request_).error is error
    assert node.raft.epoch == 3


def test_one_vote_an_epoch() -> None:
    """595-02: granted once, again to the same candidate, refused without error to another."""
    node = Driven()
    assert node.ask(vote(1, 2)).granted
    assert node.ask(vote(1, 2)).granted
    assert node.ask(vote(1, 3)) == VoteAnswer(NONE, -1, 1, False)
    assert node.ask(vote(2, 3)).granted


def test_a_vote_survives_a_restart() -> None:
    """595-01: what was granted before is refused to others afterwards."""
    node = Driven()
    assert node.ask(vote(1, 2)).granted
    again = Driven(log=node.log, state=node.disk)
    assert not again.ask(vote(1, 3)).granted
    assert again.ask(vote(1, 2)).granted


def test_no_vote_for_a_shorter_log() -> None:
    """595-02: (last epoch, end offset) of the candidate must not be behind."""
    node = Driven().lead()
    node.append(3)
    assert not node.ask(vote(9, last_epoch=1, last_offset=2)).granted
    assert node.raft.epoch == 9, "595-10: the higher epoch wins all the same"
    assert node.ask(vote(10, last_epoch=1, last_offset=node.log.end_offset)).granted
    assert node.ask(vote(11, last_epoch=10, last_offset=1)).granted


def test_no_vote_where_a_leader_is_known() -> None:
    """595-02: not in an epoch whose leader is known."""
    assert not follower(epoch=3).ask(vote(3)).granted


def test_a_pre_vote_changes_nothing() -> None:
    """996-01: not the epoch, not the vote, not the disk."""
    node = Driven()
    before = node.disk
    assert node.ask(vote(7, pre=True)).granted
    assert (node.raft.epoch, node.disk) == (0, before)
    assert node.ask(vote(7, 3, pre=True)).granted


def test_a_pre_vote_is_refused_while_the_leader_is_heard() -> None:
    """996-01: denied by a follower within its fetch timeout, and by the leader."""
    node = follower()
    assert not node.ask(vote(1, 3, pre=True)).granted
    node.now += node.config.fetch_timeout_ms
    assert node.ask(vote(1, 3, pre=True)).granted
    assert not Driven().lead().ask(vote(4, pre=True, last_offset=99)).granted


def test_the_epoch_rises_only_after_a_majority_of_pre_votes() -> None:
    """996-01: a prospective becomes a candidate, and only then bumps the epoch."""
    node = Driven()
    node.wait_for_election()
    first, _ = node.take(Vote)
    assert first.request.pre_vote
    assert node.raft.epoch == 0
    node.answer(first, VoteAnswer(NONE, -1, 0, True))
    assert (node.raft.state_name, node.raft.epoch) == ("candidate", 1)


def test_an_isolated_voter_bumps_no_epoch() -> None:
    """996-02: an hour alone, and the epoch is what it was."""
    node = follower(epoch=3)
    for _ in range(3600):
        node.wait(1000)
        for one in [*node.take(Vote), *node.take(Fetch)]:
            node.raft.on_failure(one.number, node.now)
        node.settle()
    assert node.raft.epoch == 3
    node.ask(BeginEpoch("quorum", 2, 3, key(1)))
    assert node.raft.leader == (2, 3)


def test_a_voter_that_knows_no_pre_vote_does_not_stop_it() -> None:
    """996-01: UNSUPPORTED_VERSION is no objection."""
    node = Driven()
    node.wait_for_election()
    node.answer(node.take(Vote)[0], VoteAnswer(ErrorCode.UNSUPPORTED_VERSION, -1, -1, False))
    assert node.raft.state_name == "candidate"


def test_a_pre_vote_of_a_voter_that_is_an_epoch_behind_counts() -> None:
    """996-01: who stood alone is ahead of those whose epoch its pre-vote leaves as it is."""
    node = Driven(state=QuorumState(10, -1, 1, key(1).directory_id))
    other = Driven(2, state=QuorumState(9))
    node.wait_for_election()
    [asked] = [one for one in node.take(Vote) if one.to == 2]
    answer = other.ask(asked.request)
    assert (answer.granted, answer.epoch) == (True, 9)
    node.answer(asked, answer)
    assert (node.raft.state_name, node.raft.epoch) == ("candidate", 11)
    [asked] = [one for one in node.take(Vote) if one.to == 2]
    node.answer(asked, VoteAnswer(NONE, -1, 10, True))
    assert node.raft.state_name == "candidate", "595-10: for a vote that is an answer of the past"


def test_a_dead_leader_is_replaced_early() -> None:
    """A refused connection begins a pre-vote within 50 ms, and such a voter grants others."""
    node = follower()
    [fetch] = node.take(Fetch)
    node.raft.on_failure(fetch.number, node.now, is_refused=True)
    assert node.ask(vote(1, 3, pre=True)).granted
    node.wait(node.config.leader_lost_delay_max_ms)
    assert node.raft.state_name == "prospective"


def test_two_leaders_in_one_epoch_stop_the_node() -> None:
    """595-09: that cannot be repaired, so nothing goes on; each has said itself that it leads."""
    node = follower(2, 3)
    node.take(Fetch)
    node.ask(BeginEpoch("quorum", 3, 3, key(1)))
    [asked] = [one for one in node.take(Fetch) if one.to == 3]
    with pytest.raises(QuorumBrokenError, match="two leaders: 2 and 3"):
        node.answer(asked, FetchAnswer(NONE, 3, 3, 0, 0))


def test_answers_of_higher_epochs_win_and_of_lower_ones_are_ignored() -> None:
    """595-10: whoever says it."""
    node = Driven().lead()
    late, newer = node.take(BeginEpoch)
    node.answer(late, EpochAnswer(NONE, 3, 0))
    assert node.raft.is_leader
    node.answer(newer, EpochAnswer(ErrorCode.FENCED_LEADER_EPOCH, 3, 8))
    assert node.raft.leader == (3, 8)


def test_a_single_voter_leads_at_once() -> None:
    """595-01: as soon as its own vote is durable, without any time passing."""
    node = Driven(members=(1,))
    assert node.raft.is_leader
    assert node.raft.high_watermark == node.log.end_offset > 0


def test_an_epoch_is_never_used_twice() -> None:
    """595-01: a new epoch is above that of the file, and above the log's if the file was lost."""
    node = Driven(members=(1,))
    assert node.raft.epoch == 1
    assert Driven(members=(1,), log=node.log, state=QuorumState(5, 1)).raft.epoch == 6
    again = Driven(members=(1,), log=node.log, state=QuorumState())
    assert again.raft.is_leader
    assert again.raft.epoch == node.log.last_epoch == 7


def test_a_leader_of_before_the_restart_leads_no_more() -> None:
    """595-09: not in the epoch that it led, whatever its file says."""
    node = Driven().lead()
    again = Driven(log=node.log, state=node.disk)
    assert again.raft.leader == (-1, 1)
    assert not again.ask(vote(1, last_epoch=0)).granted
    assert again.ask(Fetch("quorum", key(2), 1, 0, 0, 0, 100)).error is (
        ErrorCode.NOT_LEADER_OR_FOLLOWER
    )


@pytest.mark.parametrize(("position", "wait_ms"), [(0, 0), (1, 250), (2, 500)])
def test_successors_wait_for_their_turn(position: int, wait_ms: int) -> None:
    """595-08: the first at once, the k-th (max >> (n-1)) << (k-1), here of 1000 ms and n = 3."""
    node = follower(2, 1)
    order = [key(3), key(4)]
    order.insert(position, key(1))
    node.ask(EndEpoch("quorum", 2, 1, tuple(order)))
    if wait_ms:
        node.wait(wait_ms - 1)
        assert node.raft.state_name == "follower"
        node.now += 1
    node.wait(0)
    assert node.raft.state_name == "prospective"


def test_a_lost_election_is_tried_again_after_a_pause() -> None:
    """595-08: within 20·2^k ms, here after the first."""
    node = Driven()
    node.wait_for_election()
    node.grant_all(Vote)
    for one in node.take(Vote):
        node.answer(one, VoteAnswer(NONE, -1, 1, False))
    assert node.raft.state_name == "unattached"
    node.wait(40)
    assert node.raft.state_name == "prospective"
