"""Error codes of the protocol; generated from the schemas: do not edit, run `make generate`."""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class ErrorCode(IntEnum):
    """What an answer says about how it went."""

    UNKNOWN_SERVER_ERROR = -1  # Something went wrong on the server that no other code describes.
    NONE = 0  # All went well.
    OFFSET_OUT_OF_RANGE = 1  # The offset lies before the start or beyond the end of the log.
    CORRUPT_MESSAGE = 2  # A record batch failed its checksum, or its framing makes no sense.
    UNKNOWN_TOPIC_OR_PARTITION = 3  # This broker does not host the partition, or nobody knows the topic.
    INVALID_FETCH_SIZE = 4  # The fetch asked for a size that cannot be.
    LEADER_NOT_AVAILABLE = 5  # The partition has no leader at the moment, as during an election.
    NOT_LEADER_OR_FOLLOWER = 6  # This broker is not, or no longer, the one to ask for this partition.
    REQUEST_TIMED_OUT = 7  # The request ran out of time before it was done.
    BROKER_NOT_AVAILABLE = 8  # The broker is not alive.
    REPLICA_NOT_AVAILABLE = 9  # The asked replica cannot be read on this broker.
    MESSAGE_TOO_LARGE = 10  # A batch is larger than the topic allows.
    STALE_CONTROLLER_EPOCH = 11  # The sender acts for a controller that has since been replaced.
    OFFSET_METADATA_TOO_LARGE = 12  # The metadata string of an offset commit is longer than allowed.
    NETWORK_EXCEPTION = 13  # The connection broke before an answer came.
    COORDINATOR_LOAD_IN_PROGRESS = 14  # The coordinator is still reading its state and cannot answer yet.
    COORDINATOR_NOT_AVAILABLE = 15  # No coordinator is up for this group or transaction.
    NOT_COORDINATOR = 16  # This broker does not coordinate this group or transaction.
    INVALID_TOPIC_EXCEPTION = 17  # The topic name is not legal, or the topic may not be used this way.
    RECORD_LIST_TOO_LARGE = 18  # The batches of one partition are together larger than one segment.
    NOT_ENOUGH_REPLICAS = 19  # Fewer replicas are in sync than the topic needs for a write.
    NOT_ENOUGH_REPLICAS_AFTER_APPEND = 20  # The records are in the log, but on fewer replicas than the topic needs.
    INVALID_REQUIRED_ACKS = 21  # acks must be -1, 0 or 1.
    ILLEGAL_GENERATION = 22  # The member speaks of a generation that is not the group's present one.
    INCONSISTENT_GROUP_PROTOCOL = 23  # The member's protocols do not fit those of the rest of the group.
    INVALID_GROUP_ID = 24  # The group id is empty or not legal.
    UNKNOWN_MEMBER_ID = 25  # The group does not know this member.
    INVALID_SESSION_TIMEOUT = 26  # The session timeout lies outside what the broker allows.
    REBALANCE_IN_PROGRESS = 27  # The group is rebalancing: the member has to join again.
    INVALID_COMMIT_OFFSET_SIZE = 28  # The committed offset cannot be stored: it would be too large a record.
    TOPIC_AUTHORIZATION_FAILED = 29  # The user may not do this to the topic.
    GROUP_AUTHORIZATION_FAILED = 30  # The user may not do this to the group.
    CLUSTER_AUTHORIZATION_FAILED = 31  # The user may not do this to the cluster.
    INVALID_TIMESTAMP = 32  # A record's timestamp lies too far from the broker's clock.
    UNSUPPORTED_SASL_MECHANISM = 33  # The server does not offer this SASL mechanism.
    ILLEGAL_SASL_STATE = 34  # The request does not belong at this point of the SASL exchange.
    UNSUPPORTED_VERSION = 35  # The server does not know this version of the request.
    TOPIC_ALREADY_EXISTS = 36  # A topic of this name is there already.
    INVALID_PARTITIONS = 37  # The number of partitions cannot be, or would shrink the topic.
    INVALID_REPLICATION_FACTOR = 38  # The replication factor is below one or above the number of brokers.
    INVALID_REPLICA_ASSIGNMENT = 39  # The given placement of replicas is not possible.
    INVALID_CONFIG = 40  # A configuration has a value that is not allowed.
    NOT_CONTROLLER = 41  # This node does not lead the controllers.
    INVALID_REQUEST = 42  # The request contradicts itself or breaks a rule; the server's log says which.
    UNSUPPORTED_FOR_MESSAGE_FORMAT = 43  # The log's record format is too old for what was asked.
    POLICY_VIOLATION = 44  # A policy of the operator forbids it.
    OUT_OF_ORDER_SEQUENCE_NUMBER = 45  # The producer's sequence number leaves a gap.
    DUPLICATE_SEQUENCE_NUMBER = 46  # The producer sent a sequence number that was taken already.
    INVALID_PRODUCER_EPOCH = 47  # The producer's epoch is older than the one that the log knows.
    INVALID_TXN_STATE = 48  # The transaction is not in a state where this can be done.
    INVALID_PRODUCER_ID_MAPPING = 49  # The producer id is not the one that belongs to the transactional id.
    INVALID_TRANSACTION_TIMEOUT = 50  # The transaction timeout is longer than the broker allows.
    CONCURRENT_TRANSACTIONS = 51  # The previous step of this transaction is still being worked on.
    TRANSACTION_COORDINATOR_FENCED = 52  # The transaction coordinator that sent this has been replaced.
    TRANSACTIONAL_ID_AUTHORIZATION_FAILED = 53  # The user may not use this transactional id.
    SECURITY_DISABLED = 54  # The broker runs without the security feature that was asked for.
    OPERATION_NOT_ATTEMPTED = 55  # Nothing was tried, since another part of the request had failed.
    KAFKA_STORAGE_ERROR = 56  # The disk failed while the log was read or written.
    LOG_DIR_NOT_FOUND = 57  # The broker has no such log directory.
    SASL_AUTHENTICATION_FAILED = 58  # The user could not be authenticated.
    UNKNOWN_PRODUCER_ID = 59  # The log has nothing of this producer id, perhaps because it has expired.
    REASSIGNMENT_IN_PROGRESS = 60  # The partition is being moved already.
    DELEGATION_TOKEN_AUTH_DISABLED = 61  # The broker hands out no delegation tokens.
    DELEGATION_TOKEN_NOT_FOUND = 62  # There is no such delegation token.
    DELEGATION_TOKEN_OWNER_MISMATCH = 63  # The delegation token belongs to somebody else.
    DELEGATION_TOKEN_REQUEST_NOT_ALLOWED = 64  # Delegation tokens cannot be asked for over this kind of connection.
    DELEGATION_TOKEN_AUTHORIZATION_FAILED = 65  # The user may not do this to the delegation token.
    DELEGATION_TOKEN_EXPIRED = 66  # The delegation token is past its time.
    INVALID_PRINCIPAL_TYPE = 67  # This kind of principal cannot be used here.
    NON_EMPTY_GROUP = 68  # The group still has members.
    GROUP_ID_NOT_FOUND = 69  # There is no such group.
    FETCH_SESSION_ID_NOT_FOUND = 70  # The broker has no fetch session of this id: it may have been evicted.
    INVALID_FETCH_SESSION_EPOCH = 71  # The fetch session is at another epoch than the request.
    LISTENER_NOT_FOUND = 72  # The leader has no endpoint on the listener that the request came in on.
    TOPIC_DELETION_DISABLED = 73  # The cluster does not delete topics.
    FENCED_LEADER_EPOCH = 74  # The client knows an older leader epoch than the broker.
    UNKNOWN_LEADER_EPOCH = 75  # The client knows a newer leader epoch than the broker.
    UNSUPPORTED_COMPRESSION_TYPE = 76  # The batch is compressed by a codec that the asked version cannot carry.
    STALE_BROKER_EPOCH = 77  # The broker has registered again since: its epoch has changed.
    OFFSET_NOT_AVAILABLE = 78  # The leader cannot tell the offset yet, as its high watermark has to catch up first.
    MEMBER_ID_REQUIRED = 79  # The member has to come back with the member id that it just got.
    PREFERRED_LEADER_NOT_AVAILABLE = 80  # The preferred leader is not in sync or not alive.
    GROUP_MAX_SIZE_REACHED = 81  # The group has as many members as it may have.
    FENCED_INSTANCE_ID = 82  # Another member has taken over this static member's instance id.
    ELIGIBLE_LEADERS_NOT_AVAILABLE = 83  # No replica may become leader.
    ELECTION_NOT_NEEDED = 84  # The partition has the leader that was asked for.
    NO_REASSIGNMENT_IN_PROGRESS = 85  # The partition is not being moved.
    GROUP_SUBSCRIBED_TO_TOPIC = 86  # The group is subscribed to the topic, so its offsets cannot be deleted.
    INVALID_RECORD = 87  # A record failed the broker's checks, so its batch was refused.
    UNSTABLE_OFFSET_COMMIT = 88  # A transaction with offsets of this partition has yet to end.
    THROTTLING_QUOTA_EXCEEDED = 89  # The client is over its quota and has to wait.
    PRODUCER_FENCED = 90  # A newer producer with the same transactional id has taken over.
    RESOURCE_NOT_FOUND = 91  # What the request names does not exist.
    DUPLICATE_RESOURCE = 92  # What the request makes exists already.
    UNACCEPTABLE_CREDENTIAL = 93  # The credential does not meet the rules.
    INCONSISTENT_VOTER_SET = 94  # The voters that the sender and the receiver know are not the same.
    INVALID_UPDATE_VERSION = 95  # The feature cannot be moved to this level.
    FEATURE_UPDATE_FAILED = 96  # The feature could not be updated.
    PRINCIPAL_DESERIALIZATION_FAILURE = 97  # The forwarded principal cannot be read.
    SNAPSHOT_NOT_FOUND = 98  # There is no such snapshot.
    POSITION_OUT_OF_RANGE = 99  # The position lies outside the snapshot.
    UNKNOWN_TOPIC_ID = 100  # Nobody knows a topic of this id.
    DUPLICATE_BROKER_REGISTRATION = 101  # A live broker has this id already.
    BROKER_ID_NOT_REGISTERED = 102  # No broker of this id is registered.
    INCONSISTENT_TOPIC_ID = 103  # The log belongs to a topic of another id.
    INCONSISTENT_CLUSTER_ID = 104  # The request comes from another cluster.
    TRANSACTIONAL_ID_NOT_FOUND = 105  # There is no such transactional id.
    FETCH_SESSION_TOPIC_ID_ERROR = 106  # The fetch session mixes topics by name and by id.
    INELIGIBLE_REPLICA = 107  # The replica may not join the in-sync set now.
    NEW_LEADER_ELECTED = 108  # The request led to another leader, so the rest of it was dropped.
    OFFSET_MOVED_TO_TIERED_STORAGE = 109  # What lies at this offset has moved to tiered storage.
    FENCED_MEMBER_EPOCH = 110  # The member's epoch is not the one that the group holds.
    UNRELEASED_INSTANCE_ID = 111  # The instance id is still held by a member that has yet to leave.
    UNSUPPORTED_ASSIGNOR = 112  # The server has no assignor of this name.
    STALE_MEMBER_EPOCH = 113  # The member's epoch is behind that of the group.
    MISMATCHED_ENDPOINT_TYPE = 114  # A request for controllers went to a broker, or the reverse.
    UNSUPPORTED_ENDPOINT_TYPE = 115  # This kind of endpoint is not served here.
    UNKNOWN_CONTROLLER_ID = 116  # No controller of this id is known.
    UNKNOWN_SUBSCRIPTION_ID = 117  # The telemetry subscription is out of date: it has to be asked for again.
    TELEMETRY_TOO_LARGE = 118  # The telemetry is larger than the broker accepts.
    INVALID_REGISTRATION = 119  # The registration of the node is not acceptable.
    TRANSACTION_ABORTABLE = 120  # The transaction can only be aborted now.
    INVALID_RECORD_STATE = 121  # The record is not in a state where it can be acknowledged this way.
    SHARE_SESSION_NOT_FOUND = 122  # There is no such share session.
    INVALID_SHARE_SESSION_EPOCH = 123  # The share session is at another epoch than the request.
    FENCED_STATE_EPOCH = 124  # The share coordinator knows a newer state epoch.
    INVALID_VOTER_KEY = 125  # The voter's id and directory do not belong together.
    DUPLICATE_VOTER = 126  # The voter is in the set already.
    VOTER_NOT_FOUND = 127  # The voter is not in the set.
    INVALID_REGULAR_EXPRESSION = 128  # The regular expression cannot be parsed.
    REBOOTSTRAP_REQUIRED = 129  # The client's knowledge of the cluster is too old: it has to begin at its bootstrap servers.
    STREAMS_INVALID_TOPOLOGY = 130  # The topology of the streams application is not valid.
    STREAMS_INVALID_TOPOLOGY_EPOCH = 131  # The topology has another epoch than the group knows.
    STREAMS_TOPOLOGY_FENCED = 132  # The member's topology differs from the group's.
    SHARE_SESSION_LIMIT_REACHED = 133  # The broker holds as many share sessions as it may.


# Codes after which a client tries again.
RETRIABLE: Final[frozenset[ErrorCode]] = frozenset(
    (
        ErrorCode.CORRUPT_MESSAGE,
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.LEADER_NOT_AVAILABLE,
        ErrorCode.NOT_LEADER_OR_FOLLOWER,
        ErrorCode.REQUEST_TIMED_OUT,
        ErrorCode.REPLICA_NOT_AVAILABLE,
        ErrorCode.NETWORK_EXCEPTION,
        ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
        ErrorCode.COORDINATOR_NOT_AVAILABLE,
        ErrorCode.NOT_COORDINATOR,
        ErrorCode.NOT_ENOUGH_REPLICAS,
        ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND,
        ErrorCode.NOT_CONTROLLER,
        ErrorCode.CONCURRENT_TRANSACTIONS,
        ErrorCode.KAFKA_STORAGE_ERROR,
        ErrorCode.FETCH_SESSION_ID_NOT_FOUND,
        ErrorCode.INVALID_FETCH_SESSION_EPOCH,
        ErrorCode.LISTENER_NOT_FOUND,
        ErrorCode.FENCED_LEADER_EPOCH,
        ErrorCode.UNKNOWN_LEADER_EPOCH,
        ErrorCode.OFFSET_NOT_AVAILABLE,
        ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE,
        ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE,
        ErrorCode.ELECTION_NOT_NEEDED,
        ErrorCode.UNSTABLE_OFFSET_COMMIT,
        ErrorCode.THROTTLING_QUOTA_EXCEEDED,
        ErrorCode.UNKNOWN_TOPIC_ID,
        ErrorCode.INCONSISTENT_TOPIC_ID,
        ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR,
        ErrorCode.SHARE_SESSION_NOT_FOUND,
        ErrorCode.INVALID_SHARE_SESSION_EPOCH,
        ErrorCode.SHARE_SESSION_LIMIT_REACHED,
    )
)
