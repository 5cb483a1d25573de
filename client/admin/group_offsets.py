"""Admin calls about the committed offsets of groups: list, alter, reset, delete."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.offset_delete_request import (
    OffsetDeleteRequest,
    OffsetDeleteRequestPartition,
    OffsetDeleteRequestTopic,
)
from barnabas.protocol.messages.offset_delete_response import OffsetDeleteResponse

from ..errors import (
    BrokerError,
    ConfigurationError,
    GroupIdNotFoundError,
    NonEmptyGroupError,
    error_of,
)
from ..groups.committed import CommittedOffsets
from ..groups.coordinator import Coordinator
from ..groups.formats import by_topic
from ..groups.values import NOBODY, OffsetAndMetadata
from ..structs import TopicPartition
from ..wire.cluster import Cluster
from ..wire.offsets import EARLIEST, LATEST, list_offsets
from .group_values import OffsetReset, ResetTo
from .groups import at_coordinator, check, describe_groups, refuse_members

Committed = dict[TopicPartition, OffsetAndMetadata]


async def list_group_offsets(
    cluster: Cluster,
    group_id: str,
    partitions: Iterable[TopicPartition] | None,
    *,
    require_stable: bool,
) -> Committed:
    """See `Admin.list_group_offsets`."""
    wanted = None if partitions is None else list(partitions)

    async def ask(coordinator: Coordinator) -> Committed:
        offsets = CommittedOffsets(cluster, coordinator, require_stable)
        answers = await offsets.fetch_once(NOBODY, wanted)
        for key, code in answers.refused.items():
            raise error_of(code, f"group {group_id!r}: {key}")
        return answers.found

    return await at_coordinator(cluster, group_id, ask, f"the offsets of group {group_id!r}")


async def alter_group_offsets(
    cluster: Cluster, group_id: str, offsets: Mapping[TopicPartition, int | OffsetAndMetadata]
) -> None:
    """See `Admin.alter_group_offsets`."""
    wanted = {
        key: each if isinstance(each, OffsetAndMetadata) else OffsetAndMetadata(each)
        for key, each in offsets.items()
    }
    for key, each in wanted.items():
        if each.offset < 0:
            raise ConfigurationError(f"{key}: offset {each.offset} cannot be committed")
    await _refuse_active(cluster, group_id, "a change of the offsets")

    async def ask(coordinator: Coordinator) -> None:
        committed = CommittedOffsets(cluster, coordinator, False)
        codes = await committed.commit_once(NOBODY, wanted)
        failures: dict[object, BrokerError] = {
            key: _error(code, group_id, key) for key, code in codes.items() if code
        }
        for first in failures.values():
            first.failures = failures
            raise first

    if wanted:
        await at_coordinator(cluster, group_id, ask, f"changing the offsets of {group_id!r}")


def _error(code: int, group_id: str, key: TopicPartition) -> BrokerError:
    """The error of one partition; 25 and 22 say that somebody has joined meanwhile."""
    if code in (ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.ILLEGAL_GENERATION):
        return NonEmptyGroupError(f"group {group_id!r}: a member has just joined")
    return error_of(code, f"group {group_id!r}: {key}")


async def _refuse_active(cluster: Cluster, group_id: str, doing: str) -> None:
    try:
        found = await describe_groups(cluster, [group_id])
    except GroupIdNotFoundError:
        return  # committing makes it
    refuse_members(found[group_id], doing)


async def reset_group_offsets(
    cluster: Cluster,
    group_id: str,
    reset: OffsetReset,
    partitions: Iterable[TopicPartition] | None,
    *,
    dry_run: bool,
) -> dict[TopicPartition, int]:
    """See `Admin.reset_group_offsets`."""
    if reset.to is ResetTo.TIME and reset.number < 0:
        # ListOffsets has other uses for numbers below zero.
        raise ConfigurationError(f"{reset.number} is no time: milliseconds since 1970, from 0 on")
    now = await list_group_offsets(cluster, group_id, partitions, require_stable=False)
    wanted = list(now) if partitions is None else list(dict.fromkeys(partitions))
    if not wanted:
        raise ConfigurationError(
            f"group {group_id!r} has no committed offsets: name the partitions to reset"
        )
    await _refuse_active(cluster, group_id, "a reset of the offsets")
    offsets = await _places(cluster, reset, wanted, now)
    if not dry_run:
        await alter_group_offsets(cluster, group_id, offsets)
    return offsets


async def _places(
    cluster: Cluster, reset: OffsetReset, wanted: list[TopicPartition], now: Committed
) -> dict[TopicPartition, int]:
    first = await list_offsets(cluster, dict.fromkeys(wanted, EARLIEST))
    last = await list_offsets(cluster, dict.fromkeys(wanted, LATEST))
    if reset.to is ResetTo.EARLIEST:
        return {key: first[key].offset for key in wanted}
    if reset.to is ResetTo.LATEST:
        return {key: last[key].offset for key in wanted}
    if reset.to is ResetTo.TIME:
        found = await list_offsets(cluster, dict.fromkeys(wanted, reset.number))
        return {
            key: found[key].offset if found[key].offset >= 0 else last[key].offset for key in wanted
        }
    base = dict.fromkeys(wanted, 0)
    if reset.to is ResetTo.SHIFT:
        missing = [str(key) for key in wanted if key not in now]
        if missing:
            raise ConfigurationError(f"no committed offset to shift: {', '.join(missing)}")
        base = {key: now[key].offset for key in wanted}
    return {
        key: min(max(base[key] + reset.number, first[key].offset), last[key].offset)
        for key in wanted
    }


async def delete_group_offsets(
    cluster: Cluster, group_id: str, partitions: Iterable[TopicPartition]
) -> None:
    """See `Admin.delete_group_offsets`."""
    wanted = list(partitions)
    request = OffsetDeleteRequest(
        group_id=group_id,
        topics=[
            OffsetDeleteRequestTopic(
                name=name,
                partitions=[OffsetDeleteRequestPartition(partition_index=n) for n in numbers],
            )
            for name, numbers in by_topic(wanted).items()
        ],
    )

    async def ask(coordinator: Coordinator) -> None:
        response = await coordinator.call(request, OffsetDeleteResponse)
        check(response.error_code, group_id)
        failures: dict[object, BrokerError] = {}
        for topic in response.topics:
            for each in topic.partitions:
                key = TopicPartition(topic.name, each.partition_index)
                if each.error_code:
                    failures[key] = error_of(each.error_code, f"group {group_id!r}: {key}")
        for first in failures.values():
            first.failures = failures
            raise first

    await at_coordinator(cluster, group_id, ask, f"deleting offsets of group {group_id!r}")
