"""Keys, tokens and a small server of both, for logins by OAUTHBEARER."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

ISSUER, AUDIENCE = "https://tokens.example", "brokers"
CLIENT_ID, CLIENT_SECRET = "shop", "shop secret"
MODULE = "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required"


@cache
def key(name: str, kind: str = "EC") -> Any:
    """A private key; the same for the same name and kind."""
    del name
    if kind == "EC":
        return ec.generate_private_key(ec.SECP256R1())
    if kind == "Ed25519":
        return ed25519.Ed25519PrivateKey.generate()
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def public(name: str, kind: str = "EC", **members: Any) -> dict[str, Any]:
    """One key of a JWKS, with its name as its id; None leaves a member out."""
    kinds: dict[str, Any] = {"EC": ECAlgorithm, "Ed25519": OKPAlgorithm, "RSA": RSAAlgorithm}
    made = kinds[kind].to_jwk(key(name, kind).public_key(), as_dict=True)
    found = {**made, "kid": name, **members}
    return {one: value for one, value in found.items() if value is not None}


def jwks(*keys: dict[str, Any]) -> bytes:
    """The document."""
    return json.dumps({"keys": keys or (public("a"),)}).encode()


def claims(now_s: float, **changed: Any) -> dict[str, Any]:
    """Good ones, for five minutes; None takes one away."""
    found = {
        "sub": "alice",
        "iss": ISSUER,
        "aud": AUDIENCE,
        "iat": int(now_s),
        "exp": int(now_s) + 300,
        **changed,
    }
    return {name: value for name, value in found.items() if value is not None}


def token(
    now_s: float | None = None,
    name: str = "a",
    kind: str = "EC",
    alg: str = "ES256",
    **changed: Any,
) -> str:
    """A token that this key signed; other claims as in `claims`."""
    return signed(claims(time.time() if now_s is None else now_s, **changed), name, kind, alg)


def signed(
    content: dict[str, Any],
    name: str = "a",
    kind: str = "EC",
    alg: str = "ES256",
    headers: dict[str, Any] | None = None,
) -> str:
    """These claims with a signature; `headers` beside alg, in the place of the key's id."""
    return jwt.encode(
        content,
        key(name, kind),
        algorithm=alg,
        headers={"kid": name} if headers is None else headers,
    )


class TokenServer:
    """Gives keys at `/keys`, and tokens at `/token`, as an identity provider does."""

    def __init__(self) -> None:
        self.port = 0
        self.document = jwks()
        self.status = 200
        self.asked: list[tuple[str, str]] = []
        """What was asked: the first line, and all of the rest."""
        self.lifetime_s = 300
        self.answer: bytes | None = None  # instead of what would be answered

    @property
    def keys_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/keys"

    @property
    def token_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/token"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            length = [line for line in head.splitlines() if line.startswith("Content-Length")]
            body = await reader.readexactly(int(length[0].partition(":")[2]) if length else 0)
            first, _, rest = head.partition("\r\n")
            self.asked.append((first, rest + body.decode()))
            writer.write(self.answer or self._answer(first))
            await writer.drain()
        except (OSError, EOFError):
            pass  # a client that gave up
        finally:
            writer.close()

    def _answer(self, first: str) -> bytes:
        content = self.document
        if first.startswith("POST"):
            made = token(sub=CLIENT_ID, exp=time.time() + self.lifetime_s)
            content = json.dumps({"access_token": made, "expires_in": self.lifetime_s}).encode()
        if self.status != 200:
            content = b'{"error":"invalid_client"}'
        lines = [
            f"HTTP/1.1 {self.status} X",
            "Content-Type: application/json",
            f"Content-Length: {len(content)}",
        ]
        return "\r\n".join((*lines, "", "")).encode() + content


@asynccontextmanager
async def token_server() -> AsyncIterator[TokenServer]:
    """One on a free port."""
    made = TokenServer()
    server = await asyncio.start_server(made.serve, "127.0.0.1", 0)
    made.port = server.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        server.close()


def bearer(listener: str, url: str, **more: str) -> dict[str, str]:
    """The settings for logins by OAUTHBEARER on this listener, beside those of `secured.logins`;
    `more` of `sasl.oauthbearer.`, with _ for ."""
    prefix = f"listener.name.{listener.lower()}."
    settings = {"jwks_endpoint_url": url, "expected_issuer": ISSUER, "expected_audience": AUDIENCE}
    return {
        f"{prefix}sasl.enabled.mechanisms": "PLAIN,OAUTHBEARER",
        **{
            f"{prefix}sasl.oauthbearer.{name.replace('_', '.')}": value
            for name, value in {**settings, **more}.items()
        },
    }
