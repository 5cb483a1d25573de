"""Voters that come and go (KIP-853)."""

from __future__ import annotations

import pytest

from barnabas.broker.core.raft.messages import (
    AddVoter,
    BeginEpoch,
    Fetch,
    FetchAnswer,
    RemoveVoter,
    ReplicaKey,
    UpdateVoter,
    Vote,
)
from barnabas.broker.core.raft.ports import KRaftVersion
from barnabas.broker.core.raft.voters import Voter, VoterAddress, Voters
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.primitives import uuid_to_text
from barnabas.testing.simulation.raft.memory_log import MemoryRaftLog

from .replicas import NONE, Driven, key, voter, voters


def acknowledge(node: Driven, *ids: int) -> None:
    """Those replicas have all of the log."""
    for node_id in ids:
        node.ask(Fetch("quorum", key(node_id), 1, node.log.end_offset, 1, 0, 1000))


def leading() -> Driven:
    """The leader of voters 1, 2, 3; all is committed and observer 4 has it."""
    node = Driven().lead()
    acknowledge(node, 2, 4)
    return node


def add(node_id: int) -> AddVoter:
    """Make a node a voter."""
    return AddVoter("quorum", 1000, voter(node_id))


def test_a_voter_counts_as_soon_as_it_is_appended() -> None:
    """853-01: three of four must have the record that makes it a voter."""
    node = leading()
    assert node.ask(add(4)) is None
    token = node.next_token - 1
    assert node.raft.voters.ids == [1, 2, 3, 4]
    acknowledge(node, 2)
    assert node.raft.pending_voter_change() >= 0
    acknowledge(node, 4)
    assert node.answers[token].error is NONE
    assert node.raft.pending_voter_change() == -1


def test_one_change_at_a_time() -> None:
    """853-01: REQUEST_TIMED_OUT while another one is not committed."""
    node = leading()
    node.ask(add(4))
    refused = node.ask(RemoveVoter("quorum", key(3)))
    assert refused.error is ErrorCode.REQUEST_TIMED_OUT
    assert "another change" in refused.message


@pytest.mark.parametrize(
    ("request_", "error"),
    [
        (add(2), ErrorCode.DUPLICATE_VOTER),
        (add(5), ErrorCode.REQUEST_TIMED_OUT),
        (RemoveVoter("quorum", key(9)), ErrorCode.VOTER_NOT_FOUND),
        (RemoveVoter("quorum", ReplicaKey(3, key(9)[1])), ErrorCode.VOTER_NOT_FOUND),
        (UpdateVoter("quorum", 1, voter(9)), ErrorCode.VOTER_NOT_FOUND),
        (UpdateVoter("quorum", 0, voter(2)), ErrorCode.FENCED_LEADER_EPOCH),
        (RemoveVoter("another", key(3)), ErrorCode.INCONSISTENT_CLUSTER_ID),
    ],
)
def test_changes_that_are_refused(
    request_: AddVoter | RemoveVoter | UpdateVoter, error: ErrorCode
) -> None:
    """853-01: 126, 7 for one that has not caught up, 127."""
    node = leading()
    assert node.ask(request_).error is error
    assert node.raft.voters == voters(1, 2, 3)


def test_a_refusal_tells_the_voters() -> None:
    """853-01: who asks for the right node and a wrong directory sees which directory is meant."""
    refused = leading().ask(RemoveVoter("quorum", ReplicaKey(3, key(9)[1])))
    asked, voter_3 = (uuid_to_text(one[1]) for one in (key(9), key(3)))
    assert refused.message.startswith(f"3 (directory {asked}) is no voter; the voters are 1 (")
    assert refused.message.endswith(f"3 (directory {voter_3})")


def test_no_change_before_the_epoch_has_committed() -> None:
    """853-01: REQUEST_TIMED_OUT while the high watermark is not known."""
    assert Driven().lead().ask(add(4)).error is ErrorCode.REQUEST_TIMED_OUT


def test_no_change_of_configured_voters() -> None:
    """853-01: kraft.version 0 is UNSUPPORTED_VERSION."""
    log = MemoryRaftLog(())
    log.bootstrap = (voters(1, 2, 3),)
    node = Driven(log=log).lead()
    acknowledge(node, 2, 4)
    assert node.ask(add(4)).error is ErrorCode.UNSUPPORTED_VERSION


@pytest.mark.parametrize(
    "bad",
    [
        voter(4)._replace(voter_id=-1),
        voter(4)._replace(directory_id=bytes(16)),
        voter(4)._replace(addresses=()),
        voter(4)._replace(addresses=(VoterAddress("ELSEWHERE", "n4", 9004),)),
    ],
)
def test_what_is_no_voter_is_refused_before_all_else(bad: Voter) -> None:
    """INVALID_REQUEST, though voters of kraft.version 0 cannot be changed at all."""
    log = MemoryRaftLog(())
    log.bootstrap = (voters(1, 2, 3),)
    node = Driven(log=log).lead()
    acknowledge(node, 2, 4)
    assert node.ask(AddVoter("quorum", 1000, bad)).error is ErrorCode.INVALID_REQUEST


@pytest.mark.parametrize(
    "bad",
    [
        RemoveVoter("quorum", ReplicaKey(-1, key(9)[1])),
        RemoveVoter("quorum", ReplicaKey(9)),
        UpdateVoter("quorum", 1, voter(9)._replace(voter_id=-1)),
        UpdateVoter("quorum", 1, voter(9)._replace(directory_id=bytes(16))),
        UpdateVoter("quorum", 1, voter(9)._replace(addresses=())),
        UpdateVoter("quorum", 1, voter(9)._replace(kraft_version_min=-1)),
        UpdateVoter("quorum", 1, voter(9)._replace(kraft_version_min=1, kraft_version_max=0)),
        UpdateVoter("quorum", 1, voter(9)._replace(kraft_version_min=2, kraft_version_max=3)),
    ],
)
def test_what_names_no_voter_is_malformed_and_not_unknown(bad: RemoveVoter | UpdateVoter) -> None:
    """853-01: INVALID_REQUEST, not VOTER_NOT_FOUND, for what could name none of any quorum."""
    node = leading()
    assert node.ask(bad).error is ErrorCode.INVALID_REQUEST
    assert node.raft.voters == voters(1, 2, 3)


def test_a_voter_is_reached_on_the_voters_listener() -> None:
    """853-01: of several controller listeners that on which the other voters speak, whatever the
    order that it names them in."""
    node = leading()
    outside = VoterAddress("OUTSIDE", "gateway", 1)
    addresses = (outside, *voter(4).addresses)
    node.ask(AddVoter("quorum", 1000, voter(4)._replace(addresses=addresses)))
    acknowledge(node, 2, 4)
    for told in ((), addresses):  # by the voter set, and by the new leader itself
        node.ask(BeginEpoch("quorum", 4, node.raft.epoch + 1, key(1), told))
        refused = node.ask(add(5))
        assert (refused.leader_id, refused.leader_address) == (4, ("n4", 9004))


def test_only_the_leader_changes_voters() -> None:
    """853-01: another node answers 6 and names it."""
    node = Driven()
    node.ask(BeginEpoch("quorum", 2, 1, key(1)))
    answer = node.ask(add(4))
    assert (answer.error, answer.leader_id) == (ErrorCode.NOT_LEADER_OR_FOLLOWER, 2)


def test_a_leader_that_removes_itself_stands_down_when_that_is_committed() -> None:
    """853-01: until then it leads, and does not count itself."""
    node = leading()
    node.ask(RemoveVoter("quorum", key(1)))
    token = node.next_token - 1
    acknowledge(node, 2)
    assert node.raft.is_leader
    acknowledge(node, 3)
    assert node.answers[token].error is NONE
    assert node.raft.state_name == "resigned"


def test_a_voter_whose_removal_is_not_committed_still_stands() -> None:
    """853-01: its log may be the longest, and then nobody else can win."""
    node = leading()
    node.ask(RemoveVoter("quorum", key(1)))
    node.raft.resign(1, node.now)
    node.settle()
    node.sent.clear()
    node.wait_for_election()
    assert [one.to for one in node.take(Vote)] == [2, 3]


def test_the_old_voters_count_again_when_the_change_is_cut_off() -> None:
    """853-01: a new leader never had it."""
    from barnabas.broker.core.raft.messages import EpochEnd

    node = leading()
    node.ask(add(4))
    assert node.raft.voters.ids == [1, 2, 3, 4]
    node.ask(BeginEpoch("quorum", 2, 2, key(1)))
    [fetch] = node.take(Fetch)
    end = node.raft.high_watermark
    node.answer(fetch, FetchAnswer(NONE, 2, 2, end, 0, diverging=EpochEnd(1, end)))
    assert node.raft.voters.ids == [1, 2, 3]


def test_a_change_that_takes_too_long_is_answered() -> None:
    """853-01: REQUEST_TIMED_OUT, though it may be committed later."""
    node = leading()
    node.ask(add(4))
    token = node.next_token - 1
    node.wait(1000)
    assert node.answers[token].error is ErrorCode.REQUEST_TIMED_OUT


def test_a_voter_tells_its_new_address() -> None:
    """853-01: UpdateRaftVoter replaces the entry of the same id and directory."""
    node = leading()
    moved = voter(2)._replace(addresses=(VoterAddress("C", "elsewhere", 1),))
    assert node.ask(UpdateVoter("quorum", 1, moved)) is None
    token = node.next_token - 1
    acknowledge(node, 2)
    assert node.answers[token].error is NONE
    assert node.raft.address_of(2) == ("elsewhere", 1)


@pytest.mark.parametrize("members", [(1,), (1, 2, 3)])
def test_a_leader_that_has_moved_writes_so_itself(members: tuple[int, ...]) -> None:
    """853-01: with its epoch's first record, once; a single voter never follows a leader."""
    before = Driven(members=members)
    if len(members) > 1:
        before.lead()
        before.raft.resign(before.raft.epoch, before.now)
    elsewhere = (VoterAddress("C", "elsewhere", 1),)
    for records in (3, 1):
        node = Driven(members=members, log=before.log, state=before.disk, addresses=elsewhere)
        end = node.log.end_offset - (records if len(members) == 1 else 0)
        if len(members) > 1:
            node.lead()
        assert node.log.end_offset == end + records
        assert node.raft.voters.members == (
            voter(1)._replace(addresses=elsewhere),
            *[voter(one) for one in members[1:]],
        )
        assert node.raft.address_of(1) == ("elsewhere", 1)
        before = node


def test_the_order_of_its_addresses_is_no_news() -> None:
    """853-01: Apache Kafka writes them in an order of its own, and each UpdateRaftVoter as a record
    of the log: they would never agree."""
    inside, outside = voter(1).addresses[0], VoterAddress("OUTSIDE", "gateway", 1)
    log = MemoryRaftLog()
    written = voter(1)._replace(addresses=(outside, inside))
    log.bootstrap = (KRaftVersion(1), Voters((written, voter(2), voter(3))))
    for own, count in (((inside, outside), 0), ((inside,), 1)):
        node = Driven(log=log, addresses=own)
        node.ask(BeginEpoch("quorum", 2, 1, key(1)))
        fetch = node.take(Fetch)[-1]
        node.answer(fetch, FetchAnswer(NONE, 2, 1, 0, 0))
        assert len(node.take(UpdateVoter)) == count


@pytest.mark.parametrize("is_auto_joining", [True, False])
def test_a_controller_joins_if_it_may(is_auto_joining: bool) -> None:
    """853-01: once it has caught up with the leader."""
    node = Driven(4, is_auto_joining=is_auto_joining)
    node.ask(BeginEpoch("quorum", 2, 1, key(4)))
    node.sent = [one for one in node.sent if type(one.request) is Fetch]
    fetch = node.take(Fetch)[-1]
    node.answer(fetch, FetchAnswer(NONE, 2, 1, 0, 0))
    joins = node.take(AddVoter)
    assert len(joins) == is_auto_joining
    if joins:
        assert (joins[0].to, joins[0].request.voter) == (2, voter(4))
