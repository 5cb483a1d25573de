"""`barnabas simulate`: a whole cluster in one thread, on virtual time, with faults from a seed."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .knobs import knobs_of

if TYPE_CHECKING:
    from barnabas.testing.simulation.case import Case
    from barnabas.testing.simulation.run import Outcome, Plan

HASH_SEED = "PYTHONHASHSEED"
TRACE_LINES = 60


@click.command()
@click.option("--seed", type=int, help="One seed; the same seed is the same run.")
@click.option("--seeds", metavar="A..B", help="All seeds from A up to B, B left out.")
@click.option(
    "--profile",
    "profile_file",
    type=click.Path(exists=True, path_type=Path),
    help="A file with knobs (JSON) instead of those that the seed draws.",
)
@click.option(
    "--family",
    default="",
    metavar="NAME",
    help="Draw all runs from this family of trouble; `any` is what belongs to none.",
)
@click.option("--set", "knobs", multiple=True, metavar="KNOB=VALUE", help="Set one knob.")
@click.option(
    "--case",
    "case_file",
    type=click.Path(exists=True, path_type=Path),
    help="Replay a kept run: seed, profile and schedule in one file.",
)
@click.option(
    "--scenario",
    type=click.Choice(["disk-stall", "leader-cut"]),
    help="Play one fault at a known moment instead, and print its figures.",
)
@click.option("--trace", is_flag=True, help="Print the last events, also of a good run.")
@click.option(
    "--plot",
    "plot_file",
    type=click.Path(path_type=Path),
    metavar="FILE.html",
    help="Write a page with machines, leaders, faults and rates over time.",
)
@click.option("--reduce", "reduces", is_flag=True, help="Make a failing run smaller.")
@click.option(
    "--save",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Keep failing runs there, as files for --case.",
)
@click.option(
    "--twice",
    is_flag=True,
    help="Run each seed twice, in processes of their own, and compare the hashes.",
)
@click.option("--jobs", type=int, default=1, show_default=True, help="Processes side by side.")
@click.option("--show-profile", is_flag=True, help="Print what the seed draws, and run nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one line a run.")
def command(**options: Any) -> None:
    """Simulate a cluster under faults and check every invariant after every event.

    Exit status 1: an invariant did not hold; the output says which, and how to replay it.
    """
    if os.environ.get(HASH_SEED) != "0":
        # A run does not depend on the order in which sets of texts iterate; should a bug make it
        # depend, the seed that shows it must do so again.
        arguments = [sys.executable, "-m", "barnabas.cli.main", *sys.argv[1:]]
        environment = {**os.environ, HASH_SEED: "0"}
        raise SystemExit(subprocess.run(arguments, env=environment, check=False).returncode)
    if options["family"] and (options["profile_file"] or options["case_file"]):
        raise click.UsageError("--family draws a profile; --profile and --case bring their own")
    if options["show_profile"]:
        for plan in plans(options):
            click.echo(plan.profile.to_json())
        return
    if options["scenario"] is not None:
        from barnabas.testing.simulation.scenarios.table import run as play

        seed = 1 if options["seed"] is None else int(options["seed"])
        if not play(options["scenario"], seed, click.echo, as_json=options["as_json"]):
            raise SystemExit(1)
        return
    failed = 0
    for outcome in outcomes(options):
        failed += not outcome.is_good
        report(outcome, options)
    if failed:
        raise SystemExit(1)


def seeds_of(options: dict[str, Any]) -> range:
    """The seeds that were asked for; 1 without any."""
    text = options["seeds"]
    if text is not None and options["seed"] is not None:
        raise click.UsageError("give one of --seed and --seeds")
    if text is None:
        seed = 1 if options["seed"] is None else int(options["seed"])
        return range(seed, seed + 1)
    first, separator, last = text.partition("..")
    if not separator or not first.isdigit() or not last.isdigit():
        raise click.BadParameter(f"{text!r} is not A..B", param_hint="--seeds")
    found = range(int(first), int(last))
    if not found:
        raise click.BadParameter(f"{text!r} has no seed in it", param_hint="--seeds")
    return found


def plans(options: dict[str, Any]) -> Iterator[Plan]:
    """What is to be run."""
    from barnabas.testing.simulation.profile import Profile
    from barnabas.testing.simulation.run import plan_for

    profile = None
    try:
        if options["case_file"] is not None:
            yield _case(options["case_file"]).plan()
            return
        if options["profile_file"] is not None:
            profile = Profile.from_json(options["profile_file"].read_text())
        changes = knobs_of(options["knobs"])
        for seed in seeds_of(options):
            yield plan_for(seed, profile, family=options["family"], **changes)
    except (ValueError, TypeError) as error:
        raise click.ClickException(str(error)) from None


def _case(path: Path) -> Case:
    """A run that was kept. Raises ValueError, with what is wrong in the file."""
    from barnabas.testing.simulation.case import Case

    try:
        return Case.load(path)
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(f"{path} is no kept run: {error!r}") from None


def outcomes(options: dict[str, Any]) -> Iterator[Outcome]:
    """Run everything, with a bar on a terminal."""
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    todo = list(plans(options))
    if options["plot_file"] is not None and (options["twice"] or len(todo) > 1):
        raise click.UsageError("--plot draws one run: give one seed, and no --twice")
    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=options["as_json"]) as bar:
        row = bar.add_task("simulating", total=None)
        done = simulated_s = 0.0
        for outcome in run_all(todo, options):
            done += 1
            simulated_s += outcome.simulated_s
            bar.update(row, description=f"{done:.0f} of {len(todo)} runs, {simulated_s:.0f} s")
            yield outcome


def run_all(todo: list[Plan], options: dict[str, Any]) -> Iterator[Outcome]:
    """In this process, or in several side by side."""
    jobs = options["jobs"]
    if options["twice"]:
        jobs = max(jobs, 1)
    elif jobs <= 1 or len(todo) == 1:
        for plan in todo:
            yield run_one(plan, options["plot_file"])
        return
    from barnabas.testing.simulation.workers import workers

    # One run a process where runs are compared: nothing is left over from another.
    tasks = 1 if options["twice"] else None
    with workers(jobs, tasks_max=tasks) as pool:
        if not options["twice"]:
            yield from pool.map(run_one, todo)
            return
        again = pool.map(run_one, [plan for plan in todo for _ in range(2)])
        for first, second in zip(again, again, strict=True):
            if first.digest != second.digest:
                first.rule = "determinism"
                first.text = f"determinism: hash {first.digest}, then {second.digest}"
            yield first


def run_one(plan: Plan, plot_file: Path | None = None) -> Outcome:
    """Run a plan; `plot_file` gets its page."""
    from barnabas.testing.simulation.run import run

    if plot_file is None:
        return run(plan)
    from barnabas.testing.simulation.plot import page
    from barnabas.testing.simulation.watch import Watch

    plan.watch = watch = Watch()
    outcome = run(plan)
    plot_file.write_text(page(outcome, watch.samples))
    click.echo(f"wrote {plot_file}, a page for a browser", err=True)
    return outcome


def report(outcome: Outcome, options: dict[str, Any]) -> None:
    """Print a run; reduce and keep it if it failed and that was asked for."""
    if not outcome.is_good and options["reduces"]:
        from barnabas.testing.simulation.reduction import Reduction

        reduction = Reduction(outcome, lambda line: click.echo(line, err=True))
        outcome = reduction.reduce()
    if not outcome.is_good and options["folder"] is not None:
        from barnabas.testing.simulation.case import Case

        options["folder"].mkdir(parents=True, exist_ok=True)
        path = options["folder"] / f"{outcome.rule}-{outcome.seed}.json"
        Case.of(outcome, outcome.text).save(path)
        click.echo(f"kept: barnabas simulate --case {path}", err=True)
    if options["as_json"]:
        click.echo(json.dumps(row_of(outcome)))
        return
    verdict = "ok" if outcome.is_good else outcome.text
    click.echo(
        f"seed {outcome.seed}: {verdict}\n  {outcome.simulated_s:.1f} s in {outcome.real_s:.2f} s"
        f" ({outcome.speed:.0f} x), checking {100 * outcome.checking_s / outcome.real_s:.0f} %,"
        f" {outcome.events} events, {len(outcome.faults)} faults, acknowledged"
        f" {outcome.figures['acked']:.0f} of {outcome.figures['sent']:.0f},"
        f" read {outcome.figures['read']:.0f}, hash {outcome.digest}"
    )
    if options["trace"] or not outcome.is_good:
        for line in outcome.trace[-(2000 if options["trace"] else TRACE_LINES) :]:
            click.echo("  " + line)
    if not outcome.is_good:
        whole = " of the whole run" if options["reduces"] else ""
        click.echo(f"replay{whole}: {replay_of(outcome, options)}", err=True)


def replay_of(outcome: Outcome, options: dict[str, Any]) -> str:
    """The command that makes this run again."""
    words = ["barnabas", "simulate"]
    if options["case_file"] is not None:
        words += ["--case", str(options["case_file"])]
    else:
        words += ["--seed", str(outcome.seed)]
        if options["profile_file"] is not None:
            words += ["--profile", str(options["profile_file"])]
        if options["family"]:
            words += ["--family", options["family"]]
        for knob in options["knobs"]:
            words += ["--set", knob]
    return shlex.join([*words, "--trace"])


def row_of(outcome: Outcome) -> dict[str, Any]:
    """A run for machines."""
    return {
        "seed": outcome.seed,
        "ok": outcome.is_good,
        "rule": outcome.rule,
        "text": outcome.text,
        "hash": outcome.digest,
        "simulated_s": round(outcome.simulated_s, 3),
        "real_s": round(outcome.real_s, 3),
        "checking_s": round(outcome.checking_s, 3),
        "events": outcome.counts,
        "figures": outcome.figures,
        "errors": outcome.errors,
        "faults": outcome.faults,
        "trouble": outcome.trouble,
    }
