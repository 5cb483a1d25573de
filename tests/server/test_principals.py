"""Whose connection a handler is asked by."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kit.broker import running

from barnabas.broker.core.security.principal import ANONYMOUS, Principal
from barnabas.broker.server.served_apis import OF_BROKERS
from barnabas.broker.serving.context import RequestContext
from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest

API_VERSIONS = 18


async def test_plain_connections_are_anonymous(tmp_path: Path, monkeypatch: Any) -> None:
    """TLS-12, SASL-13: nobody had to say who they are; handlers see principal, host, listener."""
    seen = []
    handler = OF_BROKERS[API_VERSIONS]

    def handle(request: Any, context: RequestContext[Any]) -> Any:
        seen.append((context.principal, context.client_host, context.listener_name))
        return handler.handle(request, context)

    monkeypatch.setitem(OF_BROKERS, API_VERSIONS, handler.with_handle(handle))
    async with running(tmp_path) as bench, bench.connect() as client:
        asked = ApiVersionsRequest(client_software_name="raw", client_software_version="1")
        await client.ask(asked, 3)
    assert seen == [(ANONYMOUS, "127.0.0.1", "PLAINTEXT")]


def test_a_principal_is_written_as_kafka_does() -> None:
    """SASL-13: type and name, compared letter by letter."""
    assert str(ANONYMOUS) == "User:ANONYMOUS"
    assert Principal("User", "alice") != Principal("User", "Alice")
