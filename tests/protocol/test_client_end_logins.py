"""The client's end of a connection while it logs in, with work that somebody else does."""

from __future__ import annotations

import base64

import pytest

from barnabas.protocol.connection.client_end import Asked, ClientEnd, Phase, ToSend
from barnabas.protocol.connection.login import LoginRefusedError
from barnabas.protocol.errors import ProtocolError
from barnabas.protocol.header import decode_request_header, encode_response
from barnabas.protocol.message import Message
from barnabas.protocol.messages.api_versions_response import ApiVersion, ApiVersionsResponse
from barnabas.protocol.messages.sasl_authenticate_request import SaslAuthenticateRequest
from barnabas.protocol.messages.sasl_authenticate_response import SaslAuthenticateResponse
from barnabas.protocol.messages.sasl_handshake_response import SaslHandshakeResponse
from barnabas.protocol.sasl.errors import SaslError
from barnabas.protocol.sasl.oauthbearer import OauthBearerClient
from barnabas.protocol.sasl.scram import ScramClient
from barnabas.protocol.sasl.slow import Slow

SALT = base64.b64encode(b"salt").decode()
VERSIONS = [
    ApiVersion(api_key=key, min_version=0, max_version=highest)
    for key, highest in ((17, 1), (18, 4), (36, 2))
]

End = ClientEnd[str]


def answered(end: End, number: int, response: Message, version: int) -> list[object]:
    return list(end.receive(encode_response(response, version, number), 1.0))


def begun(login: ScramClient | OauthBearerClient) -> End:
    """An end whose handshake is over, and whose first token was sent."""
    end = End("me", 1000, login)
    end.open("opening", 0.0, 10.0)
    (handshake,) = answered(end, 0, ApiVersionsResponse(api_keys=VERSIONS), 3)
    assert isinstance(handshake, ToSend)
    (first,) = answered(end, 1, SaslHandshakeResponse(mechanisms=[login.mechanism]), 1)
    assert isinstance(first, ToSend)
    assert token_in(first) == login.first()
    return end


def token_in(sent: ToSend) -> bytes:
    frame = sent.data[4:]
    _, at = decode_request_header(frame)
    return bytes(SaslAuthenticateRequest.decode_at(frame, at, 2)[0].auth_bytes)


def computing() -> tuple[End, Slow]:
    end = begun(ScramClient("SCRAM-SHA-256", "alice", "secret", "client"))
    challenge = f"r=clientserver,s={SALT},i=4096".encode()
    (work,) = answered(end, 2, SaslAuthenticateResponse(auth_bytes=challenge), 2)
    assert isinstance(work, Slow)
    return end, work


def test_the_login_goes_on_with_what_was_computed() -> None:
    """SASL-32, SASL-24: the deadline of who waits stays; nothing is sent before."""
    end, work = computing()
    assert end.next_deadline() == 10.0
    following = end.computed(work.run(), 2.0)
    assert following is not None
    assert token_in(following).startswith(b"c=biws,r=clientserver,p=")
    assert end.computed(b"again", 2.0) is None
    assert end.close() == ["opening"]


def test_an_answer_while_it_computes_is_an_error() -> None:
    """SASL-24: a broker that does not wait for the proof is none."""
    end, _ = computing()
    with pytest.raises(ProtocolError, match="nothing was asked for"):
        answered(end, 2, SaslAuthenticateResponse(auth_bytes=b"v=AAAA"), 2)
    assert end.close() == ["opening"]


def test_an_end_while_it_computes() -> None:
    """SASL-32: who waits is told, and what was computed is of no use."""
    end, work = computing()
    assert end.close() == ["opening"]
    assert end.computed(work.run(), 2.0) is None


def test_work_that_fails() -> None:
    """SASL-08: told with the mechanism."""
    end, _ = computing()
    with pytest.raises(LoginRefusedError, match="SCRAM-SHA-256: no"):
        end.computed(SaslError("no"), 2.0)


def test_a_token_that_is_taken() -> None:
    """SASL-40, SASL-47: nothing more to send, and a lifetime."""
    end = begun(OauthBearerClient("abc", {"k": "v"}))
    response = SaslAuthenticateResponse(auth_bytes=b"", session_lifetime_ms=5000)
    (over,) = answered(end, 2, response, 2)
    assert isinstance(over, Asked)
    assert (end.phase, end.login_lifetime_ms) == (Phase.READY, 5000)


def test_a_token_that_is_not_taken() -> None:
    """SASL-41: confirmed with one byte, then refused by the broker."""
    end = begun(OauthBearerClient("abc", {}))
    (more,) = answered(end, 2, SaslAuthenticateResponse(auth_bytes=b'{"status":"x"}'), 2)
    assert isinstance(more, ToSend)
    assert token_in(more) == b"\x01"
    refusal = SaslAuthenticateResponse(error_code=58, error_message='{"status":"x"}')
    with pytest.raises(LoginRefusedError, match="status") as caught:
        answered(end, 3, refusal, 2)
    assert caught.value.code == 58


@pytest.mark.parametrize(
    ("token", "extensions"),
    [
        ("", {}),
        ("a b", {}),
        ("a\x01", {}),
        ("a", {"auth": "x"}),
        ("a", {"k1": "x"}),
        ("a", {"k": ""}),
    ],
)
def test_what_cannot_be_sent(token: str, extensions: dict[str, str]) -> None:
    """SASL-40, SASL-49: and the token is not repeated."""
    with pytest.raises(SaslError):
        OauthBearerClient(token, extensions)
