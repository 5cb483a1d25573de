"""Options are checked before any work, and each message names the option and what is allowed."""

from __future__ import annotations

import pytest

from barnabas.client.structs import TopicPartition
from barnabas.spark.errors import OptionError
from barnabas.spark.offsets import BoundKind, positions_from_json, positions_to_json
from barnabas.spark.options import (
    ReadOptions,
    includes_headers,
    parse_read_options,
    parse_write_options,
)

SERVERS = {"barnabas.bootstrap.servers": "127.0.0.1:9092"}
BASE = {**SERVERS, "subscribe": "t"}


def read(streaming: bool = False, /, **options: str) -> ReadOptions:
    return parse_read_options({**BASE, **options}, streaming=streaming)


def test_defaults_are_those_of_sparks_kafka_source() -> None:
    """Goal: a batch is the whole topic, a stream starts at its end, lost data is an error."""
    options = read()
    assert options.start.kind is BoundKind.EARLIEST
    assert options.end.kind is BoundKind.LATEST
    assert options.fail_on_data_loss
    assert not options.include_headers
    assert options.min_partitions is None
    assert options.selection.topics == ("t",)
    assert options.client == {"bootstrap_servers": "127.0.0.1:9092"}
    assert read(True).start.kind is BoundKind.LATEST


def test_names_are_taken_in_any_case() -> None:
    """Goal: Spark hands options on in lower case when they were set by `options()`."""
    options = read(minpartitions="7", INCLUDEHEADERS="True", startingoffsets="Earliest")
    assert options.min_partitions == 7
    assert options.include_headers
    assert includes_headers({"IncludeHeaders": "true"})


def test_kafka_prefix_is_accepted() -> None:
    """Goal: a program for Spark's Kafka source needs another format name only."""
    options = parse_read_options(
        {
            "kafka.bootstrap.servers": "a:1,b:2",
            "subscribe": "t",
            "kafka.isolation.level": "read_committed",
        },
        streaming=False,
    )
    assert options.client == {"bootstrap_servers": "a:1,b:2", "isolation_level": "read_committed"}


def test_client_options_get_their_types() -> None:
    """Goal: text becomes what the client's configuration declares."""
    options = read(
        **{
            "barnabas.fetch.max.bytes": "1000",
            "barnabas.check.crcs": "false",
            "kafka.client.id": "x",
        }
    )
    assert options.client["fetch_max_bytes"] == 1000
    assert options.client["check_crcs"] is False
    assert options.client["client_id"] == "x"


def test_offsets_in_json() -> None:
    """Goal: `-2` means earliest and `-1` latest, as in Spark's Kafka source."""
    options = read(startingOffsets='{"t":{"0":23,"1":-2}}', endingOffsets='{"t":{"0":50,"1":-1}}')
    assert options.start.kind is BoundKind.OFFSETS
    assert options.start.positions == {TopicPartition("t", 0): 23, TopicPartition("t", 1): -2}
    assert options.end.positions[TopicPartition("t", 1)] == -1


def test_times() -> None:
    """Goal: one time for all partitions, or one for each."""
    options = read(startingTimestamp="1000", endingOffsetsByTimestamp='{"t":{"0":2000}}')
    assert (options.start.kind, options.start.timestamp_ms) == (BoundKind.TIMESTAMP, 1000)
    assert options.end.kind is BoundKind.TIMESTAMPS
    assert options.end.positions == {TopicPartition("t", 0): 2000}
    assert options.unmatched_time == "error"
    assert read(startingOffsetsByTimestampStrategy="latest").unmatched_time == "latest"


def test_assignment() -> None:
    """Goal: partitions by number."""
    options = parse_read_options({**SERVERS, "assign": '{"b":[1],"a":[2,0]}'}, streaming=False)
    assert options.selection.assigned == (
        TopicPartition("a", 0),
        TopicPartition("a", 2),
        TopicPartition("b", 1),
    )


WRONG = [
    ({"subscrib": "t"}, "unknown option 'subscrib'; did you mean 'subscribe'?"),
    ({"nonsense": "t"}, "unknown option 'nonsense'; known: subscribe"),
    ({"subscribePattern": "x.*"}, "got 'subscribe' and 'subscribePattern'"),
    ({"subscribe": " , "}, "option 'subscribe' names no topic"),
    ({"path": "x"}, "a path makes no sense here"),
    ({"topic": "x"}, "option 'topic' belongs to a write"),
    ({"startingOffsets": "latest"}, "a batch cannot have 'latest' here"),
    ({"endingOffsets": "earliest"}, "a batch cannot have 'earliest' here"),
    ({"startingOffsets": '{"t":{"0":-1}}'}, "cannot have -1 (latest) here"),
    ({"endingOffsets": '{"t":{"0":-2}}'}, "cannot have -2 (earliest) here"),
    ({"startingOffsets": '{"t":{"0":-3}}'}, "t-0 has -3, but a whole number from -2 to"),
    ({"startingOffsets": '{"t":{"0":9223372036854775808}}'}, "from -2 to 9223372036854775807"),
    ({"startingOffsets": "[" * 100_000}, "is not JSON"),
    ({"startingTimestamp": "9" * 5000}, "is not a timestamp in milliseconds"),
    ({"startingTimestamp": "9223372036854775808"}, "is not a timestamp in milliseconds"),
    ({"minPartitions": "9" * 5000}, "is not a whole number above zero"),
    ({"barnabas.max.poll.interval.ms": "9" * 5000}, "is not a whole number"),
    ({"startingOffsets": '{"t":{"0":true}}'}, "t-0 has True"),
    ({"startingOffsets": '{"t":{"x":1}}'}, "'x' is not a partition number of 't'"),
    ({"startingOffsets": '{"t":5}'}, "topic 't' needs an object"),
    ({"startingOffsets": "soon"}, "'soon' is not JSON as"),
    ({"startingOffsets": "earliest", "startingTimestamp": "1"}, "contradict each other"),
    ({"endingTimestamp": "1", "endingOffsetsByTimestamp": "{}"}, "contradict each other"),
    ({"startingTimestamp": "yesterday"}, "'yesterday' is not a timestamp in milliseconds"),
    ({"startingOffsetsByTimestampStrategy": "x"}, "'x' is neither 'error' nor 'latest'"),
    ({"minPartitions": "0"}, "'0' is not a whole number above zero"),
    ({"maxRecordsPerPartition": "many"}, "option 'maxRecordsPerPartition': 'many'"),
    ({"includeHeaders": "yes"}, "'yes' is neither true nor false"),
    ({"failOnDataLoss": "0"}, "'0' is neither true nor false"),
    ({"maxOffsetsPerTrigger": "5"}, "for readStream only"),
    ({"barnabas.fetch.max.byte": "5"}, "did you mean 'barnabas.fetch.max.bytes'?"),
    ({"barnabas.fetch.max.bytes": "-5"}, "fetch_max_bytes=-5 is less than 1 bytes"),
    ({"barnabas.fetch.max.bytes": "x"}, "'x' is not a whole number"),
    ({"barnabas.check.crcs": "1"}, "'1' is neither true nor false"),
    ({"barnabas.isolation.level": "dirty"}, "isolation_level='dirty' is not one of"),
    ({"barnabas.acks": "1"}, "client option 'barnabas.acks' belongs to a write"),
    ({"barnabas.auto.offset.reset": "latest"}, "unknown client option"),
    ({"kafka.bootstrap.servers": "other:1"}, "given with different values"),
    ({"barnabas.bootstrap.servers": "nowhere"}, "not of the form host:port"),
]


@pytest.mark.parametrize(("options", "text"), WRONG, ids=[next(iter(o)) for o, _ in WRONG])
def test_wrong_options_are_named(options: dict[str, str], text: str) -> None:
    """Goal: one line that says which option, what it has, and what is allowed."""
    with pytest.raises(OptionError) as caught:
        read(**options)
    assert text in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_options_are_named() -> None:
    """Goal: nothing is guessed: neither a server nor a topic."""
    with pytest.raises(OptionError, match=r"'barnabas\.bootstrap\.servers' is needed"):
        parse_read_options({"subscribe": "t"}, streaming=False)
    with pytest.raises(OptionError, match=r"exactly one of .* got none"):
        parse_read_options(SERVERS, streaming=False)
    with pytest.raises(OptionError, match="names no partition"):
        parse_read_options({**SERVERS, "assign": '{"t":[]}'}, streaming=False)
    with pytest.raises(OptionError, match="'subscribePattern': '\\('"):
        parse_read_options({**SERVERS, "subscribePattern": "("}, streaming=False)


def test_streams_have_no_end() -> None:
    """Goal: an option that a stream would ignore is an error, not ignored."""
    with pytest.raises(OptionError, match="a stream has no end"):
        read(True, endingOffsets="latest")
    assert read(True, maxOffsetsPerTrigger="10").max_offsets_per_trigger == 10


def test_write_options() -> None:
    """Goal: writes have the producer's options, and none of a read."""
    options = parse_write_options(
        {**SERVERS, "topic": "t", "kafka.acks": "all", "barnabas.compression.type": "zstd"}
    )
    assert options.topic == "t"
    assert options.client["acks"] == "all"
    assert options.client["compression_type"] == "zstd"
    assert parse_write_options({**SERVERS, "barnabas.acks": "1"}).client["acks"] == 1
    for wrong, text in (
        ({"subscribe": "t"}, "'subscribe' belongs to a read"),
        ({"topic": " "}, "option 'topic' is empty"),
        ({"barnabas.fetch.min.bytes": "1"}, "belongs to a read"),
        ({"barnabas.acks": "2"}, "acks=2 is not one of"),
    ):
        with pytest.raises(OptionError, match=text):
            parse_write_options({**SERVERS, **wrong})


def test_positions_survive_a_checkpoint() -> None:
    """Goal: streaming offsets are topic -> partition -> offset, as its Kafka source writes."""
    positions = {TopicPartition("b", 10): 5, TopicPartition("b", 9): 6, TopicPartition("a", 0): 7}
    text = positions_to_json(positions)
    assert text == {"a": {"0": 7}, "b": {"9": 6, "10": 5}}
    assert positions_from_json(text) == positions


def test_exactly_once_is_chosen_by_name() -> None:
    """Goal: the default is at least once; the transaction lasts as long as brokers allow."""
    plain = parse_write_options(SERVERS)
    assert not plain.is_exactly_once
    assert parse_write_options({**SERVERS, "deliveryGuarantee": "at-least-once"}) == plain
    for text in ("exactly-once", "Exactly_Once"):
        options = parse_write_options({**SERVERS, "deliveryguarantee": text})
        assert options.is_exactly_once
        assert options.id_prefix == "barnabas-spark"
        assert options.client["transaction_timeout_ms"] == 900_000
    given = {
        **SERVERS,
        "deliveryGuarantee": "exactly-once",
        "transactionalIdPrefix": "team-a",
        "kafka.transaction.timeout.ms": "60000",
    }
    options = parse_write_options(given)
    assert options.id_prefix == "team-a"
    assert options.client["transaction_timeout_ms"] == 60_000


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"deliveryGuarantee": "twice"}, "'twice' is none of at-least-once, exactly-once"),
        ({"transactionalIdPrefix": "x"}, "'transactionalIdPrefix' needs 'deliveryGuarantee'"),
        ({"kafka.transactional.id": "x"}, "each task has an id of its own"),
        ({"kafka.transaction.timeout.ms": "1"}, "timeout.ms' needs 'deliveryGuarantee'"),
        ({"deliveryGuarantee": "exactly-once", "transactionalIdPrefix": " "}, "is empty"),
        ({"deliveryGuarantee": "exactly-once", "kafka.acks": "1"}, "needs acks='all'"),
        ({"deliveryGuarantee": "exactly-once", "kafka.transactional.id": "x"}, "an id of its own"),
    ],
)
def test_exactly_once_says_what_contradicts_it(given: dict[str, str], text: str) -> None:
    """Goal: a setting that would do nothing, or harm, is an error."""
    with pytest.raises(OptionError, match=text):
        parse_write_options({**SERVERS, **given})
