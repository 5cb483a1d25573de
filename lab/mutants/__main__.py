"""`python -m lab.mutants`: hunts every planted bug and writes the table."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from barnabas.testing.simulation.workers import workers

from .drawn import CATCHES, SEEDS, Hunted, chosen, hunt_all, kept, replaced, section
from .hunting import MUTANTS, Caught, hunt, hunt_in_raft, table
from .mutant import SEEDS_MAX
from .raft import MUTANTS as RAFT_MUTANTS


def main() -> None:
    """Exits with 1 if a bug survives, or if the rule that caught it is not one of those it
    breaks."""
    parser = argparse.ArgumentParser(prog="python -m lab.mutants")
    parser.add_argument(
        "--seeds", type=int, help=f"most seeds for one bug; {SEEDS_MAX}, with --drawn {SEEDS}"
    )
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME")
    parser.add_argument("--raft", action="store_true", help="bugs of the consensus core alone")
    parser.add_argument("--write", type=Path, metavar="FILE.md")
    parser.add_argument("--drawn", action="store_true", help="fine bugs, under drawn seeds")
    parser.add_argument("--first", type=int, default=1, help="the first of the drawn seeds")
    parser.add_argument(
        "--fitting", action="store_true", help="of the drawn seeds those whose family fits the bug"
    )
    parser.add_argument("--catches", type=int, default=CATCHES, help="enough for one fine bug")
    options = parser.parse_args()
    if os.environ.get("PYTHONHASHSEED") != "0":
        os.environ["PYTHONHASHSEED"] = "0"
        arguments = ["-m", "lab.mutants", *sys.argv[1:]]
        os.execv(sys.executable, [sys.executable, *arguments])
    if options.drawn:
        hunt_drawn(options)
        return
    only = options.only
    names = [each.name for each in MUTANTS if not options.raft and (not only or each.name in only)]
    raft_names = [each.name for each in RAFT_MUTANTS if not only or each.name in only]
    found: list[Caught] = []
    with workers(options.jobs) as pool:
        for row in pool.map(hunt, names, [options.seeds or SEEDS_MAX] * len(names)):
            say(row)
            found.append(row)
        in_raft = list(
            pool.map(hunt_in_raft, raft_names, [options.seeds or SEEDS_MAX] * len(raft_names))
        )
    for row in in_raft:
        say(row)
    if options.write is not None:
        before = options.write.read_text() if options.write.exists() else ""
        options.write.write_text(kept(before, table(found, in_raft)))
    if not all(row.is_expected for row in (*found, *in_raft)):
        raise SystemExit(1)


def hunt_drawn(options: argparse.Namespace) -> None:
    """Hunt the fine bugs; exits with 1 if one survives."""
    rows: list[Hunted] = []
    for row in hunt_all(
        chosen(options.only),
        jobs=options.jobs,
        seeds=range(options.first, options.first + (options.seeds or SEEDS)),
        catches=options.catches,
        fitting=options.fitting,
    ):
        rows.append(row)
        verdict = ", ".join(row.rules) or "SURVIVES"
        where = ", ".join(map(str, row.catches))
        print(
            f"{row.mutant.name:36} {verdict} {len(row.catches)} of {row.seeds} ({where};"
            f" {', '.join(row.families)}) {row.text[:150]}",
            flush=True,
        )
    if options.write is not None:
        options.write.write_text(
            replaced(
                options.write.read_text(),
                section(rows, seeds=options.seeds or SEEDS, catches=options.catches),
            )
        )
    if not all(row.is_caught for row in rows):
        raise SystemExit(1)


def say(row: Caught) -> None:
    """One bug as a line for the terminal."""
    note = "" if row.is_expected or not row.rule else " (not expected)"
    rule = row.rule or "SURVIVES"
    print(f"{row.name:32} {rule}{note} after {row.seeds} seeds: {row.text[:150]}", flush=True)


if __name__ == "__main__":
    main()
