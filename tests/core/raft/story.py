"""Stories of a quorum, as text: commands, and below each what is said and how the nodes stand.

A file is a sequence of blocks: commands, a line `----`, the output, an empty line. Lines that begin
with `#` tell the story. After a change that is meant, write the outputs anew, and read them:

    PYTHONPATH=src:tests python -m core.raft.story tests/core/raft/stories/*.txt

Commands, where N, M are node ids:

    voters N...            another quorum, whose voters have not heard of each other
    observer N             a node that is no voter, and knows the voters
    elect N                N waits until it stands for election
    lead N                 the same, and all that follows from it; nothing is shown
    wait N MS              time passes at N; `wait all MS` everywhere
    deliver [limit COUNT]  hand over messages in the order in which they were sent, and show them
    keep N M for MS        time passes at the leader N and its follower M, which goes on fetching
    cut N... / heal        messages to and from these fail; none any more
    append N COUNT         the leader N appends a batch
    snapshot N             N makes a snapshot of what is committed
    drop N                 N drops the log before its snapshot, if it may
    restart N              N goes on with what is on its disk
    add-voter N M          M is to become a voter, asks the leader N; `remove-voter N M`: no more
    resign N               the leader N stands down
    state                  how all nodes stand
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from barnabas.broker.core.raft.messages import (
    AddVoter,
    Answer,
    BeginEpoch,
    EndEpoch,
    EpochAnswer,
    Fetch,
    FetchAnswer,
    FetchSnapshot,
    FetchSnapshotAnswer,
    RemoveVoter,
    Request,
    Vote,
    VoteAnswer,
)
from barnabas.broker.core.raft.raft import NotLeaderError
from barnabas.protocol.errors import ErrorCode

from .replicas import Driven, key, voter

MESSAGES_MAX = 300
"""So many messages without an end are a loop."""
STEP_MS = 500
BOOTSTRAP = -2
"""Where a node that knows no voters sends its first request: the first bootstrap server."""


class Sent(NamedTuple):
    """A message on its way; an answer if `answer` is there."""

    source: int
    target: int
    number: int
    request: Request
    answer: Answer | None = None


class Story:
    """The nodes of one story, and the messages between them."""

    def __init__(self) -> None:
        self._nodes: dict[int, Driven] = {}
        self._voters: tuple[int, ...] = ()
        self._under_way: deque[Sent] = deque()
        self._asked: dict[tuple[int, int], Sent] = {}
        """By node and token: requests that it has not answered."""
        self._changes: dict[tuple[int, int], str] = {}
        """Changes of voters that wait for their answers, by node and token."""
        self._cut: set[int] = set()
        self._out: list[str] = []

    def run(self, command: str) -> list[str]:
        """Do what a line says; what is to be seen of it."""
        self._out = []
        name, *words = command.split()
        getattr(self, f"_do_{name.replace('-', '_')}")(*words)
        return self._out

    # --- commands -------------------------------------------------------------------------------

    def _do_voters(self, *ids: str) -> None:
        self._voters = tuple(map(int, ids))
        for node_id in self._voters:
            self._nodes[node_id] = Driven(node_id, self._voters)
            self._collect(node_id)

    def _do_observer(self, node_id: str) -> None:
        self._nodes[int(node_id)] = Driven(int(node_id), self._voters)
        self._collect(int(node_id))

    def _do_elect(self, node_id: str) -> None:
        self._nodes[int(node_id)].wait_for_election()
        self._changed(int(node_id))

    def _do_lead(self, node_id: str) -> None:
        self._do_elect(node_id)
        self._do_deliver()
        self._out = []

    def _do_wait(self, node_id: str, span_ms: str) -> None:
        for one in list(self._nodes) if node_id == "all" else [int(node_id)]:
            self._nodes[one].wait(float(span_ms))
            self._changed(one)

    def _do_keep(self, leader: str, follower: str, _: str, span_ms: str) -> None:
        for _number in range(int(span_ms) // STEP_MS):
            self._do_wait(leader, str(STEP_MS))
            self._do_wait(follower, str(STEP_MS))
            self._do_deliver()
        self._out = []

    def _do_deliver(self, _: str = "limit", most: str = str(MESSAGES_MAX)) -> None:
        for _number in range(int(most)):
            if not self._under_way:
                return
            self._deliver(self._under_way.popleft())
        if int(most) == MESSAGES_MAX:
            raise AssertionError(f"more than {MESSAGES_MAX} messages")

    def _do_cut(self, *ids: str) -> None:
        self._cut = set(map(int, ids))

    def _do_heal(self) -> None:
        self._cut = set()

    def _do_append(self, node_id: str, count: str) -> None:
        try:
            last = self._nodes[int(node_id)].append(int(count))
        except NotLeaderError as error:
            self._out.append(f"{node_id}: {error}")
            return
        self._out.append(f"{node_id} appended up to {last}")
        self._collect(int(node_id))

    def _do_snapshot(self, node_id: str) -> None:
        made = self._nodes[int(node_id)].make_snapshot()
        self._out.append(f"{node_id} made the snapshot {made.end_offset}-{made.epoch}")
        self._collect(int(node_id))

    def _do_drop(self, node_id: str) -> None:
        node = self._nodes[int(node_id)]
        is_done = node.raft.raise_log_start(node.log.snapshots()[-1], node.now)
        self._out.append(f"{node_id} {'drops' if is_done else 'keeps'} the log before it")
        self._collect(int(node_id))

    def _do_restart(self, node_id: str) -> None:
        before = self._nodes[int(node_id)]
        self._nodes[int(node_id)] = Driven(
            int(node_id), self._voters, log=before.log, state=before.disk
        )
        self._under_way = deque(one for one in self._under_way if one.source != int(node_id))
        self._collect(int(node_id))

    def _do_add_voter(self, leader: str, node_id: str) -> None:
        self._change(int(leader), f"add {node_id}", AddVoter("quorum", 1000, voter(int(node_id))))

    def _do_remove_voter(self, leader: str, node_id: str) -> None:
        self._change(int(leader), f"remove {node_id}", RemoveVoter("quorum", key(int(node_id))))

    def _change(self, leader: int, what: str, request: Request) -> None:
        node = self._nodes[leader]
        self._changes[leader, node.next_token] = what
        node.ask(request)
        self._collect(leader)

    def _do_resign(self, node_id: str) -> None:
        node = self._nodes[int(node_id)]
        node.raft.resign(node.raft.epoch, node.now)
        node.settle()
        self._changed(int(node_id))

    def _do_state(self) -> None:
        for node_id in self._nodes:
            self._out.append(self._standing(node_id))

    # --- messages -------------------------------------------------------------------------------

    def _standing(self, node_id: int) -> str:
        raft, log = self._nodes[node_id].raft, self._nodes[node_id].log
        leader = "nobody" if raft.leader.leader_id < 0 else str(raft.leader.leader_id)
        return (
            f"{node_id} {raft.state_name}, epoch {raft.epoch}, leader {leader}, log"
            f" {log.start_offset} to {log.end_offset}, committed {raft.high_watermark}, voters"
            f" {' '.join(map(str, raft.voters.ids))}"
        )

    def _changed(self, node_id: int) -> None:
        raft = self._nodes[node_id].raft
        self._out.append(f"{node_id} is {raft.state_name} in epoch {raft.epoch}")
        self._collect(node_id)

    def _collect(self, node_id: int) -> None:
        """Take what this node wants to send, and what it has answered."""
        node = self._nodes[node_id]
        while node.readies:
            frozen = node.readies.pop(0).freeze
            if frozen is not None:
                node.raft.on_frozen(frozen, node.log.freeze(frozen), node.now)
                node.settle()
                self._out.append(f"{node_id} has the snapshot {frozen.end_offset}-{frozen.epoch}")
        for outgoing in node.sent:
            target = self._voters[0] if outgoing.to <= BOOTSTRAP else outgoing.to
            self._under_way.append(Sent(node_id, target, outgoing.number, outgoing.request))
        node.sent = []
        for token in sorted(node.answers):
            answer = node.answers.pop(token)
            asked = self._asked.pop((node_id, token), None)
            if asked is not None:
                self._under_way.append(
                    Sent(node_id, asked.source, asked.number, asked.request, answer)
                )
            change = self._changes.pop((node_id, token), None)
            if change is not None:
                self._out.append(f"{node_id} answers {change}: {answer.error.name}")

    def _deliver(self, sent: Sent) -> None:
        what = text_of(sent.request) if sent.answer is None else answer_text(sent.answer)
        line = f"{sent.source}->{sent.target} {what}"
        if self._cut & {sent.source, sent.target}:
            self._out.append(f"{line} (lost)")
            waiting = sent.source if sent.answer is None else sent.target
            self._nodes[waiting].raft.on_failure(sent.number, self._nodes[waiting].now)
            self._nodes[waiting].settle()
            self._collect(waiting)
            return
        self._out.append(line)
        node = self._nodes[sent.target]
        before = node.raft.state_name, node.raft.epoch
        if sent.answer is None:
            self._asked[sent.target, node.next_token] = sent
            node.ask(sent.request)
        else:
            node.raft.on_answer(sent.number, sent.answer, node.now)
            node.settle()
        if (node.raft.state_name, node.raft.epoch) != before:
            self._changed(sent.target)
        self._collect(sent.target)


def text_of(request: Request) -> str:
    """A request in a few words."""
    match request:
        case Vote():
            kind = "pre-vote" if request.pre_vote else "vote"
            return f"{kind}? epoch {request.epoch}, log {request.last_offset}@{request.last_epoch}"
        case BeginEpoch():
            return f"leads epoch {request.epoch}"
        case EndEpoch():
            successors = " ".join(str(one.node_id) for one in request.candidates)
            return f"leads epoch {request.epoch} no more, then {successors}"
        case Fetch():
            return f"fetch {request.offset}@{request.last_epoch}, epoch {request.epoch}"
        case FetchSnapshot():
            wanted = request.snapshot
            return f"fetch snapshot {wanted.end_offset}-{wanted.epoch} from {request.position}"
    return type(request).__name__


def answer_text(answer: Answer) -> str:
    """An answer in a few words."""
    if answer.error is not ErrorCode.NONE:
        return answer.error.name
    match answer:
        case VoteAnswer():
            return "granted" if answer.granted else "refused"
        case EpochAnswer():
            return "ok"
        case FetchAnswer(diverging=end) if end is not None:
            return f"diverging: epoch {end.epoch} ends at {end.end_offset}"
        case FetchAnswer(snapshot=there) if there is not None:
            return f"snapshot {there.end_offset}-{there.epoch} instead"
        case FetchAnswer():
            return f"batches: {len(answer.records)}, committed {answer.high_watermark}"
        case FetchSnapshotAnswer():
            return f"{len(answer.data)} of {answer.size} bytes"
    return type(answer).__name__


def told_anew(text: str) -> str:
    """The story with the outputs that its commands have now."""
    story = Story()
    lines: list[str] = []
    for block in text.strip().split("\n\n"):
        if lines:
            lines.append("")
        commands, _, _ = block.partition("\n----")
        output: list[str] = []
        for line in commands.splitlines():
            lines.append(line)
            if line.startswith("voters "):
                story = Story()
            if not line.startswith("#"):
                output += story.run(line)
        if any(not line.startswith("#") for line in commands.splitlines()):
            lines += ["----", *output]
    return "\n".join(lines) + "\n"


def main(paths: Iterable[str]) -> None:
    """Write the outputs of these files anew."""
    for path in map(Path, paths):
        path.write_text(told_anew(path.read_text()))


if __name__ == "__main__":
    main(sys.argv[1:])
