"""What the heartbeats of many small groups cost one broker: `python -m bench.heartbeats`.

Every group has four members of the consumer protocol (KIP-848), each of which speaks as often as
the broker asks for. It is measured when all groups are at rest. Prints one JSON object: heartbeats
a second, the broker's share of a core while nothing else happens, the same without groups, and how
late the answers were.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import uuid
from collections import deque

from barnabas.protocol.messages.consumer_group_heartbeat_request import (
    ConsumerGroupHeartbeatRequest,
    TopicPartitions,
)
from barnabas.protocol.messages.consumer_group_heartbeat_response import (
    ConsumerGroupHeartbeatResponse,
)

from . import procfs
from .cluster.commits import coordinator_port
from .figures import percentile
from .node import Barnabas
from .running import FIRST_TOPIC
from .wire import RefusedError, Wire, frame

HEARTBEAT, VERSION = 68, 1
REBALANCE_TIMEOUT_MS = 300_000
MEMBERS = 4
LOOK_S = 1.0


class Member:
    """One member, as the broker sees it."""

    def __init__(self, group_id: str) -> None:
        self.group_id = group_id
        self.member_id = str(uuid.uuid4())
        self.epoch = 0
        self.interval_s = self.usual_s = 0.0
        self.gained: list[TopicPartitions] | None = None
        """Its partitions, if it has not acknowledged them yet."""

    def beat(self, connection: Wire) -> bool:
        """One heartbeat and its answer; whether that brought anything new. `RefusedError`."""
        is_first = not self.epoch
        gained, self.gained = self.gained, None
        request = ConsumerGroupHeartbeatRequest(
            group_id=self.group_id,
            member_id=self.member_id,
            member_epoch=self.epoch,
            rebalance_timeout_ms=REBALANCE_TIMEOUT_MS if is_first else -1,
            subscribed_topic_names=[FIRST_TOPIC] if is_first else None,
            topic_partitions=[] if is_first else gained,
        )
        answer = connection.call(frame(HEARTBEAT, VERSION, 0, request.encode(VERSION)))
        found = ConsumerGroupHeartbeatResponse.decode(answer, VERSION)
        if found.error_code:
            raise RefusedError("ConsumerGroupHeartbeat", found.error_code)
        self.interval_s = found.heartbeat_interval_ms / 1000
        if is_first:
            self.usual_s = self.interval_s
        if found.assignment is not None:
            self.gained = [
                TopicPartitions(topic_id=one.topic_id, partitions=one.partitions)
                for one in found.assignment.topic_partitions
            ]
        is_new, self.epoch = found.member_epoch != self.epoch, found.member_epoch
        return is_new or found.assignment is not None


def join(groups: int, connection: Wire) -> list[Member]:
    """All groups with their members, each with the last epoch of its group."""
    members = []
    for number in range(groups):
        group = [Member(f"heartbeats-{number}") for _ in range(MEMBERS)]
        for member in group:
            member.beat(connection)
        while any([member.beat(connection) for member in group]):
            pass
        members += group
    return members


def come_to_rest(members: list[Member], usual_s: float, connection: Wire) -> None:
    """Heartbeats until everybody is told the usual interval: groups that settle are asked sooner.

    `usual_s`: what the first member of a group was told when it joined.
    """
    early = members
    while early:
        time.sleep(LOOK_S)
        for member in early:
            member.beat(connection)
        early = [member for member in members if member.interval_s < usual_s]


def beat(members: list[Member], connection: Wire, seconds: float) -> list[float]:
    """Everybody's heartbeats at an even pace; how long each answer took, in milliseconds."""
    took_ms = []
    pause_s = members[0].interval_s / len(members)
    begun = time.monotonic()
    queue, sent = deque(members), 0
    while (now := time.monotonic()) < begun + seconds:
        due = begun + sent * pause_s
        if now < due:
            time.sleep(due - now)
        began = time.monotonic()
        queue[0].beat(connection)
        took_ms.append(1e3 * (time.monotonic() - began))
        queue.rotate(-1)
        sent += 1
    return took_ms


def measure(groups: int, seconds: float) -> dict[str, float]:
    """One broker from this environment: idle, then with the groups."""
    broker = Barnabas(checkout=True)
    broker.start()
    try:
        before = procfs.cpu_seconds(broker.pid)
        time.sleep(seconds)
        idle_s = procfs.cpu_seconds(broker.pid) - before
        coordinator_port(broker.port, "heartbeats-0")
        with Wire(broker.port) as connection:
            joining = time.monotonic()
            members = join(groups, connection)
            joined_s = time.monotonic() - joining
            come_to_rest(members, members[0].usual_s, connection)
            before = procfs.cpu_seconds(broker.pid)
            took_ms = sorted(beat(members, connection, seconds))
            busy_s = procfs.cpu_seconds(broker.pid) - before
        return {
            "groups": groups,
            "members": len(members),
            "joins_per_s": len(members) / joined_s,
            "heartbeats_per_s": len(took_ms) / seconds,
            "core_percent": 100 * busy_s / seconds,
            "core_percent_idle": 100 * idle_s / seconds,
            "p50_ms": percentile(took_ms, 50),
            "p99_ms": percentile(took_ms, 99),
            "resident_mb": broker.resident_mb(),
        }
    finally:
        broker.stop()


def main() -> None:
    """Read the command line, run, print the figures as JSON."""
    parser = argparse.ArgumentParser(prog="python -m bench.heartbeats", description=__doc__)
    parser.add_argument("--groups", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=10.0)
    options = parser.parse_args()
    json.dump(measure(options.groups, options.seconds), sys.stdout, indent=2)


if __name__ == "__main__":
    main()
