"""`python -m lab.mutants.planted NAME --seeds A..B`: runs with one planted bug.

It needs a process of its own, since a bug is planted while the product is imported. It prints one
line of JSON for each seed.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from time import process_time

from .fine import FINE
from .planting import plant

HASH_SEED = "PYTHONHASHSEED"


def main() -> None:
    """Ends after `--catches` seeds that found the bug, or with the last seed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("name", help="of a fine mutant; `none`: the product as it is")
    parser.add_argument("--seeds", default="1..101", metavar="A..B")
    parser.add_argument("--duration", type=float, default=8.0, metavar="SECONDS")
    parser.add_argument("--catches", type=int, default=1)
    parser.add_argument("--skip", default="", metavar="N,N", help="seeds that are left out")
    parser.add_argument("--family", default="", help="instead of the one that each seed draws")
    options = parser.parse_args()
    if os.environ.get(HASH_SEED) != "0":
        os.environ[HASH_SEED] = "0"
        os.execv(sys.executable, [sys.executable, "-m", __spec__.name, *sys.argv[1:]])
    plant([each for each in FINE if each.name == options.name])
    # Not at the top: what is imported from here on is the product with the bug.
    from barnabas.testing.simulation.run import plan_for, run

    first, _, last = options.seeds.partition("..")
    left = options.catches
    skipped = {int(one) for one in options.skip.split(",") if one}
    for seed in range(int(first), int(last)):
        if seed in skipped:
            continue
        begun = process_time()
        outcome = run(plan_for(seed, family=options.family, duration_s=options.duration))
        row = {
            "seed": seed,
            "family": outcome.profile.family,
            "rule": outcome.rule,
            "text": outcome.text,
            "cpu_s": round(process_time() - begun, 2),
        }
        print(json.dumps(row), flush=True)
        left -= bool(outcome.rule)
        if left <= 0:
            break


if __name__ == "__main__":
    main()
