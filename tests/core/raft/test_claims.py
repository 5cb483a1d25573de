"""Goal: what nobody asked for is believed no further than a sound voter needs it to be."""

from __future__ import annotations

from typing import Any

import pytest

from barnabas.broker.core.raft.claims import ALARM_PAUSE_MS, EPOCH_JUMP_MAX
from barnabas.broker.core.raft.messages import (
    BeginEpoch,
    EndEpoch,
    EpochAnswer,
    Fetch,
    FetchAnswer,
    FetchSnapshot,
    ReplicaKey,
    Request,
    UpdateVoter,
    Vote,
    VoteAnswer,
)
from barnabas.broker.core.raft.quorum_state import (
    EPOCH_LAST,
    DamagedQuorumStateError,
    QuorumState,
)
from barnabas.broker.core.raft.raft import QuorumBrokenError
from barnabas.broker.core.raft.snapshot_file import SnapshotId
from barnabas.protocol.errors import ErrorCode

from .replicas import NONE, Driven, key, voter

UNKNOWN = ErrorCode.UNKNOWN_LEADER_EPOCH
FAR = EPOCH_LAST + 1


def begin(leader_id: int, epoch: int) -> BeginEpoch:
    """A claim to node 1."""
    return BeginEpoch("quorum", leader_id, epoch, key(1))


def vote(candidate: int, epoch: int) -> Vote:
    """A candidate's request to node 1, with a log that is longer than any."""
    return Vote("quorum", epoch, key(candidate), key(1), min(epoch - 1, 9), 1 << 40, False)


def follower(leader_id: int = 2, epoch: int = 3) -> Driven:
    """Node 1, which has heard its leader."""
    node = Driven()
    node.ask(begin(leader_id, epoch))
    [fetch] = node.take(Fetch)
    node.answer(fetch, FetchAnswer(NONE, leader_id, epoch, 0, 0))
    assert node.raft.leader == (leader_id, epoch)
    node.take(Fetch)
    return node


def alarms(node: Driven) -> list[str]:
    """All that were raised."""
    return [text for ready in node.readies for text in ready.alarms]


def asked_voters(node: Driven) -> list[int]:
    """Whom it asked who leads, in nobody's name."""
    return [one.to for one in node.take(Fetch) if one.request.replica.node_id < 0]


@pytest.mark.parametrize(
    "request_",
    [
        BeginEpoch(None, 2, 4, key(1)),
        EndEpoch(None, 2, 3, (key(1),)),
        Vote(None, 4, key(2), key(1), 3, 99, False),
        Vote(None, 4, key(2), key(1), 3, 99, True),
        Fetch(None, key(2), 3, 0, 0, 0, 100),
        FetchSnapshot(None, key(2), 3, SnapshotId(5, 1), 0, 100),
        UpdateVoter(None, 3, voter(2)),
    ],
)
def test_what_a_voter_sends_names_its_cluster(request_: Request) -> None:
    """595-05: all voters do, so whoever does not is none; nothing changes."""
    node = follower()
    assert node.ask(request_).error is ErrorCode.INCONSISTENT_CLUSTER_ID
    assert (node.raft.leader, node.raft.state_name) == ((2, 3), "follower")


def test_a_reader_need_not_name_the_cluster() -> None:
    """595-05: a Fetch in nobody's name changes nothing."""
    node = Driven(members=(1,))
    assert node.ask(Fetch(None, ReplicaKey(-1), -1, 0, 0, 0, 100)).error is NONE


@pytest.mark.parametrize(
    "request_",
    [
        begin(99, 3),
        begin(99, 4),
        begin(3, 3),
        begin(2, FAR),
        begin(2, 3 + EPOCH_JUMP_MAX + 1),
        EndEpoch("quorum", 99, 3, (key(99),)),
        EndEpoch("quorum", 3, 3, (key(3),)),
        EndEpoch("quorum", 3, FAR, (key(3),)),
        vote(3, FAR),
        vote(99, FAR),
        vote(99, 4),
    ],
)
@pytest.mark.parametrize("leads", [False, True])
def test_a_claim_that_cannot_be_true_changes_nothing(request_: Any, leads: bool) -> None:
    """595-09, 595-10: a stranger, a second leader, an epoch far off: an alarm, and that is all."""
    node = Driven().lead() if leads else follower()
    if leads and request_.epoch == 3:
        request_.epoch = node.raft.epoch
    before = (node.raft.leader, node.raft.state_name, node.disk)
    assert node.ask(request_).error is UNKNOWN
    assert (node.raft.leader, node.raft.state_name, node.disk) == before
    assert len(alarms(node)) == node.raft.unproven_claims == 1
    assert "not believed" in alarms(node)[0]


def test_a_voter_is_asked_itself_when_its_claim_goes_too_far() -> None:
    """595-10: its own word is believed, however far it is: so a node that was away catches up."""
    node = follower()
    assert node.ask(begin(3, 5000)).error is UNKNOWN
    [asked] = [one for one in node.take(Fetch) if one.to == 3]
    assert asked.request.replica.node_id < 0
    node.answer(asked, FetchAnswer(NONE, 3, 5000, 0, 0))
    assert node.raft.leader == (3, 5000)


def test_a_candidate_is_asked_itself_when_its_epoch_goes_too_far() -> None:
    """595-02: a voter from before pre-votes that was alone for long gets votes in its epoch."""
    node = Driven()
    assert node.ask(vote(3, 5000)).error is UNKNOWN
    [asked] = [one for one in node.take(Fetch) if one.to == 3]
    node.answer(asked, FetchAnswer(ErrorCode.NOT_LEADER_OR_FOLLOWER, -1, 5000))
    assert node.ask(vote(3, 5000)).granted


def test_many_claims_one_question_and_one_alarm() -> None:
    """595-10: what strangers send costs neither requests nor lines of the log without end."""
    node = follower()
    for _ in range(1000):
        node.ask(begin(3, FAR))
    assert asked_voters(node) == [3]
    assert len(alarms(node)) == 1
    node.now += ALARM_PAUSE_MS
    node.ask(begin(3, FAR))
    assert "999 more" in alarms(node)[1]
    assert node.raft.unproven_claims == 1001


def test_claims_one_above_the_other_end_somewhere() -> None:
    """595-01: the bound counts from what is proven, not from what was claimed before."""
    node = follower(2, 3)
    for epoch in range(4, 4 * EPOCH_JUMP_MAX):
        node.ask(begin(2 + epoch % 2, epoch))
        node.ask(vote(2, epoch))
    assert node.raft.epoch == 3 + EPOCH_JUMP_MAX


def test_a_leader_that_was_only_claimed_gives_way_to_the_one_that_answers() -> None:
    """595-09: a forged claim before a real election ends nobody."""
    node = Driven()
    node.ask(begin(2, 1))
    node.take(Fetch)
    assert node.ask(begin(3, 1)).error is UNKNOWN
    [asked] = [one for one in node.take(Fetch) if one.to == 3]
    node.answer(asked, FetchAnswer(NONE, 3, 1, 0, 0))
    assert node.raft.leader == (3, 1)


def test_a_claimed_leader_that_denies_it_is_given_up_at_once() -> None:
    """595-10: its answer of an older epoch shows that the claim was none of its own."""
    node = Driven()
    node.ask(begin(2, 7))
    [fetch] = node.take(Fetch)
    node.answer(fetch, FetchAnswer(ErrorCode.UNKNOWN_LEADER_EPOCH, -1, 6))
    node.wait(node.config.leader_lost_delay_max_ms)
    assert node.raft.state_name == "prospective"


def test_hearsay_ends_no_leader() -> None:
    """595-09: a voter that was deceived names another leader; that one itself is asked."""
    node = Driven().lead()
    told, _ = node.take(BeginEpoch)
    node.answer(told, EpochAnswer(NONE, 3 if told.to == 2 else 2, 1))
    assert node.raft.is_leader
    [asked] = asked_voters(node)
    assert asked != told.to


def test_a_leader_that_is_told_by_another_that_it_leads_stops() -> None:
    """595-09: by the other's own word, over a connection of ours."""
    node = Driven().lead()
    told, _ = node.take(BeginEpoch)
    with pytest.raises(QuorumBrokenError, match="two leaders"):
        node.answer(told, EpochAnswer(NONE, told.to, 1))


def test_the_address_of_a_voter_is_not_taken_from_a_claim() -> None:
    """853-01: else its sender would be asked, and fetched from, in the voter's place."""
    node = Driven()
    claim = begin(2, 1)
    claim.addresses = (voter(9).addresses[0],)
    node.ask(claim)
    assert node.raft.address_of(2) == ("n2", 9002)


def test_the_last_epoch_is_the_last() -> None:
    """595-01: nobody stands after it, and nothing beyond it reaches the file."""
    node = Driven(state=QuorumState(EPOCH_LAST))
    node.wait_for_election()
    node.grant_all(Vote)
    assert node.raft.state_name == "unattached"
    assert node.raft.epoch == node.disk.leader_epoch == EPOCH_LAST
    node.wait_for_election()
    [one, *_] = node.take(Vote)
    node.answer(one, VoteAnswer(ErrorCode.FENCED_LEADER_EPOCH, 3, FAR, False))
    assert node.raft.epoch == EPOCH_LAST
    assert "after epoch 2147483646" in alarms(node)[0]


@pytest.mark.parametrize("epoch", [-1, FAR, FAR + 1])
def test_an_epoch_that_cannot_be_is_damage(epoch: int) -> None:
    """595-01: the file's reader says what to do about it."""
    with pytest.raises(DamagedQuorumStateError, match="this file may be removed"):
        QuorumState.decode(QuorumState(epoch).encode())
