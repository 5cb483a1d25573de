"""Logins that fail, of people whose names are longer than any answer."""

from __future__ import annotations

from functools import partial

import pytest

from barnabas.broker.core.security.bearer_server import OauthBearerServer
from barnabas.broker.core.security.bearer_tokens import Bearer
from barnabas.broker.core.security.mechanisms import LoginError
from barnabas.broker.core.security.principal import Principal
from barnabas.broker.core.security.sasl_server import Pending, Refused, SaslServer, Session
from barnabas.protocol.header import SIZE_BYTES, encode_request
from barnabas.protocol.message import Message
from barnabas.protocol.messages.sasl_authenticate_request import SaslAuthenticateRequest
from barnabas.protocol.messages.sasl_handshake_request import SaslHandshakeRequest

LONG = 40_000
NAME = "OAUTHBEARER"


def frame(request: Message, version: int) -> bytes:
    return encode_request(request, version, 7, None)[SIZE_BYTES:]


@pytest.mark.parametrize("version", [0, 1, 2])
@pytest.mark.parametrize(
    ("session", "header"),
    [
        (None, b"n,a=" + b"x" * LONG + b","),
        (Session(Principal("User", "alice"), NAME), b"n,,"),
    ],
    ids=["for somebody else", "as another one than before"],
)
def test_the_answer_tells_what_it_has_room_for(
    version: int, session: Session | None, header: bytes
) -> None:
    """SASL-08, SASL-42: they are refused as all are, and no error escapes from it."""
    bearer = partial(OauthBearerServer, lambda _: Bearer("b" * LONG, 1000))
    one = SaslServer({NAME: bearer}, {}, session)
    one.on_frame(frame(SaslHandshakeRequest(mechanism=NAME), 1))
    token = header + b"\x01auth=Bearer t\x01\x01"
    pending = one.on_frame(frame(SaslAuthenticateRequest(auth_bytes=token), version))
    assert isinstance(pending, Pending)
    made: bytes | LoginError
    try:
        made = pending.run()
    except LoginError as error:
        made = error
    outcome = pending.then(made)
    assert isinstance(outcome, Refused)
    assert outcome.frame is not None
    assert len(outcome.frame) < 5000
