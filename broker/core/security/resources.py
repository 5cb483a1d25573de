"""What rights are about: resources, and operations on them, with Kafka's numbers (ACL-02)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Final, NamedTuple

from barnabas.protocol.errors import ErrorCode


class ResourceType(IntEnum):
    """Kinds of resources; UNKNOWN and ANY are for filters."""

    UNKNOWN = 0
    ANY = 1
    TOPIC = 2
    GROUP = 3
    CLUSTER = 4
    TRANSACTIONAL_ID = 5
    DELEGATION_TOKEN = 6
    USER = 7


class PatternType(IntEnum):
    """How the name of an ACL is compared; UNKNOWN, ANY and MATCH are for filters."""

    UNKNOWN = 0
    ANY = 1
    MATCH = 2
    LITERAL = 3
    PREFIXED = 4


class Operation(IntEnum):
    """What somebody wants to do; UNKNOWN and ANY are for filters."""

    UNKNOWN = 0
    ANY = 1
    ALL = 2
    READ = 3
    WRITE = 4
    CREATE = 5
    DELETE = 6
    ALTER = 7
    DESCRIBE = 8
    CLUSTER_ACTION = 9
    DESCRIBE_CONFIGS = 10
    ALTER_CONFIGS = 11
    IDEMPOTENT_WRITE = 12
    CREATE_TOKENS = 13
    DESCRIBE_TOKENS = 14
    TWO_PHASE_COMMIT = 15


class Permission(IntEnum):
    """What an ACL says; UNKNOWN and ANY are for filters."""

    UNKNOWN = 0
    ANY = 1
    DENY = 2
    ALLOW = 3


_TOPIC_AND_GROUP: Final = (
    Operation.READ,
    Operation.DELETE,
    Operation.DESCRIBE,
    Operation.DESCRIBE_CONFIGS,
    Operation.ALTER_CONFIGS,
)

OPERATIONS_OF: Final[Mapping[ResourceType, tuple[Operation, ...]]] = {
    ResourceType.TOPIC: (*_TOPIC_AND_GROUP, Operation.WRITE, Operation.CREATE, Operation.ALTER),
    ResourceType.GROUP: _TOPIC_AND_GROUP,
    ResourceType.CLUSTER: (
        Operation.CREATE,
        Operation.ALTER,
        Operation.DESCRIBE,
        Operation.CLUSTER_ACTION,
        Operation.DESCRIBE_CONFIGS,
        Operation.ALTER_CONFIGS,
        Operation.IDEMPOTENT_WRITE,
    ),
}
"""The operations that answers tell of as authorised (ACL-12)."""

REFUSAL_OF: Final[Mapping[ResourceType, ErrorCode]] = {
    ResourceType.TOPIC: ErrorCode.TOPIC_AUTHORIZATION_FAILED,
    ResourceType.GROUP: ErrorCode.GROUP_AUTHORIZATION_FAILED,
    ResourceType.CLUSTER: ErrorCode.CLUSTER_AUTHORIZATION_FAILED,
    ResourceType.TRANSACTIONAL_ID: ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
    ResourceType.DELEGATION_TOKEN: ErrorCode.DELEGATION_TOKEN_AUTHORIZATION_FAILED,
    ResourceType.USER: ErrorCode.DELEGATION_TOKEN_AUTHORIZATION_FAILED,
}
"""What is answered to those who lack a right."""


class Resource(NamedTuple):
    """One thing that rights are about."""

    kind: ResourceType
    name: str

    def __str__(self) -> str:
        """As Kafka's audit writes it: `Topic:LITERAL:flights`."""
        title = "".join(part.title() for part in self.kind.name.split("_"))
        return f"{title}:LITERAL:{self.name}"


CLUSTER_NAME: Final = "kafka-cluster"

CLUSTER: Final = Resource(ResourceType.CLUSTER, CLUSTER_NAME)
"""The only resource of its kind."""


def topic_resource(name: str) -> Resource:
    """The topic of this name, whether it exists or not."""
    return Resource(ResourceType.TOPIC, name)


def group_resource(group_id: str) -> Resource:
    """The group of this id, whether it exists or not."""
    return Resource(ResourceType.GROUP, group_id)


def transactional_resource(name: str) -> Resource:
    """The transactional id, whether anybody has used it or not."""
    return Resource(ResourceType.TRANSACTIONAL_ID, name)
