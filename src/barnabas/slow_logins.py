"""Running what is slow of a login in a thread, for clients and for nodes that log in to others."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from barnabas.protocol.sasl.errors import SaslError
from barnabas.protocol.sasl.slow import Slow


def run_slow(work: Slow, done: Callable[[bytes | SaslError], object]) -> None:
    """Call `done` with the result, on the event loop that runs now."""

    def over(future: asyncio.Future[bytes]) -> None:
        if future.cancelled():
            return
        error = future.exception()
        if error is not None and not isinstance(error, SaslError):
            raise error  # a bug: the loop logs it, and the login ends with its time
        done(future.result() if error is None else error)

    asyncio.get_running_loop().run_in_executor(None, work.run).add_done_callback(over)
