"""The table of delays, written back to a topic exactly once by Spark, and read again.

The table goes to files, a streaming query writes their lines to the topic in transactions, and a
consumer that sees committed records only reads them back.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from barnabas.client import Admin, Consumer, NewTopic

from .pipeline import FlightReport

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TOPIC = "delays"
PARTITIONS = 3
TASKS = 2
"""Files of the table; each task has a transaction of its own."""

PATIENCE_S = 120


async def create_topic(bootstrap_servers: str, replicas: int, min_in_sync: int) -> None:
    """The topic, empty."""
    settings = {"min.insync.replicas": str(min_in_sync)}
    async with Admin(bootstrap_servers=bootstrap_servers) as admin:
        await admin.create_topics([NewTopic(TOPIC, PARTITIONS, replicas, topic_configs=settings)])


def lines_of(report: FlightReport) -> list[str]:
    """One JSON object a carrier, and one an hour."""
    named = [("carrier", name, stats) for name, stats in report.by_carrier.items()]
    named += [("hour", str(hour), stats) for hour, stats in report.by_hour.items()]
    return [json.dumps({"of": of, "name": name, **asdict(stats)}) for of, name, stats in named]


def write(spark: SparkSession, bootstrap_servers: str, lines: list[str], directory: Path) -> None:
    """Stream the lines to the topic, exactly once.

    Raises:
        TimeoutError: the stream has not come to its end.
    """
    table = directory / "table"
    table.mkdir()
    for number in range(TASKS):
        (table / f"{number}.jsonl").write_text("\n".join(lines[number::TASKS]) + "\n")
    # On a thread of its own a stream finds its sink only once a frame was made there: not before
    # it does the thread know its session.
    spark.createDataFrame([], "value string")
    query = (
        spark.readStream.text(str(table))
        .selectExpr("get_json_object(value, '$.name') key", "value")
        .writeStream.format("barnabas")
        .option("barnabas.bootstrap.servers", bootstrap_servers)
        .option("topic", TOPIC)
        .option("deliveryGuarantee", "exactly-once")
        .option("checkpointLocation", str(directory / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    if not query.awaitTermination(PATIENCE_S):
        query.stop()
        raise TimeoutError(f"the delays were not written to {TOPIC} within {PATIENCE_S} s")


async def read(bootstrap_servers: str) -> list[str]:
    """Every committed record of the topic."""
    found: list[str] = []
    async with Consumer(
        bootstrap_servers=bootstrap_servers,
        isolation_level="read_committed",
        auto_offset_reset="earliest",
    ) as consumer:
        partitions = await consumer.all_partitions(TOPIC)
        ends = await consumer.end_offsets(partitions)
        consumer.assign(partitions)
        for partition in sorted(partitions):
            while await consumer.position(partition) < ends[partition]:
                for records in (await consumer.getmany(partition, timeout_ms=200)).values():
                    found += [bytes(each.value or b"").decode() for each in records]
    return found


def differences(found: Iterable[str], written: Iterable[str]) -> list[str]:
    """What is missing, or there too often, in words; empty when every line is there once."""
    there, wanted = Counter(found), Counter(written)
    result = [f"topic {TOPIC} lacks {line}" for line in (wanted - there).elements()]
    result += [f"topic {TOPIC} has once too often {line}" for line in (there - wanted).elements()]
    return result
