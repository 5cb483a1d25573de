"""The columns of the data source, and Arrow record batches built from lists, not row by row."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain

import pyarrow as pa
from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    IntegerType,
    LongType,
    StringType,
    StructField,
    StructType,
    TimestampType,
)

from barnabas.client.structs import Header, TopicPartition

_PLAIN_FIELDS = (
    StructField("key", BinaryType()),
    StructField("value", BinaryType()),
    StructField("topic", StringType()),
    StructField("partition", IntegerType()),
    StructField("offset", LongType()),
    StructField("timestamp", TimestampType()),
    StructField("timestampType", IntegerType()),
)
_HEADER_STRUCT = StructType([StructField("key", StringType()), StructField("value", BinaryType())])

_ARROW_TIME = pa.timestamp("us", tz="UTC")
_ARROW_HEADER = pa.struct([("key", pa.string()), ("value", pa.binary())])
_ARROW_HEADERS = pa.list_(pa.field("element", _ARROW_HEADER))
_ARROW_PLAIN = (
    pa.field("key", pa.binary()),
    pa.field("value", pa.binary()),
    pa.field("topic", pa.string()),
    pa.field("partition", pa.int32()),
    pa.field("offset", pa.int64()),
    pa.field("timestamp", _ARROW_TIME),
    pa.field("timestampType", pa.int32()),
)
ARROW_SCHEMA = pa.schema(_ARROW_PLAIN)
ARROW_SCHEMA_WITH_HEADERS = pa.schema([*_ARROW_PLAIN, pa.field("headers", _ARROW_HEADERS)])


def spark_schema(*, include_headers: bool) -> StructType:
    """Names and types as in Spark's Kafka source, so that its programs run unchanged."""
    fields = list(_PLAIN_FIELDS)
    if include_headers:
        fields.append(StructField("headers", ArrayType(_HEADER_STRUCT)))
    return StructType(fields)


def record_batch(
    at: TopicPartition,
    *,
    offsets: Sequence[int],
    timestamps_ms: Sequence[int],
    timestamp_types: Sequence[int] | int,
    keys: Sequence[bytes | None],
    values: Sequence[bytes | None],
    headers: Sequence[Sequence[Header]] | None = None,
) -> pa.RecordBatch:
    """One Arrow batch; the lists are of one length. Without `headers` there is no such column."""
    count = len(offsets)
    milliseconds = pa.array(timestamps_ms, pa.int64())
    types = (
        pa.repeat(pa.scalar(timestamp_types, pa.int32()), count)
        if isinstance(timestamp_types, int)
        else pa.array(timestamp_types, pa.int32())
    )
    columns = [
        pa.array(keys, pa.binary()),
        pa.array(values, pa.binary()),
        pa.repeat(pa.scalar(at.topic, pa.string()), count),
        pa.repeat(pa.scalar(at.partition, pa.int32()), count),
        pa.array(offsets, pa.int64()),
        milliseconds.cast(pa.timestamp("ms", tz="UTC")).cast(_ARROW_TIME),
        types,
    ]
    if headers is None:
        return pa.RecordBatch.from_arrays(columns, schema=ARROW_SCHEMA)
    columns.append(_headers_array(headers))
    return pa.RecordBatch.from_arrays(columns, schema=ARROW_SCHEMA_WITH_HEADERS)


def _headers_array(headers: Sequence[Sequence[Header]]) -> pa.Array:
    """Lists of structs from flat columns. A record without headers has null, as in Spark."""
    flat = list(chain.from_iterable(headers))
    structs = pa.StructArray.from_arrays(
        [
            pa.array([key for key, _ in flat], pa.string()),
            pa.array([value for _, value in flat], pa.binary()),
        ],
        fields=list(_ARROW_HEADER),
    )
    ends = accumulate((len(each) for each in headers), initial=0)
    return pa.ListArray.from_arrays(
        pa.array(ends, pa.int32()),
        structs,
        type=_ARROW_HEADERS,
        mask=pa.array([not each for each in headers], pa.bool_()),
    )
