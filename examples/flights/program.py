"""The order of events: input, cluster, replay with an accident, Spark, verdict, plots, summary."""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import json
import logging
import signal
import time
from collections.abc import Coroutine, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from barnabas.cli.errors import fail, one_line_errors
from barnabas.spark.session import JavaMissingError, require_java, start_session
from barnabas.testing.process_cluster import ClusterError, ProcessCluster

from . import delays, pipeline
from .accident import Accident, NotRestoredError
from .brokers import MIN_IN_SYNC, RACKS, DirectoryInTheWayError, three_nodes
from .dataset import DatasetMissingError, Flights, load_flights, short_name
from .ledger import Ledger
from .overview import Overview
from .readers import Readers
from .replay import Replay, ReplayError
from .screen import Finding, Screen, make_screen
from .timeline import Timeline
from .verdict import differences, expected_report

T = TypeVar("T")

PARTITIONS = 6
CORES = 2
DIFFERENCES_SHOWN_MAX = 5
NEEDED_PACKAGES = ("pyspark", "pyarrow", "pandas", "matplotlib")
MENDABLE_ERRORS = (
    DatasetMissingError,
    DirectoryInTheWayError,
    JavaMissingError,
    ClusterError,
    NotRestoredError,
    ReplayError,
)


@dataclass(frozen=True, slots=True)
class Arguments:
    """What the command line asked for."""

    records: int | None
    out: Path
    as_json: bool
    partitions: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is known at the end of all phases."""

    replay: Replay
    readers: Readers
    accident: Accident
    report: pipeline.FlightReport
    differences: list[str]
    written: int
    """Rows of the table of delays, in its topic."""
    delays_differ: list[str]
    """Where the topic is not the table that was written to it."""

    @property
    def ledger(self) -> Ledger:
        """The books of the replay."""
        return self.replay.ledger

    def measured(self) -> dict[str, Any]:
        """What the accident did, under the names that it has in `summary.json`."""
        restored_ms = self.accident.isr_restored_after_ms
        shares = self.replay.bytes_by_replica
        return {
            "killed_leader": self.accident.killed,
            "killed_reader": self.readers.died,
            "read_again": self.readers.read_again,
            "longest_gap_ms": round(self.replay.timeline.longest_gap_ms(), 1),
            "bytes_by_replica": {name: shares[name] for name in ("local", "remote")},
            "isr_restored_after_ms": None if restored_ms is None else round(restored_ms, 1),
        }


def main(argv: Sequence[str] | None = None) -> int:
    """Run the main job; returns 0 only if every check holds."""
    arguments = _parse(argv)
    with one_line_errors():
        try:
            _check_requirements()
            return _run(arguments)
        except MENDABLE_ERRORS as error:
            fail(str(error))
    raise AssertionError("fail() does not return")


def _parse(argv: Sequence[str] | None) -> Arguments:
    parser = argparse.ArgumentParser(
        prog="python -m examples.flights",
        description="Replay the flights of 2013 through a broker, the client and Spark.",
    )
    parser.add_argument(
        "--records", type=_positive, metavar="N", help="only the first N flights of the year"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("build/run"), metavar="DIR", help="where results go"
    )
    parser.add_argument("--partitions", type=_positive, default=PARTITIONS, metavar="N")
    parser.add_argument(
        "--json", action="store_true", dest="as_json", help="print the summary on standard output"
    )
    return Arguments(**vars(parser.parse_args(argv)))


def _positive(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above zero")
    return int(text)


def _check_requirements() -> None:
    """Before any work: it would be a pity to notice after a minute that Java is missing."""
    require_java()
    for package in NEEDED_PACKAGES:
        if importlib.util.find_spec(package) is None:
            raise DatasetMissingError(f"{package} is missing: pip install 'barnabas[flights]'")


def _run(arguments: Arguments) -> int:
    started = time.perf_counter()
    arguments.out.mkdir(parents=True, exist_ok=True)
    # Retries are no news for the screen, but whoever looks for a fault wants them.
    logging.basicConfig(
        filename=arguments.out / "client.log",
        filemode="w",
        format="%(asctime)s %(name)s %(message)s",
    )
    screen = make_screen(to_standard_error=arguments.as_json)
    screen.title("The flights of 2013 out of New York, through barnabas")
    with screen.phase("load", "Reading the input"):
        flights = load_flights(arguments.records)
    with ExitStack() as stack:
        with screen.phase("cluster_start", "Starting three nodes"):
            cluster = stack.enter_context(three_nodes(arguments.out / "data"))
        screen.details(
            *(
                f"node {node.id} in rack {node.rack} on {cluster.layout.host}:{node.port}, "
                f"process {cluster.pid_of(node.id)}"
                for node in cluster.layout.brokers
            ),
            f"topic {pipeline.TOPIC}, {arguments.partitions} partitions on three replicas each, "
            f"at least {MIN_IN_SYNC} in sync; {flights.size_bytes / 1e6:.1f} MB of JSON, "
            "acks=all, idempotent; one consumer group with a reader in each rack",
        )
        outcome = _phases(screen, arguments, flights, cluster)
    pictures = [arguments.out / "flights.png", arguments.out / "throughput.png"]
    with screen.phase("plot", "Drawing the plots"):
        from .plot import draw
        from .throughput_plot import draw_throughput

        draw(outcome.report, flights.carrier_names, pictures[0])
        draw_throughput(outcome.replay.timeline, pictures[1])
    screen.seconds["total"] = round(time.perf_counter() - started, 3)
    summary = _summary(arguments, flights, outcome, screen.seconds)
    summary_file = arguments.out / "summary.json"
    summary_file.write_text(json.dumps(summary, indent=2) + "\n")
    _show(screen, flights, outcome)
    screen.line()
    for picture in pictures:
        screen.line(f"plot     {picture}")
    screen.line(f"summary  {summary_file}")
    screen.line(f"took     {screen.seconds['total']:.1f} s")
    if arguments.as_json:
        print(json.dumps(summary, indent=2))
    return 0 if summary["ok"] else 1


def _phases(
    screen: Screen, arguments: Arguments, flights: Flights, cluster: ProcessCluster
) -> Outcome:
    """Everything that needs the brokers."""
    topic, total = pipeline.TOPIC, len(flights)
    ledger = Ledger(flights.keys, flights.values)
    with screen.phase("replay", "Producing and consuming", total, shows_bar=False):
        replay = Replay(cluster.bootstrap, topic, arguments.partitions, flights, ledger, Timeline())
        overview = Overview(screen.console, replay, total)
        accident = Accident(cluster, topic, replay.timeline, overview.say)
        readers = Readers(replay, RACKS, overview.say)
        _await(_replay(replay, readers, accident, overview))
    log_file = arguments.out / "spark.log"
    with screen.phase("spark_start", "Starting Spark"):
        spark = start_session("barnabas flights", cores=CORES, log_file=log_file)
        # PySpark's own handler talks to Java in the middle of another call, and logs what follows.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with screen.phase("spark_job", "Aggregating in Spark", unit="tasks") as advance:
            report = pipeline.run(spark, cluster.bootstrap, topic, on_progress=advance)
        table = delays.lines_of(report)
        with (
            screen.phase("spark_write", "Writing delays back", len(table), "rows"),
            TemporaryDirectory(prefix="barnabas-delays-") as files,
        ):
            _await(delays.create_topic(cluster.bootstrap, len(RACKS), MIN_IN_SYNC))
            pipeline.beside(
                spark, lambda: delays.write(spark, cluster.bootstrap, table, Path(files))
            )
            found = _await(delays.read(cluster.bootstrap))
    finally:
        spark.stop()
    return Outcome(
        replay,
        readers,
        accident,
        report,
        differences(report, expected_report(flights.table)),
        len(table),
        delays.differences(found, table),
    )


async def _replay(replay: Replay, readers: Readers, accident: Accident, overview: Overview) -> None:
    """Send and read at the same time; a reader dies and comes back, and half-way a leader does."""
    await replay.create_topic(len(RACKS), MIN_IN_SYNC)
    async with asyncio.TaskGroup() as all_of_it:
        watching = all_of_it.create_task(overview.watch())

        async def strike() -> None:
            await accident.strike()
            work.append(all_of_it.create_task(accident.bring_back()))

        work = [all_of_it.create_task(readers.read(rack)) for rack in RACKS]
        await replay.produce(strike)
        while not all(task.done() for task in work):
            await asyncio.wait(work)
        watching.cancel()


def _await(work: Coroutine[Any, Any, T]) -> T:
    """Run on uvloop, as a program that cares for speed would."""
    import uvloop

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


def _show(screen: Screen, flights: Flights, outcome: Outcome) -> None:
    rows = []
    carriers = outcome.report.by_carrier
    for code in sorted(carriers, key=lambda each: -carriers[each].flights):
        stats = carriers[code]
        rows.append(
            (
                code,
                short_name(flights.carrier_names.get(code, "")),
                f"{stats.flights:,}",
                f"{stats.departed:,}",
                f"{stats.late / stats.departed:.1%}" if stats.departed else "",
                _minutes(stats.mean_dep_delay_min),
                _minutes(stats.mean_arr_delay_min),
            )
        )
    columns = [("", False), ("carrier", False)]
    columns += [
        (name, True) for name in ("flights", "departed", "late >15", "dep. delay", "arr. delay")
    ]
    screen.table(
        "By carrier, as PySpark has it; delays are means in minutes",
        columns,
        rows,
    )
    screen.findings(_findings(len(flights), outcome))


def _minutes(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"


def _findings(rows: int, outcome: Outcome) -> list[Finding]:
    ledger = outcome.ledger
    wrong = outcome.differences[:DIFFERENCES_SHOWN_MAX]
    spark = f"{outcome.report.rows:,} rows, every figure as pandas has it on the input"
    return [
        Finding("produced", f"{ledger.produced:,} of {rows:,}", ledger.produced == rows),
        Finding("consumed", f"{ledger.consumed:,} of {rows:,}", ledger.consumed == rows),
        *_about_the_accident(outcome),
        *(
            Finding(text, f"{count:,}", count == 0)
            for text, count in (
                ("lost", ledger.lost),
                ("duplicated", ledger.duplicated),
                ("out of order within a key", ledger.out_of_order),
                (
                    "altered, misplaced or unknown",
                    ledger.altered + ledger.misplaced + ledger.unknown,
                ),
            )
        ),
        *(Finding("Spark", each, False) for each in wrong),
        *([] if wrong else [Finding("Spark", spark, True)]),
        _about_the_delays(outcome),
    ]


def _about_the_delays(outcome: Outcome) -> Finding:
    text = f"{outcome.written} rows to topic {delays.TOPIC} and back: "
    if outcome.delays_differ:
        return Finding("exactly once from Spark", text + outcome.delays_differ[0], False)
    return Finding("exactly once from Spark", text + "each is committed once, and equal", True)


def _about_the_accident(outcome: Outcome) -> list[Finding]:
    found = outcome.measured()
    local, remote = (found["bytes_by_replica"][name] for name in ("local", "remote"))
    share = local / max(local + remote, 1)
    return [
        Finding("leader killed", f"node {found['killed_leader']}", accident_happened(found)),
        Finding(
            "reader killed",
            f"{found['killed_reader']}; {found['read_again']:,} uncommitted records read again",
            found["killed_reader"] is not None,
        ),
        Finding("longest gap in acknowledgements", f"{found['longest_gap_ms']:,.0f} ms", True),
        Finding("in sync again after", f"{found['isr_restored_after_ms'] or 0:,.0f} ms", True),
        Finding("read from the own rack", f"{share:.1%} of {local + remote:,} bytes", True),
    ]


def accident_happened(found: dict[str, Any]) -> bool:
    """Whether a leader was killed, every in-sync set became whole again, and a reader died."""
    return (
        found["killed_leader"] is not None
        and found["isr_restored_after_ms"] is not None
        and found["killed_reader"] is not None
    )


def _summary(
    arguments: Arguments, flights: Flights, outcome: Outcome, seconds: dict[str, float]
) -> dict[str, Any]:
    ledger, report = outcome.ledger, outcome.report
    failures = [*ledger.failures(), *outcome.differences, *outcome.delays_differ]
    measured = outcome.measured()
    if not accident_happened(measured):
        failures.append("no leader and no reader was killed, or replicas did not come back")
    return {
        **ledger.counts(),
        **measured,
        "spark": {
            "rows": report.rows,
            "by_carrier": {code: asdict(stats) for code, stats in report.by_carrier.items()},
            "by_hour": {str(hour): asdict(stats) for hour, stats in report.by_hour.items()},
        },
        "delays": {"topic": delays.TOPIC, "rows": outcome.written, "guarantee": "exactly-once"},
        "input": {"records": len(flights), "bytes": flights.size_bytes},
        "topic": {"name": pipeline.TOPIC, "partitions": arguments.partitions},
        "records_per_second": {"replay": round(len(flights) / max(seconds["replay"], 1e-6))},
        "seconds": seconds,
        "ok": not failures,
        "failures": failures,
    }
