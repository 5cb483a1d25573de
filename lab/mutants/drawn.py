"""Fine bugs under drawn seeds: each is hunted in processes of its own, over seeds of all kinds."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any, NamedTuple

from barnabas.testing.simulation.families.drawing import FAMILIES, draw_run

from ..programs import environment
from .fine import FINE
from .planting import FineMutant

RUNNER = "lab.mutants.planted"
SEEDS = 100
"""The most seeds that are drawn for a bug."""

CATCHES = 2
"""After so many catches a bug is hunted no further."""

DURATION_S = 8.0


class Hunted(NamedTuple):
    """The result of the hunt for one bug."""

    mutant: FineMutant
    seeds: int
    """The seeds that were run."""
    catches: tuple[int, ...]
    """The seeds that found the bug."""
    rules: dict[str, int]
    """The rules that found it, and how often each."""
    families: tuple[str, ...]
    text: str
    """The verdict of the first catch."""

    @property
    def is_caught(self) -> bool:
        return bool(self.catches)

    @property
    def rate(self) -> float:
        """Catches in a hundred seeds."""
        return 100.0 * len(self.catches) / self.seeds if self.seeds else 0.0


def hunt_all(
    mutants: Sequence[FineMutant],
    *,
    jobs: int,
    seeds: range,
    catches: int = CATCHES,
    fitting: bool = False,
) -> Iterator[Hunted]:
    """Hunt each bug under these seeds, several bugs at the same time.

    With `fitting` seeds whose family is not about the bug's rule are not run, and count as if they
    had not found it: the true rate is at least what is told, and the hunt takes a small part of
    the time.
    """
    sound = SoundRuns()

    def hunt_one(mutant: FineMutant) -> Hunted:
        if fitting:
            return hunt_fitting(mutant, seeds, catches, sound.fails)
        return hunt(mutant, seeds, catches, sound.fails)

    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(hunt_one, mutants)


def hunt_fitting(
    mutant: FineMutant, seeds: range, catches: int, fails: Callable[[int], bool]
) -> Hunted:
    """Run one bug under those of the seeds whose family is about its rule."""
    hunted = hunt(mutant, seeds, catches, fails, unfitting(mutant.rule, seeds))
    end = hunted.catches[-1] + 1 if len(hunted.catches) == catches else seeds.stop
    return hunted._replace(seeds=end - seeds.start)


def unfitting(rule: str, seeds: range) -> tuple[int, ...]:
    """The seeds whose family is about other rules; none where no family is about this one."""
    about = {name for name, family in FAMILIES.items() if family.is_about(rule)}
    return tuple(seed for seed in seeds if about and draw_run(seed).family not in about)


class SoundRuns:
    """Runs of the product as it is, each made once, when a bug was caught under its seed."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._fails: dict[int, bool] = {}

    def fails(self, seed: int) -> bool:
        """Whether the product fails under this seed without any bug."""
        with self._lock:
            if seed not in self._fails:
                (row,) = _run("none", range(seed, seed + 1), 1, ())
                self._fails[seed] = bool(row["rule"])
            return self._fails[seed]


def hunt(
    mutant: FineMutant,
    seeds: range,
    catches: int,
    fails: Callable[[int], bool],
    skipped: Sequence[int] = (),
) -> Hunted:
    """Run one bug in a process of its own. Raises RuntimeError if that process fails.

    A seed under which the product fails without any bug is left out, since it tells nothing:
    `fails` is asked of each one that catches.
    """
    while True:
        rows = _run(mutant.name, seeds, catches, skipped)
        caught = [row for row in rows if row["rule"]]
        unsound = [row["seed"] for row in caught if fails(row["seed"])]
        if not unsound:
            break
        skipped = [*skipped, *unsound]
    return Hunted(
        mutant,
        len(rows),
        tuple(row["seed"] for row in caught),
        dict(Counter(row["rule"] for row in caught)),
        tuple(row["family"] or "any" for row in caught),
        caught[0]["text"] if caught else "",
    )


def _run(name: str, seeds: range, catches: int, skipped: Sequence[int]) -> list[dict[str, Any]]:
    command = [
        sys.executable, "-m", RUNNER, name,
        "--seeds", f"{seeds.start}..{seeds.stop}",
        "--catches", str(catches),
        "--duration", str(DURATION_S),
        "--skip", ",".join(map(str, skipped)),
    ]  # fmt: skip
    variables = {**environment(), "PYTHONHASHSEED": "0"}
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode or not rows:
        raise RuntimeError(f"{name}: {done.stderr.strip()[-2000:]}")
    return rows


def chosen(names: Sequence[str]) -> list[FineMutant]:
    """The bugs with these names; without names, all that can be found."""
    return [one for one in FINE if (one.name in names if names else not one.equivalent)]


TITLE = "## Fine bugs under drawn seeds"
"""Of the last section of the page, which has a command of its own."""


def replaced(page: str, lines: Iterable[str]) -> str:
    """The page with this section in place of its present one."""
    return page.partition(TITLE)[0].rstrip() + "\n\n" + "\n".join(lines) + "\n"


def kept(page: str, rest: str) -> str:
    """`rest`, and the section that the page has."""
    _, title, last = page.partition(TITLE)
    return rest.rstrip() + "\n\n" + title + last if title else rest


def section(rows: Iterable[Hunted], *, seeds: int = SEEDS, catches: int = CATCHES) -> list[str]:
    """The section of `docs/mutants.md`: each bug under at most `seeds` seeds, until it was caught
    often enough."""
    rows = list(rows)
    caught = sum(row.is_caught for row in rows)
    share = 100.0 * caught / len(rows) if rows else 0.0
    lines = [
        TITLE,
        "",
        "One condition each, planted as a change of the source. `--drawn` runs each under the"
        f" seeds 1 to {seeds}, {DURATION_S:.0f} simulated seconds, with the family and the knobs"
        f" that each seed draws, and stops at the first {catches} that catch it. {caught} of"
        f" {len(rows)} are caught ({share:.0f} %).",
        "",
        "| rule | bug | what is wrong | caught by | catches of seeds | per 100 |",
        "|---|---|---|---|--:|--:|",
    ]
    for row in sorted(rows, key=lambda one: one.mutant.rule):
        one = row.mutant
        rules = ", ".join(sorted(row.rules)) or "**survives**"
        lines.append(
            f"| {one.rule} | {one.name} | {one.what} | {rules} |"
            f" {len(row.catches)} of {row.seeds} | {row.rate:.0f} |"
        )
    same = [one for one in FINE if one.equivalent]
    if same:
        lines += ["", "Not counted, since nobody can tell the difference:", ""]
        lines += [f"- {one.name} ({one.rule}): {one.what}. {one.equivalent}." for one in same]
    return lines
