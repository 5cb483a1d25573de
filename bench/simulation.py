"""How fast the simulators run: `python -m bench.simulation`, with the targets of each figure.

The same seeds each time and no faults, so that the work is the same and only the machine differs.
Each measurement is made several times; the fastest counts, for everything else that a machine does
only adds time. Times are CPU seconds of this process, in one thread; clock time stands beside them.

busy    3 brokers and 3 controllers, 200 requests of clients a second: producers with acks=all at
        three replicas, one consumer, one client that asks for the latest offsets
idle    the same cluster without clients
rpcs    requests that were encoded, delivered, decoded, handled and answered in the busy run, those
        between nodes too, a CPU second
raft    events of the consensus core's simulator, with its faults and checks, a CPU second
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from time import perf_counter, process_time
from typing import Any
from unittest.mock import patch

from barnabas.broker.server.peer_connection import PeerConnection
from barnabas.client.wire.connection import Connection
from barnabas.protocol.message import Message
from barnabas.testing.simulation.faults import draw_schedule
from barnabas.testing.simulation.machines import Machines
from barnabas.testing.simulation.profile import Profile
from barnabas.testing.simulation.raft.run import run_seed
from barnabas.testing.simulation.run import Plan, run
from barnabas.testing.simulation.workload.workload import Workload

SEED = 1
RAFT_SEEDS = range(1, 21)
RAFT_EVENTS = 20_000
IDLE_FACTOR = 4
"""The idle run is so many times longer, for it is soon done."""
TARGETS = {"busy": 20.0, "idle": 100.0, "rpcs": 5_000.0, "raft": 100_000.0}
UNITS = {"busy": "x real time", "idle": "x real time", "rpcs": "RPCs/s", "raft": "events/s"}


@dataclass
class Window:
    """A part of a run that is measured."""

    simulated_s: float
    cpu_s: float
    clock_s: float
    callbacks: int
    client_requests: int
    rpcs: int
    apis: dict[str, int]
    """Requests of clients by API."""

    @property
    def speed(self) -> float:
        """Simulated seconds a CPU second."""
        return self.simulated_s / self.cpu_s


class Meter:
    """Counts requests where they are sent, and takes the time of the window."""

    def __init__(self, window_s: float) -> None:
        self.window_s = window_s
        self.of_clients: Counter[str] = Counter()
        self.of_nodes = 0
        self._first: tuple[float, ...] = ()
        self._apis: Counter[str] = Counter()
        self.window: Window | None = None

    @contextmanager
    def counting(self) -> Iterator[None]:
        """While this is open every request is counted."""
        meter, send, post = self, Connection.send, Connection.post
        send_of_node = PeerConnection.send

        def send_counted(connection: Connection, request: Message, *rest: Any) -> Any:
            meter.of_clients[request.NAME] += 1
            return send(connection, request, *rest)

        def post_counted(connection: Connection, request: Message, version: int) -> None:
            meter.of_clients[request.NAME] += 1
            post(connection, request, version)

        def count_of_node(connection: PeerConnection, *request: Any) -> Any:
            meter.of_nodes += 1
            return send_of_node(connection, *request)

        with (
            patch.object(Connection, "send", send_counted),
            patch.object(Connection, "post", post_counted),
            patch.object(PeerConnection, "send", count_of_node),
        ):
            yield

    def watch(self, machines: Machines, workload: Workload) -> None:
        """Called again and again in the run; the first call begins the window."""
        del workload
        loop = machines.loop
        requests = self.of_clients.total()
        now = (loop.now, process_time(), perf_clock(), loop.callbacks_run, requests, self.of_nodes)
        if not self._first:
            self._first, self._apis = now, self.of_clients.copy()
        elif self.window is None and loop.now >= self._first[0] + self.window_s:
            took = [after - before for before, after in zip(self._first, now, strict=True)]
            simulated_s, cpu_s, clock_s = took[:3]
            callbacks, of_clients, of_nodes = map(int, took[3:])
            apis = dict(self.of_clients - self._apis)
            self.window = Window(
                simulated_s, cpu_s, clock_s, callbacks, of_clients, of_clients + of_nodes, apis
            )


perf_clock = perf_counter
"""Taken before a run turns the clocks to virtual time."""


def measure(kind: str, seconds: float) -> Window:
    """One run of a cluster; the window begins when clients do."""
    clients = {"producers": 2, "consumers": 1, "pollers": 1, "sends_per_s": 38.0}
    if kind == "idle":
        clients = {"producers": 0, "consumers": 0, "pollers": 0}
    profile = Profile(controllers=3, duration_s=seconds + 2.0, **clients)  # type: ignore[arg-type]
    meter = Meter(seconds)
    schedule = draw_schedule(profile, SEED)
    assert not schedule.faults, "a schedule without faults"
    outcome = run(Plan(SEED, profile, schedule, planted=meter.counting, watch=meter.watch))
    if not outcome.is_good or meter.window is None:
        raise SystemExit(f"the {kind} run failed: {outcome.text}")
    return meter.window


def measure_raft() -> tuple[int, float, float]:
    """Events, CPU seconds and clock seconds of all seeds of the consensus core."""
    events, cpu_s, clock_s = 0, process_time(), perf_clock()
    for seed in RAFT_SEEDS:
        verdict = run_seed(seed, RAFT_EVENTS)
        if verdict.problem:
            raise SystemExit(f"raft seed {seed}: {verdict.problem}")
        events += verdict.events
    return events, process_time() - cpu_s, perf_clock() - clock_s


def figures(seconds: float, rounds: int) -> dict[str, Any]:
    """All four, by name, and what they were made of."""
    windows = {
        kind: min((measure(kind, length) for _ in range(rounds)), key=lambda window: window.cpu_s)
        for kind, length in (("busy", seconds), ("idle", seconds * IDLE_FACTOR))
    }
    events, raft_cpu_s, raft_clock_s = min(
        (measure_raft() for _ in range(rounds)), key=lambda found: found[1]
    )
    busy, idle = windows["busy"], windows["idle"]
    values = {
        "busy": busy.speed,
        "idle": idle.speed,
        "rpcs": busy.rpcs / busy.cpu_s,
        "raft": events / raft_cpu_s,
    }
    return {
        "figures": values,
        "targets": TARGETS,
        "windows": {kind: asdict(window) for kind, window in windows.items()},
        "raft": {"events": events, "cpu_s": raft_cpu_s, "clock_s": raft_clock_s},
    }


def table(found: dict[str, Any]) -> str:
    """The figures for people."""
    lines = [f"{'':6}{'measured':>12}{'target':>10}  unit"]
    for name, value in found["figures"].items():
        target = TARGETS[name]
        verdict = "met" if value >= target else "missed"
        lines.append(f"{name:6}{value:12,.1f}{target:10,.0f}  {UNITS[name]}, {verdict}")
    for kind, window in found["windows"].items():
        seconds = window["simulated_s"]
        requests = window["client_requests"] / seconds
        lines.append(
            f"{kind}: {seconds:.1f} simulated s in {window['cpu_s']:.2f} s of CPU and"
            f" {window['clock_s']:.2f} s by the clock; a simulated second has"
            f" {requests:.0f} requests of clients, {window['rpcs'] / seconds:.0f} RPCs in all,"
            f" {window['callbacks'] / seconds:.0f} callbacks"
        )
    apis = found["windows"]["busy"]["apis"]
    lines.append(f"busy clients: {', '.join(f'{count} {name}' for name, count in apis.items())}")
    raft = found["raft"]
    lines.append(f"raft: {raft['events']:,} events in {raft['cpu_s']:.2f} s of CPU")
    return "\n".join(lines)


def main() -> None:
    """Read the command line, measure, print; the exit status is 1 if a target was missed."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.simulation",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--seconds", type=float, default=15.0, help="of the busy run, simulated")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = figures(options.seconds, options.rounds)
    print(json.dumps(found, indent=1) if options.json else table(found))
    missed = [name for name, value in found["figures"].items() if value < TARGETS[name]]
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
