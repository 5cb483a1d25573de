"""Answers that are made only when their turn to leave has come, and may have to wait for the disk.

Their records may have been freed while they waited for their turn, and are no longer in memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any  # Any: the result depends on the kind of read

from barnabas.protocol.message import Message

from ..core.reads import Planned, attempt
from ..serving.waiting import Late
from .answer_line import Place
from .fast_fetch import Pieces

Load = Callable[[Planned, Callable[[Any], object]], object]
"""Does a planned read on a thread, then calls the second argument on the loop with its result."""


class LateAnswer:
    """A late answer, and the place that it is for."""

    __slots__ = ("_encode", "_given", "_late", "_load", "_place", "_refuse", "_steps")

    def __init__(
        self,
        place: Place,
        late: Late,
        load: Load,
        refuse: Callable[[Exception], Message],
        encode: Callable[[Message], Pieces],
    ) -> None:
        """`refuse` makes the answer to a request that has failed."""
        self._place = place
        self._late = late
        self._load = load
        self._refuse = refuse
        self._encode = encode
        self._steps = late.making()
        self._given: object = None

    def stand_in_line(self) -> None:
        """Have the answer made and sent as soon as those before it have been sent."""
        if not self._place.fill_lately(self._make):
            self._late.release()

    def _make(self) -> Pieces | None:
        given, self._given = self._given, None
        try:
            made = attempt(self._steps, given)
        except Exception as error:
            made = self._refuse(error)
        if isinstance(made, Planned):
            self._load(made, self._on_loaded)
            return None
        return self._encode(made)

    def _on_loaded(self, given: object) -> None:
        self._given = given
        self.stand_in_line()


def make_now(late: Late, load: Load, done: Callable[[Message | Exception], object]) -> None:
    """Make an answer before its turn, and call `done` with it, or with the error."""
    steps = late.making()

    def go_on(given: object) -> None:
        made: Message | Planned | Exception
        try:
            made = attempt(steps, given)
        except Exception as error:
            made = error
        if isinstance(made, Planned):
            load(made, go_on)
        else:
            done(made)

    go_on(None)
