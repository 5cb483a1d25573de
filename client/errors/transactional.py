"""Error codes that only transactions meet (KIP-98, KIP-890, KIP-1050)."""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode

from .answered import BrokerError
from .raised import AbortableTransactionError, FatalTransactionError


class ProducerFencedError(BrokerError, FatalTransactionError):
    """Another producer with this transactional id has started since, or the coordinator has
    aborted the transaction because it took longer than `transaction_timeout_ms`."""

    default_code = ErrorCode.PRODUCER_FENCED


class TransactionAbortableError(BrokerError, AbortableTransactionError):
    """A broker says that the transaction must be aborted, and that the producer may go on."""

    default_code = ErrorCode.TRANSACTION_ABORTABLE


class InvalidTxnStateError(BrokerError):
    """The coordinator has no transaction of this producer that this could be done to."""

    default_code = ErrorCode.INVALID_TXN_STATE


class InvalidProducerIdMappingError(BrokerError):
    """The coordinator does not know this producer under its transactional id."""

    default_code = ErrorCode.INVALID_PRODUCER_ID_MAPPING


class InvalidTransactionTimeoutError(BrokerError):
    """`transaction_timeout_ms` is longer than the brokers' `transaction.max.timeout.ms`."""

    default_code = ErrorCode.INVALID_TRANSACTION_TIMEOUT


class ConcurrentTransactionsError(BrokerError):
    """The transaction before this one is not complete yet."""

    default_code = ErrorCode.CONCURRENT_TRANSACTIONS


class TransactionCoordinatorFencedError(BrokerError):
    """A marker came from a coordinator that is none any more."""

    default_code = ErrorCode.TRANSACTION_COORDINATOR_FENCED


class TransactionalIdAuthorizationError(BrokerError):
    default_code = ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED


class TransactionalIdNotFoundError(BrokerError):
    """No coordinator knows this transactional id."""

    default_code = ErrorCode.TRANSACTIONAL_ID_NOT_FOUND
