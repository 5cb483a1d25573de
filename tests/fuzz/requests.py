"""Fuzzes real nodes with requests that are well formed and odd (`meanings.py`):

    python -m tests.fuzz.requests --seconds 300 [--seed 1] [--clients 8] [--harmful]

A node with a listener for clients and one for controllers runs as a process. Clients send drawn
requests of all APIs, several at a time, and go on with what they were answered: sessions, members,
epochs, ids. Meanwhile somebody else asks the node something simple every tenth of a second.
Status 1 says that the node ended, stopped answering, or logged an error that nobody expected.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import sys
import time
from collections import Counter, deque
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

ROOT: Final = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "src")]

# These imports come late, since the path above leads to them.
from kit.raw_client import RawClient  # noqa: E402

from barnabas.broker.server.served_apis import OF_BROKERS, OF_CONTROLLERS  # noqa: E402
from barnabas.protocol.apis import api  # noqa: E402
from barnabas.protocol.errors import EncodeError  # noqa: E402
from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest  # noqa: E402
from barnabas.protocol.messages.create_topics_request import (  # noqa: E402
    CreatableTopic,
    CreateTopicsRequest,
)
from barnabas.protocol.messages.heartbeat_request import HeartbeatRequest  # noqa: E402
from barnabas.protocol.messages.metadata_request import MetadataRequest  # noqa: E402
from barnabas.testing.cluster_layout import free_ports  # noqa: E402
from barnabas.testing.process import NodeProcess  # noqa: E402
from bench.procfs import resident_mb  # noqa: E402
from fuzz.meanings import TOPICS, Meanings  # noqa: E402

HARMFUL: Final = frozenset({64, 81, 57, 62, 63, 80})
"""UnregisterBroker, AddRaftVoter, RemoveRaftVoter, UpdateFeatures, BrokerRegistration,
BrokerHeartbeat: understood, they end what is tested."""

ANSWER_S: Final = 0.7
PROBE_TIMEOUT_S: Final = 20.0
_BAD: Final = re.compile(
    rb"failed unexpectedly|unexpected|Traceback|never retrieved|was never awaited|\[error +\]"
)


class Fuzzer:
    """Talks to one node until the time is over."""

    def __init__(
        self, node: NodeProcess, ports: dict[str, int], chance: random.Random, *, harmful: bool
    ) -> None:
        self._node = node
        self._ports = ports
        self._chance = chance
        self._meanings = Meanings(chance)
        self._left_out = frozenset() if harmful else HARMFUL
        self.sent: Counter[str] = Counter()
        self.answered: Counter[str] = Counter()
        self.last: deque[tuple[float, str]] = deque(maxlen=60)
        self.slow: list[tuple[float, list[str]]] = []
        self.failure: str | None = None
        self.bad_lines: dict[bytes, None] = {}

    async def run(self, seconds: float, clients: int) -> None:
        """Fuzz for so long, or until the node stops answering."""
        ends = time.monotonic() + seconds
        async with asyncio.TaskGroup() as group:
            group.create_task(self._probe(ends))
            for _ in range(clients):
                group.create_task(self._attack(ends))

    async def _probe(self, ends: float) -> None:
        while time.monotonic() < ends and self.failure is None:
            began = time.monotonic()
            try:
                async with asyncio.timeout(PROBE_TIMEOUT_S), self._client("PLAINTEXT") as one:
                    await one.ask(ApiVersionsRequest(), 3)
                    for _ in range(2):
                        # Worked on in a task: others that wait in theirs must not be in its way.
                        await one.ask(HeartbeatRequest(group_id="probe", member_id="nobody"), 4)
            except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
                self.failure = f"the node does not answer: {error!r}"
            took = time.monotonic() - began
            if took > 0.4:
                self.slow.append(
                    (round(took, 2), [text for at, text in self.last if at >= began - 0.3])
                )
            self.look_at_log()
            await asyncio.sleep(0.1)

    def _client(self, listener: str) -> RawClient:
        return RawClient("127.0.0.1", self._ports[listener])

    def look_at_log(self) -> None:
        """Keep the lines of errors: the node's output keeps the last lines only."""
        for line in self._node.output.copy():
            if _BAD.search(line):
                self.bad_lines[line] = None

    async def _attack(self, ends: float) -> None:
        while time.monotonic() < ends and self.failure is None:
            listener = self._chance.choice(("PLAINTEXT", "PLAINTEXT", "PLAINTEXT", "CONTROLLER"))
            with suppress(OSError, TimeoutError, EOFError, AssertionError):
                async with self._client(listener) as client:
                    client.client_id = self._chance.choice(("raw", "", "x" * 300))
                    served = OF_BROKERS if listener == "PLAINTEXT" else OF_CONTROLLERS
                    keys = [key for key in served if key not in self._left_out]
                    for _ in range(self._chance.randrange(1, 30)):
                        await self._exchange(client, self._chance.choice(keys))

    async def _exchange(self, client: RawClient, key: int) -> None:
        chance, asked = self._chance, api(key)
        version = chance.randint(asked.min_version, asked.max_version)
        if chance.random() < 0.5:
            version = asked.max_version
        try:
            request = self._meanings.message(asked.request, version)
            frame = client.frame(request, version)
        except EncodeError:
            return
        self.last.append((time.monotonic(), f"{asked.name} {version} {str(request)[:300]}"))
        self.sent[asked.name] += 1
        copies = chance.choice((1, 1, 1, 1, 2, 8))
        client.writer.write(frame * copies)
        ends = chance.random() < 0.02
        if ends:
            client.writer.write_eof()
        await client.writer.drain()
        for _ in range(copies):
            async with asyncio.timeout(ANSWER_S):
                answer = await client.receive(key, version)
            self.answered[asked.name] += 1
            self._meanings.learn(answer, version)
        if ends:
            raise EOFError


async def _prepare(port: int) -> None:
    topics = [
        CreatableTopic(name=name, num_partitions=3 if name == "three" else 1, replication_factor=1)
        for name in TOPICS
    ]
    async with RawClient("127.0.0.1", port) as client:
        await client.ask(CreateTopicsRequest(topics=topics, timeout_ms=10_000), 7)
        await client.ask(MetadataRequest(topics=None), 12)


def fuzz(
    directory: Path, out: Path, seed: int, seconds: float, clients: int, *, harmful: bool = False
) -> int:
    """The exit status."""
    ports: dict[str, int] = dict(zip(("PLAINTEXT", "CONTROLLER"), free_ports(2), strict=True))
    settings = {
        "listeners": ",".join(f"{name}://127.0.0.1:{port}" for name, port in ports.items()),
        "controller.listener.names": "CONTROLLER",
        "controller.quorum.voters": f"1@127.0.0.1:{ports['CONTROLLER']}",
        "node.id": "1",
        "cluster.id": "bKj4rt8jSJe5HwnIg7R44w",
    }
    node = NodeProcess(directory, port=ports["PLAINTEXT"], settings=settings)
    with node:
        asyncio.run(_prepare(ports["PLAINTEXT"]))
        fuzzer = Fuzzer(node, ports, random.Random(seed), harmful=harmful)
        asyncio.run(fuzzer.run(min(seconds / 10, 30.0), clients))  # caches are filled by then
        before_mb = resident_mb(node.pid)
        asyncio.run(fuzzer.run(seconds, clients))
        time.sleep(1.0)
        after_mb = resident_mb(node.pid) if fuzzer.failure is None else 0.0
        status = node.stop()
    (out / "node.log").write_bytes(b"".join(node.output))
    (out / "slow.json").write_text(json.dumps(fuzzer.slow, indent=1))
    fuzzer.look_at_log()
    bad = list(fuzzer.bad_lines)
    print(
        json.dumps(
            {
                "seed": seed,
                "sent": sum(fuzzer.sent.values()),
                "never_answered": sorted(set(fuzzer.sent) - set(fuzzer.answered)),
                "resident_before_mb": round(before_mb, 1),
                "resident_after_mb": round(after_mb, 1),
                "failure": fuzzer.failure,
                "status": status,
                "lines_of_errors": len(bad),
                "slowest_answers_s": sorted((took for took, _ in fuzzer.slow), reverse=True)[:5],
            },
            indent=1,
        )
    )
    for line in bad[:20]:
        print(line.decode(errors="replace").rstrip())
    return 1 if bad or status or fuzzer.failure is not None else 0


def main() -> int:
    """Parse the command line, fuzz, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--harmful", action="store_true", help="also what ends the node's work")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "fuzz" / "requests")
    options = parser.parse_args()
    seed = random.randrange(2**32) if options.seed is None else options.seed
    options.out.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as directory:
        return fuzz(
            Path(directory) / "data",
            options.out,
            seed,
            options.seconds,
            options.clients,
            harmful=options.harmful,
        )


if __name__ == "__main__":
    sys.exit(main())
