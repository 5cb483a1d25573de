"""Offset commits at the coordinators: one in flight on each connection, each for one partition.

Runs as a process of its own, `python -m bench.cluster.commits`, and prints one JSON object.
"""

from __future__ import annotations

import argparse
import json
import struct
import sys
import time
from collections.abc import Callable
from typing import TypeVar

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.find_coordinator_request import FindCoordinatorRequest
from barnabas.protocol.messages.find_coordinator_response import FindCoordinatorResponse
from barnabas.protocol.messages.offset_commit_request import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)

from ..load import Exchange, Load, timed
from ..wire import NO_TAGS, RefusedError, Wire, compact, frame

T = TypeVar("T")

FIND_COORDINATOR, OFFSET_COMMIT = 10, 8
FIND_VERSION, COMMIT_VERSION = 4, 9
HEAD_BYTES = 5
"""Correlation id and tags, which `Wire.call` takes off."""
LIMIT_S = 60.0
LOOK_S = 0.05
NOT_YET = {
    ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
    ErrorCode.NOT_COORDINATOR,
}


def coordinator_port(port: int, group_id: str) -> int:
    """The port of a group's coordinator, asked for until there is one; `RefusedError`."""
    body = FindCoordinatorRequest(coordinator_keys=[group_id]).encode(FIND_VERSION)

    def take(answer: bytes) -> int:
        (found,) = FindCoordinatorResponse.decode(answer, FIND_VERSION).coordinators
        if found.error_code:
            raise RefusedError("FindCoordinator", found.error_code)
        return found.port

    return asked_until_ready(port, frame(FIND_COORDINATOR, FIND_VERSION, 0, body), take)


def asked_until_ready(port: int, request: bytes, take: Callable[[bytes], T]) -> T:
    """What `take` finds in the answer; asked again while it raises `RefusedError` because a
    coordinator is not there yet, or loads."""
    deadline = time.monotonic() + LIMIT_S
    with Wire(port) as connection:
        while True:
            try:
                return take(connection.call(request))
            except RefusedError as error:
                if error.code not in NOT_YET or time.monotonic() > deadline:
                    raise
            time.sleep(LOOK_S)


def commit_exchange(group_id: str, topic: str, partition: int, correlation_id: int) -> Exchange:
    """A commit of nobody's in a group without members, and what its answer begins with."""
    row = OffsetCommitRequestPartition(
        partition_index=partition, committed_offset=1, committed_metadata=""
    )
    request = OffsetCommitRequest(
        group_id=group_id,
        generation_id_or_member_epoch=-1,
        topics=[OffsetCommitRequestTopic(name=topic, partitions=[row])],
    )
    head = struct.pack(">i", correlation_id) + NO_TAGS + struct.pack(">i", 0)
    rows = b"\x02" + compact(topic.encode()) + b"\x02" + struct.pack(">ih", partition, 0)
    body = request.encode(COMMIT_VERSION)
    return Exchange(frame(OFFSET_COMMIT, COMMIT_VERSION, correlation_id, body), head + rows)


def until_taken(port: int, exchange: Exchange) -> None:
    """Commit once; `RefusedError`."""

    def take(answer: bytes) -> None:
        expected = exchange.prefix[HEAD_BYTES:]
        if not answer.startswith(expected):
            (code,) = struct.unpack_from(">h", answer, len(expected) - 2)
            raise RefusedError("OffsetCommit", code)

    asked_until_ready(port, exchange.request, take)


def measure(options: argparse.Namespace) -> dict[str, float]:
    """One warm-up and one timed window."""
    names = [f"commits-{number}" for number in range(options.groups)]
    ports = [coordinator_port(options.port, name) for name in names]
    exchanges = [
        commit_exchange(name, options.topic, number % options.partitions, number)
        for number, name in enumerate(names)
    ]
    for port, exchange in zip(ports, exchanges, strict=True):
        until_taken(port, exchange)
    load = Load(ports, options.connections, exchanges)
    return timed(load, options.warm_up, options.seconds)


def main() -> None:
    """Read the command line, run, print the figures as JSON."""
    parser = argparse.ArgumentParser(prog="python -m bench.cluster.commits", description=__doc__)
    parser.add_argument("--port", type=int, required=True, help="of any broker")
    parser.add_argument("--topic", required=True)
    parser.add_argument("--partitions", type=int, default=3)
    parser.add_argument("--groups", type=int, default=48)
    parser.add_argument("--connections", type=int, default=48)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--warm-up", type=float, default=1.0)
    json.dump(measure(parser.parse_args()), sys.stdout)


if __name__ == "__main__":
    main()
