"""A node that tells how late its event loop is: `python -m lab.chaos.watched_node`.

It is `python -m barnabas.broker` in all else. `DIR.lag` beside its log directory gets one line each
second: the largest lateness of twenty wake-ups, in ms.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from barnabas.broker.core.config.broker import BrokerConfig

MODULE: Final = "lab.chaos.watched_node"
_STEP_S: Final = 0.05
_STEPS: Final = 20


def lags_ms(directory: Path) -> list[float]:
    """What the node told so far, over all its lives."""
    try:
        lines = Path(f"{directory}.lag").read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    return [float(line) for line in lines]


async def _watch(tell: Callable[[str], object]) -> None:
    loop = asyncio.get_running_loop()
    while True:
        latest_s = 0.0
        for _ in range(_STEPS):
            due_s = loop.time() + _STEP_S
            await asyncio.sleep(_STEP_S)
            latest_s = max(latest_s, loop.time() - due_s)
        tell(f"{latest_s * 1000.0:.1f}\n")


def main() -> None:
    """Run the node."""
    from barnabas.broker import __main__ as node

    directory = sys.argv[sys.argv.index("--dir") + 1]
    run = node._run
    with Path(f"{directory}.lag").open("a", buffering=1, encoding="utf-8") as file:

        async def watched(config: BrokerConfig) -> int:
            watching = asyncio.get_running_loop().create_task(_watch(file.write))
            try:
                return await run(config)
            finally:
                watching.cancel()

        node._run = watched
        node.main()


if __name__ == "__main__":
    main()
