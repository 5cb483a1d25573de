"""One replica under test: a driver that does everything at once, and keeps what it would send."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, cast

from barnabas.broker.core.raft.messages import Answer, ReplicaKey, Request, VoteAnswer
from barnabas.broker.core.raft.ports import KRaftVersion, RaftConfig
from barnabas.broker.core.raft.quorum_state import QuorumState
from barnabas.broker.core.raft.raft import Raft
from barnabas.broker.core.raft.ready import Outgoing, Ready
from barnabas.broker.core.raft.snapshot_file import SnapshotId
from barnabas.broker.core.raft.voters import Voter, VoterAddress, Voters
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.message import Message
from barnabas.testing.simulation.raft.memory_log import MemoryRaftLog, SnapshotContent

NONE = ErrorCode.NONE


def directory(node_id: int) -> bytes:
    """The directory id of a node."""
    return bytes([node_id]) * 16


def key(node_id: int) -> ReplicaKey:
    """A node with its directory."""
    return ReplicaKey(node_id, directory(node_id))


def voter(node_id: int) -> Voter:
    """A voter that listens on a port of its own."""
    return Voter(node_id, directory(node_id), (VoterAddress("C", f"n{node_id}", 9000 + node_id),))


def voters(*ids: int) -> Voters:
    """A voter set."""
    return Voters(tuple(voter(one) for one in ids))


class Driven:
    """Node `node_id` of a quorum; `is_slow` leaves durability to the test, `is_loading` means that
    its listeners are not done with anything."""

    def __init__(
        self,
        node_id: int = 1,
        members: Sequence[int] = (1, 2, 3),
        *,
        log: MemoryRaftLog | None = None,
        state: QuorumState | None = None,
        is_slow: bool = False,
        **config: Any,
    ) -> None:
        self.now = 0.0
        bootstrap: tuple[KRaftVersion | Voters, ...] = (KRaftVersion(1), voters(*members))
        self.log = log if log is not None else MemoryRaftLog(bootstrap)
        if log is not None and not log.bootstrap:
            log.bootstrap = bootstrap
        config.setdefault("addresses", voter(node_id).addresses)
        self.config = RaftConfig(
            replica=key(node_id),
            cluster_id="quorum",
            bootstrap_servers=(("n1", 9001),),
            **config,
        )
        self.is_slow = is_slow
        self.is_loading = False
        self.readies: list[Ready] = []
        self.sent: list[Outgoing] = []
        self.answers: dict[int, Answer] = {}
        self.disk = state or QuorumState()
        self.next_token = 1
        self.raft = Raft(self.config, self.log, self.disk, Random(1), self.now)
        self.settle()

    def settle(self) -> None:
        """Do what it wants done."""
        while (ready := self.raft.take_ready(self.now)) is not None:
            self.readies.append(ready)
            self.sent += ready.requests
            for reply in ready.replies:
                self.answers[reply.token] = reply.answer
            if ready.high_watermark >= 0 and not self.is_loading:
                self.raft.on_delivered(ready.high_watermark)
            if self.is_slow:
                continue
            if ready.state is not None:
                self.disk = ready.state
                self.raft.on_state_written(ready.state, self.now)
            if ready.flush is not None:
                self.raft.on_flushed(ready.flush, self.now)

    def ask(self, request: Request) -> Any:
        """A request comes in; its answer, or None if it is parked."""
        token = self.next_token
        self.next_token += 1
        self.raft.on_request(token, request, self.now)
        self.settle()
        return self.answers.get(token)

    def wait(self, span_ms: float) -> None:
        """Time passes."""
        self.now += span_ms
        self.raft.tick(self.now)
        self.settle()

    def wait_for_election(self) -> None:
        """So much time that a voter without a leader stands."""
        self.wait(2 * self.config.election_timeout_ms + self.config.fetch_timeout_ms)

    def take(self, kind: type) -> list[Any]:
        """Requests of a kind that it sent since the last time, taken out of `sent`."""
        found = [one for one in self.sent if type(one.request) is kind]
        self.sent = [one for one in self.sent if type(one.request) is not kind]
        return found

    def answer(self, sent: Outgoing, answer: Answer) -> None:
        """Another node answers."""
        self.raft.on_answer(sent.number, answer, self.now)
        self.settle()

    def grant_all(self, kind: type) -> None:
        """Everybody asked grants."""
        for one in self.take(kind):
            self.answer(one, VoteAnswer(NONE, -1, one.request.epoch, True))

    def lead(self) -> Driven:
        """Win an election, with two rounds of votes granted."""
        from barnabas.broker.core.raft.messages import Vote

        self.wait_for_election()
        self.grant_all(Vote)
        self.grant_all(Vote)
        assert self.raft.is_leader
        return self

    def append(self, count: int = 1) -> int:
        """Append one batch as the leader; its last offset."""
        records = cast("Sequence[Message]", [self.log.end_offset] * count)
        offset = self.raft.append(records, self.raft.epoch, self.now)
        self.settle()
        return offset

    def make_snapshot(self) -> SnapshotId:
        """A snapshot at the high watermark."""
        end_offset = self.raft.high_watermark
        snapshot = SnapshotId(end_offset, self.raft.epoch)
        self.raft.check_snapshot(snapshot)
        chain = self.log.chain_at(end_offset)
        assert chain is not None
        head = tuple(
            one
            for one in self.raft.controls_before(end_offset)
            if isinstance(one, KRaftVersion | Voters)
        )
        self.log.add_snapshot(snapshot, SnapshotContent(chain, head, 150))
        self.raft.on_snapshot_made(snapshot, self.now)
        return snapshot
