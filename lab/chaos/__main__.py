"""`python -m lab.chaos`: faults from the table, and a table of what came of them."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import shutil
import signal
import sys
import traceback
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Any

from barnabas.testing.process_cluster import ClusterError

from .report import as_markdown
from .rows import Row
from .run import Outcome, as_json, run_row
from .scene import FULL, SHORT, Lengths
from .table import all_rows

ENDED = 128 + signal.SIGTERM
"""The exit status after SIGTERM, as a shell reports it."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run rows; exits with 0 only if no promise was violated and every figure was held."""
    arguments = _parse(argv)
    rows = all_rows()
    if arguments.list:
        for row in rows.values():
            print(f"{row.id:5} {row.title}")
        return 0
    chosen = _chosen(rows, arguments.rows)
    lengths = SHORT if arguments.short else FULL
    # Unreachable nodes are the subject here: they are counted, not printed.
    logging.getLogger("barnabas.client").addHandler(logging.NullHandler())
    outcomes: list[Outcome] = []
    for row in chosen:
        repeats = arguments.repeat or (1 if arguments.short else row.repeats)
        directory = arguments.dir / row.id
        try:
            outcomes.append(_run(row, directory, lengths, repeats, arguments.seed))
        except asyncio.CancelledError:  # SIGTERM; the nodes have been stopped already
            print(f"{row.id}: ended by SIGTERM", file=sys.stderr, flush=True)
            return ENDED
        if outcomes[-1].result in ("held", "skipped") and not arguments.keep:
            shutil.rmtree(directory, ignore_errors=True)
        _write(arguments.out, outcomes)
    if arguments.as_json:
        print(json.dumps([as_json(one) for one in outcomes], indent=2))
    else:
        print(as_markdown(outcomes))
    return 0 if all(one.result in ("held", "skipped") for one in outcomes) else 1


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m lab.chaos", description=__doc__)
    parser.add_argument("--rows", default="", help="ids by comma; without it all of them")
    parser.add_argument("--repeat", type=int, default=0, metavar="N", help="times for each row")
    parser.add_argument("--short", action="store_true", help="seconds instead of minutes")
    parser.add_argument("--seed", type=int, default=1, help="of what is chosen by chance")
    parser.add_argument("--keep", action="store_true", help="leave the nodes' files of every row")
    parser.add_argument("--json", action="store_true", dest="as_json")
    parser.add_argument("--list", action="store_true", help="show the rows and end")
    parser.add_argument("--out", type=Path, default=Path("build/chaos.md"), metavar="FILE")
    parser.add_argument(
        "--dir", type=Path, default=Path("build/chaos"), metavar="DIR", help="for the nodes"
    )
    return parser.parse_args(argv)


def _chosen(rows: dict[str, Row], text: str) -> list[Row]:
    wanted = [one.strip() for one in text.split(",") if one.strip()] or list(rows)
    unknown = [one for one in wanted if one not in rows]
    if unknown:
        raise SystemExit(f"there is no row {unknown[0]}; the rows are {', '.join(rows)}")
    return [rows[one] for one in wanted]


def _run(row: Row, directory: Path, lengths: Lengths, repeats: int, seed: int) -> Outcome:
    """Run one row. Its directory stays if something went wrong, since the files are the
    evidence."""
    shutil.rmtree(directory, ignore_errors=True)

    def say(text: str) -> None:
        print(f"{row.id}: {text}", file=sys.stderr, flush=True)

    say(f"{row.title}, {repeats} times")
    try:
        outcome = asyncio.run(
            _until_told(run_row(row, directory, lengths, repeats=repeats, seed=seed, progress=say))
        )
    except ClusterError as error:
        outcome = Outcome(row, misses=[f"the cluster did not start: {error}"])
    except Exception as error:  # the other rows are to be run all the same
        traceback.print_exc()
        outcome = Outcome(row, misses=[f"the row itself broke: {error!r}"])
    say(outcome.result)
    for text in (*outcome.verdict.violations, *outcome.misses):
        say(text)
    return outcome


async def _until_told(work: Coroutine[Any, Any, Outcome]) -> Outcome:
    """SIGTERM cancels the work, as asyncio's own SIGINT does; the work then ends what it has
    started."""
    told = False
    doing = asyncio.ensure_future(work)

    def tell() -> None:
        nonlocal told
        if not told:  # a second signal must not interrupt the clean-up
            told = True
            doing.cancel()

    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, tell)
    try:
        return await doing
    finally:
        loop.remove_signal_handler(signal.SIGTERM)


def _write(path: Path, outcomes: list[Outcome]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(as_markdown(outcomes), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
