"""The flights pipeline: read a topic of JSON flights, and sum up carriers and hours of the day.

As a program: `python -m examples.flights.pipeline --bootstrap-servers HOST:PORT`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass
from threading import Event, Thread
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row, SparkSession

T = TypeVar("T")

TOPIC = "flights"

LATE_MIN = 15
"""A departure that is later than this counts as late, as in the statistics of the airports."""

FLIGHT_SCHEMA = """
    year INT, month INT, day INT, dep_time INT, sched_dep_time INT, dep_delay INT,
    arr_time INT, sched_arr_time INT, arr_delay INT, carrier STRING, flight INT, tailnum STRING,
    origin STRING, dest STRING, air_time INT, distance INT, hour INT, minute INT, time_hour STRING
"""
"""One flight, as Spark's `from_json` wants it."""

POLL_S = 0.1


@dataclass(frozen=True, slots=True)
class FlightStats:
    """Sums over a set of flights; delays are means in minutes, None without any departure."""

    flights: int
    departed: int
    late: int
    mean_dep_delay_min: float | None
    mean_arr_delay_min: float | None


@dataclass(frozen=True, slots=True)
class FlightReport:
    """What the pipeline found."""

    rows: int
    mismatched_keys: int
    """Records whose key is not the carrier in their JSON."""
    by_carrier: dict[str, FlightStats]
    by_hour: dict[int, FlightStats]


def read_records(
    spark: SparkSession, bootstrap_servers: str, topic: str, *, min_partitions: int
) -> DataFrame:
    """The whole topic, in at least `min_partitions` tasks."""
    return (
        spark.read.format("barnabas")
        .option("barnabas.bootstrap.servers", bootstrap_servers)
        .option("subscribe", topic)
        .option("startingOffsets", "earliest")
        .option("endingOffsets", "latest")
        .option("minPartitions", min_partitions)
        .load()
    )


def parse(records: DataFrame) -> DataFrame:
    """Flights as columns, with the key of their record.

    A record that is not the JSON of a flight fails the job: nothing is skipped in silence.
    """
    from pyspark.sql import functions as sql

    flight = sql.from_json(records["value"].cast("string"), FLIGHT_SCHEMA, {"mode": "FAILFAST"})
    key = records["key"].cast("string").alias("record_key")
    return records.select(key, flight.alias("flight")).select("record_key", "flight.*")


def summarise(flights: DataFrame) -> DataFrame:
    """One row a carrier, one an hour, one for everything: a single pass over the topic."""
    from pyspark.sql import functions as sql

    carrier, hour = flights["carrier"], flights["hour"]
    delay = flights["dep_delay"]
    return flights.groupingSets([[carrier], [hour], []], carrier, hour).agg(
        sql.grouping_id().alias("level"),
        sql.count(sql.lit(1)).alias("flights"),
        sql.count(delay).alias("departed"),
        sql.count_if(delay > LATE_MIN).alias("late"),
        sql.avg(delay).alias("mean_dep_delay_min"),
        sql.avg(flights["arr_delay"]).alias("mean_arr_delay_min"),
        sql.count_if(~carrier.eqNullSafe(flights["record_key"])).alias("mismatched_keys"),
    )


LEVEL_CARRIER, LEVEL_HOUR, LEVEL_ALL = 0b01, 0b10, 0b11
"""What `grouping_id` says: a bit for each column that a row is summed over."""


def report(rows: Sequence[Row]) -> FlightReport:
    """The rows of `summarise`, sorted into carriers, hours and the total."""
    total = next((row for row in rows if row["level"] == LEVEL_ALL), None)
    carriers = sorted(
        (row for row in rows if row["level"] == LEVEL_CARRIER), key=lambda row: str(row["carrier"])
    )
    hours = sorted((row for row in rows if row["level"] == LEVEL_HOUR), key=lambda row: row["hour"])
    return FlightReport(
        rows=total["flights"] if total else 0,
        mismatched_keys=total["mismatched_keys"] if total else 0,
        by_carrier={str(row["carrier"]): _stats(row) for row in carriers},
        by_hour={row["hour"]: _stats(row) for row in hours},
    )


def _stats(row: Row) -> FlightStats:
    return FlightStats(
        flights=row["flights"],
        departed=row["departed"],
        late=row["late"],
        mean_dep_delay_min=row["mean_dep_delay_min"],
        mean_arr_delay_min=row["mean_arr_delay_min"],
    )


def run(
    spark: SparkSession,
    bootstrap_servers: str,
    topic: str = TOPIC,
    *,
    min_partitions: int = 8,
    on_progress: Callable[[int, int], None] | None = None,
) -> FlightReport:
    """The whole pipeline; `on_progress(done, total)` is told of tasks while they finish,
    from another thread."""

    def work() -> FlightReport:
        records = read_records(spark, bootstrap_servers, topic, min_partitions=min_partitions)
        return report(summarise(parse(records)).collect())

    return beside(spark, work, on_progress)


def beside(
    spark: SparkSession,
    work: Callable[[], T],
    on_progress: Callable[[int, int], None] | None = None,
) -> T:
    """What `work` returns, which uses Spark on a thread of its own; an interrupt cancels its jobs.

    This thread only waits: an interrupt in the middle of a call to Java would leave the connection
    to it in an unknown state. The threads are daemons: then nobody waits for them.
    """
    result: Future[T] = Future()
    is_over = Event()

    def to_its_end() -> None:
        try:
            result.set_result(work())
        except BaseException as error:
            result.set_exception(error)

    Thread(target=to_its_end, daemon=True).start()
    Thread(target=_watch, args=(TaskCount(spark), on_progress, is_over), daemon=True).start()
    try:
        return result.result()
    except BaseException:
        spark.sparkContext.cancelAllJobs()
        raise
    finally:
        is_over.set()


def _watch(
    tasks: TaskCount, on_progress: Callable[[int, int], None] | None, is_over: Event
) -> None:
    while on_progress is not None and not is_over.wait(POLL_S):
        tasks.look()
        if tasks.total:
            on_progress(tasks.done, tasks.total)


class TaskCount:
    """Tasks of all stages that were seen running; a stage that runs no more is complete."""

    def __init__(self, spark: SparkSession) -> None:
        self._tracker = spark.sparkContext.statusTracker()
        self._done: dict[int, int] = {}
        self._total: dict[int, int] = {}

    def look(self) -> None:
        """Ask Spark what runs now."""
        self._done.update(self._total)
        for number in self._tracker.getActiveStageIds():
            stage = self._tracker.getStageInfo(number)
            if stage is not None:
                self._done[number] = stage.numCompletedTasks
                self._total[number] = stage.numTasks

    @property
    def done(self) -> int:
        return sum(self._done.values())

    @property
    def total(self) -> int:
        return sum(self._total.values())


def main(argv: Sequence[str] | None = None) -> int:
    """Run the pipeline on a topic that exists, and print its result as JSON."""
    from barnabas.spark.session import JavaMissingError, start_session

    parser = argparse.ArgumentParser(prog="python -m examples.flights.pipeline")
    parser.add_argument("--bootstrap-servers", required=True, metavar="HOST:PORT")
    parser.add_argument("--topic", default=TOPIC)
    parser.add_argument("--cores", type=int, default=2)
    arguments = parser.parse_args(argv)
    try:
        spark = start_session("barnabas flights", cores=arguments.cores)
    except JavaMissingError as error:
        print(f"barnabas: {error}", file=sys.stderr)
        return 1
    try:
        result = run(spark, arguments.bootstrap_servers, arguments.topic)
    finally:
        spark.stop()
    json.dump(asdict(result), sys.stdout, indent=2)
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
