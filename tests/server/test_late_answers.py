"""Answers that are made when their turn has come, and what they hold until then."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from barnabas.broker.core.reads import Steps
from barnabas.broker.server.answer_line import Place
from barnabas.broker.server.late_answers import LateAnswer
from barnabas.broker.serving.waiting import Late
from barnabas.protocol.message import Message
from barnabas.protocol.messages.fetch_response import FetchResponse


class Records(Late):
    """An answer that holds records."""

    def __init__(self) -> None:
        self.is_held = True

    @property
    def row_count(self) -> int:
        """One partition."""
        return 1

    def release(self) -> None:
        """They are read again when the answer is made."""
        self.is_held = False

    def making(self) -> Steps[Message]:
        """Nothing is missing."""
        yield from ()
        return FetchResponse()


class Line:
    """The answers of a connection, of which one leaves if it is the first."""

    def __init__(self, closing_reason: str | None, *, is_first: bool) -> None:
        self.link = SimpleNamespace(closing_reason=closing_reason)
        self.place = Place(cast("Any", self), None)
        self.sent: list[object] = []
        self._is_first = is_first

    def advance(self) -> None:
        """The first one is made and sent."""
        if self._is_first and self.place.make is not None:
            make, self.place.make = self.place.make, None
            self.sent.append(make())


@pytest.mark.parametrize(
    ("closing_reason", "is_first", "is_sent"),
    [
        (None, True, True),
        (None, False, False),
        ("unread answers", True, False),
        ("unread answers", False, False),
    ],
)
def test_only_what_is_made_now_holds_records(
    closing_reason: str | None, *, is_first: bool, is_sent: bool
) -> None:
    """I-28: fetches that all end in the turn of the event loop in which their connection is closed
    hold nothing: it is gone in the next one."""
    line, late = Line(closing_reason, is_first=is_first), Records()
    LateAnswer(
        line.place,
        late,
        load=lambda planned, done: pytest.fail("nothing is to be read"),
        refuse=lambda error: pytest.fail(str(error)),
        encode=lambda response: [b"answer"],
    ).stand_in_line()
    assert bool(line.sent) == is_sent
    assert late.is_held == is_sent
