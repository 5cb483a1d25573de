"""Fuzzes a real node over real sockets, before a login and after one, on all kinds of listeners:

    python -m tests.fuzz.wire --seconds 3600 [--seed 1] [--clients 8] [--out build/fuzz/wire]

A node with a listener of each security protocol runs as a process. Clients say changed
conversations of logins, changed hellos of TLS, and, where they are let in, changed frames of every
API. Meanwhile somebody else asks the node something simple once a second. The run ends with status
1 if the node ended, stopped answering, or logged an error that nobody expected; the figures (memory
before and after, the slowest answer) are printed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import ssl
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "src")]

from kit.raw_client import RawClient  # noqa: E402
from kit.secured import (  # noqa: E402
    ADMIN,
    ADMIN_PASSWORD,
    KEYS,
    SecureClient,
    context,
    log_in,
    logins,
)

from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest  # noqa: E402
from barnabas.testing.cluster_layout import free_ports  # noqa: E402
from barnabas.testing.process import NodeProcess  # noqa: E402
from bench.procfs import resident_mb  # noqa: E402
from fuzz.corpus import read_corpus  # noqa: E402 -- the path comes first
from fuzz.logins import CHANGES_MAX, changed  # noqa: E402
from fuzz.seeds import request_seeds, seeds  # noqa: E402

PROTOCOLS: Final = ("PLAINTEXT", "SASL_PLAINTEXT", "SSL", "SASL_SSL")
HARMFUL: Final = frozenset({64, 81, 57})
"""UnregisterBroker, RemoveRaftVoter, UpdateFeatures: understood, they end what is tested."""

SILENCE_S: Final = 0.02
"""A client that has heard nothing for so long goes on."""

PROBE_TIMEOUT_S: Final = 20.0
STREAM_BYTES_MAX: Final = 20_000
_BAD: Final = re.compile(
    rb"failed unexpectedly|unexpected error|Traceback|never retrieved|was never awaited|\[error +\]"
)


class Ports(NamedTuple):
    """Where the node listens, by protocol."""

    by_protocol: dict[str, int]

    def client(self, protocol: str) -> RawClient:
        """One that can connect to this listener."""
        tls = context() if protocol.endswith("SSL") else None
        return SecureClient(self.by_protocol[protocol], tls)


class Inputs(NamedTuple):
    """What is changed before it is sent."""

    conversations: list[bytes]
    frames: list[bytes]
    hellos: list[bytes]


def first_inputs() -> Inputs:
    """Whole conversations, frames of all APIs, and first messages of TLS."""
    streams = [data[1:] for data in (*seeds("logins"), *read_corpus("logins")) if len(data) > 1]
    frames = [frame for key, frame in request_seeds() if key not in HARMFUL]
    return Inputs(streams, frames, [_hello(version) for version in (2, 3) for _ in range(4)])


def _hello(minor: int) -> bytes:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    tls.maximum_version = ssl.TLSVersion.TLSv1_2 if minor == 2 else ssl.TLSVersion.TLSv1_3
    coming, going = ssl.MemoryBIO(), ssl.MemoryBIO()
    with suppress(ssl.SSLWantReadError):
        tls.wrap_bio(coming, going, server_hostname="localhost").do_handshake()
    return going.read()


def settings(ports: dict[str, int]) -> dict[str, str]:
    """Of the node: small limits, so that they are met."""
    return {
        "listeners": ",".join(f"{name}://127.0.0.1:{port}" for name, port in ports.items()),
        **KEYS,
        **logins("SASL_PLAINTEXT", "SASL_SSL"),
        "ssl.client.auth": "requested",
        "connections.max.idle.ms": "5000",
        "max.connections.per.ip": "200",
        "audit.max.lines.per.minute": "10",
    }


class Fuzzer:
    """Talks to one node until the time is over."""

    def __init__(
        self, node: NodeProcess, ports: Ports, inputs: Inputs, chance: random.Random
    ) -> None:
        self._node = node
        self._ports = ports
        self._inputs = inputs
        self._chance = chance
        self.counts: Counter[str] = Counter()
        self.slowest_probe_s = 0.0
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
                async with asyncio.timeout(PROBE_TIMEOUT_S), self._ports.client("PLAINTEXT") as one:
                    await one.ask(ApiVersionsRequest(), 3)
            except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
                self.failure = f"the node does not answer: {error!r}"
            self.slowest_probe_s = max(self.slowest_probe_s, time.monotonic() - began)
            self.look_at_log()
            await asyncio.sleep(1.0)

    def look_at_log(self) -> None:
        """Keep the lines of errors: the node's output keeps the last lines only."""
        for line in self._node.output.copy():
            if _BAD.search(line):
                self.bad_lines[line] = None

    async def _attack(self, ends: float) -> None:
        chance = self._chance
        while time.monotonic() < ends and self.failure is None:
            protocol = chance.choice(PROTOCOLS)
            kind = chance.choice(("before", "after", "after"))
            if protocol.endswith("SSL") and chance.random() < 0.3:
                kind = "hello"
            self.counts[f"{protocol}, {kind}"] += 1
            with suppress(OSError, TimeoutError, EOFError, AssertionError):
                async with asyncio.timeout(PROBE_TIMEOUT_S):
                    await self._talk(protocol, kind)

    async def _talk(self, protocol: str, kind: str) -> None:
        if kind == "hello":
            async with RawClient("127.0.0.1", self._ports.by_protocol[protocol]) as client:
                await _say(client, self._changed(self._inputs.hellos))
            return
        async with self._ports.client(protocol) as client:
            if kind == "before":
                await _say(client, self._changed(self._inputs.conversations))
                return
            if protocol.startswith("SASL"):
                await log_in(client, "PLAIN", ADMIN, ADMIN_PASSWORD)
            for _ in range(self._chance.randrange(1, 12)):
                await _say(client, self._changed_frame())

    def _changed(self, inputs: list[bytes]) -> bytes:
        chance = self._chance
        data = bytearray(chance.choice(inputs))
        for _ in range(chance.randrange(CHANGES_MAX)):
            changed(data, inputs, chance)
        return bytes(data[:STREAM_BYTES_MAX])

    def _changed_frame(self) -> bytes:
        """Mostly with the length that it has now, so that more than its length is looked at."""
        chance = self._chance
        content = bytearray(chance.choice(self._inputs.frames)[4:])
        head, body = content[:8], content[8:]
        for _ in range(chance.randrange(4)):
            changed(body, self._inputs.frames, chance)
        data = bytes((head + body)[:STREAM_BYTES_MAX])
        size = len(data) if chance.random() < 0.97 else chance.randrange(-1, 1 << 20)
        return size.to_bytes(4, "big", signed=True) + data


async def _say(client: RawClient, data: bytes) -> None:
    """Send it, and read until nothing more comes. Raises EOFError at the end of the connection."""
    client.writer.write(data)
    await client.writer.drain()
    while True:
        try:
            async with asyncio.timeout(SILENCE_S):
                if not await client.reader.read(1 << 16):
                    raise EOFError
        except TimeoutError:
            return


def main() -> int:
    """Parse the command line, fuzz, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "fuzz" / "wire")
    options = parser.parse_args()
    seed = random.randrange(2**32) if options.seed is None else options.seed
    options.out.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as directory:
        return fuzz(Path(directory), options.out, seed, options.seconds, options.clients)


def fuzz(directory: Path, out: Path, seed: int, seconds: float, clients: int) -> int:
    """The exit status."""
    by_protocol: dict[str, int] = dict(zip(PROTOCOLS, free_ports(len(PROTOCOLS)), strict=True))
    port = by_protocol["PLAINTEXT"]
    node = NodeProcess(directory, port=port, settings=settings(by_protocol))
    with node:
        fuzzer = Fuzzer(node, Ports(by_protocol), first_inputs(), random.Random(seed))
        asyncio.run(fuzzer.run(min(seconds / 10, 30.0), clients))  # caches are filled by then
        before_mb = resident_mb(node.pid)
        asyncio.run(fuzzer.run(seconds, clients))
        time.sleep(1.0)
        after_mb = resident_mb(node.pid) if fuzzer.failure is None else 0.0
        status = node.stop()
    (out / "node.log").write_bytes(b"".join(node.output))
    fuzzer.look_at_log()
    bad = list(fuzzer.bad_lines)
    print(
        json.dumps(
            {
                "seed": seed,
                "conversations": dict(sorted(fuzzer.counts.items())),
                "resident_before_mb": round(before_mb, 1),
                "resident_after_mb": round(after_mb, 1),
                "slowest_answer_s": round(fuzzer.slowest_probe_s, 2),
                "failure": fuzzer.failure,
                "status": status,
                "lines_of_errors": len(bad),
            },
            indent=2,
        )
    )
    for line in bad[:20]:
        print(line.decode(errors="replace").rstrip())
    return 1 if bad or status or fuzzer.failure is not None else 0


if __name__ == "__main__":
    sys.exit(main())
