"""What the APIs of transactional producers have in common."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.add_partitions_to_txn_request import AddPartitionsToTxnTransaction

from ..core.log.verifications import VerifiedBatch
from .context import BrokerServices


def told_in(code: ErrorCode, version: int, fenced_since: int) -> ErrorCode:
    """The code that a client of this version knows: 47 for 90 before `fenced_since` (TXN-02)."""
    if code is ErrorCode.PRODUCER_FENCED and version < fenced_since:
        return ErrorCode.INVALID_PRODUCER_EPOCH
    return code


def check_transactional_id(transactional_id: str) -> None:
    """Raise KafkaError 42 for an id without characters (CRT-04)."""
    if not transactional_id:
        raise KafkaError(ErrorCode.INVALID_REQUEST, "a transactional id may not be empty")


async def confirmed(
    node: BrokerServices,
    asked: AddPartitionsToTxnTransaction,
    begin: Callable[[], Sequence[VerifiedBatch]],
) -> Mapping[tuple[str, int], ErrorCode]:
    """What the coordinator of a transaction says of each of these partitions (TXN-50).

    What is to be added is asked for again while markers of the last transaction are under way, as
    long as the settings allow: its producer was told already that it may go on (TXN-53). Such a
    marker may also come between a question and its yes. The yes is of the next transaction then,
    but the marker has voided it like the end of that one would have: it is asked for again too,
    and with no time left it is CONCURRENT_TRANSACTIONS instead, after which the producer asks.
    `begin` is called before each question, and returns what a marker after it voids.
    """
    config, clock = node.config, node.env.clock
    until_ms = clock.monotonic_ms() + config.add_partitions_to_txn_retry_backoff_max_ms
    while True:
        batches = begin()
        codes = await node.verification.ask(asked)
        is_void = any(one.is_void for one in batches) and ErrorCode.NONE in codes.values()
        is_ending = is_void or ErrorCode.CONCURRENT_TRANSACTIONS in codes.values()
        if asked.verify_only or not is_ending:
            return codes
        if clock.monotonic_ms() >= until_ms:
            return _to_come_again(codes) if is_void else codes
        await asyncio.sleep(config.add_partitions_to_txn_retry_backoff_ms / 1000.0)


def _to_come_again(
    codes: Mapping[tuple[str, int], ErrorCode],
) -> Mapping[tuple[str, int], ErrorCode]:
    return {
        where: ErrorCode.CONCURRENT_TRANSACTIONS if code is ErrorCode.NONE else code
        for where, code in codes.items()
    }
