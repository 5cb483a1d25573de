"""Waiting for the markers of transactions that have ended."""

from __future__ import annotations

from barnabas.client import Admin

from .waiting import eventually

ENDING = ("PrepareCommit", "PrepareAbort")


async def until_markers_are_written(bootstrap: str) -> None:
    """Until readers see all of what was committed: an end is answered before (TXN-20)."""
    async with Admin(bootstrap_servers=bootstrap) as admin:
        await eventually(
            lambda: admin.list_transactions(states=ENDING), lambda found: len(found) == 0
        )
