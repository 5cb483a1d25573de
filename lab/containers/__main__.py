"""`python -m lab.containers [--as-built]`: one line a check; status 1 if one failed.

It needs an engine that runs (`docker info`), and the base image of the Dockerfile in it. What it
made, the image apart, is removed at the end. With `--as-built` the image that is there is tried.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
import time
from typing import Final

from ..programs import ROOT
from .checks import CHECKS, Check, Trial
from .engine import CheckFailedError, Compose, run

FILE: Final = ROOT / "docker-compose.yml"
PROJECT: Final = "barnabas-check"


async def carry_out(trial: Trial, name: str, check: Check) -> bool:
    """Run one check and print its line; returns whether it passed."""
    began = time.monotonic()
    try:
        told = await check(trial)
    except Exception as error:
        kind = "" if isinstance(error, CheckFailedError) else f"{type(error).__name__}: "
        print(f"containers: FAILED  {name}: {kind}{error}", flush=True)
        return False
    print(f"containers: ok      {name}: {told} ({time.monotonic() - began:.0f} s)", flush=True)
    return True


async def main(*, as_built: bool) -> int:
    """Run all checks; after a failure only the last one, which looks at the logs."""
    # Brokers disappear all the time in these checks: each would be logged.
    logging.getLogger("barnabas").setLevel(logging.CRITICAL)
    trial = Trial(Compose(FILE, PROJECT), as_built=as_built)
    passed = failed = 0
    try:
        await trial.compose.call("down", "--volumes")  # of an earlier run that was interrupted
        for name, check in CHECKS:
            if failed and check is not CHECKS[-1][1]:
                continue
            if await carry_out(trial, name, check):
                passed += 1
            else:
                failed += 1
    finally:
        await trial.ledger.__aexit__(None, None, None)
        if trial.single is not None:
            with contextlib.suppress(CheckFailedError):
                await run("docker", "rm", "--force", "--volumes", trial.single)
        await trial.compose.call("down", "--volumes")
    print(f"containers: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main(as_built="--as-built" in sys.argv[1:])))
