"""SaslAuthenticate on a connection that has logged in, or need not: refused, the connection lives.

A login itself is no matter of handlers (`server/security/login.py`), nor is one that is renewed.
"""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.sasl_authenticate_request import SaslAuthenticateRequest
from barnabas.protocol.messages.sasl_authenticate_response import SaslAuthenticateResponse

from ..serving.context import NodeContext
from ..serving.handler import Handler

_TEXT = "SaslAuthenticate request received after successful authentication"


def handle(request: SaslAuthenticateRequest, context: NodeContext) -> SaslAuthenticateResponse:
    """ILLEGAL_SASL_STATE(34) (SASL-12)."""
    del request, context
    return SaslAuthenticateResponse(
        error_code=int(ErrorCode.ILLEGAL_SASL_STATE), error_message=_TEXT
    )


HANDLER = Handler(SaslAuthenticateRequest, (0, 2), handle)
