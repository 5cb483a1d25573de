"""The view during the replay: who leads what, who is in sync, how far readers are behind."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from barnabas.client import Admin, PartitionDescription
from barnabas.client.errors import ClientError

from .replay import Replay

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

LOOK_S = 0.25
_ROOM = 24


class Overview:
    """On a terminal, bars and a table that move; elsewhere nothing but the lines of `say`."""

    def __init__(self, console: Console, replay: Replay, total: int) -> None:
        self._console = console
        self._replay = replay
        self._total = total
        self._partitions: Sequence[PartitionDescription] = ()
        self._said: list[str] = []

    def say(self, text: str) -> None:
        """Tell that something happened."""
        self._said.append(text)
        if not self._console.is_terminal:
            self._console.print(f"  {text}", highlight=False, soft_wrap=True)

    async def watch(self) -> None:
        """Show until cancelled."""
        if not self._console.is_terminal:
            return
        from rich.live import Live

        replay = self._replay
        with Live(self._picture(), console=self._console, refresh_per_second=8) as live:
            try:
                async with Admin(bootstrap_servers=replay.bootstrap) as admin:
                    while True:
                        await self._look(admin)
                        live.update(self._picture())
                        await asyncio.sleep(LOOK_S)
            finally:
                live.update(self._picture(), refresh=True)

    async def _look(self, admin: Admin) -> None:
        try:
            found = await admin.describe_topics([self._replay.topic])
        except (ClientError, OSError):
            return  # the broker that was asked may be the one that was killed
        self._partitions = found[self._replay.topic].partitions

    def _picture(self) -> RenderableType:
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table

        ledger = self._replay.ledger
        bars = Table.grid(padding=(0, 1))
        for text, done in (("produced", ledger.produced), ("consumed", ledger.consumed)):
            bar = ProgressBar(self._total, done, width=max(20, self._console.width - 2 * _ROOM))
            bars.add_row(f"  {text}", bar, f"{done:>9,} / {self._total:,}")
        return Group(bars, self._table(), *(f"  [bold]{text}[/bold]" for text in self._said))

    def _table(self) -> RenderableType:
        from rich.box import SIMPLE_HEAD
        from rich.table import Table

        table = Table(box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
        for heading in ("  partition", "leader", "in sync", "stored", "lag"):
            table.add_column(heading, justify="right", no_wrap=True, min_width=9)
        for one in self._partitions:
            stored = self._replay.stored_to[one.partition]
            lag = max(stored - self._replay.read_to[one.partition], 0)
            full = len(one.isr) == len(one.replicas)
            isr = ",".join(str(node) for node in sorted(one.isr))
            table.add_row(
                str(one.partition),
                "[bold red]none[/]" if one.leader is None else str(one.leader),
                f"[{'green' if full else 'yellow'}]{isr}[/]",
                f"{stored:,}",
                f"{lag:,}",
            )
        return table
