"""One pass over one broker: start, bulk, one-record loads, memory, stop; every figure by name."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from . import paths
from .running import PARTITIONS, Broker
from .targets import CONNECTIONS, SIZES, size_text

PARTS = ("start", "produce", "consume", "load")
STEP_TIMEOUT_S = 300
LOAD_TOPIC = "one-record"
NULL_SECONDS = 1.0


class StepFailedError(Exception):
    """A client program ended with an error; the text is its last line."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How much of everything."""

    parts: tuple[str, ...] = PARTS
    rounds: int = 3
    messages: tuple[int, ...] = (3_000_000, 500_000)
    warm_up_share: float = 0.2
    load_s: float = 6.0
    load_warm_up_s: float = 2.0
    record_bytes: int = 100

    def has(self, *parts: str) -> bool:
        """Whether any of these parts is to be run."""
        return any(part in self.parts for part in parts)

    def steps(self) -> int:
        """Steps of one pass, for a progress bar."""
        bulk = self.has("produce", "consume") * (1 + self.has("consume")) * len(SIZES)
        return 2 + bulk + self.has("load") * len(CONNECTIONS)


QUICK = Plan(
    rounds=1, messages=(600_000, 120_000), warm_up_share=0.25, load_s=2.0, load_warm_up_s=0.5
)

Report = Callable[[str], None]
Figures = dict[str, float]


def run_client(module: str, *arguments: str) -> Figures:
    """Run one of our client programs; its figures, or `StepFailedError`."""
    command = [sys.executable, "-m", f"bench.{module}", *arguments]
    result = subprocess.run(
        command, cwd=paths.ROOT, capture_output=True, text=True, check=False, timeout=STEP_TIMEOUT_S
    )
    if result.returncode:
        lines = result.stderr.strip().splitlines() or [f"exit code {result.returncode}"]
        raise StepFailedError(f"{module} {' '.join(arguments)}: {lines[-1]}")
    return dict(json.loads(result.stdout))


def create_topic(port: int, topic: str, partitions: int) -> None:
    """Create a topic with one replica; raises confluent_kafka's error if that fails."""
    admin = AdminClient({"bootstrap.servers": f"127.0.0.1:{port}", "log_level": 4})
    for future in admin.create_topics([NewTopic(topic, partitions, 1)]).values():
        future.result(timeout=30)


class Pass:
    """One broker, measured once through all parts of the plan."""

    def __init__(self, broker: Broker, plan: Plan, report: Report) -> None:
        self.broker = broker
        self.plan = plan
        self.report = report
        self.figures: Figures = {}
        self.failures: list[str] = []

    def run(self) -> Figures:
        """All parts in order; a part that fails is noted in `failures` and the next one follows."""
        os.sync()  # what the pass before wrote is not this one's burden
        self.report("starting")
        try:
            self.broker.start()
            self.figures["start.first_ack_s"] = self.broker.first_ack_s
            self.figures["memory.after_start_mb"] = self.broker.resident_mb()
            if self.plan.has("produce", "consume"):
                for size, count in zip(SIZES, self.plan.messages, strict=True):
                    self._guarded(partial(self._bulk, size, count))
            if self.plan.has("load"):
                self._guarded(self._loads)
            self.figures["memory.after_load_mb"] = self.broker.resident_mb()
            self.report("stopping")
            self.figures["stop.seconds"] = self.broker.stop()
        except (TimeoutError, subprocess.TimeoutExpired, OSError) as error:
            self.failures.append(str(error))
        finally:
            self.broker.kill()
        return self.figures

    def _guarded(self, part: Callable[[], None]) -> None:
        try:
            part()
        except (StepFailedError, subprocess.TimeoutExpired) as error:
            self.failures.append(str(error))

    def _client(self, prefix: str, module: str, *arguments: str) -> Figures:
        where = ("--port", str(self.broker.port), "--pid", str(self.broker.pid))
        found = run_client(module, *arguments, *where)
        self.figures |= {f"{prefix}.{name}": value for name, value in found.items()}
        wrong = found.get("errors", 0) or found.get("acked_but_absent", 0)
        if wrong:
            self.failures.append(f"{prefix}: {wrong:.0f} records failed or are missing")
        return found

    def _bulk(self, size: int, count: int) -> None:
        text, port = size_text(size), self.broker.port
        shape = ("--size", str(size), "--count")
        warm_up, topic = f"warm-up-{size}", f"bulk-{size}"
        for name in (warm_up, topic):
            create_topic(port, name, 1)
        self.report(f"produce {text}")
        warm_up_count = str(int(count * self.plan.warm_up_share))
        self._client("warm_up", "bulk", "produce", *shape, warm_up_count, "--topic", warm_up)
        self._client(f"produce_{size}", "bulk", "produce", *shape, str(count), "--topic", topic)
        if self.plan.has("consume"):
            self.report(f"consume {text}")
            self._client("warm_up", "bulk", "consume", *shape, "0", "--topic", warm_up)
            consumed = self._client(
                f"consume_{size}", "bulk", "consume", *shape, "0", "--topic", topic
            )
            if consumed["messages"] != count:
                self.failures.append(f"{consumed['messages']} of {count} records in {topic}")

    def _loads(self) -> None:
        create_topic(self.broker.port, LOAD_TOPIC, PARTITIONS)
        for connections in CONNECTIONS:
            self.report(f"{connections} connections, one record")
            self._client(
                f"load_{connections}",
                "load",
                *load_arguments(connections, self.plan.load_s, self.plan.load_warm_up_s),
                "--size",
                str(self.plan.record_bytes),
                "--check",
            )


def load_arguments(connections: int, seconds: float, warm_up_s: float) -> list[str]:
    """The load generator's arguments that Kafka, barnabas and the null broker share."""
    return [
        "--connections",
        str(connections),
        "--seconds",
        str(seconds),
        "--warm-up",
        str(warm_up_s),
        "--topic",
        LOAD_TOPIC,
    ]


@contextmanager
def null_broker() -> Iterator[tuple[int, int]]:
    """The null broker's port and process id, while the block runs."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.echo", "--topic", LOAD_TOPIC],
        cwd=paths.ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield int(process.stdout.readline()), process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(10)
        process.stdout.close()


def generator_bound() -> dict[str, Figures]:
    """What the load generator reaches against a broker that does nothing, by connections."""
    found = {}
    with null_broker() as (port, pid):
        for connections in CONNECTIONS:
            arguments = load_arguments(connections, NULL_SECONDS, 0.3)
            found[str(connections)] = run_client(
                "load", *arguments, "--port", str(port), "--pid", str(pid)
            )
    return found


def empty_data() -> None:
    """Remove what an interrupted run left behind."""
    shutil.rmtree(paths.DATA, ignore_errors=True)
