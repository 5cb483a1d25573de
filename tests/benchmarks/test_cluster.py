"""The arithmetic of the benchmarks of three nodes, and the bytes that they send."""

from __future__ import annotations

import io
import struct
from collections.abc import Sequence

import pytest

from barnabas.protocol.messages.create_topics_request import CreateTopicsRequest
from barnabas.protocol.messages.create_topics_response import (
    CreatableTopicResult,
    CreateTopicsResponse,
)
from barnabas.protocol.messages.fetch_request import FetchRequest
from barnabas.protocol.messages.fetch_response import (
    FetchableTopicResponse,
    FetchResponse,
    PartitionData,
)
from barnabas.protocol.messages.metadata_response import MetadataResponse, MetadataResponseBroker
from bench.cluster import moves, racks, requests, writer
from bench.cluster.failover import Failover, verdict
from bench.cluster.suite import gaps_text
from bench.cluster.targets import METRICS
from bench.load import following
from bench.metadata_restart import batches, records
from bench.report import Result, Sample
from bench.wire import RefusedError, Wire


def body_of(frame: bytes) -> bytes:
    """What follows length, key, version, correlation id, client id and tags of a request."""
    (length,) = struct.unpack_from(">h", frame, 12)
    return frame[4 + 8 + 2 + length + 1 :]


@pytest.mark.parametrize(
    ("ports", "expected"),
    [([1], [0]), ([1, 1, 1], [1, 2, 0]), ([1, 2, 3], [0, 1, 2]), ([1, 2, 1, 2], [2, 3, 0, 1])],
)
def test_a_connection_goes_round_the_partitions_of_its_broker(
    ports: Sequence[int], expected: Sequence[int]
) -> None:
    assert following(ports) == expected


def test_create_topics_is_what_a_broker_reads() -> None:
    frame = requests.create_topic_request("t", 9)
    request = CreateTopicsRequest.decode(body_of(frame), 7)
    (topic,) = request.topics
    assert (topic.name, topic.num_partitions, topic.replication_factor) == ("t", 9, 3)
    frame = requests.create_topic_request("t", 2, [[1, 2], [2, 3]])
    (topic,) = CreateTopicsRequest.decode(body_of(frame), 7).topics
    assert (topic.num_partitions, topic.replication_factor) == (-1, -1)
    assert [one.broker_ids for one in topic.assignments] == [[1, 2], [2, 3]]


def test_a_topic_that_was_not_created_is_an_error() -> None:
    result = CreatableTopicResult(name="t", num_partitions=1, replication_factor=3)
    requests.read_created(CreateTopicsResponse(topics=[result]).encode(7))
    result.error_code = 38
    with pytest.raises(RefusedError, match="38"):
        requests.read_created(CreateTopicsResponse(topics=[result]).encode(7))


def test_fetch_is_what_a_broker_reads() -> None:
    frame = requests.fetch_request("t", 4, 17, max_wait_ms=500)
    request = FetchRequest.decode(body_of(frame), 12)
    (topic,) = request.topics
    (partition,) = topic.partitions
    assert (request.max_wait_ms, request.min_bytes, request.session_epoch) == (500, 1, -1)
    assert (topic.topic, partition.partition, partition.fetch_offset) == ("t", 4, 17)


@pytest.mark.parametrize(
    ("error", "data", "expected"), [(0, b"", (0, 0)), (0, b"12345", (0, 5)), (6, b"", (6, 0))]
)
def test_what_was_fetched(error: int, data: bytes, expected: tuple[int, int]) -> None:
    partition = PartitionData(
        partition_index=4,
        error_code=error,
        high_watermark=9,
        aborted_transactions=[],
        records=data,
    )
    topic = FetchableTopicResponse(topic="t", partitions=[partition])
    assert requests.read_fetched(FetchResponse(responses=[topic]).encode(12)) == expected
    assert requests.read_fetched(FetchResponse(error_code=71).encode(12)) == (71, 0)
    assert requests.read_fetched(FetchResponse().encode(12)) == (0, 0)


def test_members_are_the_brokers_of_the_metadata(monkeypatch: pytest.MonkeyPatch) -> None:
    brokers = [MetadataResponseBroker(node_id=n, host="h", port=n, rack="a") for n in (1, 3)]
    answer = MetadataResponse(brokers=brokers).encode(12)
    connection = Wire.__new__(Wire)
    monkeypatch.setattr(Wire, "call", lambda _self, _request: answer)
    assert requests.read_members(connection) == {1, 3}


def test_the_longest_gap_and_when_it_began() -> None:
    assert writer.longest_gap([1.0, 1.5, 3.0, 3.25]) == (1.5, 1.5)
    assert writer.longest_gap([1.0]) == (0.0, 0.0)


def test_a_ledger_tells_the_first_acknowledgements(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    printed = io.StringIO()
    monkeypatch.setattr("sys.stdout", printed)
    ledger = writer.Ledger()
    for _ in range(writer.READY_AFTER):
        assert not printed.getvalue()
        ledger.acked()
    ledger.refused(7, ValueError("no"))
    assert printed.getvalue() == "ready\n"
    found = ledger.summary()
    assert (found["acked"], found["failed"]) == (writer.READY_AFTER, [7])
    assert found["errors"] == {"ValueError": 1}


def test_lost_is_acknowledged_and_absent_twice_is_there_again() -> None:
    """Goal: what failed may be there or not; what was acknowledged is there once."""
    assert verdict(4, [2], [0, 1, 2, 3]) == (0, 0)
    assert verdict(4, [2], [0, 1, 3]) == (0, 0)
    assert verdict(4, [], [0, 3, 3]) == (2, 1)


def test_gaps_in_words() -> None:
    ends = [Failover(gap, 0, 0, 0, {}, 0.0, 0.0) for gap in (320.4, 77.7)]
    assert gaps_text(ends) == "320 ms, 78 ms"


def test_each_round_gives_every_partition_another_leader() -> None:
    for partition in range(moves.PARTITIONS):
        leaders = [moves.turned(partition, number)[0] for number in range(3)]
        assert sorted(leaders) == [1, 2, 3]
        assert sorted(moves.turned(partition, 1)) == [1, 2, 3]


def test_only_what_was_sent_while_leaders_moved_counts() -> None:
    found = moves.summary([(0.5, 900.0), (1.0, 1.0), (1.5, 3.0), (2.5, 900.0)], 1.0, 2.0)
    assert (found["records"], found["p50_ms"], found["p999_ms"]) == (2, 1.0, 3.0)


def test_the_share_of_the_own_rack() -> None:
    """Goal: only what came after the warm-up counts, from whichever broker it came."""
    before = [{1: 100}, {2: 50}]
    after = [{1: 190, 2: 10}, {2: 150}]
    assert racks.own_share(before, after, [1, 2]) == 95.0


def test_names_of_metrics_are_their_own_and_rows_are_made_of_them() -> None:
    assert len({one.key for one in METRICS}) == len(METRICS)
    result = Result({}, {}, {}, metrics=METRICS)
    for broker, value in (("barnabas", 1.1), ("kafka", 6.0)):
        result.samples.append(Sample(1, broker, {"start.first_ack_s": value}))
    (row,) = result.rows()
    assert row.is_met
    result.samples[0] = Sample(1, "barnabas", {"start.first_ack_s": 1.51})
    (row,) = result.rows()
    assert row.is_met is False  # a quarter of Kafka's just missed, and 1.5 s too


def test_metadata_of_so_many_partitions() -> None:
    found = list(records(200, 2))
    assert len(found) == 2 + 200 + 2 * 200
    assert [len(one) for one in batches(iter(found), 250)] == [250, 250, 102]
