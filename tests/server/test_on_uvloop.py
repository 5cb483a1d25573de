"""The same rules on the loop that `serve` runs on: its transports differ in what they do when."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from . import test_connection_rules as rules
from . import test_produce_wire as wire

uvloop = pytest.importorskip("uvloop")

Scenario = Callable[..., Coroutine[Any, Any, None]]

SCENARIOS: list[tuple[Scenario, dict[str, Any]]] = [
    (rules.test_impossible_heads_are_closed_at_once, {"sent": b"GET / HTTP/1.1\r\n\r\n"}),
    (rules.test_every_split_of_a_request_works, {}),
    (rules.test_large_frames_in_a_row, {"size": 70_000}),
    (rules.test_large_frames_in_a_row, {"size": 1_000_000}),
    (rules.test_half_frames_are_closed, {}),
    (rules.test_idle_connections_are_closed, {}),
    (rules.test_connections_are_bounded, {}),
    (rules.test_few_requests_in_work, {}),
    (rules.test_requests_behind_a_waiting_one_are_worked_on_but_not_endlessly, {}),
    (rules.test_ten_thousand_requests_without_reading, {}),
    (rules.test_who_never_reads_is_bounded, {}),
    (rules.test_sockets_leave_nothing_behind, {}),
    (wire.test_pipelined_answers_keep_the_order, {}),
    (wire.test_flush_messages_1_answers_after_the_fsync, {}),
    (wire.test_what_was_produced_is_fetched, {}),
]


def name_of(case: Any) -> str | None:
    return case.__name__.removeprefix("test_") if inspect.isfunction(case) else None


@pytest.mark.parametrize(("scenario", "arguments"), SCENARIOS, ids=name_of)
def test_on_uvloop(tmp_path: Path, scenario: Scenario, arguments: dict[str, Any]) -> None:
    """Goal: each rule holds on uvloop as it does on asyncio's own loop."""
    uvloop.run(scenario(tmp_path, **arguments))
