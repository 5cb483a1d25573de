"""Everything that the client raises: what went wrong on the way, and what a broker answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar  # Any: a record, of a module above this one

from barnabas.protocol.errors import RETRIABLE, ErrorCode, KafkaError


class ClientError(Exception):
    """Base of all errors of this package; `retriable` says whether trying again can help."""

    retriable: bool = False


class ConfigurationError(ClientError, ValueError):
    """An option has a value that is not allowed; the text names option, value and what is."""


class ClientClosedError(ClientError):
    """The producer, consumer or admin was stopped, or not started yet."""


class GroupsNotSupportedError(ConfigurationError):
    """The brokers have no group coordinator, or not for this `group_protocol`."""


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


class BrokerError(ClientError, KafkaError):
    """A broker answered with an error code.

    `failures` holds the error of each name where a call was about several; the error that was
    raised is the first of them.
    """

    default_code: ClassVar[ErrorCode] = ErrorCode.UNKNOWN_SERVER_ERROR

    def __init__(self, message: str | None = None, code: ErrorCode | int | None = None) -> None:
        KafkaError.__init__(self, known_code(self.default_code if code is None else code), message)
        self.number = int(self.default_code if code is None else code)
        self.retriable = self.code in RETRIABLE
        self.failures: Mapping[object, BrokerError] = {}

    def __str__(self) -> str:
        name = self.code.name if self.number == int(self.code) else "UNKNOWN CODE"
        text = f"{name} ({self.number})"
        return f"{text}: {self.message}" if self.message else text


class UnknownServerError(BrokerError):
    default_code = ErrorCode.UNKNOWN_SERVER_ERROR


class OffsetOutOfRangeError(BrokerError):
    default_code = ErrorCode.OFFSET_OUT_OF_RANGE


class LogTruncationError(OffsetOutOfRangeError):
    """Records before the position are not in the log any more, and `auto_offset_reset` is none.

    `end_offset` is where the log parts from what was read (-1 when the leader does not know),
    `leader_epoch` the epoch of the last record that both have.
    """

    def __init__(
        self,
        message: str | None = None,
        code: ErrorCode | int | None = None,
        *,
        end_offset: int = -1,
        leader_epoch: int = -1,
    ) -> None:
        super().__init__(message, code)
        self.end_offset = end_offset
        self.leader_epoch = leader_epoch


class CorruptMessageError(BrokerError):
    default_code = ErrorCode.CORRUPT_MESSAGE


class UnknownTopicOrPartitionError(BrokerError):
    default_code = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION


class LeaderNotAvailableError(BrokerError):
    default_code = ErrorCode.LEADER_NOT_AVAILABLE


class NotLeaderOrFollowerError(BrokerError):
    default_code = ErrorCode.NOT_LEADER_OR_FOLLOWER


class BrokerRequestTimedOutError(BrokerError):
    """The broker gave up waiting for replicas or for the controller."""

    default_code = ErrorCode.REQUEST_TIMED_OUT


class MessageTooLargeError(BrokerError):
    default_code = ErrorCode.MESSAGE_TOO_LARGE


class InvalidTopicError(BrokerError):
    default_code = ErrorCode.INVALID_TOPIC_EXCEPTION


class RecordListTooLargeError(BrokerError):
    default_code = ErrorCode.RECORD_LIST_TOO_LARGE


class NotEnoughReplicasError(BrokerError):
    default_code = ErrorCode.NOT_ENOUGH_REPLICAS


class NotEnoughReplicasAfterAppendError(BrokerError):
    default_code = ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND


class TopicAuthorizationFailedError(BrokerError):
    default_code = ErrorCode.TOPIC_AUTHORIZATION_FAILED


class ClusterAuthorizationFailedError(BrokerError):
    default_code = ErrorCode.CLUSTER_AUTHORIZATION_FAILED


class InvalidTimestampError(BrokerError):
    default_code = ErrorCode.INVALID_TIMESTAMP


class UnsupportedForMessageFormatError(BrokerError):
    default_code = ErrorCode.UNSUPPORTED_FOR_MESSAGE_FORMAT


class BrokerUnsupportedVersionError(BrokerError, UnsupportedVersionError):
    """The broker refused the version of a request."""

    default_code = ErrorCode.UNSUPPORTED_VERSION


class TopicAlreadyExistsError(BrokerError):
    default_code = ErrorCode.TOPIC_ALREADY_EXISTS


class InvalidPartitionsError(BrokerError):
    default_code = ErrorCode.INVALID_PARTITIONS


class InvalidReplicationFactorError(BrokerError):
    default_code = ErrorCode.INVALID_REPLICATION_FACTOR


class InvalidReplicaAssignmentError(BrokerError):
    default_code = ErrorCode.INVALID_REPLICA_ASSIGNMENT


class InvalidConfigError(BrokerError):
    default_code = ErrorCode.INVALID_CONFIG


class NotControllerError(BrokerError):
    default_code = ErrorCode.NOT_CONTROLLER


class InvalidRequestError(BrokerError):
    default_code = ErrorCode.INVALID_REQUEST


class PolicyViolationError(BrokerError):
    default_code = ErrorCode.POLICY_VIOLATION


class OutOfOrderSequenceNumberError(BrokerError):
    default_code = ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER


class InvalidProducerEpochError(BrokerError):
    default_code = ErrorCode.INVALID_PRODUCER_EPOCH


class KafkaStorageError(BrokerError):
    default_code = ErrorCode.KAFKA_STORAGE_ERROR


class UnknownProducerIdError(BrokerError):
    default_code = ErrorCode.UNKNOWN_PRODUCER_ID


class FencedLeaderEpochError(BrokerError):
    default_code = ErrorCode.FENCED_LEADER_EPOCH


class UnknownLeaderEpochError(BrokerError):
    default_code = ErrorCode.UNKNOWN_LEADER_EPOCH


class OffsetNotAvailableError(BrokerError):
    default_code = ErrorCode.OFFSET_NOT_AVAILABLE


class InvalidRecordError(BrokerError):
    default_code = ErrorCode.INVALID_RECORD


class ThrottlingQuotaExceededError(BrokerError):
    default_code = ErrorCode.THROTTLING_QUOTA_EXCEEDED


class UnknownTopicIdError(BrokerError):
    default_code = ErrorCode.UNKNOWN_TOPIC_ID


class OffsetMetadataTooLargeError(BrokerError):
    default_code = ErrorCode.OFFSET_METADATA_TOO_LARGE


class CoordinatorNotAvailableError(BrokerError):
    default_code = ErrorCode.COORDINATOR_NOT_AVAILABLE


class InconsistentGroupProtocolError(BrokerError):
    default_code = ErrorCode.INCONSISTENT_GROUP_PROTOCOL


class InvalidGroupIdError(BrokerError):
    default_code = ErrorCode.INVALID_GROUP_ID


class UnknownMemberError(BrokerError):
    default_code = ErrorCode.UNKNOWN_MEMBER_ID


class InvalidSessionTimeoutError(BrokerError):
    default_code = ErrorCode.INVALID_SESSION_TIMEOUT


class RebalanceInProgressError(BrokerError):
    default_code = ErrorCode.REBALANCE_IN_PROGRESS


class GroupAuthorizationError(BrokerError):
    default_code = ErrorCode.GROUP_AUTHORIZATION_FAILED


class NonEmptyGroupError(BrokerError):
    default_code = ErrorCode.NON_EMPTY_GROUP


class GroupIdNotFoundError(BrokerError):
    default_code = ErrorCode.GROUP_ID_NOT_FOUND


class GroupMaxSizeReachedError(BrokerError):
    default_code = ErrorCode.GROUP_MAX_SIZE_REACHED


class FencedInstanceError(BrokerError):
    default_code = ErrorCode.FENCED_INSTANCE_ID


class GroupSubscribedError(BrokerError):
    default_code = ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC


class UnreleasedInstanceError(BrokerError):
    default_code = ErrorCode.UNRELEASED_INSTANCE_ID


class UnsupportedAssignorError(BrokerError):
    default_code = ErrorCode.UNSUPPORTED_ASSIGNOR


class InvalidRegularExpressionError(BrokerError):
    default_code = ErrorCode.INVALID_REGULAR_EXPRESSION


def known_code(code: int) -> ErrorCode:
    """The code, or UNKNOWN_SERVER_ERROR for a number newer than this client."""
    return _CODES.get(code, ErrorCode.UNKNOWN_SERVER_ERROR)


_CODES: dict[int, ErrorCode] = {int(each): each for each in ErrorCode}

CLASS_OF_CODE: dict[int, type[BrokerError]] = {
    int(each.default_code): each for each in BrokerError.__subclasses__()
}
"""Error code -> its class; a code that is not here is raised as plain `BrokerError`."""


def error_of(code: int, message: str | None = None) -> BrokerError:
    """The typed error of an error code that a broker answered with."""
    return CLASS_OF_CODE.get(code, BrokerError)(message, code)


def is_retriable(error: BaseException) -> bool:
    """Whether another attempt can succeed without anybody changing the request."""
    return isinstance(error, ClientError) and error.retriable
