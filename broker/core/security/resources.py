"""What rights are about: resources, and operations on them (ACL-02)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from barnabas.protocol.acl_codes import Operation, PatternType, Permission, ResourceType
from barnabas.protocol.errors import ErrorCode

__all__ = [
    "CLUSTER",
    "CLUSTER_NAME",
    "OPERATIONS_OF",
    "REFUSAL_OF",
    "Operation",
    "PatternType",
    "Permission",
    "Resource",
    "ResourceType",
    "group_resource",
    "topic_resource",
    "transactional_resource",
]


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
