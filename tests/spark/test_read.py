"""The data source in a real Spark session against a real node: reads."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from barnabas.client import Admin, TopicPartition

from .reading import read, values
from .topics import Sent, fill, numbered, wait_for

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.slow]

START_MS = 1_700_000_000_000


def test_all_columns(spark: SparkSession, bootstrap: str, new_topic: Callable[[], str]) -> None:
    """Goal: every column as it was sent, nulls and headers too, of the documented types."""
    topic = new_topic()
    sent = [
        Sent(b"k", b"v", START_MS, (("a", b"1"), ("b", None), ("a", b""))),
        Sent(None, b"", START_MS + 5),
        Sent(b"", None, START_MS + 1),
    ]
    fill(bootstrap, topic, [sent])
    frame = read(spark, bootstrap, subscribe=topic, includeHeaders=True)
    assert frame.schema.simpleString() == (
        "struct<key:binary,value:binary,topic:string,partition:int,offset:bigint,"
        "timestamp:timestamp,timestampType:int,headers:array<struct<key:string,value:binary>>>"
    )
    rows = frame.orderBy("offset").collect()
    assert [(row["key"], row["value"]) for row in rows] == [(each.key, each.value) for each in sent]
    assert [(row["topic"], row["partition"], row["offset"]) for row in rows] == [
        (topic, 0, offset) for offset in range(3)
    ]
    assert [row["timestampType"] for row in rows] == [0, 0, 0]
    first_header = [tuple(each) for each in rows[0]["headers"]]
    assert first_header == [("a", b"1"), ("b", None), ("a", b"")]
    assert rows[1]["headers"] is None
    microseconds = frame.selectExpr("unix_micros(timestamp) t", "offset").orderBy("offset")
    assert [row["t"] for row in microseconds.collect()] == [
        1000 * each.timestamp_ms for each in sent
    ]
    seen = rows[0]["timestamp"].astimezone(UTC)
    assert seen == datetime.fromtimestamp(START_MS / 1000, UTC)


def test_several_topics(spark: SparkSession, bootstrap: str, new_topic: Callable[[], str]) -> None:
    """Goal: by list, by pattern and by partition; an empty partition does no harm."""
    one, two = new_topic(), new_topic()
    fill(bootstrap, one, [numbered(5, "a"), [], numbered(3, "b")])
    fill(bootstrap, two, [numbered(2, "c")])
    everything = sorted([f"a{n}" for n in range(5)] + [f"b{n}" for n in range(3)] + ["c0", "c1"])
    assert values(read(spark, bootstrap, subscribe=f"{one}, {two}")) == everything
    pattern = one.removesuffix("0") + "[01]"
    assert values(read(spark, bootstrap, subscribePattern=pattern)) == everything
    assigned = read(spark, bootstrap, assign=f'{{"{one}":[2],"{two}":[0]}}')
    assert values(assigned) == ["b0", "b1", "b2", "c0", "c1"]
    assert read(spark, bootstrap, subscribePattern="no-such-topic-.*").count() == 0


def test_exact_offsets(spark: SparkSession, bootstrap: str, new_topic: Callable[[], str]) -> None:
    """Goal: the planned range and nothing else, though batches on disk are larger."""
    topic = new_topic()
    fill(bootstrap, topic, [numbered(100)])
    frame = read(
        spark,
        bootstrap,
        subscribe=topic,
        startingOffsets=f'{{"{topic}":{{"0":17}}}}',
        endingOffsets=f'{{"{topic}":{{"0":42}}}}',
    )
    rows = frame.select("offset", "value").orderBy("offset").collect()
    assert [row["offset"] for row in rows] == list(range(17, 42))
    assert [bytes(row["value"]) for row in rows] == [b"v%d" % n for n in range(17, 42)]


def test_between_two_times(
    spark: SparkSession, bootstrap: str, new_topic: Callable[[], str]
) -> None:
    """Goal: from the first record of a time on, up to the first of another."""
    topic = new_topic()
    fill(bootstrap, topic, [numbered(20), numbered(4, "w")])
    frame = read(
        spark,
        bootstrap,
        subscribe=topic,
        startingTimestamp=START_MS + 2_500,
        endingTimestamp=START_MS + 6_000,
    )
    assert values(frame) == ["v3", "v4", "v5", "w3"]
    with pytest.raises(Exception, match="has no record of that time or later"):
        read(spark, bootstrap, subscribe=topic, startingTimestamp=START_MS + 15_000).count()
    late = read(
        spark,
        bootstrap,
        subscribe=topic,
        startingTimestamp=START_MS + 18_000,
        startingOffsetsByTimestampStrategy="latest",
    )
    assert values(late) == ["v18", "v19"]


def test_finer_splits(spark: SparkSession, bootstrap: str, new_topic: Callable[[], str]) -> None:
    """Goal: one task a partition, more with minPartitions, and every record once."""
    topic = new_topic()
    fill(bootstrap, topic, [numbered(1_000, "a"), numbered(10, "b")])
    whole = read(spark, bootstrap, subscribe=topic)
    assert whole.rdd.getNumPartitions() == 2
    fine = read(spark, bootstrap, subscribe=topic, minPartitions=7)
    assert fine.rdd.getNumPartitions() == 7
    small = read(spark, bootstrap, subscribe=topic, maxRecordsPerPartition=300)
    assert small.rdd.getNumPartitions() == 5
    expected = sorted([f"a{n}" for n in range(1_000)] + [f"b{n}" for n in range(10)])
    assert values(fine) == values(small) == expected


def test_lost_records(spark: SparkSession, bootstrap: str, new_topic: Callable[[], str]) -> None:
    """Goal: a range that begins with deleted records is an error, or what is left on request."""
    topic = new_topic()
    fill(bootstrap, topic, [numbered(50)])

    async def delete() -> None:
        async with Admin(bootstrap_servers=bootstrap) as admin:
            await admin.delete_records({TopicPartition(topic, 0): 20})

    wait_for(delete())
    from_zero = {"subscribe": topic, "startingOffsets": f'{{"{topic}":{{"0":0}}}}'}
    with pytest.raises(Exception, match="the log starts at offset 20"):
        read(spark, bootstrap, **from_zero).count()
    assert read(spark, bootstrap, **from_zero, failOnDataLoss=False).count() == 30
    assert read(spark, bootstrap, subscribe=topic).count() == 30


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"subscribe": "missing-topic"}, "missing-topic"),
        ({"assign": '{"missing-topic":[0]}'}, "missing-topic"),
        ({"subscribe": "x", "startingOffset": "earliest"}, "did you mean 'startingOffsets'"),
        ({}, "exactly one of 'subscribe', 'subscribePattern' and 'assign'"),
    ],
)
def test_mistakes_are_named(
    spark: SparkSession, bootstrap: str, options: dict[str, str], text: str
) -> None:
    """Goal: the message of Spark's exception says what to mend; no topic comes into being."""
    with pytest.raises(Exception, match=text):
        read(spark, bootstrap, **options).count()


def test_nobody_at_the_address(spark: SparkSession) -> None:
    """Goal: an address without a broker is said to be one, soon."""
    with pytest.raises(Exception, match=r"127\.0\.0\.1:1\b"):
        read(spark, "127.0.0.1:1", subscribe="t").count()
