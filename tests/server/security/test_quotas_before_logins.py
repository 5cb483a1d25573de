"""Quotas are of users, and who has not logged in yet is none."""

from __future__ import annotations

from pathlib import Path

from barnabas.broker.core.security.principal import ANONYMOUS
from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest

from .doors import door, log_in

ASKED = ApiVersionsRequest(client_software_name="test", client_software_version="1")


async def test_a_login_waits_for_nobody(tmp_path: Path) -> None:
    """QTA-13, SASL-01: what others ask before they have said who they are holds up no login."""
    async with door(tmp_path, "SASL_PLAINTEXT") as one, one.client() as client:
        one.bench.limit({"user": None}, request_percentage=1)
        quotas = one.bench.broker.quotas
        quotas.spent(ANONYMOUS, "", 60_000.0)
        versions = await client.ask(ASKED, 3)
        assert (versions.error_code, versions.throttle_time_ms) == (0, 0)
        assert not one.connections[0].is_stopped
        assert (await log_in(client)).error_code == 0
        assert (await client.ask(ASKED, 3)).throttle_time_ms == 0


async def test_a_login_is_not_counted(tmp_path: Path) -> None:
    """QTA-13: where ANONYMOUS is a user like any other, it does not pay for those who log in."""
    async with door(tmp_path, "SASL_PLAINTEXT") as one, one.client() as client:
        one.bench.limit({"user": "ANONYMOUS"}, request_percentage=1e-9)
        await client.ask(ASKED, 3)
        assert not one.bench.broker.quotas._counters["request_percentage"]
        async with one.bench.connect() as anonymous:
            await anonymous.ask(ASKED, 3)
        assert one.bench.broker.quotas._counters["request_percentage"]
