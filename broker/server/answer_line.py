"""The answers of one connection: in the order of the requests, as fast as they are read.

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

from ..core.ports import Buffer
from .answer_budget import SMALL_BYTES, AnswerBudget
from .fast_fetch import LatePieces, Pieces
from .limits import Limits
from .link import STOP_LINE, STOP_TRICKLE, STOP_WRITE, Link
from .trickle import ReadLate, Trickle

_LARGE_PIECE = 16_384

LINE_WEIGHT_MAX = 262_144
"""What those may hold together that wait in the line of one connection, such as fetches of many
partitions. Apache Kafka has one request of a connection wait at a time."""

Make = Callable[[], Pieces | None]
"""Makes an answer now, or returns None and fills its place later."""


class Place:
    """The place of an answer in the line of its connection."""

    __slots__ = ("_abandon", "_answers", "make", "pieces", "weight")

    def __init__(self, answers: AnswerLine, abandon: Callable[[], object] | None) -> None:
        self._answers = answers
        self._abandon = abandon
        self.pieces: Pieces | None = None
        self.make: Make | None = None
        self.weight = 0

    def fill(self, pieces: Pieces) -> None:
        """Put the answer in its place; no pieces mean that the request gets no answer."""
        self.pieces = self._answers.hold_back(pieces)
        self._abandon = None
        self._answers.advance()

    def fill_lately(self, make: Make) -> bool:
        """Try to make the answer; False if it is not made now: it must wait for the answers before
        it, or the connection is being closed, and it never is. What it holds may go then."""
        if self._answers.link.closing_reason is not None:
            return False
        self.make = make
        self._answers.advance()
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


class AnswerLine:
    """The answers of one connection that have not left yet, and how they leave."""

    __slots__ = (
        "_budget",
        "_call_soon",
        "_held",
        "_is_gathering",
        "_limits",
        "_line",
        "_out",
        "_read_late",
        "_trickle",
        "_unsent",
        "_weight",
        "link",
        "out_size",
    )

    def __init__(
        self,
        link: Link,
        limits: Limits,
        budget: AnswerBudget,
        read_late: ReadLate,
        call_soon: Callable[[Callable[[], object]], object],
    ) -> None:
        self.link = link
        self._limits = limits
        self._budget = budget
        self._read_late = read_late
        self._call_soon = call_soon
        self._trickle: Trickle | None = None
        self._is_gathering = False
        self._out: list[Buffer] = []
        self.out_size = 0
        """Bytes of the answers that leave next."""
        self._line: deque[Place] = deque()
        self._held = 0  # bytes of the answers in the line
        self._weight = 0  # about: of what waits there for something else
        self._unsent = 0  # unsent at the last look

    def gather(self) -> None:
        """Requests that came together are worked on: their answers are to leave together."""
        self._is_gathering = True

    def flush(self) -> None:
        """They have all been begun: send the answers that are ready."""
        self._is_gathering = False
        if self._out:
            self._send()

    def give(self, answer: bytes) -> None:
        """Answer the present request with one piece."""
        if self._line:
            self.give_pieces((answer,))
        else:
            self._out.append(answer)
            self.out_size += len(answer)
            if not self._is_gathering:
                self._send()

    def give_pieces(self, pieces: Pieces) -> None:
        """Answer the present request with pieces that are not to be joined, as for a fetch."""
        if self._line:
            self.reserve(None).pieces = self.hold_back(pieces)
            if self._held > self._limits.write_high:
                self.link.stop(STOP_LINE)
        elif isinstance(pieces, LatePieces):
            self._send_late(pieces)
        else:
            self._out += pieces
            self.out_size += sum(map(len, pieces))
            if not self._is_gathering:
                self._send()

    def hold_back(self, pieces: Pieces) -> Pieces:
        """Count an answer that waits for those before it; () if the connection is closed."""
        if self.link.closing_reason is not None:
            return ()
        self._held += sum(map(len, pieces))
        if self._held > SMALL_BYTES:
            self.count_unsent()
        return pieces

    def reserve(self, abandon: Callable[[], object] | None) -> Place:
        """Reserve a place for a later answer; `abandon` is called if the client leaves."""
        place = Place(self, abandon)
        self._line.append(place)
        if len(self._line) >= self._limits.in_flight_max:
            self.link.stop(STOP_LINE)
        return place

    def weigh(self, place: Place, weight: int) -> None:
        """Who has this place holds so many bytes; with many of them no further request is begun."""
        place.weight = weight
        self._weight += weight
        if self._is_heavy:
            self.link.stop(STOP_LINE)

    @property
    def _is_heavy(self) -> bool:
        """Whether those who wait hold much together; one alone may."""
        return self._weight > LINE_WEIGHT_MAX and len(self._line) > 1

    def advance(self) -> None:
        """Send the answers at the head of the line that are ready, or can be made now (ENV-08)."""
        line = self._line
        held = self._held
        while line and (pieces := self._first_in_line(line[0])) is not None:
            self._weight -= line.popleft().weight
            if isinstance(pieces, LatePieces):
                self._send_late(pieces)
            else:
                self._out += pieces
        if self._out and not self._is_gathering:
            self._send()
        if held > SMALL_BYTES and held != self._held:
            self.count_unsent()
        if self._held > self._limits.output_max:
            self.link.close(f"{self._held} bytes of answers wait for an earlier one")
        elif (
            self._held <= self._limits.write_high
            and len(line) <= self._limits.in_flight_max // 2
            and not self._is_heavy
        ):
            self.link.go_on(STOP_LINE)

    def _first_in_line(self, place: Place) -> Pieces | None:
        pieces = place.pieces
        if pieces is not None:
            self._held -= sum(map(len, pieces))
            return pieces
        if place.make is None:
            return None
        if self.out_size > self._limits.write_high and not self._is_gathering:
            self._send()
        if self.link.stops & (STOP_WRITE | STOP_TRICKLE) or self.out_size > self._limits.write_high:
            return None
        make, place.make = place.make, None
        pieces = make()
        if pieces is not None and not isinstance(pieces, LatePieces):
            self.out_size += sum(map(len, pieces))
        return pieces

    def _send(self) -> None:
        out, self._out = self._out, []
        self.out_size = 0
        transport = self.link.transport
        if transport is None or self.link.closing_reason is not None:
            return
        if self.link.stops & STOP_TRICKLE and self._trickle is not None:
            self._trickle.add(out)
            self.count_unsent()
            return
        if len(out) == 1:
            transport.write(out[0])
        elif any(len(piece) > _LARGE_PIECE for piece in out):
            self.write_pieces(transport, out)
        else:
            transport.write(b"".join(out))
        if self.link.stops & STOP_WRITE:
            waiting = transport.get_write_buffer_size()
            self.count_unsent()
            if waiting > self._limits.output_max + sum(map(len, out)):
                self.link.close(
                    f"{waiting} bytes of answers wait and the client does not read them"
                )

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
        transport = self.link.transport
        if transport is None or self.link.closing_reason is not None:
            return
        trickle = self._trickle
        if trickle is None:
            trickle = self._trickle = Trickle(self, transport, self._read_late, self._call_soon)
        self.link.stop(STOP_TRICKLE)
        trickle.add(pieces)
        trickle.go_on()
        self.count_unsent()

    @property
    def is_writable(self) -> bool:
        """Whether the connection is open and the client takes what is written."""
        return self.link.is_writable

    def on_trickled(self) -> None:
        """All records that were in files have been given to the transport."""
        self.link.go_on(STOP_TRICKLE)

    @property
    def unsent(self) -> int:
        """Bytes of answers that are being sent: in the transport, or still to be read for it."""
        transport, trickle = self.link.transport, self._trickle
        waiting = 0 if trickle is None else trickle.left
        return waiting + (0 if transport is None else transport.get_write_buffer_size())

    def count_unsent(self) -> None:
        """Tell the node's budget how much memory the unsent answers take."""
        transport, trickle = self.link.transport, self._trickle
        if transport is None:
            self._budget.resize(self, 0)
            return
        waiting = self._held if trickle is None else self._held + trickle.in_memory
        self._budget.resize(self, waiting + transport.get_write_buffer_size())

    def pause_writing(self) -> None:
        """The client does not take what was written: asyncio says so."""
        self.link.stop(STOP_WRITE)
        self.count_unsent()

    def resume_writing(self) -> None:
        """The client has taken most of what was written: asyncio says so."""
        self.link.was_active = True
        self.link.go_on(STOP_WRITE)
        if self.link.stops & STOP_TRICKLE and self._trickle is not None:
            self._trickle.go_on()
        self.count_unsent()

    def take_activity(self) -> bool:
        """Whether bytes came or left since the last call, or the node owes an answer."""
        unsent = self.unsent
        # If an answer is not read, it is the client that is silent.
        was_active = (
            self.link.was_active or unsent != self._unsent or bool(self._line and not unsent)
        )
        self.link.was_active = False
        self._unsent = unsent
        return was_active

    # --- the end ----------------------------------------------------------------------------

    @property
    def is_quiet(self) -> bool:
        """Whether no answer is being made or sent."""
        return not self._line and not self.unsent

    def close(self, reason: str) -> None:
        """Close the connection at once."""
        self.link.close(reason)

    def abandon(self) -> None:
        """The connection is gone: nobody waits for these answers."""
        line, self._line = self._line, deque()
        for place in line:
            place.abandon()
        self._out = []
        if self._trickle is not None:
            self._trickle.stop()
        self.count_unsent()
