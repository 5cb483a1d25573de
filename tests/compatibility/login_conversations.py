"""What clients may say to a listener that wants a login by PLAIN or SCRAM-SHA-256, frame by frame.

Alice is a user of both; most of it is nonsense, or comes at the wrong time.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

from kit.secured import PASSWORD, USER

from barnabas.protocol.header import encode_request
from barnabas.protocol.message import Message
from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest
from barnabas.protocol.messages.fetch_request import FetchRequest
from barnabas.protocol.messages.metadata_request import MetadataRequest
from barnabas.protocol.messages.produce_request import ProduceRequest
from barnabas.protocol.messages.sasl_authenticate_request import SaslAuthenticateRequest
from barnabas.protocol.messages.sasl_handshake_request import SaslHandshakeRequest

Conversation = tuple[str, Sequence[bytes]]

NAME = USER.encode()
LOGIN = f"\0{USER}\0{PASSWORD}".encode()
FIRST = b"n,,n=" + NAME + b",r=abc"
VERSIONS = ApiVersionsRequest(client_software_name="test", client_software_version="1")


def frame(request: Message, version: int) -> bytes:
    return encode_request(request, version, 7, "test")


def shake(mechanism: str = "PLAIN", version: int = 1) -> bytes:
    return frame(SaslHandshakeRequest(mechanism=mechanism), version)


def token(content: bytes, version: int = 2) -> bytes:
    return frame(SaslAuthenticateRequest(auth_bytes=content), version)


def bare(content: bytes) -> bytes:
    """With its length before it, as tokens are after SaslHandshake 0."""
    return struct.pack(">i", len(content)) + content


def head(key: int, version: int, rest: bytes = b"") -> bytes:
    """A request of these numbers, without a client id."""
    return bare(struct.pack(">hhih", key, version, 7, -1) + rest)


def conversations() -> Iterator[Conversation]:
    """Names and frames; a frame is sent when the one before it is answered."""
    yield from _by_plain()
    yield from _by_scram()
    yield from _handshakes()
    yield from _misplaced()
    yield from _afterwards()
    yield from _broken()


def _by_plain() -> Iterator[Conversation]:
    for version in (0, 1, 2):
        yield f"a login in version {version}", [shake(), token(LOGIN, version)]
        yield f"a wrong password in version {version}", [shake(), token(b"\0alice\0no", version)]
    yield "a login by bare tokens", [shake(version=0), bare(LOGIN)]
    yield "a wrong password by bare tokens", [shake(version=0), bare(b"\0alice\0no")]
    for content in (
        *(b"", b"alice", b"alice\0no", b"\0a\0b\0c", b"\0a\0b\0c\0d", b"\0\0no", b"\0alice\0"),
        *(b"\0nobody\0no", NAME + LOGIN, b"root" + LOGIN, b"root\0alice\0no"),
    ):
        yield f"PLAIN {content!r}", [shake(), token(content)]


def _by_scram() -> Iterator[Conversation]:
    start = shake("SCRAM-SHA-256")
    for content in (
        *(b"hello", b"", b"y,,n=alice,r=abc", b"p=tls-unique,,n=alice,r=abc", b"n,,n=alice,r="),
        *(b"n,,n=,r=abc", b"n,,n=al=41ice,r=abc", b"n,a=bob,n=alice,r=abc"),
    ):
        yield f"SCRAM {content!r}", [start, token(content)]
    for content in (b"", b"zzz", b"c=biws,r=abc,p=AAAA"):
        yield f"SCRAM at its end {content!r}", [start, token(FIRST), token(content)]
    yield "an extension of SCRAM", [start, token(FIRST + b",foo=bar")]
    yield "SCRAM by bare tokens", [shake("SCRAM-SHA-256", 0), bare(FIRST)]


def _handshakes() -> Iterator[Conversation]:
    for mechanism in ("GSSAPI", "OAUTHBEARER", "plain", "", "X" * 3000):
        for version in (0, 1):
            yield f"{mechanism[:20]!r} in version {version}", [shake(mechanism, version)]
    yield "versions, then a login", [frame(VERSIONS, 3), shake(), token(LOGIN)]
    yield "versions 0, then a login", [frame(VERSIONS, 0), shake(), token(LOGIN)]
    unknown = head(18, 99, b"\0")
    yield "versions 99, 3, then a login", [unknown, frame(VERSIONS, 3), shake(), token(LOGIN)]


def _misplaced() -> Iterator[Conversation]:
    asked = frame(MetadataRequest(topics=[]), 9)
    yield "versions twice", [frame(VERSIONS, 3), frame(VERSIONS, 3)]
    yield "a token first", [token(LOGIN)]
    yield "metadata first", [asked]
    yield "metadata behind versions", [frame(VERSIONS, 3), asked]
    for name, request in {
        "versions": frame(VERSIONS, 3),
        "a handshake": shake(),
        "another handshake": shake("SCRAM-SHA-256"),
        "metadata": asked,
        "fetch": frame(FetchRequest(), 12),
        "produce": frame(ProduceRequest(acks=1, timeout_ms=1), 9),
        "produce, acks=0": frame(ProduceRequest(acks=0, timeout_ms=1), 9),
        "no API": head(999, 0),
        "a bare token": bare(LOGIN),
    }.items():
        yield f"{name} in the place of a token", [shake(), request]
    yield "a token in its request behind a handshake 0", [shake(version=0), token(LOGIN)]


def _afterwards() -> Iterator[Conversation]:
    for name, request in {
        "a handshake": shake(),
        "a handshake 0": shake(version=0),
        "a mechanism that is not there": shake("NOPE"),
        "a token": token(LOGIN),
        "versions": frame(VERSIONS, 3),
    }.items():
        yield f"{name} behind a login", [shake(), token(LOGIN), request]


def _broken() -> Iterator[Conversation]:
    for size in (-1, 524_289, 2**31 - 1):
        yield f"a frame of {size}", [struct.pack(">i", size)]
    for size in range(4):
        yield f"{size} bytes of a request", [bare(b"\0\x11\0"[:size])]
    yield "a handshake without a name", [head(17, 1)]
    yield "a handshake 9", [head(17, 9, b"\0\0")]
    yield "a request of no API", [head(-1, 0)]
    yield "a token of version 9", [shake(), head(36, 9, b"\0\0")]
    yield "more behind a handshake", [bare(shake()[4:] + b"zz")]
    for version in (0, 2):
        yield f"more behind a token {version}", [shake(), bare(token(LOGIN, version)[4:] + b"zz")]
    for size in (-1, 2**31 - 1):
        yield f"a token of {size} bytes", [shake(), head(36, 0, struct.pack(">i", size))]
