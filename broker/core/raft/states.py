"""The state of a replica of the metadata log: its role, and what it knows (KIP-595, KIP-996).

Unattached: no leader is known in this epoch. Prospective: asks for pre-votes. Candidate: asks for
votes. Follower and Leader as in Raft. Resigned: led this epoch and stood down. An observer is
unattached or a follower, and its deadline never makes it a prospective.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Final

from .freshness import Freshness
from .messages import (
    NOBODY,
    Answer,
    Fetch,
    LeaderAndEpoch,
    ReplicaKey,
    Request,
)
from .ports import ControlEntry, KRaftVersion, RaftConfig, RaftLog
from .quorum_state import QuorumState
from .ready import Outgoing, Ready, Reply
from .snapshot_file import SnapshotId
from .voters import Voter, VoterAddress, Voters

if TYPE_CHECKING:
    from random import Random  # the type of the injected generator, nothing else

BOOTSTRAP_SERVER_BASE: Final = -2
"""`Outgoing.to` of the first bootstrap server; the second is -3."""


class QuorumBrokenError(Exception):
    """Something that cannot happen in a sound quorum: the node must stop, for a person to look."""


@dataclass(slots=True)
class Unattached:
    """No leader known; `deadline_ms` begins an election (inf for observers)."""

    deadline_ms: float


@dataclass(slots=True)
class Prospective:
    """Asks whether a majority would vote for it; epoch and vote stay as they are (996-01)."""

    deadline_ms: float
    is_lost: bool = False  # see Follower
    granted: dict[int, None] = field(default_factory=dict)
    refused: dict[int, None] = field(default_factory=dict)
    retry: dict[int, None] = field(default_factory=dict)  # whom to ask again at `retry_ms`
    retry_ms: float = inf


@dataclass(slots=True)
class Candidate:
    """Asks for votes in an epoch of its own; `granted` holds itself once that is durable."""

    deadline_ms: float
    granted: dict[int, None] = field(default_factory=dict)
    refused: dict[int, None] = field(default_factory=dict)
    retry: dict[int, None] = field(default_factory=dict)
    retry_ms: float = inf


@dataclass(slots=True)
class Follower:
    """Fetches from the leader; at `deadline_ms` it gives the leader up."""

    leader_id: int
    deadline_ms: float
    has_heard: bool = False  # the leader answered a fetch in this epoch
    is_lost: bool = False  # the leader resigned, or its process is gone
    tell_after_ms: float = -inf  # when to tell it who we are, at kraft.version 0; inf: it knows


@dataclass(slots=True)
class Progress:
    """What the leader knows of another replica."""

    end_offset: int = -1
    last_fetch_ms: float = -inf
    caught_up_ms: float = -inf
    high_watermark: int = -1  # what it said it has applied; -1 unknown
    directory_id: bytes = b""  # of the disk that fetched last
    is_suspect: bool = False  # it asked for less than it had acknowledged, and that was said


@dataclass(slots=True)
class ParkedFetch:
    """A Fetch that waits for news."""

    token: int
    request: Fetch
    deadline_ms: float


@dataclass(slots=True)
class PendingChange:
    """A change of the voters that is appended and not committed yet; token -1: nobody waits."""

    offset: int
    token: int
    deadline_ms: float


@dataclass(slots=True)
class Leader:
    """Leads since `since_ms`; its epoch's first record is at `epoch_start`."""

    epoch_start: int
    since_ms: float
    deadline_ms: float  # when check quorum looks again (595-07)
    begin_ms: float  # when BeginQuorumEpoch is sent again
    voters: dict[int, Progress] = field(default_factory=dict)  # other voters by id
    observers: dict[ReplicaKey, Progress] = field(default_factory=dict)
    parked: dict[int, ParkedFetch] = field(default_factory=dict)
    wake_ms: float = inf  # the earliest deadline of a parked fetch or a pending change
    change: PendingChange | None = None
    told: dict[int, Voter] = field(default_factory=dict)  # at kraft.version 0: who voters are


@dataclass(slots=True)
class Resigned:
    """Led this epoch; at `deadline_ms` it takes part in elections again."""

    deadline_ms: float


Role = Unattached | Prospective | Candidate | Follower | Leader | Resigned


@dataclass(slots=True)
class InFlight:
    """A request without an answer so far."""

    to: int
    request: Request
    sent_ms: float
    epoch: int


class Replica:
    """Everything that one replica knows; the rules are in the modules beside this one."""

    __slots__ = (
        "abstains",
        "acknowledged_offset",
        "addresses",
        "alarms",
        "ask_after_ms",
        "config",
        "delivered_offset",
        "delivery_deadline_ms",
        "download",
        "download_epoch",
        "durable_state",
        "epoch",
        "failed_elections",
        "fetch_after_ms",
        "fetch_number",
        "flush_generation",
        "flushed_epoch",
        "flushed_offset",
        "flushing_offset",
        "freezing",
        "freshness",
        "high_watermark",
        "in_flight",
        "is_dirty",
        "is_stopping",
        "is_voter",
        "join_after_ms",
        "kraft_versions",
        "leader_id",
        "log",
        "me",
        "next_number",
        "others",
        "peek_after_ms",
        "proven",
        "proven_epoch",
        "random",
        "ready",
        "role",
        "snapshot_seen_ms",
        "told_leader",
        "unproven_claims",
        "voted",
        "voter_sets",
        "voters",
        "writing_state",
    )

    def __init__(
        self, config: RaftConfig, log: RaftLog, state: QuorumState, random: Random, now_ms: float
    ) -> None:
        self.config = config
        self.log = log
        self.random = random
        self.me = config.replica
        self.epoch = state.leader_epoch
        self.leader_id = state.leader_id
        self.voted: ReplicaKey | None = None
        if state.voted_id >= 0:
            self.voted = ReplicaKey(state.voted_id, state.voted_directory_id)
        self.durable_state = self.writing_state = self.state()
        self.is_dirty = False  # epoch, leader and vote are not on disk as they are now
        self.high_watermark = 0
        self.flushed_offset = 0  # unknown at start: earlier writes may only be in the page cache
        self.flushed_epoch = 0  # of the record before `flushed_offset`
        self.flushing_offset = 0
        self.flush_generation = 0
        self.acknowledged_offset = 0  # a leader was told that everything below is durable here
        self.peek_after_ms = inf  # when to send a peek (`following`); inf: no flush is outstanding
        self.delivered_offset = 0
        self.delivery_deadline_ms = inf
        self.freshness = Freshness()
        self.failed_elections = 0
        self.addresses: dict[int, tuple[str, int]] = {}
        self.proven = LeaderAndEpoch(NOBODY, 0)  # a leader that answered us, or this node itself
        self.proven_epoch = max(state.leader_epoch, log.last_epoch)  # told by whom we had asked
        self.ask_after_ms: dict[int, float] = {}  # voter -> when it may be asked again
        self.alarms: dict[str, tuple[float, int]] = {}  # kind -> when again, how many were held
        self.unproven_claims = 0
        self.ready = Ready()
        self.told_leader = LeaderAndEpoch(NOBODY, 0)
        self.next_number = 1
        self.in_flight: dict[int, InFlight] = {}
        self.fetch_number = 0  # the outstanding Fetch or FetchSnapshot; 0: none
        self.fetch_after_ms = -inf
        self.join_after_ms = now_ms
        self.download: SnapshotId | None = None
        self.download_epoch = -1  # in which the partial file was begun
        self.freezing: SnapshotId | None = None
        self.snapshot_seen_ms: dict[SnapshotId, float] = {}
        self.is_stopping = False
        self.abstains = False  # its log has lost what it had acknowledged (`lost_writes`)
        self.role: Role = Unattached(inf)
        self.voter_sets: list[tuple[int, Voters]] = []
        self.kraft_versions: list[tuple[int, int]] = []
        self.voters = Voters(())
        self.is_voter = False
        self.others: list[ReplicaKey] = []
        self.reload_controls()

    # State that must be durable -----------------------------------------------------------

    def state(self) -> QuorumState:
        """What must be in the file `quorum-state`."""
        voted = self.voted
        if voted is None:
            return QuorumState(self.epoch, self.leader_id)
        return QuorumState(self.epoch, self.leader_id, voted.node_id, voted.directory_id)

    def set_state(self, epoch: int, leader_id: int, voted: ReplicaKey | None) -> None:
        """Change what must be durable; the epoch never goes back (595-01)."""
        if epoch < self.epoch:
            raise QuorumBrokenError(f"epoch {epoch} after epoch {self.epoch}")
        self.epoch = epoch
        self.leader_id = leader_id
        self.voted = voted
        self.is_dirty = self.state() != self.durable_state

    def on_state_written(self, state: QuorumState) -> None:
        """The file `quorum-state` has this state now."""
        self.durable_state = state
        self.is_dirty = self.state() != state

    def raise_high_watermark(self, offset: int) -> None:
        """Everything below `offset` is committed; the next Ready says so."""
        self.high_watermark = self.ready.high_watermark = offset

    # Requests and answers -----------------------------------------------------------------

    def send(self, to: int, request: Request, now_ms: float) -> int:
        """Queue a request; returns its number."""
        number = self.next_number
        self.next_number = number + 1
        self.in_flight[number] = InFlight(to, request, now_ms, self.epoch)
        timeout_ms = self.config.request_timeout_ms
        if type(request) is Fetch:
            timeout_ms += request.max_wait_ms
        self.ready.requests.append(Outgoing(number, to, request, timeout_ms))
        return number

    def reply(self, token: int, answer: Answer) -> None:
        """Queue an answer."""
        self.ready.replies.append(Reply(token, answer))

    def known_leader(self) -> int:
        """Who leads; -1 if nobody is known, or if it was this node, which does so no more."""
        if self.leader_id == self.me.node_id and type(self.role) is not Leader:
            return NOBODY
        return self.leader_id

    def leader_address(self) -> tuple[str, int] | None:
        """Where the known leader listens."""
        return self.addresses.get(self.known_leader())

    # Voters -------------------------------------------------------------------------------

    def reload_controls(self) -> None:
        """Voters and kraft.version from the log's control records, or the configured ones."""
        self.voter_sets.clear()
        self.kraft_versions.clear()
        if self.config.static_voters is not None:
            self.voter_sets.append((-1, self.config.static_voters))
        self.note_controls(self.log.controls())

    def note_controls(self, entries: Iterable[ControlEntry]) -> None:
        """Take voter sets and kraft.versions as of now: they count as soon as appended."""
        for entry in entries:
            self._note_control(entry)
        self.settle_voters()

    def _note_control(self, entry: ControlEntry) -> None:
        if isinstance(entry.control, KRaftVersion):
            self.kraft_versions.append((entry.offset, entry.control.level))
        else:
            self.voter_sets.append((entry.offset, entry.control))

    def forget_controls_from(self, offset: int) -> None:
        """The log was truncated at `offset`: forget voter sets and levels from there on."""
        self.voter_sets = [one for one in self.voter_sets if one[0] < offset]
        self.kraft_versions = [one for one in self.kraft_versions if one[0] < offset]
        self.settle_voters()

    def settle_voters(self) -> None:
        """Work out everything that depends on the newest voter set."""
        self.voters = self.voter_sets[-1][1] if self.voter_sets else Voters(())
        self.is_voter = self.config.can_vote and self.has_voter(self.me)
        mine = self.me.node_id
        self.others = [
            ReplicaKey(one.voter_id, one.directory_id)
            for one in self.voters.members
            if one.voter_id != mine
        ]
        for one in self.voters.members:
            self.learn_address(one.voter_id, one.addresses)

    @property
    def listener_name(self) -> str | None:
        """The voters' listener: the first of the controller listeners; None if it is not known."""
        return self.config.addresses[0].name if self.config.addresses else None

    def learn_address(self, node_id: int, addresses: Sequence[VoterAddress]) -> None:
        """Where another node is reached: on the voters' listener, else on the first it names."""
        name = self.listener_name
        for one in sorted(addresses, key=lambda address: address.name != name)[:1]:
            self.addresses[node_id] = (one.host, one.port)

    @property
    def kraft_version(self) -> int:
        """The feature level `kraft.version` as of now."""
        return self.kraft_versions[-1][1] if self.kraft_versions else 0

    @property
    def can_stand(self) -> bool:
        """Whether it takes part in elections.

        A voter whose removal is appended but not committed still does: its log may be the longest,
        and then nobody else can be elected.
        """
        if self.is_voter:
            return True
        sets = self.voter_sets
        if not self.config.can_vote or len(sets) < 2 or sets[-1][0] < self.high_watermark:
            return False
        return _is_in(sets[-2][1], self.me)

    @property
    def uncommitted_offset(self) -> int:
        """Offset of the newest voter set if it is not committed yet; -1 if it is."""
        offset = self.voter_sets[-1][0] if self.voter_sets else -1
        return offset if offset >= self.high_watermark else -1

    def has_voter(self, key: ReplicaKey) -> bool:
        """Whether this replica is a voter; a zero directory on either side matches any."""
        return _is_in(self.voters, key)


def _is_in(voters: Voters, key: ReplicaKey) -> bool:
    for one in voters.members:
        if one.voter_id == key.node_id:
            return not any(one.directory_id) or one.directory_id == key.directory_id
    return False
