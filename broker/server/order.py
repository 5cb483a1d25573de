"""The order of requests on one connection."""

from __future__ import annotations

from typing import Any  # Any: a request of any API

from ..serving.waiting import SLICE

PRODUCE, FETCH, OFFSET_COMMIT = 0, 1, 8


def is_before_the_next(key: int, request: Any) -> bool:
    """Whether the connection's next request must not begin before this one has had its effect: so
    it is for Produce, Fetch and long commits.

    Short commits have it at once; one of many partitions lets others have turns in between, and a
    later commit of a client that does not wait for answers would be overwritten by it.
    """
    if key != OFFSET_COMMIT:
        return key in (PRODUCE, FETCH)
    return sum(1 + len(topic.partitions) for topic in request.topics) >= SLICE
