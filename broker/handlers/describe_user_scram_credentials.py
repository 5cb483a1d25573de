"""DescribeUserScramCredentials: who can log in by SCRAM; no salt and no key is told (SASL-30)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.describe_user_scram_credentials_request import (
    DescribeUserScramCredentialsRequest,
)
from barnabas.protocol.messages.describe_user_scram_credentials_response import (
    CredentialInfo,
    DescribeUserScramCredentialsResponse,
    DescribeUserScramCredentialsResult,
)

from ..core.security.resources import CLUSTER, Operation
from ..serving.context import NodeContext
from ..serving.handler import Handler
from ..serving.waiting import in_turns


def handle(
    request: DescribeUserScramCredentialsRequest, context: NodeContext
) -> DescribeUserScramCredentialsResponse:
    """Each user that was asked for; all of them if none was named. Raises KafkaError (31)."""
    return DescribeUserScramCredentialsResponse(
        error_message=None, results=list(_results(request, context))
    )


async def handle_in_turns(
    request: DescribeUserScramCredentialsRequest, context: NodeContext
) -> DescribeUserScramCredentialsResponse:
    """The same for very many users."""
    return DescribeUserScramCredentialsResponse(
        error_message=None, results=await in_turns(_results(request, context))
    )


def _results(
    request: DescribeUserScramCredentialsRequest, context: NodeContext
) -> Iterator[DescribeUserScramCredentialsResult]:
    context.rights.require(Operation.DESCRIBE, CLUSTER)
    found: dict[str, list[CredentialInfo]] = {}
    for (name, mechanism), record in sorted(context.node.image.security.credentials.items()):
        info = CredentialInfo(mechanism=mechanism, iterations=record.iterations)
        found.setdefault(name, []).append(info)
    times = Counter(one.name for one in request.users or ())
    for name in times or found:
        yield _result(name, times, found)


def _result(
    name: str, times: Counter[str], found: dict[str, list[CredentialInfo]]
) -> DescribeUserScramCredentialsResult:
    result = DescribeUserScramCredentialsResult(user=name, error_message=None)
    if times[name] > 1:
        result.error_code = int(ErrorCode.DUPLICATE_RESOURCE)
        result.error_message = f"Cannot describe SCRAM credentials for the same user twice: {name}"
    elif name not in found:
        result.error_code = int(ErrorCode.RESOURCE_NOT_FOUND)
        result.error_message = "Attempt to describe a user credential that does not exist: " + name
    else:
        result.credential_infos = found[name]
    return result


def refuse(
    request: DescribeUserScramCredentialsRequest, code: int, message: str | None
) -> DescribeUserScramCredentialsResponse:
    """An error for the whole request stands on each user that is named, too."""
    return DescribeUserScramCredentialsResponse(
        error_code=code,
        error_message=message,
        results=[
            DescribeUserScramCredentialsResult(
                user=one.name, error_code=code, error_message=message
            )
            for one in request.users or ()
        ],
    )


HANDLER = Handler(
    DescribeUserScramCredentialsRequest,
    (0, 0),
    handle,
    refuse=refuse,
    handle_in_turns=handle_in_turns,
)
