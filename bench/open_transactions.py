"""A coordinator that starts with many open transactions: `python -m bench.open_transactions`.

Each transactional id gets a producer id and adds a partition; then the broker is killed and started
again on its data. Prints one JSON object: how long it took from the start of the process until the
coordinator answered for the last id, the longest that another client waited for an answer meanwhile
(the event loop stood still), memory, and whether every transaction was open still and could be
committed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.message import Message
from barnabas.protocol.messages.add_partitions_to_txn_request import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnTopic,
)
from barnabas.protocol.messages.add_partitions_to_txn_response import AddPartitionsToTxnResponse
from barnabas.protocol.messages.end_txn_request import EndTxnRequest
from barnabas.protocol.messages.end_txn_response import EndTxnResponse
from barnabas.protocol.messages.find_coordinator_request import FindCoordinatorRequest
from barnabas.protocol.messages.find_coordinator_response import FindCoordinatorResponse
from barnabas.protocol.messages.init_producer_id_request import InitProducerIdRequest
from barnabas.protocol.messages.init_producer_id_response import InitProducerIdResponse

from .node import Barnabas
from .running import FIRST_TOPIC
from .wire import RefusedError, Wire, frame

TRANSACTION = 1
"""Key type of FindCoordinator."""
FIND_VERSION, INIT_VERSION, ADD_VERSION, END_VERSION = 4, 4, 3, 3
TIMEOUT_MS = 900_000
AT_ONCE = 100
"""Requests that are on their way at one time."""
LIMIT_S = 120.0
LOOK_S = 0.005
CALM_S = 1.0
FIRST = 200
NOT_YET = {
    ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
    ErrorCode.NOT_COORDINATOR,
    ErrorCode.CONCURRENT_TRANSACTIONS,
}


def encoded(request: Message, version: int) -> bytes:
    """The frame of a request."""
    assert request.API_KEY is not None
    return frame(request.API_KEY, version, 0, request.encode(version))


def exchange(connection: Wire, requests: Iterable[bytes]) -> Iterator[bytes]:
    """The answers, in order; a hundred requests are sent before the first answer is read."""
    under_way = 0
    for request in requests:
        connection.socket.sendall(request)
        under_way += 1
        if under_way == AT_ONCE:
            for _ in range(under_way):
                yield connection.receive()
            under_way = 0
    for _ in range(under_way):
        yield connection.receive()


def open_all(connection: Wire, ids: list[str]) -> list[InitProducerIdResponse]:
    """A transaction for each id, with one partition in it; `RefusedError`."""
    producers = []
    asks = (
        encoded(InitProducerIdRequest(transactional_id=one, transaction_timeout_ms=TIMEOUT_MS), 4)
        for one in ids
    )
    for answer in exchange(connection, asks):
        found = InitProducerIdResponse.decode(answer, INIT_VERSION)
        if found.error_code:
            raise RefusedError("InitProducerId", found.error_code)
        producers.append(found)
    adds = (
        encoded(
            AddPartitionsToTxnRequest(
                v3_and_below_transactional_id=one,
                v3_and_below_producer_id=producer.producer_id,
                v3_and_below_producer_epoch=producer.producer_epoch,
                v3_and_below_topics=[AddPartitionsToTxnTopic(name=FIRST_TOPIC, partitions=[0])],
            ),
            ADD_VERSION,
        )
        for one, producer in zip(ids, producers, strict=True)
    )
    for answer in exchange(connection, adds):
        added = AddPartitionsToTxnResponse.decode(answer, ADD_VERSION)
        for topic in added.results_by_topic_v3_and_below:
            for row in topic.results_by_partition:
                if row.partition_error_code:
                    raise RefusedError("AddPartitionsToTxn", row.partition_error_code)
    return producers


def commit(connection: Wire, one: str, producer: InitProducerIdResponse) -> ErrorCode:
    """What EndTxn says."""
    request = EndTxnRequest(
        transactional_id=one,
        producer_id=producer.producer_id,
        producer_epoch=producer.producer_epoch,
        committed=True,
    )
    answer = connection.call(encoded(request, END_VERSION))
    return ErrorCode(EndTxnResponse.decode(answer, END_VERSION).error_code)


def coordinator_is_there(connection: Wire, one: str) -> bool:
    """Whether FindCoordinator names one; asking makes the internal topic."""
    request = FindCoordinatorRequest(coordinator_keys=[one], key_type=TRANSACTION)
    (found,) = FindCoordinatorResponse.decode(
        connection.call(encoded(request, FIND_VERSION)), FIND_VERSION
    ).coordinators
    if found.error_code and found.error_code not in NOT_YET:
        raise RefusedError("FindCoordinator", found.error_code)
    return not found.error_code


class Pinger:
    """Another client, which asks for something small all the time, from a thread of its own."""

    def __init__(self, port: int) -> None:
        self.longest_ms = 0.0
        self._port = port
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._ping, daemon=True)

    def _ping(self) -> None:
        with Wire(self._port) as connection:
            while not self._is_over.wait(LOOK_S):
                began = time.perf_counter()
                connection.topic(FIRST_TOPIC)
                self.longest_ms = max(self.longest_ms, 1e3 * (time.perf_counter() - began))

    def __enter__(self) -> Pinger:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()


def is_reachable(port: int) -> bool:
    """Whether somebody takes connections there."""
    try:
        Wire(port).close()
    except OSError:
        return False
    return True


def until(is_so: Callable[[], bool]) -> None:
    """Ask again and again, for two minutes at most; TimeoutError."""
    deadline = time.monotonic() + LIMIT_S
    while not is_so():
        if time.monotonic() > deadline:
            raise TimeoutError(f"not within {LIMIT_S:.0f} s")
        time.sleep(LOOK_S)


def restart(broker: Barnabas) -> float:
    """Kill it, start it on the same data; when the new process began, on the monotonic clock."""
    assert broker.process is not None
    broker.process.kill()
    broker.process.wait()
    with broker.log_path.open("ab") as output:
        began = time.monotonic()
        broker.process = subprocess.Popen(
            broker.format(), stdout=output, stderr=output, cwd=broker.directory
        )
    return began


def commit_all(
    connection: Wire, ids: list[str], producers: list[InitProducerIdResponse]
) -> tuple[float, float]:
    """End every transaction, as soon as its coordinator has been loaded; when the first hundreds,
    of all partitions of the internal topic, were answered, and when the last was."""
    first_at = 0.0
    for number, (one, producer) in enumerate(zip(ids, producers, strict=True)):
        while (code := commit(connection, one, producer)) in NOT_YET:
            time.sleep(LOOK_S)
        if code is not ErrorCode.NONE:
            raise RefusedError("EndTxn", code)
        if number < FIRST:
            first_at = time.monotonic()
    return first_at, time.monotonic()


def measure(count: int) -> dict[str, float]:
    """One broker from this environment, with so many open transactions."""
    broker = Barnabas(checkout=True)
    broker.start()
    ids = [f"open-{number}" for number in range(count)]
    try:
        with Wire(broker.port) as connection:
            until(lambda: coordinator_is_there(connection, ids[0]))
            began = time.monotonic()
            producers = open_all(connection, ids)
            opened_s = time.monotonic() - began
        began = restart(broker)
        until(lambda: is_reachable(broker.port))
        with Pinger(broker.port) as pinger, Wire(broker.port) as connection:
            first_at, last_at = commit_all(connection, ids, producers)
            time.sleep(CALM_S)
        return {
            "transactions": count,
            "opened_per_s": count / opened_s,
            "answers_after_s": first_at - began,
            "all_committed_after_s": last_at - began,
            "longest_wait_ms": pinger.longest_ms,
            "resident_mb": broker.resident_mb(),
        }
    finally:
        broker.kill()


def main() -> None:
    """Read the command line, run, print the figures as JSON."""
    parser = argparse.ArgumentParser(prog="python -m bench.open_transactions", description=__doc__)
    parser.add_argument("--transactions", type=int, default=10_000)
    options = parser.parse_args()
    json.dump(measure(options.transactions), sys.stdout, indent=2)


if __name__ == "__main__":
    main()
