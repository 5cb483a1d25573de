"""One coordinator of groups under a crowd: `python -m bench.coordinators`.

- `load`: a hundred thousand committed offsets in one partition of `__consumer_offsets`; the broker
  is killed and started again on its data. How long after its first connection it answers for them.
- `commit`: as many offsets in one request, of partitions that do not exist for the most part.
- `classic`, `consumer`: a thousand members that join one group at the same time, by either
  protocol, until each has its part of a topic.
- `metadata`: a member that joins with a subscription of almost a hundred megabytes.

Beside each it says how long another client waited for an answer meanwhile, at the worst. Prints
one JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import sys
import time
from collections.abc import Callable

from barnabas.broker.core.coordination.partition_of import partition_of
from barnabas.client import Admin, NewTopic
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.join_group_request import JoinGroupRequest, JoinGroupRequestProtocol
from barnabas.protocol.messages.join_group_response import JoinGroupResponse
from barnabas.protocol.messages.offset_commit_request import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from barnabas.protocol.messages.offset_commit_response import OffsetCommitResponse
from barnabas.protocol.messages.offset_fetch_request import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
)
from barnabas.protocol.messages.offset_fetch_response import OffsetFetchResponse

from .cluster.commits import coordinator_port
from .crowd import join_at_once
from .node import Barnabas
from .open_transactions import encoded, exchange, is_reachable, restart, until
from .pings import Pings
from .wire import RefusedError, Wire

TOPIC = "crowded"
COMMIT_VERSION, FETCH_VERSION, JOIN_VERSION = 9, 9, 5
OFFSETS_PARTITIONS = 50
OF_A_GROUP = 100
"""So many offsets of `load` has each group."""
METADATA_BYTES = 99_000_000
CALM_S = 0.5
LIMIT_S = 60.0

Figures = dict[str, float]


def commit_frame(group_id: str, partitions: int) -> bytes:
    """Of nobody's, for a group without members."""
    rows = [
        OffsetCommitRequestPartition(
            partition_index=index, committed_offset=1, committed_metadata=""
        )
        for index in range(partitions)
    ]
    topics = [OffsetCommitRequestTopic(name=TOPIC, partitions=rows)]
    request = OffsetCommitRequest(
        group_id=group_id, generation_id_or_member_epoch=-1, topics=topics
    )
    return encoded(request, COMMIT_VERSION)


def refused(answer: bytes) -> int:
    """How many rows of an answer to OffsetCommit bear an error."""
    found = OffsetCommitResponse.decode(answer, COMMIT_VERSION)
    return sum(1 for topic in found.topics for row in topic.partitions if row.error_code)


def offsets_told(connection: Wire, group_id: str) -> int:
    """How many offsets the coordinator tells of a group; -1 while it does not answer for it."""
    asked = OffsetFetchRequest(groups=[OffsetFetchRequestGroup(group_id=group_id, topics=None)])
    answer = connection.call(encoded(asked, FETCH_VERSION))
    (group,) = OffsetFetchResponse.decode(answer, FETCH_VERSION).groups
    if group.error_code:
        if group.error_code in (
            ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
            ErrorCode.COORDINATOR_NOT_AVAILABLE,
            ErrorCode.NOT_COORDINATOR,
        ):
            return -1
        raise RefusedError("OffsetFetch", group.error_code)
    return sum(len(topic.partitions) for topic in group.topics)


def load(broker: Barnabas, offsets: int) -> Figures:
    """Groups of one shard, which is loaded when the broker comes back."""
    names = (
        name
        for name in map("loaded-{}".format, itertools.count())
        if partition_of(name, OFFSETS_PARTITIONS) == 0
    )
    groups = list(itertools.islice(names, offsets // OF_A_GROUP))
    with Wire(broker.port) as connection:
        for answer in exchange(connection, (commit_frame(one, OF_A_GROUP) for one in groups)):
            if refused(answer):
                raise AssertionError("a commit of partitions that exist was refused")
    began = restart(broker)
    until(lambda: is_reachable(broker.port))
    reachable = time.monotonic()
    with Pings(broker.port) as pings, Wire(broker.port) as connection:
        until(lambda: offsets_told(connection, groups[-1]) >= 0)
        loaded = time.monotonic()
        told = sum(offsets_told(connection, one) for one in groups)
    if told != len(groups) * OF_A_GROUP:
        raise AssertionError(f"{told} of {len(groups) * OF_A_GROUP} offsets came back")
    return {
        "offsets": told,
        "answers_after_start_s": loaded - began,
        "answers_after_first_connection_s": loaded - reachable,
        **pings.found,
    }


def commit(broker: Barnabas, offsets: int) -> Figures:
    """One request; partitions that are not there are refused, each by its row."""
    request = commit_frame("commits", offsets)
    with Wire(broker.port, LIMIT_S) as connection, Pings(broker.port) as pings:
        time.sleep(CALM_S)
        began = time.monotonic()
        answer = connection.call(request)
        took_s = time.monotonic() - began
    return {"offsets": offsets, "refused": refused(answer), "seconds": took_s, **pings.found}


def metadata(broker: Barnabas) -> Figures:
    """What becomes of it is the broker's choice, but it must answer or hang up, and go on."""
    subscription = JoinGroupRequestProtocol(name="range", metadata=bytes(METADATA_BYTES))
    request = JoinGroupRequest(
        group_id="heavy",
        session_timeout_ms=10_000,
        rebalance_timeout_ms=10_000,
        protocol_type="consumer",
        protocols=[subscription],
    )
    data = encoded(request, JOIN_VERSION)
    code = -1
    with Pings(broker.port) as pings:
        time.sleep(CALM_S)
        began = time.monotonic()
        try:
            with Wire(broker.port, LIMIT_S) as connection:
                connection.socket.sendall(data)
                size = int.from_bytes(connection.socket.recv(4), "big")
                # The header of this version has no tags.
                answer = connection.socket.recv(size)[4:] if size else b""
                code = JoinGroupResponse.decode(answer, JOIN_VERSION).error_code if answer else -1
        except OSError:
            pass  # it hung up
        took_s = time.monotonic() - began
    return {"bytes": METADATA_BYTES, "error_code": code, "seconds": took_s, **pings.found}


def joins(broker: Barnabas, protocol: str, members: int, partitions: int) -> Figures:
    """All of them at once, each on a connection of its own."""
    with Pings(broker.port) as pings:
        time.sleep(CALM_S)
        seconds = asyncio.run(join_at_once(broker.port, protocol, TOPIC, members, partitions))
    return {"members": members, "partitions": partitions, "seconds": seconds, **pings.found}


async def create_topic(port: int, partitions: int) -> None:
    """The topic of all parts."""
    async with Admin(bootstrap_servers=f"127.0.0.1:{port}") as admin:
        await admin.create_topics([NewTopic(TOPIC, partitions, 1)])


def measure(options: argparse.Namespace) -> dict[str, Figures]:
    """One broker from this environment, fresh for each part."""
    members, partitions, offsets = options.members, options.partitions, options.offsets
    parts: dict[str, Callable[[Barnabas], Figures]] = {
        "load": lambda broker: load(broker, offsets),
        "commit": lambda broker: commit(broker, offsets),
        "classic": lambda broker: joins(broker, "classic", members, partitions),
        "consumer": lambda broker: joins(broker, "consumer", members, partitions),
        "metadata": metadata,
    }
    found = {}
    for name in options.parts or parts:
        broker = Barnabas(checkout=True)
        broker.start()
        try:
            asyncio.run(create_topic(broker.port, partitions))
            coordinator_port(broker.port, "crowd")
            found[name] = {**parts[name](broker), "resident_mb": broker.resident_mb()}
        finally:
            broker.kill()
    return found


def main() -> None:
    """Read the command line, run, print the figures as JSON."""
    parser = argparse.ArgumentParser(prog="python -m bench.coordinators", description=__doc__)
    parts = ("load", "commit", "classic", "consumer", "metadata")
    parser.add_argument("--parts", nargs="*", choices=parts)
    parser.add_argument("--offsets", type=int, default=100_000)
    parser.add_argument("--members", type=int, default=1_000)
    parser.add_argument("--partitions", type=int, default=1_000)
    json.dump(measure(parser.parse_args()), sys.stdout, indent=2)


if __name__ == "__main__":
    main()
