"""A connection's transport: whether bytes are read from it, and why it is being closed.

Reading pauses while at least one reason holds. Work goes on when the last one is gone, in a later
turn of the event loop, so that whoever takes a reason away is not held up by it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from .muting import Mute

STOP_LINE, STOP_WRITE, STOP_TURN, STOP_BUDGET = 1, 2, 4, 8
STOP_ORDER, STOP_END, STOP_QUEUE, STOP_TRICKLE, STOP_MUTED = 16, 32, 64, 128, 256
STOP_ROOM = 512
"""Reasons why reading pauses; several may hold at once."""


class Link:
    """The transport of one connection; None before it is made, and after it is lost."""

    __slots__ = (
        "_call_soon",
        "_mute",
        "_on_turn",
        "_report",
        "begins_late",
        "closing_reason",
        "stops",
        "transport",
        "was_active",
    )

    def __init__(
        self,
        call_soon: Callable[[Callable[[], object]], object],
        on_turn: Callable[[], object],
        report: Callable[[str], object],
    ) -> None:
        """`on_turn` works on what has been received; `report` hears why this node closes."""
        self._call_soon = call_soon
        self._on_turn = on_turn
        self._report = report
        self._mute = Mute(partial(self.go_on, STOP_MUTED))
        self.transport: asyncio.Transport | None = None
        self.stops = 0
        """The reasons that hold."""
        self.closing_reason: str | None = None
        self.was_active = True
        """Whether bytes came or left since somebody looked."""
        self.begins_late = False
        """Whether it had to wait when it was made, and nobody has noticed yet that it is over."""

    def lose(self) -> None:
        """The transport is gone."""
        self.transport = None
        self._mute.forget()

    @property
    def is_open(self) -> bool:
        """Whether what is written can still reach the client."""
        return self.transport is not None and self.closing_reason is None

    @property
    def is_writable(self) -> bool:
        """Whether the connection is open and the client takes what is written."""
        return self.is_open and not self.stops & STOP_WRITE

    # --- pauses -------------------------------------------------------------------------------

    def stop(self, reason: int) -> None:
        """Pause reading for this reason."""
        if not self.stops and self.transport is not None:
            self.transport.pause_reading()
        self.stops |= reason

    def go_on(self, reason: int) -> None:
        """This reason to pause is gone; after the last one, work goes on in a later turn."""
        if self.stops & reason:
            self.stops &= ~reason
            if not self.stops:
                self.stops = STOP_TURN
                self._call_soon(self._take_turn)

    def yield_turn(self) -> None:
        """Leave the other connections their turn before going on."""
        if not self.stops & STOP_TURN:
            self.stop(STOP_TURN)
            self._call_soon(self._take_turn)

    def _take_turn(self) -> None:
        self.stops &= ~STOP_TURN
        if self.stops or not self.is_open:
            return
        self._on_turn()
        if not self.stops and self.is_open:
            assert self.transport is not None
            self.transport.resume_reading()

    def hold(self) -> None:
        """Begin no other request until the present one has had its effect."""
        self.stop(STOP_ORDER)

    def release(self) -> None:
        """The request that called `hold` has had its effect."""
        self.go_on(STOP_ORDER)

    def mute(self, delay_ms: float) -> None:
        """Begin no other request for this long, because of a quota; the latest end counts (QTA-11).

        Answers are sent as usual.
        """
        if self.transport is not None and self._mute.last(delay_ms):
            self.stop(STOP_MUTED)

    def mute_from_start(self, delay_ms: float) -> None:
        """As `mute`, for a connection that is just being made."""
        self.begins_late = True
        self.mute(delay_ms)
        self._call_soon(self._pause_anew)  # uvloop starts reading after `connection_made`

    def wait_from_start(self) -> None:
        """Read nothing from a connection that is just being made until `let_begin`."""
        self.begins_late = True
        self.stop(STOP_ROOM)
        self._call_soon(self._pause_anew)

    def let_begin(self) -> None:
        """The listener has room for this connection now."""
        self.go_on(STOP_ROOM)

    def _pause_anew(self) -> None:
        if self.stops and self.transport is not None:
            self.transport.pause_reading()

    # --- the end ------------------------------------------------------------------------------

    def close(self, reason: str) -> None:
        """Close at once; the reason goes to the log, at most one line a second and peer."""
        transport = self.transport
        if transport is None or self.closing_reason is not None:
            return
        self.closing_reason = reason
        self._report(reason)
        transport.abort()

    def end(self) -> None:
        """Close when everything written has been sent, without a line in the log."""
        # asyncio's TLS transport lets go of its connection when it is closed a second time; nothing
        # could cut that off any more.
        if self.closing_reason is None and self.transport is not None:
            self.transport.close()
        self.closing_reason = self.closing_reason or "the node stops"

    def cut_off(self) -> None:
        """The node has stopped: close at once, drop what is unsent, and log nothing."""
        self.closing_reason = self.closing_reason or "the node stops"
        if self.transport is not None:
            self.transport.abort()
