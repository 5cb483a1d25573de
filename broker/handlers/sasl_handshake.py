"""SaslHandshake on a connection that has logged in, or need not: refused, the connection lives.

A login itself is no matter of handlers (`server/security/login.py`), nor is one that is renewed.
"""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.sasl_handshake_request import SaslHandshakeRequest
from barnabas.protocol.messages.sasl_handshake_response import SaslHandshakeResponse

from ..serving.context import NodeContext
from ..serving.handler import Handler


def handle(request: SaslHandshakeRequest, context: NodeContext) -> SaslHandshakeResponse:
    """ILLEGAL_SASL_STATE(34), and no mechanisms (SASL-12)."""
    del request, context
    return SaslHandshakeResponse(error_code=int(ErrorCode.ILLEGAL_SASL_STATE))


HANDLER = Handler(SaslHandshakeRequest, (0, 1), handle)
