"""Answers that carry an error which concerns a whole request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any  # Any: handlers of either kind of node

from barnabas.protocol.errors import EncodeError, ErrorCode, KafkaError, ProtocolError
from barnabas.protocol.header import RequestHeader, decode_request_header, encode_response
from barnabas.protocol.message import Message

from ..observe.logging import Logger
from ..observe.metrics import Metrics
from ..serving.handler import Handler
from .request_body import decode_body


class Refusals:
    """Makes the answers for errors, and logs those that are bugs."""

    def __init__(self, log: Logger, metrics: Metrics, handlers: Mapping[int, Handler[Any]]) -> None:
        """`handlers` are those that serve, by API key."""
        self._handlers = handlers
        self._log = log
        self._metrics = metrics
        self.on_bug: Callable[[Exception], object] | None = None  # the simulator ends the node here

    def refusal(
        self, handler: Handler[Any], header: RequestHeader, request: Message, error: Exception
    ) -> Message:
        """The answer for a request whose handling ended with `error`.

        Raises ProtocolError if this API's answer has no field for one: the connection must be
        closed.
        """
        if isinstance(error, KafkaError):
            code, message = error.code, error.message
        else:
            self._report_bug(handler, header, error)
            code, message = ErrorCode.UNKNOWN_SERVER_ERROR, None
        return handler.refusal(request, header.api_version, code, message)

    def of_frame(self, frame: bytes, code: ErrorCode) -> bytes | None:
        """The answer with this error to a request that no handler gets (SASL-02).

        None if the request cannot be read, or its answer has no field for an error.
        """
        try:
            header, body_at = decode_request_header(frame)
            handler = self._handlers[header.api_key]
            if not handler.first <= header.api_version <= handler.last:
                return None
            request = decode_body(handler.api, frame, body_at, header.api_version)
            refusal = handler.refusal(request, header.api_version, code, None)
            return encode_response(refusal, header.api_version, header.correlation_id)
        except (ProtocolError, EncodeError, KeyError):
            return None

    def _report_bug(self, handler: Handler[Any], header: RequestHeader, error: Exception) -> None:
        self._metrics.unexpected_errors += 1
        self._log.error(
            "request failed unexpectedly",
            api=handler.api.name,
            version=header.api_version,
            correlation_id=header.correlation_id,
            client_id=header.client_id,
            error=repr(error),
            exc_info=error,
        )
        if self.on_bug is not None:
            self.on_bug(error)
