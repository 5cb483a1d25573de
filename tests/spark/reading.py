"""Reading a topic as a data frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def read(spark: SparkSession, bootstrap: str, **options: Any) -> DataFrame:
    reader = spark.read.format("barnabas").option("barnabas.bootstrap.servers", bootstrap)
    return reader.options(**options).load()


def values(frame: DataFrame) -> list[str]:
    return sorted(bytes(row["value"]).decode() for row in frame.select("value").collect())
