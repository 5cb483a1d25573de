"""What clients say before they are let in: whole conversations, each as one stream of frames."""

from __future__ import annotations

import json
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator

from barnabas.protocol.header import encode_request
from barnabas.protocol.message import Message
from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest
from barnabas.protocol.messages.metadata_request import MetadataRequest
from barnabas.protocol.messages.sasl_authenticate_request import SaslAuthenticateRequest
from barnabas.protocol.messages.sasl_handshake_request import SaslHandshakeRequest

_WHOLE = b"\0"
"""Before a stream that is not cut."""

MECHANISMS = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER", "GSSAPI", "")


def login_seeds() -> Iterator[bytes]:
    """Versions, a handshake of each form, tokens that are nearly right, and a request behind."""
    versions = ApiVersionsRequest(client_software_name="fuzz", client_software_version="1")
    opened = [b"", *(_frame(versions, version) for version in (0, 3, 4))]
    for number, mechanism in enumerate(MECHANISMS):
        for version in (0, 1):
            start = opened[(number + version) % len(opened)]
            start += _frame(SaslHandshakeRequest(mechanism=mechanism), version)
            for said in _tokens(mechanism):
                yield _WHOLE + start + b"".join(_token(one, version) for one in said)
    yield _WHOLE + opened[2] + _frame(MetadataRequest(topics=[]), 12)
    yield _WHOLE + _frame(SaslAuthenticateRequest(auth_bytes=b"\0a\0b"), 2)


def _frame(request: Message, version: int) -> bytes:
    return encode_request(request, version, 7, "fuzz")


def _token(content: bytes, handshake_version: int) -> bytes:
    if not handshake_version:
        return len(content).to_bytes(4, "big") + content
    return _frame(SaslAuthenticateRequest(auth_bytes=content), len(content) % 3)


def _tokens(mechanism: str) -> Iterator[list[bytes]]:
    if mechanism == "OAUTHBEARER":
        for token in _bearer_tokens():
            message = f"n,a=alice,\x01auth=Bearer {token}\x01k=v\x01\x01".encode()
            yield [message, b"\x01"]
            yield [message, message]
        return
    if mechanism.startswith("SCRAM"):
        proof = b64encode(bytes(32)).decode()
        for first in (b"n,a=alice,n=alice,r=abc", b"n,,n=no=2Cbody,r=abc,tokenauth=true"):
            yield [first, f"c=biws,r=abcnonce,p={proof}".encode()]
        return
    yield [b"alice\0alice\0wrong"]
    yield [b"\0nobody\0wrong", b"\0alice\0wrong"]


def _bearer_tokens() -> Iterator[str]:
    good = {"sub": "alice", "iss": "i", "aud": ["b"], "iat": 1, "exp": 4_000_000_000, "scope": "s"}
    headers: list[dict[str, object]] = [{"alg": "none"}, {"alg": "HS256"}, {"crit": []}]
    for header in (*headers, {"alg": "ES256", "kid": "a"}):
        yield f"{_section(header)}.{_section(good)}.AAAA"
    yield f"{_section([])}.{_section(good)}."
    yield "a.b.c"


def _section(content: object) -> str:
    return urlsafe_b64encode(json.dumps(content).encode()).rstrip(b"=").decode()
