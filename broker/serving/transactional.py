"""What the APIs of transactional producers have in common."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.add_partitions_to_txn_request import AddPartitionsToTxnTransaction

from ..core.cluster.effective import broker_config
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


def _verifies(node: BrokerServices) -> bool:
    """As it is set now, which may be otherwise than at the start."""
    config = broker_config(node.config, node.image, node.node_id)
    return config.transaction_partition_verification_enable


async def confirmed(
    node: BrokerServices, asked: AddPartitionsToTxnTransaction
) -> Mapping[tuple[str, int], ErrorCode]:
    """What the coordinator of a transaction says of each of these partitions (TXN-50).

    Nobody is asked to verify where the settings say so. What is to be added is asked for again
    while markers of the last transaction are under way, as long as the settings allow: its producer
    was told already that it may go on (TXN-53).
    """
    config, clock = node.config, node.env.clock
    if asked.verify_only and not _verifies(node):
        return {
            (topic.name, index): ErrorCode.NONE
            for topic in asked.topics
            for index in topic.partitions
        }
    until_ms = clock.monotonic_ms() + config.add_partitions_to_txn_retry_backoff_max_ms
    while True:
        codes = await node.verification.ask(asked)
        is_ending = ErrorCode.CONCURRENT_TRANSACTIONS in codes.values()
        if asked.verify_only or not is_ending or clock.monotonic_ms() >= until_ms:
            return codes
        await asyncio.sleep(config.add_partitions_to_txn_retry_backoff_ms / 1000.0)
