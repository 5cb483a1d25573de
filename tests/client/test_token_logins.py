"""Our client's logins by OAUTHBEARER: where tokens come from, and how that fails."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from kit.broker import Bench, running
from kit.secured import fields_of, logins
from kit.tokens import (
    CLIENT_ID,
    CLIENT_SECRET,
    TokenServer,
    bearer,
    token,
    token_server,
)

from barnabas.cli.client_properties import client_options, read_properties
from barnabas.client import Producer
from barnabas.client.config import ProducerConfig
from barnabas.client.errors import ConfigurationError
from barnabas.client.login_errors import (
    LoginFailedError,
    TokenRefusedError,
    TokenUnavailableError,
)
from barnabas.client.wire.security import security_of
from barnabas.client.wire.tokens import ClientCredentials, EndpointTokens
from barnabas.http_exchange import parse_url

NAME = "SASL_PLAINTEXT"


class Place:
    """A listener that takes tokens, and who makes them."""

    def __init__(self, tokens: TokenServer, port: int, bench: Bench) -> None:
        self.tokens = tokens
        self._bench = bench
        self.options: dict[str, Any] = {
            "bootstrap_servers": f"127.0.0.1:{port}",
            "security_protocol": NAME,
            "sasl_mechanism": "OAUTHBEARER",
        }

    @property
    def principals(self) -> list[str]:
        """Of all connections that have logged in."""
        found = self._bench.broker.connections._all
        return [str(one.principal) for one in found if one.login is None]

    @property
    def logins(self) -> tuple[int, int]:
        """How many there were: good ones, and others."""
        metrics = self._bench.broker.metrics
        return metrics.successful_authentications, metrics.failed_authentications

    def by_endpoint(self, **more: Any) -> dict[str, Any]:
        return {
            **self.options,
            "sasl_oauthbearer_token_endpoint_url": self.tokens.token_url,
            "sasl_oauthbearer_client_credentials_client_id": CLIENT_ID,
            "sasl_oauthbearer_client_credentials_client_secret": CLIENT_SECRET,
            **more,
        }


@asynccontextmanager
async def place(directory: Path) -> AsyncIterator[Place]:
    async with token_server() as tokens:
        settings = {
            "listeners": f"PLAINTEXT://:0,{NAME}://:0",
            **logins(NAME),
            **bearer(NAME, tokens.keys_url),
        }
        async with running(directory, **fields_of(settings)) as bench:
            listener = await bench.broker.bind(NAME, "127.0.0.1", 0)
            await listener.start_serving()
            yield Place(tokens, listener.port, bench)


class ByMethod:
    """As the provider of other libraries is."""

    async def token(self) -> str:
        return token()


async def by_coroutine() -> str:
    return token()


def by_thread() -> str:
    assert threading.current_thread() is not threading.main_thread()
    return token()


@pytest.mark.parametrize("provider", [ByMethod(), by_coroutine, by_thread])
async def test_tokens_of_the_program(tmp_path: Path, provider: Any) -> None:
    """SASL-49, SASL-40: from a function of either kind, or an object; extensions go with them."""
    async with place(tmp_path) as one:
        chosen = {
            **one.options,
            "sasl_oauth_token_provider": provider,
            "sasl_oauthbearer_extensions": "logicalCluster=a, traceId=b",
        }
        async with Producer(**chosen):
            assert one.principals == ["User:alice"]


async def test_tokens_of_an_endpoint(tmp_path: Path) -> None:
    """SASL-49: by client credentials, once for all connections while the token is fresh."""
    async with place(tmp_path) as one:
        chosen = one.by_endpoint(sasl_oauthbearer_scope="write read")
        async with Producer(**chosen):
            assert one.principals == [f"User:{CLIENT_ID}"]
        one.tokens.asked.clear()
        security = security_of(ProducerConfig(**chosen))
        made = await asyncio.gather(*(security.new_login() for _ in range(5)))
        assert len({login.first() for login in made if login is not None}) == 1
        ((first, rest),) = one.tokens.asked
        assert first.startswith("POST /token ")
        assert "Authorization: Basic c2hvcDpzaG9wIHNlY3JldA==" in rest
        assert rest.endswith("grant_type=client_credentials&scope=write+read")


async def test_a_token_is_used_while_it_is_fresh() -> None:
    """SASL-49, SASL-47: for four fifths of its time, then there is another one."""
    async with token_server() as tokens:
        now = [0.0]
        known = ClientCredentials(
            parse_url(tokens.token_url), CLIENT_ID, CLIENT_SECRET, None, None, 5.0
        )
        source = EndpointTokens(known, lambda: now[0])
        for now[0], count in ((0.0, 1), (239.0, 1), (241.0, 2), (400.0, 2), (482.0, 3)):
            await source.token()
            assert len(tokens.asked) == count


async def test_an_endpoint_that_refuses(tmp_path: Path) -> None:
    """SASL-49: at once, with its code and without the secret."""
    async with place(tmp_path) as one:
        one.tokens.status = 401
        with pytest.raises(TokenRefusedError, match="status 401: invalid_client") as caught:
            await Producer(**one.by_endpoint()).start()
        assert CLIENT_SECRET not in str(caught.value)
        assert not caught.value.retriable
        assert one.logins == (0, 0)


@pytest.mark.parametrize(
    ("answer", "what"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", "no access_token"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]", "no JSON object"),
        (b"HTTP/1.1 302 OK\r\nLocation: /\r\nContent-Length: 0\r\n\r\n", "status 302"),
        (
            b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n14\r\n{"access_token":"a b'
            b'\r\n2\r\n"}\r\n0\r\n\r\n',
            "characters that no bearer token has",
        ),
    ],
)
async def test_an_endpoint_that_gives_none(tmp_path: Path, answer: bytes, what: str) -> None:
    """SASL-49: told as what it is."""
    async with place(tmp_path) as one:
        one.tokens.answer = answer
        with pytest.raises(TokenRefusedError, match=what):
            await Producer(**one.by_endpoint()).start()


async def test_an_endpoint_that_cannot_now(tmp_path: Path) -> None:
    """SASL-49: it may be asked again, which is told, and then it works."""
    async with place(tmp_path) as one:
        one.tokens.status = 503
        with pytest.raises(TokenUnavailableError, match="status 503") as caught:
            await Producer(**one.by_endpoint()).start()
        assert caught.value.retriable
        one.tokens.status = 200
        async with Producer(**one.by_endpoint()):
            assert one.principals == [f"User:{CLIENT_ID}"]


async def test_a_function_that_fails(tmp_path: Path) -> None:
    """SASL-49: its own error is the cause; what is no text is no token."""

    def fails() -> str:
        raise OSError("no way")

    def nothing() -> Any:
        return None

    async with place(tmp_path) as one:
        with pytest.raises(TokenUnavailableError, match="provider raised OSError"):
            await Producer(**one.options, sasl_oauth_token_provider=fails).start()
        with pytest.raises(TokenRefusedError, match="gave a NoneType"):
            await Producer(**one.options, sasl_oauth_token_provider=nothing).start()


async def test_a_token_that_the_broker_refuses(tmp_path: Path) -> None:
    """SASL-41: our client confirms, and tells what the broker said, without the token."""
    bad = token(aud="elsewhere")
    async with place(tmp_path) as one:
        with pytest.raises(LoginFailedError, match="invalid_token") as caught:
            await Producer(**one.options, sasl_oauth_token_provider=lambda: bad).start()
        assert bad not in str(caught.value)
        assert one.logins == (0, 1)


OAUTH: dict[str, Any] = {"security_protocol": NAME, "sasl_mechanism": "OAUTHBEARER"}
URL: dict[str, Any] = {"sasl_oauthbearer_token_endpoint_url": "https://tokens.example/token"}
KNOWN: dict[str, Any] = {
    "sasl_oauthbearer_client_credentials_client_id": "a",
    "sasl_oauthbearer_client_credentials_client_secret": "hidden",
}


@pytest.mark.parametrize(
    ("given", "what"),
    [
        (OAUTH, "needs either sasl_oauth_token_provider or"),
        ({**OAUTH, **URL, "sasl_oauth_token_provider": str}, "needs either"),
        ({**OAUTH, "sasl_oauth_token_provider": 7}, "is no function"),
        ({**OAUTH, **URL}, "client_id is needed with"),
        ({**OAUTH, **KNOWN, "sasl_oauth_token_provider": str}, "client_id is for sasl_oauthb"),
        ({**OAUTH, **KNOWN, **URL, URL.copy().popitem()[0]: "http://a.b/"}, "must be https://"),
        (URL, "is for sasl_mechanism='OAUTHBEARER' alone"),
    ],
)
def test_options_that_do_not_go_together(given: dict[str, Any], what: str) -> None:
    """SASL-49, SEC-04: the option is named, and no secret shown."""
    with pytest.raises(ConfigurationError, match=what):
        ProducerConfig(**given)
    assert "hidden" not in repr(ProducerConfig(**OAUTH, **URL, **KNOWN))


MODULE = "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule"
DIALECTS = {
    "Java": """
        security.protocol=SASL_SSL
        sasl.mechanism=OAUTHBEARER
        sasl.oauthbearer.token.endpoint.url=https://tokens.example/token
        sasl.oauthbearer.client.credentials.client.id=shop
        sasl.oauthbearer.client.credentials.client.secret=hidden
        sasl.oauthbearer.scope=write
    """,
    "JAAS": f"""
        security.protocol=SASL_SSL
        sasl.mechanism=OAUTHBEARER
        sasl.oauthbearer.token.endpoint.url=https://tokens.example/token
        sasl.login.callback.handler.class=org.x.OAuthBearerLoginCallbackHandler
        sasl.jaas.config={MODULE} required clientId="shop" clientSecret="hidden" scope="write";
    """,
    "librdkafka": """
        security.protocol=sasl_ssl
        sasl.mechanisms=OAUTHBEARER
        sasl.oauthbearer.method=oidc
        sasl.oauthbearer.token.endpoint.url=https://tokens.example/token
        sasl.oauthbearer.client.id=shop
        sasl.oauthbearer.client.secret=hidden
        sasl.oauthbearer.scope=write
    """,
}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_dialects_of_properties_say_the_same(dialect: str) -> None:
    """SASL-49: of Java's clients, old and new, and of librdkafka."""
    options = client_options(read_properties(DIALECTS[dialect]))
    del options["ssl_context"]
    assert options == {
        "security_protocol": "SASL_SSL",
        "sasl_mechanism": "OAUTHBEARER",
        "sasl_oauthbearer_token_endpoint_url": "https://tokens.example/token",
        "sasl_oauthbearer_client_credentials_client_id": "shop",
        "sasl_oauthbearer_client_credentials_client_secret": "hidden",
        "sasl_oauthbearer_scope": "write",
    }
    assert ProducerConfig(**options)


@pytest.mark.parametrize(
    ("properties", "what"),
    [
        ({"sasl.oauthbearer.method": "default"}, "only oidc"),
        ({"sasl.login.callback.handler.class": "com.example.Mine"}, "no class is run"),
        ({"sasl.jaas.config": f'{MODULE} required secret="hidden";'}, "secret is not known"),
        ({"sasl.oauthbearer.assertion.file": "a"}, "is no property"),
    ],
)
def test_properties_that_are_refused(properties: dict[str, str], what: str) -> None:
    """SASL-49, SEC-04: by their names."""
    with pytest.raises(ConfigurationError, match=what) as caught:
        client_options(properties)
    assert "hidden" not in str(caught.value)


def test_extensions_of_jaas() -> None:
    """SASL-42: `extension_<name>`, as in Java."""
    text = f'{MODULE} required clientId="a" clientSecret="b" extension_one="1" extension_two="2";'
    options = client_options({"sasl.jaas.config": text})
    assert options["sasl_oauthbearer_extensions"] == "one=1,two=2"
    assert json.dumps(options)
