"""`python -m bench`: barnabas and Apache Kafka in turn, one table of ratios."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import asdict, replace
from importlib.metadata import version

import click
from confluent_kafka import libversion
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from . import paths, procfs, report, suite
from .kafka import Kafka
from .node import Barnabas
from .plot import draw
from .running import Broker, UnavailableError

FULL = suite.Plan()
WIDTH_OF_FILES = 120
BUSY = 0.5


def make_plan(quick: bool, rounds: int | None, only: tuple[str, ...]) -> suite.Plan:
    """The plan that the options ask for; consuming needs something produced, so it brings that."""
    plan = suite.QUICK if quick else FULL
    if rounds is not None:
        plan = replace(plan, rounds=rounds)
    return replace(plan, parts=only) if only else plan


def client_versions() -> dict[str, str]:
    """The clients of this run."""
    return {"confluent-kafka": version("confluent-kafka"), "librdkafka": libversion()[0]}


def prepare(brokers: list[Broker], result: report.Result, console: Console) -> list[Broker]:
    """Those brokers that this machine can run; a note in the result for each of the others."""
    ready = []
    for broker in brokers:
        with console.status(f"preparing {broker.title}"):
            try:
                broker.prepare()
                result.versions = {**result.versions, **broker.versions()}
                ready.append(broker)
            except UnavailableError as reason:
                result.notes.append(f"{broker.title} left out: {reason}")
                console.print(result.notes[-1], style="yellow")
    return ready


def run(brokers: list[Broker], plan: suite.Plan, result: report.Result, console: Console) -> None:
    """All rounds, each broker in turn."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        total = plan.rounds * len(brokers) * plan.steps()
        task = progress.add_task("the load generator alone", total=total)
        if plan.has("load"):
            result.generator_bound = suite.generator_bound()
        for number in range(1, plan.rounds + 1):
            for broker in brokers:

                def say(step: str, head: str = f"round {number}, {broker.name}") -> None:
                    progress.update(task, description=f"{head}: {step}", advance=1)

                one = suite.Pass(broker, plan, say)
                figures = one.run()
                result.samples.append(report.Sample(number, broker.name, figures, one.failures))
                for failure in one.failures:
                    console.print(f"{broker.title}: {failure}", style="red")


@click.command(help=__doc__)
@click.option("--quick", is_flag=True, help="One short round, to see that it works.")
@click.option("--rounds", type=click.IntRange(1), help="Passes over each broker (default 3).")
@click.option("--only", type=click.Choice(suite.PARTS), multiple=True, help="Just these parts.")
@click.option("--no-kafka", is_flag=True, help="barnabas alone, without ratios.")
@click.option("--kafka-only", is_flag=True, help="Apache Kafka alone: its figures into the JSON.")
@click.option("--pure", is_flag=True, help="Build the wheel without compiling.")
@click.option("--checkout", is_flag=True, help="Run barnabas from this environment; no wheel.")
@click.option("--json", "to_stdout", is_flag=True, help="Print the report as JSON.")
def main(
    *,
    quick: bool,
    rounds: int | None,
    only: tuple[str, ...],
    no_kafka: bool,
    kafka_only: bool,
    pure: bool,
    checkout: bool,
    to_stdout: bool,
) -> None:
    """Measure, print the table, write build/bench/report.{json,md,png}."""
    console = Console(stderr=to_stdout)
    if not console.is_terminal:
        console.width = WIDTH_OF_FILES
    plan = make_plan(quick, rounds, only)
    result = report.Result(procfs.machine(), client_versions(), asdict(plan))
    load = float(str(result.machine["load_average_at_start"]))
    if load > BUSY:
        result.notes.append(f"load average {load} at the start: others use this machine too")
        console.print(result.notes[-1], style="yellow")
    wanted: list[Broker] = []
    if not kafka_only:
        wanted.append(Barnabas(compiled=not pure, checkout=checkout))
    if not no_kafka:
        wanted.append(Kafka())
    suite.empty_data()
    brokers = prepare(wanted, result, console)
    if not brokers:
        raise click.ClickException("nothing to measure")
    try:
        run(brokers, plan, result, console)
    finally:
        shutil.rmtree(paths.DATA, ignore_errors=True)
    written = report.write(result, paths.BUILD)
    picture = draw(result, paths.BUILD / "report.png")
    if to_stdout:
        click.echo(json.dumps(report.as_json(result), indent=2))
    else:
        console.print(report.table(result))
        for line in report.bound_lines(result):
            console.print(line, highlight=False)
        names = [*written, *([picture] if picture else [])]
        console.print("wrote", *(str(path.relative_to(paths.ROOT)) for path in names))
    sys.exit(1 if result.failures() else 0)


if __name__ == "__main__":
    main()
