"""`python -m barnabas.testing.simulation.raft --seeds 1..100 --events 20000`: rate and verdict."""

from __future__ import annotations

import sys
from time import perf_counter

import click

from .run import run_seed


def _seeds(text: str) -> range:
    first, _, last = text.partition("..")
    return range(int(first), int(last or first) + 1)


@click.command()
@click.option("--seeds", default="1..100", show_default=True, help="First and last seed: A..B")
@click.option("--events", default=20_000, show_default=True, help="Events in each seed.")
@click.option("--trace/--no-trace", default=True, help="Show the last events of a failure.")
@click.option("--keep-going", is_flag=True, help="Do not stop at the first failure.")
def main(seeds: str, events: int, trace: bool, keep_going: bool) -> None:
    """Run seeds of the raft simulator; the exit code is 1 if one fails."""
    start = perf_counter()
    total = elections = snapshots = failures = 0
    for seed in _seeds(seeds):
        verdict = run_seed(seed, events)
        total += verdict.events
        elections += verdict.elections
        snapshots += verdict.snapshots
        if verdict.problem:
            failures += 1
            if trace:
                click.echo(verdict.trace)
            click.echo(f"seed {seed}, event {verdict.events}: {verdict.problem}")
            if not keep_going:
                break
    seconds = perf_counter() - start
    click.echo(
        f"{total:,} events in {seconds:.1f} s ({total / seconds:,.0f}/s), {elections:,} elections, "
        f"{snapshots:,} snapshots loaded, {failures} failures"
    )
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
