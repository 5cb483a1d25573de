"""`python -m bench.cluster`: three nodes of barnabas and of Apache Kafka in turn, with targets."""

from __future__ import annotations

import json
import shutil
import signal
import sys
from dataclasses import asdict, replace
from importlib.metadata import version

import click
from confluent_kafka import libversion
from rich.console import Console

from .. import paths, procfs, report
from ..running import UnavailableError
from . import suite
from .ours import Barnabas
from .running import BUILD, DATA, Cluster
from .targets import METRICS
from .theirs import Kafka

WIDTH_OF_FILES = 120
BUSY = 0.5


def prepare(clusters: list[Cluster], result: report.Result, console: Console) -> list[Cluster]:
    """Those that this machine can run; a note in the result for each of the others."""
    ready = []
    for cluster in clusters:
        with console.status(f"preparing {cluster.title}"):
            try:
                cluster.prepare()
                result.versions = {**result.versions, **cluster.versions()}
                ready.append(cluster)
            except UnavailableError as reason:
                result.notes.append(f"{cluster.title} left out: {reason}")
                console.print(result.notes[-1], style="yellow")
    return ready


def run(clusters: list[Cluster], plan: suite.Plan, result: report.Result, console: Console) -> None:
    """All rounds, each cluster in turn; the report is written after each part."""
    for number in range(1, plan.rounds + 1):
        for cluster in clusters:

            def say(step: str, head: str = f"round {number}, {cluster.title}") -> None:
                load = procfs.machine()["load_average_at_start"]
                console.print(f"{head}: {step} (load average {load})", highlight=False)
                report.write(result, BUILD)

            one = suite.Pass(cluster, plan, say)
            result.samples.append(report.Sample(number, cluster.name, one.figures, one.failures))
            one.run()
            result.notes += one.notes
            for failure in one.failures:
                console.print(f"{cluster.title}: {failure}", style="red")
            report.write(result, BUILD)


@click.command(help=__doc__)
@click.option("--quick", is_flag=True, help="A short round, to see that it works.")
@click.option("--rounds", type=click.IntRange(1), help="Passes over each cluster (default 1).")
@click.option("--parts", type=click.Choice(suite.PARTS), multiple=True, help="Just these parts.")
@click.option("--no-kafka", is_flag=True, help="barnabas alone, without ratios.")
@click.option("--kafka-only", is_flag=True, help="Apache Kafka alone.")
@click.option("--checkout", is_flag=True, help="Run barnabas from this environment; no wheel.")
@click.option("--json", "to_stdout", is_flag=True, help="Print the report as JSON.")
def main(
    *,
    quick: bool,
    rounds: int | None,
    parts: tuple[str, ...],
    no_kafka: bool,
    kafka_only: bool,
    checkout: bool,
    to_stdout: bool,
) -> None:
    """Measure, print the table, write build/bench-cluster/report.{json,md}."""
    console = Console(stderr=to_stdout)
    if not console.is_terminal:
        console.width = WIDTH_OF_FILES
    plan = suite.QUICK if quick else suite.Plan()
    plan = replace(plan, rounds=rounds or plan.rounds, parts=parts or plan.parts)
    clients = {"confluent-kafka": version("confluent-kafka"), "librdkafka": libversion()[0]}
    result = report.Result(procfs.machine(), clients, asdict(plan), metrics=METRICS)
    load = float(str(result.machine["load_average_at_start"]))
    if load > BUSY:
        result.notes.append(f"load average {load} at the start: others use this machine too")
        console.print(result.notes[-1], style="yellow")
    wanted: list[Cluster] = []
    if not kafka_only:
        wanted.append(Barnabas(checkout=checkout))
    if not no_kafka:
        wanted.append(Kafka())
    # Whoever is told to end takes three nodes along.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    shutil.rmtree(DATA, ignore_errors=True)
    clusters = prepare(wanted, result, console)
    if not clusters:
        raise click.ClickException("nothing to measure")
    try:
        run(clusters, plan, result, console)
    finally:
        shutil.rmtree(DATA, ignore_errors=True)
    if to_stdout:
        click.echo(json.dumps(report.as_json(result), indent=2))
    else:
        console.print(report.table(result))
        written = report.write(result, BUILD)
        console.print("wrote", *(str(path.relative_to(paths.ROOT)) for path in written))
    sys.exit(1 if result.failures() else 0)


if __name__ == "__main__":
    main()
