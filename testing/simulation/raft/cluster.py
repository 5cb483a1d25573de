"""The simulated quorum: one heap of events, messages that get lost, doubled, overtaken, cut off."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from heapq import heappop, heappush
from math import log
from random import Random

from barnabas.broker.core.raft.messages import Answer, ReplicaKey, Request
from barnabas.broker.core.raft.ports import KRaftVersion, RaftConfig
from barnabas.broker.core.raft.voters import Voter, VoterAddress, Voters
from barnabas.protocol.primitives import ZERO_UUID

from .machine import Machine
from .memory_log import MemoryRaftLog
from .oracle import Oracle
from .profile import Profile, draw

TRACE_EVENTS = 200
_BOOTSTRAP_BASE = -2

Event = tuple[float, int, "Machine | None", int, Callable[..., None], tuple[object, ...]]


class Cluster:
    """Machines 1 to n, the network between them, and virtual time in milliseconds."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.random = Random(seed)
        self.stalls = Random(f"stalls {seed}")
        self.profile: Profile = draw(self.random, self.stalls, Random(f"damaged disks {seed}"))
        self.now = 0.0
        self.events = 0
        self._heap: list[Event] = []
        self._sequence = 0
        self.blocked: set[tuple[int, int]] = set()
        self.trace: deque[tuple[float, int, str, str]] = deque(maxlen=TRACE_EVENTS)
        self.machines: dict[int, Machine] = {}
        self.oracle = Oracle(self.machines)
        self.is_auto_joining = self.random.random() < 0.3
        self.fetch_max_bytes = self.random.choice((100, 500, 5000))
        self.is_lossy = bool(self.profile.loss or self.profile.duplicate)
        self._delay_min_ms = self.profile.delay_min_ms
        self._delay_mean_ms = self.profile.delay_mean_ms
        count = self.profile.voters
        if self.profile.is_dynamic:
            members = tuple(self._voter(node_id) for node_id in range(1, count + 1))
            self.static: Voters | None = None
            self.bootstrap: tuple[KRaftVersion | Voters, ...] = (KRaftVersion(1), Voters(members))
        else:
            ids = range(1, count + 1)
            self.static = Voters(tuple(Voter(one, ZERO_UUID) for one in ids))
            self.bootstrap = ()
        for node_id in range(1, count + self.profile.observers + 1):
            first = self.bootstrap if node_id <= count else ()
            log = MemoryRaftLog(first)
            self.machines[node_id] = Machine(self, node_id, self.directory_of(node_id, 0), log)
        for machine in self.machines.values():
            self.at(self.random.random() * 10, None, self.boot, machine)

    def boot(self, machine: Machine, now: float) -> None:
        """Start it if it is down."""
        if not machine.is_up:
            machine.start(now)

    @staticmethod
    def directory_of(node_id: int, generation: int) -> bytes:
        """The directory id of a node's n-th disk."""
        return bytes([node_id, generation & 255, generation >> 8]) + bytes(13)

    def _voter(self, node_id: int) -> Voter:
        address = VoterAddress("CONTROLLER", f"node{node_id}", 9000 + node_id)
        return Voter(node_id, self.directory_of(node_id, 0), (address,))

    def config_of(self, node_id: int, directory: bytes) -> RaftConfig:
        """The settings of a node, as it starts now."""
        profile = self.profile
        voters = profile.voters
        everybody = range(1, voters + profile.observers + 1)
        return RaftConfig(
            replica=ReplicaKey(node_id, directory),
            cluster_id="simulated",
            can_vote=profile.is_dynamic or node_id <= voters,
            addresses=(VoterAddress("CONTROLLER", f"node{node_id}", 9000 + node_id),),
            static_voters=self.static,
            bootstrap_servers=tuple((f"node{one}", 9000 + one) for one in everybody),
            election_timeout_ms=profile.election_ms,
            fetch_timeout_ms=profile.fetch_ms,
            election_backoff_max_ms=profile.election_ms,
            request_timeout_ms=profile.fetch_ms,
            retry_backoff_ms=20,
            fetch_wait_ms=profile.fetch_ms // 4,
            fetch_max_bytes=self.fetch_max_bytes,
            stalled_disk_ms=profile.fetch_ms // 10,
            fetch_snapshot_max_bytes=64,
            max_replication_lag_ms=profile.lag_max_ms,
            replica_session_ms=3 * profile.fetch_ms,
            is_auto_joining=self.is_auto_joining,
        )

    # Events ---------------------------------------------------------------------------------

    def at(
        self, due: float, machine: Machine | None, call: Callable[..., None], *args: object
    ) -> None:
        """Call at this time; for a machine only if it is the same incarnation, and not paused."""
        self._sequence += 1
        incarnation = machine.incarnation if machine is not None else 0
        heappush(self._heap, (due, self._sequence, machine, incarnation, call, args))

    def run_until(self, due: float, events_max: int) -> None:
        """Run events up to that time, or until so many have run in all."""
        heap, trace = self._heap, self.trace
        while heap and heap[0][0] <= due and self.events < events_max:
            event = heappop(heap)
            now, _, machine, incarnation, call, args = event
            self.now = now
            if machine is not None:
                if machine.incarnation != incarnation or not machine.is_up:
                    continue
                if machine.paused_until > now:
                    self._sequence += 1
                    heappush(heap, (machine.paused_until, self._sequence, *event[2:]))
                    continue
            self.events += 1
            trace.append(event)  # type: ignore[arg-type]
            call(*args, now)

    def disk_done(self, machine: Machine) -> float:
        """When something that goes to this machine's disk now is durable."""
        begin = max(self.now, machine.disk_stalled_until)
        return begin + self.profile.disk_ms * self.random.random()

    # Network --------------------------------------------------------------------------------

    def _delay(self) -> float:
        return self._delay_min_ms - log(1.0 - self.random.random()) * self._delay_mean_ms

    def send(
        self, source: Machine, number: int, to: int, request: Request, timeout_ms: float, now: float
    ) -> None:
        """One request; who asks hears that it failed when the time is over."""
        target_id = to if to > _BOOTSTRAP_BASE else _BOOTSTRAP_BASE - to + 1
        target = self.machines.get(target_id)
        if target is None or self._is_dropped(source.node_id, target_id):
            self.at(now + timeout_ms, source, source.on_failure, number, False)
            return
        args = (target, source.node_id, source.incarnation, number, request)
        self.at(now + self._delay(), None, self._arrive, *args)
        if self.is_lossy and self.random.random() < self.profile.duplicate:
            self.at(now + self._delay(), None, self._arrive, *args)

    def _is_dropped(self, source_id: int, target_id: int) -> bool:
        if self.blocked and (source_id, target_id) in self.blocked:
            return True
        return self.is_lossy and self.random.random() < self.profile.loss

    def _arrive(
        self,
        target: Machine,
        source_id: int,
        incarnation: int,
        number: int,
        request: Request,
        now: float,
    ) -> None:
        if not target.is_up:
            self.fail(source_id, incarnation, number, now + self._delay(), is_refused=True)
        elif target.paused_until > now:
            self.at(
                target.paused_until, None, self._arrive, target, source_id, incarnation, number,
                request,
            )  # fmt: skip
        else:
            target.on_request(source_id, incarnation, number, request, now)

    def send_back(
        self,
        source: Machine,
        to: int,
        incarnation: int,
        number: int,
        answer: Answer,
        now: float,
    ) -> None:
        """One answer."""
        target = self.machines[to]
        if target.incarnation != incarnation or not target.is_up:
            return
        if self._is_dropped(source.node_id, to):
            timeout_ms = target.raft_config.request_timeout_ms
            self.at(now + timeout_ms, target, target.on_failure, number, False)
            return
        self.at(now + self._delay(), target, target.on_answer, number, answer)
        if self.is_lossy and self.random.random() < self.profile.duplicate:
            self.at(now + self._delay(), target, target.on_answer, number, answer)

    def fail(
        self, source_id: int, incarnation: int, number: int, due: float, *, is_refused: bool
    ) -> None:
        """Tell who asked that there will be no answer."""
        source = self.machines.get(source_id)
        if source is not None and source.is_up and source.incarnation == incarnation:
            self.at(due, source, source.on_failure, number, is_refused)

    # What tests look at ---------------------------------------------------------------------

    def leaders(self) -> list[Machine]:
        """Machines that lead, the newest epoch first."""
        found = [one for one in self.machines.values() if one.is_up and one.raft.is_leader]
        return sorted(found, key=lambda one: -one.raft.epoch)

    def report(self) -> str:
        """The last events, for whoever looks into a failure."""
        lines = []
        for due, _, machine, _, call, args in self.trace:  # type: ignore[misc]
            who = getattr(machine, "node_id", "-")
            shown = ", ".join(str(getattr(one, "node_id", one)) for one in args)
            lines.append(f"{due:12.2f} {who} {getattr(call, '__name__', call)}({shown})")
        return "\n".join(lines)
