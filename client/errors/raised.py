"""What the client itself raises: what went wrong on the way to a broker, or before."""

from __future__ import annotations

from typing import Any  # a record, of a module above this one


class ClientError(Exception):
    """Base of all errors of this package; `retriable` says whether trying again can help."""

    retriable: bool = False


class ConfigurationError(ClientError, ValueError):
    """An option has a value that is not allowed; the text names option, value and what is."""


class ClientClosedError(ClientError):
    """The producer, consumer or admin was stopped, or not started yet."""


class GroupsNotSupportedError(ConfigurationError):
    """The brokers have no group coordinator, or not for this `group_protocol`."""


class TransactionsNotSupportedError(ConfigurationError):
    """The brokers have no transaction coordinator, or only one that is too old."""


class NothingAssignedError(ClientError):
    """A consumer was asked for records before it was told what to read."""


class UnsupportedVersionError(ClientError):
    """Broker and client share no version of an API, or the shared one lacks what was asked."""


class ConnectionFailedError(ClientError, ConnectionError):
    """A broker could not be reached, or the connection ended with requests unanswered."""

    retriable = True


class NotABrokerError(ConnectionFailedError):
    """Something answers at this address, but it does not speak Kafka's protocol.

    Retriable only when it said nothing at all: a broker that is stopping, or stands still, looks
    like that too.
    """

    def __init__(self, message: str, *, said_nothing: bool = False) -> None:
        super().__init__(message)
        self.retriable = said_nothing


class BootstrapError(ConnectionFailedError):
    """No address of the bootstrap list gave metadata; the text has the reason of each."""


class MalformedResponseError(ConnectionFailedError):
    """A broker sent bytes that no broker sends; that connection was closed."""


class ClientTimeoutError(ClientError, TimeoutError):
    """What was asked for did not happen in its time."""

    retriable = True


class RequestTimedOutError(ClientTimeoutError, ConnectionFailedError):
    """A broker did not answer within `request_timeout_ms`; that connection was closed."""


class DeliveryTimedOutError(ClientTimeoutError):
    """A record was not acknowledged within `delivery_timeout_ms`; it may have been stored."""

    retriable = False


class ProducerNotReadyError(ClientError):
    """A record cannot be taken right now: `await producer.ready(topic)`, then try again."""

    retriable = True


class BufferFullError(ProducerNotReadyError):
    """The records that wait to be sent fill `buffer_memory`."""


class TopicNotLoadedError(ProducerNotReadyError):
    """The partitions of this topic are not known yet."""


class NoOffsetError(ClientError):
    """A partition has no position, and `auto_offset_reset` is none."""


class DeserializationError(ClientError):
    """A deserializer refused a record; `record` has its bytes. The position stays before it: seek
    to the offset after it to go on."""

    def __init__(self, record: Any, error: Exception) -> None:
        super().__init__(f"{record.topic_partition}, offset {record.offset}: {error!r}")
        self.record = record


class CommitFailedError(ClientError):
    """An offset was not committed: its partition, or the membership, is not this consumer's any
    more. The records after the last commit are read again by whoever has the partition now."""


class MembershipLostError(ClientError):
    """The group went on without this consumer, which joins it anew by itself."""


class PollIntervalExceededError(MembershipLostError):
    """The program did not ask for records within `max_poll_interval_ms`."""


class EventLoopBlockedError(MembershipLostError):
    """The event loop stood still for longer than the session lasts, so no heartbeat left."""


class CoordinatorSilentError(MembershipLostError):
    """No coordinator answered a heartbeat for longer than the session lasts."""


class RangeNotAvailableError(ClientError):
    """A range of offsets could not be read to its end; the text says where it stopped."""


class TransactionError(ClientError):
    """Base of what is raised about transactions; a subclass says how a program goes on."""


class TransactionStateError(TransactionError):
    """A call that comes at the wrong time, such as send() outside of a transaction. Nothing has
    changed; the text says what is under way, and what may be called."""


class AbortableTransactionError(TransactionError):
    """The transaction cannot be committed; once it is aborted, the producer is as good as new.
    `__cause__` is why. Leaving `async with producer.transaction()` aborts by itself."""


class FatalTransactionError(TransactionError):
    """This producer can do nothing more but stop; a new one may. `__cause__` is why."""


class TransactionAbortedError(TransactionError):
    """A record was not stored, because its transaction was aborted first."""


class CommitUnknownError(TransactionError, ClientTimeoutError):
    """The coordinator was told to commit and has not answered in time: the transaction may be
    committed, and cannot be aborted any more. `commit_transaction()` asks again."""

    retriable = True


class AbortTimedOutError(TransactionError, ClientTimeoutError):
    """The coordinator has not confirmed the abort in time. Nothing of the transaction will be
    committed; the next begin, or `abort_transaction()`, asks again."""

    retriable = True


def is_retriable(error: BaseException) -> bool:
    """Whether another attempt can succeed without anybody changing the request."""
    return isinstance(error, ClientError) and error.retriable
