"""ListGroups: the committed groups of all shards that this broker leads (GRP-27).

Versions: 4 states, and a filter by them, 5 types, and a filter by them. Filters are case-blind; a
state or type that nobody knows matches nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from barnabas.protocol.messages.list_groups_request import ListGroupsRequest
from barnabas.protocol.messages.list_groups_response import ListedGroup, ListGroupsResponse

from ..core.coordination.groups.group import Group
from ..core.coordination.groups.group_machine import GroupMachine
from ..core.security.resources import CLUSTER, Operation, group_resource
from ..serving.context import BrokerContext
from ..serving.handler import Handler
from ..serving.waiting import Turns


async def handle(request: ListGroupsRequest, context: BrokerContext) -> ListGroupsResponse:
    """List them. Raises KafkaError 14 while a shard is loading: the list would not be whole."""
    rights = context.rights
    sees_all = rights.may(Operation.DESCRIBE, CLUSTER, is_audited=False)
    states, types = _folded(request.states_filter), _folded(request.types_filter)
    response, turns = ListGroupsResponse(), Turns()
    for at, groups in await context.node.groups.read_all(_groups):
        for group in groups:
            await turns.after()
            if not sees_all and not rights.may(
                Operation.DESCRIBE, group_resource(group.group_id), is_audited=False
            ):
                continue
            state = group.state_name_at(at)
            if (states and state.lower() not in states) or (
                types and group.kind.value not in types
            ):
                continue
            response.groups.append(
                ListedGroup(
                    group_id=group.group_id,
                    protocol_type=group.protocol_type_at(at),
                    group_state=state,
                    group_type=group.kind.value,
                )
            )
    return response


def _folded(names: Sequence[str]) -> frozenset[str]:
    return frozenset(name.strip().lower() for name in names)


def _groups(machine: GroupMachine, at: int) -> tuple[int, list[Group]]:
    return at, [group for _, group in machine.around.groups.items_at(at)]


HANDLER = Handler(ListGroupsRequest, (0, 5), handle)
