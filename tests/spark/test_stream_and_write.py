"""The data source in a real Spark session against a real node: streams and writes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from .reading import read, values
from .topics import append, fill, numbered

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

pytestmark = [pytest.mark.spark, pytest.mark.slow]

COMMITTED = "read_committed"


def stream(
    spark: SparkSession, bootstrap: str, checkpoint: Path, sink: Path, **options: Any
) -> StreamingQuery:
    """Read all that is there into files, with the offsets kept in `checkpoint`."""
    reader = spark.readStream.format("barnabas").option("kafka.bootstrap.servers", bootstrap)
    query = (
        reader.options(**options)
        .load()
        .writeStream.format("parquet")
        .option("path", str(sink))
        .option("checkpointLocation", str(checkpoint))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination(120)
    return query


def test_a_stream_goes_on_where_it_was(
    spark: SparkSession, bootstrap: str, new_topic: Callable[[], str], tmp_path: Path
) -> None:
    """Goal: two runs of one query read every record once, in batches of the given size."""
    topic = new_topic()
    checkpoint, sink = tmp_path / "checkpoint", tmp_path / "sink"
    options = {"subscribe": topic, "startingOffsets": "earliest", "maxOffsetsPerTrigger": 15}
    fill(bootstrap, topic, [numbered(30, "a"), numbered(10, "b")])
    query = stream(spark, bootstrap, checkpoint, sink, **options)
    sizes = [progress["numInputRows"] for progress in query.recentProgress]
    assert [size for size in sizes if size] == [15, 15, 10]
    append(bootstrap, topic, [[], numbered(5, "c")])
    stream(spark, bootstrap, checkpoint, sink, **options)
    found = values(spark.read.parquet(str(sink)))
    expected = [f"a{n}" for n in range(30)] + [f"b{n}" for n in range(10)]
    assert found == sorted(expected + [f"c{n}" for n in range(5)])


def test_write_then_read(spark: SparkSession, bootstrap: str, new_topic: Callable[[], str]) -> None:
    """Goal: key, value, headers and partition arrive as written."""
    topic = new_topic()
    fill(bootstrap, topic, [[], [], []])
    frame = spark.range(300).selectExpr(
        "cast(id as string) key",
        "concat('v', id) value",
        "cast(id % 3 as int) partition",
        "array(named_struct('key', 'h', 'value', cast(cast(id as string) as binary))) headers",
    )
    writer = frame.write.format("barnabas").option("barnabas.bootstrap.servers", bootstrap)
    writer.option("topic", topic).option("barnabas.compression.type", "zstd").mode("append").save()
    rows = read(spark, bootstrap, subscribe=topic, includeHeaders=True).collect()
    assert len(rows) == 300
    for row in rows:
        number = int(row["key"])
        assert bytes(row["value"]) == b"v%d" % number
        assert row["partition"] == number % 3
        assert [tuple(each) for each in row["headers"]] == [("h", b"%d" % number)]


def test_write_by_key_to_the_topic_of_each_row(
    spark: SparkSession, bootstrap: str, new_topic: Callable[[], str]
) -> None:
    """Goal: a topic column; a key decides the partition."""
    one, two = new_topic(), new_topic()
    fill(bootstrap, one, [[], []])
    fill(bootstrap, two, [[], []])
    frame = spark.range(40).selectExpr(
        f"if(id % 2 = 0, '{one}', '{two}') topic",
        "cast(id % 4 as string) key",
        "cast(concat('v', id) as binary) value",
    )
    writer = frame.write.format("barnabas").option("barnabas.bootstrap.servers", bootstrap)
    writer.mode("append").save()
    back = read(spark, bootstrap, subscribe=f"{one},{two}")
    assert back.count() == 40
    assert back.select("topic", "key").distinct().count() == 4
    assert back.select("topic", "key", "partition").distinct().count() == 4


def test_a_batch_is_written_exactly_once(
    spark: SparkSession, bootstrap: str, new_topic: Callable[[], str]
) -> None:
    """KIP-98: by the tasks' transactions, which the driver commits; a failed job leaves nothing."""
    topic = new_topic()
    fill(bootstrap, topic, [[], []])

    def write(value: str) -> None:
        frame = spark.range(100).selectExpr(value)
        writer = frame.write.format("barnabas").option("barnabas.bootstrap.servers", bootstrap)
        writer.option("topic", topic).option("deliveryGuarantee", "exactly-once")
        writer.mode("append").save()

    with pytest.raises(Exception, match="not this one"):
        write("if(id = 99, raise_error('not this one'), concat('w', id)) value")
    write("concat('v', id) value")
    found = values(read(spark, bootstrap, subscribe=topic, **{"kafka.isolation.level": COMMITTED}))
    assert found == sorted(f"v{number}" for number in range(100))


@pytest.mark.parametrize(
    ("columns", "text"),
    [
        (["id"], "column 'value' is needed"),
        (["'x' value"], "column 'topic' or the option 'topic' is needed"),
        (["'x' value", "'t' topic", "1 colour"], "column 'colour' cannot be written"),
        (["'x' value", "'t' topic", "'1' partition"], "column 'partition' has type string"),
    ],
)
def test_frames_that_cannot_be_written(
    spark: SparkSession, bootstrap: str, columns: list[str], text: str
) -> None:
    """Goal: the message names the column and what is allowed."""
    frame = spark.range(1).selectExpr(*columns)
    writer = frame.write.format("barnabas").option("barnabas.bootstrap.servers", bootstrap)
    with pytest.raises(Exception, match=text):
        writer.mode("append").save()
    with pytest.raises(Exception, match="append"):
        writer.option("topic", "t").mode("overwrite").save()
