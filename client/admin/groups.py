"""Admin calls about groups: list, describe, delete."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TypeVar

from barnabas.protocol.errors import DecodeError, ErrorCode
from barnabas.protocol.messages import consumer_group_describe_response as modern
from barnabas.protocol.messages import describe_groups_response as classic
from barnabas.protocol.messages.consumer_group_describe_request import ConsumerGroupDescribeRequest
from barnabas.protocol.messages.delete_groups_request import DeleteGroupsRequest
from barnabas.protocol.messages.delete_groups_response import DeleteGroupsResponse
from barnabas.protocol.messages.describe_groups_request import DescribeGroupsRequest
from barnabas.protocol.messages.list_groups_request import ListGroupsRequest
from barnabas.protocol.messages.list_groups_response import ListGroupsResponse

from ..errors import (
    BrokerError,
    ClientError,
    GroupIdNotFoundError,
    GroupsNotSupportedError,
    NonEmptyGroupError,
    UnsupportedVersionError,
    error_of,
    is_retriable,
)
from ..groups.coordinator import Coordinator, CoordinatorOf
from ..groups.formats import decode_assignment
from ..structs import TopicPartition
from ..wire.cluster import Cluster
from ..wire.metadata import Node
from .group_values import GroupDescription, GroupListing, GroupMember

T = TypeVar("T")
DEAD = "Dead"
STATES_SINCE, TYPES_SINCE = 4, 5
"""Versions of ListGroups from which on it can be asked for states and for types."""
AT_ONCE = 16
"""Coordinators that are asked at the same time."""


async def at_coordinator(
    cluster: Cluster,
    key: str,
    ask: Callable[[Coordinator], Awaitable[T]],
    what: str,
    kind: CoordinatorOf = CoordinatorOf.GROUP,
) -> T:
    """What `ask` gets from the coordinator of a group, or of a transactional id, tried again while
    that is another broker."""
    coordinator = Coordinator(cluster, key, kind)

    async def attempt() -> T:
        try:
            return await ask(coordinator)
        except BrokerError as error:
            if error.code in (ErrorCode.NOT_COORDINATOR, ErrorCode.COORDINATOR_NOT_AVAILABLE):
                coordinator.lost()
            raise

    return await cluster.retrying(attempt, what)


# ------------------------------------------------------------------ list


async def list_groups(
    cluster: Cluster, states: Sequence[str], types: Sequence[str]
) -> list[GroupListing]:
    """See `Admin.list_groups`."""

    async def attempt() -> list[GroupListing]:
        await cluster.refresh()
        nodes = list(cluster.metadata.nodes.values())
        answers = await asyncio.gather(*[_list(cluster, node, states, types) for node in nodes])
        found = {each.group_id: each for answer in answers for each in answer}
        return [found[group_id] for group_id in sorted(found)]

    return await cluster.retrying(attempt, "listing groups")


async def _list(
    cluster: Cluster, node: Node, states: Sequence[str], types: Sequence[str]
) -> list[GroupListing]:
    connection = await cluster.connection(node)
    version = connection.version_of(ListGroupsRequest)
    needed = TYPES_SINCE if types else STATES_SINCE if states else 0
    if version < needed:
        raise UnsupportedVersionError(
            f"{node} lists groups in version {version}; this filter needs {needed}"
        )
    request = ListGroupsRequest(states_filter=list(states), types_filter=list(types))
    response = await connection.call(
        request, ListGroupsResponse, timeout_s=cluster.request_timeout_s
    )
    if response.error_code:
        raise error_of(response.error_code, f"listing the groups of {node}")
    wanted = {each.lower() for each in states}, {each.lower() for each in types}
    return [
        GroupListing(each.group_id, each.group_type, each.group_state, each.protocol_type)
        for each in response.groups
        if _is_one_of(each.group_state, wanted[0]) and _is_one_of(each.group_type, wanted[1])
    ]


def _is_one_of(found: str, wanted: set[str]) -> bool:
    return not wanted or found.lower() in wanted


# ------------------------------------------------------------------ describe


async def describe_groups(
    cluster: Cluster, group_ids: Sequence[str]
) -> dict[str, GroupDescription]:
    """See `Admin.describe_groups`."""
    limit = asyncio.Semaphore(AT_ONCE)

    async def one(group_id: str) -> GroupDescription:
        async with limit:
            what = f"describing group {group_id!r}"
            return await at_coordinator(cluster, group_id, _describe, what)

    names = list(dict.fromkeys(group_ids))
    found = await asyncio.gather(*map(one, names), return_exceptions=True)
    failures = {name: each for name, each in zip(names, found, strict=True) if is_error(each)}
    for error in failures.values():
        assert isinstance(error, BaseException)
        raise error
    return {each.group_id: each for each in found if isinstance(each, GroupDescription)}


def is_error(found: object) -> bool:
    """Whether a gathered result is what was raised."""
    return isinstance(found, BaseException)


async def _describe(coordinator: Coordinator) -> GroupDescription:
    """By the consumer protocol's request first; a classic group is not found by that."""
    group_id = coordinator.key
    node = await coordinator.node()
    try:
        request = ConsumerGroupDescribeRequest(group_ids=[group_id])
        answer = await coordinator.call(request, modern.ConsumerGroupDescribeResponse)
        for each in answer.groups:
            if each.group_id == group_id and each.error_code != ErrorCode.GROUP_ID_NOT_FOUND:
                check(each.error_code, group_id, each.error_message)
                return _modern(each, node.node_id)
    except GroupsNotSupportedError:
        pass  # older brokers have classic groups only
    response = await coordinator.call(
        DescribeGroupsRequest(groups=[group_id]), classic.DescribeGroupsResponse
    )
    for one in response.groups:
        if one.group_id == group_id:
            check(one.error_code, group_id, one.error_message)
            if one.group_state != DEAD:
                return _classic(one, node.node_id)
    raise GroupIdNotFoundError(f"there is no group {group_id!r}")


def check(code: int, group_id: str, message: str | None = None) -> None:
    """Raise the error of a group's answer, if it is one."""
    if code:
        what = f"group {group_id!r}"
        raise error_of(code, f"{what}: {message}" if message else what)


def _modern(group: modern.DescribedGroup, node_id: int) -> GroupDescription:
    members = tuple(
        GroupMember(
            each.member_id,
            each.instance_id,
            each.client_id,
            each.client_host,
            _partitions(each.assignment),
            _partitions(each.target_assignment),
            each.member_epoch,
        )
        for each in group.members
    )
    return GroupDescription(
        group.group_id,
        "consumer",
        group.group_state,
        group.assignor_name,
        node_id,
        members,
        group.group_epoch,
    )


def _partitions(assignment: modern.Assignment) -> tuple[TopicPartition, ...]:
    return tuple(
        TopicPartition(each.topic_name, number)
        for each in assignment.topic_partitions
        for number in each.partitions
    )


def _classic(group: classic.DescribedGroup, node_id: int) -> GroupDescription:
    is_ours = group.protocol_type == "consumer"
    members = tuple(
        GroupMember(
            each.member_id,
            each.group_instance_id,
            each.client_id,
            each.client_host,
            _assigned(each.member_assignment) if is_ours else (),
        )
        for each in group.members
    )
    return GroupDescription(
        group.group_id, "classic", group.group_state, group.protocol_data, node_id, members
    )


def _assigned(data: bytes) -> tuple[TopicPartition, ...]:
    """What a classic member has; nothing, if its leader wrote bytes that make no sense."""
    try:
        return tuple(decode_assignment(data))
    except DecodeError:
        return ()


def refuse_members(group: GroupDescription, doing: str) -> None:
    """Raise NonEmptyGroupError, which says who is in it, for a group with members."""
    if group.members:
        names = ", ".join(str(each) for each in group.members[:10])
        more = len(group.members) - 10
        raise NonEmptyGroupError(
            f"{doing} of group {group.group_id!r} must wait until its members have left: {names}"
            + (f" and {more} more" if more > 0 else "")
        )


# ------------------------------------------------------------------ delete


async def delete_groups(cluster: Cluster, group_ids: Iterable[str]) -> None:
    """See `Admin.delete_groups`."""
    failures: dict[object, BrokerError] = {}
    for group_id in dict.fromkeys(group_ids):
        try:
            await at_coordinator(cluster, group_id, _delete, f"deleting group {group_id!r}")
        except BrokerError as error:
            failures[group_id] = error
            if error.code == ErrorCode.NON_EMPTY_GROUP:
                failures[group_id] = await _with_members(cluster, group_id, error)
    for first in failures.values():
        first.failures = failures
        raise first


async def _delete(coordinator: Coordinator) -> None:
    group_id = coordinator.key
    response = await coordinator.call(
        DeleteGroupsRequest(groups_names=[group_id]), DeleteGroupsResponse
    )
    for each in response.results:
        if each.group_id == group_id:
            check(each.error_code, group_id)
            return
    raise error_of(ErrorCode.UNKNOWN_SERVER_ERROR, f"group {group_id!r}: no answer for it")


async def _with_members(cluster: Cluster, group_id: str, error: BrokerError) -> BrokerError:
    """The same error with the names of the members, if they can be learnt."""
    try:
        refuse_members((await describe_groups(cluster, [group_id]))[group_id], "deletion")
    except NonEmptyGroupError as found:
        return found
    except ClientError as other:
        if not is_retriable(other) and not isinstance(other, BrokerError):
            raise
    return error
