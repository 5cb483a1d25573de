"""What AlterConfigs and IncrementalAlterConfigs share: faults of form, one command, the outcomes.

Each resource is changed whole or not at all, and answers with its own code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar  # Any: resources of three APIs, alike

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.message import Message

from ..core.cluster.commands import DELETE, SET, SUBTRACT, AlterConfigs, Outcome, ResourceChange
from ..core.cluster.image import (
    RESOURCE_BROKER,
    RESOURCE_BROKER_LOGGER,
    RESOURCE_CLIENT_METRICS,
    RESOURCE_GROUP,
    RESOURCE_TOPIC,
)
from ..core.cluster.topic_image import METADATA_TOPIC
from ..core.config.broker import BrokerConfig
from ..core.config.field import ConfigError, settings_of
from ..core.config.live_overrides import certificate_of
from ..core.security.resources import (
    CLUSTER,
    Operation,
    Resource,
    group_resource,
    topic_resource,
)
from ..observe.audit import cut
from .context import NodeContext
from .handler import Apart
from .logger_levels import changed

_Result = TypeVar("_Result")


NAMED_MAX: Final = 32
"""Settings of one change that the audit names; nobody changes more by hand."""

_TITLES: Final = {
    RESOURCE_TOPIC: "Topic",
    RESOURCE_GROUP: "Group",
    RESOURCE_BROKER: "Broker",
    RESOURCE_BROKER_LOGGER: "BrokerLogger",
    RESOURCE_CLIENT_METRICS: "ClientMetrics",
}


async def submit_changes(
    resources: Sequence[ResourceChange], context: NodeContext, *, validate_only: bool
) -> list[Outcome]:
    """Submit the resources that are well formed, in one command; an outcome for each of all.

    Loggers are changed here (KIP-412).
    """
    times = Counter(map(_key, resources))
    outcomes: dict[tuple[int, str], Outcome] = {}
    changes: list[ResourceChange] = []
    for resource in resources:
        fault = _fault(resource, times[_key(resource)]) or _wrong_broker(resource, context)
        if fault is None and (fault := _forbidden(resource, context)) is not None:
            fault = _bad_value(resource, context) or fault
        if fault is None:
            fault = await _wrong_certificate(resource, context)
        if fault is not None:
            outcomes[_key(resource)] = fault
        elif resource.resource_type == RESOURCE_BROKER_LOGGER and not resource.is_whole:
            outcomes[_key(resource)] = _level(resource, context, validate_only=validate_only)
        else:
            changes.append(resource)
    if changes:
        command = AlterConfigs(tuple(changes), validate_only)
        answers = await context.node.metadata.submit(command)
        for change, outcome in zip(changes, answers, strict=True):
            outcomes[_key(change)] = outcome
            _tell(change, outcome, context, validate_only=validate_only)
    return [outcomes[_key(resource)] for resource in resources]


def _level(resource: ResourceChange, context: NodeContext, *, validate_only: bool) -> Outcome:
    outcome = changed(resource, context, validate_only=validate_only)
    _tell(resource, outcome, context, validate_only=validate_only)
    return outcome


def _tell(
    change: ResourceChange, outcome: Outcome, context: NodeContext, *, validate_only: bool
) -> None:
    """The audit hears of the settings by name: values may be secrets, and long (SEC-06)."""
    if validate_only or outcome.code is not ErrorCode.NONE:
        return
    named = [cut(one.name) for one in change.changes[:NAMED_MAX]]
    context.rights.note_change(
        "settings",
        resource=f"{_TITLES[change.resource_type]}:{change.name}",
        names=named,
        others=len(change.changes) - len(named),
    )


async def own_outcomes(
    resources: Sequence[ResourceChange], context: NodeContext, *, validate_only: bool
) -> dict[int, Outcome]:
    """What this node answers itself, by the resource's place: levels of its own loggers, which it
    changes, and certificates that it cannot take."""
    times = Counter(map(_key, resources))
    outcomes: dict[int, Outcome] = {}
    for at, resource in enumerate(resources):
        is_logger = resource.resource_type == RESOURCE_BROKER_LOGGER and not resource.is_whole
        if not is_logger and not _is_about_certificates(resource):
            continue  # the controller looks at its form, and at rights
        fault = _fault(resource, times[_key(resource)]) or _forbidden(resource, context)
        if is_logger:
            outcomes[at] = fault or _level(resource, context, validate_only=validate_only)
        elif (fault := fault or await _wrong_certificate(resource, context)) is not None:
            outcomes[at] = fault
    return outcomes


def apart(
    request: Any,
    outcomes: Mapping[int, Outcome],
    result: Callable[..., Any],
    response: Callable[..., Message],
) -> Apart | None:
    """The request without what `own_outcomes` has answered, and how the answers are joined.

    `result` and `response` are the classes of the answer; None if nothing was answered.
    """
    if not outcomes:
        return None
    resources = request.resources
    told = results(result, [resources[at] for at in outcomes], list(outcomes.values()))
    others = [one for at, one in enumerate(resources) if at not in outcomes]

    def join(answer: Any) -> Message:
        return response(responses=[*([] if answer is None else answer.responses), *told])

    if not others:
        return Apart(None, join)
    return Apart(type(request)(resources=others, validate_only=request.validate_only), join)


def results(
    make: Callable[..., _Result], resources: Sequence[Any], outcomes: Sequence[Outcome]
) -> list[_Result]:
    """The answers of a response, `make` being its class of one, in the order of the request."""
    return [
        make(
            error_code=outcome.code,
            error_message=outcome.message,
            resource_type=resource.resource_type,
            resource_name=resource.resource_name,
        )
        for resource, outcome in zip(resources, outcomes, strict=True)
    ]


_RIGHTS_OF: Final[Mapping[int, Callable[[str], Resource]]] = {
    RESOURCE_TOPIC: topic_resource,
    RESOURCE_GROUP: group_resource,
    RESOURCE_BROKER: lambda _: CLUSTER,
    RESOURCE_BROKER_LOGGER: lambda _: CLUSTER,
    RESOURCE_CLIENT_METRICS: lambda _: CLUSTER,
}
"""What the settings of a resource are rights about."""


def require_config_right(
    operation: Operation, resource_type: int, name: str, context: NodeContext
) -> None:
    """Raise KafkaError 29, 30 or 31 unless who asks may do that with the settings of a resource.

    On the listeners of controllers the levels of loggers are a matter of nodes (CLUSTER_ACTION). A
    kind that is not known is let pass: it is refused as such.
    """
    if resource_type not in _RIGHTS_OF:
        return
    is_logger = resource_type == RESOURCE_BROKER_LOGGER
    if is_logger and context.node.is_controller_listener and operation == Operation.ALTER_CONFIGS:
        operation = Operation.CLUSTER_ACTION
    context.rights.require(operation, _RIGHTS_OF[resource_type](name))


def _forbidden(resource: ResourceChange, context: NodeContext) -> Outcome | None:
    try:
        require_config_right(
            Operation.ALTER_CONFIGS, resource.resource_type, resource.name, context
        )
    except KafkaError as error:
        return Outcome(error.code, error.message)
    return None


def _bad_value(resource: ResourceChange, context: NodeContext) -> Outcome | None:
    """A broker looks at the values of its own settings before anybody's rights, as Kafka's do."""
    is_direct = context.node.is_controller_listener and context.forwarded_by is None
    if resource.resource_type != RESOURCE_BROKER or is_direct:
        return None
    known = settings_of(BrokerConfig)
    for change in resource.changes:
        if change.operation == SET and change.value is not None and change.name in known:
            try:
                known[change.name].parse(change.value)
            except ConfigError as error:
                return Outcome(ErrorCode.INVALID_REQUEST, str(error))
    return None


def _is_about_certificates(resource: ResourceChange) -> bool:
    """Whether a broker shall have another certificate; what is no such setting is not looked at."""
    if resource.resource_type != RESOURCE_BROKER or not resource.name:
        return False
    try:
        return any(certificate_of(one.name, one.value or "") for one in resource.changes)
    except ConfigError:
        return False  # the controller says what is wrong


async def _wrong_certificate(resource: ResourceChange, context: NodeContext) -> Outcome | None:
    """Certificates are judged by the node whose they are, before anything is changed (TLS-19)."""
    if context.forwarded_by is not None or not _is_about_certificates(resource):
        return None  # the broker that sent it on has looked
    node = context.node
    if resource.name != str(node.node_id):
        text = f"Unexpected broker id, expected {node.node_id}, but received {resource.name}"
        return Outcome(ErrorCode.INVALID_REQUEST, text)
    reason = await node.certificates.refusal(
        {one.name: None if one.operation == DELETE else one.value for one in resource.changes}
    )
    return None if reason is None else Outcome(ErrorCode.INVALID_REQUEST, reason)


def _key(resource: ResourceChange) -> tuple[int, str]:
    return resource.resource_type, resource.name


def _fault(resource: ResourceChange, times: int) -> Outcome | None:
    changes = resource.changes
    names = [change.name for change in changes]
    nulls = [
        change.name for change in changes if change.value is None and change.operation != DELETE
    ]
    unknown = [change.operation for change in changes if not 0 <= change.operation <= SUBTRACT]
    if times > 1:
        text = "Each resource must appear at most once."
    elif len(set(names)) != len(names):
        text = "Error due to duplicate config keys"
    elif nulls:
        text = f"Null value not supported for : {', '.join(nulls)}"
    elif unknown:
        text = f"Unknown operations type {unknown[0]}"
    elif _key(resource) == (RESOURCE_TOPIC, METADATA_TOPIC):
        # 630-17: it is kept short by snapshots, whatever anybody sets.
        return Outcome(ErrorCode.POLICY_VIOLATION, f"{METADATA_TOPIC} cannot be configured.")
    else:
        return None
    return Outcome(ErrorCode.INVALID_REQUEST, text)


def _wrong_broker(resource: ResourceChange, context: NodeContext) -> Outcome | None:
    """The active controller decides for every node, so any that is registered will do."""
    name, node = resource.name, context.node
    if node.is_controller_listener:
        return None  # it finds out by itself, and says it in other words than a broker
    if resource.resource_type != RESOURCE_BROKER or name in ("", str(node.node_id)):
        return None
    if not name.isdecimal():
        text = f"Node id must be an integer, but it is: {name}"
    elif name in map(str, (*node.image.brokers, *node.image.controllers)):
        return None
    else:
        text = f"Unexpected broker id, expected {node.node_id}, but received {name}"
    return Outcome(ErrorCode.INVALID_REQUEST, text)
