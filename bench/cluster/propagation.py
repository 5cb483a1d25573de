"""How soon after its acknowledgement a record can be read at a follower (KIP-392).

A consumer's Fetch is parked at the follower's end of the log; then one record is produced at the
leader. What counts is the time from the acknowledgement to the follower's answer with the record.
"""

from __future__ import annotations

import time

from ..figures import percentile
from ..wire import RefusedError, Wire, one_record_batch
from .requests import fetch_request, read_fetched
from .running import Cluster

TOPIC = "propagation"
LEADER, FOLLOWER = 1, 2
MAX_WAIT_MS = 5_000
PAUSE_S = 0.005
"""So that the follower's own fetch is parked at the leader again."""
OUT_OF_RANGE = 1


def measure(cluster: Cluster, count: int) -> dict[str, float]:
    """`count` records, one after the other; delays in milliseconds."""
    cluster.create_topic(TOPIC, 1, [[LEADER, FOLLOWER, 3]])
    cluster.wait_for_leaders(TOPIC, 1)
    delays_ms = []
    with Wire(cluster.ports[LEADER], 30.0) as leader, Wire(cluster.ports[FOLLOWER], 30.0) as near:
        for _ in range(count):
            delays_ms.append(one_record(leader, near) * 1e3)
            time.sleep(PAUSE_S)
    ordered = sorted(delays_ms)
    return {
        "follower_read.worst_ms": ordered[-1],
        "follower_read.p50_ms": percentile(ordered, 50),
        "follower_read.records": count,
    }


def one_record(leader: Wire, near: Wire) -> float:
    """Seconds from the acknowledgement to the record's arrival from the follower; 0 if it came
    before the acknowledgement."""
    end = leader.end_offset(TOPIC, 0)
    request = fetch_request(TOPIC, 0, end, max_wait_ms=MAX_WAIT_MS)
    near.socket.sendall(request)
    leader.produce_one(TOPIC, 0, one_record_batch(b"x" * 100, int(time.time() * 1000)))
    acked = time.perf_counter()
    body = near.receive()
    while True:
        arrived = time.perf_counter()
        error, size = read_fetched(body)
        if error not in (0, OUT_OF_RANGE):
            raise RefusedError("Fetch at a follower", error)
        if size:
            return max(0.0, arrived - acked)
        body = near.call(request)
