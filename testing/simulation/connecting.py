"""What the simulated loop asks of its network: the part of asyncio's own API that connects."""

from __future__ import annotations

from typing import Any, Protocol  # Any: the arguments and results of asyncio's loop API


class Connecting(Protocol):
    """Makes servers and connections; `SimulatedNetwork` does."""

    async def create_server(self, *args: Any, **kwargs: Any) -> Any:
        """Listen, as asyncio's loop does."""
        ...

    async def create_connection(self, *args: Any, **kwargs: Any) -> Any:
        """Connect, as asyncio's loop does."""
        ...
