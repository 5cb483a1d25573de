"""Records of consumer groups as they change the groups of a shard: key types 3 to 8 and 16.

A log that is compacted while it is read may hold records of members without their group, and ends
of what never was; all of it is accepted (CRT-16).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final  # Any: key and value go together, each pair of its own classes

from barnabas.protocol.messages.consumer_group_current_member_assignment_key import (
    ConsumerGroupCurrentMemberAssignmentKey,
)
from barnabas.protocol.messages.consumer_group_member_metadata_key import (
    ConsumerGroupMemberMetadataKey,
)
from barnabas.protocol.messages.consumer_group_metadata_key import ConsumerGroupMetadataKey
from barnabas.protocol.messages.consumer_group_partition_metadata_key import (
    ConsumerGroupPartitionMetadataKey,
)
from barnabas.protocol.messages.consumer_group_regular_expression_key import (
    ConsumerGroupRegularExpressionKey,
)
from barnabas.protocol.messages.consumer_group_target_assignment_member_key import (
    ConsumerGroupTargetAssignmentMemberKey,
)
from barnabas.protocol.messages.consumer_group_target_assignment_metadata_key import (
    ConsumerGroupTargetAssignmentMetadataKey,
)

from .group_state import GroupState
from .record_reading import current_of, member_of, resolved_of, target_of

Applier = Callable[[GroupState, Any, Any], object]


def apply_record(state: GroupState, key: Any, value: Any) -> None:
    """Change a group by one record; `value` None: a tombstone. The key is one of `KEYS`."""
    _APPLIERS[type(key)](state, key, value)


def _epoch(state: GroupState, key: Any, value: Any) -> None:
    del key
    if value is not None:  # its tombstone ends the group, which is not the state's affair
        state.put_epoch(value.epoch, value.metadata_hash)


def _old_metadata(state: GroupState, key: Any, value: Any) -> None:
    del key
    state.note_old_record(is_there=value is not None)


def _member(state: GroupState, key: Any, value: Any) -> None:
    if value is None:
        state.drop_member(key.member_id)
    else:
        state.put_member(member_of(key.member_id, value))


def _assignment_epoch(state: GroupState, key: Any, value: Any) -> None:
    del key
    if value is None:
        state.put_assignment_epoch(0, 0)
    else:
        state.put_assignment_epoch(value.assignment_epoch, value.assignment_timestamp)


def _target(state: GroupState, key: Any, value: Any) -> None:
    if value is None:
        state.drop_target(key.member_id)
    else:
        state.put_target(key.member_id, target_of(value))


def _current(state: GroupState, key: Any, value: Any) -> None:
    if value is None:
        state.drop_current(key.member_id)
    else:
        state.put_current(key.member_id, current_of(value))


def _pattern(state: GroupState, key: Any, value: Any) -> None:
    if value is None:
        state.patterns.pop(key.regular_expression)
    else:
        state.patterns[key.regular_expression] = resolved_of(value)


_APPLIERS: Final[Mapping[type, Applier]] = {
    ConsumerGroupMetadataKey: _epoch,
    ConsumerGroupPartitionMetadataKey: _old_metadata,
    ConsumerGroupMemberMetadataKey: _member,
    ConsumerGroupTargetAssignmentMetadataKey: _assignment_epoch,
    ConsumerGroupTargetAssignmentMemberKey: _target,
    ConsumerGroupCurrentMemberAssignmentKey: _current,
    ConsumerGroupRegularExpressionKey: _pattern,
}

KEYS: Final = frozenset(_APPLIERS)
"""Classes of the keys of records that are consumer groups' own."""
