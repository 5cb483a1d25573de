"""Fetch: batches from the requested offset, when there are enough of them or the time is up.

A fetch that finds less than `min_bytes` waits at its partitions (74-02) and reads again when one of
them says that more has become readable; nothing polls. `server/fast_fetch.py` writes the answer,
with the records as they were read from the file.

`fetch_reading.py` reads, `fetch_rules.py` says who may read what, `fetch_waiting.py` has the wait,
and `fetch_followers.py` what a follower's fetch does besides reading.
"""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any  # Any: what a coroutine tells its loop

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.fetch_request import FetchRequest
from barnabas.protocol.messages.fetch_response import FetchResponse

from .context import BrokerContext, may_be_broker
from .fetch_reading import Reading
from .fetch_rules import Reader
from .fetch_waiting import ParkedFetch
from .handler import Handler
from .waiting import SLICE, Late, Waiting, at_once, in_slices

_REPLICA_STATE_SINCE = 15


Answer = FetchResponse | Waiting[Late]


def handle(request: FetchRequest, context: BrokerContext) -> Answer | Coroutine[Any, Any, Answer]:
    """Read, and return the answer, a fetch that waits, or a coroutine for a very long request."""
    node = context.node
    version = context.api_version
    if version >= _REPLICA_STATE_SINCE:
        state = request.replica_state
        reader = Reader(state.replica_id, state.replica_epoch, version)
    else:
        reader = Reader(request.replica_id, -1, version)
    if reader.is_follower and not may_be_broker(context):
        # A follower's fetch moves the watermark, so no client may pretend to be one.
        return FetchResponse(error_code=int(ErrorCode.CLUSTER_AUTHORIZATION_FAILED))
    now = node.env.clock.monotonic_ms()
    try:
        wanted = node.sessions.resolve(request, version, is_follower=reader.is_follower, now_ms=now)
    except KafkaError as error:
        return FetchResponse(error_code=int(error.code))
    reading = Reading(context, request, wanted, reader, now)
    if len(wanted.targets) > SLICE:
        return _read_in_slices(reading)
    follower = reading.follower
    steps = reading.read()
    if follower is None:
        missing = at_once(steps)
    else:
        follower.begin_work()
        try:
            missing = at_once(steps)
        except BaseException:
            follower.end()
            raise
    if missing is not None:
        return ParkedFetch(reading, steps, missing)
    if follower is not None:
        follower.end_work()
    return _answer_or_park(reading)


async def _read_in_slices(reading: Reading) -> Answer:
    follower = reading.follower
    try:
        if follower is not None:
            follower.begin_work()
        await in_slices(reading.node, reading.read())
    except BaseException:
        if follower is not None:
            follower.end()
        raise
    if follower is not None:
        follower.end_work()
    return _answer_or_park(reading)


def _answer_or_park(reading: Reading) -> Answer:
    """The answer, if there is enough or nothing to wait for; else a parked fetch."""
    return reading.answer() if reading.may_answer_now else ParkedFetch(reading)


def refuse(request: FetchRequest, code: ErrorCode, message: str | None) -> FetchResponse:
    """One error for the whole request."""
    del request, message
    return FetchResponse(error_code=int(code))


HANDLER = Handler(FetchRequest, (4, 18), handle, refuse=refuse)
