"""A node's loggers as resources of configuration (KIP-412): what may be asked and changed.

They are each node's own: nothing of them is in the cluster's metadata, nor kept over a restart.
"""

from __future__ import annotations

from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError

from ..core.cluster.commands import APPEND, DELETE, SET, ConfigChange, Outcome, ResourceChange
from ..observe.log_levels import LEVELS, ROOT, LogLevels
from .context import NodeContext

_INVALID: Final = ErrorCode.INVALID_REQUEST


def described(name: str, context: NodeContext) -> list[tuple[str, str]]:
    """Each logger of this node with its level. Raises KafkaError INVALID_REQUEST (42)."""
    node = context.node
    if not name:
        raise KafkaError(_INVALID, "Broker id must not be empty")
    if not name.isdecimal():
        raise KafkaError(_INVALID, f"Broker id must be an integer, but it is: {name}")
    if name != str(node.node_id):
        raise KafkaError(
            _INVALID, f"Unexpected broker id, expected {node.node_id} but received {name}"
        )
    levels = node.log_levels
    return [(one, levels.level(one)) for one in levels.names()]


def changed(resource: ResourceChange, context: NodeContext, *, validate_only: bool) -> Outcome:
    """Change levels of this node's loggers, at once; all that the request names, or none."""
    levels = context.node.log_levels
    try:
        if not resource.name.isdecimal():
            raise KafkaError(_INVALID, f"Node id must be an integer, but it is: {resource.name}")
        if resource.name != str(context.node.node_id):
            raise KafkaError(
                _INVALID,
                f"Unexpected node id. Expected {context.node.node_id}, "
                f"but received {resource.name}",
            )
        for change in resource.changes:
            _check(change, levels)
    except KafkaError as error:
        return Outcome(error.code, error.message)
    if not validate_only:
        for change in resource.changes:
            if change.operation == SET:
                levels.set(change.name, change.value or "")
            else:
                levels.reset(change.name)
    return Outcome()


def _check(change: ConfigChange, levels: LogLevels) -> None:
    """Raises KafkaError INVALID_CONFIG (40) or INVALID_REQUEST (42)."""
    if change.operation not in (SET, DELETE):
        operation = "APPEND" if change.operation == APPEND else "SUBTRACT"
        raise KafkaError(
            _INVALID, f"{operation} operation is not allowed for the BROKER_LOGGER resource"
        )
    if change.name not in levels.names():
        raise KafkaError(ErrorCode.INVALID_CONFIG, f"Logger {change.name} does not exist!")
    if change.operation == DELETE and change.name == ROOT:
        raise KafkaError(_INVALID, "Removing the log level of the root logger is not allowed")
    if change.operation == SET and change.value not in LEVELS:
        raise KafkaError(
            ErrorCode.INVALID_CONFIG,
            f"Cannot set the log level of {change.name} to {change.value} as it is not a supported "
            f"log level. Valid log levels are {', '.join(sorted(LEVELS))}",
        )
