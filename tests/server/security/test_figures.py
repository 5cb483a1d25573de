"""What a node counts of logins, handshakes, throttles, rights and certificates (SEC-07)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from kit.authorization import acl_for
from kit.broker import running
from kit.fetching import fetch, read, wanted
from kit.secured import KEYS, context, fields_of
from kit.stopped_clock import stopped_env

from barnabas.broker.core.cluster.security_image import acl_record
from barnabas.broker.core.config.authorization import STANDARD_AUTHORIZER
from barnabas.broker.core.security.principal import ANONYMOUS
from barnabas.broker.observe.security_metrics import REQUEST, LoginFigures, Throttles
from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest
from barnabas.protocol.messages.sasl_handshake_request import SaslHandshakeRequest

from .doors import door, log_in

AUTHENTICATIONS = "socket-server-metrics.{}-authentication-total.{}.{}"
DAY_MS = 86_400_000


def test_figures_of_a_listener() -> None:
    """SEC-07: each mechanism for itself, renewals apart; no login at all has its own name."""
    figures = LoginFigures("CLIENTS")
    figures.ended("PLAIN", has_failed=False)
    figures.ended("PLAIN", has_failed=False, is_renewal=True)
    figures.ended("SCRAM-SHA-256", has_failed=True)
    figures.ended("", has_failed=True)
    figures.handshake_ms.add(3.5)
    assert figures.snapshot() == {
        "socket-server-metrics.failed-authentication-total.CLIENTS.SCRAM-SHA-256": 1,
        "socket-server-metrics.failed-authentication-total.CLIENTS.none": 1,
        "socket-server-metrics.successful-authentication-total.CLIENTS.PLAIN": 1,
        "socket-server-metrics.successful-reauthentication-total.CLIENTS.PLAIN": 1,
        "socket-server-metrics.expired-connections-killed-count.CLIENTS": 0,
        "socket-server-metrics.handshake-time-ms.CLIENTS.p50": 5,
        "socket-server-metrics.handshake-time-ms.CLIENTS.p99": 5,
        "socket-server-metrics.handshake-time-ms.CLIENTS.max": 3.5,
    }


async def test_logins_by_mechanism(tmp_path: Path) -> None:
    """SEC-07: good and bad ones; a mechanism that nobody enabled gives no name of its own."""
    async with door(tmp_path, "SASL_PLAINTEXT") as one:
        async with one.client() as client:
            assert (await log_in(client)).error_code == 0
        async with one.client() as client:
            assert (await log_in(client, b"\0alice\0wrong")).error_code == 58
        async with one.client() as client:
            shaken = await client.ask(SaslHandshakeRequest(mechanism="MADE-UP"), 1)
            assert shaken.error_code == 33
        figures = one.bench.broker.figures()
        assert figures[AUTHENTICATIONS.format("successful", "SASL_PLAINTEXT", "PLAIN")] == 1
        assert figures[AUTHENTICATIONS.format("failed", "SASL_PLAINTEXT", "PLAIN")] == 1
        assert figures[AUTHENTICATIONS.format("failed", "SASL_PLAINTEXT", "none")] == 1
        assert not [name for name in figures if "MADE-UP" in name]


async def test_handshakes(tmp_path: Path) -> None:
    """SEC-07: those of TLS are logins of a listener with certificates, and take a time."""
    async with door(tmp_path, "SSL", ssl__client__auth="required") as one:
        async with one.client(context("alice")) as client:
            await client.ask(ApiVersionsRequest(), 0)
        with pytest.raises((OSError, asyncio.IncompleteReadError)):
            async with one.client(context("impostor")) as client:
                await client.ask(ApiVersionsRequest(), 0)
        await one.failed()
        figures = one.bench.broker.figures()
        assert figures[AUTHENTICATIONS.format("successful", "SSL", "TLS")] == 1
        assert figures[AUTHENTICATIONS.format("failed", "SSL", "TLS")] == 1
        assert one.bench.broker.metrics.logins["SSL"].handshake_ms.total == 1
        assert figures["socket-server-metrics.handshake-time-ms.SSL.max"] > 0


def test_throttles_by_kind() -> None:
    """SEC-07: how often, for how long together, and the longest."""
    throttles = Throttles()
    throttles.note(REQUEST, 200)
    throttles.note(REQUEST, 100)
    figures = throttles.snapshot()
    assert figures["Request.throttle-time.count"] == 2
    assert figures["Request.throttle-time.sum"] == 300
    assert figures["Request.throttle-time.max"] == 200
    assert figures["Produce.throttle-time.count"] == 0
    assert "socket-server-metrics.ip-connection-accept-throttle-time.sum" in figures


async def test_throttles_of_a_broker(tmp_path: Path) -> None:
    """SEC-07: a fetch over its quota, and an address that comes too often."""
    async with running(tmp_path, stopped_env(), quota_window_num=2) as bench:
        bench.create_topic("t")
        bench.limit({"user": "ANONYMOUS"}, request_percentage=1e-6, consumer_byte_rate=1e-6)
        bench.limit({"ip": "127.0.0.1"}, connection_creation_rate=1)
        bench.broker.quotas.spent(ANONYMOUS, "raw", 10.0)
        async with bench.connect() as client:
            assert (await client.ask(fetch(wanted()), 11)).throttle_time_ms > 0
        async with bench.connect() as client:
            assert await client.closed()
        figures = bench.broker.figures()
        assert figures["Fetch.throttle-time.count"] == 1
        assert figures["Request.throttle-time.count"] == 1
        name = "socket-server-metrics.ip-connection-accept-throttle-time"
        assert figures[f"{name}.count"] == 1


async def test_rights(tmp_path: Path) -> None:
    """SEC-07: what was allowed and denied, and how many entries there are."""
    settings: dict[str, Any] = {"authorizer_class_name": STANDARD_AUTHORIZER, "audit_enable": False}
    async with running(tmp_path, **settings) as bench, bench.connect() as client:
        bench.create_topic("t")
        request = fetch(wanted())
        await client.ask(request, 11)
        bench.apply(acl_record(bytes(16), acl_for("TOPIC:t:READ", "User:ANONYMOUS")))
        await read(client, request)
        figures = bench.broker.figures()
        assert figures["StandardAuthorizer.authorization-denied-total"] == 1
        assert figures["StandardAuthorizer.authorization-allowed-total"] == 1
        assert figures["StandardAuthorizer.authorization-request-total"] == 2
        assert figures["StandardAuthorizer.acls-total-count"] == 1


async def test_days_of_certificates(tmp_path: Path) -> None:
    """SEC-07: of each listener with TLS; a node has them among its figures."""
    fields = fields_of({"listeners": "PLAINTEXT://127.0.0.1:0,SSL://127.0.0.1:0", **KEYS})
    async with running(tmp_path, **fields) as bench:
        await bench.broker.bind("SSL", "127.0.0.1", 0)
        certificates = bench.broker.certificates
        facts = certificates._used["ssl"].loaded.facts
        assert facts is not None
        ends_ms = facts.not_after.timestamp() * 1000
        name = "ssl.certificate-days-left.SSL"
        assert certificates.figures(ends_ms - 3 * DAY_MS) == {name: pytest.approx(3)}
        assert certificates.figures(ends_ms + DAY_MS)[name] == pytest.approx(-1)
