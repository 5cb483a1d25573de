"""Arrow batches: built from columns, of exactly the types that Spark expects."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pyspark.sql.pandas.types import to_arrow_schema

from barnabas.client.structs import TopicPartition
from barnabas.spark.columns import (
    ARROW_SCHEMA,
    ARROW_SCHEMA_WITH_HEADERS,
    record_batch,
    spark_schema,
)

AT = TopicPartition("t", 3)


@pytest.mark.parametrize("include_headers", [False, True])
def test_arrow_types_are_what_spark_derives(include_headers: bool) -> None:
    """Goal: Spark refuses a batch whose Arrow schema is not the one of the declared columns."""
    derived = to_arrow_schema(spark_schema(include_headers=include_headers), timezone="UTC")
    assert derived.equals(ARROW_SCHEMA_WITH_HEADERS if include_headers else ARROW_SCHEMA)


def test_values_of_a_batch() -> None:
    """Goal: nulls stay nulls, empty stays empty, no headers is null as in Spark's Kafka source."""
    batch = record_batch(
        AT,
        offsets=[5, 9],
        timestamps_ms=[1_700_000_000_123, 0],
        timestamp_types=[0, 1],
        keys=[None, b""],
        values=[b"v", None],
        headers=[(("a", b"1"), ("a", None)), ()],
    )
    first, second = batch.to_pylist()
    assert first == {
        "key": None,
        "value": b"v",
        "topic": "t",
        "partition": 3,
        "offset": 5,
        "timestamp": datetime.fromtimestamp(1_700_000_000, UTC).replace(microsecond=123_000),
        "timestampType": 0,
        "headers": [{"key": "a", "value": b"1"}, {"key": "a", "value": None}],
    }
    assert (second["key"], second["value"], second["headers"]) == (b"", None, None)
    assert (second["offset"], second["timestampType"]) == (9, 1)


def test_an_empty_batch() -> None:
    """Goal: no records is a batch of no rows, with and without headers."""
    without: list[tuple[()]] = []
    for headers in (None, without):
        batch = record_batch(
            AT,
            offsets=[],
            timestamps_ms=[],
            timestamp_types=0,
            keys=[],
            values=[],
            headers=headers,
        )
        assert batch.num_rows == 0
