"""What the simulated loop has to run: callbacks and timers that know their owner."""

from __future__ import annotations

from asyncio import BaseEventLoop, events
from collections.abc import Callable
from contextvars import Context
from typing import Any

from .incarnation import Incarnation


class OwnedHandle(events.Handle):
    """A callback of a node, or of the simulator itself where `owner` is None.

    Like its parent without what a simulation never asks for: no debug mode, no source traceback.
    """

    __slots__ = ("owner",)

    _source_traceback = None
    _repr = None

    def __init__(
        self,
        callback: Callable[..., object],
        args: tuple[Any, ...],
        loop: BaseEventLoop,
        context: Context,
        owner: Incarnation | None,
    ) -> None:
        self._callback = callback
        self._args = args
        self._loop = loop
        self._context = context
        self._cancelled = False
        self.owner = owner

    def cancel(self) -> None:
        self._cancelled = True
        self._callback = self._args = None  # type: ignore[assignment]  # as the parent does


class OwnedTimer(events.TimerHandle):
    """A timer of a node or of the simulator; its time is in seconds of the simulation, whatever the
    owner's clock says."""

    __slots__ = ("owner",)

    _source_traceback = None
    _repr = None

    def __init__(
        self,
        when: float,
        callback: Callable[..., object],
        args: tuple[Any, ...],
        loop: BaseEventLoop,
        context: Context,
        owner: Incarnation | None,
    ) -> None:
        self._when = when
        self._callback = callback
        self._args = args
        self._loop = loop
        self._context = context
        self._cancelled = False
        self.owner = owner

    def cancel(self) -> None:
        if not self._cancelled:
            self._cancelled = True
            self._callback = self._args = None  # type: ignore[assignment]  # as the parent does
            self._loop._timer_handle_cancelled(self)  # type: ignore[attr-defined]  # asyncio's own
