"""The error codes that a broker answered with, each a class of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from barnabas.protocol.errors import RETRIABLE, ErrorCode, KafkaError

from .raised import ClientError, UnsupportedVersionError


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


class ResourceNotFoundError(BrokerError):
    """There is no such thing: a user without a credential."""

    default_code = ErrorCode.RESOURCE_NOT_FOUND


class DuplicateResourceError(BrokerError):
    """One thing was named twice in a request."""

    default_code = ErrorCode.DUPLICATE_RESOURCE


class UnacceptableCredentialError(BrokerError):
    """A SCRAM credential that is not taken: its iterations, or its user's name."""

    default_code = ErrorCode.UNACCEPTABLE_CREDENTIAL


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
