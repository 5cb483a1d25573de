"""What a cluster is measured by, and how good it has to be."""

from __future__ import annotations

from ..targets import Better, Metric

CONNECTIONS = (1, 16, 64)
CLIENTS = {"ours": "our producer", "librdkafka": "librdkafka"}
VICTIMS = {"leader": "leader", "controller": "leader and controller"}
LESS, MORE = Better.LESS, Better.MORE


def _load(connections: int) -> list[Metric]:
    key = f"load_{connections}"
    text = f"{connections} connection" + ("s" if connections > 1 else "")
    rate, slow = (1.5, 0.7) if connections == CONNECTIONS[-1] else (None, None)
    return [
        Metric(f"{key}.requests_per_s", f"{text}, acks=all, RF 3", "req/s", MORE, rate),
        Metric(f"{key}.p50_ms", f"{text}, p50", "ms", LESS, digits=2),
        Metric(f"{key}.p99_ms", f"{text}, p99", "ms", LESS, slow, digits=2),
        Metric(f"{key}.cpu_us_per_request", f"{text}, CPU of all nodes", "µs/req", LESS),
    ]


def _failover(client: str) -> list[Metric]:
    rows = []
    for how, name, bound in (("kill", "SIGKILL", 600.0), ("stop", "SIGTERM", 80.0)):
        for victim, what in VICTIMS.items():
            key, text = f"{how}_{victim}_{client}", f"{name} of the {what}, {CLIENTS[client]}"
            target = bound if client == "ours" else None
            rows.append(Metric(f"{key}.gap_ms", f"{text}: gap", "ms", LESS, None, target))
    return [
        *rows,
        Metric(f"failover_{client}.lost", f"{CLIENTS[client]}: lost", "records", LESS, None, 0.0),
        Metric(f"failover_{client}.twice", f"{CLIENTS[client]}: twice", "records", LESS, None, 0.0),
    ]


def _rebalance(protocol: str) -> list[Metric]:
    key, text = f"rebalance_{protocol}", f"group of three, {protocol} protocol"
    return [
        Metric(f"{key}.first_assignment_ms", f"{text}: assigned", "ms", LESS, None, 300.0),
        Metric(f"{key}.fourth_settled_ms", f"{text}: with a fourth", "ms", LESS),
        Metric(f"{key}.gap_ms", f"{text}: gap where nothing moves", "ms", LESS, None, 50.0),
    ]


METRICS: tuple[Metric, ...] = (
    Metric("start.three_brokers_s", "start to three brokers", "s", LESS, 1 / 4, digits=2),
    Metric("start.first_ack_s", "start to first acks=all", "s", LESS, 1 / 4, 1.5, digits=2),
    Metric("memory.after_start_mb", "resident after start, all nodes", "MB", LESS, 1 / 5),
    *(metric for connections in CONNECTIONS for metric in _load(connections)),
    *(metric for client in CLIENTS for metric in _failover(client)),
    Metric(
        "follower_read.worst_ms", "acked to read at a follower, worst", "ms", LESS, None, 20.0, 1
    ),
    Metric("follower_read.p50_ms", "acked to read at a follower, p50", "ms", LESS, digits=2),
    Metric("moves.hints_p999_ms", "100 leaders move, hints: p99.9", "ms", LESS, digits=1),
    Metric("moves.no_hints_p999_ms", "100 leaders move, no hints: p99.9", "ms", LESS, digits=1),
    Metric("moves.lower_percent", "hints lower p99.9 by", "%", MORE, None, 88.0),
    Metric("racks.own_rack_percent", "bytes read in the own rack", "%", MORE, None, 99.0, 2),
    Metric("racks.follower_p99_ms", "produce to consume, own rack: p99", "ms", LESS, digits=2),
    Metric("racks.leader_p99_ms", "produce to consume, leaders: p99", "ms", LESS, digits=2),
    Metric("racks.round_p99_ms", "one fetch round between brokers: p99", "ms", LESS, digits=2),
    Metric(
        "racks.share_of_allowed", "own rack over 1.2 x leaders + one round", "x", LESS, None, 1.0, 2
    ),
    *(metric for protocol in ("classic", "consumer") for metric in _rebalance(protocol)),
    Metric("commits.requests_per_s", "offset commits, 48 connections", "1/s", MORE, 1.5),
    Metric("commits.p99_ms", "offset commits, p99", "ms", LESS, digits=2),
    Metric("transactions.per_s", "transactions, 32 producers", "1/s", MORE, 1.0, 1_000.0),
    Metric("transactions.p99_ms", "commit of a transaction, p99", "ms", LESS, 0.7, digits=2),
    Metric("transactions.cpu_us", "CPU of the nodes for a transaction, readers too", "us", LESS),
    Metric("more_transactions.per_s", "transactions, 128 producers", "1/s", MORE, 1.0, 1_000.0),
    Metric("more_transactions.p99_ms", "commit of one of those, p99", "ms", LESS, 0.7, digits=2),
    Metric(
        "transactions.read_share", "read_committed over read_uncommitted", "x", MORE, None, 0.9, 2
    ),
    Metric("memory.after_run_mb", "resident after the run, all nodes", "MB", LESS),
    Metric("stop.seconds", "all stop on SIGTERM", "s", LESS, digits=2),
)
