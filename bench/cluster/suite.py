"""One pass over one cluster: start, loads, ends of leaders, reads near by, moves; by name."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ..suite import Figures, StepFailedError, run_client
from ..wire import RefusedError
from . import propagation, rounds
from .failover import Failover, end_leader
from .racks import allowed_ms
from .running import RACKS, Cluster
from .targets import CLIENTS, CONNECTIONS, VICTIMS

PARTS = ("load", "kill", "stop", "follower", "moves", "racks", "groups", "transactions")
LOAD_PARTITIONS = 9
PRODUCERS = {"transactions": 32, "more_transactions": 128}
"""How many producers have transactions at a time, by the names of the rows."""
SIGNALS = {"kill": signal.SIGKILL, "stop": signal.SIGTERM}
AFTER_S = {"barnabas": 2.5, "kafka": 13.0}
"""How long a writer goes on after its leader's end: Kafka fences after nine seconds."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How much of everything."""

    parts: tuple[str, ...] = PARTS
    rounds: int = 1
    load_s: float = 6.0
    load_warm_up_s: float = 2.0
    ends: int = 3
    follower_records: int = 1_000
    follower_records_of_kafka: int = 20
    move_rounds: int = 5
    racks_s: float = 10.0
    commits_s: float = 5.0
    transactions_s: float = 6.0


QUICK = Plan(
    load_s=2.0,
    load_warm_up_s=0.5,
    ends=1,
    follower_records=200,
    move_rounds=2,
    racks_s=4.0,
    commits_s=2.0,
    transactions_s=3.0,
)


class Pass:
    """One cluster, measured once through all parts of the plan."""

    def __init__(self, cluster: Cluster, plan: Plan, report: Callable[[str], None]) -> None:
        self.cluster = cluster
        self.plan = plan
        self.report = report
        self.figures: Figures = {}
        self.failures: list[str] = []
        self.notes: list[str] = []

    def run(self) -> Figures:
        """All parts in order; a part that fails is noted in `failures` and the next one follows."""
        os.sync()  # what the pass before wrote is not this one's burden
        steps: dict[str, Callable[[], None]] = {
            "load": self._loads,
            "kill": lambda: self._ends("kill"),
            "stop": lambda: self._ends("stop"),
            "follower": self._follower,
            "moves": self._moves,
            "racks": self._racks,
            "groups": self._groups,
            "transactions": self._transactions,
        }
        self.report("start")
        try:
            self.figures |= self.cluster.start()
            self.figures["memory.after_start_mb"] = self.cluster.resident_mb()
            for part, step in steps.items():
                if part in self.plan.parts:
                    self._guarded(part, step)
            self.figures["memory.after_run_mb"] = self.cluster.resident_mb()
        except (TimeoutError, OSError, RefusedError) as error:
            self.failures.append(str(error))
        finally:
            self.figures["stop.seconds"] = self.cluster.stop()
        return self.figures

    def _guarded(self, part: str, step: Callable[[], None]) -> None:
        self.report(part)
        try:
            step()
        except (
            StepFailedError,
            subprocess.TimeoutExpired,
            TimeoutError,
            OSError,
            RefusedError,
        ) as error:
            self.failures.append(f"{part}: {error}")

    def _loads(self) -> None:
        cluster, topic = self.cluster, "load"
        cluster.create_topic(topic, LOAD_PARTITIONS)
        leaders = cluster.wait_for_leaders(topic, LOAD_PARTITIONS)
        ports = ",".join(str(cluster.ports[leaders[one]]) for one in range(LOAD_PARTITIONS))
        times = ("--seconds", str(self.plan.load_s), "--warm-up", str(self.plan.load_warm_up_s))
        for connections in CONNECTIONS:
            before = cluster.cpu_seconds()
            where = ("--leaders", ports, "--topic", topic, "--connections", str(connections))
            found = run_client("cluster.load", *where, *times)
            cpu_s = cluster.cpu_seconds() - before
            # Warm-up and window go at the same pace, near enough for a row that is only read.
            share = self.plan.load_s / (self.plan.load_s + self.plan.load_warm_up_s)
            found["cpu_us_per_request"] = cpu_s * share / found["requests"] * 1e6
            self._take(f"load_{connections}", found)
            if found["errors"] or found["acked_but_absent"]:
                self.failures.append(f"load_{connections}: records failed or are missing")

    def _take(self, prefix: str, found: Figures) -> None:
        self.figures |= {f"{prefix}.{name}": value for name, value in found.items()}

    def _ends(self, how: str) -> None:
        for client in CLIENTS:
            for victim in VICTIMS:
                ends = [self._end(how, client, victim, turn) for turn in range(self.plan.ends)]
                key = f"{how}_{victim}_{client}"
                self.figures[f"{key}.gap_ms"] = max(one.gap_ms for one in ends)
                self._count(client, ends)
                self.notes.append(f"{self.cluster.name}, {key}: {gaps_text(ends)}")

    def _end(self, how: str, client: str, victim: str, turn: int) -> Failover:
        return end_leader(
            self.cluster,
            client,
            f"{how}-{victim}-{client}-{turn}",
            SIGNALS[how],
            is_controller=victim == "controller",
            after_s=AFTER_S[self.cluster.name],
        )

    def _count(self, client: str, ends: Iterable[Failover]) -> None:
        for one in ends:
            for name, count in (("lost", one.lost), ("twice", one.twice)):
                key = f"failover_{client}.{name}"
                self.figures[key] = self.figures.get(key, 0) + count
            if one.failed:
                self.failures.append(f"{client}: {one.failed} records failed: {one.errors}")

    def _follower(self) -> None:
        plan = self.plan
        is_kafka = self.cluster.name == "kafka"
        count = plan.follower_records_of_kafka if is_kafka else plan.follower_records
        self.figures |= propagation.measure(self.cluster, count)

    def _moves(self) -> None:
        for name, option in (("hints", "--hints"), ("no_hints", "--no-hints")):
            found = run_client(
                "cluster.moves",
                "--bootstrap",
                self.cluster.bootstrap,
                "--rounds",
                str(self.plan.move_rounds),
                option,
            )
            self.figures |= {f"moves.{name}_{key}": value for key, value in found.items()}
            if found["failures"]:
                self.failures.append(f"moves, {name}: {found['failures']:.0f} records failed")
        with_hints, without = (self.figures[f"moves.{n}_p999_ms"] for n in ("hints", "no_hints"))
        self.figures["moves.lower_percent"] = 100 * (1 - with_hints / without)

    def _racks(self) -> None:
        near = ",".join(RACKS.values())
        self._read("follower", near)
        self._read("leader", "")
        # Under the same load, but not while delays are measured: probes have watermarks too.
        probed = "racks-probed"
        self.cluster.create_topic(probed, len(rounds.REPLICAS), rounds.REPLICAS)
        leaders = self.cluster.wait_for_leaders(probed, len(rounds.REPLICAS))
        ports = ",".join(str(self.cluster.ports[leaders[one]]) for one in sorted(leaders))
        self._read("probed", near, "--rounds", probed, "--leaders", ports)
        figures = self.figures
        figures["racks.own_rack_percent"] = figures["racks.follower_own_rack_percent"]
        figures["racks.round_p99_ms"] = figures["racks.probed_round_p99_ms"]
        allowed = allowed_ms(figures["racks.leader_p99_ms"], figures["racks.round_p99_ms"])
        figures["racks.share_of_allowed"] = figures["racks.follower_p99_ms"] / allowed

    def _read(self, name: str, racks: str, *options: str) -> None:
        topic = f"racks-{name}-load"
        self.cluster.create_topic(topic, 9)
        self.cluster.wait_for_leaders(topic, 9)
        where = ("--bootstrap", self.cluster.bootstrap, "--topic", topic, "--racks", racks)
        seconds = ("--seconds", str(self.plan.racks_s))
        found = run_client("cluster.racks", *where, *seconds, *options)
        self.figures |= {f"racks.{name}_{key}": value for key, value in found.items()}
        if found["missing"]:
            self.failures.append(f"racks, {name}: {found['missing']:.0f} records not read")

    def _groups(self) -> None:
        cluster, topic = self.cluster, "commits"
        for protocol in ("classic", "consumer"):
            where = ("--bootstrap", cluster.bootstrap, "--protocol", protocol)
            self._take(f"rebalance_{protocol}", run_client("cluster.rebalances", *where))
        cluster.create_topic(topic, 3)
        cluster.wait_for_leaders(topic, 3)
        port = str(cluster.ports[cluster.running()[0]])
        seconds = ("--seconds", str(self.plan.commits_s))
        found = run_client("cluster.commits", "--port", port, "--topic", topic, *seconds)
        self._take("commits", found)
        if found["errors"]:
            self.failures.append(f"commits: {found['errors']:.0f} were refused")

    def _transactions(self) -> None:
        where = ("--bootstrap", self.cluster.bootstrap)
        seconds = ("--seconds", str(self.plan.transactions_s))
        for name, producers in PRODUCERS.items():
            before = self.cluster.cpu_seconds()
            options = ("--topic", name, "--producers", str(producers))
            found = run_client("cluster.transactions", *where, *seconds, *options)
            cpu_s = self.cluster.cpu_seconds() - before
            found["cpu_us"] = cpu_s / found.pop("transactions_in_all") * 1e6
            self._take(name, found)


def gaps_text(ends: Iterable[Failover]) -> str:
    """The gaps of one kind of end, for the notes."""
    return ", ".join(f"{one.gap_ms:.0f} ms" for one in ends)
