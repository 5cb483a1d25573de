"""Servers that lie in a login by SCRAM: our client goes no further, and proves nothing to them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from barnabas.client import Admin
from barnabas.client.login_errors import AuthenticationError
from barnabas.protocol.header import decode_request_header, encode_response
from barnabas.protocol.message import Message
from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest
from barnabas.protocol.messages.api_versions_response import ApiVersion, ApiVersionsResponse
from barnabas.protocol.messages.metadata_request import MetadataRequest
from barnabas.protocol.messages.sasl_authenticate_request import SaslAuthenticateRequest
from barnabas.protocol.messages.sasl_authenticate_response import SaslAuthenticateResponse
from barnabas.protocol.messages.sasl_handshake_request import SaslHandshakeRequest
from barnabas.protocol.messages.sasl_handshake_response import SaslHandshakeResponse

from .any_server import listening

MECHANISM = "SCRAM-SHA-256"
SERVED = (ApiVersionsRequest, MetadataRequest, SaslHandshakeRequest, SaslAuthenticateRequest)

Say = Callable[[list[bytes]], bytes]
"""What the server says to the tokens that it has been sent so far."""


class Liar:
    """Takes part in a login up to a point; keeps what the client said."""

    def __init__(self, *says: Say) -> None:
        self._says = says
        self.tokens: list[bytes] = []
        self.others = 0
        """Requests of a client that believes it is in."""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            size = int.from_bytes(await reader.readexactly(4), "big")
            frame = await reader.readexactly(size)
            header, at = decode_request_header(frame)
            response = self._answer(header.api_key, frame[at:], header.api_version)
            writer.write(encode_response(response, header.api_version, header.correlation_id))

    def _answer(self, key: int, body: bytes, version: int) -> Message:
        if key == ApiVersionsRequest.API_KEY:
            rows = [
                ApiVersion(
                    api_key=one.API_KEY or 0,
                    min_version=one.MIN_VERSION,
                    max_version=one.MAX_VERSION,
                )
                for one in SERVED
            ]
            return ApiVersionsResponse(api_keys=rows)
        if key == SaslHandshakeRequest.API_KEY:
            return SaslHandshakeResponse(mechanisms=[MECHANISM])
        if key != SaslAuthenticateRequest.API_KEY:
            self.others += 1
            raise ConnectionError
        self.tokens.append(bytes(SaslAuthenticateRequest.decode(body, version).auth_bytes))
        said = self._says[len(self.tokens) - 1](self.tokens)
        return SaslAuthenticateResponse(error_message=None, auth_bytes=said)


def first_with(iterations: int, nonce: str = "server") -> Say:
    def say(tokens: list[bytes]) -> bytes:
        of_client = tokens[0].rsplit(b",r=", 1)[1].decode()
        return f"r={of_client}{nonce},s=c2FsdA==,i={iterations}".encode()

    return say


def last(text: bytes) -> Say:
    return lambda _: text


async def refused(liar: Liar) -> None:
    """Our client must give up."""
    async with listening(liar.serve) as address:
        admin = Admin(
            bootstrap_servers=address,
            security_protocol="SASL_PLAINTEXT",
            sasl_mechanism=MECHANISM,
            sasl_plain_username="alice",
            sasl_plain_password="secret",
        )
        with pytest.raises(AuthenticationError) as caught:
            await admin.start()
        assert "secret" not in str(caught.value)
    assert not liar.others


@pytest.mark.parametrize("iterations", [0, 1, 4095, 10**9, 2**31])
async def test_a_count_that_is_not_worked_off(iterations: int) -> None:
    """ATK-22: too few give the password away, too many keep the client busy; no proof is sent."""
    liar = Liar(first_with(iterations), last(b"v=AAAA"))
    await refused(liar)
    assert len(liar.tokens) == 1


async def test_a_nonce_that_is_not_longer() -> None:
    """ATK-22: the server must add a part of its own; no proof is sent for an old nonce."""
    liar = Liar(first_with(4096, ""), last(b"v=AAAA"))
    await refused(liar)
    assert len(liar.tokens) == 1


@pytest.mark.parametrize(
    "text", [b"v=" + b"A" * 43 + b"=", b"v=AAAA", b"v=", b"e=other-error", b"", b"x=1"]
)
async def test_a_signature_that_is_none(text: bytes) -> None:
    """ATK-23: who does not know the password's keys is not talked to any further."""
    liar = Liar(first_with(4096), last(text))
    await refused(liar)
    assert len(liar.tokens) == 2
