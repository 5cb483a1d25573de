"""The sending half of a connection: answers in the order of the requests, as fast as they are read.

Rules:
- ENV-08: an answer that is ready waits in the line until all answers before it have left.
- Large answers are made late: a parked fetch reads its records only when it is first in the line
  and the client has taken what came before (`Place.fill_lately`), so a hundred of them need the
  memory of one. Other answers that wait are counted, and too many of them pause the reading of
  requests.
- Records that are still in a file are read as they are sent (`trickle.py`).
- A client that still lets `connections.max.output.bytes` pile up is closed; what all clients
  together have not read is counted in `answer_budget.py`.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial

from ..core.ports import Buffer
from .answer_budget import SMALL_BYTES, AnswerBudget
from .fast_fetch import LatePieces, Pieces
from .limits import Limits
from .muting import Mute
from .trickle import ReadLate, Trickle

STOP_LINE, STOP_WRITE, STOP_TURN, STOP_BUDGET = 1, 2, 4, 8
STOP_ORDER, STOP_END, STOP_QUEUE, STOP_TRICKLE, STOP_MUTED = 16, 32, 64, 128, 256
STOP_ROOM = 512
"""Reasons why reading pauses; several may hold at once."""

_LARGE_PIECE = 16_384

LINE_WEIGHT_MAX = 262_144
"""What those may hold together that wait in the line of one connection, such as fetches of many
partitions. Apache Kafka has one request of a connection wait at a time."""

Make = Callable[[], Pieces | None]
"""Makes an answer now, or returns None and fills its place later."""


class Place:
    """The place of an answer in the line of its connection."""

    __slots__ = ("_abandon", "_connection", "make", "pieces", "weight")

    def __init__(self, connection: Answering, abandon: Callable[[], object] | None) -> None:
        self._connection = connection
        self._abandon = abandon
        self.pieces: Pieces | None = None
        self.make: Make | None = None
        self.weight = 0

    def fill(self, pieces: Pieces) -> None:
        """Put the answer in its place; no pieces mean that the request gets no answer."""
        self.pieces = self._connection.hold_back(pieces)
        self._abandon = None
        self._connection.advance_line()

    def fill_lately(self, make: Make) -> bool:
        """Try to make the answer; False if it must wait for the answers before it."""
        if self._connection.closing_reason is not None:
            return True
        self.make = make
        self._connection.advance_line()
        return self.make is None

    def on_abandon(self, abandon: Callable[[], object]) -> None:
        """Whom to tell if the client leaves; this is known later than the place itself."""
        self._abandon = abandon

    def abandon(self) -> None:
        """The connection is gone: the work on the answer may stop."""
        self.make = None
        if self._abandon is not None:
            self._abandon()
            self._abandon = None


class Answering:
    """The sending half of a connection; `connection.Connection` is the other."""

    def __init__(
        self,
        limits: Limits,
        budget: AnswerBudget,
        read_late: ReadLate,
        call_soon: Callable[[Callable[[], object]], object],
    ) -> None:
        self._limits = limits
        self._answer_budget = budget
        self._read_late = read_late
        self._call_soon = call_soon
        self._trickle: Trickle | None = None
        self._transport: asyncio.Transport | None = None
        self._stops = 0
        self._is_in_turn = False
        self._out: list[Buffer] = []
        self._out_size = 0
        self._line: deque[Place] = deque()
        self._held = 0  # bytes of the answers in the line
        self._weight = 0  # about: of what waits there for something else
        self._was_active = True
        self._unsent = 0  # unsent at the last look
        self._mute = Mute(partial(self.go_on, STOP_MUTED))
        self.closing_reason: str | None = None

    def _stop(self, reason: int) -> None:
        """Pause reading for this reason."""
        raise NotImplementedError

    def go_on(self, reason: int) -> None:
        """This reason to pause reading is gone."""
        raise NotImplementedError

    def close(self, reason: str) -> None:
        """Close at once."""
        raise NotImplementedError

    def mute(self, delay_ms: float) -> None:
        """Begin no other request for this long, because of a quota; the latest end counts (QTA-11).

        Answers are sent as usual.
        """
        if self._transport is not None and self._mute.last(delay_ms):
            self._stop(STOP_MUTED)

    def mute_from_start(self, delay_ms: float) -> None:
        """As `mute`, for a connection that is just being made."""
        self.mute(delay_ms)
        self._call_soon(self._pause_anew)  # uvloop starts reading after `connection_made`

    def wait_from_start(self) -> None:
        """Read nothing from a connection that is just being made until `let_begin`."""
        self._stop(STOP_ROOM)
        self._call_soon(self._pause_anew)

    def let_begin(self) -> None:
        """The listener has room for this connection now."""
        self.go_on(STOP_ROOM)

    def _pause_anew(self) -> None:
        if self._stops and self._transport is not None:
            self._transport.pause_reading()

    def answer(self, answer: bytes) -> None:
        """Answer the present request with one piece."""
        if self._line:
            self.answer_in_pieces((answer,))
        else:
            self._out.append(answer)
            self._out_size += len(answer)
            if not self._is_in_turn:
                self._send()

    def answer_in_pieces(self, pieces: Pieces) -> None:
        """Answer the present request with pieces that are not to be joined, as for a fetch."""
        if self._line:
            self.reserve(None).pieces = self.hold_back(pieces)
            if self._held > self._limits.write_high:
                self._stop(STOP_LINE)
        elif isinstance(pieces, LatePieces):
            self._send_late(pieces)
        else:
            self._out += pieces
            self._out_size += sum(map(len, pieces))
            if not self._is_in_turn:
                self._send()

    def hold_back(self, pieces: Pieces) -> Pieces:
        """Count an answer that waits for those before it; () if the connection is closed."""
        if self.closing_reason is not None:
            return ()
        self._held += sum(map(len, pieces))
        if self._held > SMALL_BYTES:
            self.count_unsent()
        return pieces

    def reserve(self, abandon: Callable[[], object] | None) -> Place:
        """Reserve a place for a later answer; `abandon` is called if the client leaves."""
        place = Place(self, abandon)
        self._line.append(place)
        return place

    def weigh(self, place: Place, weight: int) -> None:
        """Who has this place holds so many bytes; with many of them no further request is begun."""
        place.weight = weight
        self._weight += weight
        if self._is_heavy:
            self._stop(STOP_LINE)

    @property
    def _is_heavy(self) -> bool:
        """Whether those who wait hold much together; one alone may."""
        return self._weight > LINE_WEIGHT_MAX and len(self._line) > 1

    def advance_line(self) -> None:
        """Send the answers at the head of the line that are ready, or can be made now (ENV-08)."""
        line = self._line
        held = self._held
        while line and (pieces := self._first_in_line(line[0])) is not None:
            self._weight -= line.popleft().weight
            if isinstance(pieces, LatePieces):
                self._send_late(pieces)
            else:
                self._out += pieces
        if self._out and not self._is_in_turn:
            self._send()
        if held > SMALL_BYTES and held != self._held:
            self.count_unsent()
        if self._held > self._limits.output_max:
            self.close(f"{self._held} bytes of answers wait for an earlier one")
        elif (
            self._held <= self._limits.write_high
            and len(line) <= self._limits.in_flight_max // 2
            and not self._is_heavy
        ):
            self.go_on(STOP_LINE)

    def _first_in_line(self, place: Place) -> Pieces | None:
        pieces = place.pieces
        if pieces is not None:
            self._held -= sum(map(len, pieces))
            return pieces
        if place.make is None:
            return None
        if self._out_size > self._limits.write_high and not self._is_in_turn:
            self._send()
        if self._stops & (STOP_WRITE | STOP_TRICKLE) or self._out_size > self._limits.write_high:
            return None
        make, place.make = place.make, None
        pieces = make()
        if pieces is not None and not isinstance(pieces, LatePieces):
            self._out_size += sum(map(len, pieces))
        return pieces

    def _send(self) -> None:
        out, self._out = self._out, []
        self._out_size = 0
        transport = self._transport
        if transport is None or self.closing_reason is not None:
            return
        if self._stops & STOP_TRICKLE and self._trickle is not None:
            self._trickle.add(out)
            self.count_unsent()
            return
        if len(out) == 1:
            transport.write(out[0])
        elif any(len(piece) > _LARGE_PIECE for piece in out):
            self.write_pieces(transport, out)
        else:
            transport.write(b"".join(out))
        if self._stops & STOP_WRITE:
            waiting = transport.get_write_buffer_size()
            self.count_unsent()
            if waiting > self._limits.output_max + sum(map(len, out)):
                self.close(f"{waiting} bytes of answers wait and the client does not read them")

    def write_pieces(self, transport: asyncio.Transport, pieces: Sequence[Buffer]) -> None:
        """Give pieces to the transport without joining them."""
        transport.writelines(pieces)
        if transport.get_write_buffer_size() > self._limits.write_pause:
            # asyncio of Python 3.12.0 to 3.13.0 forgets to pause us in writelines().
            transport.set_write_buffer_limits(high=self._limits.write_pause)

    def _send_late(self, pieces: LatePieces) -> None:
        """Send as much as the client takes now; no further request begins before the rest is
        sent."""
        if self._out:
            self._send()
        transport = self._transport
        if transport is None or self.closing_reason is not None:
            return
        trickle = self._trickle
        if trickle is None:
            trickle = self._trickle = Trickle(self, transport, self._read_late, self._call_soon)
        self._stop(STOP_TRICKLE)
        trickle.add(pieces)
        trickle.go_on()
        self.count_unsent()

    @property
    def is_writable(self) -> bool:
        """Whether the connection is open and the client takes what is written."""
        return (
            self._transport is not None
            and self.closing_reason is None
            and not self._stops & STOP_WRITE
        )

    def on_trickled(self) -> None:
        """All records that were in files have been given to the transport."""
        self.go_on(STOP_TRICKLE)

    @property
    def unsent(self) -> int:
        """Bytes of answers that are being sent: in the transport, or still to be read for it."""
        transport, trickle = self._transport, self._trickle
        waiting = 0 if trickle is None else trickle.left
        return waiting + (0 if transport is None else transport.get_write_buffer_size())

    def count_unsent(self) -> None:
        """Tell the node's budget how much memory the unsent answers take."""
        transport, trickle = self._transport, self._trickle
        if transport is None:
            self._answer_budget.resize(self, 0)
            return
        waiting = self._held if trickle is None else self._held + trickle.in_memory
        self._answer_budget.resize(self, waiting + transport.get_write_buffer_size())

    def pause_writing(self) -> None:
        self._stop(STOP_WRITE)
        self.count_unsent()

    def resume_writing(self) -> None:
        self._was_active = True
        self.go_on(STOP_WRITE)
        if self._stops & STOP_TRICKLE and self._trickle is not None:
            self._trickle.go_on()
        self.count_unsent()

    def take_activity(self) -> bool:
        """Whether bytes came or left since the last call, or the node owes an answer."""
        unsent = self.unsent
        # If an answer is not read, it is the client that is silent.
        was_active = self._was_active or unsent != self._unsent or bool(self._line and not unsent)
        self._was_active = False
        self._unsent = unsent
        return was_active

    # --- the end ----------------------------------------------------------------------------

    @property
    def is_quiet(self) -> bool:
        """Whether no answer is being made or sent."""
        return not self._line and not self.unsent

    def end(self) -> None:
        """Close when everything written has been sent, without a line in the log."""
        self.closing_reason = self.closing_reason or "the node stops"
        if self._transport is not None:
            self._transport.close()

    def cut_off(self) -> None:
        """The node has stopped: close at once, drop what is unsent, and log nothing."""
        self.closing_reason = self.closing_reason or "the node stops"
        if self._transport is not None:
            self._transport.abort()
