"""DeleteGroups: empty groups go with all of their offsets (OFF-21)."""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.delete_groups_request import DeleteGroupsRequest
from barnabas.protocol.messages.delete_groups_response import (
    DeletableGroupResult,
    DeleteGroupsResponse,
)

from ..core.security.resources import Operation, group_resource
from ..serving.context import BrokerContext
from ..serving.handler import Handler
from ..serving.waiting import Turns


async def handle(request: DeleteGroupsRequest, context: BrokerContext) -> DeleteGroupsResponse:
    """Answer for each group once, however often it is named."""
    answer, turns = DeleteGroupsResponse(), Turns()
    for group_id in dict.fromkeys(request.groups_names):
        code = int(await _delete(group_id, context))
        answer.results.append(DeletableGroupResult(group_id=group_id, error_code=code))
        await turns.after()  # a group that is not there needs no waiting
    return answer


def refuse(request: DeleteGroupsRequest, code: int, message: str | None) -> DeleteGroupsResponse:
    """The same error for every group."""
    del message
    results = [
        DeletableGroupResult(group_id=group_id, error_code=int(code))
        for group_id in dict.fromkeys(request.groups_names)
    ]
    return DeleteGroupsResponse(results=results)


async def _delete(group_id: str, context: BrokerContext) -> ErrorCode:
    is_done = False
    try:
        context.rights.require(Operation.DELETE, group_resource(group_id))
        while not is_done:  # a group with very many offsets goes in parts
            is_done = await context.node.groups.write(
                group_id, lambda machine: machine.offsets.delete_group(group_id)
            )
    except KafkaError as error:
        return error.code
    return ErrorCode.NONE


HANDLER = Handler(DeleteGroupsRequest, (0, 2), handle, refuse=refuse)
