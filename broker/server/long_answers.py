"""Answers whose encoding takes long: they are encoded on a thread, beside other work."""

from __future__ import annotations

from typing import Final

from barnabas.protocol.message import Message, Struct
from barnabas.protocol.messages.fetch_response import FetchResponse
from barnabas.protocol.messages.produce_response import ProduceResponse

ROWS_MAX: Final = 2000
"""Answers with more rows than this are long."""

ROW_BYTES: Final = 1024
"""This many bytes of members' own data count as a row."""

LONG: Final = frozenset({8, 9, 10, 11, 13, 15, 16, 32, 42, 47, 61, 65, 66, 69})
"""APIs of groups, producers, transactions and settings whose answers may be long. The answers are
made for one request, so nothing in them changes later."""


def is_long(key: int, response: Message) -> bool:
    """Whether this answer to a request of API `key` is to be encoded on a thread."""
    if isinstance(response, FetchResponse):
        rows = sum(len(topic.partitions) for topic in response.responses)
        return len(response.responses) + rows > ROWS_MAX
    if isinstance(response, ProduceResponse):
        rows = sum(len(topic.partition_responses) for topic in response.responses)
        return len(response.responses) + rows > ROWS_MAX
    return key in LONG and _rows(response, ROWS_MAX + 1) > ROWS_MAX


def _rows(message: Struct, enough: int) -> int:
    """The number of elements in all arrays, nested ones too, plus a share for its bytes; counting
    stops at `enough`."""
    found = 0
    for name in message.FIELDS:
        value = getattr(message, name)
        if isinstance(value, Struct):
            found += _rows(value, enough - found)
        elif isinstance(value, bytes):
            found += len(value) // ROW_BYTES
        elif isinstance(value, list):
            found += len(value)
            for one in value:
                if found >= enough or not isinstance(one, Struct):
                    break
                found += _rows(one, enough - found)
        if found >= enough:
            break
    return found
