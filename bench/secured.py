"""What TLS costs: `python -m bench.secured` measures handshakes and bulk loads.

One process of barnabas with a plain listener and one with TLS 1.3 (a certificate of an EC key):
full and resumed handshakes a second, and in each second of the broker's CPU, with the longest time
that somebody on the plain listener waits for an answer meanwhile; then the same bulk loads over TLS
and without, and with `--kafka` those of Apache Kafka, whose turns alternate with ours, and the
ratios. Prints JSON; every load runs in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import shutil
import socket
import ssl
import sys
import threading
import time
from collections.abc import Callable
from functools import partial

from barnabas.authority import issue, new_authority
from barnabas.protocol.header import encode_request
from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest

from . import paths, procfs
from .figures import median, percentile
from .kafka import Kafka
from .node import Barnabas
from .running import Broker, TlsListener, free_port
from .suite import Figures, create_topic, run_client

HOST = "127.0.0.1"
CLIENTS = 4
PROBE_EVERY_S = 0.005
SIZE = 1024
ASKED = encode_request(ApiVersionsRequest(), 0, 1, "bench")
BUILD = paths.BUILD / "tls"


class Keys:
    """An authority, and a certificate for this machine."""

    def __init__(self) -> None:
        BUILD.mkdir(parents=True, exist_ok=True)
        authority = new_authority("bench")
        own = issue(authority, "broker", [HOST])
        self.ca = BUILD / "ca.pem"
        self.keystore = BUILD / "broker.pem"
        self.ca.write_text(authority.certificate)
        self.keystore.write_text(own.key + own.certificate)
        self.keystore.chmod(0o600)


# --- handshakes -----------------------------------------------------------------------------------


def ask(connection: socket.socket) -> None:
    """One small request and its answer; with TLS 1.3 the tickets come with it."""
    connection.sendall(ASKED)
    size = int.from_bytes(_exactly(connection, 4), "big")
    _exactly(connection, size)


def _exactly(connection: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        more = connection.recv(size - len(found))
        if not more:
            raise EOFError
        found += more
    return found


def shake_hands(port: int, ca: str, seconds: float, *, resumes: bool) -> tuple[int, int]:
    """How many handshakes one client makes in this time, and how many of them were resumed."""
    tls = ssl.create_default_context(cafile=ca)
    tls.minimum_version = ssl.TLSVersion.TLSv1_3
    count = resumed = 0
    session: ssl.SSLSession | None = None
    ends = time.perf_counter() + seconds
    while time.perf_counter() < ends:
        with (
            socket.create_connection((HOST, port)) as plain,
            tls.wrap_socket(plain, server_hostname=HOST, session=session) as connection,
        ):
            ask(connection)
            count += 1
            resumed += bool(connection.session_reused)
            if resumes:
                session = connection.session
    return count, resumed


def probe(port: int, is_over: threading.Event) -> list[float]:
    """Times of small answers on the plain listener, in ms: one of them has each stall in it."""
    found = []
    with socket.create_connection((HOST, port)) as connection:
        while not is_over.is_set():
            began = time.perf_counter()
            ask(connection)
            found.append((time.perf_counter() - began) * 1000.0)
            time.sleep(PROBE_EVERY_S)
    return sorted(found)


def handshakes(broker: Broker, tls_port: int, ca: str, seconds: float, *, resumes: bool) -> Figures:
    """Of some clients at once, in processes of their own."""
    is_over, times = threading.Event(), list[float]()
    thread = threading.Thread(target=lambda: times.extend(probe(broker.port, is_over)))
    with multiprocessing.get_context("spawn").Pool(CLIENTS) as pool:
        pool.map(abs, range(CLIENTS))  # they are there before the clock runs
        thread.start()
        cpu, began = procfs.cpu_seconds(broker.pid), time.perf_counter()
        work = partial(shake_hands, tls_port, ca, seconds, resumes=resumes)
        rows = [pool.apply_async(work) for _ in range(CLIENTS)]
        found = [row.get() for row in rows]
        took = time.perf_counter() - began
        worked = procfs.cpu_seconds(broker.pid) - cpu
    is_over.set()
    thread.join()
    count = sum(made for made, _ in found)
    return {
        "per_s": count / took,
        "per_cpu_s": count / worked,
        "resumed_share": sum(resumed for _, resumed in found) / count,
        "others_p99_ms": percentile(times, 99),
        "others_max_ms": max(times),
    }


def quiet(port: int, seconds: float) -> Figures:
    """The same probe while nobody shakes hands."""
    is_over = threading.Event()
    threading.Timer(seconds, is_over.set).start()
    times = probe(port, is_over)
    return {"others_p99_ms": percentile(times, 99), "others_max_ms": max(times)}


# --- loads ----------------------------------------------------------------------------------------


def loads(broker: Broker, ca: str, count: int, turn: int) -> dict[str, float]:
    """MB a second, produced and consumed, over TLS and without."""
    assert broker.tls is not None
    found = {}
    for way, port, more in (
        ("plain", broker.port, ()),
        ("tls", broker.tls.port, ("--ca", ca)),
    ):
        topic = f"{way}-{turn}"
        create_topic(broker.port, topic, 1)
        shape = ("--size", str(SIZE), "--topic", topic, "--port", str(port), *more)
        for what in ("produce", "consume"):
            figures = run_client(
                "bulk", what, *shape, "--count", str(count), "--pid", str(broker.pid)
            )
            found[f"{what}.{way}"] = figures["mb_per_s"]
            found[f"{what}.{way}.cpu_s_per_gb"] = figures["cpu_s_per_gb"]
    return found


def compare(brokers: list[Broker], keys: Keys, count: int, rounds: int) -> dict[str, Figures]:
    """Medians of some rounds, in which the brokers take turns."""
    rows: dict[str, list[dict[str, float]]] = {broker.name: [] for broker in brokers}
    for turn in range(rounds + 1):  # the first one warms up
        for broker in brokers:
            found = loads(broker, str(keys.ca), count, turn)
            if turn:
                rows[broker.name].append(found)
    return {
        name: {key: median([row[key] for row in found]) for key in found[0]}
        for name, found in rows.items()
    }


def ratios(rows: dict[str, Figures]) -> Figures:
    """Ours over Kafka's, over TLS: at least 1 is wanted of MB a second, at most 0.5 of CPU."""
    ours, theirs = rows.values()
    return {key: ours[key] / theirs[key] for key in ours if ".tls" in key and theirs[key]}


# --- all ------------------------------------------------------------------------------------------


def started(broker: Broker, keys: Keys) -> Broker:
    """With both listeners."""
    broker.prepare()
    broker.tls = TlsListener(free_port(), keys.keystore)
    broker.start()
    return broker


def measure(options: argparse.Namespace, brokers: list[Broker], keys: Keys) -> dict[str, object]:
    """What was asked for."""
    found: dict[str, object] = {}
    ours = brokers[0]
    assert ours.tls is not None
    if options.do != "loads":
        ports: Callable[..., Figures] = partial(
            handshakes, ours, ours.tls.port, str(keys.ca), options.seconds
        )
        found["quiet"] = quiet(ours.port, options.seconds)
        found["full"] = ports(resumes=False)
        found["resumed"] = ports(resumes=True)
    if options.do != "handshakes":
        found["loads"] = rows = compare(brokers, keys, options.records, options.rounds)
        if len(rows) > 1:
            found["ratios"] = ratios(rows)
    return found


def main() -> None:
    """Read the command line, run, print the figures as JSON."""
    parser = argparse.ArgumentParser(prog="python -m bench.secured", description=__doc__)
    parser.add_argument("--do", choices=("all", "handshakes", "loads"), default="all")
    parser.add_argument("--kafka", action="store_true", help="Apache Kafka's loads, too")
    parser.add_argument("--seconds", type=float, default=10.0, help="of each kind of handshake")
    parser.add_argument("--records", type=int, default=200_000, help=f"of {SIZE} bytes, a load")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    keys = Keys()
    brokers: list[Broker] = [Barnabas(checkout=True)]
    if options.kafka:
        brokers.append(Kafka())
    try:
        for broker in brokers:
            started(broker, keys)
        json.dump(measure(options, brokers, keys), sys.stdout, indent=2)
        print()
    finally:
        for broker in brokers:
            broker.kill()
        shutil.rmtree(BUILD, ignore_errors=True)


if __name__ == "__main__":
    main()
