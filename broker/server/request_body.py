"""The body of a request as a whole: nothing may be left over, but for known clients' mistakes."""

from __future__ import annotations

from barnabas.protocol.apis import Api
from barnabas.protocol.errors import DecodeError
from barnabas.protocol.message import Message
from barnabas.protocol.messages.alter_user_scram_credentials_request import (
    AlterUserScramCredentialsRequest,
)
from barnabas.protocol.messages.describe_acls_request import DescribeAclsRequest
from barnabas.protocol.messages.metadata_request import MetadataRequest

_LIBRDKAFKA_RESTS = frozenset(
    {b"\0"} | {bytes((first, second, 0)) for first in (0, 1) for second in (0, 1)}
)
"""librdkafka (all versions so far, 2.15 at least) asks for all topics by a null array of four bytes
where the flexible versions have one. Read as they stand, these bytes are the whole request, and its
last three fields are left over (or one, where the first of them reads as a tagged field, in
versions 9 and 10); Kafka looks at no byte after the fields, so nobody ever noticed (ENV-06)."""

_EMPTY_TAGS = b"\0"
"""librdkafka (2.16 at least) ends AlterUserScramCredentials with one list of them too many, and
kafka-go (0.4.51 at least) DescribeAcls, whose filter has one of its own there."""


def decode_body(api: Api, frame: bytes, body_at: int, version: int) -> Message:
    """The request whose body begins at `body_at`, and that is all of the frame.

    Raises DecodeError.
    """
    request, end = api.request.decode_at(frame, body_at, version)
    if end != len(frame) and not _is_known_rest(request, frame[end:]):
        raise DecodeError(f"{api.name}: {len(frame) - end} bytes too many")
    return request


def _is_known_rest(request: Message, rest: bytes) -> bool:
    if isinstance(request, MetadataRequest):
        return request.topics is None and rest in _LIBRDKAFKA_RESTS
    sloppy = (AlterUserScramCredentialsRequest, DescribeAclsRequest)
    return isinstance(request, sloppy) and rest == _EMPTY_TAGS
