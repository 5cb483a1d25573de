"""AlterUserScramCredentials: give users SCRAM credentials, or take them away (SASL-28)."""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.alter_user_scram_credentials_request import (
    AlterUserScramCredentialsRequest,
)
from barnabas.protocol.messages.alter_user_scram_credentials_response import (
    AlterUserScramCredentialsResponse,
    AlterUserScramCredentialsResult,
)
from barnabas.protocol.sasl import scram

from ..core.cluster.commands import AlterScramCredentials, ScramDeletion, ScramUpsertion
from ..core.security.resources import CLUSTER, Operation
from ..serving.context import NodeContext
from ..serving.handler import Forwarded, Handler


async def handle(
    request: AlterUserScramCredentialsRequest, context: NodeContext
) -> AlterUserScramCredentialsResponse:
    """Each user answers with its own code. Raises KafkaError if the controller refuses all."""
    context.rights.require(Operation.ALTER, CLUSTER)
    command = AlterScramCredentials(
        tuple(ScramDeletion(one.name, one.mechanism) for one in request.deletions),
        tuple(
            ScramUpsertion(
                one.name,
                one.mechanism,
                one.iterations,
                bytes(one.salt),
                bytes(one.salted_password),
            )
            for one in request.upsertions
        ),
    )
    outcomes = await context.node.metadata.submit(command)
    changes: list[ScramDeletion | ScramUpsertion] = [*command.deletions, *command.upsertions]
    for change in changes:
        if outcomes[change.name].code is ErrorCode.NONE:
            what = "credential set" if isinstance(change, ScramUpsertion) else "credential removed"
            kind = scram.BY_NUMBER[change.mechanism]
            context.rights.note_change(what, user=change.name, mechanism=kind.name)
    return AlterUserScramCredentialsResponse(
        results=[
            AlterUserScramCredentialsResult(
                user=name, error_code=int(outcome.code), error_message=outcome.message
            )
            for name, outcome in outcomes.items()
        ]
    )


def refuse(
    request: AlterUserScramCredentialsRequest, code: int, message: str | None
) -> AlterUserScramCredentialsResponse:
    """An error for the whole request stands on each user."""
    names = dict.fromkeys(one.name for one in request.deletions)
    names |= dict.fromkeys(one.name for one in request.upsertions)
    return AlterUserScramCredentialsResponse(
        results=[
            AlterUserScramCredentialsResult(user=name, error_code=code, error_message=message)
            for name in names
        ]
    )


def _things(request: AlterUserScramCredentialsRequest) -> int:
    """Credentials."""
    return len(request.deletions) + len(request.upsertions)


HANDLER = Handler(
    AlterUserScramCredentialsRequest,
    (0, 0),
    handle,
    refuse=refuse,
    forwarded=Forwarded(things=_things),
)
