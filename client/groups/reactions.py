"""How a member goes on after an error code, by request (CLI-01, CLI-03, CLI-04), as tables."""

from __future__ import annotations

import enum
from collections.abc import Mapping

from barnabas.protocol.errors import RETRIABLE, ErrorCode

from ..errors import known_code


class Reaction(enum.Enum):
    """What follows an answer."""

    DONE = enum.auto()
    """No error."""
    RETRY = enum.auto()
    """The same again, after a wait."""
    FIND_COORDINATOR = enum.auto()
    """The same again at the coordinator, which is another broker."""
    REJOIN = enum.auto()
    """The group rebalances: join it, and keep what the protocol lets one keep."""
    LOST = enum.auto()
    """The generation is over: all partitions are lost; join with the same member id."""
    UNKNOWN = enum.auto()
    """The group does not know the member: all partitions are lost; join as a new one."""
    COME_BACK = enum.auto()
    """Join again with the member id of the answer."""
    FATAL = enum.auto()
    """Nothing that this consumer does by itself can help."""


_COORDINATOR = {
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS: Reaction.RETRY,
    ErrorCode.COORDINATOR_NOT_AVAILABLE: Reaction.FIND_COORDINATOR,
    ErrorCode.NOT_COORDINATOR: Reaction.FIND_COORDINATOR,
}
_CLASSIC = {
    **_COORDINATOR,
    ErrorCode.REBALANCE_IN_PROGRESS: Reaction.REJOIN,
    ErrorCode.ILLEGAL_GENERATION: Reaction.LOST,
    ErrorCode.UNKNOWN_MEMBER_ID: Reaction.UNKNOWN,
}

JOIN: Mapping[ErrorCode, Reaction] = {
    **_CLASSIC,
    ErrorCode.REBALANCE_IN_PROGRESS: Reaction.RETRY,
    ErrorCode.MEMBER_ID_REQUIRED: Reaction.COME_BACK,
}
SYNC: Mapping[ErrorCode, Reaction] = _CLASSIC
HEARTBEAT: Mapping[ErrorCode, Reaction] = _CLASSIC
CONSUMER_HEARTBEAT: Mapping[ErrorCode, Reaction] = {
    **_COORDINATOR,
    ErrorCode.UNKNOWN_MEMBER_ID: Reaction.LOST,
    ErrorCode.FENCED_MEMBER_EPOCH: Reaction.LOST,
    ErrorCode.TOPIC_AUTHORIZATION_FAILED: Reaction.RETRY,
}
COMMIT: Mapping[ErrorCode, Reaction] = {
    **_CLASSIC,
    ErrorCode.REQUEST_TIMED_OUT: Reaction.FIND_COORDINATOR,
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION: Reaction.RETRY,
    ErrorCode.UNKNOWN_TOPIC_ID: Reaction.RETRY,
    ErrorCode.STALE_MEMBER_EPOCH: Reaction.REJOIN,
}
OFFSET_FETCH: Mapping[ErrorCode, Reaction] = {
    **_COORDINATOR,
    ErrorCode.UNSTABLE_OFFSET_COMMIT: Reaction.RETRY,
    ErrorCode.STALE_MEMBER_EPOCH: Reaction.RETRY,
    ErrorCode.UNKNOWN_MEMBER_ID: Reaction.RETRY,
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION: Reaction.RETRY,
    ErrorCode.UNKNOWN_TOPIC_ID: Reaction.RETRY,
}


def reaction_to(table: Mapping[ErrorCode, Reaction], number: int) -> Reaction:
    """How to go on after an error code; one that the table lacks is tried again if Kafka calls it
    retriable, and is the end otherwise (CLI-02)."""
    if number == ErrorCode.NONE:
        return Reaction.DONE
    code = known_code(number)
    if code in table:
        return table[code]
    return Reaction.RETRY if code in RETRIABLE else Reaction.FATAL
