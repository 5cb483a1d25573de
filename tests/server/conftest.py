"""Tests marked `each_loop` run twice: uvloop's transports differ in what they do when."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from importlib.util import find_spec

import pytest

Loops = dict[str, Callable[[], asyncio.AbstractEventLoop]]


def pytest_asyncio_loop_factories(item: pytest.Item) -> Loops:
    """The loops that a test runs on: asyncio's own, and uvloop where there is one."""
    loops: Loops = {"asyncio": asyncio.new_event_loop}
    if item.get_closest_marker("each_loop") and find_spec("uvloop"):
        loops["uvloop"] = uvloop_of_serve
    return loops


def uvloop_of_serve() -> asyncio.AbstractEventLoop:
    """The loop of `barnabas serve`, which Windows has not."""
    import uvloop

    return uvloop.new_event_loop()
