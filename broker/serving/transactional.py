"""What the APIs of transactional producers have in common."""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode, KafkaError


def told_in(code: ErrorCode, version: int, fenced_since: int) -> ErrorCode:
    """The code that a client of this version knows: 47 for 90 before `fenced_since` (TXN-02)."""
    if code is ErrorCode.PRODUCER_FENCED and version < fenced_since:
        return ErrorCode.INVALID_PRODUCER_EPOCH
    return code


def check_transactional_id(transactional_id: str) -> None:
    """Raise KafkaError 42 for an id without characters (CRT-04)."""
    if not transactional_id:
        raise KafkaError(ErrorCode.INVALID_REQUEST, "a transactional id may not be empty")
