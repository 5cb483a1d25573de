"""What an error means for a transaction: abort it, or give the producer up (KIP-1050, CLI-12).

Codes that Kafka calls retriable are no matter of these tables: whoever asks tries again for a
bounded time, and what is left then is told by `timed_out`.
"""

from __future__ import annotations

from typing import TypeVar

from barnabas.protocol.errors import ErrorCode

from ..errors import (
    AbortableTransactionError,
    BrokerError,
    ClientTimeoutError,
    CommitFailedError,
    FatalTransactionError,
    ProducerFencedError,
    TransactionError,
    is_retriable,
)

E = TypeVar("E", bound=BaseException)

FENCED = frozenset({ErrorCode.INVALID_PRODUCER_EPOCH, ErrorCode.PRODUCER_FENCED})
"""Another producer has the transactional id; brokers before Kafka 2.8 say the first (TXN-02)."""

ABORTABLE_AT_COORDINATORS = frozenset(
    {
        ErrorCode.TRANSACTION_ABORTABLE,
        ErrorCode.TOPIC_AUTHORIZATION_FAILED,
        ErrorCode.GROUP_AUTHORIZATION_FAILED,
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.ILLEGAL_GENERATION,
        ErrorCode.UNKNOWN_MEMBER_ID,
        ErrorCode.FENCED_INSTANCE_ID,
        ErrorCode.FENCED_MEMBER_EPOCH,
        ErrorCode.STALE_MEMBER_EPOCH,
        ErrorCode.OFFSET_METADATA_TOO_LARGE,
        ErrorCode.INVALID_GROUP_ID,
    }
)
"""What coordinators refuse a part of a transaction with; all other codes are fatal there."""

FATAL_AT_LEADERS = frozenset(
    {
        ErrorCode.PRODUCER_FENCED,
        ErrorCode.INVALID_PRODUCER_ID_MAPPING,
        ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
        ErrorCode.CLUSTER_AUTHORIZATION_FAILED,
    }
)
"""What leaders refuse a producer with; all other codes are about its transaction. Among these is
INVALID_PRODUCER_EPOCH: who is fenced is told so by the coordinator, and who had a transaction that
timed out may go on, if the cluster has `transaction.version` 2 (TXN-22)."""

AFTER_TIMEOUT = (
    "the coordinator has aborted the transaction, which was open for {age_s:.1f} s: longer than"
    " transaction_timeout_ms={limit_ms}"
)
AFTER_FENCING = "another producer with this transactional id has started since"


def of_coordinator(error: Exception, what: str, why_fenced: str) -> TransactionError:
    """What a refusal of a coordinator means; `why_fenced` is added where it says no more."""
    if isinstance(error, BrokerError) and error.code in FENCED:
        return caused(ProducerFencedError(f"{what}: {why_fenced}", error.code), error)
    if isinstance(error, TransactionError):
        return error
    if isinstance(error, CommitFailedError):
        return caused(AbortableTransactionError(f"{what}: {error}"), error)
    if isinstance(error, BrokerError):
        if error.code in ABORTABLE_AT_COORDINATORS:
            return caused(AbortableTransactionError(f"{what}: {error}"), error)
        if error.code is ErrorCode.INVALID_TXN_STATE:
            text = f"{what}: {error}; {why_fenced}"
            return caused(FatalTransactionError(text), error)
    return caused(FatalTransactionError(f"{what}: {error}"), error)


def of_leader(error: Exception) -> TransactionError:
    """What it means that a record was not stored."""
    if isinstance(error, BrokerError) and error.code in FATAL_AT_LEADERS:
        if error.code in FENCED:
            return caused(ProducerFencedError(f"{error.message}: {AFTER_FENCING}"), error)
        return caused(FatalTransactionError(f"a record was refused: {error}"), error)
    return caused(AbortableTransactionError(f"a record was not stored: {error}"), error)


def timed_out(error: Exception) -> bool:
    """Whether an error that is left after all attempts says that nobody answered in time."""
    if isinstance(error, BrokerError) and error.code is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION:
        return False
    return isinstance(error, ClientTimeoutError) or is_retriable(error)


def caused(error: E, cause: BaseException) -> E:
    """The error, with its cause."""
    error.__cause__ = cause
    return error
